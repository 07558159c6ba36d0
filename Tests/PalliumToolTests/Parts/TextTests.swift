import Pallium
import PalliumTool
import Testing

@Suite struct TextTests {
    @Test(arguments: [
        (0, "no bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (22_918, "22.9 kB"),
        (999_999, "999.9 kB"), (1_000_000, "1.0 MB"), (1_250_000_000, "1.2 GB"), (7_000_000_000_000_000, "7000.0 TB"),
    ])
    func sizesHaveDecimalUnits(_ bytes: Int, _ text: String) {
        #expect(Quantity.size(bytes) == text)
    }

    @Test(arguments: [
        (Duration.microseconds(400), "0 ms"), (.milliseconds(12), "12 ms"), (.milliseconds(999), "999 ms"),
        (.milliseconds(1000), "1.0 s"), (.milliseconds(61_990), "61.9 s"),
    ])
    func timesAreMillisecondsOrSeconds(_ duration: Duration, _ text: String) {
        #expect(Quantity.time(duration) == text)
    }

    @Test(arguments: [
        ("plain ~", "plain ~"), ("é•…", "é•…"), ("\u{1B}[2J", "\\u{1b}[2J"), ("\u{9B}2J", "\\u{9b}2J"),
        ("\u{7F}", "\\u{7f}"), ("a\nb", "a\\nb"), ("\\u{1b}", "\\u{1b}"), ("\u{202E}", "\\u{202e}"),
    ])
    func aLineHasNothingThatATerminalObeys(_ line: String, _ expected: String) throws {
        #expect(Terminal.visible(line) == expected)
        #expect(Terminal.visible(expected) == expected)
        let json = JSONValue.array([.string(line)]).description
        #expect(try JSONValue(parsing: Terminal.visible(json, isJSON: true)) == .array([.string(line)]))
        let isPlain = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory != .control }
        #expect(Terminal.visible(json, isJSON: true).unicodeScalars.allSatisfy(isPlain))
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\nb\r\t", "a\\nb\\r\\t"), ("\u{1B}[0m", "\\u{1b}[0m"), ("\u{202E}x", "\\u{202e}x"),
        ("é", "é"), ("back\\slash", "back\\slash"), ("1234567890", "1234567890"), ("1234567890x", "1234567890…"),
    ])
    func textIsMadeFitForOneLine(_ text: String, _ expected: String) {
        #expect(ModelError.shorten(text, to: 10) == expected)
    }

    @Test(arguments: [
        ("lnes", "lines"), ("models", "model"), ("line", "lines"), ("xyz", nil), ("", nil), ("m", nil),
        ("lodes", "model"),
    ])
    func suggestionsAreAtMostTwoEditsAway(_ word: String, _ nearest: String?) {
        #expect(ModelError.nearest(to: word, among: ["model", "lines"]) == nearest)
    }

    /// Letters of either case count as one, and only letters.
    @Test(arguments: [
        ("AZAZ", "azaz", true), ("azaz", "AZAZ", true), ("AzAz", "aZaZ", true), ("@@@@", "````", false),
        ("[[[[", "{{{{", false), ("ÄÄ", "ää", true), ("ÄÄÄ", "äää", false),
    ])
    func suggestionsDoNotSeeTheCaseOfLetters(_ word: String, _ key: String, _ isNear: Bool) {
        #expect(ModelError.nearest(to: word, among: [key]) == (isNear ? key : nil))
    }

    /// The nearest key, of several the first; never another word altogether.
    @Test(
        arguments: [
            ("ab", ["ac", "ad"], "ac"), ("abcd", ["abxy", "abcx", "abce"], "abcx"), ("a", ["b", "ab"], nil),
            ("aa", ["b", "aab"], "aab"),
            ("a", ["b"], nil), ("ab", ["xy"], nil), ("abc", ["axy"], "axy"), ("abc", ["xyz"], nil), ("ab", [""], nil),
            ("abc", ["abcde", "abcdef"], "abcde"), ("abcde", ["ab"], nil), ("abcde", ["cde"], "cde"),
            ("ab", ["ba"], nil),
            // Between two candidates the case of letters, and of nothing else, is not seen.
            ("A1", ["x1", "a1"], "a1"), ("Z1", ["x1", "z1"], "z1"), ("@1", ["x1", "`1"], "x1"),
            ("[1", ["x1", "{1"], "x1"),
            (String(repeating: "a", count: 64), [String(repeating: "a", count: 63)], String(repeating: "a", count: 63)),
            (String(repeating: "a", count: 63), [String(repeating: "a", count: 64)], String(repeating: "a", count: 64)),
            (String(repeating: "a", count: 65), [String(repeating: "a", count: 64)], nil),
            (String(repeating: "a", count: 64), [String(repeating: "a", count: 65)], nil),
        ] as [(String, [String], String?)])
    func theNearestKeyIsSuggested(_ word: String, _ keys: [String], _ nearest: String?) {
        #expect(ModelError.nearest(to: word, among: keys) == nearest)
    }

    /// Whatever is looked at first, the distance decides.
    @Test func suggestionsAreThoseOfTheEditDistance() {
        func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
            var row = Array(0...right.count)
            for (index, byte) in left.enumerated() {
                var diagonal = row[0]
                row[0] = index + 1
                for (column, other) in right.enumerated() {
                    let next = min(row[column], row[column + 1], diagonal - (byte == other ? 1 : 0)) + 1
                    (diagonal, row[column + 1]) = (row[column + 1], next)
                }
            }
            return row[right.count]
        }
        // An exclamation mark has the lower bits of a letter.
        var words = [""]
        for _ in 0..<4 { words += Set(words.flatMap { word in ["a", "B", "!"].map { word + $0 } }) }
        for word in Set(words) {
            for key in Set(words) {
                let edits = distance(Array(word.utf8), Array(key.utf8))
                let isNear = edits <= min(2, word.utf8.count - 1)
                if (ModelError.nearest(to: word, among: [key]) == key) != isNear {
                    Issue.record("\(word) and \(key) are \(edits) edits apart")
                }
            }
        }
    }

    @Test func hugeWordsHaveNoSuggestion() {
        let word = String(repeating: "\u{301}\u{323}", count: 100_000)
        #expect(ModelError.nearest(to: word, among: [word, "lines"]) == nil)
    }

    @Test func theSummaryListsTheMostFrequentSchemaFirstThenByName() throws {
        let problem = ModelError(.typeMismatch, expected: "an integer", found: "null")
        let summary = try Self.summary(of: ["B", "C", "A", "C", "B", "Z"], problems: [problem, problem], bytes: 2500)
        #expect(
            summary.text(time: .milliseconds(3)) == "6 models (2 B, 2 C, 1 A, 1 Z), 2.5 kB in 3 ms, 2 problems")
    }

    @Test func namesWithOtherBytesAreOtherSchemas() throws {
        let summary = try Self.summary(of: ["e\u{301}", "\u{e9}"], problems: [], bytes: 1)
        #expect(summary.text(time: .zero) == "2 models (1 e\u{301}, 1 \u{e9}), 1 byte in 0 ms, no problems")
    }

    private static func summary(of schemas: [String], problems: [ModelError], bytes: Int) throws -> Summary {
        let registry = SchemaRegistry()
        for name in Set(schemas.map(UTF8Key.init)) { try registry.register(ModelSchema(name.text, [:])) }
        var summary = Summary()
        summary.bytes = bytes
        for name in schemas { summary.add(DynamicModel(schema: ModelSchema(name, [:]), registry: registry)) }
        summary.add(document: problems)
        return summary
    }

    @Test func progressTellsTheShareWhereTheSizeIsKnown() {
        let run = Run(.standardError, format: .json)
        var known = Progress(activity: "reading x", size: 200_000_000, run: run)
        known.advance(by: 90_000_000)
        #expect(known.text(after: .milliseconds(999)) == "pallium: reading x: 45 % of 200.0 MB")
        #expect(known.text(after: .seconds(3)) == "pallium: reading x: 45 % of 200.0 MB, 30.0 MB/s, 3.6 s left")
        var unknown = Progress(activity: "decoding x", size: nil, run: run)
        unknown.advance(by: 90_000_000)
        #expect(unknown.text(after: .zero) == "pallium: decoding x: 90.0 MB")
        #expect(unknown.text(after: .seconds(2)) == "pallium: decoding x: 90.0 MB, 45.0 MB/s")
        let nothing = Progress(activity: "decoding x", size: 10, run: run)
        #expect(nothing.text(after: .seconds(2)) == "pallium: decoding x: 0 % of 10 bytes")
        unknown.advance(by: .max - 90_000_000)
        #expect(unknown.text(after: .seconds(1)).hasSuffix("B/s"))
    }

    @Test func progressCountsThingsToo() {
        let run = Run(.standardError, format: .json)
        var known = Progress(activity: "checking", total: 400, of: "document", run: run)
        known.advance()
        #expect(known.text(after: .zero) == "pallium: checking: 0 % of 400 documents")
        known.advance(by: 199)
        #expect(known.text(after: .seconds(2)) == "pallium: checking: 50 % of 400 documents, 100/s, 2.0 s left")
        var unknown = Progress(activity: "checking", total: nil, of: "document", run: run)
        unknown.advance()
        #expect(unknown.text(after: .zero) == "pallium: checking: 1 document")
        var slow = Progress(activity: "comparing", total: 26, of: "schema", run: run)
        slow.advance()
        #expect(slow.text(after: .seconds(4)) == "pallium: comparing: 3 % of 26 schemas, 0.2/s, 100.0 s left")
        #expect(slow.text(after: .milliseconds(1000)) == "pallium: comparing: 3 % of 26 schemas, 1.0/s, 25.0 s left")
        // More things than were expected.
        known.advance(by: 300)
        #expect(known.text(after: .seconds(1)) == "pallium: checking: 100 % of 400 documents, 500/s, 0 ms left")
    }
}
