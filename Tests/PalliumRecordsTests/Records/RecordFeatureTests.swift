import Foundation
import Pallium
import Testing

@testable import PalliumRecords

/// What Mantle's adapter for managed objects does, done by ``RecordAdapter``.
struct RecordFeatureTests {
    private let world: RecordWorld

    init() throws { world = try RecordWorld() }

    // 1: entity names.
    @Test func theEntityIsTheSchemaOrTheOneOfTheMapping() throws {
        try world.adapter.write([world.user(1, "ada"), world.make("Label", ["name": "bug"])], to: world.context)
        #expect(world.context.records.map(\.recordEntity) == ["CDUser", "Label"])
        #expect(try world.read(world.context.records).map(\.schema.name) == ["User", "Label"])
    }

    // 2: keys.
    @Test func storageRulesAndTheKeyMapSayWhatRecordsHold() throws {
        let record = try world.write(
            world.make(
                "Issue", ["number": 1, "htmlURL": URL(string: "https://a.org/1")!, "notes": "mine", "token": "secret"]))
        #expect(record["link"] == .string("https://a.org/1"))
        #expect(record["notes"] == .string("mine"))
        let found = try #require(try world.read([record]).first)
        #expect(found["htmlURL", as: URL.self]?.absoluteString == "https://a.org/1")
        #expect(found["notes", as: String.self] == "mine" && found["token", as: String.self] == nil)
    }

    @Test(
        arguments: [
            (["Isue": RecordMapping()], ModelError.Code.unknownSchema, "Issue"),
            (["Issue": RecordMapping(keys: ["titel": "t"])], .unknownKey, "title"),
            (
                ["User": RecordMapping(transformers: ["login": "EmptyTextAsNul"])], .unknownTransformer,
                "EmptyTextAsNull"
            ),
            (["User": RecordMapping(keys: ["login": "id"])], .conflict, nil),
            (["Issue": RecordMapping()], .notConvertible, nil),
            (["User": RecordMapping(dictionaryKeys: ["nmae": "x"])], .unknownKey, nil),
        ] as [([String: RecordMapping], ModelError.Code, String?)])
    func mappingsAreCheckedWhenTheAdapterIsMade(
        mappings: [String: RecordMapping], code: ModelError.Code, suggestion: String?
    ) throws {
        let error = #expect(throws: ModelError.self) {
            try RecordAdapter(registry: world.registry, mappings: mappings)
        }
        #expect(error?.code == code && error?.suggestion == suggestion, "\(error?.description ?? "")")
    }

    // 3: uniquing.
    @Test func anIdentityFindsItsRecord() throws {
        let first = try world.write(world.make("Issue", ["number": 7, "title": "a"]))
        let second = try world.write(world.make("Issue", ["number": 7, "title": "b"]))
        #expect(first === second && second["title"] == .string("b"))
        let votes = try [(1, "a"), (1, "b"), (2, "a")].map {
            try world.make("Vote", ["issue": $0.0, "user": $0.1, "value": 1])
        }
        let records = try world.adapter.write(votes, to: world.context)
        #expect(Set(records.map { ObjectIdentifier($0) }).count == 3)
        // A request for (1, "b") and (2, "a") also finds (1, "a").
        let again = try world.adapter.write([votes[2], votes[1]], to: world.context)
        #expect(again.map { ObjectIdentifier($0) } == [records[2], records[1]].map { ObjectIdentifier($0) })
        #expect(world.context.all("Vote").count == 3)
    }

    @Test func twoRecordsOfOneIdentityAreAnError() throws {
        for _ in 0..<2 { try world.context.add("Label", ["name": .string("bug")]) }
        let error = #expect(throws: ModelError.self) { try world.write(world.make("Label", ["name": "bug"])) }
        #expect(error?.code == .conflict && error?.pointer?.description == "/0")
    }

    // 4: value transformers.
    @Test func transformersConvertWhereAnAttributeHasAnotherType() throws {
        let issue = try world.issue(
            [
                "number": 1, "updatedAt": Date(timeIntervalSince1970: 1_000), "state": "open",
                "htmlURL": URL(string: "https://a.org/1")!, "tags": ["a", "b"],
            ])
        let record = try world.write(issue)
        #expect(record["updatedAt"] == .integer(1_000_000))
        #expect(record["state"] == .string("open"))
        #expect(record["tags"] == .string(#"["a","b"]"#))
        #expect(try world.read([record]) == [issue])
    }

    @Test func transformersConvertTheValuesThatFindARecord() throws {
        let registry = SchemaRegistry()
        try registry.register(ModelSchema("Day", ["at": .date.required, "note": .string], identity: ["at"]))
        let context = MemoryContext([
            "Day": RecordEntity(attributes: ["at": .integer(0), "note": .string("")])
        ])
        let adapter = try RecordAdapter(
            registry: registry, mappings: ["Day": RecordMapping(transformers: ["at": UnixMillisecondsTransformerName])])
        try context.add("Day", ["at": .integer(86_400_000)])
        let day = DynamicModel(schema: try registry.schema(named: "Day"), registry: registry)
        day["at"] = Date(timeIntervalSince1970: 86_400)
        day["note"] = "found"
        try adapter.write([day], to: context)
        #expect(context.records.count == 1 && context.records[0]["note"] == .string("found"))
    }

    // 5: relationships.
    @Test func modelsAreRelationships() throws {
        let (ada, bob) = (try world.user(1, "ada"), try world.user(2, "bob"))
        let labels = try ["b", "a", "c"].map { try world.make("Label", ["name": $0]) }
        let issue = try world.issue(
            [
                "number": 1, "assignee": ada, "labels": labels, "watchers": [bob, ada],
                "reviewers": ["first": labels[1], "second": labels[0]],
                "comments": [world.make("Comment", ["text": "x", "author": bob])],
            ])
        let record = try world.write(issue)
        #expect(record.all("assignee").map { $0["login"] } == [.string("ada")])
        #expect(record.all("labels").map { $0["name"] } == ["b", "a", "c"].map { .string($0) })
        #expect(Set(record.all("watchers").map { $0["id"] }) == [.integer(1), .integer(2)])
        #expect(record.all("reviewers").first { $0["role"] == .string("second") }?["name"] == .string("b"))
        #expect(world.context.all("CDUser").count == 2 && world.context.all("Label").count == 3)
        #expect(try world.read([record]) == [issue])
    }

    // 6: clusters.
    @Test func theEntityOfARecordChoosesTheClass() throws {
        let bug = try world.issue(["number": 1, "severity": 3], "Bug")
        let issue = try world.issue(["number": 2, "blockedBy": [bug]])
        let records = try world.adapter.write([issue], to: world.context)
        let found = try world.adapter.models(DynamicModel.self, from: records, in: world.context)
        #expect(found == [issue])
        #expect(found[0]["blockedBy", as: [DynamicModel].self]?[0].schema.name == "Bug")
        // An issue that is a bug stays one, and no issue can become one.
        try world.write(world.make("Issue", ["number": 1, "title": "a"]))
        #expect(world.context.all("Bug").first?["title"] == .string("a"))
        let error = #expect(throws: ModelError.self) {
            try world.write(world.make("Bug", ["number": 2, "severity": 1]))
        }
        #expect(error?.code == .typeMismatch && error?.pointer?.description == "/0")
        let other = #expect(throws: ModelError.self) {
            try world.adapter.models(RecordedUser.self, from: records, in: world.context)
        }
        #expect(other?.code == .typeMismatch && other?.pointer?.description == "/0")
    }

    // 7: merging.
    @Test func policiesMergeAModelIntoWhatItsRecordHas() throws {
        let first = try world.decode(
            "Issue",
            ["number": 1, "title": "a", "votes": 5, "tags": ["x"], "pinned": ["text": "keep"], "state": "open"])
        let record = try world.write(first)
        let pinned = record.all("pinned")
        let author: JSONValue = ["id": 1, "login": "ada"]
        try world.write(
            world.decode(
                "Issue",
                ["number": 1, "title": nil, "votes": 3, "tags": ["y"], "pinned": ["text": "b", "author": author]]))
        #expect(record["title"] == nil)
        #expect(record["votes"] == .integer(5))
        #expect(record["tags"] == .string(#"["x","y"]"#))
        #expect(record["state"] == .string("open"))
        #expect(record.all("pinned").map { ObjectIdentifier($0) } == pinned.map { ObjectIdentifier($0) })
        #expect(pinned[0]["text"] == .string("b") && pinned[0].all("author").count == 1)
        // The model is the caller's, and does not change.
        #expect(first["tags", as: [String].self] == ["x"])
    }

    @Test func policiesMergeRelationshipsByIdentity() throws {
        let issues = try (1...3).map { try world.make("Issue", ["number": $0]) }
        let record = try world.write(world.make("Issue", ["number": 9, "blockedBy": [issues[0], issues[1]]]))
        issues[1]["title"] = "changed"
        try world.write(world.make("Issue", ["number": 9, "blockedBy": [issues[1], issues[2]]]))
        #expect(record.all("blockedBy").map { $0["number"] } == [1, 2, 3].map { .integer($0) })
        #expect(record.all("blockedBy")[1]["title"] == .string("changed"))
    }

    // 8: identity map of a call.
    @Test func cyclesAndSharedModelsStayThemselvesInBothDirections() throws {
        let (one, two) = (try world.make("Issue", ["number": 1]), try world.make("Issue", ["number": 2]))
        let ada = try world.user(1, "ada")
        one["blockedBy"] = [two, one]
        two["blockedBy"] = [one]
        for issue in [one, two] { issue["assignee"] = ada }
        defer { one["blockedBy"] = [DynamicModel]() }
        let record = try world.write(one)
        #expect(world.context.records.count == 3)
        #expect(record.all("blockedBy")[1] === record)
        #expect(record.all("blockedBy")[0].all("blockedBy")[0] === record)
        let found = try world.read([record, record])
        let related = try #require(found[0]["blockedBy", as: [DynamicModel].self])
        defer { found[0]["blockedBy"] = [DynamicModel]() }
        #expect(found[0] === found[1] && related[1] === found[0])
        #expect(related[0]["assignee", as: DynamicModel.self] === found[0]["assignee", as: DynamicModel.self])
    }

    @Test func chainsOfAnyLengthNeedNoStack() throws {
        var last = try world.make("Issue", ["number": 0])
        for number in 1...20_000 { last = try world.make("Issue", ["number": number, "blockedBy": [last]]) }
        let record = try world.write(last)
        #expect(world.context.all("Issue").count == 20_001)
        #expect(try world.read([record]).first?["number", as: Int.self] == 20_000)
    }

    // 9: validation.
    @Test func rulesOfTheSchemaAndOfTheOwnerAreChecked() throws {
        func failure(_ values: [String: any PropertyValue]) throws -> String? {
            let model = try world.make("Issue", values)
            return #expect(throws: ModelError.self) { try world.write(model) }
                .map { "\($0.code) \($0.pointer?.description ?? "")" }
        }
        #expect(try failure(["number": 1, "title": ""]) == "ruleBroken /0/title")
        #expect(
            try failure(["number": 1, "comments": [world.make("Comment", [:])]]) == "missingProperty /0/comments/0/text"
        )
        world.context.refusesValue = { key, value in key == "title" && value == .string("refused") }
        #expect(try failure(["number": 1, "title": "refused"]) == "validationFailed /0/title")
        world.context.refusesRecord = { $0["title"] == nil ? "title" : nil }
        #expect(try failure(["number": 1]) == "validationFailed /0")
        #expect(world.context.records.isEmpty)
        let record = try world.write(world.make("Issue", ["number": 1, "title": "a"]))
        #expect(try failure(["number": 1, "title": ""]) == "ruleBroken /0/title")
        #expect(record["title"] == .string("a"))
        #expect(world.context.validations.map(\.isNew).last == true)
        try world.write(world.make("Issue", ["number": 1, "title": "b"]))
        #expect(world.context.validations.map(\.isNew).last == false)
    }

    // 10: queues.
    @Test func recordsAreUsedInsideOfTheirContextOnly() throws {
        let record = try world.write(world.make("Issue", ["number": 1, "assignee": world.user(1, "ada")]))
        _ = try world.read([record])
        #expect(throws: RecordFailure.outsideOfContext) { try record.setRecordValue(nil, for: "title") }
    }

    // 11: errors.
    @Test func errorsSayWhatIsWrongAndWhere() throws {
        let record = try world.write(world.make("Issue", ["number": 1, "assignee": world.user(1, "ada")]))
        func failure(_ body: () throws -> Void) -> String? {
            #expect(throws: ModelError.self) { try body() }.map { "\($0.code) \($0.pointer?.description ?? "")" }
        }
        let stranger = try world.context.add("Stranger", [:])
        #expect(failure { _ = try world.read([record, stranger]) } == "unknownModel /1")
        let user = world.context.all("CDUser")[0]
        world.context.performWithRecords { try? user.setRecordValue(nil, for: "login") }
        #expect(failure { _ = try world.read([record]) } == "missingProperty /0/assignee/login")
        let odd = try RecordAdapter(
            registry: world.registry,
            mappings: ["User": RecordMapping(entity: "CDUser", keys: ["login": "name"])])
        #expect(
            failure { _ = try odd.models(DynamicModel.self, from: [user], in: world.context) } == "hookFailed /0/login")
        #expect(
            failure { _ = try odd.write([world.user(1, "a")], to: world.context) } == "hookFailed /0/login")
        #expect(failure { _ = try odd.write([world.user(2, "a")], to: world.context) } == "validationFailed /0/login")
        let wrong = try RecordAdapter(
            registry: world.registry,
            mappings: ["User": RecordMapping(entity: "CDUser", keys: ["login": "id", "id": "login"])])
        #expect(
            failure { _ = try wrong.models(DynamicModel.self, from: [user], in: world.context) }
                == "typeMismatch /0/login")
        let foreign = try RecordWorld()
        #expect(failure { _ = try world.write(foreign.user(1, "a")) } == "unknownSchema /0")
    }
}

/// A class without a schema.
private final class RecordedUser: DynamicModel {}
