import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// A page of a server is imported again after the models that it refers to have changed.
struct ImportAgainTests {
    private static let schemas = [
        ModelSchema("User", ["id": .integer.required, "login": .string.required], identity: ["id"]),
        ModelSchema("Team", ["name": .string.required, "lead": .model("User")], identity: ["name"]),
        ModelSchema("Part", ["owner": .model("User"), "size": .integer]),
        ModelSchema(
            "Issue",
            [
                "number": .integer.required, "assignee": .model("User"), "reviewer": .model("User").merge(.recurse),
                "watchers": .array(of: .model("User")), "byRole": .dictionary(of: .model("User")),
                "part": .model("Part"), "team": .model("Team"), "next": .model("Issue"),
            ], identity: ["number"]),
    ]

    private static func page(_ login: String) -> [String] {
        let user = #"{"id":7,"login":"\#(login)"}"#
        return [
            #"[{"number":1,"assignee":\#(user)}]"#, #"[{"number":1,"reviewer":\#(user)}]"#,
            #"[{"number":1,"watchers":[\#(user),{"id":8,"login":"x"}]}]"#, #"[{"number":1,"byRole":{"qa":\#(user)}}]"#,
            #"[{"number":1,"part":{"owner":\#(user),"size":1}}]"#,
            #"[{"number":1,"team":{"name":"t","lead":\#(user)}}]"#,
            #"[{"number":1,"assignee":\#(user)},{"number":2,"assignee":\#(user)}]"#,
            #"[{"number":1,"next":{"number":2,"next":{"number":1},"assignee":\#(user)},"assignee":\#(user)}]"#,
            #"[{"number":1,"team":{"name":"t"},"assignee":\#(user)},{"number":2,"team":{"name":"t","lead":\#(user)}}]"#,
        ]
    }

    private func world() throws -> (store: ModelStore, adapter: JSONAdapter<DynamicModel>, registry: SchemaRegistry) {
        let registry = SchemaRegistry()
        try registry.register(Self.schemas)
        let store = try ModelStore(at: nil, registry: registry)
        return (store, try JSONAdapter(schema: Self.schemas[3], registry: registry), registry)
    }

    @Test(arguments: 0..<9) func aReferredRowMayHaveChanged(number: Int) throws {
        let (store, adapter, registry) = try world()
        let map = IdentityMap()
        var held: [DynamicModel] = []
        for login in ["ada", "grace", "grace", "ada"] {
            let page = Self.page(login)[number]
            try store.import(page, using: adapter)
            held += try Array(map.import(page, using: adapter))
            let users = try store.fetch(ModelQuery(schema: Self.schemas[0], where: Key("id") == 7))
            #expect(users.map { $0["login", as: String.self] } == [login])
            let issues = try store.fetch(ModelQuery(schema: Self.schemas[3], including: .all))
            for issue in issues {
                let other = held.last { $0["number", as: Int.self] == issue["number", as: Int.self] }
                if let other { #expect(issue == other) }
            }
        }
        _ = registry
    }

    private func store(_ properties: KeyValuePairs<String, PropertySchema>) throws -> (
        store: ModelStore, adapter: JSONAdapter<DynamicModel>, users: ModelQuery<DynamicModel>
    ) {
        let registry = SchemaRegistry()
        let user = ModelSchema("User", ["id": .integer.required, "n": .integer], identity: ["id"])
        let row = ModelSchema("Row", properties, identity: ["id"])
        try registry.register(user, row)
        return (
            try ModelStore(at: nil, registry: registry), try JSONAdapter(schema: row, registry: registry),
            ModelQuery(schema: user, order: [.ascending("id")])
        )
    }

    @Test(arguments: [MergePolicy.union, .append]) func aListHasAReferenceOnceWhateverItsRowHolds(_ policy: MergePolicy)
        throws
    {
        let (store, adapter, _) = try store([
            "id": .integer.required, "us": .array(of: .model("User")).merge(policy),
        ])
        for n in 1...4 { try store.import(#"{"id":1,"us":[{"id":7,"n":\#(n)}]}"#, using: adapter) }
        let row = try store.fetch(ModelQuery(schema: adapter.schema, including: .all))[0]
        let numbers = row["us", as: [DynamicModel].self]?.map { $0["n", as: Int.self] }
        #expect(numbers == Array(repeating: 4, count: policy == .union ? 1 : 4))
    }

    @Test func aNewModelThatAPolicyLeavesOutBecomesARow() throws {
        let (store, adapter, users) = try store(["id": .integer.required, "u": .model("User").merge(.keep)])
        try store.import(#"{"id":1,"u":{"id":7,"n":1}}"#, using: adapter)
        #expect(try store.import(#"{"id":1,"u":{"id":8,"n":2}}"#, using: adapter) == StoreChanges(inserted: 1))
        #expect(try store.fetch(users).map { $0["n", as: Int.self] } == [1, 2])
        // One that the document names again, with something else behind it, is left out as well.
        try store.import(#"[{"id":2,"u":{"id":9,"n":3}},{"id":2,"u":{"id":10,"n":4}}]"#, using: adapter)
        #expect(try store.fetch(users).map { $0["n", as: Int.self] } == [1, 2, 3, 4])
        // A stub is no row.
        #expect(try store.import(#"{"id":1,"u":{"id":11}}"#, using: adapter).isEmpty)
    }

    @Test(arguments: [#"{"id":1,"lvl":null}"#, #"[{"id":1,"lvl":null}]"#, #"{"id":1,"lvl":null,"up":{"id":1}}"#])
    func nullClearsTheOnlyPropertyOfARow(document: String) throws {
        let (store, adapter, _) = try store([
            "id": .integer.required, "lvl": .integer.default(3), "up": .model("Row").weak,
        ])
        try store.import(#"{"id":1,"lvl":5}"#, using: adapter)
        #expect(try store.import(document, using: adapter) == StoreChanges(updated: 1))
        #expect(try store.fetch(ModelQuery(schema: adapter.schema))[0]["lvl"] as? Int == 3)
        #expect(try store.import(document, using: adapter).isEmpty)
    }

    @Test func aSessionSeesTheChange() throws {
        let (store, adapter, _) = try world()
        try store.import(Self.page("ada")[8], using: adapter)
        let session = ModelSession(store)
        let issues = try session.fetch(ModelQuery(schema: Self.schemas[3], including: .all))
        try store.import(Self.page("grace")[8], using: adapter)
        let changes = try session.refresh()
        #expect(changes.updated.map(\.model.schema.name) == ["User"])
        #expect(issues[0]["assignee", as: DynamicModel.self]?["login", as: String.self] == "grace")
        try store.import(Self.page("linus")[8], using: adapter)
        try session.refresh()
        #expect(issues[0]["assignee", as: DynamicModel.self]?["login", as: String.self] == "linus")
        #expect(
            issues[0]["assignee", as: DynamicModel.self]
                === issues[1]["team", as: DynamicModel.self]?["lead", as: DynamicModel.self])
    }

    /// Null and unset stay apart in models without an identity, too.
    @Test(
        arguments: [
            (#"{"x":1}"#, #"{"x":null}"#), (#"{"x":null}"#, #"{"x":1}"#), ("{}", #"{"x":null}"#),
            (#"{"x":null}"#, "{}"), (#"{"p":{"x":null}}"#, #"{"p":{}}"#), (#"{"p":{}}"#, #"{"p":{"x":null}}"#),
        ], [("n", "", ""), ("ns", "[", "]"), ("named", #"{"a":"#, "}")])
    func aNestedModelThatDiffersByNullIsTaken(_ versions: (String, String), _ holder: (String, String, String)) throws {
        let world = try StoreWorld(schemas: [
            ModelSchema("Part", ["x": .integer, "p": .model("Part")]),
            ModelSchema(
                "Row",
                [
                    "id": .integer.required, "n": .model("Part"), "ns": .array(of: .model("Part")),
                    "named": .dictionary(of: .model("Part")),
                ], identity: ["id"]),
        ])
        let adapter = try world.adapter("Row")
        let (before, after) = (
            #"{"id":1,"\#(holder.0)":\#(holder.1)\#(versions.0)\#(holder.2)}"#,
            #"{"id":1,"\#(holder.0)":\#(holder.1)\#(versions.1)\#(holder.2)}"#
        )
        try world.store.import(before, using: adapter)
        #expect(try world.store.import(after, using: adapter) == StoreChanges(updated: 1))
        let row = try #require(try world.store.first(world.schema("Row"), identity: 1))
        #expect(try adapter.jsonValue(from: row).description == after)
        #expect(try world.store.import(after, using: adapter).isEmpty)

        let map = IdentityMap()
        let instance = try map.import(before, using: adapter)[0]
        try map.import(after, using: adapter)
        #expect(try adapter.jsonValue(from: instance).description == after)
    }
}
