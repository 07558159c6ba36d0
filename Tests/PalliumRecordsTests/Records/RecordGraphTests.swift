import Foundation
import Pallium
import Testing

@testable import PalliumRecords

/// What becomes of the models of a graph and of the records that were there before.
struct RecordGraphTests {
    private let world: RecordWorld

    init() throws { world = try RecordWorld() }

    private func failure(_ body: () throws -> Void) -> String? {
        #expect(throws: ModelError.self) { try body() }.map { "\($0.code) \($0.pointer?.description ?? "")" }
    }

    @Test func aModelWithNothingButItsIdentityRefersToItsRecord() throws {
        let label = try world.write(world.make("Label", ["name": "bug", "color": "red"]))
        let user = try world.write(world.user(1, "ada"))
        let issue = try world.make(
            "Issue",
            [
                "number": 1, "assignee": world.make("User", ["id": 1]),
                "labels": [world.make("Label", ["name": "bug"]), world.make("Label", ["name": "new"])],
            ])
        let record = try world.write(issue)
        #expect(record.all("assignee")[0] === user && record.all("labels")[0] === label)
        #expect(user["login"] == .string("ada") && label["color"] == .string("red"))
        #expect(record.all("labels")[1]["name"] == .string("new"))
        #expect(
            failure { try world.write(world.make("Issue", ["number": 2, "assignee": world.make("User", ["id": 9])])) }
                == "missingProperty /0/assignee/login")
        // Beside the model itself it says nothing, wherever it stands.
        try world.adapter.write(
            [world.make("Label", ["name": "a"]), world.make("Label", ["name": "a", "color": "blue"])], to: world.context
        )
        #expect(world.context.all("Label").last?["color"] == .string("blue"))
    }

    @Test func whatIsUnsetOrADefaultKeepsWhatTheRecordHas() throws {
        let record = try world.write(
            world.make("Issue", ["number": 1, "title": "a", "votes": 5, "assignee": world.user(1, "ada")]))
        try world.write(world.decode("Issue", ["number": 1, "state": "open"]))
        #expect(record["title"] == .string("a") && record["votes"] == .integer(5) && record.all("assignee").count == 1)
        let fresh = try world.write(world.decode("Issue", ["number": 2]))
        #expect(fresh["votes"] == .integer(0))
        // A record without a value has the default, too.
        world.context.performWithRecords { try? fresh.setRecordValue(nil, for: "votes") }
        #expect(try world.read([fresh]).first?.state(of: "votes") == .defaulted)
        world.context.writeCount = 0
        try world.write(world.decode("Issue", ["number": 2]))
        #expect(world.context.writeCount == 0)
        // What the record lacks may come with the model.
        let half = try world.context.add("CDUser", ["id": .integer(7)])
        try world.write(world.user(7, "bob"))
        #expect(half["login"] == .string("bob"))
    }

    @Test func modelsAndRecordsThatContradictThemselvesAreErrors() throws {
        let labels = try ["red", "blue"].map { try world.make("Label", ["name": "a", "color": $0]) }
        #expect(failure { try world.adapter.write(labels, to: world.context) } == "conflict /1")
        let same = try world.make("Label", ["name": "a"])
        #expect(
            failure { try world.write(world.make("Issue", ["number": 1, "reviewers": ["x": same, "y": same]])) }
                == "notConvertible /0/reviewers/1")
        let issues = try ["x", "y"].enumerated().map {
            try world.make("Issue", ["number": $0.offset, "reviewers": [$0.element: same]])
        }
        #expect(failure { try world.adapter.write(issues, to: world.context) } == "conflict /1/reviewers/y")
        #expect(world.context.records.isEmpty)
        let records = try (0..<2).map {
            try world.context.add("Label", ["name": .string("\($0)"), "role": .string("x")])
        }
        let issue = try world.context.add("Issue", ["number": .integer(1)], ["reviewers": records])
        #expect(failure { _ = try world.read([issue]) } == "conflict /0/reviewers/1")
        world.context.performWithRecords { try? records[0].setRecordValue(nil, for: "role") }
        #expect(failure { _ = try world.read([issue]) }?.hasPrefix("typeMismatch /0/reviewers/") == true)
    }

    @Test func keysOfDictionariesMayBePropertiesOfTheirModels() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Label", ["name": .string.required], identity: ["name"]),
            ModelSchema(
                "Board", ["id": .integer.required, "labels": .dictionary(of: .model("Label"))], identity: ["id"]))
        let context = MemoryContext([
            "Label": RecordEntity(attributes: ["name": .string("")]),
            "Board": RecordEntity(attributes: ["id": .integer(0)], relationships: ["labels": .unordered]),
        ])
        let adapter = try RecordAdapter(
            registry: registry, mappings: ["Board": RecordMapping(dictionaryKeys: ["labels": "name"])])
        let boards = try JSONAdapter(schema: registry.schema(named: "Board"), registry: registry)
        let board = try boards.model(from: ["id": 1, "labels": ["a": ["name": "a"]]] as JSONValue)
        let records = try adapter.write([board], to: context)
        #expect(try adapter.models(DynamicModel.self, from: records, in: context) == [board])
        let odd = try boards.model(from: ["id": 1, "labels": ["b": ["name": "c"]]] as JSONValue)
        #expect(failure { try adapter.write([odd], to: context) } == "conflict /0/labels/b")
        #expect(context.all("Label").map { $0["name"] } == [.string("a")])
    }

    @Test func oneEntityMayServeSeveralSchemas() throws {
        let registry = SchemaRegistry()
        let summary = ModelSchema("Summary", ["number": .integer.required], identity: ["number"])
        try registry.register(
            summary, ModelSchema("Long", ["title": .string], extends: "Summary"),
            ModelSchema("Issue", ["number": .integer.required, "title": .string], identity: ["number"]),
            ModelSchema("List", ["all": .array(of: .model("Summary"))]))
        let context = MemoryContext([
            "Issue": RecordEntity(attributes: ["number": .integer(0), "title": .string("")]),
            "List": RecordEntity(relationships: ["all": .ordered]),
        ])
        let adapter = try RecordAdapter(
            registry: registry,
            mappings: ["Summary": RecordMapping(entity: "Issue"), "Long": RecordMapping(entity: "Issue")])
        let record = try context.add("Issue", ["number": .integer(1), "title": .string("a")])
        let list = try context.add("List", [:], ["all": [record]])
        let found = try adapter.models(DynamicModel.self, from: [list], in: context)
        #expect(found[0]["all", as: [DynamicModel].self]?.first?.schema == summary)
        #expect(
            failure { _ = try adapter.models(DynamicModel.self, from: [record], in: context) } == "conflict /0")
        let model = try DynamicModel(schema: summary, values: ["number": 1], registry: registry)
        #expect(try adapter.write([model], to: context).first === record)
    }

    @Test func policiesAndRulesSeeWhatARecordHas() throws {
        struct NoVotes: Error {}
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Label", ["name": .string.required], identity: ["name"]),
            ModelSchema(
                "Issue",
                [
                    "number": .integer.required, "title": .string.merge(.keep), "votes": .integer.default(0),
                    "labels": .array(of: .model("Label")).merge(.keep), "all": .array(of: .model("Label")).required,
                ],
                identity: ["number"]
            ).validate { if $0["votes", as: Int.self] == nil { throw NoVotes() } })
        let context = MemoryContext([
            "Label": RecordEntity(attributes: ["name": .string("")]),
            "Issue": RecordEntity(
                attributes: ["number": .integer(0), "title": .string(""), "votes": .integer(0)],
                relationships: ["labels": .ordered, "all": .ordered]),
        ])
        let adapter = try RecordAdapter(registry: registry)
        let issues = try JSONAdapter(schema: registry.schema(named: "Issue"), registry: registry)
        let record = try context.add("Issue", ["number": .integer(1)])
        // What a record does not have is not kept, and a default counts.
        for name in ["a", "b"] {
            let document: JSONValue = [
                "number": 1, "title": .string(name), "labels": [["name": .string(name)]], "all": [],
            ]
            try adapter.write([issues.model(from: document)], to: context)
            #expect(record["title"] == .string("a") && record["votes"] == nil)
            #expect(record.all("labels").map { $0["name"] } == [.string("a")])
        }
        // A required relationship without records is an empty one.
        let part = DynamicModel(schema: try registry.schema(named: "Issue"), registry: registry)
        part["number"] = 1
        part["votes"] = 5
        try adapter.write([part], to: context)
        #expect(record["votes"] == .integer(5))
    }

    @Test func modelsOfTheCallerDoNotChange() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(
                "Folder", ["id": .integer.required, "files": .array(of: .model("File")).inverse("folder")],
                identity: ["id"]),
            ModelSchema(
                "File",
                [
                    "name": .string.validate { (name: inout String?, _) in name = name?.uppercased() },
                    "folder": .model("Folder").weak,
                ]))
        let context = MemoryContext([
            "Folder": RecordEntity(attributes: ["id": .integer(0)], relationships: ["files": .ordered]),
            "File": RecordEntity(attributes: ["name": .string("")]),
        ])
        let adapter = try RecordAdapter(registry: registry)
        let file = DynamicModel(schema: try registry.schema(named: "File"), registry: registry)
        file["name"] = "a"
        let folder = DynamicModel(schema: try registry.schema(named: "Folder"), registry: registry)
        folder["id"] = 1
        folder["files"] = [file]
        for _ in 0..<2 {
            let record = try #require(try adapter.write([folder], to: context).first as? MemoryRecord)
            #expect(record.all("files").map { $0["name"] } == [.string("A")])
            #expect(file["name", as: String.self] == "a" && file["folder", as: DynamicModel.self] === folder)
            let found = try adapter.models(DynamicModel.self, from: [record], in: context)
            let read = try #require(found[0]["files", as: [DynamicModel].self]?.first)
            #expect(read["folder", as: DynamicModel.self] === found[0])
        }
    }

    /// Models that form cycles keep one another.
    @Test func whatACallMakesForItselfIsReleased() throws {
        weak var registry: SchemaRegistry?
        do {
            let world = try RecordWorld()
            registry = world.registry
            let (one, two) = (try world.make("Issue", ["number": 1]), try world.make("Issue", ["number": 2]))
            one["blockedBy"] = [two]
            two["blockedBy"] = [one]
            defer { one["blockedBy"] = [DynamicModel]() }
            try world.write(one)
            try world.write(one)
            let user = try world.context.add("CDUser", ["id": .integer(1)])
            let record = world.context.all("Issue")[0]
            world.context.performWithRecords { try? record.setRelatedRecords([user], for: "assignee") }
            #expect(failure { _ = try world.read([record]) } == "missingProperty /0/assignee/login")
        }
        #expect(registry == nil)
    }

    @Test func aContextThatDoesNotCallIsAnError() throws {
        final class Silent: ModelRecordContext {
            func performWithRecords(_ body: () -> Void) {}
            func insertRecord(of entity: String) throws -> any ModelRecord { throw RecordFailure.unknownEntity(entity) }
            func findRecords(
                of entity: String, where keys: [String], in rows: [[RecordValue]], relationships: [String]
            ) throws -> [any ModelRecord] { [] }
            func deleteRecord(_ record: any ModelRecord) {}
        }
        #expect(failure { try world.adapter.write([], to: Silent()) } == "hookFailed ")
    }
}
