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

    /// Runs validators and rules, then the hooks after decoding; what is held before what holds it, as far as numbers
    /// tell. Every model is filled by now.
    func finish() throws(ModelError) {
        let checked = programs.map { $0.layout.hasRules || $0.layout.modelClass != DynamicModel.self }
        let hooked = programs.map { !$0.layout.decodingHooks.isEmpty || $0.layout.modelClass != DynamicModel.self }
        try forEachObject(of: checked) { model, layout throws(ModelError) in
            guard layout.hasRules else { return try model.runModelRules() }
            let problems = model.collectProblems { [layout.properties[$0].key] }
            if !problems.isEmpty { throw ModelError(problems) }
        }
        try forEachObject(of: hooked) { model, _ throws(ModelError) in try model.runDecodingHooks() }
    }

    private func forEachObject(
        of isConcerned: [Bool], _ body: (DynamicModel, ModelLayout) throws(ModelError) -> Void
    ) throws(ModelError) {
        for number in (0..<count).reversed() where isConcerned[Int(schemas[number])] {
            do throws(ModelError) {
                try body(object(number).takeUnretainedValue(), program(of: number).layout)
            } catch { throw error.at(["objects", "\(number)"]).located() }
        }
    }
}
