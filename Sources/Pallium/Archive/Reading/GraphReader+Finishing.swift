import PalliumCore
import PalliumJSON

/// What follows the records, and what happens when all objects are filled.
extension GraphReader {
    /// Values of conditional properties whose models turned out to be in the archive.
    mutating func readConditionalValues(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let number = try cursor.readNumber(below: count, "an object")
            do throws(ModelError) {
                try readConditionalValue(number, &cursor)
            } catch { throw error.at(["objects", "\(number)"]).located() }
        }
    }

    private mutating func readConditionalValue(_ number: Int, _ cursor: inout ArchiveCursor) throws(ModelError) {
        let program = program(of: number)
        let position = try cursor.readNumber(below: program.nodes.count, "a property")
        let state = try cursor.readByte()
        guard state == ArchivedState.value.rawValue || state == ArchivedState.defaulted.rawValue else {
            throw .archive(expected: "the state of a value", found: "\(state)")
        }
        let key = program.schema.properties[position].key
        do throws(ModelError) {
            let type = program.nodes[position].type
            guard program.upgrade == nil else {
                // The steps have run; what they made of a conditional value cannot be known, so it goes by its own key.
                let value = try cursor.readValue(type, objects: count)
                guard let slot = program.layout.index(of: key), program.stores(slot) else { return }
                let place = object(number).takeUnretainedValue().slot(at: slot)
                return try store(value, in: place, program.layout.transformers)
            }
            let entry = program.entries[position]
            guard entry.slot >= 0 else { return try cursor.skip(type, objects: count) }
            let slot = object(number).takeUnretainedValue().slot(at: entry.slot)
            slot.clear()
            try read(entry.table, slot.pointer, slot.state, &cursor)
            if state == ArchivedState.defaulted.rawValue { slot.slotState = slot.slotState.asDefaulted }
        } catch { throw error.under(key: key) }
    }

    mutating func readPreservedMembers(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let number = try cursor.readNumber(below: count, "an object")
            guard case .object(let members) = try cursor.readJSON() else {
                throw .archive(expected: "an object of JSON members", found: "another value")
            }
            object(number).takeUnretainedValue().preservedMembers = members
        }
    }

    mutating func readRoots(_ cursor: inout ArchiveCursor) throws(ModelError) -> [DynamicModel] {
        var roots: [DynamicModel] = []
        for _ in 0..<(try cursor.readCount()) {
            roots.append(object(try cursor.readNumber(below: count, "an object")).takeUnretainedValue())
        }
        return roots
    }

    /// Links children to their parents, then runs the validators, rules and hooks of each model, as after decoding; what
    /// is held before what holds it, as far as numbers tell. Every model is filled by now.
    func finish() throws(ModelError) {
        let hasChildren = programs.map { $0.layout.table.pointee.hasChildren }
        if hasChildren.contains(true) {
            for number in 0..<count where hasChildren[Int(schemas[number])] {
                object(number).takeUnretainedValue().linkChildren()
            }
        }
        let hooks = programs.map { program -> Hooks in
            let layout = program.layout
            if layout.hasRules || !layout.decodingHooks.isEmpty { return .ofSchema }
            return layout.modelClass == DynamicModel.self ? .none : .ofClass
        }
        for number in (0..<count).reversed() {
            do throws(ModelError) {
                switch hooks[Int(schemas[number])] {
                case .none: break
                case .ofClass: try object(number).takeUnretainedValue().runOverriddenHooks()
                case .ofSchema: try runHooks(of: object(number).takeUnretainedValue())
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
