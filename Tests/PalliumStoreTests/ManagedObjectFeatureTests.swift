import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// What Mantle's adapter for managed objects does, and what goes wrong in it, done by a ``ModelStore``.
struct ManagedObjectFeatureTests {
    private let registry = SchemaRegistry()
    private let store: ModelStore

    private static let schemas = [
        ModelSchema("User", ["id": .integer.required, "login": .string.required], identity: ["id"]),
        ModelSchema("Label", ["name": .string.required, "color": .string], identity: ["name"]),
        ModelSchema(
            "Issue",
            [
                "number": .integer.required, "title": .string.rules(.minLength(1)),
                "state": .enumeration("open", "closed"), "htmlURL": .url.json("html_url"),
                "updatedAt": .date.json("updated_at").transformer(UnixSecondsTransformerName),
                "votes": .integer.merge(.max), "assignee": .model("User"), "labels": .array(of: .model("Label")),
                "watchers": .set(of: .model("User")), "roles": .dictionary(of: .model("User")),
                "blockedBy": .array(of: .model("Issue")), "token": .string.archive(.excluded),
            ],
            identity: ["number"]),
        ModelSchema("Bug", ["severity": .integer], extends: "Issue"),
        ModelSchema(
            "Vote", ["issue": .integer.required, "user": .string.required, "up": .bool], identity: ["issue", "user"]),
    ]

    init() throws {
        try registry.register(Self.schemas)
        store = try ModelStore(at: nil, registry: registry, options: .patient)
    }

    private func schema(_ name: String) throws -> ModelSchema { try registry.schema(named: name) }

    private func make(_ name: String, _ values: [String: any PropertyValue]) throws -> DynamicModel {
        let model = DynamicModel(schema: try schema(name), registry: registry)
        for (key, value) in values { try model.setValue(value, forKey: key) }
        return model
    }

    private func user(_ id: Int, _ login: String) throws -> DynamicModel {
        try make("User", ["id": id, "login": login])
    }

    private func count(_ name: String) throws -> Int { try store.count(ModelQuery(schema: schema(name))) }

    private func issue(_ number: Int) throws -> DynamicModel {
        try #require(try store.first(schema("Issue"), identity: number, including: .all))
    }

    // MARK: Features

    @Test func theTableOfAModelHasTheNameOfItsSchema() throws {
        try store.save(make("Issue", ["number": 1]))
        #expect(try store.plan(of: ModelQuery(schema: schema("Issue"))).contains("\"Issue\""))
        #expect(try count("Issue") == 1 && count("Label") == 0)
    }

    @Test func aRowHasThePropertiesThatArchivesHaveByTheirKeys() throws {
        try store.save(make("Issue", ["number": 1, "htmlURL": URL(string: "https://a.org/1")!, "token": "secret"]))
        #expect(try issue(1)["htmlURL", as: URL.self]?.absoluteString == "https://a.org/1")
        #expect(try issue(1)["token", as: String.self] == nil)
        #expect(
            try store.count(
                ModelQuery(schema: schema("Issue"), where: Key("htmlURL") == URL(string: "https://a.org/1")!)) == 1)
        // An unknown key is an error before anything is read.
        let error = #expect(throws: ModelError.self) {
            try store.count(ModelQuery(schema: schema("Issue"), where: Key("html_url") == "x"))
        }
        #expect(error?.code == .unknownKey)
    }

    @Test func anIdentityOfOneOrSeveralValuesIsOneRow() throws {
        for title in ["a", "b"] { try store.save(make("Issue", ["number": 7, "title": title])) }
        #expect(try issue(7)["title", as: String.self] == "b")
        for (user, up) in [("a", true), ("b", true), ("a", false)] {
            try store.save(make("Vote", ["issue": 1, "user": user, "up": up]))
        }
        #expect(try count("Issue") == 1 && count("Vote") == 2)
        #expect(try store.first(schema("Vote"), identity: 1, "a")?["up", as: Bool.self] == false)
    }

    @Test func rowsNeedNoTransformersOfJSON() throws {
        let issues = try JSONAdapter(schema: schema("Issue"), registry: registry)
        try store.import(#"{"number": 1, "updated_at": 1000.5, "state": "open"}"#, using: issues)
        let date = Date(timeIntervalSince1970: 1_000.5)
        #expect(try issue(1)["updatedAt", as: Date.self] == date)
        let query = try ModelQuery<DynamicModel>(
            schema: schema("Issue"), where: Key("updatedAt") == date && Key("state") == "open")
        #expect(try store.count(query) == 1)
    }

    @Test func relationshipsToOneAndManyComeBack() throws {
        let (ada, bob) = (try user(1, "ada"), try user(2, "bob"))
        let labels = try ["b", "a"].map { try make("Label", ["name": $0, "color": "red"]) }
        let model = try make(
            "Issue",
            ["number": 1, "assignee": ada, "labels": labels, "watchers": [ada, bob], "roles": ["author": bob]])
        try store.save(model)
        #expect(try issue(1) == model)
        #expect(try count("User") == 2 && count("Label") == 2)
    }

    @Test func aRowKnowsTheSchemaOfItsModel() throws {
        try store.save([make("Bug", ["number": 1, "severity": 3]), make("Issue", ["number": 2])])
        #expect(try store.fetch(ModelQuery(schema: schema("Issue"))).map(\.schema.name) == ["Bug", "Issue"])
        #expect(try count("Bug") == 1)
    }

    @Test func policiesMergeADocumentIntoItsRow() throws {
        try store.save(make("Issue", ["number": 1, "title": "a", "votes": 5, "state": "open"]))
        let issues = try JSONAdapter(schema: schema("Issue"), registry: registry)
        try store.import(#"{"number": 1, "title": null, "votes": 3}"#, using: issues)
        let found = try issue(1)
        #expect(try found.state(of: "title") == .null)
        #expect(found["votes", as: Int.self] == 5 && found["state", as: String.self] == "open")
    }

    @Test func cyclesAndSharedModelsComeBack() throws {
        let (one, two) = (try make("Issue", ["number": 1]), try make("Issue", ["number": 2]))
        let ada = try user(1, "ada")
        one["blockedBy"] = [two, one]
        two["blockedBy"] = [one]
        for issue in [one, two] { issue["assignee"] = ada }
        defer { one["blockedBy"] = [DynamicModel]() }
        try store.save(one)
        let found = try issue(1)
        let related = try #require(found["blockedBy", as: [DynamicModel].self])
        defer { found["blockedBy"] = [DynamicModel]() }
        #expect(related[1] === found)
        #expect(related[0]["assignee", as: DynamicModel.self] === found["assignee", as: DynamicModel.self])
    }

    @Test func rulesDecideWhatMayComeIntoARow() throws {
        let issues = try JSONAdapter(schema: schema("Issue"), registry: registry)
        try store.import(#"{"number": 1, "title": "a"}"#, using: issues)
        let error = #expect(throws: ModelError.self) {
            try store.import(#"[{"number": 2}, {"number": 1, "title": ""}]"#, using: issues)
        }
        #expect(error?.code == .ruleBroken && error?.pointer?.description == "/1/title")
        #expect(try count("Issue") == 1 && issue(1)["title", as: String.self] == "a")
    }

    @Test func anyThreadMayUseAStore() async throws {
        let (registry, store) = (registry, store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    let schema = try registry.schema(named: "Issue")
                    for number in 0..<10 {
                        let issue = DynamicModel(schema: schema, registry: registry)
                        issue["number"] = task * 10 + number
                        try store.save(issue)
                        _ = try store.count(ModelQuery(schema: schema))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try count("Issue") == 40)
    }

    @Test func errorsHaveACodeAndAPointer() throws {
        let error = #expect(throws: ModelError.self) {
            try store.save(make("Issue", ["number": 1, "assignee": make("User", ["login": "a"])]))
        }
        #expect(error?.code == .missingProperty && error?.pointer?.description == "/0/assignee")
        let other = #expect(throws: ModelError.self) {
            try store.save([make("Label", ["name": "a", "color": "x"]), make("Label", ["name": "a", "color": "y"])])
        }
        #expect(other?.code == .conflict && other?.pointer?.description == "/1")
    }

    // MARK: Defects

    @Test func relationshipsThatAreClearedAreClearedInTheRow() throws {
        let model = try make(
            "Issue", ["number": 1, "assignee": user(1, "ada"), "labels": [make("Label", ["name": "a"])]])
        try store.save(model)
        for key in ["assignee", "labels"] { try model.setValue(nil, forKey: key) }
        try store.save(model)
        for key in ["assignee", "labels"] { #expect(try issue(1).state(of: key) == .null) }
        #expect(try count("User") == 1)
    }

    @Test func aRefusedModelLeavesTheRowsAsTheyWere() throws {
        let before = try make("Issue", ["number": 1, "title": "old"])
        try store.save(before)
        let after = try make("Issue", ["number": 1, "title": "new", "assignee": make("User", ["login": "nobody"])])
        #expect(throws: ModelError.self) { try store.save([make("Issue", ["number": 2]), after]) }
        #expect(try count("Issue") == 1 && issue(1) == before)
    }

    @Test func modelsWithoutAnIdentityAreNeverOneRow() throws {
        for title in ["a", "b"] {
            let error = #expect(throws: ModelError.self) { try store.save(make("Issue", ["title": title])) }
            #expect(error?.code == .missingProperty)
        }
        #expect(try count("Issue") == 0)
    }

    @Test func relatedModelsComeWithOneStatementForEachLevel() throws {
        let users = try (0..<5).map { try user($0, "u\($0)") }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.store")
        let store = try ModelStore(at: file, registry: registry)
        try store.save((0..<100).map { try make("Issue", ["number": $0, "assignee": users[$0 % 5]]) })
        let connection = try SQLiteConnection(file.path, .reading, busyTimeout: .zero)
        let before = connection.statementCount
        let access = _ConnectedStore(registry: registry, tables: store.tables, connection: connection)
        let found = try access.fetch(ModelQuery<DynamicModel>(schema: schema("Issue"), including: .all))
        // Two more begin and end the reading of one state.
        #expect(connection.statementCount - before == 2 + 2)
        let assignees = found.compactMap { $0["assignee", as: DynamicModel.self] }
        #expect(assignees.count == 100 && Set(assignees.map { ObjectIdentifier($0) }).count == 5)
    }

    @Test func twoStoresThatRaceMakeOneRow() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.store")
        let registry = registry
        try await withThrowingTaskGroup(of: Void.self) { group in
            for title in ["a", "b", "c"] {
                group.addTask {
                    let store = try ModelStore(at: file, registry: registry, options: .patient)
                    for number in 0..<20 {
                        let issue = DynamicModel(schema: try registry.schema(named: "Issue"), registry: registry)
                        issue["number"] = number
                        issue["title"] = title
                        try store.save(issue)
                    }
                }
            }
            try await group.waitForAll()
        }
        let store = try ModelStore(at: file, registry: registry)
        #expect(try store.count(ModelQuery(schema: schema("Issue"))) == 20)
    }

    @Test func equalModelsOfOneRelationshipStaySeveral() throws {
        let related = try (1...3).map { try make("Issue", ["number": $0, "title": "same"]) }
        try store.save(make("Issue", ["number": 9, "blockedBy": related]))
        #expect(try issue(9)["blockedBy", as: [DynamicModel].self]?.count == 3)
        #expect(try count("Issue") == 4)
    }

    @Test func oneClassServesJSONAndTheStore() throws {
        let issues = try JSONAdapter(schema: schema("Issue"), registry: registry)
        let document: JSONValue = ["number": 1, "html_url": "https://a.org/1", "state": "open"]
        try store.save(issues.model(from: document))
        let open = try store.fetch(ModelQuery<DynamicModel>(schema: schema("Issue"), where: Key("state") == "open"))
        #expect(try issues.jsonValue(from: open[0]) == document)
    }
}
