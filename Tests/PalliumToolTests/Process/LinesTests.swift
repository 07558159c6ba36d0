import Foundation
import Testing

@Suite struct LinesTests {
    @Test func everyLineIsADocumentAndBlankLinesArePassedOver() async throws {
        let run = try await NoteSchema().run(
            "decode", "--lines", "--array", "-",
            input: "{\"id\": 1}\n\n \t\r\n[{\"id\": 2}, {\"id\": 3}]\r\n{\"id\": 4}")
        #expect(run.outputLines == [#"{"id":1}"#, #"[{"id":2},{"id":3}]"#, #"{"id":4}"#])
        #expect(run.errorLines == ["pallium: 4 models (4 Note), 48 bytes in TIME, no problems"])
        #expect(run.status == 0)
    }

    @Test func noInputIsNoDocuments() async throws {
        let run = try await NoteSchema().run("decode", "--lines", "-")
        #expect(run == ToolRun(status: 0, output: "", errors: run.errors))
        #expect(run.errorLines == ["pallium: no models, no bytes in TIME, no problems"])
    }

    @Test func problemsCarryTheLineOfTheWholeInput() async throws {
        let notes = try NoteSchema()
        let input = "{\"id\": 1}\n\n{\"id\": \"two\"}\n{\"id\": 3}\n{\"id\"\n"
        let stopped = try await notes.run("decode", "--lines", "-", input: input)
        #expect(stopped.output == "{\"id\":1}\n")
        #expect(stopped.errorLines.first == #"<stdin>:3:8: expected an integer but found "two" at /id"#)
        #expect(stopped.status == 1)
        let collected = try await notes.run("decode", "--lines", "--collect", "-", input: input)
        #expect(collected.output == "{\"id\":1}\n{\"id\":3}\n")
        #expect(
            collected.errorLines == [
                #"<stdin>:3:8: expected an integer but found "two" at /id"#,
                "<stdin>:5:6: expected ':' but found the end of the text at the root",
                "pallium: 2 models (2 Note), 41 bytes in TIME, 2 problems",
            ])
        #expect(collected.status == 1)
    }

    @Test func offsetsCountFromTheStartOfTheInput() async throws {
        let run = try await NoteSchema().run(
            "decode", "--lines", "--errors=json", "-", input: "{\"id\": 1}\n{\"id\": true}\n")
        #expect(run.errorLines.count == 1)
        #expect(run.errors.contains(#""line":2,"column":8,"offset":17,"#))
    }

    @Test func linesLongerThanAPieceOfInputAreWhole() async throws {
        let text = String(repeating: "abcdefghij", count: 100_000)
        let input = (1...3).map { "{\"id\":\($0),\"text\":\"\(text)\"}\n" }.joined()
        let run = try await NoteSchema().run("decode", "--lines", "-", input: input)
        #expect(run.output == input)
        #expect(run.status == 0)
    }

    @Test func aDocumentIsWrittenBeforeTheNextOneArrives() async throws {
        // Writes one line into a pipe in the schema's folder, keeps it open, and waits for what comes out.
        let script = """
            cd "$3"
            mkfifo line || exit 3
            "$0" "$@" < line > out 2> errors &
            exec 3> line
            echo '{"id": 1}' >&3
            await '[ -s out ]'
            cat out
            echo closing
            exec 3>&-
            wait
            """
        let run = try await NoteSchema().runShell(script, "decode", "--lines", "-")
        #expect(run.output == "{\"id\":1}\nclosing\n")
    }
}
