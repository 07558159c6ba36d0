import Foundation
import Pallium
import PalliumTrials
import RunSupport
import TestSupport
import Testing

/// Figures equal those of a slow reference that holds every value.
@Suite struct DriftFigureTests {
    private static let schemas = """
        [{"name": "Order", "properties": {
          "n": {"kind": "double", "json": "x.n"}, "t": {"kind": "string"},
          "l": {"kind": "array", "of": {"kind": "integer", "nullable": true}},
          "d": {"kind": "dictionary", "of": {"kind": "string"}}}}]
        """

    private static func document(_ random: inout SeededGenerator) -> JSONValue {
        var members = JSONObject()
        switch Int.random(in: 0..<5, using: &random) {
        case 0: break
        case 1: members["x"] = .null
        case 2: members["x"] = [:]
        default:
            let number = Double(Int.random(in: -4000...4000, using: &random)) / 4
            members["x"] = ["n": JSONNumber(number).map { .number($0) } ?? .null]
        }
        if Bool.random(using: &random) {
            let letters = ["a", "é", "\u{1F600}", "e\u{301}"]
            members["t"] = .string(
                (0..<Int.random(in: 0..<6, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
                    .joined())
        }
        members["l"] = .array(
            (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                Bool.random(using: &random) ? .null : .number(JSONNumber(Int.random(in: 0..<9, using: &random)))
            })
        if Bool.random(using: &random) { members["d"] = ["a b": "x", "c": "y"] }
        return .object(members)
    }

    /// What the article says of a list of values, nil for absent ones.
    private func check(_ figure: DriftReport.Figure?, _ values: [JSONValue?], _ comment: Comment) {
        guard let figure else {
            #expect(values.isEmpty, comment)
            return
        }
        let numbers = values.compactMap { $0?.doubleValue }
        let texts = values.compactMap { $0?.stringValue }
        let counts = values.compactMap { $0?.arrayValue?.count ?? $0?.objectValue?.count }
        #expect(figure.holders == values.count, comment)
        #expect(figure.absent == values.count { $0 == nil }, comment)
        #expect(figure.nulls == values.count { $0.map(\.isNull) ?? false }, comment)
        #expect(figure.numbers?.minimum.double == numbers.min() && figure.numbers?.maximum.double == numbers.max())
        let lengths = texts.map(\.unicodeScalars.count)
        #expect(figure.lengths?.minimum.double == lengths.min().map(Double.init), comment)
        #expect(figure.lengths?.maximum.double == lengths.max().map(Double.init), comment)
        #expect(figure.counts?.maximum.double == counts.max().map(Double.init), comment)
        // Texts differ by bytes.
        #expect(figure.distinct == Set(numbers).count + Set(texts.map { Array($0.utf8) }).count, comment)
        for (range, all) in [(figure.numbers, numbers), (figure.lengths, lengths.map(Double.init))] {
            let bars = range?.bars ?? []
            #expect(bars.reduce(0) { $0 + $1.count } == all.count, comment)
            for bar in bars {
                let own = all.filter { value in
                    bar.start == 0
                        ? value == 0
                        : value / bar.start >= 1 && value / bar.start < 2
                }
                #expect(own.count == bar.count, comment)
            }
        }
    }

    @Test(arguments: 0..<20) func figuresAreThoseOfTheArticle(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let documents = (0..<Int.random(in: 1...60, using: &random)).map { _ in Self.document(&random) }
        let report = try DriftTrial(Self.schemas).report(documents)
        func figure(_ place: String) -> DriftReport.Figure? { report.figures.first { $0.place == place } }
        check(
            figure("n"), documents.map { $0["x"].map { $0.isNull ? .null : $0["n"] } ?? nil }, "n")
        check(figure("t"), documents.map { $0["t"] }, "t")
        check(figure("l"), documents.map { $0["l"] }, "l")
        check(figure("l[]"), documents.flatMap { $0["l"]?.arrayValue ?? [] }, "l[]")
        check(figure("d[]"), documents.flatMap { $0["d"]?.objectValue?.values ?? [] }, "d[]")
        #expect(report.findings.isEmpty)
    }

    @Test(arguments: [1, 255, 256, 257, 1000, 20_000]) func distinctValuesAreCountedOrEstimated(count: Int) throws {
        let values = (0..<count).flatMap { [$0, $0 / 2] }
        let trial = try DriftTrial(#"[{"name": "Order", "properties": {"a": {"kind": "integer"}}}]"#)
        let document = JSONValue.array(values.map { ["a": .number(JSONNumber($0))] })
        let figure = try #require(trial.report([document]).figures.first)
        #expect(figure.isDistinctEstimated == (count > 256))
        let error = abs(Double(figure.distinct) / Double(count) - 1)
        #expect(error <= (count > 256 ? 0.2 : 0), "\(figure.distinct)")
    }

    @Test func valuesOfDifferentKindsAreDistinct() throws {
        let trial = try DriftTrial(#"[{"name": "Order", "properties": {"a": {"kind": "json"}}}]"#)
        let digits = (0...9).flatMap { [JSONValue.number(JSONNumber($0)), .string("\($0)")] }
        let values = digits + [true, false, "true", "false", 1, "1", .null, [], [:]]
        let figure = try #require(trial.report(values.map { ["a": $0] }).figures.first)
        #expect(figure.distinct == 24 && figure.present == 28 && figure.nulls == 1)
        #expect(figure.kinds == ["number": 11, "string": 13, "bool": 2, "array": 1, "object": 1])
    }

    @Test func countsOfAnArrayAreThoseOfItsElements() throws {
        let trial = try DriftTrial(#"[{"name": "Order", "properties": {"a": {"kind": "integer", "minimum": 0}}}]"#)
        let elements: [JSONValue] = [["a": 1], ["a": -1], ["b": 1], ["a": .null]]
        let whole = try trial.report([.array(elements)])
        let single = try trial.report(elements)
        #expect(whole.figures == single.figures && whole.documents == single.documents)
        #expect(whole.titles == single.titles)
        #expect(whole.findings.map(\.edit) == single.findings.map(\.edit))
    }

    struct Shifted: Sendable {
        let before: String
        let now: String
        let shifts: [String]
    }

    /// The members of an object, repeated 20 times, and what shifts.
    static let shifted = [
        Shifted(before: #"{"a": 1}"#, now: #"{"a": 10}"#, shifts: []),
        Shifted(before: #"{"a": 1}"#, now: #"{"a": 11}"#, shifts: ["range a"]),
        Shifted(before: #"{"a": 1}"#, now: #"{"a": -1}"#, shifts: ["range a"]),
        Shifted(before: #"{"a": -1}"#, now: #"{"a": -9}"#, shifts: []),
        Shifted(before: #"{"t": "a"}"#, now: #"{"t": ""}"#, shifts: ["range t"]),
        Shifted(before: #"{"t": "a"}"#, now: #"{"t": "aaaaaaaaaaa"}"#, shifts: ["range t"]),
        Shifted(before: #"{"t": "a"}"#, now: #"{"t": null}"#, shifts: ["nullRate t"]),
        Shifted(before: #"{"t": "a"}"#, now: "{}", shifts: ["disappeared t"]),
        Shifted(before: "{}", now: #"{"t": "a"}"#, shifts: ["absentRate t"]),
        Shifted(before: #"{"t": "a"}"#, now: #"{"t": "b"}"#, shifts: []),
    ]

    @Test(arguments: shifted) func clearChangesAreShifts(row: Shifted) throws {
        let trial = try DriftTrial(
            #"[{"name": "Order", "properties": {"a": {"kind": "integer"}, "t": {"kind": "string"}}}]"#)
        func report(_ document: String, _ count: Int = 20) throws -> DriftReport {
            try trial.report(Array(repeating: try JSONValue(parsing: document), count: count))
        }
        var now = try report(row.now)
        try now.compare(with: report(row.before))
        #expect(now.shifts.map { "\($0.kind) \($0.place)" } == row.shifts)
        #expect(now.hasNews == !row.shifts.isEmpty)
        // Rates of few objects mean nothing.
        var few = try report(row.now, 19)
        try few.compare(with: report(row.before))
        #expect(few.shifts.map { "\($0.kind)" } == row.shifts.compactMap { $0.hasPrefix("range") ? "range" : nil })
    }

    @Test func aRateMayMoveByTenPoints() throws {
        let trial = try DriftTrial(#"[{"name": "Order", "properties": {"a": {"kind": "integer"}}}]"#)
        func report(nulls: Int) throws -> DriftReport {
            try trial.report((0..<20).map { ["a": $0 < nulls ? .null : 1] })
        }
        for (nulls, isShift) in [(4, false), (6, false), (7, true), (1, true), (2, false)] {
            var now = try report(nulls: nulls)
            try now.compare(with: report(nulls: 4))
            #expect(now.hasNews == isShift, "\(nulls)")
        }
    }
}
