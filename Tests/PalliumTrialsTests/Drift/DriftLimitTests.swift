import Foundation
import Pallium
import PalliumTrials
import RunSupport
import TestSupport
import Testing

/// Hostile documents cannot make a report grow, or a monitor fail.
@Suite struct DriftLimitTests {
    private static let schemas = """
        [{"name": "Order", "properties": {"a": {"kind": "integer"}, "child": {"kind": "model", "model": "Order"},
          "s": {"kind": "enumeration", "cases": ["x"]}, "j": {"kind": "json"}}}]
        """

    @Test(.threat(.hugeInput)) func unknownMembersBeyondTheLimitAreCountedTogether() throws {
        let trial = try DriftTrial(Self.schemas)
        let registry = try trial.registry()
        let schema = try registry.schema(named: "Order")
        var options = JSONAdapterOptions()
        options.unknownMembers = .refuse
        options.maximumProblems = 100_000
        let adapter = try JSONAdapter(schema: schema, registry: registry, options: options)
        var monitor = try DriftMonitor(schema: schema, registry: registry)
        let count = 20_000
        for part in 0..<5 {
            let names = (0..<count / 5).map { "\"name\(part * count / 5 + $0)\": {\"x\": [1, {\"y\": 2}]}" }
            let bytes = Array("{\(names.joined(separator: ", "))}".utf8)
            monitor.add(bytes, problems: adapter.report(from: bytes).problems)
        }
        let report = monitor.report()
        #expect(report.findings.count == 101)
        #expect(report.findings.first?.place == "…" && report.findings.first?.count == count - 100)
        #expect(report.findings.reduce(0) { $0 + $1.count } == count)
        #expect(report.findings.first?.edit == nil && report.cuts.count == 1)
        #expect(try report.json.bytes().count < 200_000)
    }

    @Test(.threat(.hugeInput)) func mergedMonitorsKeepTheLimits() throws {
        let trial = try DriftTrial(Self.schemas)
        var monitor = try trial.monitor([])
        for part in 0..<10 {
            let names = (0..<50).map { "name\(part * 50 + $0)" }
            try monitor.merge(trial.monitor([.object(JSONObject(names.map { ($0, .null) }))]))
        }
        let report = monitor.report()
        #expect(report.findings.count == 101 && report.findings[0].count == 400)
    }

    @Test(.threat(.hugeInput)) func valuesAndExamplesAreLimited() throws {
        let trial = try DriftTrial(Self.schemas)
        let documents: [JSONValue] = (0..<100).map { ["s": .string("case\($0)")] }
        func object(_ name: String, _ value: JSONValue) -> JSONValue { .object(JSONObject([(name, value)])) }
        let huge = String(repeating: "x", count: 1 << 20)
        let hugeDocuments = [
            object("s", .string(huge)), object("a", .string(huge)), object(String(repeating: "z", count: 60_000), 1),
        ]
        let report = try trial.report(documents + hugeDocuments)
        let cases = try #require(report.findings.first { $0.kind == .unlistedCase })
        #expect(cases.values.count == 32 && cases.otherValues == 69 && cases.examples.count == 3)
        #expect(cases.edit?.description == #"Order /properties/s/unknown: "keep""#)
        #expect(report.cuts.contains { $0.contains("only 32 values") })
        #expect(try report.json.bytes().count < 20_000)
    }

    @Test(.threat(.deepNesting)) func deepDocumentsNeedNoDeepStack() throws {
        let text = String(repeating: #"{"child": "#, count: 511) + #"{"a": "x"}"# + String(repeating: "}", count: 511)
        let other = #"{"b": "# + String(repeating: "[", count: 510) + String(repeating: "]", count: 510) + "}"
        let titles = try onStack {
            let trial = try DriftTrial(Self.schemas)
            let report = try trial.report("\(text)\n\(other)")
            _ = try DriftReport(json: report.json.bytes())
            _ = report.text
            return report.titles
        }
        #expect(Set(titles) == ["otherKind Order.a", "unknownMember Order.b"])
    }

    /// Members that are the same in every object have the same evidence, however monitors are merged.
    @Test func theOrderOfMergingDoesNotMatterForFigures() throws {
        let trial = try DriftTrial(Self.schemas)
        let documents = (0..<40).map { index -> JSONValue in
            [
                "a": .number(JSONNumber(index % 7)),
                "new": ["id": .number(JSONNumber(index)), "x": ["y": .string("z\(index)")]],
            ]
        }
        let whole = try trial.report(documents)
        var merged = try trial.monitor([])
        for start in stride(from: 0, to: 40, by: 8) {
            try merged.merge(trial.monitor(Array(documents[start..<start + 8]), from: start))
        }
        #expect(merged.report() == whole)
        var reversed = try trial.monitor([])
        for start in stride(from: 0, to: 40, by: 8).reversed() {
            try reversed.merge(trial.monitor(Array(documents[start..<start + 8]), from: start))
        }
        #expect(reversed.report().figures == whole.figures)
        #expect(reversed.report().findings.map(\.edit) == whole.findings.map(\.edit))
    }

    /// Values with more places than are distinguished are any JSON, also if each of several monitors saw a few.
    @Test(.threat(.hugeInput)) func manyPlacesOfManyMonitorsStayFew() throws {
        let trial = try DriftTrial(Self.schemas)
        var monitor = try trial.monitor([])
        var documents: [JSONValue] = []
        for number in 0..<40 {
            var inner = JSONObject()
            for name in 0..<5 { inner["n\(number)x\(name)"] = name % 2 == 0 ? ["a": 1] : "b" }
            documents.append(["new": .object(inner)])
            try monitor.merge(trial.monitor(documents.suffix(1)))
        }
        let finding = try #require(monitor.report().findings.first)
        #expect(finding.count == 40)
        #expect(finding.edit?.value == ["kind": "json"] && finding.edit?.newSchemas == [])
        #expect(try trial.applying(#require(finding.edit)).report(documents).titles == [])
    }

    @Test func monitorsOfOtherSchemasAreNotMerged() throws {
        var monitor = try DriftTrial(Self.schemas).monitor([])
        let other = try DriftTrial(#"[{"name": "Other", "properties": {"a": {"kind": "bool"}}}]"#).monitor([["b": 1]])
        let before = monitor.report()
        let error = #expect(throws: ModelError.self) { try monitor.merge(other) }
        #expect(error?.code == .typeMismatch && monitor.report() == before)
    }
}
