import Foundation
import TestSupport
import Testing

/// The section *Documents* of the article *CommandLine*: files that are no JSON, lines that are no model, and large texts.
@Suite struct OtherFormTests {
    private let notes: NoteSchema
    private var folder: TemporaryFolder { notes.folder }

    init() throws { notes = try NoteSchema() }

    static let forms: [(bytes: [UInt8], advice: String)] = [
        ([0x1F, 0x8B, 8, 0], "is compressed: gunzip -c"), ([0x28, 0xB5, 0x2F, 0xFD, 1], "is compressed: zstd -dc"),
        (Array("openapi: 3.1.0\ninfo:\n".utf8), "is YAML: convert it"),
        (Array("# note\n\n---\nid: 1\n".utf8), "is YAML"),
        (Array("%YAML 1.2\n".utf8), "is YAML"), (Array("id:\r\n".utf8), "is YAML"),
    ]

    @Test(arguments: forms) func aFileThatIsNoJSONIsNamed(bytes: [UInt8], advice: String) async throws {
        let path = try folder.write("in", bytes)
        for arguments in [["decode", path], ["decode", "--lines", path], ["show", path], ["merge", path, path]] {
            let run = try await notes.run(arguments)
            #expect(run.status == 2 && run.output.isEmpty, "\(arguments)")
            #expect(run.errors.contains(advice), "\(arguments): \(run.errors)")
        }
        #expect(try await runTool(["import", "--openapi", path]).errors.contains(advice))
        #expect(try await runTool(["infer", path]).errors.contains(advice))
    }

    @Test func anArchiveIsNamed() async throws {
        let path = folder.path + "/a.pallium"
        #expect(try await notes.run("archive", "-o", path, "-", input: #"{"id": 1}"#).status == 0)
        let run = try await notes.run("decode", path)
        #expect(run.status == 2 && run.errors.contains("is an archive: use pallium unarchive"))
    }

    @Test(arguments: ["true", "nul", "id", ": 1", "https://a.b/c", "a:b", "\"id\": 1", ""])
    func otherTextIsAProblemOfTheDocument(text: String) async throws {
        let path = try folder.write("in", text)
        let run = try await notes.run("decode", path)
        #expect(run.status == 1 && !run.errors.contains("YAML"), "\(run.errors)")
    }

    /// One model a line, so that the next program in the pipe gets what it expects.
    @Test(arguments: [[], ["--collect"], ["--rejects", "/dev/null"], ["--original", "--collect"], ["--quiet"]])
    func aLineThatIsAnArrayIsAProblem(options: [String]) async throws {
        let input = "{\"id\":1}\n[{\"id\":2},{\"id\":3}]\n[]\n[[[[]]]]\n{\"id\":4}\n"
        let run = try await notes.run(["decode", "--lines"] + options + ["-"], input: Array(input.utf8))
        #expect(run.status == 1)
        if options.isEmpty { #expect(run.outputLines == [#"{"id":1}"#]) }
        if options.count == 2 { #expect(run.outputLines == [#"{"id":1}"#, #"{"id":4}"#]) }
        if options == ["--collect"] {
            #expect(run.errors.contains("<stdin>:2:1: expected one object in a line but found an array"))
            #expect(run.errors.contains("3 problems"))
        }
        let arrays = try await notes.run(
            ["decode", "--lines", "--array", "--collect", "-"], input: Array(input.utf8))
        #expect(arrays.outputLines.prefix(3) == [#"{"id":1}"#, #"[{"id":2},{"id":3}]"#, "[]"])
        #expect(arrays.status == 1 && arrays.errors.contains("1 problem"))
    }

    @Test(arguments: ["show", "archive"]) func otherCommandsTakeOneModelALine(command: String) async throws {
        let output = command == "archive" ? ["-o", folder.path + "/out"] : []
        let run = try await notes.run([command, "--lines"] + output + ["-"], input: Array("[{\"id\":1}]\n".utf8))
        #expect(run.status == 1 && run.errors.contains("expected one object in a line"), "\(run)")
    }

    /// A line with text behind its object says nothing that can be trusted.
    @Test(arguments: [#"{"id":1} {"id":2}"#, #"{"id":1},"#, #"{"id":1}x"#, #"{"id":1"#])
    func nothingIsWrittenOfALineThatIsNoJSON(line: String) async throws {
        let run = try await notes.run(
            "decode", "--lines", "--collect", "-", input: "\(line)\n{\"id\":3}\n")
        #expect(run.outputLines == [#"{"id":3}"#] && run.status == 1)
    }

    @Test func theOptionForBytesIsForTexts() async throws {
        let path = try folder.write("in", #"{"id":1,"text":"\#(String(repeating: "a", count: 70_000_000))"}"#)
        let refused = try await notes.run("decode", "--quiet", path)
        #expect(refused.status == 1)
        #expect(refused.output.contains("limitExceeded"))
        let named = try await notes.run("decode", "-o", "/dev/null", path)
        #expect(named.errors.contains("--max-bytes"), "\(named.errors)")
        #expect(try await notes.run("decode", "--quiet", "--max-bytes", "80000000", path).status == 0)
    }
}
