import Foundation
import TestSupport
import Testing

@Suite struct ArchiveTests {
    private let notes: NoteSchema
    private var archive: String { notes.folder.path + "/notes.pallium" }

    init() throws { notes = try NoteSchema() }

    private static let document =
        #"[{"id": 1, "text": "a\nb", "due": "2026-01-31T12:00:00Z", "tags": ["x", "y"], "code": "1234"}, {"id": 2, "text": null}]"#

    private func write(_ document: String = document) async throws {
        let run = try await notes.run("archive", "--output", archive, "-", input: document)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    private func unarchive(_ more: String...) async throws -> ToolRun {
        try await runTool(["unarchive", "--schemas", notes.folder.path] + more + [archive])
    }

    @Test func whatIsArchivedIsUnarchived() async throws {
        try await write()
        let run = try await unarchive()
        #expect(
            run.output
                == #"[{"id":1,"text":"a\nb","due":"2026-01-31T12:00:00Z","tags":["x","y"],"code":"1234"},{"id":2,"text":null}]"#
                + "\n")
        #expect(run.status == 0)
        try await write(#"{"id": 3}"#)
        #expect(try await unarchive("--pretty").output == "{\n  \"id\": 3\n}\n")
    }

    @Test func anArchiveGoesToStandardOutput() async throws {
        try await write()
        let run = try await notes.runShell(
            #""$0" "$@" | cmp - "# + archive, "archive", "--output", "-", "-", input: Array(Self.document.utf8))
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errorLines == ["pallium: 2 models in <stdout>"])
    }

    @Test func inspectNeedsNoSchemas() async throws {
        try await write()
        let run = try await runTool(["inspect", archive])
        #expect(
            run.outputLines.dropFirst() == [
                "Note version 1: 2 objects", "  id: integer", "  text: string", "  due: date",
                "  tags: array of string",
                "  code: string (masked)", "#0 Note", "  id: 1", #"  text: "a\nb""#, #"  due: "2026-01-31T12:00:00Z""#,
                "  tags: 2 elements", #"    0: "x""#, #"    1: "y""#, "  code: •••", "#1 Note", "  id: 2",
                "  text: null",
            ])
        #expect(run.outputLines[0].hasPrefix("\(archive): 2 objects, 2 roots, "))
        let piped = try await runTool(
            ["inspect", "-"], input: [UInt8](Data(contentsOf: URL(fileURLWithPath: archive))))
        #expect(piped.outputLines.dropFirst() == run.outputLines.dropFirst())
    }

    @Test func upgradeReplacesWhatIsOlderAndLeavesTheRest() async throws {
        try await write(#"{"id": 1, "text": "a"}"#)
        let fresh = try Data(contentsOf: URL(fileURLWithPath: archive))
        let same = try await runTool(["upgrade", "--schemas", notes.folder.path, archive])
        #expect(same.errorLines == ["pallium: \(archive): is as it should be, 1 model"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: archive)) == fresh)
        try notes.folder.write(
            "Note.json",
            """
            {"name": "Memo", "version": 2,
             "properties": {"id": {"kind": "integer"}, "body": {"kind": "string"}, "open": {"kind": "bool"}},
             "upgrades": [{"from": 1, "rename": {"text": "body"}, "default": {"open": true}, "renameSchema": "Note"}]}
            """)
        let run = try await runTool(["upgrade", "--schemas", notes.folder.path, archive])
        #expect(run.errorLines == ["pallium: \(archive): upgraded, 1 model"])
        let shown = try await runTool(["inspect", archive])
        #expect(shown.outputLines.dropFirst().first == "Memo version 2: 1 object")
        #expect(try await unarchive().output == #"{"id":1,"body":"a","open":true}"# + "\n")
    }

    @Test func problemsAreSaidInOneLine() async throws {
        let bad = try await notes.run("archive", "--output", archive, "-", input: #"[{"id": 1}, {}]"#)
        #expect(bad.status == 1)
        #expect(!FileManager.default.fileExists(atPath: archive))
        let missing = try await unarchive()
        #expect(missing.errorLines == ["pallium: cannot read \(archive): No such file or directory"])
        #expect(missing.status == 2)
        try notes.folder.write("notes.pallium", "[]")
        for run in [try await unarchive(), try await runTool(["inspect", archive])] {
            #expect(run.errorLines == ["\(archive): expected an archive but found bytes that begin otherwise"])
            #expect(run.status == 1)
        }
        let nowhere = try await notes.run("archive", "--output", "/nowhere/x", "-", input: #"{"id": 1}"#)
        #expect(nowhere.errorLines == ["pallium: cannot write /nowhere/x: No such file or directory"])
        #expect(nowhere.status == 2)
        let usage = try await notes.run("archive", "-")
        #expect(usage.errorLines.first == "pallium: archive needs --output FILE")
        let stdin = try await runTool(["upgrade", "--schemas", notes.folder.path, "-"])
        #expect(stdin.errorLines.first == "pallium: standard input cannot be upgraded: name a file")
    }

    @Test(.threat(.failingDisk)) func aFileThatWouldGrowBeyondTheLimitLeavesTheOldOne() async throws {
        try await write()
        let before = try Data(contentsOf: URL(fileURLWithPath: archive))
        let long = #"{"id": 1, "text": ""# + String(repeating: "x", count: 10_000) + #""}"#
        let run = try await notes.runShell(
            #"ulimit -f 4; "$0" "$@""#, "archive", "--output", archive, "-", input: Array(long.utf8))
        #expect(run.errorLines.contains("pallium: cannot write \(archive): File too large"))
        #expect(run.status == 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: archive)) == before)
        #expect(try leftovers.isEmpty)
    }

    private var leftovers: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: notes.folder.path).filter { $0.hasPrefix(".") }
        }
    }

    /// Saves are killed at moments all over their duration; the file then holds what one of them wrote.
    @Test(.threat(.crashWhileSaving)) func aSaveThatIsKilledLeavesTheOldOrTheNewArchive() async throws {
        let texts = ["old", "new"].map { String(repeating: $0, count: 200_000) }
        let inputs = try texts.map { try notes.folder.write("\($0.prefix(3)).txt", #"{"id": 1, "text": "\#($0)"}"#) }
        try await write(#"{"id": 1, "text": "\#(texts[0])"}"#)
        let script = """
            tool=$0; old=$1; new=$2; shift 2
            for delay in 0 2 4 6 8 10 12 14 16 18 20 24 28 32 40; do
                for input in "$new" "$old"; do
                    "$tool" "$@" "$input" 2>/dev/null & process=$!
                    sleep "0.0$(printf %02d $delay)"
                    kill -9 $process 2>/dev/null
                    wait $process 2>/dev/null
                    "$tool" inspect "$output" | grep -c -E 'text: "(oldold|newnew)' || echo damaged
                done
            done
            """.replacing("$output", with: archive)
        let run = try await runShell(
            script,
            inputs + ["archive", "--schemas", notes.folder.path + "/Note.json", "--model", "Note", "--output", archive])
        #expect(run.outputLines == Array(repeating: "1", count: 30))
        // The next save clears up whatever the dead ones left.
        try await write()
        #expect(try leftovers.isEmpty)
    }
}
