import Foundation
import TestSupport
import Testing

/// Lines with problems are kept in a file, from which they can be decoded again.
@Suite struct RejectsTests {
    @Test func aRejectIsAnObjectALine() async throws {
        let input =
            Array("{\"id\":1}\n\n{\"id\":\"x\"}\r\n".utf8) + [0xFF, 10] + Array(#"{"id":3,"text":"too long"}"#.utf8)
        let run = try await NoteSchema().decodeLines(["--rejects", "--unmasked", "--max-bytes", "20"], input: input)
        let problem =
            #"{"file":"<stdin>","code":"typeMismatch","category":"unexpectedData","schema":"Note","#
            + #""property":"id","pointer":"/id","line":3,"column":7,"offset":16,"expected":"an integer","#
            + #""found":"\"x\"","parameters":{"kind":"integer","found":"string"},"#
            + #""ruleMessage":null,"message":"expected an integer but found \"x\" at /id"}"#
        #expect(
            run.rejectLines.first == #"{"file":"<stdin>","line":3,"text":"{\"id\":\"x\"}\r","problems":[\#(problem)]}"#)
        #expect(
            run.rejectLines.dropFirst().first?.hasPrefix(#"{"file":"<stdin>","line":4,"bytes":"/w==","problems":[{"#)
                == true)
        #expect(run.rejectLines.last?.hasPrefix(#"{"file":"<stdin>","line":5,"text":null,"problems":[{"#) == true)
        #expect(run.rejectLines.last?.contains(#""code":"limitExceeded""#) == true)
        #expect(run.rejectLines.count == 3 && run.rejects?.last == "\n")
        #expect(run.output == "{\"id\":1}\n")
        #expect(run.errorLines == ["pallium: 1 model (1 Note), \(input.count) bytes in TIME, 3 problems"])
        #expect(run.status == 1)
    }

    @Test func linesCountInTheirFileAndProblemsAreThoseThatAreReported() async throws {
        let notes = try NoteSchema()
        let files = try [
            notes.folder.write("a.nd", "{\"id\":1}\n{\"id\":true,\"text\":1}"),
            notes.folder.write("b.nd", "\n\n{}\nnull\n"),
            notes.folder.write("c.nd", "{\"id\":1}"), notes.folder.write("d.nd", "[{\"id\":1},{\"id\":\"x\"},{}]"),
        ]
        let run = try await notes.decodeLines(["--rejects"], files)
        let reported = try await notes.decodeLines(["--collect", "--errors", "json"], files)
        let rejects = try run.rejectObjects()
        #expect(rejects.map { $0["line"] as? Int } == [2, 3, 4, 1])
        #expect(rejects.map { $0["file"] as? String } == [files[0], files[1], files[1], files[3]])
        let problems = rejects.flatMap { $0["problems"] as? [NSDictionary] ?? [] }
        #expect(try problems == reported.errorLines.map { try object($0) as NSDictionary })
        #expect(run.outputLines == [#"{"id":1}"#, #"{"id":1}"#])
    }

    /// Nothing is lost: lines are either written or rejected, and rejects are rejected again.
    @Test func rejectedLinesCanBeDecodedAgain() async throws {
        let notes = try NoteSchema()
        let run = try await notes.decodeLines(
            ["--rejects", "--unmasked", "--original"], input: NoteLines.bytes)
        let texts = try run.rejectObjects().map { reject in
            if let text = reject["text"] as? String { return Array(text.utf8) }
            let bytes = try #require(reject["bytes"] as? String)
            return [UInt8](try #require(Data(base64Encoded: bytes)))
        }
        let refused = NoteLines.refusedNumbers.map { NoteLines.all[$0 - 1].bytes }
        #expect(texts == refused)
        let valid = NoteLines.all.filter { $0.output != nil }.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(run.output == valid.map { $0 + "\n" }.joined())
        let codes = { (run: LinesRun) in
            try run.rejectObjects().map { ($0["problems"] as? [NSDictionary] ?? []).map { $0["code"] as? String } }
        }
        let again = try await notes.decodeLines(["--rejects"], input: Array(texts.joined(separator: [10])))
        #expect(try codes(again) == codes(run))
        #expect(again.output.isEmpty)
        let repaired = texts.map { String(decoding: $0, as: UTF8.self) }.filter { $0 == #"{"id":"x"}"# }
            .map { $0.replacing("\"x\"", with: "5") }
        let last = try await notes.decodeLines(["--rejects"], input: repaired.joined(separator: "\n"))
        #expect(last.outputLines == repaired && last.rejects == "" && last.status == 0)
    }

    @Test func theFileIsReplacedWhenTheRunBeginsAndNotBefore() async throws {
        let notes = try NoteSchema()
        try notes.folder.write("rejects", "old\n")
        for options in [
            ["--rejects", "--collect"], ["--rejects", "--jobs", "0"], ["--rejects", "--profile", "none"],
        ] {
            let run = try await notes.decodeLines(options, input: "{}")
            #expect(run.status == 2 && run.rejects == "old\n")
        }
        #expect(try await notes.decodeLines(["--rejects"], input: "{\"id\":1}\n").rejects == "")
    }

    @Test(arguments: ["in", "./in", "soft", "hard", "$3/in"])
    func aFileThatIsAlsoAnInputIsRefusedAndLeft(name: String) async throws {
        let input = "{\"id\":1}\n{\"id\":\"x\"}\n"
        let notes = try NoteSchema()
        try notes.folder.write("in", input)
        let script = """
            cd "$3" && ln -s in soft && ln in hard || exit 3
            for source in in soft hard -; do
                "$0" "$@" --rejects "\(name)" other $source < in
                echo "status $?"
            done
            """
        let run = try await notes.runShell(script, "decode", "--lines")
        #expect(run.outputLines == Array(repeating: "status 2", count: 4))
        let refusals = run.errorLines.filter { $0.hasSuffix("it is one of the files to read") }
        #expect(refusals.count == 4)
        #expect(try notes.folder.read("in") == input)
    }

    @Test func aFileThatCannotBeWrittenEndsTheRunBeforeItBegins() async throws {
        let notes = try NoteSchema()
        for (path, reason) in [
            (notes.folder.path, "Is a directory"), (notes.folder.path + "/none/rejects", "No such file or directory"),
        ] {
            let run = try await notes.run("decode", "--lines", "--rejects", path, "-", input: "{\"id\":1}\n{}\n")
            #expect(run == ToolRun(status: 2, output: "", errors: "pallium: cannot write \(path): \(reason)\n"))
        }
    }

    @Test(
        .threat(.failingDisk), .needs("/dev/full", if: FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: [1, 2, 8])
    func noLineIsWrittenBehindARejectThatIsLost(jobs: Int) async throws {
        let notes = try NoteSchema()
        var lines = (1...20_000).map { #"{"id":\#($0),"text":"some text that is long"}"# }
        lines[14_999] = "{}"
        let run = try await notes.run(
            "decode", "--lines", "--jobs", "\(jobs)", "--rejects", "/dev/full", "-",
            input: lines.joined(separator: "\n"))
        #expect(run.status == 2)
        #expect(run.errorLines.first == "pallium: cannot write /dev/full: No space left on device")
        #expect(run.outputLines.count < 15_000 && run.outputLines == Array(lines.prefix(run.outputLines.count)))
    }

    /// The file may become as long as a limit of the process allows, which is less than is rejected.
    @Test(.threat(.failingDisk), arguments: [1, 2, 8]) func everyRejectBeforeAWrittenLineIsStored(jobs: Int)
        async throws
    {
        let notes = try NoteSchema()
        let lines = (1...40_000).map { $0 % 10 == 0 ? #"{"id":"\#($0)"}"# : #"{"id":\#($0),"text":"some text"}"# }
        let run = try await notes.runShell(
            #"(ulimit -f 1024 && exec "$0" "$@" --rejects "$3/rejects" -) | cat"#, "decode", "--lines",
            "--jobs", "\(jobs)", input: Array(lines.joined(separator: "\n").utf8))
        let whole = try notes.folder.read("rejects").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let stored = try whole.map { try object(String($0))["line"] as? Int ?? 0 }
        #expect(stored == (0..<stored.count).map { $0 * 10 + 10 } && stored.count < 4000)
        let written = lines.filter { !$0.hasPrefix("{\"id\":\"") }.prefix(run.outputLines.count)
        #expect(run.outputLines == Array(written))
        // Of ten lines, nine are written.
        #expect(stored.count >= run.outputLines.count / 9)
    }
}
