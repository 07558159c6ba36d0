import Foundation
import Pallium
import PalliumTrials
import TestSupport
import Testing

/// Reports are safe to print, whatever documents hold, and are read back.
@Suite struct DriftReportTests {
    private static let hostileTexts = [
        "</script><img src=x onerror=alert(1)>", "\"><script>alert(1)</script>", "' onload='alert(1)", "]]>",
        "--><!--", "&lt;&#x41;", "\u{202E}abc", "\u{1B}[2J", "\u{FFFE}", "a\nb", "</title>", "e\u{301}", "",
        String(repeating: "x", count: 5000),
    ]

    private static func report() throws -> DriftReport {
        let trial = try DriftTrial(
            #"""
            [{"name": "<b>", "properties": {
              "<i>": {"kind": "enumeration", "cases": ["<u>"]}, "n": {"kind": "integer"},
              "k": {"kind": "enumeration", "cases": ["a"], "unknown": "keep"},
              "d": {"kind": "dictionary", "of": {"kind": "bool"}}}}]
            """#)
        let documents = hostileTexts.map { text -> JSONValue in
            [text: .string(text), "<i>": .string(text), "k": .string(text), "n": .string(text), "d": [text: 1]]
        }
        let registry = try trial.registry()
        let schema = try registry.schema(named: "<b>")
        let adapter = try DriftTrial.adapter(schema, registry)
        var monitor = try DriftMonitor(schema: schema, registry: registry)
        for (text, document) in zip(hostileTexts, documents) {
            let bytes = try document.bytes()
            monitor.add(bytes, problems: adapter.report(from: bytes).problems, source: text)
        }
        return monitor.report()
    }

    @Test func everyLineOfTheTextIsSafe() throws {
        let text = try Self.report().text
        for scalar in text.unicodeScalars where scalar != "\n" {
            #expect(scalar.value >= 0x20 && scalar.value != 0x202E && scalar.value != 0x7F)
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.count < 4000 })
    }

    @Test func theReportIsReadBack() throws {
        let report = try Self.report()
        #expect(try DriftReport(json: report.json.bytes()) == report)
    }

    /// Changes of a report that make it none, and the path of the mistake.
    static let mistakes: [(JSONPointer, JSONValue?)] = [
        (["format"], "pallium drift report 2"), (["format"], nil), (["schema"], 1), (["documents"], -1),
        (["findings"], [:]), (["findings", "0", "kind"], "odd"), (["findings", "0", "count"], "1"),
        (["findings", "0", "examples", "0", "pointer"], "x"), (["findings", "0", "values", "0", "count"], 1.5),
        (["figures", "0", "holders"], nil), (["figures", "0", "nulls"], 1_000_000), (["cuts"], ["a", 1]),
    ]

    @Test(arguments: mistakes.indices) func whatIsNoReportIsRefused(index: Int) throws {
        let (pointer, value) = Self.mistakes[index]
        var members = try #require(Self.report().json.objectValue)
        if let position = members["findings"]?.arrayValue?.firstIndex(where: { $0["values"] != nil }), position > 0 {
            members.set(members["findings"]?[position], at: ["findings", "0"])
        }
        members.set(value, at: pointer.tokens)
        let bytes = try JSONValue.object(members).bytes()
        let error = #expect(throws: ModelError.self) { try DriftReport(json: bytes) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.pointer?.tokens.starts(with: pointer.tokens) == true, "\(String(describing: error))")
    }

    @Test func aReportWithEnormousNumbersCanBeShown() throws {
        var members = try #require(Self.report().json.objectValue)
        let position = try #require(members["figures"]?.arrayValue?.firstIndex { $0["lengths"] != nil })
        let bar: JSONValue = ["start": 1e300, "count": .number(JSONNumber(Int.max))]
        members.set(.array(Array(repeating: bar, count: 100)), at: ["figures", "\(position)", "lengths", "bars"])
        for name in ["holders", "distinct"] {
            members.set(.number(JSONNumber(Int.max)), at: ["figures", "\(position)", name])
        }
        for name in ["absent", "nulls"] { members.set(0, at: ["figures", "\(position)", name]) }
        members.set(.number(JSONNumber(Int.max)), at: ["findings", "0", "count"])
        var report = try DriftReport(json: JSONValue.object(members).bytes())
        report.compare(with: try Self.report())
        #expect(report.text.contains("of \(Int.max)"))
    }

    @Test(arguments: ["", "[]", "{", "null", "{\"format\": 7}"]) func otherBytesAreRefused(text: String) {
        #expect(throws: ModelError.self) { try DriftReport(json: Array(text.utf8)) }
    }
}
