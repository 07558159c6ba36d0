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

    /// Lines with unknown members, other kinds and no JSON, and many distinct values.
    private static let lines = (0..<4000).map { number in
        switch number % 100 {
        case 7: #"{"id": "\#(number)"}"#
        case 21: #"{"id": \#(number), "odd": true}"#
        case 50: "nope"
        default: #"{"id": \#(number), "note": "note \#(number % 300)"}"#
        }
    }

    @Test(arguments: ["1", "2", "8"]) func theReportIsTheSameForEveryNumberOfJobs(jobs: String) async throws {
        let run = try await drift(
            ["--lines", "--jobs", jobs, "--format", "json", "-"], input: Self.lines.joined(separator: "\n"))
        let single = try await drift(["--lines", "--format", "json", "-"], input: Self.lines.joined(separator: "\n"))
        #expect(run.status == 1 && run == single)
        let report = try DriftReport(json: Data(run.output.utf8))
        #expect(report.documents == 4000)
        #expect(Set(report.findings.map(\.count)) == [40])
    }

    @Test func reportsOfPartsAreAddedUp() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write("Order.json", Self.schema)
        var parts: [String] = []
        for (index, range) in [0..<1000, 1000..<1010, 1010..<4000].enumerated() {
            try folder.write("\(index).jsonl", Self.lines[range].joined(separator: "\n") + "\n")
            parts.append("\(index)")
        }
        let script = """
            cd "$1"; set -- --schemas Order.json --model Order --lines
            for part in 0 1 2; do
                "$0" decode "$@" --quiet --drift $part.drift $part.jsonl > /dev/null
            done
            "$0" drift "$@" --format json 0.jsonl 1.jsonl 2.jsonl > whole.drift 2> whole.errors
            "$0" drift --merge --format json 2.drift - 0.drift < 1.drift > merged.drift 2> merged.errors
            echo "status $?"
            cmp whole.drift merged.drift && cmp whole.errors merged.errors && echo equal
            "$0" drift --merge 2.drift --baseline whole.drift > /dev/null; echo "status $?"
            """
        let run = try await runShell(script, [folder.path])
        #expect(run.outputLines == ["status 1", "equal", "status 0"], "\(run)")
    }

    @Test(arguments: [
        ("--merge --lines r", "--merge and --lines exclude each other: reports are read, not documents"),
        ("--merge --model M r", "--merge and --model exclude each other: reports are read, not documents"),
        ("--merge", "no input: name a file, or - for standard input"),
        ("--merge - -", "standard input can be read once only"),
        ("--jobs 2 --schemas S --model M r", "--jobs needs --lines"),
    ])
    func mergingReadsReportsOnly(_ arguments: String, _ message: String) async throws {
        let run = try await runTool(["drift"] + arguments.split(separator: " ").map(String.init))
        #expect(run.status == 2 && run.errorLines.first == "pallium: \(message)")
    }

    @Test(arguments: ["{}", "{\"format\": \"pallium drift report 1\"}", "nope"])
    func whatIsNoReportIsNotMerged(_ text: String) async throws {
        let run = try await runTool(["drift", "--merge", "-"], input: text)
        #expect(run.status == 2 && run.output.isEmpty && run.errors.hasPrefix("<stdin>"))
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
