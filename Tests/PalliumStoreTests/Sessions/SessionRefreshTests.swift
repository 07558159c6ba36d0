import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// A refresh takes over what others have stored, writes nothing, and tells what changed.
struct SessionRefreshTests {
    private static let schemas = [
        ModelSchema("User", ["id": .integer.required, "login": .string], identity: ["id"], isObserved: true),
        ModelSchema(
            "Issue",
            [
                "number": .integer.required, "title": .string, "body": .string, "score": .integer.rules(.maximum(10)),
                "assignee": .model("User"), "related": .array(of: .model("Issue")),
            ],
            identity: ["number"], isObserved: true
        ).rules(.required(["body"], when: ["title": "long"])),
    ]

    private let scene: SessionWorld
    private let issues: [DynamicModel]

    init() throws {
        scene = try SessionWorld(schemas: Self.schemas)
        for number in 1...4 { try scene.put("Issue", ["number": .number(JSONNumber(number)), "title": "old"]) }
        issues = try scene.session.fetch(scene.world.query("Issue", order: [.descending("number")]))
    }

    @Test func whatChangedIsToldInTheOrderOfTheObjects() throws {
        for number in [1, 4, 2] {
            try scene.put(
                "Issue", ["number": .number(JSONNumber(number)), "title": "new", "body": "\(number)".json])
        }
        let changes = try scene.session.refresh()
        let numbers = changes.updated.compactMap { $0.model["number", as: Int.self] }
        #expect(numbers == [4, 2, 1])
        #expect(numbers.sorted() == [1, 2, 4])
        #expect(changes.updated.allSatisfy { $0.changes.keys == ["title", "body"] && $0.changes.kept.isEmpty })
        let four = try #require(changes.updated.first { $0.model === issues[0] })
        #expect(
            four.changes.description == "/title: \"old\" → \"new\" (taken)\n/body: nothing → \"4\" (taken)")
        #expect(changes.rows.isEmpty && changes.deleted.isEmpty)
        #expect(try scene.session.refresh().updated.isEmpty)
    }

    @Test func aRefreshWritesNothing() throws {
        issues[0]["title"] = "mine"
        try scene.put("Issue", ["number": 1, "title": "theirs"])
        let before = try (scene.rows(["Issue"]), scene.world.rows("PRAGMA data_version"))
        let changes = try scene.session.refresh()
        #expect(changes.rows.isEmpty)
        #expect(try scene.rows(["Issue"]) == before.0)
        #expect(scene.session.hasChanges)
    }

    @Test func rowsThatOthersDeletedAreTold() throws {
        issues[1]["title"] = "edited"
        for number in [3, 2] { try scene.remove("Issue", "number", number) }
        let changes = try scene.session.refresh()
        #expect(changes.deleted.count == 2 && changes.deleted[0] === issues[1] && changes.deleted[1] === issues[2])
        #expect(changes.updated.isEmpty)
        #expect(issues[1]["title", as: String.self] == "edited")
        #expect(issues[2]["title", as: String.self] == "old")
        // What was edited may be stored again.
        try scene.session.insert(issues[1])
        #expect(try scene.session.save().rows == StoreChanges(inserted: 1))
        #expect(try scene.document("Issue", 3) == ["number": 3, "title": "edited"])
        #expect(try scene.document("Issue", 2) == nil)
        #expect(try scene.object("Issue", 3) === issues[1])
    }

    @Test func anObjectWithoutEditsMayBeStoredAgainToo() throws {
        try scene.remove("Issue", "number", 1)
        #expect(try scene.session.refresh().deleted.count == 1)
        #expect(try scene.session.save().rows.isEmpty)
        try scene.session.insert(issues[3])
        #expect(scene.session.hasChanges)
        #expect(try scene.session.save().rows == StoreChanges(inserted: 1))
    }

    @Test func whatOthersDeletedMayBeDeletedOrRevertedToo() throws {
        for issue in issues[0...1] { issue["title"] = "edited" }
        for number in [4, 3, 2] { try scene.remove("Issue", "number", number) }
        try scene.session.refresh()
        try scene.session.delete(issues[2])
        try scene.session.insert(issues[1])
        scene.session.revert()
        #expect(!scene.session.hasChanges)
        #expect(issues[0]["title", as: String.self] == "old")
        #expect(issues[1]["title", as: String.self] == "old")
        #expect(try scene.session.save().rows.isEmpty)
    }

    /// What others change in an object that the session has deleted is there when the deletion is taken back.
    @Test func anObjectThatWasDeletedIsBroughtUpToDateToo() throws {
        try scene.session.delete(issues[3])
        try scene.put("Issue", ["number": 1, "title": "theirs"])
        try scene.session.refresh()
        scene.session.revert()
        #expect(issues[3]["title", as: String.self] == "theirs")
        try scene.session.refresh()
        #expect(issues[3]["title", as: String.self] == "theirs")
    }

    /// A save that finds the row gone says so; a refresh then knows, and the object can be inserted.
    @Test func anObjectWhoseRowIsGoneMayBeInsertedAfterARefresh() throws {
        issues[0]["title"] = "mine"
        try scene.remove("Issue", "number", 4)
        let error = #expect(throws: ModelError.self) { try scene.session.save() }
        #expect(error?.code == .conflict)
        #expect(try scene.session.refresh().deleted.count == 1)
        try scene.session.insert(issues[0])
        #expect(try scene.session.save().rows == StoreChanges(inserted: 1))
        #expect(try scene.document("Issue", 4)?["title"] == "mine")
    }

    @Test func observersHearOnceOfARefresh() throws {
        try scene.put("Issue", ["number": 1, "assignee": ["id": 1, "login": "ada"]])
        try scene.session.refresh()
        _ = try scene.session.first(scene.world.schema("Issue"), identity: 1, including: .all)
        var (heard, states): ([String], [String]) = ([], [])
        let user = try scene.object("User", 1)
        let observations = try [issues[2], issues[3]].map { [issues] issue in
            try issue.observe {
                heard.append("\(issue["number", as: Int.self] ?? 0): \($0.keys.joined(separator: " "))")
                // All objects are in place before anybody hears of one.
                states.append(
                    [issues[2]["title", as: String.self], user["login", as: String.self]].map { $0 ?? "" }
                        .joined(separator: " "))
            }
        }
        let path = try issues[3].observe("assignee.login") { heard.append("\($0)") }
        try scene.put("Issue", ["number": 2, "title": "two", "body": "b"])
        try scene.put("Issue", ["number": 1, "title": "one", "body": "c", "assignee": ["id": 1, "login": "grace"]])
        try scene.session.refresh()
        #expect(
            heard.sorted() == ["/assignee/login: \"ada\" → \"grace\"", "1: title body", "2: title body"],
            "\(heard)")
        #expect(states == ["two grace", "two grace"])
        try scene.session.refresh()
        #expect(heard.count == 3)
        (observations + [path]).forEach { $0.cancel() }
    }

    @Test func observersHearOnceOfAFetchAndOfASave() throws {
        var heard: [String] = []
        let observation = try issues[3].observe { heard.append($0.keys.joined(separator: " ")) }
        defer { observation.cancel() }
        try scene.put("Issue", ["number": 1, "title": "a", "body": "b"])
        _ = try scene.object("Issue", 1)
        #expect(heard == ["title body"])
        try scene.put("Issue", ["number": 1, "title": "c", "body": "d"])
        issues[3]["score"] = 1
        try scene.session.save()
        #expect(heard == ["title body", "score", "title body"])
        // What a save has only written is no change of the object.
        issues[3]["score"] = 2
        try scene.session.save()
        #expect(heard == ["title body", "score", "title body", "score"])
    }

    /// A rule that neither the edit nor the row breaks, but both together.
    @Test func aRuleThatRefusesLeavesEveryObjectAsItWas() throws {
        try scene.put("Issue", ["number": 1, "title": "old", "body": "b"])
        try scene.session.refresh()
        issues[3]["title"] = "long"
        try scene.put("Issue", ["number": 1, "title": "old"])
        try scene.put("Issue", ["number": 4, "title": "theirs"])
        let before = try (issues.map(scene.json), scene.rows(["Issue"]))
        var heard = 0
        let observations = try issues.map { try $0.observe { _ in heard += 1 } }
        for call in [
            { _ = try scene.session.save() }, { _ = try scene.objects("Issue") },
            { _ = try scene.session.refresh() },
        ] as [() throws -> Void] {
            let error = #expect(throws: ModelError.self, performing: call)
            #expect(error?.code == .ruleBroken, "\(error?.description ?? "")")
            #expect(try issues.map(scene.json) == before.0)
            #expect(try scene.rows(["Issue"]) == before.1)
            #expect(heard == 0)
        }
        observations.forEach { $0.cancel() }
        issues[3]["body"] = "mine"
        #expect(try scene.session.save().rows.updated == 1)
        #expect(try scene.document("Issue", 1) == ["number": 1, "title": "long", "body": "mine"])
    }
}

extension String {
    fileprivate var json: JSONValue { .string(self) }
}
