import Foundation
import Pallium
import PalliumStore
import TestSupport
import Testing

/// *Stores*: "The models that an import makes are freed after it, also those that refer to each other in cycles; frozen views
/// are freed with the last of them." Each model holds the registry, so that is freed after them.
@Suite struct ReleasedCycleTests {
    private func registry(_ change: (inout ModelSchema) -> Void = { _ in }) throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        var person = ModelSchema(
            "Person", ["id": .integer.required, "friend": .model("Person"), "others": .array(of: .model("Person"))],
            identity: ["id"])
        change(&person)
        try registry.register(person)
        return registry
    }

    @Test(arguments: [
        #"{"id": 1, "friend": {"id": 1}}"#, #"{"id": 1, "others": [{"id": 2, "friend": {"id": 1}}]}"#,
        #"[{"id": 1, "friend": {"id": 2}}, {"id": 2, "others": [{"id": 1}, {"id": 2}]}]"#,
        #"[{"id": 1, "friend": {"id": 1}}, {"id": "x"}]"#,
    ])
    func whatAnImportMadeIsFreed(document: String) throws {
        weak var kept: SchemaRegistry?
        do {
            let registry = try registry()
            kept = registry
            let store = try ModelStore(at: nil, registry: registry)
            let adapter = try JSONAdapter(schema: registry.schema(named: "Person"), registry: registry)
            for _ in 0..<2 { _ = try? store.import(document, using: adapter) }
        }
        #expect(kept == nil)
    }

    private final class Person: DynamicModel {}

    @Test(arguments: [nil, Person.self])
    func frozenCyclesAreFreedWithTheirViews(modelClass: DynamicModel.Type?) throws {
        weak var kept: SchemaRegistry?
        do {
            let registry = try registry { $0.modelClass = modelClass ?? $0.modelClass }
            kept = registry
            let store = try ModelStore(at: nil, registry: registry)
            let adapter = try JSONAdapter(schema: registry.schema(named: "Person"), registry: registry)
            try store.import(
                #"[{"id": 1, "friend": {"id": 2}}, {"id": 2, "others": [{"id": 1}, {"id": 2}]}]"#, using: adapter)
            let schema = try registry.schema(named: "Person")
            let query = ModelQuery<DynamicModel>(
                schema: schema, where: Key("id") == 1, including: .all)
            let views = try store.frozen(query)
            #expect(views.count == 1)
            let friend = views.first?["friend", as: DynamicModel.self]
            #expect(friend?["others", as: [DynamicModel].self]?.count == 2)
        }
        #expect(kept == nil)
    }

    @Test func modelsThatARuleInSwiftMayHaveKeptStayAsTheyAre() throws {
        final class Keeper: @unchecked Sendable {
            // @unchecked: one thread imports.
            var models: [DynamicModel] = []
        }
        let keeper = Keeper()
        let registry = try registry { $0 = $0.validate { keeper.models.append($0) } }
        let store = try ModelStore(at: nil, registry: registry)
        let adapter = try JSONAdapter(schema: registry.schema(named: "Person"), registry: registry)
        try store.import(#"{"id": 1, "friend": {"id": 1}}"#, using: adapter)
        let model = try #require(keeper.models.last { $0["friend", as: DynamicModel.self] != nil })
        defer { for model in keeper.models { model["friend"] = nil } }
        #expect(model["friend", as: DynamicModel.self]?["id", as: Int.self] == 1)
    }
}
