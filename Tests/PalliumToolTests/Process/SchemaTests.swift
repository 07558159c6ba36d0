import TestSupport
import Testing

@Suite struct SchemaTests {
    @Test func anUnknownSchemaIsWrongUsageWithASuggestion() async throws {
        let near = try await runTool(["decode", "--schemas", "Schemas/github", "--model", "Evnt", "-"])
        #expect(near.errorLines == ["pallium: there is no schema \"Evnt\" in Schemas/github; did you mean Event?"])
        #expect(near.status == 2)
        let notes = try NoteSchema()
        defer { withExtendedLifetime(notes.folder) {} }
        let far = try await runTool(["show", "--schemas", notes.folder.path, "--model", "Zebra", "-"])
        #expect(far.errorLines == ["pallium: there is no schema \"Zebra\" in \(notes.folder.path), but Note"])
        #expect(far.status == 2)
    }

    @Test func everyProblemOfTheSchemasIsListedWithItsFile() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write("A.json", "{\"name\": \"A\",\n \"properties\": {\"x\": {\"kind\": \"intger\"}}}")
        try folder.write("B.json", "{\"name\": \"B\", \"propertys\": {}}")
        try folder.write("C.json", "{\"name\": ")
        let run = try await runTool(["decode", "--schemas", folder.path + "/", "--model", "A", "-"])
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errorLines.first == "pallium: 3 problems in schemas")
        try #require(run.errorLines.count == 4)
        #expect(run.errorLines[1].hasPrefix("\(folder.path)/A.json:2:"))
        #expect(run.errorLines[1].contains("\"intger\""))
        #expect(run.errorLines[2].hasPrefix("\(folder.path)/B.json:1:"))
        #expect(run.errorLines[2].contains("\"propertys\""))
        #expect(run.errorLines[3].hasPrefix("\(folder.path)/C.json:1:10: "))
    }

    @Test func aSingleFileCanHoldTheSchemas() async throws {
        let notes = try NoteSchema()
        defer { withExtendedLifetime(notes.folder) {} }
        let file = "\(notes.folder.path)/Note.json"
        let run = try await runTool(["decode", "--schemas", file, "--model", "Note", "-"], input: #"{"id": 1}"#)
        #expect(run.output == "{\"id\":1}\n")
        try notes.folder.write("Note.json", "[]]")
        let broken = try await runTool(["decode", "--schemas", file, "--model", "Note", "-"])
        #expect(broken.errorLines.first == "pallium: 1 problem in schemas")
        #expect(broken.errorLines.last?.hasPrefix("\(file):1:3: ") == true)
    }

    @Test func missingSchemasAreOneProblem() async throws {
        let run = try await runTool(["decode", "--schemas", "nowhere", "--model", "A", "-"])
        #expect(run.errorLines.count == 2)
        #expect(run.errorLines.last?.hasSuffix("/nowhere: there is no such file or folder") == true)
        #expect(run.status == 2)
    }
}

@Suite struct ProfileOptionTests {
    private let schema = #"""
        {"name": "Note", "properties": {"id": {"kind": "integer"}}, "profiles": {"short": {"id": "i"}}}
        """#

    @Test func theProfileSaysWhereMembersAre() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("note.json", schema)
        let arguments = ["--schemas", path, "--model", "Note", "--profile"]
        let run = try await runTool(["decode"] + arguments + ["short", "-"], input: #"{"i":1,"id":2}"#)
        #expect(run.output == "{\"i\":1}\n")
        let shown = try await runTool(["show"] + arguments + ["short", "-"], input: #"{"i":1}"#)
        #expect(shown.output == "Note\n  id: 1\n")
        let unknown = try await runTool(["decode"] + arguments + ["shrt", "-"], input: "{}")
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains(#"found "shrt"; did you mean "short"?"#))
    }
}
