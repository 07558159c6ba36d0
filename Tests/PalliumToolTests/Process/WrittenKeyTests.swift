import TestSupport
import Testing

/// The section *Arguments* of the article *CommandLine*: quotation marks hold keys with any signs.
@Suite struct WrittenKeyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "Row.json",
            #"""
            [{"name": "Row", "identity": "id", "properties": {
               "id": {"kind": "integer", "required": true},
               "due date": {"kind": "integer", "index": "ordinary"}, "a,b": {"kind": "integer"},
               "a=b": {"kind": "integer"}, "-x": {"kind": "integer"}, "a.b": {"kind": "integer", "json": "a\\.b"},
               "say \"hi\"": {"kind": "integer", "index": "ordinary"}, "[0]": {"kind": "integer", "json": "\\[0]"},
               "part": {"kind": "model", "model": "Part"}}},
             {"name": "Part", "properties": {"e-mail (1)": {"kind": "string"}, "a.b": {"kind": "string", "json": "x"}}}]
            """#)
        try folder.write(
            "in",
            #"""
            {"id": 1, "due date": 1, "a,b": 1, "a=b": 2, "-x": 1, "a.b": 1, "say \"hi\"": 1, "[0]": 1, "part": {"e-mail (1)": "m", "x": "1"}}
            {"id": 2, "due date": 2, "a,b": 2, "a=b": 1, "-x": 2, "a.b": 2, "say \"hi\"": 2, "[0]": 2, "part": {"e-mail (1)": "n", "x": "2"}}

            """#)
    }

    private func run(_ command: String, _ more: [String]) async throws -> ToolRun {
        defer { withExtendedLifetime(folder) {} }
        return try await runTool(
            command.split(separator: " ").map(String.init)
                + ["--schemas", folder.path + "/Row.json", "--model", "Row"] + more)
    }

    /// The keys in the order of a list of the tool.
    static let keys = [
        #""due date""#, #""a,b""#, #""a=b""#, #""-x""#, #""a.b""#, #"a\.b"#, #""say ""hi""""#, #""[0]""#,
        #"part."e-mail (1)""#, #""part"."a.b""#,
    ]

    @Test(arguments: keys) func oneSpellingNamesAKeyInAllOptions(key: String) async throws {
        let store = folder.path + "/a.store"
        #expect(try await run("store import", ["--lines", store, folder.path + "/in"]).status == 0)
        let value = key.contains("mail") ? "m" : key == #""a=b""# ? "2" : "1"
        let found = try await run("store query", ["--where", "\(key) = \(value)", "--only", "id", store])
        #expect(found.output.contains(#""id":1"#) && !found.output.contains(#""id":2"#), "\(found)")
        for (order, first) in [(key, 1), ("-" + key, 2)] {
            let sorted = try await run(
                "store query", ["--order", "\(order),id", "--limit", "1", "--only", "id", store])
            let expected = key == #""a=b""# ? 3 - first : first
            #expect(sorted.output.contains("\"id\":\(expected)"), "\(sorted)")
        }
        let decoded = try await run("decode", ["--lines", "--only", "\(key),id", folder.path + "/in"])
        #expect(decoded.status == 0)
        #expect(
            decoded.outputLines.first?.contains(":\"\(value)\"") == true
                || decoded.outputLines.first?.contains(":\(value)") == true)
        #expect(decoded.outputLines.first?.contains("due date") == (key == #""due date""#))
    }

    @Test(arguments: [#""due date"#, #""due date"x"#, #"part."#, #",id"#, #""""#])
    func halfAKeyIsAMistake(key: String) async throws {
        let run = try await run("decode", ["--lines", "--only", key, folder.path + "/in"])
        #expect(run.status == 2)
    }
}
