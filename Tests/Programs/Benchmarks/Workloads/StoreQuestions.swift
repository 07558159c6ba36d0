import Foundation
import Pallium
import PalliumStore

/// What a store is asked for besides models: text without case, groups, pages and lists.
func storeQuestionWorkloads(_ context: BenchmarkContext) -> [Workload] {
    let configuration = StoreDocuments(context).configuration
    return [
        Workload(
            name: "store, text without case by index, against a scan", unit: .nanoseconds(per: "query"),
            goal: .atLeast(20)
        ) {
            let (indexed, plain) = try (
                StoredNotes(context.issueCount, isIndexed: true), StoredNotes(context.issueCount, isIndexed: false)
            )
            return .timed(
                ours: .operation(units: 1) { try indexed.countOfOneTitle() },
                baseline: .operation(units: 1) { try plain.countOfOneTitle() },
                configuration: configuration
            ) { try indexed.countOfOneTitle() == 1 && plain.countOfOneTitle() == 1 }
        },
        Workload(
            name: "store, count by group, against models", unit: .nanoseconds(per: "note"), goal: .atLeast(3)
        ) {
            let notes = try StoredNotes(context.issueCount, isIndexed: true)
            return .timed(
                ours: .operation(units: context.issueCount) { try notes.countsByStore() },
                baseline: .operation(units: context.issueCount) { try notes.countsOfModels() },
                configuration: configuration
            ) { try notes.countsByStore() == notes.countsOfModels() }
        },
        Workload(
            name: "store, a page behind a model, against an offset", unit: .nanoseconds(per: "page"), goal: .atLeast(2)
        ) {
            let notes = try StoredNotes(context.issueCount, isIndexed: true)
            let last = try notes.page(offset: context.issueCount * 9 / 10)[0]
            return .timed(
                ours: .operation(units: 1) { try notes.page(after: last) },
                baseline: .operation(units: 1) { try notes.page(offset: context.issueCount * 9 / 10 + 1) },
                configuration: configuration
            ) { try notes.page(after: last) == notes.page(offset: context.issueCount * 9 / 10 + 1) }
        },
        Workload(
            name: "store, a list after a commit, against a fetch", unit: .nanoseconds(per: "note"), goal: .atMost(2)
        ) {
            let notes = try StoredNotes(context.issueCount, isIndexed: true)
            let list = try ModelSession(notes.store).list(notes.query())
            return .timed(
                ours: .operation(units: context.issueCount, on: { try notes.moveFirstNote() }) { try list.update() },
                baseline: .operation(units: context.issueCount, on: { try notes.moveFirstNote() }) {
                    try notes.store.fetch(notes.query())
                },
                configuration: configuration
            ) {
                try notes.moveFirstNote()
                let moved = try list.update()
                return try moved.insertions.count == 1 && list.models == notes.store.fetch(notes.query())
            }
        },
    ]
}

/// Notes with titles, states and ranks in a file.
private final class StoredNotes {
    let store: ModelStore
    private let file = TemporaryFile()
    private let schema: ModelSchema
    private let registry = SchemaRegistry()
    private let count: Int
    private var firstRank = 0

    init(_ count: Int, isIndexed: Bool) throws {
        self.count = count
        schema = ModelSchema(
            "Note",
            [
                "id": .integer.required, "title": isIndexed ? .string.indexed(.caseInsensitive) : .string,
                "state": .string, "rank": .integer.indexed(),
            ], identity: ["id"])
        try registry.register(schema)
        store = try ModelStore(at: file.url, registry: registry)
        try store.save((0..<count).map(note))
    }

    private func note(_ id: Int) throws -> DynamicModel {
        try DynamicModel(
            schema: schema,
            values: [
                "id": id, "title": id.isMultiple(of: 2) ? "Crash \(id)" : "CRASH \(id)", "state": "state \(id % 5)",
                "rank": id == 0 ? firstRank : id,
            ], registry: registry)
    }

    func query() -> ModelQuery<DynamicModel> { ModelQuery(schema: schema, order: [.ascending("rank")]) }

    func countOfOneTitle() throws -> Int {
        try store.count(ModelQuery(schema: schema, where: Key("title").caseInsensitive == "crash \(count / 2)"))
    }

    func countsByStore() throws -> [String: Int] {
        try store.rows(of: ModelQuery(schema: schema), only: ["state", .count]).reduce(into: [:]) { counts, row in
            counts[row[0].stringValue ?? ""] = row[1].intValue
        }
    }

    func countsOfModels() throws -> [String: Int] {
        try store.fetch(ModelQuery(schema: schema)).reduce(into: [:]) { counts, note in
            counts[note["state", as: String.self] ?? "", default: 0] += 1
        }
    }

    func page(after last: DynamicModel? = nil, offset: Int = 0) throws -> [DynamicModel] {
        try store.fetch(
            ModelQuery(schema: schema, order: [.ascending("rank")], limit: 20, offset: offset, after: last))
    }

    /// Commits another place of one note in the order.
    func moveFirstNote() throws {
        firstRank = firstRank == 0 ? count + 1 : 0
        try store.save(note(0))
    }
}
