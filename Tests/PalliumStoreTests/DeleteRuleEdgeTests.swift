import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Rules for deleted rows at their edges: the sections *Delete rules* and *What is deleted* of the article *Stores*.
struct DeleteRuleEdgeTests {
    private static func schemas(_ rule: PropertySchema.DeleteRule?) -> [ModelSchema] {
        func ruled(_ property: PropertySchema) -> PropertySchema {
            rule.map { property.indexed().deleteRule($0) } ?? property.indexed()
        }
        return [
            ModelSchema(
                "User", ["id": .integer.required, "boss": ruled(.model("User")), "name": .string], identity: ["id"]),
            ModelSchema(
                "Issue",
                [
                    "id": .integer.required, "title": .string, "user": ruled(.model("User")),
                    "users": ruled(.array(of: .model("User"))), "watchers": ruled(.set(of: .model("User"))),
                    "roles": ruled(.dictionary(of: .model("User"))),
                ], identity: ["id"]),
            ModelSchema("Bug", ["cause": ruled(.model("Issue"))], extends: "Issue"),
        ]
    }

    private static func world(_ rule: PropertySchema.DeleteRule?) throws -> StoreWorld {
        let world = try StoreWorld(schemas: schemas(rule))
        try world.store.import(
            #"[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob"}, {"id": 3, "boss": {"id": 1}}]"#,
            using: world.adapter("User"))
        return world
    }

    private static func delete(_ world: StoreWorld, _ name: String, _ condition: Condition) throws -> String {
        try world.store.delete(ModelQuery(schema: world.schema(name), where: condition)).description
    }

    private static func json(_ world: StoreWorld, _ name: String, _ id: Int) throws -> JSONValue? {
        guard let model = try world.store.first(world.schema(name), identity: id) else { return nil }
        return try world.adapter(model.schema.name).jsonValue(from: model)
    }

    // MARK: Each rule in each property

    struct Case: Sendable, CustomTestStringConvertible {
        let document: String
        let nullified: JSONValue
        var testDescription: String { document }
    }

    static let references = [
        Case(document: #"{"id": 1, "user": {"id": 2}}"#, nullified: ["id": 1, "user": .null]),
        Case(
            document: #"{"id": 1, "users": [{"id": 2}, {"id": 1}, {"id": 2}]}"#,
            nullified: ["id": 1, "users": [["id": 1]]]),
        Case(document: #"{"id": 1, "users": [{"id": 2}]}"#, nullified: ["id": 1, "users": []]),
        Case(
            document: #"{"id": 1, "watchers": [{"id": 1}, {"id": 2}]}"#, nullified: ["id": 1, "watchers": [["id": 1]]]),
        Case(
            document: #"{"id": 1, "roles": {"a": {"id": 2}, "b": {"id": 1}}}"#,
            nullified: ["id": 1, "roles": ["b": ["id": 1]]]),
        Case(
            document: #"{"id": 1, "title": "t", "user": {"id": 2}, "users": [{"id": 2}]}"#,
            nullified: ["id": 1, "title": "t", "user": .null, "users": []]),
    ]

    @Test(arguments: references)
    func aDeletedRowIsTakenOutOfReferences(_ example: Case) throws {
        let world = try Self.world(.nullify)
        try world.store.import(example.document, using: world.adapter("Issue"))
        #expect(try Self.delete(world, "User", Key("id") == 2) == "0 inserted, 1 updated, 1 deleted")
        #expect(try Self.json(world, "Issue", 1) == example.nullified)
        #expect(try world.store.integrityCheck().isEmpty)
    }

    @Test(arguments: references)
    func aReferenceDeniesTheDeletion(_ example: Case) throws {
        let world = try Self.world(.deny)
        try world.store.import(example.document, using: world.adapter("Issue"))
        let before = try Self.json(world, "Issue", 1)
        let error = #expect(throws: ModelError.self) { try Self.delete(world, "User", Key("id") == 2) }
        #expect(error?.code == .conflict)
        #expect(try Self.json(world, "Issue", 1) == before)
        #expect(try Self.json(world, "User", 2) != nil)
        // Once the row that refers is gone, nothing denies it.
        #expect(try Self.delete(world, "Issue", Key("id") == 1) == "0 inserted, 0 updated, 1 deleted")
        #expect(try Self.delete(world, "User", Key("id") == 2) == "0 inserted, 0 updated, 1 deleted")
    }

    @Test(arguments: references)
    func aReferenceDeletesItsRow(_ example: Case) throws {
        let world = try Self.world(.cascade)
        try world.store.import(example.document, using: world.adapter("Issue"))
        #expect(try Self.delete(world, "User", Key("id") == 2) == "0 inserted, 0 updated, 2 deleted")
        #expect(try Self.json(world, "Issue", 1) == nil)
    }

    @Test(arguments: references, [PropertySchema.DeleteRule.keep, nil])
    func aReferenceIsKeptUnlessARuleSaysOtherwise(_ example: Case, rule: PropertySchema.DeleteRule?) throws {
        let world = try Self.world(rule)
        try world.store.import(example.document, using: world.adapter("Issue"))
        let before = try Self.json(world, "Issue", 1)
        #expect(try Self.delete(world, "User", Key("id") == 2) == "0 inserted, 0 updated, 1 deleted")
        #expect(try Self.json(world, "Issue", 1) == before)
    }

    // MARK: Chains and cycles

    @Test func cascadesEndInCyclesAndPassDescendants() throws {
        let world = try Self.world(.cascade)
        try world.store.import(
            #"[{"id": 1, "boss": {"id": 3}}, {"id": 2, "boss": {"id": 2}}]"#, using: world.adapter("User"))
        let bugs = try world.adapter("Bug")
        try world.store.import(#"[{"id": 1, "user": {"id": 3}}, {"id": 2, "cause": {"id": 1}}]"#, using: bugs)
        #expect(try Self.delete(world, "User", Key("id") == 2) == "0 inserted, 0 updated, 1 deleted")
        #expect(try Self.delete(world, "User", Key("id") == 1) == "0 inserted, 0 updated, 4 deleted")
        #expect(try world.store.count(world.query("User")) == 0 && world.store.count(world.query("Issue")) == 0)
        #expect(try world.store.integrityCheck().isEmpty)
    }

    @Test func aLongChainIsDeleted() throws {
        let world = try Self.world(.cascade)
        let chain = (10...2000).map { "{\"id\": \($0), \"boss\": {\"id\": \($0 - 1)}}" }.joined(separator: ",")
        try world.store.import("[{\"id\": 9}, \(chain)]", using: world.adapter("User"))
        #expect(try Self.delete(world, "User", Key("id") == 9) == "0 inserted, 0 updated, 1992 deleted")
        #expect(try world.store.count(world.query("User")) == 3)
    }

    /// A row that the call deletes in the end denies nothing.
    @Test func rowsOfOneCallDenyEachOtherNothing() throws {
        let world = try Self.world(.deny)
        #expect(throws: ModelError.self) { try Self.delete(world, "User", Key("id") == 1) }
        #expect(try Self.delete(world, "User", Key("id") != 2) == "0 inserted, 0 updated, 2 deleted")
        try world.store.import(#"[{"id": 4, "boss": {"id": 4}}]"#, using: world.adapter("User"))
        #expect(try Self.delete(world, "User", Key("id") == 4) == "0 inserted, 0 updated, 1 deleted")
    }

    // MARK: Sessions and transactions

    @Test func anObjectMayFirstLeadToAnotherRow() throws {
        let world = try Self.world(.deny)
        let session = ModelSession(world.store)
        let users = try session.fetch(world.query("User", order: [.ascending("id")], including: .all))
        users[2]["boss"] = users[1]
        try session.delete(users[0])
        let rows = try session.save().rows
        #expect(rows.description == "0 inserted, 1 updated, 1 deleted")
        try session.delete(users[1])
        #expect(throws: ModelError.self) { try session.save() }
        #expect(try world.store.count(world.query("User")) == 2)
        users[2]["boss"] = nil
        #expect(try session.save().rows.description == "0 inserted, 1 updated, 1 deleted")
    }

    @Test func aSessionHearsOfTheRowsThatARuleDeletes() throws {
        let world = try Self.world(.cascade)
        let session = ModelSession(world.store)
        let users = try session.fetch(world.query("User", order: [.ascending("id")]))
        try session.delete(users[0])
        let changes = try session.save()
        #expect(changes.rows.description == "0 inserted, 0 updated, 2 deleted")
        #expect(changes.deleted.contains { $0 === users[2] } && !changes.deleted.contains { $0 === users[1] })
    }

    @Test func aDeniedCallInATransactionChangesNothing() throws {
        let world = try Self.world(.deny)
        try world.store.transaction { store in
            try store.import(#"{"id": 5}"#, using: world.adapter("User"))
            #expect(throws: ModelError.self) {
                try store.delete(ModelQuery(schema: world.schema("User"), where: Key("id") < 3))
            }
            try store.delete(ModelQuery(schema: world.schema("User"), where: Key("id") == 2))
        }
        #expect(
            try world.store.fetch(world.query("User", order: [.ascending("id")])).compactMap { $0["id", as: Int.self] }
                == [1, 3, 5])
    }

    // MARK: What a reference may be

    @Test func aReferenceThatIsRequiredCannotBecomeNull() throws {
        let schemas = [
            ModelSchema("User", ["id": .integer.required], identity: ["id"]),
            ModelSchema(
                "Issue",
                [
                    "id": .integer.required, "user": .model("User").indexed().deleteRule(.nullify),
                    "users": .array(of: .model("User")).indexed().deleteRule(.nullify).rules(.minCount(1)),
                ], identity: ["id"]),
        ]
        let world = try StoreWorld(schemas: schemas)
        try world.store.import(#"[{"id": 1}, {"id": 2}]"#, using: world.adapter("User"))
        try world.store.import(#"{"id": 1, "users": [{"id": 1}, {"id": 2}]}"#, using: world.adapter("Issue"))
        #expect(try Self.delete(world, "User", Key("id") == 1) == "0 inserted, 1 updated, 1 deleted")
        // The rules of the row that is written are asked.
        let error = #expect(throws: ModelError.self) { try Self.delete(world, "User", Key("id") == 2) }
        #expect(error?.code == .ruleBroken, "\(String(describing: error))")
        #expect(try Self.json(world, "Issue", 1) == ["id": 1, "users": [["id": 2]]])
    }

    @Test func aPropertyThatIsNeverNullCannotBeNullified() {
        for property in [PropertySchema.model("User").required, .model("User").notNull] {
            #expect(throws: SchemaError.self) {
                _ = try StoreWorld(schemas: [
                    ModelSchema("User", ["id": .integer.required], identity: ["id"]),
                    ModelSchema(
                        "Issue", ["id": .integer.required, "user": property.indexed().deleteRule(.nullify)],
                        identity: ["id"]),
                ]).registry.checkStore()
            }
        }
    }

    @Test(arguments: [PropertySchema.DeleteRule.deny, .nullify, .cascade])
    func aRuleNeedsAnIndexAndARow(_ rule: PropertySchema.DeleteRule) {
        for property in [
            PropertySchema.model("User").deleteRule(rule), .model("Loose").indexed().deleteRule(rule),
            .string.indexed().deleteRule(rule), .array(of: .string).deleteRule(rule),
        ] {
            #expect(throws: (any Error).self) {
                _ = try StoreWorld(schemas: [
                    ModelSchema("User", ["id": .integer.required], identity: ["id"]),
                    ModelSchema("Loose", ["name": .string]),
                    ModelSchema("Issue", ["id": .integer.required, "user": property], identity: ["id"]),
                ]).registry.checkStore()
            }
        }
    }
}
