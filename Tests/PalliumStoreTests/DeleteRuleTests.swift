import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// The effect on the rows that refer to a deleted one.
struct DeleteRuleTests {
    private static let schemas = [
        ModelSchema("User", ["id": .integer.required, "name": .string], identity: ["id"]),
        ModelSchema(
            "Issue",
            [
                "id": .integer.required, "title": .string,
                "owner": .model("User").indexed().deleteRule(.deny),
                "assignee": .model("User").indexed().deleteRule(.nullify),
                "watchers": .array(of: .model("User")).indexed().deleteRule(.nullify),
                "roles": .dictionary(of: .model("User")).indexed().deleteRule(.nullify),
                "grid": .array(of: .array(of: .model("User"))).indexed().deleteRule(.nullify),
                "reviewer": .model("User").indexed().deleteRule(.keep),
                "parent": .model("Issue").indexed().deleteRule(.cascade),
            ], identity: ["id"]),
        ModelSchema(
            "Comment",
            [
                "id": .integer.required, "issue": .model("Issue").required.indexed().deleteRule(.cascade),
                "likes": .set(of: .model("User")).required.rules(.minCount(1)).indexed().deleteRule(.nullify),
            ], identity: ["id"]),
    ]

    private func world(_ issues: String, comments: String = "[]", file: String? = "a.store") throws -> StoreWorld {
        let world = try StoreWorld(file: file, schemas: Self.schemas)
        try world.store.import(
            #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}]"#, using: world.adapter("User"))
        try world.store.import(issues, using: world.adapter("Issue"))
        if comments != "[]" { try world.store.import(comments, using: world.adapter("Comment")) }
        return world
    }

    /// The rows of a table as JSON.
    private func rows(_ world: StoreWorld, _ table: String = "Issue") throws -> [String] {
        try world.store.fetch(world.query(table, order: [.ascending("id")])).map {
            try world.adapter(table).jsonValue(from: $0).description
        }
    }

    @discardableResult
    private func delete(_ world: StoreWorld, _ table: String, _ id: Int) throws -> String {
        try world.store.delete(world.query(table, where: Key("id") == id)).description
    }

    @Test func aDeniedReferenceKeepsARowFromBeingDeleted() throws {
        let world = try world(#"[{"id": 7, "owner": {"id": 1}}, {"id": 8}]"#)
        let before = try world.rows("SELECT * FROM User") + world.rows("SELECT * FROM Issue")
        let error = #expect(throws: ModelError.self) { try delete(world, "User", 1) }
        #expect(error?.code == .conflict && error?.property == "owner")
        #expect(error?.pointer?.description == "/Issue/7/owner")
        #expect(error?.description.contains("User 1") == true, "\(error.map { "\($0)" } ?? "")")
        #expect(try world.rows("SELECT * FROM User") + world.rows("SELECT * FROM Issue") == before)
        // In a transaction, the call is taken back, and the transaction goes on.
        _ = try world.store.transaction { store throws -> Int in
            #expect(throws: ModelError.self) {
                try store.delete(world.query("User", where: Key("id") < 3))
            }
            return try store.delete(world.query("User", where: Key("id") == 2)).deleted
        }
        #expect(try rows(world, "User").count == 2)
    }

    @Test func aReferenceBecomesNull() throws {
        let world = try world(
            #"""
            [{"id": 7, "assignee": {"id": 1}, "watchers": [{"id": 1}, {"id": 2}, {"id": 1}], "title": "t",
              "roles": {"x": {"id": 2}, "y": {"id": 1}}, "grid": [[{"id": 1}], [{"id": 2}, {"id": 1}]]},
             {"id": 8, "assignee": {"id": 2}, "reviewer": {"id": 1}}]
            """#)
        #expect(try delete(world, "User", 1) == "0 inserted, 1 updated, 1 deleted")
        #expect(
            try rows(world) == [
                #"{"id":7,"title":"t","assignee":null,"watchers":[{"id":2}],"roles":{"x":{"id":2}},"grid":[[],[{"id":2}]]}"#,
                #"{"id":8,"assignee":{"id":2},"reviewer":{"id":1}}"#,
            ])
        #expect(try world.store.integrityCheck().isEmpty)
    }

    @Test func rowsThatReferToADeletedOneAreDeleted() throws {
        let world = try world(
            #"""
            [{"id": 1, "parent": {"id": 3}}, {"id": 2, "parent": {"id": 1}}, {"id": 3, "parent": {"id": 2}},
             {"id": 4, "parent": {"id": 2}}, {"id": 5, "owner": {"id": 1}}]
            """#, comments: #"[{"id": 1, "issue": {"id": 4}, "likes": [{"id": 1}]}]"#)
        #expect(try delete(world, "Issue", 2) == "0 inserted, 0 updated, 5 deleted")
        #expect(try rows(world).count == 1 && rows(world, "Comment").isEmpty)
        #expect(try world.store.integrityCheck().isEmpty)
    }

    /// The call deletes both, by its query or by another rule.
    @Test func aRowThatIsDeletedTooDeniesNothing() throws {
        let schemas = [
            ModelSchema(
                "Node",
                [
                    "id": .integer.required, "up": .model("Node").indexed().deleteRule(.cascade),
                    "other": .model("Node").indexed().deleteRule(.deny),
                ], identity: ["id"])
        ]
        let world = try StoreWorld(schemas: schemas)
        try world.store.import(
            #"""
            [{"id": 1}, {"id": 2, "up": {"id": 1}}, {"id": 3, "up": {"id": 1}, "other": {"id": 2}},
             {"id": 4, "other": {"id": 3}}]
            """#, using: world.adapter("Node"))
        #expect(throws: ModelError.self) { try delete(world, "Node", 2) }
        #expect(throws: ModelError.self) { try delete(world, "Node", 1) }
        try delete(world, "Node", 4)
        #expect(try delete(world, "Node", 1) == "0 inserted, 0 updated, 3 deleted")
    }

    @Test func aRuleOfThePropertyRefusesTheCall() throws {
        let world = try world(
            #"{"id": 7}"#, comments: #"[{"id": 1, "issue": {"id": 7}, "likes": [{"id": 1}, {"id": 2}]}]"#)
        #expect(try delete(world, "User", 1) == "0 inserted, 1 updated, 1 deleted")
        let error = #expect(throws: ModelError.self) { try delete(world, "User", 2) }
        #expect(error?.property == "likes", "\(error.map { "\($0)" } ?? "")")
        #expect(try rows(world, "User").count == 2)
    }

    @Test func aSessionTellsWhichObjectsLostTheirRows() throws {
        let world = try world(
            #"[{"id": 1, "assignee": {"id": 1}}, {"id": 2, "parent": {"id": 1}}, {"id": 3, "parent": {"id": 2}}]"#)
        let session = ModelSession(world.store)
        let issues = try session.fetch(world.query("Issue", order: [.ascending("id")]))
        try session.delete(issues[0])
        issues[2]["title"] = "edited"
        let changes = try session.save()
        #expect(changes.rows.description == "0 inserted, 1 updated, 3 deleted")
        #expect(Set(changes.deleted.map { ObjectIdentifier($0) }) == Set(issues[1...].map { ObjectIdentifier($0) }))
        #expect(try rows(world).isEmpty && !session.hasChanges)
        #expect(try session.refresh().deleted.isEmpty)
    }

    /// Rules are about what rows refer to at the end of the call.
    @Test func aSessionMayMoveAReferenceAndDeleteItsTarget() throws {
        let world = try world(#"[{"id": 7, "owner": {"id": 1}}]"#)
        let session = ModelSession(world.store)
        let issue = try #require(try session.fetch(world.query("Issue")).first)
        let users = try session.fetch(world.query("User", order: [.ascending("id")]))
        issue["owner"] = users[1]
        try session.delete(users[0])
        #expect(try session.save().rows.description == "0 inserted, 1 updated, 1 deleted")
        try session.delete(users[1])
        let error = #expect(throws: ModelError.self) { try session.save() }
        #expect(error?.code == .conflict && session.hasChanges)
        #expect(try rows(world, "User").count == 2)
    }

    @Test func rowsOfOtherVersionsAreUpgradedOrRefused() throws {
        let user = Self.schemas[0]
        func issue(_ version: Int, _ key: String) -> ModelSchema {
            var schema = ModelSchema(
                "Issue", ["id": .integer.required, key: .model("User").indexed().deleteRule(.nullify)], identity: ["id"]
            )
            schema.version = version
            schema.upgrades = (1..<version).map { SchemaUpgrade(from: $0, renamed: $0 == 1 ? ["by": "owner"] : [:]) }
            return schema
        }
        let world = try StoreWorld(schemas: [user, issue(1, "by")])
        try world.store.import(#"[{"id": 1}, {"id": 2}]"#, using: world.adapter("User"))
        try world.store.import(
            #"[{"id": 7, "by": {"id": 1}}, {"id": 8, "by": {"id": 2}}]"#, using: world.adapter("Issue"))
        let (store, registry) = try world.reopened([user, issue(2, "owner")])
        let users = try registry.schema(named: "User")
        let changes = try store.delete(ModelQuery(schema: users, where: Key("id") == 1))
        #expect(changes.description == "0 inserted, 1 updated, 1 deleted")
        let query = ModelQuery(schema: try registry.schema(named: "Issue"), where: Key("owner") == nil)
        #expect(try store.fetch(query).compactMap { $0["id", as: Int.self] } == [7])
        // The first program does not know what the rows refer to now.
        let error = #expect(throws: ModelError.self) { try delete(world, "User", 2) }
        #expect(error?.code == .newerVersion)
        #expect(try store.count(ModelQuery(schema: users)) == 1)
    }

    /// The rows of a query are those before the first one is deleted.
    @Test func aQueryMayFindRowsByTheLinksThatItDeletes() throws {
        let world = try world(
            #"[{"id": 1, "watchers": [{"id": 1}]}, {"id": 2, "parent": {"id": 1}}, {"id": 3, "watchers": [{"id": 1}]}]"#
        )
        let changes = try world.store.delete(world.query("Issue", where: Key("watchers.name") == "a"))
        #expect(changes.description == "0 inserted, 0 updated, 3 deleted")
        #expect(try world.store.integrityCheck().isEmpty)
    }

    /// Time that grows with the number of rows, not with its square.
    @Test func longChainsEnd() throws {
        let world = try StoreWorld(file: nil, schemas: Self.schemas)
        let count = 2000
        let issues = (1...count).map { #"{"id": \#($0), "parent": {"id": \#($0 % count + 1)}}"# }
        try world.store.import("[" + issues.joined(separator: ",") + "]", using: world.adapter("Issue"))
        #expect(try delete(world, "Issue", 9) == "0 inserted, 0 updated, \(count) deleted")
    }
}
