import Foundation
import TestSupport

/// A folder with schemas that have identities, documents, and runs of the commands for stores in it.
struct StoreFolder {
    let folder: TemporaryFolder

    static let user = """
        {"name": "User", "identity": ["id"], "properties": {
          "id": {"kind": "integer", "required": true},
          "login": {"kind": "string", "index": "unique"}
        }}
        """
    static let issue = """
        {"name": "Issue", "identity": ["number"], "properties": {
          "number": {"kind": "integer", "required": true},
          "title": {"kind": "string"},
          "state": {"kind": "enumeration", "cases": ["open", "closed"], "index": "ordinary"},
          "updatedAt": {"kind": "date", "json": "updated_at"},
          "votes": {"kind": "integer", "merge": "max"},
          "labels": {"kind": "array", "of": {"kind": "string"}},
          "assignee": {"kind": "model", "model": "User"},
          "token": {"kind": "string", "labels": ["secret"]}
        }}
        """
    static let issues = """
        [{"number": 7, "title": "Crash", "state": "open", "updated_at": "2026-01-31T12:00:00Z", "votes": 3,
          "labels": ["bug", "ui"], "assignee": {"id": 1, "login": "ada"}},
         {"number": 8, "title": "5", "state": "closed", "updated_at": "2026-02-01T08:30:00Z", "token": "t"},
         {"number": 9, "title": null, "assignee": {"id": 2}}]
        """

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("S"), withIntermediateDirectories: false)
        try folder.write("S/User.json", Self.user)
        try folder.write("S/Issue.json", Self.issue)
        try folder.write("S/Loose.json", #"{"name": "Loose", "properties": {"name": {"kind": "string"}}}"#)
        try folder.write("issues.json", Self.issues)
    }

    /// Makes a folder whose store `a.store` has the issues.
    static func withIssues() async throws -> StoreFolder {
        let folder = try StoreFolder()
        _ = try await folder.run("import --schemas S --model Issue a.store issues.json")
        return folder
    }

    /// Runs a command for stores in the folder, with words and whole arguments.
    func run(_ words: String, _ arguments: [String] = [], input: String = "") async throws -> ToolRun {
        defer { withExtendedLifetime(folder) {} }
        return try await runShell(
            #"cd "$1" && shift && exec "$0" store "$@""#,
            [folder.path] + words.split(separator: " ").map(String.init) + arguments, input: Array(input.utf8))
    }

    /// Runs a shell script in the folder, in which `$0` is the tool.
    func shell(_ script: String) async throws -> ToolRun {
        defer { withExtendedLifetime(folder) {} }
        return try await runShell(#"cd "$1" && \#(script)"#, [folder.path])
    }

    func hasFile(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path + "/" + name) }
}
