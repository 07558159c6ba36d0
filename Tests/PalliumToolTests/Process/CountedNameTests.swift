import Foundation
import TestSupport
import Testing

/// The first 1,000 different names of a table are counted apart, further ones together.
@Suite struct CountedNameTests {
    /// Names in an order that has nothing to do with their text. The lines are several blocks.
    private static let names = (0..<6000).map { "name\($0 * 7919 % 3000)" }
    private static let input = names.map { #"{"id":1,"text":"\#(filler)","\#($0)":0}"# + "\n" }.joined()
    private static let filler = String(repeating: "x", count: 80)

    /// How often each place occurs.
    private static let expected: [String: Int] = {
        var counts: [String: Int] = [:]
        for name in names where counts.count < 1000 || counts["/" + name] != nil { counts["/" + name, default: 0] += 1 }
        counts["…"] = names.count - counts.values.reduce(0, +)
        return counts
    }()

    @Test(arguments: [1, 2, 8]) func furtherNamesAreCountedTogether(jobs: Int) async throws {
        let run = try await NoteSchema().decodeLines(
            ["--quiet", "--unknown", "refuse", "--jobs", "\(jobs)"], input: Self.input)
        let places = run.outputLines.drop { !$0.hasSuffix("  place") }.dropFirst().prefix { !$0.hasSuffix("  schema") }
        let found = Dictionary(
            uniqueKeysWithValues: places.map { line in
                let parts = line.split(separator: " ")
                return (String(parts[1]), Int(parts[0]) ?? 0)
            })
        let isSame = found == Self.expected
        #expect(isSame, "\(found["…"] ?? 0) others instead of \(Self.expected["…"] ?? 0)")
    }

    @Test(arguments: [1, 8]) func theObjectCountsThemTogetherToo(jobs: Int) async throws {
        let run = try await NoteSchema().decodeLines(
            ["--quiet", "--errors=json", "--unknown", "refuse", "--jobs", "\(jobs)"], input: Self.input)
        let counts = try #require(try object(run.output)["counts"] as? [String: Any])
        #expect(Set(counts.keys) == ["code", "place", "schema"])
        #expect((counts["place"] as? [String: Int])?["…"] == Self.expected["…"])
    }
}
