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
        #expect(result.errors == "pallium: the objects have no other members: decode with --unknown refuse\n")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/names").sorted()
        #expect(files == ["A.json", "___a.json", "a-2.json"])
    }

    @Test func mistakesAreReported() async throws {
        let file = try folder.write(
            "bad.json",
            #"{"title": "A", "type": "object", "properties": {"a": {"type": "string"}, "b": {"contains": 1}}}"#)
        let result = try await run("--json-schema", file)
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errorLines.first == "pallium: 2 problems in the contract")
        #expect(result.errorLines.dropFirst().first?.hasPrefix("\(file):1:49: A.a: may be absent but not null") == true)
        #expect(try await run("--json-schema", "--openapi", file).status == 2)
        #expect(try await run("--openapi", "--model", "A", file).status == 2)
        #expect(try await run("--json-schema", folder.path + "/none").errors.contains("cannot read"))
    }
}
