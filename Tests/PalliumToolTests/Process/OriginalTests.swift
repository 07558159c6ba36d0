import TestSupport
import Testing

/// Valid lines are written byte for byte, and nothing is written of others.
@Suite struct OriginalTests {
    private static let valid = [
        #"{"id":1}"#, #"  { "id" : 2 , "text" : "\u0041\/" , "other" : [ 1.50, 1e2, {} ] }  "#,
        "\t[{\"id\":3},{\"id\":4}]\t",
        "{\"id\":5,\"id\":6}\r", "{\"text\":\"é😀\",\"id\":7}", "[]", "{\"id\":8,\"code\":\"secret\"}\r",
    ]

    @Test(arguments: ["\n", "\n\n", "\r\n\r\n"]) func validLinesAreWrittenByteForByte(end: String) async throws {
        let input = Self.valid.joined(separator: end)
        let expected = Self.valid.map { line in
            // What is before a line feed belongs to the line.
            end.utf8.first == 13 && line != Self.valid.last ? line + "\r\n" : line + "\n"
        }
        for options in [
            ["--original", "--array"], ["--original", "--array", "--collect"],
            ["--original", "--array", "--rejects", "--jobs", "2"],
        ] {
            for last in ["", "\n"] {
                let run = try await NoteSchema().decodeLines(options, input: input + last)
                #expect(run.output == expected.joined())
                #expect(run.status == 0)
            }
        }
    }

    @Test func aLineWithAnyProblemIsNotWritten() async throws {
        let input =
            "{\"id\":1,\"x\":1}\n{\"id\":2,\"text\":5}\n[{\"id\":3},{}]\n{\"id\":4,\"due\":\"never\"}\n {\"id\":5}"
        let run = try await NoteSchema().decodeLines(["--original", "--collect"], input: input)
        #expect(run.output == "{\"id\":1,\"x\":1}\n {\"id\":5}\n")
        #expect(run.errorLines.count == 4 && run.status == 1)
        let stopped = try await NoteSchema().decodeLines(["--original"], input: input)
        #expect(stopped.output == "{\"id\":1,\"x\":1}\n")
        #expect(stopped.errorLines.count == 2 && stopped.status == 1)
        let refused = try await NoteSchema().decodeLines(
            ["--original", "--collect", "--unknown", "refuse"], input: input)
        #expect(refused.output == " {\"id\":5}\n")
    }

    @Test func theLastLineOfEachFileEnds() async throws {
        let notes = try NoteSchema()
        let files = try ["{\"id\":1}", "", "{\"id\":2}\n{\"id\":3}\r", "\n"].enumerated().map {
            try notes.folder.write("\($0.offset)", $0.element)
        }
        let run = try await notes.decodeLines(["--original"], files)
        #expect(run.output == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\r\n")
    }

    @Test func linesLongerThanABlockAreWhole() async throws {
        let text = String(repeating: "abcdefghij", count: 70_000)
        let input = (1...5).map { "{\"id\": \($0), \"text\": \"\($0 % 2 == 0 ? "" : text)\", \"other\": 1}\n" }.joined()
        let run = try await NoteSchema().decodeLines(["--original", "--jobs", "4"], input: input)
        #expect(run.output == input)
    }
}
