import PalliumCore
import PalliumJSON

/// What follows the records, and what happens when all objects are filled.
///
/// Safety: numbers of objects are read below `count` and positions of properties below those of their program, so every
/// index into the memory of the reader is inside of it.
extension GraphReader {
    /// Values of conditional properties whose models turned out to be in the archive. Those of objects that are upgraded
    /// were read before.
    mutating func readConditionalValues(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let place = try readConditionalPlace(&cursor)
            do throws(ModelError) {
                let entry = unsafe place.program.entries[place.position]
                if unsafe place.program.upgrade != nil || entry.slot < 0 {
                    try cursor.skip(place.type, objects: count)
                    continue
                }
                let slot = unsafe object(place.number).takeUnretainedValue().slot(at: entry.slot)
                slot.clear()
                try unsafe read(entry.table, slot.pointer, slot.state, &cursor)
                if place.isDefaulted { slot.slotState = slot.slotState.asDefaulted }
            } catch { throw error.at(place.path).located() }
        }
    }

    /// The conditional values of objects that are upgraded. The cursor is a copy: the others are passed over.
    mutating func readUpgradedConditionalValues(_ index: ArchiveCursor) throws(ModelError) {
        guard programs.contains(where: { $0.upgrade != nil }) else { return }
        var cursor = index
        for _ in 0..<(try cursor.readCount()) {
            let place = try readConditionalPlace(&cursor)
            do throws(ModelError) {
                let value = try cursor.readValue(place.type, objects: count)
                guard place.program.upgrade != nil else { continue }
                upgradedValues[place.number, default: []].append((place.key, value, place.isDefaulted))
            } catch { throw error.at(place.path).located() }
        }
    }

    /// Where a conditional value belongs.
    private struct ConditionalPlace {
        let number: Int
        let program: ReadingProgram
        let position: Int
        let isDefaulted: Bool

        var type: ArchivedType { program.nodes[position].type }
        var key: String { program.schema.properties[position].key }
        var path: [String] { ["objects", "\(number)", key] }
    }

    private func readConditionalPlace(_ cursor: inout ArchiveCursor) throws(ModelError) -> ConditionalPlace {
        let number = try cursor.readNumber(below: count, "an object")
        let program = program(of: number)
        let position = try cursor.readNumber(below: program.nodes.count, "a property")
        return ConditionalPlace(
            number: number, program: program, position: position, isDefaulted: try cursor.readIsDefaulted())
    }

    mutating func readPreservedMembers(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let number = try cursor.readNumber(below: count, "an object")
            unsafe object(number).takeUnretainedValue().preservedMembers = try cursor.readMembers()
        }
    }

    mutating func readRoots(_ cursor: inout ArchiveCursor) throws(ModelError) -> [DynamicModel] {
        var roots: [DynamicModel] = []
        for _ in 0..<(try cursor.readCount()) {
            unsafe roots.append(object(try cursor.readNumber(below: count, "an object")).takeUnretainedValue())
        }
        return roots
    }

    /// Links children to their parents, then runs the validators, rules and hooks of each model, as after decoding; what
    /// is held before what holds it, as far as numbers tell. Every model is filled by now.
    func finish() throws(ModelError) {
        let hasChildren = programs.map { unsafe $0.layout.table.pointee.hasChildren }
        if hasChildren.contains(true) {
            for number in 0..<count where unsafe hasChildren[Int(schemas[number])] {
                unsafe object(number).takeUnretainedValue().linkChildren()
            }
        }
        let hooks = programs.map { program -> Hooks in
            let layout = program.layout
            if layout.hasRules || !layout.decodingHooks.isEmpty { return .ofSchema }
            return layout.modelClass == DynamicModel.self ? .none : .ofClass
        }
        for number in (0..<count).reversed() {
            do throws(ModelError) {
                switch unsafe hooks[Int(schemas[number])] {
                case .none: break
                case .ofClass: try unsafe object(number).takeUnretainedValue().runOverriddenHooks()
                case .ofSchema: try unsafe runHooks(of: object(number).takeUnretainedValue())
                }
            } catch { throw error.at(["objects", "\(number)"]).located() }
        }
    }

    private enum Hooks {
        case none
        /// Only what the class overrides.
        case ofClass
        case ofSchema
    }

    private func runHooks(of model: DynamicModel) throws(ModelError) {
        let layout = model.layout
        if layout.hasRules {
            let problems = model.collectProblems { [layout.properties[$0].key] }
            if !problems.isEmpty { throw ModelError(problems) }
        } else {
            try model.runModelRules()
        }
        try model.runDecodingHooks()
    }
}
