import Foundation
import Pallium
import TestSupport
import Testing

@Suite struct ImportTests {
    private let folder: TemporaryFolder
    private let contract: String

    init() throws {
        folder = try TemporaryFolder()
        contract = try folder.write(
            "contract.json",
            """
            {"title": "Issue", "type": "object", "required": ["id"], "properties": {
              "id": {"type": "integer"}, "user": {"type": ["object", "null"], "properties": {
                "login": {"type": "string"}}, "required": ["login"]}}}
            """)
    }

    private func run(_ arguments: String...) async throws -> ToolRun {
        defer { withExtendedLifetime(folder) {} }
        return try await runTool(["import"] + arguments)
    }

    @Test func theDocumentIsOneThatOtherCommandsRead() async throws {
        let result = try await run("--json-schema", "--model", "Report", contract)
        #expect(result.status == 0 && result.errors.isEmpty)
        let expected = """
            [{"name": "Report", "properties": {"id": {"kind": "integer", "required": true},
               "user": {"kind": "model", "model": "ReportUser"}}},
             {"name": "ReportUser", "properties": {"login": {"kind": "string", "required": true}}}]
            """
        #expect(try JSONValue(parsing: result.output) == JSONValue(parsing: expected))
        let schemas = try folder.write("schemas.json", result.output)
        let data = try folder.write("data.json", #"{"id": 1, "user": {}}"#)
        let decoded = try await runTool(["decode", "--schemas", schemas, "--model", "Report", data])
        #expect(decoded.status == 1)
        #expect(decoded.errors.contains("data.json:1:"))
    }

    @Test func aFolderIsWrittenAsAWholeOrNotAtAll() async throws {
        let path = folder.path + "/schemas"
        #expect(
            try await run("--json-schema", "--output", path, contract) == ToolRun(status: 0, output: "", errors: ""))
        let files = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        #expect(files == ["Issue.json", "IssueUser.json"])
        let again = try await run("--json-schema", "--output", path, contract)
        #expect(again.status == 2)
        #expect(again.errors.hasPrefix("pallium: cannot write "))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["contract.json", "schemas"])
    }

    @Test func namesOfFilesStayInTheFolder() async throws {
        let object = #"{"type": "object", "properties": {}, "additionalProperties": false}"#
        let file = try folder.write("names.json", #"{"$defs": {"../a": \#(object), "A": \#(object), "a": \#(object)}}"#)
        let result = try await run("--json-schema", "--output", folder.path + "/names", file)
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/names").sorted()
        #expect(files == ["A.json", "A2.json", "A3.json"])
    }

    @Test func theReportIsAFileOfItsOwn() async throws {
        let file = try folder.write("a.json", #"{"title": "A", "type": "object"}"#)
        for path in [folder.path + "/both.json", file] {
            let result = try await run("--json-schema", "--report", path, "-o", folder.path + "/both.json", file)
            #expect(result.status == 2)
        }
        #expect(try folder.read("a.json").hasPrefix("{"))
    }

    @Test func whatIsLostIsNamed() async throws {
        let file = try folder.write(
            "bad.json",
            """
            {"title": "A", "type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array", "contains": 1},
             "c": {"oneOf": [{"type": "string"}, {"type": "array"}]}}}
            """)
        let report = folder.path + "/report"
        let result = try await run("--json-schema", "--report", report, file)
        #expect(result.status == 0)
        #expect(
            result.errorLines.prefix(2) == [
                "pallium: 2 places said in part; 2 of 3 properties (66 %) keep a type",
                "contains: 1 (1:97): cannot be checked",
            ])
        let written = try JSONValue(parsing: folder.read("report"))
        #expect(written["properties"] == 3 && written["typedProperties"] == 2 && written["root"] == "A")
        let losses = written["losses"]?.arrayValue ?? []
        #expect(losses.count == 2)
        #expect(losses.last?["pointer"] == "/properties/c/oneOf" && losses.last?["keyword"] == "oneOf")
        #expect(losses.last?["line"] == 2 && losses.last?["column"] == 17)
        let refused = try await run("--json-schema", "--lossless", file)
        #expect(refused.status == 2 && refused.output.isEmpty)
        #expect(refused.errorLines.first == "pallium: 2 problems in the contract")
        #expect(refused.errors.contains("\(file):1:97: A.b: contains: cannot be checked"))
    }

    @Test func definitionsAreReadByName() async throws {
        let file = try folder.write(
            "service.json",
            """
            {"openapi": "3.0.0", "components": {"schemas": {
              "A": {"type": "object", "required": ["b"], "properties": {"b": {"$ref": "#/components/schemas/B"}}},
              "B": {"type": "object", "properties": {}}, "C": {"type": "object", "properties": {}}}}}
            """)
        let result = try await run("--openapi", "--model", "A", file)
        let schemas = try JSONValue(parsing: result.output).arrayValue ?? []
        #expect(schemas.map { $0["name"] } == ["A", "B"])
        let unknown = try await run("--openapi", "--model", "D", file)
        #expect(unknown.status == 2 && unknown.errors.contains("there is no schema \"D\""))
    }

    @Test func formatsAndCasesCanStayOpen() async throws {
        let file = try folder.write(
            "open.json",
            """
            {"openapi": "3.1.0", "components": {"schemas": {"A": {"type": "object", "required": ["at", "state"],
              "properties": {"at": {"type": "string", "format": "date-time"}, "state": {"enum": ["a"]}}}}}}
            """)
        let result = try await run("--openapi", "--formats", "text", "--keep-unknown-cases", file)
        let properties = try JSONValue(parsing: result.output).arrayValue?.first?["properties"]
        #expect(properties?["at"]?["kind"] == "string" && properties?["state"]?["unknown"] == "keep")
        #expect(try await run("--openapi", "--formats", "dates", file).status == 2)
    }

    @Test func referencesLeadToFilesOfTheFolder() async throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/in", withIntermediateDirectories: false)
        try folder.write("in/other.json", #"{"$defs": {"B": {"type": "integer"}}}"#)
        try folder.write("outside.json", #"{"type": "integer"}"#)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/in/link.json", withDestinationPath: folder.path + "/outside.json")
        let file = try folder.write(
            "in/service.json",
            """
            {"title": "A", "type": "object", "required": ["a", "b", "c"], "properties": {
              "a": {"$ref": "other.json#/$defs/B"}, "b": {"$ref": "../outside.json"}, "c": {"$ref": "link.json"}}}
            """)
        func kinds(_ arguments: [String]) async throws -> [JSONValue?] {
            let result = try await runTool(["import", "--json-schema"] + arguments + [file])
            let properties = try JSONValue(parsing: result.output).arrayValue?.first?["properties"]
            return ["a", "b", "c"].map { properties?[$0]?["kind"] }
        }
        #expect(try await kinds([]) == ["integer", "json", "json"])
        #expect(try await kinds(["--folder", folder.path]) == ["integer", "integer", "integer"])
    }

    @Test func mistakesAreReported() async throws {
        let file = try folder.write("bad.json", "[]")
        let result = try await run("--json-schema", file)
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errorLines.first == "pallium: 1 problem in the contract")
        #expect(try await run("--json-schema", "--openapi", file).status == 2)
        #expect(try await run("--json-schema", "--report", "-", file).status == 2)
        #expect(try await run("--json-schema", folder.path + "/none").errors.contains("cannot read"))
    }
}
