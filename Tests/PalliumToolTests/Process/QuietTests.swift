import Foundation
import TestSupport
import Testing

/// A verdict with counts is all that is written.
@Suite struct QuietTests {
    private static let input = """
        {"id":1}
        {"id":"x","text":5}
        [{"id":2},{"id":true},{}]

        {"id":3,"tags":["a",1,2]}
        nope
        """

    @Test func theVerdictIsATextWithTables() async throws {
        let run = try await NoteSchema().decodeLines(["--array", "--quiet"], input: Self.input)
        #expect(
            run.output == """
                invalid: 7 problems in 4 documents of 5
                1 model (1 Note), 86 bytes

                problems  code
                       5  typeMismatch
                       1  malformedJSON
                       1  missingProperty

                problems  place
                       2  /tags/*
                       1  /
                       1  /*
                       1  /*/id
                       1  /id
                       1  /text

                problems  schema
                       6  Note

                """)
        #expect(run.errorLines.isEmpty && run.status == 1)
    }

    @Test func theVerdictIsAnObject() async throws {
        let run = try await NoteSchema().decodeLines(["--array", "--quiet", "--errors", "json"], input: Self.input)
        let verdict = try object(run.output)
        #expect(run.output.hasSuffix("}\n") && run.outputLines.count == 1)
        #expect(verdict["valid"] as? Bool == false)
        #expect(verdict["documents"] as? Int == 5 && verdict["refusedDocuments"] as? Int == 4)
        #expect(verdict["bytes"] as? Int == Self.input.utf8.count && verdict["problems"] as? Int == 7)
        let counts = try #require(verdict["counts"] as? [String: [String: Int]])
        #expect(counts["code"] == ["typeMismatch": 5, "missingProperty": 1, "malformedJSON": 1])
        #expect(counts["place"]?.values.reduce(0, +) == 7)
        #expect(counts["place"]?["/tags/*"] == 2 && counts["place"]?["/*/id"] == 1 && counts["place"]?["/id"] == 1)
        #expect(counts["schema"] == ["Note": 6])
        #expect(run.errorLines.isEmpty && run.status == 1)
    }

    @Test(arguments: [["--lines", "--array"], []]) func withoutProblemsTheVerdictIsValid(lines: [String]) async throws {
        let notes = try NoteSchema()
        let text = try await notes.run(
            ["decode"] + lines + ["--quiet", "-"], input: Array(#"[{"id":1},{"id":2}]"#.utf8))
        #expect(text.outputLines.first == "valid" && text.status == 0 && text.errors.isEmpty)
        #expect(text.outputLines.last?.hasPrefix("2 models (2 Note), 19 bytes in ") == true)
        #expect(text.outputLines.count == 2)
        let json = try await notes.run(
            ["decode"] + lines + ["--quiet", "--errors=json", "-"], input: Array(#"[{"id":1},{"id":2}]"#.utf8))
        let verdict = try object(json.output)
        #expect(verdict["valid"] as? Bool == true && verdict["problems"] as? Int == 0)
        #expect(verdict["documents"] as? Int == 1 && verdict["refusedDocuments"] as? Int == 0)
        #expect(verdict["models"] as? [String: Int] == ["Note": 2])
        #expect(verdict["counts"] as? [String: [String: Int]] == ["code": [:], "place": [:], "schema": [:]])
        #expect(json.status == 0 && json.errors.isEmpty)
    }

    @Test func documentsWithoutLinesAreCountedToo() async throws {
        let notes = try NoteSchema()
        let files = try [#"{"id":1}"#, #"[{"id":"x"},{"id":2,"text":1}]"#, "[]", "{}"].enumerated().map {
            try notes.folder.write("\($0.offset)", $0.element)
        }
        let run = try await notes.run(["decode", "--quiet", "--errors", "json"] + files)
        let verdict = try object(run.output)
        #expect(verdict["documents"] as? Int == 4 && verdict["refusedDocuments"] as? Int == 2)
        #expect(verdict["problems"] as? Int == 3 && run.status == 1 && run.errors.isEmpty)
    }

    @Test func fewerThan1000NamesAreAllCounted() async throws {
        let input = (0..<999).map { "{\"id\":1,\"name\($0)\":0}\n" }.joined()
        let run = try await NoteSchema().decodeLines(
            ["--quiet", "--errors", "json", "--unknown", "refuse"], input: input)
        let counts = try #require(try object(run.output)["counts"] as? [String: [String: Int]])
        #expect(counts["place"]?.count == 999)
    }

    @Test(arguments: [[], ["--errors", "json"]]) func rejectsAreKeptAsWithout(errors: [String]) async throws {
        let notes = try NoteSchema()
        let expected = try await notes.decodeLines(["--rejects"], input: NoteLines.bytes)
        let run = try await notes.decodeLines(["--rejects", "--quiet"] + errors, input: NoteLines.bytes)
        #expect(run.rejects == expected.rejects)
        let alone = try await notes.decodeLines(["--quiet"] + errors, input: NoteLines.bytes)
        #expect(run.output.contains("\(NoteLines.refusedNumbers.count)"))
        #expect(alone.status == 1 && run.status == 1)
        #expect(run.errorLines.isEmpty && alone.errorLines.isEmpty)
    }
}
