import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Tables of links: which rows refer to a row.
struct LinkTests {
    private static func schemas(isIndexed: Bool = true) -> [ModelSchema] {
        func maybe(_ property: PropertySchema) -> PropertySchema { isIndexed ? property.indexed() : property }
        return [
            ModelSchema("Label", ["name": .string.required, "color": .string.indexed()], identity: ["name"]),
            ModelSchema(
                "Vote", ["a": .integer.required, "b": .string.required, "value": .integer], identity: ["a", "b"]),
            ModelSchema(
                "Issue",
                [
                    "number": .integer.required, "title": .string, "labels": maybe(.array(of: .model("Label"))),
                    "votes": maybe(.set(of: .model("Vote"))), "named": maybe(.dictionary(of: .model("Label"))),
                    "main": maybe(.model("Label")), "next": maybe(.model("Issue")),
                ], identity: ["number"]),
            ModelSchema("Bug", ["cause": maybe(.model("Label"))], extends: "Issue"),
        ]
    }

    private static let issues = #"""
        [{"number": 1, "labels": [{"name": "bug"}, {"name": "ui"}, {"name": "bug"}], "main": {"name": "ui"}},
         {"number": 2, "votes": [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}], "next": {"number": 1}},
         {"number": 3, "named": {"a": {"name": "ui"}, "b": {"name": "ui"}}, "labels": [], "main": {"name": "bug"}}]
        """#

    private func world(isIndexed: Bool = true) throws -> StoreWorld {
        let world = try StoreWorld(schemas: Self.schemas(isIndexed: isIndexed))
        try world.store.import(
            #"[{"name": "bug", "color": "red"}, {"name": "ui", "color": "blue"}]"#, using: world.adapter("Label"))
        try world.store.import(Self.issues, using: world.adapter("Issue"))
        return world
    }

    private static let labels = #"SELECT "to_name", "from_number" FROM "_links.Issue.labels" ORDER BY 1, 2"#

    private func links(_ world: StoreWorld, _ sql: String = labels) throws -> [String] {
        try world.rows(sql).map { row in
            row.filter { $0 != .null }.map { if case .text(let text) = $0 { text } else { $0.json.description } }
                .joined(separator: " ")
        }
    }

    /// Links take levels of the parser of SQLite, and conditions have as many with them as without.
    @Test(arguments: [true, false]) func linksTakeNothingFromTheLimitsOfAQuery(isIndexed: Bool) throws {
        func reference(_ property: PropertySchema) -> PropertySchema { isIndexed ? property.indexed() : property }
        let node = ModelSchema(
            "Node",
            [
                "id": .integer.required, "size": .integer, "next": reference(.model("Node")),
                "all": reference(.array(of: .model("Node"))),
            ], identity: ["id"])
        let registry = SchemaRegistry()
        try registry.register(node)
        let store = try ModelStore(at: nil, registry: registry)
        let model = try DynamicModel(schema: node, values: ["id": 1, "size": 7], registry: registry)
        try model.setValue(model, forKey: "next")
        try model.setValue([model], forKey: "all")
        try store.save(model)
        let condition = Key("all").any(Key("all").any(Key("next.next.size") == 7))
        #expect(try store.count(ModelQuery(schema: node, where: condition)) == 1)
    }

    @Test func linksAreWrittenWithTheirRows() throws {
        let world = try world()
        #expect(try links(world) == ["bug 1", "ui 1"])
        #expect(try links(world, #"SELECT * FROM "_links.Issue.votes" ORDER BY 1"#) == ["1 x 2", "2 y 2"])
        #expect(try links(world, #"SELECT * FROM "_links.Issue.named""#) == ["ui 3"])
        #expect(try links(world, #"SELECT * FROM "_links.Issue.main" ORDER BY 1"#) == ["bug 3", "ui 1"])
        #expect(try links(world, #"SELECT * FROM "_links.Issue.next""#) == ["1 2"])
        try world.store.import(
            #"[{"number": 1, "labels": [{"name": "new"}]}, {"number": 3, "labels": [{"name": "ui"}]}]"#,
            using: world.adapter("Issue"))
        #expect(try links(world) == ["new 1", "ui 3"])
        try world.store.delete(world.query("Issue", where: Key("number") == 1))
        #expect(try links(world) == ["ui 3"])
        let session = ModelSession(world.store)
        let issues = try session.fetch(world.query("Issue", order: [.ascending("number")]))
        try session.delete(issues[1])
        try session.insert(world.make("Bug", ["number": 9, "cause": world.make("Label", ["name": "ui"])]))
        try session.save()
        #expect(try links(world).isEmpty)
        #expect(try links(world, #"SELECT * FROM "_links.Issue.cause""#) == ["ui 9"])
        #expect(try world.store.integrityCheck().isEmpty)
    }

    @Test func aStoreHasTheSecondFormatOnlyWithLinks() throws {
        for isIndexed in [false, true] {
            let world = try world(isIndexed: isIndexed)
            #expect(try world.rows("PRAGMA user_version")[0][0] == .integer(isIndexed ? 2 : 1))
        }
    }

    @Test func linksAreMadeFromDocumentsAndDroppedByAnUpgrade() throws {
        let world = try world(isIndexed: false)
        let (store, registry) = try world.reopened(Self.schemas())
        let issue = try registry.schema(named: "Issue")
        #expect(try store.count(ModelQuery(schema: issue, where: Key("labels.name") == "bug")) == 1)
        #expect(try links(world) == ["bug 1", "ui 1"])
        // A program that does not ask for links keeps them.
        try world.store.import(#"{"number": 2, "labels": [{"name": "ui"}]}"#, using: world.adapter("Issue"))
        try world.store.delete(world.query("Issue", where: Key("number") == 1))
        #expect(try links(world) == ["ui 2"])
        #expect(try store.integrityCheck().isEmpty)
        try world.store.upgrade()
        #expect(try world.rows("SELECT 1 FROM sqlite_schema WHERE name LIKE '_links%'").isEmpty)
        #expect(try store.count(ModelQuery(schema: issue, where: Key("labels.name") == "ui")) == 1)
        #expect(try links(world) == ["ui 2"])
    }

    @Test func queriesFindRowsByLinks() throws {
        let world = try world()
        func plan(_ condition: Condition) throws -> String {
            try world.store.plan(of: world.query("Issue", where: condition))
        }
        for (condition, links) in [
            (Key("labels").any(Key("color") == "red"), "labels"), (Key("labels.name") == "bug", "labels"),
            (Key("votes").any(Key("a") == 1 && Key("b") == "x"), "votes"),
            (Key("named").any(Key("name") == "ui"), "named"),
            (Key("main.color") == "red", "main"), (Key("next.labels.color") == "red", "next"),
        ] {
            let plan = try plan(condition)
            #expect(plan.contains("FROM \"_links.Issue.\(links)\""), "\(plan)")
            #expect(!plan.contains("SCAN"), "\(plan)")
        }
        // Only documents have the keys of dictionaries, and what has no value.
        for condition in [
            Key("named").any(Key.elementKey == "a"), Key("main.color") == nil, Key("main.color") != "red",
            Key("labels").count == 1,
        ] {
            #expect(try !plan(condition).contains("_links"))
        }
        let other = try self.world(isIndexed: false)
        #expect(try !other.store.plan(of: other.query("Issue", where: Key("labels.name") == "bug")).contains("_links"))
    }

    @Test(
        arguments: [
            (Key("labels.color") == "red", [1]), (Key("labels").none(Key("color") == "red"), [2, 3]),
            (Key("labels").all(Key("color") == "red"), [2, 3]), (!Key("labels").all(Key("color") == "red"), [1]),
            (!(Key("labels.color") == "red"), [2, 3]), (Key("main.color") == "red", [3]),
            (!(Key("main.color") == "red"), [1, 2]), (Key("main.color") != "red", [1, 2]),
            (Key("main.name") == "ui", [1]), (Key("next.labels.color") == "blue", [2]),
            (Key("next.main.color").hasPrefix("b"), [2]), (Key("main.color").isIn(["red", "green"]), [3]),
            // One vote is no row.
            (Key("votes").any(Key("a") == 1), []), (Key("votes").none(Key("a") == 1), [1, 2, 3]),
            (Key("votes").all(Key("a") > 0), [1, 3]),
        ] as [(Condition, [Int])]) func linksChangeNothingInWhatIsFound(condition: Condition, numbers: [Int]) throws
    {
        for isIndexed in [true, false] {
            let world = try world(isIndexed: isIndexed)
            try world.store.delete(world.query("Vote", where: Key("a") < 9))
            let query = try world.query("Issue", where: condition, order: [.ascending("number")])
            #expect(try world.store.fetch(query).compactMap { $0["number", as: Int.self] } == numbers)
        }
    }

    @Test func namesOfAnyCharactersHaveLinks() throws {
        for name in ["a.b", "é", "\u{301}x", "quo\"te", "a[0]", "\\", "_", "' --"] {
            let schema = ModelSchema(
                "T" + name, ["id": .integer.required, name: .array(of: .model("T\(name)")).indexed()], identity: ["id"])
            let world = try StoreWorld(schemas: [schema])
            let model = try world.make("T" + name, ["id": 1])
            try model.setValue([world.make("T" + name, ["id": 2])], forKey: name)
            try world.store.save([model, world.make("T" + name, ["id": 2])])
            let key = Key(
                name.replacing("\\", with: "\\\\").replacing(".", with: "\\.").replacing("[", with: "\\["))
            let query = try world.query("T" + name, where: key.any(Key("id") == 2))
            #expect(try world.store.count(query) == 1 && world.store.plan(of: query).contains("_links"), "\(name)")
            #expect(try world.reopened([schema]).store.integrityCheck().isEmpty)
            #expect(try world.store.delete(world.query("T" + name)).deleted == 2)
            #expect(try world.store.integrityCheck().isEmpty)
        }
    }

    @Test func aReferenceIsNoCollectionEvenWithLinks() throws {
        let world = try world()
        for condition in [Key("main").any(Key("name") == "ui"), Key("main").count == 1] {
            let error = #expect(throws: ModelError.self) { try world.fetch("Issue", where: condition) }
            #expect(error?.code == .typeMismatch)
        }
        let error = #expect(throws: ModelError.self) {
            try world.fetch("Issue", where: Key("labels").any(Key.element == nil))
        }
        #expect(error?.code == .notConvertible)
    }

    @Test func aDifferenceFromTheDocumentsIsFound() throws {
        for damage in [
            #"DELETE FROM "_links.Issue.labels" WHERE "to_name" = 'ui'"#,
            #"INSERT INTO "_links.Issue.labels" VALUES ('x', 1)"#,
            #"INSERT INTO "_links.Issue.labels" VALUES ('x', 77)"#,
        ] {
            let world = try world()
            try world.change(damage)
            let problems = try world.store.integrityCheck()
            #expect(problems.map(\.code) == [.malformedStore] && problems[0].property == "labels", "\(problems)")
        }
    }

    @Test func linksOfRowsOfOtherVersionsAreNotUsed() throws {
        let former = ModelSchema(
            "Issue", ["number": .integer.required, "tags": .array(of: .model("Label")).indexed()], identity: ["number"])
        let label = Self.schemas()[0]
        let world = try StoreWorld(schemas: [former, label])
        try world.store.import(#"{"number": 1, "tags": [{"name": "bug"}]}"#, using: world.adapter("Issue"))
        try world.store.import(#"{"name": "bug"}"#, using: world.adapter("Label"))
        var later = ModelSchema(
            "Issue", ["number": .integer.required, "labels": .array(of: .model("Label")).indexed()],
            identity: ["number"])
        later.version = 2
        later.upgrades = [SchemaUpgrade(from: 1, renamed: ["tags": "labels"])]
        let (store, registry) = try world.reopened([later, label])
        let query = ModelQuery(schema: try registry.schema(named: "Issue"), where: Key("labels.name") == "bug")
        #expect(try store.count(query) == 1)
        #expect(try store.plan(of: query).contains("json_each"))
        try store.upgrade()
        #expect(try store.count(query) == 1)
        #expect(try store.plan(of: query).contains("_links"))
        #expect(try store.integrityCheck().isEmpty)
    }
}
