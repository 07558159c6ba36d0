import PalliumCore
import PalliumJSON

/// What follows the records, and what happens when all objects are filled.
///
/// Safety: numbers of objects are read below `count` and positions of properties below those of their program, so every
/// index into the memory of the reader is inside of it.
extension GraphReader {
    /// Values of conditional properties whose models turned out to be in the archive, and still are for another reason.
    /// Those of objects that are upgraded were read before.
    mutating func readConditionalValues(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let place = try Self.readConditionalPlace(&cursor, program: { programs[Int(unsafe schemas[$0])] }, count)
            do throws(ModelError) {
                guard place.program.upgrade == nil, unsafe place.program.entries[place.position].slot >= 0,
                    let model = known(place.number), try isReached(place.type, cursor)
                else {
                    try cursor.skip(place.type, objects: count)
                    continue
                }
                let entry = unsafe place.program.entries[place.position]
                let slot = unsafe model.slot(at: entry.slot)
                let start = cursor
                slot.clear()
                do throws(ModelError) {
                    try unsafe read(entry.table, slot.pointer, slot.state, &cursor)
                    if place.isDefaulted { slot.slotState = slot.slotState.asDefaulted }
                } catch {
                    guard problems.areSurvived, error.code != .malformedArchive else { throw error }
                    slot.clear()
                    cursor = start
                    try cursor.skip(place.type, objects: count)
                    try fail(place.number, error.at(place.path).located())
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

    func skipConditionalValues(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let place = try Self.readConditionalPlace(&cursor, program: { programs[Int(unsafe schemas[$0])] }, count)
            do throws(ModelError) { try cursor.skip(place.type, objects: count) } catch {
                throw error.at(place.path).located()
            }
        }
    }

    /// Conditional values as steps see them. The cursor is a copy: others read the values, too.
    static func readConditional(
        _ index: ArchiveCursor, _ programs: [ReadingProgram], _ schemas: [UInt32], into stored: StoredRecords
    ) throws(ModelError) {
        var cursor = index
        for _ in 0..<(try cursor.readCount()) {
            let place = try readConditionalPlace(&cursor, program: { programs[Int(schemas[$0])] }, schemas.count)
            do throws(ModelError) {
                let value = try cursor.readValue(place.type, objects: schemas.count, in: stored)
                stored.add(value, isDefaulted: place.isDefaulted, forKey: place.key, of: place.number)
            } catch { throw error.at(place.path).located() }
        }
    }

    /// Where a conditional value belongs.
    private struct ConditionalPlace {
        let number: Int
        let program: ReadingProgram
        let position: Int
        let isDefaulted: Bool

        var type: ArchivedType { program.schema.properties[position].type }
        var key: String { program.schema.properties[position].key }
        var path: [String] { ["objects", "\(number)", key] }
    }

    @inline(__always)
    private static func readConditionalPlace(
        _ cursor: inout ArchiveCursor, program: (Int) -> ReadingProgram, _ count: Int
    ) throws(ModelError) -> ConditionalPlace {
        let number = try cursor.readNumber(below: count, "an object")
        let program = program(number)
        let position = try cursor.readNumber(below: program.schema.properties.count, "a property")
        return ConditionalPlace(
            number: number, program: program, position: position, isDefaulted: try cursor.readIsDefaulted())
    }

    mutating func readPreservedMembers(_ cursor: inout ArchiveCursor) throws(ModelError) {
        for _ in 0..<(try cursor.readCount()) {
            let number = try cursor.readNumber(below: count, "an object")
            let members = try cursor.readMembers()
            known(number)?.preservedMembers = members
        }
    }

    // MARK: When everything is filled

    /// Links children to their parents, then runs the validators, rules and hooks of each model, as after decoding; what
    /// is held before what holds it, as far as numbers tell. Every model is filled by now.
    ///
    /// - Parameter runsHooks: Whether `didDecode` is told.
    mutating func finish(hooks runsHooks: Bool) throws(ModelError) {
        var holders = FailedModels(total)
        if problems.haveFailures { holders.spread(&self) }
        linkChildren()
        let hooks = programs.map { $0.layout.map { Hooks($0) } ?? .none }
        for number in (0..<total).reversed() {
            let hooks = number < count ? unsafe hooks[Int(schemas[number])] : Hooks(made.models[number - count].layout)
            if hooks == .none || problems.hasFailed(number) { continue }
            guard let model = known(number) else { continue }
            if holders.isDirty(number) { holders.clean(number, &self) }
            do throws(ModelError) { try check(model, number, runsHooks) } catch {
                try fail(number, error)
                holders.spread(number, &self)
            }
        }
        holders.cleanAll(&self)
    }

    private func linkChildren() {
        let hasChildren = programs.map { $0.layout?.hasChildren ?? false }
        if hasChildren.contains(true) {
            for number in 0..<count where unsafe hasChildren[Int(schemas[number])] && !problems.hasFailed(number) {
                known(number)?.linkChildren()
            }
        }
        for (number, model) in made.models.enumerated()
        where model.layout.hasChildren && !problems.hasFailed(count + number) {
            model.linkChildren()
        }
    }

    /// Whether anything of the program looks at models of a layout.
    private enum Hooks {
        case none, some

        init(_ layout: ModelLayout) {
            let hasOwn = layout.hasRules || !layout.decodingHooks.isEmpty
            self = hasOwn || layout.modelClass != DynamicModel.self ? .some : .none
        }
    }

    /// Checks a model and tells its hooks, as far as the options want that.
    private mutating func check(
        _ model: DynamicModel, _ number: Int, _ runsHooks: Bool
    ) throws(ModelError) {
        let validation = problems.options.validation
        if validation != .none {
            do throws(ModelError) { try checkRules(of: model) } catch {
                guard validation == .report else { throw error }
                problems.note(error.at(["objects", "\(number)"]).located())
            }
        }
        guard runsHooks else { return }
        do throws(ModelError) { try model.runDecodingHooks() } catch {
            if validation == .enforce { throw error }
            if validation == .report { problems.note(error.at(["objects", "\(number)"]).located()) }
        }
    }

    private func checkRules(of model: DynamicModel) throws(ModelError) {
        let layout = model.layout
        guard layout.hasRules else { return try model.runModelRules() }
        var found = model.collectProblems { [layout.properties[$0].key] }
        // What is missing was noted when the model was filled.
        if problems.options.validation == .report { found.removeAll { $0.code == .missingProperty } }
        if !found.isEmpty { throw ModelError(found) }
    }

    /// The roots that are left when everything else is let go.
    mutating func dropFailed(_ roots: [Int]) -> ReadModels {
        var models: [DynamicModel] = []
        models.reserveCapacity(roots.count)
        var missing: ModelError?
        for root in roots {
            if let error = problems.failed[root] {
                if missing == nil { missing = error }
            } else if let model = known(root) {
                models.append(model)
            }
        }
        if problems.haveFailures {
            // What only models hold that are left out may hold itself by cycles.
            var kept: Set<ObjectIdentifier> = Set(models.map { ObjectIdentifier($0) })
            var pending = models
            while let model = pending.popLast() {
                for index in model.layout.properties.indices {
                    FailedModels.forEachModel(in: model.slot(at: index)) { held in
                        if kept.insert(ObjectIdentifier(held)).inserted { pending.append(held) }
                    }
                }
            }
            for number in 0..<total {
                if let model = known(number), !kept.contains(ObjectIdentifier(model)) { model.clearSlots() }
            }
        }
        return ReadModels(models: models, problems: problems.all, rootCount: roots.count, missing: missing)
    }
}

extension ModelLayout {
    fileprivate var hasChildren: Bool { unsafe table.pointee.hasChildren }
}
