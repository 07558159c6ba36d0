import Foundation
import Pallium
import TestSupport

@testable import PalliumStore

/// A world of issues: rows that refer to rows, and models that stand in their holders.
struct StoreWorld {
    let registry = SchemaRegistry()
    let store: ModelStore
    let folder: TemporaryFolder

    static let schemas = [
        // A reference must be complete, so users are always fetched.
        ModelSchema("User", ["id": .integer.required, "login": .string.required.indexed(.unique)], identity: ["id"]),
        // A reference may be a stub.
        ModelSchema(
            "Milestone", ["title": .string.required, "due": .date, "creator": .model("User")], identity: ["title"]),
        ModelSchema(
            "Issue",
            [
                "number": .integer.required, "title": .string.indexed(),
                "state": .enumeration("open", "closed").indexed(),
                "score": .double.json("meta.score"), "createdAt": .date.json("created_at").indexed(),
                "labels": .array(of: .string), "votes": .integer.merge(.max).default(0), "url": .url,
                "author": .model("Person"), "assignee": .model("User"), "milestone": .model("Milestone"),
                "related": .array(of: .model("Issue")), "token": .string.archive(.excluded), "notes": .string.local,
            ],
            identity: ["number"]),
        ModelSchema("Bug", ["severity": .integer], extends: "Issue"),
        ModelSchema("Person", ["name": .string, "team": .model("Milestone")]),
        ModelSchema("Employee", ["salary": .decimal], extends: "Person"),
        ModelSchema(
            "Vote", ["issue": .integer.required, "user": .string.required, "value": .integer],
            identity: ["issue", "user"]),
        ModelSchema("Loose", ["name": .string]),
    ]

    init(
        file: String? = "a.store", schemas: [ModelSchema] = StoreWorld.schemas,
        prepare: (SchemaRegistry) throws -> Void = { _ in }
    ) throws {
        folder = try TemporaryFolder()
        try prepare(registry)
        try registry.register(schemas)
        store = try ModelStore(
            at: file.map { [folder] in folder.url.appendingPathComponent($0) }, registry: registry,
            options: .patient)
    }

    var url: URL { folder.url.appendingPathComponent("a.store") }

    /// Opens the file once more, as another program would.
    func reopened(
        _ schemas: [ModelSchema] = StoreWorld.schemas, options: ModelStoreOptions = .patient
    ) throws -> (store: ModelStore, registry: SchemaRegistry) {
        let registry = SchemaRegistry()
        try registry.register(schemas)
        return (try ModelStore(at: url, registry: registry, options: options), registry)
    }

    func schema(_ name: String) throws -> ModelSchema { try registry.schema(named: name) }

    func adapter(_ name: String) throws -> JSONAdapter<DynamicModel> {
        try JSONAdapter(
            schema: schema(name), registry: registry,
            options: {
                var o = JSONAdapterOptions(); o.unknownMembers = .keep; return o
            }())
    }

    func model(_ name: String, _ document: JSONValue) throws -> DynamicModel { try adapter(name).model(from: document) }

    /// A model of a schema from values by key.
    func make(_ name: String, _ values: [String: any PropertyValue]) throws -> DynamicModel {
        let model = DynamicModel(schema: try schema(name), registry: registry)
        for (key, value) in values { try model.setValue(value, forKey: key) }
        return model
    }

    /// The user 1, whose name is ada.
    func makeAda() throws -> DynamicModel { try make("User", ["id": 1, "login": "ada"]) }

    func query(
        _ name: String, where condition: Condition? = nil, order: [Order] = [], limit: Int? = nil, offset: Int = 0,
        including links: ModelQuery<DynamicModel>.Links = .stubs
    ) throws -> ModelQuery<DynamicModel> {
        ModelQuery(
            schema: try schema(name), where: condition, order: order, limit: limit, offset: offset, including: links)
    }

    func fetch(_ name: String, where condition: Condition? = nil) throws -> [DynamicModel] {
        try store.fetch(query(name, where: condition))
    }

    /// The rows of a table as another program sees them.
    func rows(_ sql: String, _ url: URL? = nil) throws -> [[SQLiteValue]] {
        let connection = try SQLiteConnection((url ?? self.url).path, .reading, busyTimeout: .zero)
        var rows: [[SQLiteValue]] = []
        try connection.forEachRow(sql) { row throws(ModelError) in rows.append((0..<8).map { row.value($0) }) }
        return rows
    }

    /// Changes the file as another program could.
    func change(_ sql: String) throws {
        try SQLiteConnection(url.path, .writing, busyTimeout: Patience.duration).execute(sql)
    }
}

extension ModelStoreOptions {
    /// Those of a store that waits for others, however slow the machine is.
    static var patient: Self {
        var options = Self()
        options.busyTimeout = Patience.duration
        return options
    }
}
