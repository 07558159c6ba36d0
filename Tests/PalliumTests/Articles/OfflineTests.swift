import Foundation
import Pallium
import PalliumStore
import TestSupport
import Testing

/// Runs the program of the article about work without a network, end to end.
@Suite struct OfflineTests {
    /// A server with issues as documents, which merges the patches that it gets.
    private final class Server {
        var issues: [Int: JSONValue]
        private(set) var patches: [String] = []

        init(_ issues: [Int: JSONValue]) { self.issues = issues }

        var page: Data {
            Data(JSONValue.array(issues.sorted { $0.key < $1.key }.map(\.value)).description.utf8)
        }

        func patch(_ number: Int, _ body: Data) throws -> Data {
            patches.append(String(decoding: body, as: UTF8.self))
            let changed = JSONMergePatch(try JSONValue(parsing: body)).applied(to: issues[number] ?? [:])
            issues[number] = changed
            return Data(changed.description.utf8)
        }
    }

    private let folder: TemporaryFolder
    private let registry = SchemaRegistry()
    private let server = Server([
        1: ["number": 1, "title": "Crash", "state": "open", "votes": 5, "assignee": ["id": 7, "login": "ada"]],
        2: ["number": 2, "title": "Slow", "state": "open", "votes": 9, "assignee": ["id": 7, "login": "ada"]],
    ])

    init() throws {
        folder = try TemporaryFolder()
        try registry.register(OfflineSchemas.user, OfflineSchemas.issue, OfflineSchemas.draft)
    }

    private func open() throws -> OfflineTracker {
        try OfflineTracker(file: folder.url.appendingPathComponent("issues.store"), registry: registry)
    }

    private func titles(_ tracker: OfflineTracker) throws -> [String] {
        try tracker.issues().map { $0["title", as: String.self] ?? "" }
    }

    @Test func editsSurviveTheServerTheEndOfTheProgramAndAreSent() throws {
        var tracker = try open()
        #expect(try tracker.receive(server.page).isEmpty)
        #expect(try titles(tracker) == ["Slow", "Crash"])
        let assignees = try tracker.issues().map { $0["assignee", as: DynamicModel.self] }
        #expect(assignees[0] === assignees[1] && assignees[0] != nil)

        // Without a network.
        try tracker.edit(1) { $0["title"] = "Crash on launch" }
        try tracker.edit(2) { $0["state"] = "closed" }

        // The program ends, and begins again.
        tracker = try open()
        #expect(try titles(tracker) == ["Slow", "Crash on launch"])

        // The server has a new title, too, which is a conflict, and more votes, which are not.
        server.issues[1] = ["number": 1, "title": "Crash!", "state": "open", "votes": 12, "assignee": ["id": 7]]
        server.issues[3] = ["number": 3, "title": "New", "state": "open", "votes": 0]
        let conflicts = try tracker.receive(server.page)
        #expect(conflicts.map(\.description) == [#"/title: "Crash on launch" → "Crash!" (kept, conflict)"#])
        #expect(try titles(tracker) == ["Crash on launch", "Slow", "New"])

        try tracker.synchronize(server.patch)
        #expect(server.patches == [#"{"title":"Crash on launch"}"#, #"{"state":"closed"}"#])
        #expect(server.issues[1]?["title"] == "Crash on launch" && server.issues[1]?["votes"] == 12)

        // Nothing is left to be sent, also after another start.
        tracker = try open()
        try tracker.synchronize { number, _ in
            Issue.record("a draft of \(number) is left")
            return Data()
        }
        #expect(try titles(tracker) == ["Crash on launch", "Slow", "New"])
        #expect(try tracker.issues(where: Key("state") == "closed").map { $0["number", as: Int.self] } == [2])
    }

    @Test func aServerThatFailsLosesNothing() throws {
        struct Offline: Error {}
        let tracker = try open()
        _ = try tracker.receive(server.page)
        try tracker.edit(1) { $0["title"] = "Crash on launch" }
        #expect(throws: Offline.self) { try tracker.synchronize { _, _ in throw Offline() } }
        #expect(try titles(open()) == ["Slow", "Crash on launch"])
        #expect(throws: OfflineTracker.UnknownIssue.self) { try tracker.edit(9) { _ in } }
    }
}
