import Foundation
import TestSupport
import Testing

@Suite struct MergeTests {
    private let folder: TemporaryFolder
    private let base: String

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "Issue.json",
            """
            {"name": "Issue", "properties": {
              "id": {"kind": "integer", "required": true},
              "title": {"kind": "string"},
              "state": {"kind": "string"},
              "views": {"kind": "integer", "merge": "max"},
              "labels": {"kind": "array", "of": {"kind": "string"}, "merge": "union"},
              "tags": {"kind": "set", "of": {"kind": "string"}},
              "token": {"kind": "string", "labels": ["secret"]}
            }}
            """)
        base = try folder.write(
            "base.txt",
            #"{"id": 1, "title": "a", "state": "open", "views": 5, "labels": ["x"], "token": "t", "more": [1]}"#)
    }

    private func merge(_ more: String..., input: String) async throws -> ToolRun {
        defer { withExtendedLifetime(folder) {} }
        return try await runTool(
            ["merge", "--schemas", folder.path, "--model", "Issue"] + more, input: input)
    }

    @Test func whatComesInIsMergedByThePolicies() async throws {
        let run = try await merge(base, "-", input: #"{"state": null, "views": 3, "labels": ["y"], "more": [2]}"#)
        #expect(
            run.output == #"{"id":1,"title":"a","state":null,"views":5,"labels":["x","y"],"token":"t"}"# + "\n")
        #expect(run.errorLines == ["pallium: 2 changes, no conflicts"])
        #expect(run.status == 0)
        let kept = try await merge(
            "--unknown", "keep", "--pretty", "-", base, input: #"{"id": 1, "views": 9, "other": 2}"#)
        #expect(kept.output.hasPrefix("{\n  \"id\": 1,\n  \"title\": \"a\""))
        #expect(kept.output.hasSuffix("\"other\": 2,\n  \"more\": [\n    1\n  ]\n}\n"))
    }

    @Test func theFormatOfTheBaseIsKept() async throws {
        let base = try folder.write(
            "base.txt", "\u{FEFF}{\r\n  \"title\" : \"\\u0061\", \"views\":5.0,\r\n  \"x\": [ 1,2 ], \"id\":1\r\n}\r\n")
        let run = try await merge("--keep-format", base, "-", input: #"{"views": 9, "labels": ["y"], "x": 3}"#)
        #expect(
            run.output
                == "\u{FEFF}{\r\n  \"title\" : \"\\u0061\", \"views\":9,\r\n  \"x\": [ 1,2 ], \"id\":1, \"labels\":[\"y\"]\r\n}\r\n"
        )
        #expect(run.errorLines == ["pallium: 2 changes, no conflicts"])
        let same = try await merge("--keep-format", "--unknown", "keep", base, "-", input: #"{"views": 3}"#)
        #expect(try Array(same.output.utf8) == Array(Data(contentsOf: URL(fileURLWithPath: base))))
    }

    @Test func commentsAreReadAndKept() async throws {
        let base = try folder.write("comments.txt", "{\n  \"id\": 1, // one\n  \"views\": 2, /* two */\n}\n")
        let refused = try await merge(base, "-", input: "{}")
        #expect(refused.status == 1 && refused.output.isEmpty)
        let run = try await merge("--jsonc", "--keep-format", base, "-", input: "{\"views\": 3,}")
        #expect(run.output == "{\n  \"id\": 1, // one\n  \"views\": 3, /* two */\n}\n")
        let plain = try await merge("--jsonc", base, "-", input: "// nothing\n{}")
        #expect(plain.status == 0 && !plain.output.contains("one"))
    }

    @Test func editsSurviveAndConflictsAreReported() async throws {
        let local = try folder.write(
            "local.txt", #"{"id": 1, "title": "mine", "state": "closed", "views": 5, "labels": [], "token": "u"}"#)
        let quiet = try await merge(
            "--local", local, base, "-", input: #"{"views": 8, "state": "open", "labels": ["x", "z"]}"#)
        #expect(
            quiet.output == #"{"id":1,"title":"mine","state":"closed","views":8,"labels":["z"],"token":"u"}"# + "\n")
        #expect(quiet.errorLines.first?.hasPrefix("pallium: 2 changes, ") ?? false)
        let run = try await merge("--local", local, base, "-", input: #"{"title": "theirs", "token": "v"}"#)
        #expect(run.output.contains(#""title":"mine","state":"closed""#))
        #expect(
            run.errorLines == [
                "pallium: no changes, 2 conflicts", #"conflict at /title: "mine" → "theirs" (kept, conflict)"#,
                "conflict at /token: ••• → ••• (kept, conflict)",
            ])
        #expect(run.status == 1)
    }

    @Test(arguments: [("", ""), (#", "d""#, #","d""#)])
    func theOrderOfASetIsNoEdit(_ added: String, _ written: String) async throws {
        let base = try folder.write("base.txt", #"{"id": 1, "tags": ["a", "b", "c"]}"#)
        let local = try folder.write("local.txt", #"{"id": 1, "title": "mine", "tags": ["c", "b", "a"\#(added)]}"#)
        let run = try await merge("--local", local, base, "-", input: "{}")
        #expect(run.output == #"{"id":1,"title":"mine","tags":["a","b","c"\#(written)]}"# + "\n")
        #expect(run.status == 0)
    }

    @Test func problemsAreSaidWithTheirFileAndNothingIsWritten() async throws {
        let wrong = try await merge(base, "-", input: #"{"views": 9, "title": 7}"#)
        #expect(wrong.errorLines == ["<stdin>:1:23: expected a string but found the number 7 at /title"])
        #expect(wrong.status == 1 && wrong.output.isEmpty)
        let null = try await merge(base, "-", input: #"{"id": null}"#)
        #expect(null.errorLines == ["<stdin>:1:8: expected an integer but found null at /id"])
        let part = try await merge("-", base, input: #"{"title": "a"}"#)
        #expect(part.errorLines == [#"<stdin>:1:11: expected the member "id" of Issue but found none at the root"#])
        let local = try await merge("--local", "-", base, base, input: #"{"id": "#)
        #expect(local.errorLines == ["<stdin>:1:8: expected a value but found the end of the text at /id"])
        let missing = try await merge("--local", "/nowhere/x", base, base, input: "")
        #expect(missing.errorLines == ["pallium: cannot read /nowhere/x: No such file or directory"])
        #expect(missing.status == 2 && missing.output.isEmpty)
    }
}
