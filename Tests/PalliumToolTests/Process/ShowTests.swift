import TestSupport
import Testing

@Suite struct ShowTests {
    @Test func modelsArePrintedAsTrees() async throws {
        let run = try await NoteSchema().run(
            "show", "-",
            input: #"[{"id": 1, "text": "a\nb", "tags": ["x", "y"]}, {"id": 2, "due": null, "code": "1234"}]"#)
        #expect(
            run.output == """
                Note
                  id: 1
                  text: "a\\nb"
                  tags: ["x", "y"]
                Note
                  id: 2
                  due: null
                  code: •••

                """)
        #expect(run.errors.isEmpty)
        #expect(run.status == 0)
    }

    @Test func nestedModelsAreIndented() async throws {
        let run = try await runTool(
            ["show", "--schemas", "Schemas/github", "--model", "Event", "Schemas/samples/events.json"])
        #expect(run.status == 0)
        #expect(
            run.output.hasPrefix(
                """
                CreateEvent
                  id: 1652857721
                  type: "CreateEvent"
                  actor: User
                    id: 1229684
                    login: "noahlu"

                """))
    }

    @Test func linesAreShownUntilTheFirstProblem() async throws {
        let run = try await NoteSchema().run(
            "show", "--lines", "-", input: "{\"id\": 1}\n\n{\"id\": []}\n{\"id\": 3}\n")
        #expect(run.output == "Note\n  id: 1\n")
        #expect(run.errorLines == ["<stdin>:3:8: expected an integer but found an array at /id"])
        #expect(run.status == 1)
    }
}
