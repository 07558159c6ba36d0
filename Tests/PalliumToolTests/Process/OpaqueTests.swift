import TestSupport
import Testing

/// Schemas that name kinds and transformers of a program.
@Suite struct OpaqueTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "Order.json",
            #"""
            {"name": "Order", "version": 2, "properties": {
              "id": {"kind": "integer", "required": true},
              "total": {"kind": "decimal", "transformer": ["NumberOrText", "Cents"], "merge": "max", "default": 0},
              "place": {"kind": "Point", "json": "meta.place"},
              "slugs": {"kind": "array", "of": {"kind": "string", "transformer": "Slug"}}
            }, "upgrades": [{"from": 1, "transform": {"total": "Euro"}}]}
            """#)
    }

    private func run(_ command: String, _ more: String..., input: String) async throws -> ToolRun {
        defer { withExtendedLifetime(folder) {} }
        return try await runTool([command, "--schemas", folder.path, "--model", "Order"] + more, input: input)
    }

    private static let document = #"{"id":1,"total":{"cents":5},"meta":{"place":[1,2]},"slugs":["A b",null,3]}"#

    @Test func valuesPassAsTheyAreAndTheToolSaysSo() async throws {
        let run = try await run("decode", "--opaque-transformers", "-", input: Self.document)
        #expect(run.output == Self.document + "\n")
        #expect(run.status == 0)
        #expect(run.errorLines.first == "pallium: values pass as they are: Cents, Point, Slug, Euro")
    }

    @Test func everythingElseIsChecked() async throws {
        let run = try await run("decode", "--opaque-transformers", "-", input: #"{"id":"1"}"#)
        #expect(run.errorLines.contains(#"<stdin>:1:7: expected an integer but found "1" at /id"#))
        #expect(run.status == 1)
        try folder.write("Order.json", #"{"name": "Order", "properties": {"a": {"kind": "X", "requird": true}}}"#)
        #expect(
            try await self.run("decode", "--opaque-transformers", "-", input: "{}").errors.contains(
                "did you mean \"required\""))
    }

    @Test func withoutTheOptionUnknownNamesAreProblems() async throws {
        let run = try await run("decode", "-", input: Self.document)
        #expect(run.status == 2)
        #expect(run.errors.contains(#"names the transformer "Cents", which is not registered"#))
    }

    @Test func archivesNeedTheProgram() async throws {
        let run = try await runTool(["archive", "--opaque-transformers"])
        #expect(run.status == 2)
        #expect(run.errors.contains("archive has no option --opaque-transformers"))
    }
}
