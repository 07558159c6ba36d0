import Foundation
import Pallium
import PalliumTrials
import TestSupport
import Testing

@Suite struct DriftTests {
    private static let schema = """
        {"name": "Order", "properties": {"id": {"kind": "integer", "required": true}, "note": {"kind": "string"}}}
        """

    private func drift(_ options: [String], input: String) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write("Order.json", Self.schema)
        defer { withExtendedLifetime(folder) {} }
        return try await runTool(["drift", "--schemas", folder.path, "--model", "Order"] + options, input: input)
    }

    @Test func findingsArePrintedWithPlaceAndEdit() async throws {
        let run = try await drift(
            ["--lines", "-"], input: "{\"id\": 1}\n\n{\"id\": 2,\n{\"id\": \"x\", \"note\": \"n\"}\n")
        #expect(
            run.outputLines.dropFirst(3).prefix(4) == [
                #"Order.id: otherKind, once ("string")"#, #"  <stdin>:4: "x" at /id"#, "  expected an integer",
                #"  edit Order /properties/id: {"kind":"json","required":true}"#,
            ])
        #expect(run.output.contains("Order: malformed, once\n  <stdin>:3: "))
        #expect(run.output.contains("figures:\n  Order.id: integer, 100 % of 2, numbers 1, lengths 1, 2 distinct\n"))
        #expect(run.errors == "pallium: 3 documents, 2 findings, no notes\n")
        #expect(run.status == 1)
    }

    @Test func cleanDataHasStatusZero() async throws {
        let run = try await drift(["-"], input: #"[{"id": 1, "note": null}]"#)
        #expect(run.outputLines.first == "figures:")
        #expect(run.errors == "pallium: 1 document, no findings, no notes\n")
        #expect(run.status == 0)
    }

    @Test func aLongArrayIsReadElementByElement() async throws {
        let folder = try TemporaryFolder()
        try folder.write("Order.json", Self.schema)
        let filler = String(repeating: "x", count: 1 << 10)
        let elements = (0..<5000).map { #"{"id": \#($0), "note": "\#(filler)"}"# } + [#"{"id": null, "odd": [1]}"#]
        // The same array above and below the limit for arrays that are held.
        let long = try folder.write("long.json", "[\n\(elements.joined(separator: ",\n"))\n]")
        let run = try await runTool([
            "drift", "--schemas", "\(folder.path)/Order.json", "--model", "Order", "--format", "json", long,
        ])
        #expect(run.status == 1 && run.errors == "pallium: 5001 documents, 2 findings, no notes\n")
        let report = try DriftReport(json: Data(run.output.utf8))
        #expect(report.findings.map(\.place) == ["id", "odd"])
        for finding in report.findings {
            #expect(finding.examples.map(\.line) == [5002])
            #expect(finding.examples.first?.pointer == ["5000", finding.place])
        }
        #expect(report.figures.first { $0.place == "id" }?.holders == 5001)
        withExtendedLifetime(folder) {}
    }

    @Test func aBaselineLeavesOnlyWhatIsNew() async throws {
        let folder = try TemporaryFolder()
        let first = try await drift(["--format", "json", "-"], input: #"{"id": 1, "a": 1}"#)
        #expect(first.status == 1)
        let baseline = try folder.write("baseline.json", first.output)
        let same = try await drift(["--baseline", baseline, "-"], input: #"{"id": 2, "a": 5}"#)
        #expect(same.status == 0 && same.outputLines.first == "notes:")
        #expect(same.errors == "pallium: 1 document, 1 finding, 0 new, 1 note, 0 new, no shifts\n")
        let new = try await drift(["--baseline", baseline, "--lines", "-"], input: #"{"id": 2000, "a": 5, "b": true}"#)
        #expect(new.status == 1)
        #expect(new.outputLines.contains("Order.b: unknownMember, once") && !new.output.contains("Order.a:"))
        #expect(new.outputLines.contains("Order.id: range, numbers 1 before, numbers 2000 now"))
        #expect(new.errors == "pallium: 1 document, 2 findings, 1 new, 1 note, 0 new, 1 shift\n")
        let json = try await drift(["--baseline", baseline, "--format", "json", "-"], input: #"{"id": 2, "a": 5}"#)
        #expect(try JSONValue(parsing: json.output)["findings"]?[0]?["new"] == false)
        withExtendedLifetime(folder) {}
    }

    /// The schemas that `infer` makes keep new cases, so these are notes.
    @Test func newCasesCountIfNotesDo() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        func lines(_ words: [String]) -> String { words.map { #"{"state": "\#($0)"}"# }.joined(separator: "\n") }
        let samples = lines((0..<20).map { $0 % 2 == 0 ? "open" : "closed" })
        let schemas = "\(folder.path)/Inferred.json"
        let inferred = try await runTool(
            ["infer", "--name", "Issue", "--lines", "-o", schemas, "-"], input: samples)
        #expect(inferred.status == 0)
        func drift(_ options: String..., input: [String]) async throws -> ToolRun {
            try await runTool(
                ["drift", "--schemas", schemas, "--model", "Issue", "--lines"] + options + ["-"], input: lines(input))
        }
        for (options, words, status) in [
            ([], ["open", "reopened"], 0), (["--strict"], ["open", "reopened"], 1), (["--strict"], ["open"], 0),
        ] as [([String], [String], Int32)] {
            let run = try await runTool(
                ["drift", "--schemas", schemas, "--model", "Issue", "--lines"] + options + ["-"], input: lines(words))
            #expect(run.status == status, "\(options) \(words)")
            let notes = words.count == 1 ? "1 document, no findings, no notes" : "2 documents, no findings, 1 note"
            #expect(run.errors == "pallium: \(notes)\n")
        }
        // Notes of a baseline are known.
        let first = try await drift("--strict", "--format", "json", input: ["reopened"])
        #expect(first.status == 1)
        let baseline = try folder.write("baseline.json", first.output)
        let same = try await drift("--strict", "--baseline", baseline, input: ["reopened", "open"])
        #expect(same.status == 0 && same.outputLines.first == "notes:")
        #expect(same.errors == "pallium: 2 documents, no findings, 0 new, 1 note, 0 new, no shifts\n")
        let new = try await drift("--strict", "--baseline", baseline, input: ["reopened", "spam"])
        #expect(new.status == 1)
        #expect(new.outputLines.first == "new notes:")
        #expect(new.errors == "pallium: 2 documents, no findings, 0 new, 1 note, 1 new, no shifts\n")
        let json = try await drift("--baseline", baseline, "--format", "json", input: ["spam"])
        #expect(try JSONValue(parsing: json.output)["notes"]?[0]?["new"] == true)
    }

    /// A note is also a model that a cluster does not list, and an optional property that no document has.
    @Test(
        arguments: [
            (#"{"type": "a", "x": 1}"#, 0, "no notes"), (#"{"type": "b", "x": 1}"#, 1, "1 note"),
            (#"{"type": "a"}"#, 1, "1 note"),
        ] as [(String, Int32, String)])
    func everyKindOfNoteCounts(document: String, status: Int32, notes: String) async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let schema = try folder.write(
            "Base.json",
            """
            {"name": "Base", "properties": {"type": {"kind": "string"}, "x": {"kind": "integer"}},
             "cluster": {"discriminator": "type", "models": {"a": "Base"}, "default": "Base"}}
            """)
        let run = try await runTool(
            ["drift", "--schemas", schema, "--model", "Base", "--strict", "-"], input: document)
        #expect(run.status == status)
        #expect(run.errors == "pallium: 1 document, no findings, \(notes)\n")
    }

    @Test func misuseHasStatusTwo() async throws {
        let folder = try TemporaryFolder()
        let odd = try folder.write("odd.json", #"{"format": "odd"}"#)
        for options in [
            ["-", "--format", "xml"], ["--baseline", odd, "-"], ["--baseline", "\(folder.path)/none.json", "-"],
            ["--baseline", "-", "-"], [], ["\(folder.path)/none.json"], ["--profile", "none", "-"],
        ] {
            let run = try await drift(options, input: #"{"id": 1}"#)
            #expect(run.status == 2 && run.output.isEmpty && !run.errors.isEmpty, "\(options)")
        }
    }
}
