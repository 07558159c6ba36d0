import PalliumCore
import PalliumJSON

/// The index, which follows the records: conditional values, preserved members and roots.
///
/// Safety: numbers of objects are read below `count` and positions of properties below those of their program, so every
/// index into the memory of the reader is inside of it.
extension GraphReader {
    /// The numbers of the roots, which stand behind everything else; that is checked on the way.
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

    /// Values of conditional properties whose models turned out to be in the archive, and still are for another reason.
    /// Those of objects that are upgraded were read before.
    mutating func readConditionalValues(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let place = try Self.readConditionalPlace(&cursor, plan: { plans[Int(unsafe schemas[$0])] }, count)
            do throws(ModelError) {
                guard place.plan.upgrade == nil, unsafe place.plan.entries[place.position].slot >= 0,
                    let model = known(place.number), try isReached(place.type, cursor)
                else {
                    try cursor.skip(place.type, objects: count)
                    continue
                }
                let entry = unsafe place.plan.entries[place.position]
                let slot = unsafe model.slot(at: entry.slot)
                let start = cursor
                slot.clear()
                do throws(ModelError) {
                    try unsafe read(entry.table, slot.pointer, slot.state, &cursor)
                    if place.isDefaulted { slot.slotState = slot.slotState.asDefaulted }
                } catch {
                    guard problems.areSurvived, error.code != .malformedArchive else { throw error }
                    // Once more, value by value, when all of them were read.
                    slot.clear()
                    cursor = start
                    let value = try cursor.readValue(place.type, objects: count, in: stored)
                    unsafe waiting.append((place.number, entry.slot, value, place.isDefaulted))
                }
            } catch { throw error.isLocated ? error : error.at(place.path).located() }
        }
    }

    /// Whether all models of a conditional value are there. The cursor is a copy.
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
            return known(try cursor.readNumber(below: count, "an object")) != nil
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
            let place = try Self.readConditionalPlace(&cursor, plan: { plans[Int(unsafe schemas[$0])] }, count)
            do throws(ModelError) { try cursor.skip(place.type, objects: count) } catch {
                throw error.at(place.path).located()
            }
        }
    }

    /// Conditional values as steps see them. The cursor is a copy: others read the values, too.
    static func readConditional(
        _ index: ArchiveCursor, _ plans: [ArchiveReadingPlan], _ schemas: [UInt32], into stored: StoredRecords
    ) throws(ModelError) {
        var cursor = index
        for _ in 0..<(try cursor.readCount()) {
            let place = try readConditionalPlace(&cursor, plan: { plans[Int(schemas[$0])] }, schemas.count)
            do throws(ModelError) {
                let value = try cursor.readValue(place.type, objects: schemas.count, in: stored)
                stored.add(value, isDefaulted: place.isDefaulted, forKey: place.key, of: place.number)
            } catch { throw error.at(place.path).located() }
        }
    }

    /// Where a conditional value belongs.
    private struct ConditionalPlace {
        let number: Int
        let plan: ArchiveReadingPlan
        let position: Int
        let isDefaulted: Bool

        var type: ArchivedType { plan.schema.properties[position].type }
        var key: String { plan.schema.properties[position].key }
        var path: [String] { ["objects", "\(number)", key] }
    }

    @inline(__always)
    private static func readConditionalPlace(
        _ cursor: inout ArchiveCursor, plan: (Int) -> ArchiveReadingPlan, _ count: Int
    ) throws(ModelError) -> ConditionalPlace {
        let number = try cursor.readNumber(below: count, "an object")
        let plan = plan(number)
        let position = try cursor.readNumber(below: plan.schema.properties.count, "a property")
        return ConditionalPlace(
            number: number, plan: plan, position: position, isDefaulted: try cursor.readIsDefaulted())
    }

    mutating func readPreservedMembers(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let number = try cursor.readNumber(below: count, "an object")
            let members = try cursor.readMembers()
            known(number)?.preservedMembers = members
        }
    }
}
