import Pallium
import Testing

@testable import PalliumStore

/// A reference in a row is an object with the identity, also of a property that documents may give by the identity alone.
struct ReferenceByIdentityTests {
    private static func schemas(
        isIndexed: Bool, deleteRule: PropertySchema.DeleteRule = .keep
    ) -> [ModelSchema] {
        func reference(_ property: PropertySchema) -> PropertySchema {
            isIndexed ? property.indexed().deleteRule(deleteRule) : property
        }
        return [
            ModelSchema(
                "Customer", ["id": .string.required, "name": .string.required], identity: ["id"], allowsStubs: true),
            ModelSchema(
                "Charge",
                [
                    "id": .integer.required, "customer": reference(.model("Customer").byIdentity),
                    "payers": reference(.array(of: .model("Customer").byIdentity)),
                ], identity: ["id"]),
        ]
    }

    private func world(
        isIndexed: Bool, deleteRule: PropertySchema.DeleteRule = .keep
    ) throws -> StoreWorld {
        let world = try StoreWorld(schemas: Self.schemas(isIndexed: isIndexed, deleteRule: deleteRule))
        try world.store.import(
            #"[{"id": 1, "customer": "a", "payers": ["a", "b"]}, {"id": 2, "customer": "b", "payers": []}, {"id": 3}]"#,
            using: world.adapter("Charge"))
        try world.store.import(
            #"[{"id": "a", "name": "Ada"}, {"id": "b", "name": "Bob"}]"#, using: world.adapter("Customer"))
        return world
    }

    private func ids(_ world: StoreWorld, where condition: Condition? = nil, order: [Order]) throws -> [Int] {
        try world.store.fetch(world.query("Charge", where: condition, order: order))
            .compactMap { $0["id", as: Int.self] }
    }

    @Test func theDocumentHasAnObject() throws {
        let documents = try world(isIndexed: false).rows("SELECT _document FROM Charge ORDER BY id").map { $0[0] }
        #expect(
            documents == [
                .text(#"{"id":1,"customer":{"id":"a"},"payers":[{"id":"a"},{"id":"b"}]}"#),
                .text(#"{"id":2,"customer":{"id":"b"},"payers":[]}"#), .text(#"{"id":3}"#),
            ])
    }

    static let conditions: [(Condition, [Int])] = [
        (Key("customer.id") == "a", [1]), (Key("customer.id") != "a", [2, 3]), (Key("customer.id") == nil, [3]),
        (Key("customer.name") == "Bob", [2]), (Key("payers.id") == "b", [1]),
        (Key("payers").any(Key("name") == "Ada"), [1]), (Key("payers").all(Key("name") == "Ada"), [2, 3]),
        (Key("payers").none(Key("id") == "b"), [2, 3]), (Key("payers").count == 2, [1]),
    ]

    @Test(arguments: [false, true]) func conditionsFindTheRows(isIndexed: Bool) throws {
        let world = try world(isIndexed: isIndexed)
        for (number, (condition, expected)) in Self.conditions.enumerated() {
            #expect(
                try ids(world, where: condition, order: [.ascending("id")]) == expected, "condition \(number)")
        }
        #expect(try ids(world, order: [.ascending("customer.id")]) == [3, 1, 2])
        #expect(
            try world.store.rows(of: world.query("Charge", order: [.ascending("id")]), only: ["customer.id"])
                == [["a"], ["b"], [.null]])
    }

    @Test func linksAreMadeFromDocuments() throws {
        let world = try world(isIndexed: false)
        let (store, registry) = try world.reopened(Self.schemas(isIndexed: true))
        let charge = try registry.schema(named: "Charge")
        for (condition, links) in [
            (Key("customer.name") == "Ada", "customer"), (Key("payers").any(Key("name") == "Bob"), "payers"),
        ] {
            let query = ModelQuery(schema: charge, where: condition)
            #expect(try store.count(query) == 1)
            #expect(try store.plan(of: query).contains("_links.Charge.\(links)"))
        }
        #expect(try store.integrityCheck().isEmpty)
    }

    @Test func theReferenceToADeletedRowIsTakenOut() throws {
        let world = try world(isIndexed: true, deleteRule: .nullify)
        let changes = try world.store.delete(world.query("Customer", where: Key("id") == "a"))
        #expect(changes.description == "0 inserted, 1 updated, 1 deleted")
        let charges = try world.adapter("Charge")
        let documents = try world.store.fetch(world.query("Charge", order: [.ascending("id")]))
            .map { try charges.jsonValue(from: $0).description }
        #expect(
            documents == [
                #"{"id":1,"customer":null,"payers":["b"]}"#, #"{"id":2,"customer":"b","payers":[]}"#, #"{"id":3}"#,
            ])
        #expect(try world.store.integrityCheck().isEmpty)
    }
}
