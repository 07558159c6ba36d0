import Foundation
import Pallium
import PalliumTrials
import RunSupport
import TestSupport
import Testing

/// Reports about parts of documents add up to the report about all, and values in slots count as those in documents.
@Suite struct DriftPartTests {
    /// A trial with documents of all kinds, valid ones and some with a mistake each.
    private static func samples(_ name: String, invalid maximumInvalid: Int) throws -> (
        trial: DriftTrial, documents: [JSONValue]
    ) {
        let schemas = try #require(JSONValue(parsing: SampledSchemas.documents).arrayValue)
        var trial = DriftTrial(schemas, root: name)
        trial.prepare = SampledSchemas.prepare
        let registry = try trial.registry()
        var samples = try SampleDocuments(of: registry.schema(named: name), registry: registry)
        var documents: [JSONValue] = []
        while !samples.isComplete, documents.count < 100 { documents.append(samples.next()) }
        let invalid = samples.invalid().map(\.document)
        documents += (0..<min(invalid.count, maximumInvalid)).map { invalid[$0 * 7919 % invalid.count] }
        for (index, document) in documents.prefix(20).enumerated() {
            guard var object = document.objectValue else { continue }
            object["unknown \(index % 3)"] = ["a": .number(JSONNumber(index))]
            documents.append(.object(object))
        }
        return (trial, documents)
    }

    @Test(arguments: SampledSchemas.names) func modelsCountAsTheirDocuments(name: String) throws {
        let (trial, documents) = try Self.samples(name, invalid: 60)
        let parsed = try trial.monitor(documents, areParsed: true).report()
        let report = try trial.report(documents)
        #expect(report.documents == parsed.documents)
        #expect(report.titles == parsed.titles && report.notes == parsed.notes)
        for (own, other) in zip(report.figures, parsed.figures) {
            #expect(own == other, "\(own.place): \(own) \(other)")
        }
        #expect(report.json == parsed.json)
    }

    @Test(.needs(shared: "github_events.json")) func plantedEventsCountAsTheirDocuments() throws {
        let trial = try DriftPlantedTests.trial()
        let events = try DriftPlantedTests.plantedEvents()
        let parsed = try trial.monitor(events, areParsed: true).report()
        #expect(try trial.report(events) == parsed)
    }

    /// Slots do not tell a case that became the fallback, nor a tag for which the cluster has a default.
    @Test func whatSlotsDoNotTellIsNoted() throws {
        let trial = try DriftTrial(
            """
            [{"name": "Order", "properties": {
                "state": {"kind": "enumeration", "cases": ["a", "b"], "unknown": {"fallback": "b"}},
                "more": {"kind": "array", "of": {"kind": "enumeration", "cases": ["a"], "unknown": "keep"}}},
              "cluster": {"discriminator": "type", "models": {"x": "Child"}, "default": "Order"}},
             {"name": "Child", "extends": "Order", "properties": {"y": {"kind": "integer"}}}]
            """)
        let report = try trial.report(
            """
            {"type": "x", "state": "a"}
            {"type": "x", "state": "c"}
            {"type": "z", "state": "b"}
            {"type": "x", "state": "b", "more": ["a", "d"]}
            """)
        #expect(report.titles == [])
        let notes = report.notes.filter { $0.kind != .neverSeen }
        #expect(
            Set(notes.map(\.short)) == [
                "unlistedCase Order.state", "unlistedModel Order", "unlistedCase Order.more[]",
            ])
        #expect(notes.allSatisfy { $0.count == 1 })
    }

    /// The report without what depends on values that reports do not hold.
    private func comparable(_ report: DriftReport) throws -> JSONValue {
        var members = try #require(report.json.objectValue)
        let findings = try #require(members["findings"]?.arrayValue)
        members["findings"] = .array(
            findings.map { finding in
                var finding = finding.objectValue ?? JSONObject()
                finding["edit"] = nil
                return .object(finding)
            })
        return .object(members)
    }

    /// The lines of a report, of which the first that differ are shown.
    private func lines(_ report: DriftReport) throws -> [String] {
        var options = JSONWritingOptions()
        options.isPretty = true
        return try comparable(report).text(options: options).split(separator: "\n").map(String.init)
    }

    private func parts(_ count: Int, _ random: inout SeededGenerator) -> [Swift.Range<Int>] {
        let cuts = (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 0...count, using: &random) }
        let bounds = [0] + cuts.sorted() + [count]
        return zip(bounds, bounds.dropFirst()).map { $0..<$1 }.shuffled(using: &random)
    }

    /// The planted events are left out where their folder is missing, which the test above says.
    @Test(.trials, arguments: (SharedData.has("github_events.json") ? ["planted"] : []) + SampledSchemas.names)
    func partsInAnyOrderAreTheWhole(name: String) throws {
        let (trial, documents) =
            name == "planted"
            ? (try DriftPlantedTests.trial(), try DriftPlantedTests.plantedEvents())
            : try Self.samples(name, invalid: 12)
        let decoded = try DriftTrial.Decoded(trial, documents)
        let whole = try decoded.monitor(0..<documents.count).report()
        let (expectedLines, expectedJSON) = try (lines(whole), comparable(whole))
        for seed in Trials(1) {
            var random = SeededGenerator(seed: UInt64(seed))
            let parts = try self.parts(documents.count, &random).map { try decoded.monitor($0) }
            var monitor = try decoded.monitor(0..<0)
            var report: DriftReport?
            for part in parts {
                try monitor.merge(part)
                // As the reports of other machines come.
                let other = try DriftReport(json: part.report().json.bytes())
                if try report?.merge(other) == nil { report = other }
            }
            #expect(try comparable(monitor.report()) == expectedJSON)
            let merged = try #require(report)
            let given = try lines(merged)
            let isEqual = given == expectedLines
            #expect(isEqual, "\(zip(given, expectedLines).first { $0 != $1 }.map { "\($0)" } ?? "")")
            for (finding, expected) in zip(merged.findings, whole.findings)
            where finding.edit != nil && finding.kind != .otherKind && finding.kind != .unknownMember {
                #expect(finding.edit == expected.edit, "\(finding)")
            }
        }
    }

    @Test(.threat(.hugeInput), arguments: 0..<5) func whatIsCutDoesNotDependOnTheParts(seed: UInt64) throws {
        let trial = try DriftTrial(
            """
            [{"name": "Order", "properties": {"s": {"kind": "enumeration", "cases": ["x"]},
              "t": {"kind": "string"}, "n": {"kind": "integer"}}}]
            """)
        let documents = (0..<600).map { index -> JSONValue in
            .object(
                JSONObject([
                    ("s", JSONValue.string("case \(index * 7919 % 101)")),
                    ("m\(index * 31 % 251)", JSONValue.bool(true)),
                    ("t", JSONValue.string("text \(index)")), ("n", JSONValue.number(JSONNumber(index * index))),
                ]))
        }
        let whole = try trial.report(documents)
        #expect(whole.findings.count == 102 && whole.findings.contains { $0.place == "…" })
        var random = SeededGenerator(seed: seed)
        let parts = try self.parts(documents.count, &random).map {
            try trial.monitor(Array(documents[$0]), from: $0.lowerBound).report()
        }
        var merged = try #require(parts.first)
        for part in parts.dropFirst() { try merged.merge(part) }
        #expect(try comparable(merged) == comparable(whole))
        let figure = try #require(merged.figures.first { $0.place == "t" })
        #expect(figure.isDistinctEstimated && figure.distinct <= 600 && figure.distinct > 480)
    }

    /// Edits whose values reports hold are put together.
    @Test func editsOfPartsArePutTogether() throws {
        let trial = try DriftTrial(
            """
            [{"name": "Order", "properties": {"s": {"kind": "enumeration", "cases": ["x"]},
              "n": {"kind": "integer", "minimum": 0, "maximum": 9}, "r": {"kind": "string", "required": true}}}]
            """)
        let documents: [JSONValue] = [
            ["s": "b", "n": -1, "r": "r"], ["s": "a", "n": 10, "r": "r"], ["s": "b", "n": 70, "r": "r"],
            ["s": "x", "n": -5],
        ]
        let whole = try trial.report(documents)
        var merged = try trial.report(Array(documents.prefix(2)))
        try merged.merge(trial.monitor(Array(documents.suffix(2)), from: 2).report())
        #expect(merged == whole)
        #expect(whole.findings.count == 4)
    }

    /// Reports come from other machines, and any of their counts may be wrong.
    @Test func enormousCountsAreRefused() throws {
        let report = try DriftTrial(#"[{"name": "A", "properties": {"a": {"kind": "string"}}}]"#).report(
            "{\"a\": \"x\"}\n{\"a\": 1, \"b\": 2}\n{\"a\": null}")
        let pointers: [JSONPointer] = [
            ["documents"], ["findings", "0", "count"], ["figures", "0", "holders"], ["objects", "A"],
            ["figures", "0", "kinds", "string"], ["figures", "0", "lengths", "bars", "0", "count"],
        ]
        for pointer in pointers {
            var members = try #require(report.json.objectValue)
            members.set(.number(JSONNumber(Int.max)), at: pointer.tokens)
            let other = try DriftReport(json: JSONValue.object(members).bytes())
            var merged = report
            let error = #expect(throws: ModelError.self, "\(pointer)") { try merged.merge(other) }
            #expect(error?.code == .limitExceeded && merged == report)
            merged = other
            #expect(throws: ModelError.self) { try merged.merge(report) }
        }
    }

    /// A report may repeat what one has once, or have more of it than a monitor tells apart.
    @Test func countsWithAnEnormousSumAreRefused() throws {
        let report = try DriftTrial(#"[{"name": "A", "properties": {"a": {"kind": "string"}}}]"#).report(#"{"a": 1}"#)
        let large = JSONValue.number(JSONNumber(Int.max >> 4))
        func repeating(_ name: String, _ change: (inout JSONObject, Int) -> Void) throws -> JSONValue {
            var members = try #require(report.json.objectValue)
            let part = try #require(members[name]?[0]?.objectValue)
            members[name] = .array(
                (0..<150).map { index -> JSONValue in
                    var part = part
                    change(&part, index)
                    return .object(part)
                })
            return .object(members)
        }
        let documents = [
            try repeating("figures") { part, _ in part["holders"] = large },
            try repeating("findings") { part, _ in part["count"] = large },
            try repeating("findings") { part, index in
                part["kind"] = "unknownMember"
                part["place"] = .string("member \(index)")
                part["count"] = large
            },
            try repeating("findings") { part, _ in part["values"] = [["value": "x", "count": large]] },
        ]
        for (index, document) in documents.enumerated() {
            let other = try DriftReport(json: document.bytes())
            var merged = report
            let error = #expect(throws: ModelError.self, "\(index)") { try merged.merge(other) }
            #expect(error?.code == .limitExceeded && merged == report)
        }
    }

    @Test func reportsOfOtherSchemasAreNotMerged() throws {
        var report = try DriftTrial(#"[{"name": "A", "properties": {"a": {"kind": "bool"}}}]"#).report(#"{"a": true}"#)
        let other = try DriftTrial(#"[{"name": "B", "properties": {"a": {"kind": "bool"}}}]"#).report(#"{"a": true}"#)
        let before = report
        #expect(throws: ModelError.self) { try report.merge(other) }
        #expect(report == before)
    }
}
