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
}
