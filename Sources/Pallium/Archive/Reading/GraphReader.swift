import PalliumCore
import PalliumJSON

/// Builds graphs of models from the bytes of an archive, without recursion: objects are made empty when they are first
/// referred to, filled in the order of their numbers, checked when all of them are filled, and only then handed out.
///
/// A record that nobody has asked for when its turn comes is skipped, and read later if somebody still asks for it. So an
/// object costs its record twice at most, and nothing else that nobody of today refers to.
///
/// Safety: `objects` and `schemas` have room for `count` entries, which are initialised; numbers from the bytes are
/// compared with `count` before they are used. Each object that was made carries one reference that the reader owns and
/// gives back in `deinit`. Slots are written directly while nobody but the reader knows their model.
@safe
struct GraphReader: ~Copyable {
    /// One for each schema of the archive, in their order; then the further ones of schemas that became several.
    let plans: [ArchiveReadingPlan]
    /// What the programs point at.
    private let accepted: AcceptedSchemas
    let count: Int
    private let objects: UnsafeMutablePointer<Unmanaged<DynamicModel>?>
    /// The number of the program of each object.
    let schemas: UnsafeMutablePointer<UInt32>
    private let records: ArchiveCursor
    let index: ArchiveCursor
    private var isComplete = false

    /// How many records were read or skipped.
    private var position = 0
    /// Records that were skipped, by number, and where they begin.
    private var skipped: [(number: Int, start: ArchiveCursor)] = []
    /// Objects that were asked for after their records had been skipped.
    private var late: [Int] = []

    /// What steps look into; nil where no schema has changed.
    let stored: StoredRecords?
    /// The models that steps made; their numbers follow those of the archive.
    var made = MadeObjects()
    /// Conditional values of objects that were upgraded, until it is known which models are there; then also those that do
    /// not fit as a whole.
    var waiting: [(number: Int, slot: Int, value: StoredValue, isDefaulted: Bool)] = []
    /// Elements that were left out of the value that is being stored.
    var skippedElements: [ModelError] = []
    /// What is wrong and survived.
    var problems: ReadingProblems

    /// How many bytes of models an archive may ask for: 512 for each of its own, which a model with 30 empty properties
    /// for each one that was stored does not reach, and 64 MB. More is a bomb.
    private static func maximumModelBytes(_ archive: Int) -> Int { 64_000_000 + archive * 512 }

    /// How many bytes of models may still be made.
    var room: Int
    private let byteCount: Int

    /// Checks everything that can be checked before the first value is decoded.
    ///
    /// - Parameters:
    ///   - source: Where the schemas of the archive find their layouts.
    ///   - problems: How problems are treated.
    init(
        _ archive: UnsafeRawBufferPointer, _ source: LayoutSource, _ problems: ReadingProblems
    ) throws(ModelError) {
        let header = try unsafe ArchiveHeader(archive)
        var cursor = unsafe ArchiveCursor(header.schemas(of: archive))
        let archived = try cursor.readSchemas()
        var table = ArchiveReadingPlans(archived, source)
        do throws(ModelError) { try unsafe header.checkBody(of: archive) } catch { throw table.versionProblem ?? error }

        var index = unsafe ArchiveCursor(header.index(of: archive))
        let count = try index.readCount()
        var schemas: [UInt32] = []
        schemas.reserveCapacity(count)
        for _ in 0..<count { schemas.append(UInt32(try index.readNumber(below: archived.count, "a schema"))) }
        let records = unsafe header.records(of: archive)
        var stored: StoredRecords?
        if table.needsRecords {
            let records = try unsafe StoredRecords(records, archived, schemas)
            try Self.readConditional(index, table.plans, schemas, into: records)
            table.choose(among: records, &schemas)
            stored = records
        }
        var room = Self.maximumModelBytes(archive.count)
        let limit = room
        for schema in schemas { room -= 64 + (table.plans[Int(schema)].layout?.properties.count ?? 0) * 17 }
        guard room >= 0 else { throw Self.bomb(limit, limit - room, archive.count) }

        // Nothing can fail any more.
        let accepted = AcceptedSchemas(table.plans.map(\.layout))
        for plan in table.plans { plan.link(accepted) }
        self.accepted = accepted
        plans = table.plans
        self.stored = stored
        self.count = count
        unsafe self.schemas = .allocate(capacity: max(count, 1))
        _ = unsafe UnsafeMutableBufferPointer(start: self.schemas, count: count).initialize(from: schemas)
        self.index = index
        self.records = unsafe ArchiveCursor(records)
        self.problems = problems
        self.room = room
        byteCount = archive.count
        made.source = source
        unsafe objects = .allocate(capacity: max(count, 1))
        unsafe objects.initialize(repeating: nil, count: count)
    }

    deinit {
        stored?.close()
        if !isComplete {
            // A graph that was not handed out may hold itself by cycles.
            for number in 0..<count { unsafe objects[number]?._withUnsafeGuaranteedRef { $0.clearSlots() } }
            for model in made.models { model.clearSlots() }
        }
        for number in 0..<count { unsafe objects[number]?.release() }
        unsafe objects.deallocate()
        unsafe schemas.deallocate()
    }

    private static func bomb(_ limit: Int, _ bytes: Int, _ archive: Int) -> ModelError {
        ModelError(
            .limitExceeded, expected: "models of at most \(limit) bytes",
            found: "\(bytes) bytes in an archive of \(archive)")
    }

    /// Takes the room for a model that a step makes.
    mutating func takeRoom(for layout: ModelLayout) throws(ModelError) {
        room -= 64 + layout.properties.count * 17
        let limit = Self.maximumModelBytes(byteCount)
        guard room >= 0 else { throw Self.bomb(limit, limit - room, byteCount) }
    }

    // MARK: Objects

    /// The object with a number, which is below `count` and that of a record that can be read; made at the first request.
    @inline(__always)
    mutating func object(_ number: Int) throws(ModelError) -> Unmanaged<DynamicModel> {
        if let object = unsafe objects[number] { return unsafe object }
        return try unsafe makeObject(number)
    }

    private mutating func makeObject(_ number: Int) throws(ModelError) -> Unmanaged<DynamicModel> {
        let plan = plan(of: number)
        guard let layout = plan.layout else { throw plan.unreadable }
        let object = unsafe Unmanaged.passRetained(layout.makeEmptyModel())
        unsafe objects[number] = object
        if number < position { late.append(number) }
        return unsafe object
    }

    /// The object with a number, of the archive or of those that steps made, if anybody has asked for it.
    func known(_ number: Int) -> DynamicModel? {
        number < count ? unsafe objects[number]?.takeUnretainedValue() : made.models[number - count]
    }

    /// How many numbers there are, those of models that steps made included.
    var total: Int { count + made.models.count }

    func plan(of number: Int) -> ArchiveReadingPlan { unsafe plans[Int(schemas[number])] }

    /// The error of a model in a value that cannot hold it.
    @inline(never)
    func wrongModel(_ number: Int, _ descriptor: ValueDescriptor) -> ModelError {
        let plan = plan(of: number)
        // A value that holds no models wants no error about a schema.
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

    /// Reads everything and hands out what could be read.
    ///
    /// - Parameter root: The layout of the roots; nil where they may be of any that is allowed.
    mutating func read(rootsOf root: ModelLayout?) throws(ModelError) -> ReadModels {
        let roots = try readGraph(rootsOf: root, hooks: true)
        let models = dropFailed(roots)
        isComplete = true
        return models
    }

    /// Reads everything to see whether it can be read; no hook runs that could tell anybody.
    mutating func tryReading() throws(ModelError) { _ = try readGraph(rootsOf: nil, hooks: false) }

    private mutating func readGraph(rootsOf layout: ModelLayout?, hooks: Bool) throws(ModelError) -> [Int] {
        let roots = try readRoots()
        for root in roots {
            if let layout, let found = plan(of: root).layout, !found.isDescendant(of: layout) {
                try problems.refuse(root: root, Self.wrongRoot(found, layout))
                continue
            }
            do throws(ModelError) { _ = try unsafe object(root) } catch { try fail(root, error.located()) }
        }
        try readRecords()
        // Cursors of their own: values are read by methods that change the reader.
        var index = index
        try readConditionalValues(&index)
        try storeWaitingValues()
        try readPreservedMembers(&index)
        try finish(hooks: hooks)
        return roots
    }

    private mutating func readRecords() throws(ModelError) {
        var cursor = records
        for number in 0..<count {
            position = number + 1
            do throws(ModelError) {
                if unsafe objects[number] == nil {
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

    /// Reads what was asked for since, and makes what steps made, until nobody asks for anything else.
    mutating func readLateRecords() throws(ModelError) {
        while true {
            if let number = late.popLast() {
                guard let place = skippedPlace(number) else { continue }
                var cursor = skipped[place].start
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

    /// Where a skipped record is noted, by halving.
    private func skippedPlace(_ number: Int) -> Int? {
        var (low, high) = (0, skipped.count)
        while low < high {
            let middle = (low + high) / 2
            if skipped[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < skipped.count && skipped[low].number == number ? low : nil
    }

    private mutating func fill(_ number: Int, _ cursor: inout ArchiveCursor) throws(ModelError) {
        let plan = plan(of: number)
        let model = try unsafe object(number)
        guard let layout = plan.layout else { throw plan.unreadable }
        if plan.upgrade == nil {
            let start = cursor
            do throws(ModelError) {
                let (slots, offset) = unsafe model._withUnsafeGuaranteedRef {
                    unsafe ($0.slots, $0.table.pointee.stateOffset)
                }
                try unsafe fill(slots, offset, plan, &cursor)
                if !plan.fallbackDefaults.isEmpty || !plan.requiredSlots.isEmpty {
                    let model = unsafe model.takeUnretainedValue()
                    giveDefaults(plan.fallbackDefaults, to: model)
                    for index in plan.requiredSlots where !model.slot(at: index).hasValue {
                        throw model.missing(layout.properties[index]).under(key: layout.properties[index].key)
                    }
                }
                return
            } catch {
                guard problems.areSurvived, error.code != .malformedArchive else { throw error }
                // Once more, value by value.
                cursor = start
                unsafe model.takeUnretainedValue().clearSlots()
            }
        }
        let values: StoredModel
        if let stored, plan.upgrade != nil {
            values = stored.read(number)
            try cursor.skipRecord(plan.schema, objects: count)
        } else {
            // Its conditional values are read with the index.
            values = try cursor.readModel(plan.schema, objects: count, in: stored)
        }
        try unsafe store(
            values, in: model.takeUnretainedValue(), number, plan.upgrade, changed: plan.changedKeys,
            defaults: plan.fallbackDefaults)
    }

    /// Takes a value away that cannot be: its property is unset then, or has its default where it is never null.
    func takeAway(_ index: Int, of model: DynamicModel) {
        let slot = model.slot(at: index)
        slot.clear()
        if !slot.description.isNullable { giveDefaults([index], to: model) }
    }

    /// Gives defaults to what the record left unset.
    func giveDefaults(_ slots: [Int], to model: DynamicModel) {
        for index in slots {
            let slot = model.slot(at: index)
            guard slot.slotState.isUnset else { continue }
            slot.copyContent(of: model.layout.defaultSlot(index))
            slot.slotState = slot.slotState.asDefaulted
        }
    }
}

extension DynamicModel {
    /// Empties all slots.
    final func clearSlots() {
        for index in unsafe 0..<table.pointee.slotCount { slot(at: index).clear() }
    }
}
