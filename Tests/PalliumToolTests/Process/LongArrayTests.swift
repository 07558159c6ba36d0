import Foundation
import Testing

/// Arrays that are too long to be held and are decoded and written element by element.
@Suite struct LongArrayTests {
    private let text = String(repeating: "abcdefghij", count: 10_000)

    private func array(_ ids: some Sequence<String>, separator: String = ",") -> String {
        "[" + ids.map { "{\"id\":\($0),\"text\":\"\(text)\"}" }.joined(separator: separator) + "]"
    }

    @Test func whatIsWrittenIsTheWholeArray() async throws {
        let input = array((1...60).map(String.init), separator: " ,\n")
        let run = try await NoteSchema().run("decode", "-", input: input)
        #expect(run.output == array((1...60).map(String.init)) + "\n")
        #expect(run.errorLines == ["pallium: 60 models (60 Note), 6.0 MB in TIME, no problems"])
        #expect(run.status == 0)
    }

    @Test func commentsAreReadInLongArraysToo() async throws {
        let input = "// [\n" + array((1...60).map(String.init), separator: ", // \"\n")
        let refused = try await NoteSchema().run("decode", "-", input: input)
        #expect(refused.status == 1)
        let run = try await NoteSchema().run("decode", "--jsonc", "-", input: input)
        #expect(run.output == array((1...60).map(String.init)) + "\n")
    }

    @Test func prettyIndentsAsForShortArrays() async throws {
        let notes = try NoteSchema()
        let short = try await notes.run("decode", "--pretty", "-", input: array(["1", "2"]))
        let long = try await notes.run("decode", "--pretty", "-", input: array((1...60).map(String.init)))
        let start = short.output.dropLast("\n]\n".utf8.count)
        #expect(long.output.hasPrefix(start + ",\n  {\n    \"id\": 3,"))
        #expect(long.output.hasSuffix("\n  }\n]\n"))
        let empty = String(repeating: " ", count: 5_000_000) + "[" + String(repeating: " ", count: 5_000_000) + "]"
        #expect(try await notes.run("decode", "--pretty", "-", input: empty).output == "[]\n")
    }

    @Test func problemsHaveTheirPlaceAndCollectingLeavesBadElementsOut() async throws {
        let notes = try NoteSchema()
        let ids = (1...60).map { $0 == 30 ? "true" : "\($0)" }
        let input = array(ids, separator: ",\n")
        let problem = "<stdin>:30:7: expected an integer but found true at /29/id"
        let stopped = try await notes.run("decode", "-", input: input)
        #expect(stopped.errorLines.first == problem)
        #expect(stopped.status == 1)
        let collected = try await notes.run("decode", "--collect", "-", input: input)
        #expect(collected.errorLines.first == problem)
        #expect(collected.output == array(ids.filter { $0 != "true" }) + "\n")
        #expect(collected.status == 1)
    }

    @Test func whatCameBeforeBrokenTextIsAnArray() async throws {
        let run = try await NoteSchema().run(
            "decode", "--collect", "-", input: array((1...60).map(String.init)).dropLast() + "}")
        #expect(run.output == array((1...60).map(String.init)) + "\n")
        #expect(run.errors.contains("expected ',' or ']' but found '}' at the root"))
        #expect(run.status == 1)
    }
}
