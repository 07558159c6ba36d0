import TestSupport
import Testing

struct BadDataCase: CustomTestStringConvertible, Sendable {
    let name: String
    let input: [UInt8]
    let line: String

    init(_ name: String, _ input: String, _ line: String) { self.init(name, Array(input.utf8), line) }

    init(_ name: String, _ input: [UInt8], _ line: String) {
        self.name = name
        self.input = input
        self.line = line
    }

    var testDescription: String { name }
}

@Suite struct BadDataTests {
    static let cases = [
        BadDataCase("empty", "", "1:1: expected a value but found the end of the text at the root"),
        BadDataCase("white space", " \n ", "2:2: expected a value but found the end of the text at the root"),
        BadDataCase("not JSON", "hello", "1:1: expected a value but found 'h' at the root"),
        BadDataCase("text as root", #""a""#, #"1:1: expected an object but found "a" at the root"#),
        BadDataCase("number in the array", "[{\"id\":1},\n 7]", "2:2: expected an object but found the number 7 at /1"),
        BadDataCase(
            "cut off", "{\"id\": 1, \"text\": \"ab",
            "1:22: expected a closing '\"' but found the end of the text at /text"),
        BadDataCase(
            "two documents", "{\"id\": 1}\n{\"id\": 2}",
            "2:1: expected the end of the text but found another document in the next line (JSON lines?) at the root"),
        BadDataCase(
            "invalid UTF-8", Array("{\"id\":1,\n\"text\":\"a".utf8) + [0xFF] + Array("\"}".utf8),
            "2:10: expected valid UTF-8 but found byte 0xFF at /text"),
        BadDataCase("UTF-16", [0xFF, 0xFE, 0x7B, 0x00], "1:1: expected UTF-8 but found UTF-16 or UTF-32 at the root"),
        BadDataCase(
            "secret value", #"{"id":1,"code":7}"#, "1:16: expected a string but found a masked value at /code"),
    ]

    @Test(arguments: cases)
    func aProblemIsALineWithFileLineAndColumn(_ problem: BadDataCase) async throws {
        let run = try await NoteSchema().run("decode", "-", input: problem.input)
        #expect(run.errorLines.first == "<stdin>:\(problem.line)")
        #expect(run.errorLines.count == 2)
        #expect(run.errorLines.last?.hasSuffix(", 1 problem") == true)
        #expect(run.output.isEmpty)
        #expect(run.status == 1)
    }

    @Test func theFileIsNamedAsItWasGiven() async throws {
        let notes = try NoteSchema()
        let file = try notes.folder.write("bad\nname.txt", "[\n  {\"id\": 1.5}]")
        let run = try await notes.run("decode", file)
        #expect(
            run.errorLines.first
                == "\(notes.folder.path)/bad\\nname.txt:2:10: expected an integer but found the number 1.5 at /0/id")
    }

    @Test(.threat(.deepNesting), arguments: [["decode"], ["decode", "--collect"], ["show"]])
    func nestingOf100000LevelsIsRefused(_ command: [String]) async throws {
        let depth = 100_000
        let input =
            #"{"id": 1, "deep": "# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        let run = try await NoteSchema().run(command + ["-"], input: Array(input.utf8))
        #expect(run.status == 1)
        #expect(run.errors.contains("expected at most 512 levels"))
        #expect(run.output.isEmpty)
    }

    @Test(.threat(.secretsInErrors)) func namesFromTheInputCannotDisturbTheTerminal() async throws {
        let input = #"{"id": 1, "\u001b[31m\n"# + String(repeating: "x", count: 5000) + #"": 2}"#
        let run = try await NoteSchema().run("decode", "--unknown", "refuse", "-", input: input)
        #expect(run.errorLines.count == 2)
        #expect(!run.errors.contains("\u{1B}"))
        #expect(run.errors.utf8.count < 1500)
    }

    @Test func collectingReportsEveryProblemAndWritesTheRest() async throws {
        let input = """
            [
              {"id": 1, "text": "good"},
              {"id": "x", "text": 5},
              {"text": "no id"},
              {"id": 2, "due": "yesterday", "text": "still useful"}
            ]
            """
        let run = try await NoteSchema().run("decode", "--collect", "-", input: input)
        #expect(run.output == #"[{"id":1,"text":"good"},{"id":2,"text":"still useful"}]"# + "\n")
        #expect(
            run.errorLines == [
                #"<stdin>:3:10: expected an integer but found "x" at /1/id"#,
                "<stdin>:3:23: expected a string but found the number 5 at /1/text",
                #"<stdin>:4:3: expected the member "id" of Note but found none at /2"#,
                #"<stdin>:5:20: expected an ISO 8601 date such as 2026-01-31T12:00:00Z but found "yesterday" at /3/due"#,
                "pallium: 2 models (2 Note), 135 bytes in TIME, 4 problems",
            ])
        #expect(run.status == 1)
    }

    @Test func withoutCollectTheFirstProblemStops() async throws {
        let notes = try NoteSchema()
        let bad = try notes.folder.write("bad.txt", #"{"id": null, "text": 1}"#)
        let run = try await notes.run("decode", "-", bad, "nowhere", input: #"{"id": 1}"#)
        #expect(run.output == "{\"id\":1}\n")
        #expect(run.errorLines.count == 2)
        #expect(run.status == 1)
    }

    @Test func problemsAsJSONAreOneObjectALine() async throws {
        let run = try await NoteSchema().run(
            "decode", "--collect", "--errors", "json", "-", "nowhere",
            input: "[{\"id\": \"x\"},\n {\"id\": 1, \"tags\": [\"a/b\", 2]}]")
        #expect(
            run.errorLines == [
                #"{"file":"<stdin>","code":"typeMismatch","category":"unexpectedData","schema":"Note","property":"id","#
                    + #""pointer":"/0/id","line":1,"column":9,"offset":8,"expected":"an integer","found":"\"x\"","#
                    + #""parameters":{"kind":"integer","found":"string"},"#
                    + #""ruleMessage":null,"message":"expected an integer but found \"x\" at /0/id"}"#,
                #"{"file":"<stdin>","code":"typeMismatch","category":"unexpectedData","schema":"Note","property":"tags","#
                    + #""pointer":"/1/tags/1","line":2,"column":28,"offset":41,"expected":"a string","#
                    + #""found":"the number 2","parameters":{"kind":"string","found":"number"},"#
                    + #""ruleMessage":null,"message":"expected a string but found the number 2 at /1/tags/1"}"#,
                #"{"file":"nowhere","code":"unreadableFile","category":"malformedInput","schema":null,"property":null,"#
                    + #""pointer":null,"line":null,"column":null,"offset":null,"expected":"a file that can be read","#
                    + #""found":"No such file or directory","parameters":null,"#
                    + #""ruleMessage":null,"message":"expected a file that can be read but found No such file or directory"}"#,
            ])
        #expect(run.status == 2)
    }
}
