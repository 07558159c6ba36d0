import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// Conditions, orders, limits and references of queries.
struct QueryTests {
    private let world: StoreWorld

    init() throws {
        world = try StoreWorld()
        let (ada, bob) = (
            try world.makeAda(), try world.make("User", ["id": 2, "login": "bob"])
        )
        let (one, two) = (
            try world.make(
                "Milestone", ["title": "1.0", "due": Date(timeIntervalSinceReferenceDate: 10), "creator": ada]),
            try world.make("Milestone", ["title": "2.0", "creator": bob])
        )
        try world.store.save([
            try world.make(
                "Issue",
                [
                    "number": 1, "title": "Crash", "state": "open", "score": 1.5, "labels": ["bug", "ui"],
                    "createdAt": Date(timeIntervalSinceReferenceDate: 1), "assignee": ada, "milestone": one,
                    "author": world.make("Person", ["name": "x\"y"]),
                ]),
            try world.make(
                "Issue",
                [
                    "number": 2, "title": "crash", "state": "closed", "score": 2, "labels": ["ui"],
                    "createdAt": Date(timeIntervalSinceReferenceDate: 2), "assignee": bob, "milestone": two,
                    "author": world.make("Employee", ["name": "é", "team": two]),
                ]),
            try world.make("Issue", ["number": 3, "title": "100%_*", "state": "open"]),
            try world.make("Bug", ["number": 4, "severity": 2, "url": URL(string: "https://example.org/a?b")!]),
        ])
    }

    private static let date = Date(timeIntervalSinceReferenceDate: 2)

    @Test(
        arguments: [
            ("equal", Key("state") == "open", [1, 3]), ("different", Key("state") != "open", [2, 4]),
            ("nil", Key("state") == nil, [4]), ("not nil", Key("state") != nil, [1, 2, 3]),
            ("less", Key("score") < 2, [1]), ("at most", Key("score") <= 2.0, [1, 2]),
            ("greater", Key("score") > 1.5, [2]),
            ("at least", Key("createdAt") >= date, [2]), ("date", Key("createdAt") == date, [2]),
            ("not less", !(Key("score") < 2), [2, 3, 4]), ("not equal", !(Key("state") == "open"), [2, 4]),
            ("not not", !(!(Key("score") < 2)), [1]),
            ("and", Key("state") == "open" && Key("score") == 1.5, [1]),
            ("or", Key("number") == 3 || Key("score") == 2, [2, 3]),
            ("in", Key("number").isIn([1, 4, 9]), [1, 4]), ("in texts", Key("title").isIn(["Crash"]), [1]),
            ("in none", Key("number").isIn([]), []), ("not in", !Key("title").isIn(["Crash"]), [2, 3, 4]),
            ("element", Key("labels").contains("ui"), [1, 2]),
            ("no element", !Key("labels").contains("bug"), [2, 3, 4]),
            ("part of a text", Key("title").contains("ras"), [1, 2]), ("prefix", Key("title").hasPrefix("C"), [1]),
            ("signs of patterns", Key("title").hasPrefix("100%_"), [3]),
            ("empty prefix", Key("title").hasPrefix(""), [1, 2, 3]),
            ("a link's identity", Key("assignee.id") == 2, [2]),
            ("a link's property", Key("assignee.login") == "ada", [1]),
            ("two links", Key("milestone.creator.login") == "bob", [2]),
            ("a link's date", Key("milestone.due") != nil, [1]),
            ("no link", Key("assignee") == nil, [3, 4]), ("inside", Key("author.name") == "é", [2]),
            ("inside and a link", Key("author.team.creator.login") == "bob", [2]),
            ("odd text", Key("author.name") == "x\"y", [1]),
            ("a descendant's", Key("severity") > 1, [4]),
            ("URL", Key("url") == URL(string: "https://example.org/a?b")!, [4]),
            ("not mapped in JSON", Key("notes") == nil, [1, 2, 3, 4]),
            ("a default that was set", Key("votes") == 0, [1, 2, 3, 4]),
            ("injection", Key("title") == "' OR 1=1 --", []),
            ("more injection", Key("title").hasPrefix("') OR ('a' = 'a"), []),
        ] as [(String, Condition, [Int])])
    func conditionsFind(name: String, condition: Condition, numbers: [Int]) throws {
        let query = try world.query("Issue", where: condition)
        #expect(try world.store.fetch(query).compactMap { $0["number", as: Int.self] }.sorted() == numbers)
        #expect(try world.store.count(query) == numbers.count)
    }

    @Test(
        arguments: [
            (Key("titel") == "a", ModelError.Code.unknownKey, "title"),
            (Key("assignee.logn") == "a", .unknownKey, "login"),
            (Key("title.x") == "a", .unknownKey, nil), (Key("") == "a", .unknownKey, nil),
            (Key("labels.number") == 1, .unknownKey, nil), (Key("token") == "a", .unknownKey, nil),
            (Key("title\" = 1 --") == "a", .unknownKey, nil), (Key("number") == "7", .typeMismatch, nil),
            (Key("state") == "opn", .unknownCase, "open"), (Key("assignee") == 1, .notConvertible, nil),
            (Key("labels") > 1, .notConvertible, nil), (Key("number").contains(1), .typeMismatch, nil),
            (Key("score").hasPrefix("1"), .typeMismatch, nil),
        ] as [(Condition, ModelError.Code, String?)])
    func mistakesAreTyped(condition: Condition, code: ModelError.Code, suggestion: String?) throws {
        let query = try world.query("Issue", where: condition)
        for call in [{ _ = try world.store.fetch(query) }, { _ = try world.store.count(query) }] {
            let error = #expect(throws: ModelError.self, performing: call)
            #expect(error?.code == code && error?.suggestion == suggestion, "\(error?.description ?? "")")
        }
        #expect(throws: ModelError.self) { try world.store.delete(query) }
        #expect(try world.store.count(world.query("Issue")) == 4)
    }

    @Test func conditionsMayBeDeepButNotEndless() throws {
        var condition = Key("number") == 1
        for _ in 0..<300 { condition = Key("number") == 2 || !(!condition) }
        #expect(try world.fetch("Issue", where: condition).count == 2)
        for _ in 0..<15 { condition = Key("number") != 9 && (condition || Key("number") == 3) }
        #expect(throws: ModelError.self) { try world.fetch("Issue", where: condition) }
        condition = Key("number") == 1
        for _ in 0..<8 { condition = Key("number") != 9 && (condition || Key("number") == 3) }
        #expect(try world.fetch("Issue", where: condition).count == 2)
        for _ in 0..<1000 { condition = condition && Key("number") != 9 }
        let error = #expect(throws: ModelError.self) { try world.fetch("Issue", where: condition) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func longChainsMayStandInEachOther() throws {
        var condition = Key("number") == 1
        for level in 0..<15 {
            for _ in 0..<59 {
                let other = !(Key("number") == 9)
                condition = level.isMultiple(of: 2) ? condition && other : condition || !other
            }
        }
        #expect(try world.fetch("Issue", where: condition).count == 1)
        for _ in 0..<15 { condition = condition && Key("number") != 9 }
        let error = #expect(throws: ModelError.self) { try world.fetch("Issue", where: condition) }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [1, 2]) func pathsLeadThroughManyRowsButNotEndlessly(version: Int) throws {
        var schema = ModelSchema("Node", ["id": .integer.required, "next": .model("Node")], identity: ["id"])
        let chained = try StoreWorld(schemas: [schema])
        var node: DynamicModel?
        for number in 0..<20 {
            let next = try chained.make("Node", ["id": number])
            if let node { try next.setValue(node, forKey: "next") }
            node = next
        }
        try chained.store.save([#require(node)])
        schema.version = version
        schema.upgrades = version == 1 ? [] : [SchemaUpgrade(from: 1)]
        let (store, _) = try chained.reopened([schema])
        func fetch(_ condition: Condition) throws -> [Int] {
            try store.fetch(ModelQuery(schema: schema, where: condition)).compactMap { $0["id", as: Int.self] }
        }
        func path(_ count: Int) -> Key { Key(String(repeating: "next.", count: count - 1) + "id") }
        for count in [2, 5, 16] {
            var condition = path(count) == 3
            for level in 0..<15 {
                let other = !(path(count) == -1)
                condition = level.isMultiple(of: 2) ? condition && other : condition || !other
            }
            #expect(try fetch(condition) == [2 + count])
        }
        for count in [17, 64] {
            let error = #expect(throws: ModelError.self) { try fetch(path(count) == 3) }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test(
        arguments: [
            ([.ascending("title")], nil, 0, [4, 3, 1, 2]), ([.descending("title")], nil, 0, [2, 1, 3, 4]),
            ([.ascending("state"), .descending("number")], nil, 0, [4, 2, 3, 1]), ([.descending("score")], 1, 0, [2]),
            ([.descending("number")], 2, 1, [3, 2]), ([], 2, 0, [1, 2]), ([], nil, 3, [4]), ([], 0, 0, []),
            ([.descending("assignee.login")], 1, 0, [2]),
        ] as [([Order], Int?, Int, [Int])])
    func modelsComeInOrder(order: [Order], limit: Int?, offset: Int, numbers: [Int]) throws {
        let query = try world.query("Issue", order: order, limit: limit, offset: offset)
        #expect(try world.store.fetch(query).compactMap { $0["number", as: Int.self] } == numbers)
        #expect(try world.store.count(query) == numbers.count)
    }

    @Test func indexesAreUsed() throws {
        func plan(_ condition: Condition) throws -> String {
            try world.store.plan(of: world.query("Issue", where: condition))
        }
        #expect(try plan(Key("state") == "open").contains("SEARCH t0 USING INDEX Issue.state (state=?)"))
        #expect(try plan(Key("createdAt") > Self.date).contains("USING INDEX Issue.createdAt (createdAt>?)"))
        #expect(try plan(Key("number") == 7).contains("USING INTEGER PRIMARY KEY (rowid=?)"))
        #expect(try plan(Key("title").hasPrefix("a")).contains("USING INDEX Issue.title (title>? AND title<?)"))
        #expect(try plan(Key("title").isIn(["a"])).contains("USING INDEX Issue.title (title=?)"))
        #expect(try plan(Key("score") == 1).contains("SCAN t0"))
    }

    // MARK: References

    @Test func includedReferencesAreFetched() throws {
        func due(_ links: ModelQuery<DynamicModel>.Links) throws -> (due: Date?, creator: String?) {
            let issue = try #require(
                try world.store.first(world.schema("Issue"), identity: 1, including: links))
            let milestone = try #require(issue["milestone", as: DynamicModel.self])
            return (
                milestone["due", as: Date.self],
                milestone["creator", as: DynamicModel.self]?["login", as: String.self]
            )
        }
        #expect(try due(.stubs) == (nil, nil))
        #expect(try due(.keys(["assignee"])) == (nil, nil))
        for links in [.keys(["milestone"]), .keys(["milestone.creator"]), .depth(1), .depth(2), .all]
            as [ModelQuery<DynamicModel>.Links]
        {
            // A user is always whole, because a login is required.
            #expect(try due(links) == (Date(timeIntervalSinceReferenceDate: 10), "ada"))
        }
        for key in ["milestne", "title", "milestone.x", ""] {
            let error = #expect(throws: ModelError.self) { try due(.keys([key])) }
            #expect(error?.code == .unknownKey)
        }
    }

    @Test func referencesInsideOfModelsAreFetched() throws {
        let issue = try #require(
            try world.store.first(world.schema("Issue"), identity: 2, including: .keys(["author.team"])))
        let team = try #require(issue["author", as: DynamicModel.self]?["team", as: DynamicModel.self])
        #expect(team["creator", as: DynamicModel.self]?["login", as: String.self] == "bob")
        #expect(team === issue["milestone", as: DynamicModel.self])
    }

    @Test func aReferenceToNothingIsAStubOrAnError() throws {
        try world.store.delete(world.query("Milestone"))
        let issue = try #require(try world.store.first(world.schema("Issue"), identity: 1, including: .all))
        #expect(issue["milestone", as: DynamicModel.self]?["title", as: String.self] == "1.0")
        try world.store.delete(world.query("User", where: Key("login") == "bob"))
        let error = #expect(throws: ModelError.self) { try world.fetch("Issue") }
        #expect(error?.code == .missingProperty && error?.pointer?.description == "/Issue/2/assignee")
        #expect(error?.description.contains("the row User 2") == true)
        #expect(try world.fetch("Issue", where: Key("number") == 1).count == 1)
    }

    @Test func oneStatementIsEnoughForALevelOfATable() throws {
        let users = try (10..<500).map { try world.make("User", ["id": $0, "login": "u\($0)"]) }
        try world.store.save(
            try users.enumerated().map { try world.make("Issue", ["number": 100 + $0, "assignee": $1]) })
        let connection = try SQLiteConnection(world.url.path, .reading, busyTimeout: .zero)
        let before = connection.statementCount
        let access = _ConnectedStore(registry: world.registry, tables: world.store.tables, connection: connection)
        #expect(try access.fetch(world.query("Issue", including: .all)).count == 494)
        // Issues, then milestones and users; the creators of milestones are here already. Two begin and end the reading of
        // one state.
        #expect(connection.statementCount - before == 3 + 2)
    }

    @Test func aLoopSeesOneStateAndEndsWithAnError() throws {
        struct Enough: Error {}
        var numbers: [Int] = []
        let query = try world.query("Issue", including: .all)
        try world.store.forEach(query) { issue in
            if numbers.isEmpty { try world.store.delete(world.query("Bug")) }
            numbers.append(issue["number", as: Int.self] ?? 0)
        }
        #expect(numbers == [1, 2, 3, 4])
        #expect(try world.store.count(query) == 3)
        #expect(throws: Enough.self) {
            try world.store.forEach(query) { _ in
                numbers.append(0)
                throw Enough()
            }
        }
        #expect(numbers.count == 5)
    }

    @Test func aLoopHasStubsForModelsOfItsResult() throws {
        let issues = try (10...11).map { try world.make("Issue", ["number": $0, "title": "t"]) }
        for issue in issues { try issue.setValue(issues, forKey: "related") }
        try world.store.save(issues)
        /// The titles of the related issues, and of those that are related to them.
        func titles(_ links: ModelQuery<DynamicModel>.Links) throws -> [String] {
            var titles: [String] = []
            try world.store.forEach(world.query("Issue", where: Key("number") > 9, including: links)) { issue in
                for related in issue["related", as: [DynamicModel].self] ?? [] {
                    titles.append(related["title", as: String.self] ?? "stub")
                    for next in related["related", as: [DynamicModel].self] ?? [] {
                        titles.append("then " + (next["title", as: String.self] ?? "stub"))
                    }
                }
            }
            return titles
        }
        #expect(try titles(.stubs) == ["stub", "stub", "stub", "stub"])
        #expect(try titles(.keys(["related"])) == (0..<4).flatMap { _ in ["t", "then stub", "then stub"] })
        // A whole result has one object for each identity.
        let fetched = try world.fetch("Issue", where: Key("number") > 9)
        #expect(fetched[0]["related", as: [DynamicModel].self]?[1] === fetched[1])
    }

    @Test func modelsCanBeFrozenAndDeleted() throws {
        let frozen = try world.store.frozen(world.query("Issue", where: Key("state") == "open"))
        #expect(frozen.count == 2 && Frozen.schema(of: frozen[0]).name == "Issue")
        #expect(try world.store.delete(world.query("Issue", order: [.ascending("number")], limit: 2)).deleted == 2)
        #expect(try world.fetch("Issue").compactMap { $0["number", as: Int.self] } == [3, 4])
        #expect(try world.store.delete(world.query("Bug")).deleted == 1)
    }

    @Test(arguments: [
        (-1, 0, "a limit of at least 0"), (.min, 0, "a limit of at least 0"), (5, -1, "an offset of at least 0"),
    ])
    func aNegativeNumberOfModelsIsAnError(limit: Int, offset: Int, expected: String) throws {
        let query = ModelQuery(schema: try world.schema("Issue"), limit: limit, offset: offset)
        for call in [
            { _ = try world.store.fetch(query) }, { _ = try world.store.count(query) },
            { try world.store.delete(query) },
        ] {
            let error = #expect(throws: ModelError.self) { try call() }
            #expect(error?.code == .numberOutOfRange && error?.expected == expected)
        }
    }

    /// The texts around the end of the range of a prefix.
    @Test(arguments: [
        "a", "az", "a\u{7F}", "é", "a\u{D7FF}", "a\u{10FFFF}", "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}", "", "A",
    ])
    func aPrefixIsARange(prefix: String) throws {
        let texts = [
            "", "a", "a\u{7F}", "a\u{80}", "az", "a{", "azz", "b", "é", "éa", "ê", "a\u{D7FF}", "a\u{D7FF}x",
            "a\u{E000}",
            "a\u{10FFFF}", "a\u{10FFFF}\u{10FFFF}", "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}x", "A", "Ab",
        ]
        let folder = try StoreWorld(schemas: [
            ModelSchema("Text", ["id": .integer.required, "plain": .string, "t": .string.indexed()], identity: ["id"])
        ])
        try folder.store.save(
            texts.enumerated().map { try folder.make("Text", ["id": $0.offset, "plain": $0.element, "t": $0.element]) })
        let expected = texts.indices.filter { texts[$0].unicodeScalars.starts(with: prefix.unicodeScalars) }
        for key in ["plain", "t"] {
            let query = ModelQuery(
                schema: try folder.schema("Text"), where: Key(key).hasPrefix(prefix), order: [.ascending("id")])
            #expect(try folder.store.fetch(query).map { $0["id", as: Int.self] } == expected, "\(key)")
            if key == "t", prefix == "a" { #expect(try folder.store.plan(of: query).contains("t>? AND t<?")) }
        }
    }
}
