import Foundation
import TestSupport
import Testing

/// What `pallium import` says is lost: the section *Reading contracts* of the article *Contracts*.
@Suite struct ImportReportTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "lossy.json",
            """
            {"title": "Issue", "type": "object", "properties": {
              "a": {"type": ["string", "integer"]}, "b": {"not": {"const": 1}}, "c": {"not": {"const": 2}},
              "d": {"not": {"const": 3}}, "e": {"not": {"const": 4}}, "when": {"type": "string", "format": "date-time"}}}
            """)
        try folder.write(
            "clean.json", #"{"title": "Issue", "type": "object", "properties": {"a": {"type": "string"}}}"#)
    }

    private func run(_ arguments: String) async throws -> ToolRun {
        defer { withExtendedLifetime(folder) {} }
        return try await runShell(#"cd "$1" && "$0" import --json-schema \#(arguments)"#, [folder.path])
    }

    private func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path + "/" + name) }

    @Test func aLineForEachKeywordHasThreePlaces() async throws {
        let run = try await run("lossy.json")
        #expect(run.status == 0)
        #expect(
            run.errorLines == [
                "pallium: 5 places said in part; 1 of 6 properties (16 %) keep a type",
                "not: 4 (2:47, 2:75, 3:9, …): cannot be checked",
                "type: 1 (2:8): several types are allowed; every value is accepted",
            ], "\(run.errors)")
    }

    @Test func aReportHasAllPlaces() async throws {
        let run = try await run("--report losses.json -o issue.json lossy.json")
        #expect(run.status == 0 && run.output.isEmpty)
        let report = try object(folder.read("losses.json").replacing("\n", with: " "))
        #expect(
            report["root"] as? String == "Issue" && report["properties"] as? Int == 6
                && report["typedProperties"] as? Int == 1)
        let losses = try #require(report["losses"] as? [[String: Any]])
        #expect(losses.map { $0["property"] as? String } == ["a", "b", "c", "d", "e"])
        #expect(losses.map { $0["pointer"] as? String }.last == "/properties/e/not")
        for member in ["document", "line", "column", "schema", "keyword", "message"] {
            #expect(losses.allSatisfy { $0[member] != nil })
        }
        let check = try await runShell(#"cd "$1" && "$0" check issue.json"#, [folder.path])
        #expect(check.status == 0)
        let clean = try await self.run("--report losses.json -o clean.schemas.json clean.json")
        #expect(clean == ToolRun(status: 0, output: "", errors: ""))
        #expect(try folder.read("losses.json").replacing(#/\s/#, with: "").contains(#""losses":[]"#))
    }

    @Test func aLosslessImportRefusesTheContract() async throws {
        let run = try await run("--lossless -o issue.json lossy.json")
        #expect(run.status == 2 && run.errorLines.count == 6 && !has("issue.json"), "\(run)")
        #expect(run.errorLines.dropFirst().allSatisfy { $0.hasPrefix("lossy.json:") })
        let clean = try await self.run("--lossless -o issue.json clean.json")
        #expect(clean == ToolRun(status: 0, output: "", errors: "") && has("issue.json"))
    }

    @Test func formatsAreKindsOrText() async throws {
        for (option, isRule) in [("", true), ("--formats kinds", true), ("--formats text", false)] {
            let run = try await run("\(option) lossy.json")
            #expect(run.status == 0 && run.output.contains(#""format": "date-time""#) == isRule)
        }
    }

    @Test(arguments: [
        ("--formats none lossy.json", "kinds or text"), ("--formats lossy.json", "needs one contract"),
        ("--report - lossy.json", "--report"),
        ("--report no/losses.json lossy.json", "no/losses.json"), ("--report losses.json none.json", "none.json"),
        ("--openapi lossy.json", "--json-schema and --openapi"),
        ("--report a.json --report b.json lossy.json", "--report"),
        ("--lossless --lossless lossy.json", "--lossless"),
        ("lossy.json clean.json", "needs one contract"), ("--report losses.json", "needs one contract"),
    ])
    func wrongUsageWritesNothing(arguments: String, message: String) async throws {
        let run = try await run(arguments)
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(message), "\(run)")
        #expect(!has("losses.json") && !has("a.json"))
    }
}
