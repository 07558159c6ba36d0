import TestSupport
import Testing

@Suite struct DiffTests {
    private let notes: NoteSchema
    private let old: String
    private let new: String

    init() throws {
        notes = try NoteSchema()
        old = try notes.folder.write(
            "old.txt", #"{"id": 1, "text": "a", "tags": ["x"], "due": "2026-01-31T12:00:00Z", "code": "1", "more": 1}"#)
        new = try notes.folder.write(
            "new.txt",
            #"{"id": 1.0, "text": null, "tags": ["x", "y"], "due": "2026-01-31T13:00:00+01:00", "code": "2"}"#)
    }

    private func diff(_ more: String..., input: String = "") async throws -> ToolRun {
        try await diff(more, input: input)
    }

    private func diff(_ more: [String], input: String = "") async throws -> ToolRun {
        try await runTool(["diff"] + more, input: input)
    }

    @Test func withSchemasEveryChangedPropertyIsALine() async throws {
        let run = try await notes.run("diff", old, new)
        #expect(run.outputLines == [#"/text: "a" → null"#, #"/tags: ["x"] → ["x", "y"]"#, "/code: ••• → •••"])
        #expect(run.errors.isEmpty && run.status == 0)
        let same = try await notes.run("diff", old, old)
        #expect(same.output.isEmpty && same.errors.isEmpty && same.status == 0)
    }

    @Test func withSchemasPatchesAreAboutWhatTheSchemaKnows() async throws {
        let patch = try await notes.run("diff", "--format", "patch", old, new)
        #expect(
            patch.output
                == #"[{"op":"replace","path":"/text","value":null},{"op":"add","path":"/tags/1","value":"y"},"#
                + #"{"op":"replace","path":"/code","value":"2"}]"# + "\n")
        let merge = try await notes.run("diff", "--format=merge-patch", old, new)
        #expect(merge.output == #"{"text":null,"tags":["x","y"],"code":"2"}"# + "\n")
    }

    @Test func withoutSchemasDocumentsAreComparedAsTheyAre() async throws {
        let input = #"[1, {"a": null, "b": 2.50}]"#
        let file = try notes.folder.write("file.txt", #"[1, {"b": 2.5}, "é"]"#)
        #expect(
            try await diff("-", file, input: input).output
                == #"[{"op":"add","path":"/2","value":"é"},{"op":"remove","path":"/1/a"}]"# + "\n")
        #expect(try await diff("--format", "merge-patch", file, "-", input: "{}").output == "{}\n")
        #expect(try await diff("-", file, input: #"[1,{"b":25e-1},"é"]"#).output == "[]\n")
        #expect(
            try await diff("--pretty", "--format", "merge-patch", "-", new, input: "5").output.hasPrefix(
                "{\n  \"id\": 1,\n  \"text\": null"))
    }

    @Test func theDeepestDocumentsAreCompared() async throws {
        let deep = String(repeating: "[", count: 511)
        let file = try notes.folder.write("deep.txt", deep + "{}" + String(repeating: "]", count: 511))
        let run = try await diff("-", file, input: deep + String(repeating: "]", count: 511))
        #expect(run.status == 0)
        #expect(run.output.hasSuffix(#"/0","value":{}}]"# + "\n"))
    }

    @Test func problemsAreSaidWithTheirFile() async throws {
        let broken = try await diff(old, "-", input: "[1,\n 2")
        #expect(broken.errorLines == ["<stdin>:2:3: expected ',' or ']' but found the end of the text"])
        #expect(broken.status == 1 && broken.output.isEmpty)
        let wrong = try await notes.run("diff", "-", new, input: #"{"id": "x"}"#)
        #expect(wrong.errorLines == [#"<stdin>:1:8: expected an integer but found "x" at /id"#])
        #expect(wrong.status == 1)
        let several = try await notes.run("diff", "-", new, input: "[]")
        #expect(several.errorLines == ["<stdin>:1:1: expected an object but found an array at the root"])
        let missing = try await diff(old, "/nowhere/x")
        #expect(missing.errorLines == ["pallium: cannot read /nowhere/x: No such file or directory"])
        #expect(missing.status == 2)
    }

    @Test(arguments: [["--format", "text"], ["--format", "patch"], ["--format", "merge-patch"]])
    func setsInAnotherOrderAreNoDifference(_ format: [String]) async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write(
            "Page.json",
            #"""
            [{"name": "Page", "properties": {
              "tags": {"kind": "set", "of": {"kind": "string"}}, "order": {"kind": "array", "of": {"kind": "integer"}},
              "parts": {"kind": "array", "of": {"kind": "model", "model": "Page"}},
              "byName": {"kind": "dictionary", "of": {"kind": "set", "of": {"kind": "integer"}}, "json": "a.b"}
            }}]
            """#)
        let options = ["--schemas", folder.path, "--model", "Page", "--exit-code"] + format
        let old = try folder.write(
            "old.txt",
            #"{"tags": ["[", "\"]", "c"], "order": [1, 2], "parts": [{"tags": ["x", "y"]}], "a": {"b": {"k": [1, 2]}}}"#
        )
        let same = try folder.write(
            "same.txt",
            #"{"tags": ["c", "[", "\"]"], "order": [1, 2], "parts": [{"tags": ["y", "x"]}], "a": {"b": {"k": [2, 1]}}}"#
        )
        let run = try await diff([old, same] + options)
        #expect(run.status == 0)
        #expect(["", "[]\n", "{}\n"].contains(run.output))
        let new = try folder.write(
            "new.txt",
            #"{"tags": ["d", "c", "["], "order": [2, 1], "parts": [{"tags": ["y", "x"]}], "a": {"b": {"k": [2, 1]}}}"#)
        let changed = try await diff([old, new] + options)
        #expect(changed.status == 1)
        let lines = [
            "text": "/tags: [\"[\", \"\"]\", \"c\"] → [\"d\", \"c\", \"[\"]\n/order: [1, 2] → [2, 1]\n",
            "patch": #"[{"op":"remove","path":"/tags/1"},{"op":"add","path":"/tags/-","value":"d"},"#
                + #"{"op":"remove","path":"/order/0"},{"op":"add","path":"/order/1","value":1}]"# + "\n",
            "merge-patch": #"{"tags":["d","c","["],"order":[2,1]}"# + "\n",
        ]
        #expect(changed.output == lines[format[1]])
    }

    /// Formats say more or less of a difference; whether there is one does not depend on them.
    @Test(arguments: ["text", "patch", "merge-patch"])
    func theExitStatusIsTheSameForEveryFormat(_ format: String) async throws {
        let options = ["--exit-code", "--format", format]
        func typed(_ old: String, _ new: String) async throws -> Int32 {
            let file = try notes.folder.write("file.txt", new)
            return try await notes.run(["diff"] + options + ["-", file], input: Array(old.utf8)).status
        }
        #expect(try await typed(#"{"id":1}"#, #"{"id":1,"text":null}"#) == 0)
        #expect(try await typed(#"{"id":1,"text":null}"#, #"{"id":1}"#) == 0)
        #expect(try await typed(#"{"id":1,"text":"a"}"#, #"{"id":1}"#) == 1)
        guard format != "text" else { return }
        let file = try notes.folder.write("file.txt", "{}")
        #expect(try await diff(["-", file] + options, input: #"{"a":null}"#).status == 1)
    }

    @Test func theExitStatusTellsDifferencesIfAsked() async throws {
        #expect(try await diff([old, old, "--exit-code"]).status == 0)
        #expect(try await diff([old, new, "--exit-code"]).status == 1)
        #expect(try await diff([old, new]).status == 0)
        let broken = try await diff(["-", new, "--exit-code"], input: "[1")
        #expect(broken.status == 2)
        #expect(broken.errorLines == ["<stdin>:1:3: expected ',' or ']' but found the end of the text"])
    }
}
