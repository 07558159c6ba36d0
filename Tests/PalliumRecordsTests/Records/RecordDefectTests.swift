import Foundation
import ModelTestSupport
import Pallium
import PalliumStore
import Testing

@testable import PalliumRecords

/// What goes wrong in Mantle's adapter for managed objects, and does not here.
struct RecordDefectTests {
    private let world: RecordWorld

    init() throws { world = try RecordWorld() }

    @Test func aRelationshipThatIsClearedIsClearedInTheRecord() throws {
        let labels = try ["a", "b"].map { try world.make("Label", ["name": $0]) }
        let issue = try world.make(
            "Issue",
            [
                "number": 1, "assignee": world.user(1, "ada"), "labels": labels,
                "comments": [world.make("Comment", ["text": "x"])],
            ])
        let record = try world.write(issue)
        for key in ["assignee", "labels", "comments"] { try issue.setValue(nil, forKey: key) }
        try world.write(issue)
        for key in ["assignee", "labels", "comments"] { #expect(record.all(key).isEmpty, "\(key)") }
        #expect(world.context.all("CDUser").count == 1 && world.context.all("Label").count == 2)
        // A comment belongs to its issue.
        #expect(world.context.all("Comment").isEmpty)
    }

    /// Each of the values that is set, and each record that is checked, is refused once.
    @Test func whateverIsRefusedLeavesAllRecordsAsTheyWere() throws {
        let ada = try world.user(1, "ada")
        try world.write(
            world.make(
                "Issue",
                ["number": 1, "title": "old", "assignee": ada, "comments": [world.make("Comment", ["text": "x"])]]))
        let before = world.snapshot()
        func change() throws -> DynamicModel {
            try world.make(
                "Issue",
                [
                    "number": 1, "title": "new", "votes": 3, "assignee": world.user(2, "bob"),
                    "labels": [world.make("Label", ["name": "a"])], "comments": [DynamicModel](),
                    "blockedBy": [world.make("Issue", ["number": 2])],
                ])
        }
        var refusals = 0
        for limit in 0... {
            var count = 0
            world.context.refusesValue = { _, _ in
                count += 1
                return count == limit + 1
            }
            world.context.refusesRecord = { _ in
                count += 1
                return count == limit + 1 ? "" : nil
            }
            do { try world.write(change()) } catch {
                #expect((error as? ModelError)?.code == .validationFailed)
                #expect(world.snapshot() == before, "\(limit): \(error)")
                refusals += 1
                continue
            }
            break
        }
        #expect(refusals > 8)
        #expect(world.snapshot() != before)
    }

    @Test func modelsWithoutAValueOfTheirIdentityAreNotMerged() throws {
        try world.context.add("Issue", ["title": .string("nobody's")])
        let before = world.snapshot()
        func failure(_ models: [DynamicModel]) -> String? {
            #expect(throws: ModelError.self) { try world.adapter.write(models, to: world.context) }
                .map { "\($0.code) \($0.pointer?.description ?? "")" }
        }
        let nameless = try world.make("Issue", ["title": "a"])
        #expect(failure([try world.make("Issue", ["number": 1]), nameless]) == "missingProperty /1/number")
        #expect(
            failure([try world.make("Issue", ["number": 2, "blockedBy": [nameless]])])
                == "missingProperty /0/blockedBy/0/number")
        #expect(failure([try world.make("Vote", ["issue": 1])]) == "missingProperty /0/user")
        #expect(world.snapshot() == before)
    }

    @Test func allModelsAreFoundByOneRequestForEachEntity() throws {
        let users = try (0..<50).map { try world.user($0, "u\($0)") }
        let issues = try (0..<1_000).map {
            try world.make(
                "Issue",
                [
                    "number": $0, "assignee": users[$0 % 50], "blockedBy": [world.make("Issue", ["number": 0])],
                    "watchers": Array(users[0..<3]),
                ])
        }
        try world.adapter.write(issues, to: world.context)
        #expect(world.context.requests == ["Issue", "CDUser"])
        #expect(world.context.records.count == 1_050)
        // Nothing is set that is the same.
        world.context.writeCount = 0
        try world.adapter.write(issues, to: world.context)
        #expect(world.context.requests.count == 4 && world.context.writeCount == 0)
    }

    @Test func writersThatRaceMakeOneRecord() async throws {
        let (registry, adapter) = (world.registry, world.adapter)
        // Its lock keeps the threads apart.
        nonisolated(unsafe) let context = world.context
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<50 {
                        let issue = DynamicModel(schema: try registry.schema(named: "Issue"), registry: registry)
                        issue["number"] = number
                        issue["votes"] = task
                        try adapter.write([issue], to: context)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(context.records.count == 50)
        #expect(context.records.allSatisfy { $0["votes"] == .integer(7) })
    }

    @Test func equalChildrenDoNotBecomeOne() throws {
        let comments = try (0..<3).map { _ in try world.make("Comment", ["text": "same"]) }
        let labels = try ["a", "b"].map { try world.make("Label", ["name": $0, "color": "red"]) }
        let issue = try world.issue(["number": 1, "comments": comments, "labels": labels])
        let record = try world.write(issue)
        #expect(record.all("comments").count == 3 && record.all("labels").count == 2)
        #expect(try world.read([record]) == [issue])
        // What a relationship cannot have is an error, not a loss.
        let twice = try world.make("Issue", ["number": 2, "labels": [labels[0], labels[0]]])
        let error = #expect(throws: ModelError.self) { try world.write(twice) }
        #expect(error?.code == .notConvertible && error?.pointer?.description == "/0/labels/1")
    }

    @Test func oneDescriptionServesJSONAndRecordsAndTheStoreHasQueries() throws {
        let issue = try world.decode("Issue", ["number": 1, "title": "a", "state": "open"])
        let found = try world.read([world.write(issue)])
        #expect(found[0]["title", as: String.self] == "a" && found[0]["state", as: String.self] == "open")
        let store = try ModelStore(at: nil, registry: world.registry)
        try store.save(found)
        let query = ModelQuery(schema: try world.registry.schema(named: "Issue"), where: Key("state") == "open")
        #expect(try store.count(query) == 1)
    }
}
