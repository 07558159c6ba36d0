import Foundation
import TestSupport
import Testing

/// The section *Schemas* of the article *CommandLine*.
@Suite struct SchemaFolderTests {
    private let folder: TemporaryFolder

    /// A folder whose document needs another folder, and one with another user.
    init() throws {
        folder = try TemporaryFolder()
        for name in ["common", "common/more", "tickets", "other"] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        try folder.write("common/User.json", #"{"name": "User", "properties": {"id": {"kind": "integer"}}}"#)
        try folder.write("common/more/Extra.json", #"{"name": "Extra"}"#)
        try folder.write(
            "tickets/Ticket.json",
            #"{"name": "Ticket", "properties": {"owner": {"kind": "model", "model": "User"}}}"#)
        try folder.write("other/User.json", #"{"name": "User", "properties": {"id": {"kind": "string"}}}"#)
    }

    /// Runs the tool in the folder.
    private func run(_ arguments: String...) async throws -> ToolRun { try await run(arguments) }

    private func run(_ arguments: [String]) async throws -> ToolRun {
        defer { withExtendedLifetime(folder) {} }
        return try await runShell(
            #"cd "$1" && shift && exec "$0" "$@""#, [folder.path] + arguments,
            input: Array(#"{"owner":{"id":7}}"#.utf8))
    }

    @Test(arguments: [
        ["decode", "--schemas", "common", "--schemas", "tickets", "--model", "Ticket", "-"],
        ["decode", "--schemas=tickets", "--model", "Ticket", "--schemas=common", "-"],
        ["decode", "--schemas", "tickets/Ticket.json", "--schemas", "common", "--model", "Ticket", "-"],
    ])
    func documentsOfAllFoldersAreOneSet(_ arguments: [String]) async throws {
        let run = try await run(arguments)
        #expect(run.output == "{\"owner\":{\"id\":7}}\n")
        #expect(run.status == 0)
    }

    static let commands: [[String]] = [
        ["show", "--schemas", "tickets", "--schemas", "common", "--model", "Ticket", "-"],
        ["drift", "--schemas", "tickets", "--schemas", "common", "--model", "Ticket", "-"],
        ["archive", "--schemas", "tickets", "--schemas", "common", "--model", "Ticket", "-o", "a.pallium", "-"],
        ["check", "tickets", "common"], ["laws", "tickets", "common"],
        ["sample", "tickets", "common", "--model", "Ticket"], ["export", "--html", "tickets", "common"],
        ["generate", "tickets", "common", "-o", "Classes"],
        ["compare", "tickets", "tickets", "--schemas", "common"],
    ]

    @Test(arguments: commands)
    func everyCommandWithSchemasTakesSeveralFolders(_ arguments: [String]) async throws {
        let run = try await run(arguments)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test func aSecondSchemaOfANameNamesBothFiles() async throws {
        let run = try await run("check", "common", "tickets", "./other/")
        #expect(
            run.errorLines == [
                "pallium: 1 problem in schemas",
                "./other/User.json:1:10: User: another schema of this name is at common/User.json:1:10; "
                    + "choose another name",
            ])
        #expect(run.status == 1)
    }

    /// By another spelling, by a link, or as a file of a folder that is given as well.
    @Test func aFileThatIsGivenTwiceIsReadOnce() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/common")
        let once = try await run("check", "common", "tickets")
        #expect(once.errorLines == ["pallium: 2 schemas, no problems, no warnings"])
        for more in ["common", "./common/", "tickets/../common", "link", "common/User.json", folder.path + "/common"] {
            #expect(try await run("check", "common", "tickets", more) == once)
        }
        // Problems are not reported twice either.
        try folder.write("common/User.json", "{")
        let broken = try await run("check", "common", "link", "common/User.json")
        #expect(broken.errorLines.count == 2)
        #expect(broken.errorLines.last?.hasPrefix("common/User.json:1:2: ") == true)
    }

    @Test func aFolderInsideAnotherIsOneOfItsOwn() async throws {
        #expect(
            try await run("check", "common", "common/more").errorLines
                == ["pallium: 2 schemas, no problems, no warnings"])
        #expect(try await run("check", "common").errorLines == ["pallium: 1 schema, no problems, no warnings"])
    }

    @Test func whatIsWrongWithEveryFolderIsReportedAtOnce() async throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/empty", withIntermediateDirectories: true)
        try folder.write("notes.txt", "no JSON")
        let run = try await run("check", "common", "nowhere", "empty", "notes.txt")
        #expect(run.errorLines.first == "pallium: 3 problems in schemas")
        try #require(run.errorLines.count == 4)
        #expect(run.errorLines[1].hasSuffix("/nowhere: there is no such file or folder"))
        #expect(run.errorLines[2].hasSuffix("/empty: the folder holds no .json files"))
        #expect(run.errorLines[3].hasPrefix("notes.txt:1:2: the document is not valid JSON"))
        let unknown = try await self.run(
            "decode", "--schemas", "common", "--schemas", "tickets", "--model", "Tckt", "-")
        #expect(unknown.errors.contains(#"there is no schema "Tckt" in common, tickets; did you mean Ticket?"#))
    }
}
