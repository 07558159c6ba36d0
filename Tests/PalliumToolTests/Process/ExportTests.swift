import Foundation
import Pallium
import TestSupport
import Testing

@Suite struct ExportTests {
    private let folder: TemporaryFolder
    private let schemas: String

    init() throws {
        folder = try TemporaryFolder()
        schemas = try folder.write(
            "notes.json",
            """
            [{"name": "Note", "properties": {
                "id": {"kind": "int8", "required": true},
                "secret": {"kind": "bool", "writeOnly": true},
                "map": {"kind": "dictionary", "of": {"kind": "bool"}}},
              "profiles": {"old": {"id": "number"}}},
             {"name": "Other", "properties": {"map": {"kind": "json", "required": true}}}]
            """)
    }

    private func export(_ more: String...) async throws -> ToolRun {
        defer { withExtendedLifetime(folder) {} }
        return try await runTool(["export"] + more + [schemas])
    }

    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

    @Test func jsonSchemaOfOneModel() async throws {
        let run = try await export("--json-schema", "--model", "Note")
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output.hasPrefix("{\n  \"$schema\": ") && run.output.hasSuffix("}\n"))
        let contract = try json(run.output)
        #expect(contract["$ref"] == "#/$defs/Note")
        let expected = """
            {"Note": {"title": "Note", "type": "object", "required": ["id"], "properties": {
              "id": {"type": "integer", "minimum": -128, "maximum": 127},
              "map": {"type": ["object", "null"], "additionalProperties": {"type": "boolean"}}}}}
            """
        #expect(try contract["$defs"] == json(expected))
    }

    @Test func tablesNameWhatRowsLack() async throws {
        let note = try await export("--table", "postgres", "--model", "Note", "--profile", "old")
        #expect(
            note
                == ToolRun(
                    status: 0,
                    output: """
                        CREATE TABLE "Note" (
                            "number" smallint NOT NULL,
                            "secret" boolean,
                            "map" json
                        );

                        """, errors: ""))
        let other = try await export("--table", "spark", "--model", "Other")
        #expect(other.status == 0 && other.output.hasPrefix(#"{"type":"struct","fields":[{"name":"map","#))
        #expect(
            other.errors == """
                pallium: 1 place kept in part
                any JSON is kept as its text: 1 (map)

                """)
    }

    @Test func optionsChooseWhatIsDescribed() async throws {
        let all = try await json(export("--json-schema").output)
        #expect(all["$defs"]?.objectValue?.keys == ["Note", "Other"] && all["$ref"] == nil)
        let list = try await json(export("--json-schema", "--array", "--model", "Note").output)
        #expect(list["type"] == "array" && list["items"] == ["$ref": "#/$defs/Note"])
        let written = try await json(export("--json-schema", "--mode", "output").output)
        #expect(written["$defs"]?["Note"]?["properties"]?.objectValue?.keys == ["id", "secret", "map"])
        let old = try await json(export("--json-schema", "--profile", "old").output)
        #expect(old["$defs"]?["Note"]?["required"] == ["number"])
        let components = try await json(export("--openapi").output)
        #expect(components["info"]?["title"] == "notes")
        #expect(components["components"]?["schemas"]?.objectValue?.keys == ["Note", "Other"])
        let strict = try await json(export("--strict", "--model", "Note").output)
        #expect(strict["required"] == ["id"] && strict["additionalProperties"] == false)
    }

    @Test func aFileIsReplacedAsAWhole() async throws {
        let path = try folder.write("contract.json", "old")
        let run = try await export("--json-schema", "--output", path)
        #expect(run == ToolRun(status: 0, output: "", errors: ""))
        #expect(try await folder.read("contract.json") == export("--json-schema").output)
        let refused = try await export("--strict", "--model", "Other", "--output", path)
        #expect(refused.status == 2)
        #expect(try folder.read("contract.json").hasPrefix("{\n"))
        let unwritable = try await export("--openapi", "--output", folder.path + "/none/contract.json")
        #expect(unwritable.status == 2)
        #expect(unwritable.errors.hasPrefix("pallium: cannot write "))
    }

    @Test func pagesAreForPeople() async throws {
        let markdown = try await export("--markdown")
        #expect(markdown.status == 0 && markdown.errors.isEmpty)
        #expect(markdown.output.hasPrefix("# notes\n\n- [Note](#model.Note)\n- [Other](#model.Other)\n"))
        let html = try await export("--html", "--model", "Note")
        #expect(html.output.hasPrefix("<!DOCTYPE html>\n") && html.output.hasSuffix("</html>\n"))
        #expect(html.output.contains("<title>notes</title>") && !html.output.contains("Other"))
        #expect(try await export("--dot").output.hasPrefix("digraph models {\n"))
        #expect(try await export("--mermaid").output.hasPrefix("flowchart LR\n  m0[\"Note\"]\n"))
        let path = try folder.write("page.html", "old")
        let run = try await export("--html", "--model", "Note", "--output", path)
        #expect(run == ToolRun(status: 0, output: "", errors: ""))
        #expect(try folder.read("page.html") == html.output)
    }

    @Test func mistakesAreReported() async throws {
        let strict = try await export("--strict", "--model", "Other")
        #expect(strict.status == 2)
        #expect(
            strict.errorLines == [
                "pallium: 1 problem in schemas",
                "Other.map: is required, and its JSON has no form that every language model can be held to; "
                    + "leave the model out, or make the property optional",
            ])
        let unknown = try await export("--json-schema", "--model", "Nite")
        #expect(unknown.status == 2)
        #expect(unknown.errors.hasSuffix("did you mean Note?\n"))
        let profile = try await export("--openapi", "--profile", "odl")
        #expect(profile.status == 2)
        #expect(profile.errorLines.last == #"no schema has the profile "odl"; did you mean "old"?"#)
    }
}
