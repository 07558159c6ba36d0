import Foundation
import TestSupport
import Testing

/// The section *Limits* of the article *DataAtScale*: every command stops reading at its limit, and names the option.
@Suite(.threat(.hugeInput)) struct InputLimitTests {
    private let notes: NoteSchema
    private var folder: TemporaryFolder { notes.folder }

    init() throws {
        notes = try NoteSchema()
        try folder.write("one", #"{"id": 1}"#)
        for name in ["S", "Sparse", "out"] {
            try FileManager.default.createDirectory(
                at: folder.url.appendingPathComponent(name), withIntermediateDirectories: false)
        }
        let note = try folder.read("Note.json").replacing(#""Note","#, with: #""Note", "identity": ["id"],"#)
        try folder.write("S/Note.json", note)
        // They have no bytes on the disk.
        for name in ["huge", "Sparse/Note.json", "out/Note.swift"] {
            try folder.write(name, "")
            let file = try FileHandle(forWritingTo: folder.url.appendingPathComponent(name))
            try file.truncate(atOffset: 8 << 40)
            try file.close()
        }
    }

    /// Runs commands in the folder with little memory for data.
    private func run(_ script: String) async throws -> ToolRun {
        defer { withExtendedLifetime(folder) {} }
        return try await runShell(#"cd "$1"; ulimit -d 400000; \#(script)"#, [folder.path])
    }

    private static let note = "--schemas S --model Note"

    /// Commands of which FILE is one that is read as a whole, and their statuses.
    static let commands: [(command: String, status: Int32)] = [
        ("diff one FILE", 1), ("diff --exit-code FILE one", 2), ("diff \(note) FILE one", 1),
        ("merge \(note) one FILE", 1), ("merge \(note) --local FILE one one", 1), ("inspect FILE", 1),
        ("unarchive --schemas S FILE", 1), ("upgrade --schemas S FILE", 1),
        ("store import \(note) a.store FILE", 1), ("store import --collect \(note) a.store FILE", 1),
        ("drift \(note) --baseline FILE one", 2),
    ]

    @Test(arguments: commands) func aFileAboveTheLimitIsNotRead(command: String, status: Int32) async throws {
        let run = try await run("\"$0\" " + command.replacing("FILE", with: "huge"))
        #expect(run.status == status && run.output.isEmpty)
        #expect(run.errorLines.first == "huge: expected at most 1073741824 bytes (--max-bytes) but found more")
    }

    @Test(arguments: commands.filter { !$0.command.contains("upgrade") })
    func aPipeIsReadUpToTheLimit(command: String, status: Int32) async throws {
        let run = try await run("yes | \"$0\" " + command.replacing("FILE", with: "-") + " --max-bytes 1000000")
        #expect(run.status == status && run.output.isEmpty)
        #expect(run.errorLines.first == "<stdin>: expected at most 1000000 bytes (--max-bytes) but found more")
    }

    @Test(arguments: [
        "decode", "show", "archive -o a.pallium", "drift", "decode --lines", "store import --lines a.store",
    ])
    func everyCommandForDocumentsHasTheOption(command: String) async throws {
        let run = try await run(#"echo '{"id": 12}' | "$0" \#(command) \#(Self.note) --max-bytes 9 -"#)
        #expect(run.status == 1)
        #expect((run.errors + run.output).contains(" 9 bytes"))
        #expect(command == "drift" || run.errors.contains("at most 9 bytes (--max-bytes) but found more"))
        let exact = try await self.run(#"printf '{"id": 12}' | "$0" \#(command) \#(Self.note) --max-bytes 10 -"#)
        #expect(exact.status == 0, "\(exact.errors)")
    }

    @Test(arguments: ["9223372036854775807", "9223372036854775806", "1"])
    func anyNumberCanBeTheLimit(bytes: String) async throws {
        let run = try await run(#""$0" decode \#(Self.note) --max-bytes \#(bytes) one"#)
        #expect(run.status == (bytes == "1" ? 1 : 0))
    }

    static let fixed: [(command: String, line: String)] = [
        ("import --json-schema huge", "huge:1:16777217: the document has more than 16 MiB"),
        ("check Sparse", "Sparse/Note.json:1:16777217: the document has more than 16 MiB"),
        ("compare S Sparse", "Sparse/Note.json:1:16777217: the document has more than 16 MiB"),
        ("diff --schemas huge --model Note one one", "huge:1:16777217: the document has more than 16 MiB"),
        ("decode \(note) --redact secret=hash --redact-key huge one", "--redact-key: huge has more than 1 MiB"),
    ]

    @Test(arguments: fixed) func otherFilesHaveFixedLimits(command: String, line: String) async throws {
        let run = try await run(#""$0" "# + command)
        #expect([1, 2].contains(run.status) && run.errors.contains(line), "\(run.errors)")
        guard command.contains("huge") else { return }
        let piped = try await self.run(#"yes | "$0" "# + command.replacing("huge", with: "/dev/stdin"))
        #expect(piped.status == run.status, "\(piped.errors)")
        #expect(piped.errors.contains(" has more than 1"), "\(piped.errors)")
    }

    @Test func aGeneratedFileIsComparedUpToItsLength() async throws {
        let run = try await run(#""$0" generate S -o out"#)
        #expect(run.status == 2)
        #expect(run.errors.contains("out/Note.swift was not generated"))
    }
}
