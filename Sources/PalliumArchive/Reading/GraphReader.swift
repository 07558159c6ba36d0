import PalliumCore
import PalliumJSON

/// Builds graphs of models from the bytes of an archive, without recursion. Objects are made empty at their first
/// reference, filled in the order of their numbers, checked when all of them are filled, and only then returned.
///
/// A record that is not referenced when its turn comes is skipped, and read later if a reference follows. So an object
/// costs its record at most twice, and objects without references cost nothing else.
///
/// The bytes of a record go straight into slots (`GraphReader+DirectRecords`). Those of an earlier version of a schema
/// become values first, which upgrade steps change (`GraphReader+UpgradedRecords`); so do those of a record with a problem
/// that is to be reported.
///
/// Numbers from the bytes are compared with `count` before they are used. Slots are written directly while only the reader
/// knows their model.
struct GraphReader: ~Copyable {
    /// One plan for each schema of the archive, in their order; then the other candidates of schemas that became
    /// several.
    let plans: [ArchiveReadingPlan]
    /// The tables that the plans point at.
    private let accepted: AcceptedSchemas
    let count: Int
    private let objects: ObjectTable
    /// The number of each object's plan.
    let schemas: FixedArray<UInt32>
    private let schemaOwner: FixedArrayOwner<UInt32>
    private let records: ArchiveCursor
    let index: ArchiveCursor
    private var isComplete = false

    /// The number of records that were read or skipped.
    private var position = 0
    /// The skipped records, by number, with their beginnings.
    private var skipped: [(number: Int, start: ArchiveCursor)] = []
    /// The objects that were requested after their records had been skipped.
    private var late: [Int] = []

    /// The records that upgrade steps read; nil if no schema has changed.
    let stored: StoredRecords?
    /// The models that steps made; their numbers follow those of the archive.
    var made = MadeObjects()
    /// The conditional values. They wait until it is known which models are read.
    var waiting: [(number: Int, slot: Int, stored: FormerModel.Entry)] = []
    /// The errors of elements that were left out of the value that is being stored.
    var skippedElements: [ModelError] = []
    /// The problems that did not end reading.
    var problems: ReadingProblems

    /// How many bytes of models an archive may cost: 64 MB and 512 for each of its own bytes. Honest archives stay
    /// below, even with 30 empty properties for each stored one.
    private static func maximumModelBytes(_ archive: Int) -> Int { 64_000_000 + archive * 512 }

    /// How many bytes of models may still be made.
    var room: Int
    private let byteCount: Int

    /// Checks everything that can be checked before the first value is decoded.
    ///
    /// - Parameters:
    ///   - source: The source of the layouts for the archive's schemas.
    ///   - problems: Records problems by the options.
    init(
        _ archive: BorrowedBytes, _ source: LayoutSource, _ problems: ReadingProblems
    ) throws(ModelError) {
        let header = try ArchiveHeader(archive)
        var cursor = ArchiveCursor(header.schemas(of: archive))
        let archived = try cursor.readSchemas()
        var table = ArchiveReadingPlans(archived, source)
        do throws(ModelError) { try header.checkBody(of: archive) } catch { throw table.versionProblem ?? error }

        var index = ArchiveCursor(header.index(of: archive))
        let count = try index.readCount()
        var schemas: [UInt32] = []
        schemas.reserveCapacity(count)
        for _ in 0..<count { schemas.append(UInt32(try index.readNumber(below: archived.count, "a schema"))) }
        let records = header.records(of: archive)
        var stored: StoredRecords?
        if table.needsRecords {
            let records = try StoredRecords(records, archived, schemas)
            // They are read again with the rest of the index.
            var conditional = index
            for entry in try conditional.readConditionalValues(
                objects: count, in: records, { archived[Int(schemas[$0])] })
            {
                records.add(entry)
            }
            table.choose(among: records, &schemas)
            stored = records
        }
        var room = Self.maximumModelBytes(archive.count)
        let limit = room
        for schema in schemas { room -= 64 + (table.plans[Int(schema)].layout?.properties.count ?? 0) * 17 }
        guard room >= 0 else { throw Self.bomb(limit, limit - room, archive.count) }

        // Nothing can fail from here on.
        let accepted = AcceptedSchemas(table.plans.map(\.layout))
        for plan in table.plans { plan.link(accepted) }
        self.accepted = accepted
        plans = table.plans
        self.stored = stored
        self.count = count
        schemaOwner = FixedArrayOwner(schemas)
        self.schemas = schemaOwner.elements
        self.index = index
        self.records = ArchiveCursor(records)
        self.problems = problems
        self.room = room
        byteCount = archive.count
        made.source = source
        objects = ObjectTable(count: count)
    }

    deinit {
        stored?.close()
        if !isComplete {
            // A graph that was not returned may contain cycles of strong references. Each leads through an object of
            // the archive, because steps make models of values that exist already.
            for number in 0..<count { objects[number]?.with { $0.clearSlots() } }
        }
    }

    private static func bomb(_ limit: Int, _ bytes: Int, _ archive: Int) -> ModelError {
        ModelError(
            .limitExceeded, expected: "models of at most \(limit.counted("byte"))",
            found: "\(bytes.counted("byte")) in an archive of \(archive)")
    }

    /// Subtracts the size of a model that a step makes from the room.
    mutating func takeRoom(for layout: ModelLayout) throws(ModelError) {
        room -= 64 + layout.properties.count * 17
        let limit = Self.maximumModelBytes(byteCount)
        guard room >= 0 else { throw Self.bomb(limit, limit - room, byteCount) }
    }

    // MARK: Objects

    /// Returns the object with a number and makes it at the first request. The number is below `count` and its record
    /// can be read.
    @inline(__always)
    mutating func object(_ number: Int) throws(ModelError) -> Unowned<DynamicModel> {
        if let object = objects[number] { return object }
        return try makeObject(number)
    }

    private mutating func makeObject(_ number: Int) throws(ModelError) -> Unowned<DynamicModel> {
        let plan = plan(of: number)
        guard let layout = plan.layout else { throw plan.unreadable }
        let object = objects.enter(layout.makeEmptyModel(), at: number)
        if number < position { late.append(number) }
        return object
    }

    /// Returns the object with a number, of the archive or made by steps; nil if it was never requested.
    func requestedObject(_ number: Int) -> DynamicModel? {
        number < count ? objects[number]?.object : made.models[number - count]
    }

    /// The count of all numbers, those of models that steps made included.
    var total: Int { count + made.models.count }

    func plan(of number: Int) -> ArchiveReadingPlan { plans[Int(schemas[number])] }

    /// Makes the error for a model in a value that cannot hold it.
    @inline(never)
    func wrongModel(_ number: Int, _ descriptor: ValueDescriptor) -> ModelError {
        let plan = plan(of: number)
        // A value that holds no models needs no error about a schema.
        if descriptor.model != nil, plan.layout == nil { return plan.unreadable }
        return Self.wrongModel(plan.layout, descriptor)
    }

    static func wrongModel(_ layout: ModelLayout?, _ descriptor: ValueDescriptor) -> ModelError {
        ModelError(
            .typeMismatch, descriptor, expected: descriptor.expectation,
            found: layout.map { "a model of \($0.schema.name)" } ?? "a stored model")
    }

    private static func wrongRoot(_ layout: ModelLayout, _ expected: ModelLayout) -> ModelError {
        ModelError(
            .typeMismatch, expected: "a model of \(expected.schema.name)", found: "a model of \(layout.schema.name)",
            schema: layout.schema.name
        ).located()
    }

    // MARK: The graph

    /// Reads the archive and returns the roots that could be read.
    ///
    /// - Parameter root: The layout of the roots; nil for any allowed layout.
    mutating func read(rootsOf root: ModelLayout?) throws(ModelError) -> ReadModels {
        let roots = try readGraph(rootsOf: root, hooks: true)
        let models = dropFailed(roots)
        isComplete = true
        return models
    }

    /// Reads the archive only to see whether that is possible, without hooks.
    mutating func tryReading() throws(ModelError) { _ = try readGraph(rootsOf: nil, hooks: false) }

    private mutating func readGraph(rootsOf layout: ModelLayout?, hooks: Bool) throws(ModelError) -> [Int] {
        var (members, roots) = try readIndex()
        for root in roots {
            if let layout, let found = plan(of: root).layout, !found.isDescendant(of: layout) {
                try problems.refuse(root: root, Self.wrongRoot(found, layout))
                continue
            }
            do throws(ModelError) { _ = try object(root) } catch { try fail(root, error.located()) }
        }
        try readRecords()
        try storeWaitingValues()
        try readPreservedMembers(&members)
        try finish(hooks: hooks)
        return roots
    }

    private mutating func readRecords() throws(ModelError) {
        var cursor = records
        for number in 0..<count {
            position = number + 1
            do throws(ModelError) {
                if objects[number] == nil {
                    skipped.append((number, cursor))
                    try cursor.skipRecord(plan(of: number).schema, objects: count)
                } else {
                    try fill(number, &cursor)
                }
            } catch { throw error.isLocated ? error : error.at(["objects", "\(number)"]).located() }
        }
        try cursor.expectEnd()
        try readLateRecords()
    }

    /// Reads records that were requested after they had been skipped, and fills models that steps made, until no more
    /// are requested.
    mutating func readLateRecords() throws(ModelError) {
        while true {
            if let number = late.popLast() {
                guard let index = skippedIndex(number) else { continue }
                var cursor = skipped[index].start
                do throws(ModelError) { try fill(number, &cursor) } catch {
                    throw error.isLocated ? error : error.at(["objects", "\(number)"]).located()
                }
            } else if let next = made.takeNext() {
                try fillMade(next)
            } else {
                return
            }
        }
    }

    /// Returns the index of a skipped record, by binary search.
    private func skippedIndex(_ number: Int) -> Int? {
        var (low, high) = (0, skipped.count)
        while low < high {
            let middle = (low + high) / 2
            if skipped[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < skipped.count && skipped[low].number == number ? low : nil
    }

    private mutating func fill(_ number: Int, _ cursor: inout ArchiveCursor) throws(ModelError) {
        let plan = plan(of: number)
        let model = try object(number)
        guard let layout = plan.layout else { throw plan.unreadable }
        if plan.upgrade == nil {
            let start = cursor
            do throws(ModelError) {
                try fill(model.with { $0.modelSlots }, plan, &cursor)
                if !plan.fallbackDefaults.isEmpty || !plan.requiredSlots.isEmpty {
                    let model = model.object
                    giveDefaults(plan.fallbackDefaults, to: model)
                    for index in plan.requiredSlots where model.slot(at: index).isMissing && !model.isAllowedStub {
                        throw model.missing(layout.properties[index]).under(key: layout.properties[index].key)
                    }
                }
                return
            } catch {
                guard problems.areSurvived, error.code != .malformedArchive else { throw error }
                // After a problem the record is read again, value by value.
                cursor = start
                model.object.clearSlots()
            }
        }
        let values: FormerModel
        if let stored, plan.upgrade != nil {
            values = stored.read(number)
            try cursor.skipRecord(plan.schema, objects: count)
        } else {
            // Its conditional values are read with the index.
            values = try cursor.readModel(plan.schema, objects: count, in: stored)
        }
        try store(
            values, in: model.object, number, plan.upgrade, changed: plan.changedKeys,
            defaults: plan.fallbackDefaults)
    }

    /// Removes an invalid value: its property becomes unset, or gets its default if it is not nullable.
    func removeValue(_ index: Int, of model: DynamicModel) {
        let slot = model.slot(at: index)
        slot.clear()
        if !slot.description.isNullable { giveDefaults([index], to: model) }
    }

    /// Sets the defaults of slots that the record left unset.
    func giveDefaults(_ slots: [Int], to model: DynamicModel) {
        for index in slots {
            let slot = model.slot(at: index)
            let standard = model.layout.defaultSlot(index)
            if slot.slotState.isUnset, standard.hasValue { slot.takeDefault(standard) }
        }
    }
}

extension DynamicModel {
    /// Clears all slots, which releases everything that the model holds.
    final func clearSlots() {
        for index in slotIndices { slot(at: index).clear() }
    }
}
