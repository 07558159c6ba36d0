import PalliumCore
import PalliumJSON

/// Reads the index, which follows the records: conditional values, preserved members and roots.
///
/// Safety: numbers of objects are read below `count` and positions of properties below those of their plan, so every
/// index into the memory of the reader is inside of it.
extension GraphReader {
    /// Reads the numbers of the roots, which are at the end of the index, and checks everything before them.
    func readRoots() throws(ModelError) -> [Int] {
        var index = index
        try skipConditionalValues(&index)
        for _ in 0..<(try index.readCount()) {
            _ = try index.readNumber(below: count, "an object")
            _ = try unsafe index.readBytes()
        }
        var roots: [Int] = []
        for _ in 0..<(try index.readCount()) { roots.append(try index.readNumber(below: count, "an object")) }
        try index.expectEnd()
        return roots
    }

    /// Reads the values of conditional properties whose models are in the archive, and still are for another reason.
    /// Those of upgraded objects were read before.
    mutating func readConditionalValues(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let conditional = try Self.readConditionalEntry(&cursor, plan: { plans[Int(unsafe schemas[$0])] }, count)
            do throws(ModelError) {
                guard conditional.plan.upgrade == nil, unsafe conditional.plan.entries[conditional.position].slot >= 0,
                    let model = requestedObject(conditional.number), try isReached(conditional.type, cursor)
                else {
                    try cursor.skip(conditional.type, objects: count)
                    continue
                }
                let entry = unsafe conditional.plan.entries[conditional.position]
                let slot = unsafe model.slot(at: entry.slot)
                let start = cursor
                slot.clear()
                do throws(ModelError) {
                    try unsafe read(entry.table, slot.pointer, slot.state, &cursor)
                    if conditional.isDefaulted { slot.slotState = slot.slotState.asDefaulted }
                } catch {
                    guard problems.areSurvived, error.code != .malformedArchive else { throw error }
                    // After a problem the values are read again, one by one.
                    slot.clear()
                    cursor = start
                    let value = try cursor.readValue(conditional.type, objects: count, in: stored)
                    unsafe waiting.append((conditional.number, entry.slot, value, conditional.isDefaulted))
                }
            } catch { throw error.isLocated ? error : error.at(conditional.path).located() }
        }
    }

    /// Whether all models of a conditional value were read. The cursor is a copy.
    private func isReached(_ type: ArchivedType, _ start: ArchiveCursor) throws(ModelError) -> Bool {
        var cursor = start
        return try isReached(type, &cursor)
    }

    /// Recursion is bounded by the nesting of kinds.
    private func isReached(_ type: ArchivedType, _ cursor: inout ArchiveCursor) throws(ModelError) -> Bool {
        guard let element = type.element else {
            guard type.kind == .model else {
                try cursor.skip(type, objects: count)
                return true
            }
            return requestedObject(try cursor.readNumber(below: count, "an object")) != nil
        }
        let elements = try cursor.readCount()
        let hasNulls = try cursor.readFlag()
        for _ in 0..<elements {
            if type.kind == .dictionary { _ = try unsafe cursor.readCheckedText() }
            if hasNulls, !(try cursor.readFlag()) { continue }
            guard try isReached(element, &cursor) else { return false }
        }
        return true
    }

    private func skipConditionalValues(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let conditional = try Self.readConditionalEntry(&cursor, plan: { plans[Int(unsafe schemas[$0])] }, count)
            do throws(ModelError) { try cursor.skip(conditional.type, objects: count) } catch {
                throw error.at(conditional.path).located()
            }
        }
    }

    /// Reads conditional values for upgrade steps. The cursor is a copy, because the values are read again.
    static func readConditional(
        _ index: ArchiveCursor, _ plans: [ArchiveReadingPlan], _ schemas: [UInt32], into stored: StoredRecords
    ) throws(ModelError) {
        var cursor = index
        for _ in 0..<(try cursor.readCount()) {
            let conditional = try readConditionalEntry(&cursor, plan: { plans[Int(schemas[$0])] }, schemas.count)
            do throws(ModelError) {
                let value = try cursor.readValue(conditional.type, objects: schemas.count, in: stored)
                stored.add(value, isDefaulted: conditional.isDefaulted, forKey: conditional.key, of: conditional.number)
            } catch { throw error.at(conditional.path).located() }
        }
    }

    /// The property that a conditional value belongs to.
    private struct ConditionalEntry {
        let number: Int
        let plan: ArchiveReadingPlan
        let position: Int
        let isDefaulted: Bool

        var type: ArchivedType { plan.schema.properties[position].type }
        var key: String { plan.schema.properties[position].key }
        var path: [String] { ["objects", "\(number)", key] }
    }

    @inline(__always)
    private static func readConditionalEntry(
        _ cursor: inout ArchiveCursor, plan: (Int) -> ArchiveReadingPlan, _ count: Int
    ) throws(ModelError) -> ConditionalEntry {
        let number = try cursor.readNumber(below: count, "an object")
        let plan = plan(number)
        let position = try cursor.readNumber(below: plan.schema.properties.count, "a property")
        return ConditionalEntry(
            number: number, plan: plan, position: position, isDefaulted: try cursor.readIsDefaulted())
    }

    mutating func readPreservedMembers(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let number = try cursor.readNumber(below: count, "an object")
            let members = try cursor.readMembers()
            requestedObject(number)?.preservedMembers = members
        }
    }
}
