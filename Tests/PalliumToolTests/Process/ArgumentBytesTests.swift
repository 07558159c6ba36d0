import TestSupport
import Testing

/// The section *Arguments* of the article *CommandLine*: an argument that is not UTF-8 would name another file.
@Suite struct ArgumentBytesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("Note.json", #"{"name": "Note", "properties": {"id": {"kind": "integer"}}}"#)
    }

    @Test(arguments: [
        (#"a\377.json"#, #"a\xFF.json"#), (#"\303\050"#, #"\xC3("#), (#"x\\\200\001"#, #"x\\\x80\x01"#),
        (#"--output=\355\240\200"#, #"--output=\xED\xA0\x80"#),
    ])
    func anArgumentThatIsNotUTF8IsRefused(bytes: String, shown: String) async throws {
        defer { withExtendedLifetime(folder) {} }
        let run = try await runShell(
            """
            cd "$1"; name="$(printf -- '\(bytes)')"
            echo '{"id": 1}' > in; cp in "$name" 2> /dev/null
            "$0" decode --schemas Note.json --model Note -o out in "$name"; echo "status $?"
            ls out
            """, [folder.path])
        #expect(run.outputLines == ["status 2"])
        #expect(run.errors.contains("the argument \(shown) is not UTF-8"), "\(run.errors)")
    }

    @Test func otherBytesAreNames() async throws {
        defer { withExtendedLifetime(folder) {} }
        try folder.write("né 💬.json", #"{"id": 1}"#)
        let run = try await runTool([
            "decode", "--schemas", folder.path + "/Note.json", "--model", "Note", folder.path + "/né 💬.json",
        ])
        #expect(run.status == 0 && run.output == "{\"id\":1}\n")
    }
}
