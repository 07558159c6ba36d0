import Foundation
import TestSupport
import Testing

/// Lines and documents that are too long or nested too deeply are refused, and the problem names the option.
@Suite(.threat(.hugeInput)) struct LineLimitTests {
    @Test(arguments: [1, 2]) func aLineMayHaveSoManyBytes(jobs: Int) async throws {
        let input = "{\"id\":10}\n {\"id\":10}\n\n{\"id\":100}\r\n{\"id\":1}\r\n{\"id\":10}"
        let run = try await NoteSchema().decodeLines(
            ["--max-bytes", "9", "--collect", "--jobs", "\(jobs)"], input: input)
        #expect(run.outputLines == [#"{"id":10}"#, #"{"id":1}"#, #"{"id":10}"#])
        #expect(
            run.errorLines.dropLast()
                == [2, 4].map {
                    "<stdin>:\($0):1: expected an element of at most 9 bytes (--max-bytes) but found more at the root"
                })
    }

    @Test func aDocumentMayHaveSoManyBytes() async throws {
        let notes = try NoteSchema()
        let text = #"{"id":10}"#
        let file = try notes.folder.write("document", text)
        for (path, input) in [(file, ""), ("-", text)] {
            let name = path == "-" ? "<stdin>" : path
            let run = try await notes.run(["decode", "--max-bytes", "9", path], input: Array(input.utf8))
            #expect(run.output == text + "\n" && run.status == 0)
            let refused = try await notes.run(["decode", "--max-bytes", "8", path], input: Array(input.utf8))
            #expect(
                refused.errorLines.first
                    == "\(name):1:9: expected at most 8 bytes (--max-bytes) but found more at the root")
            #expect(refused.output.isEmpty && refused.status == 1)
        }
    }

    @Test(.threat(.deepNesting), arguments: [[], ["--lines"]]) func aDocumentMayHaveSoManyLevels(lines: [String])
        async throws
    {
        let notes = try NoteSchema()
        let input = Array(#"{"id":1,"z":[[1]]}"#.utf8)
        #expect(try await notes.run(["decode", "--max-depth", "3", "-"] + lines, input: input).status == 0)
        let run = try await notes.run(["decode", "--max-depth", "2", "-"] + lines, input: input)
        #expect(
            run.errorLines.first
                == "<stdin>:1:14: expected at most 2 levels (--max-depth) but found more at the root")
        #expect(run.status == 1 && run.output.isEmpty)
        let deep = Array(
            (#"{"id":1,"z":"# + String(repeating: "[", count: 900) + String(repeating: "]", count: 900) + "}").utf8)
        #expect(try await notes.run(["decode", "-"] + lines, input: deep).status == 1)
        #expect(try await notes.run(["decode", "--max-depth", "901", "-"] + lines, input: deep).status == 0)
        #expect(try await notes.run(["decode", "--max-depth", "900", "-"] + lines, input: deep).status == 1)
    }

    @Test func aLimitOfOneIsSingular() async throws {
        let run = try await NoteSchema().run("decode", "--max-depth", "1", "-", input: #"{"id":1,"z":[]}"#)
        #expect(
            run.errorLines.first == "<stdin>:1:13: expected at most 1 level (--max-depth) but found more at the root")
        let short = try await NoteSchema().decodeLines(["--max-bytes", "1"], input: "{}\n")
        #expect(
            short.errorLines.first
                == "<stdin>:1:1: expected an element of at most 1 byte (--max-bytes) but found more at the root")
        let whole = try await NoteSchema().run("decode", "--max-bytes", "1", "-", input: "{}")
        #expect(whole.errors.contains("expected at most 1 byte (--max-bytes) but found more"))
    }

    @Test(.threat(.deepNesting), arguments: [[], ["--unknown", "keep"]]) func noDepthAbove1024CanBeAskedFor(
        unknown: [String]
    ) async throws {
        let deep = [1023, 1024, 100_000].map { count in
            #"{"id":1,"z":"# + String(repeating: "[", count: count) + String(repeating: "]", count: count) + "}\n"
        }
        let run = try await NoteSchema().decodeLines(
            ["--max-depth", "1024", "--collect"] + unknown, input: deep.joined() + "{\"id\":2}\n")
        #expect(run.outputLines.count == 2 && run.outputLines.last == #"{"id":2}"# && run.status == 1)
        for depth in ["1025", "200001", "\(Int.max)"] {
            let run = try await NoteSchema().decodeLines(["--max-depth", depth] + unknown, input: deep[2])
            #expect(run.errorLines.first?.contains("--max-depth needs an integer from 1 to 1024, not") == true)
            #expect(run.status == 2 && run.output.isEmpty)
        }
    }
}
