import PalliumCore
import RunSupport
import TestSupport
import Testing

/// Texts that some patterns match and another one does not.
@Suite("Differences between patterns")
struct PatternInclusionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let patterns: [String]
        let excluded: String?
        var lengths = 0...Int.max
        let text: String?

        var testDescription: String { "\(patterns) without \(excluded ?? "nothing"), \(lengths)" }
    }

    static let cases: [Case] = [
        Case(patterns: ["^[a-z]+$"], excluded: "^[a-y]+$", text: "z"),
        Case(patterns: ["^[a-y]+$"], excluded: "^[a-z]+$", text: nil),
        Case(patterns: ["abc"], excluded: "^abc", text: "aabc"),
        Case(patterns: ["^abc$"], excluded: "abc", text: nil),
        Case(patterns: ["^a|b$"], excluded: "^(a|b)$", text: "aa"),
        Case(patterns: ["^(ab)*$"], excluded: "^(abab)*$", text: "ab"),
        Case(patterns: ["^(abab)*$"], excluded: "^(ab)*$", text: nil),
        Case(patterns: [#"\bfoo\b"#], excluded: "^foo$", text: " foo"),
        Case(patterns: ["^[à-ï]$"], excluded: "^[à-î]$", text: "ï"),
        Case(patterns: ["^[à-î]$"], excluded: "^[à-ï]$", text: nil),
        Case(patterns: ["^[^]$"], excluded: #"^[\u{0}-\u{10fffe}]$"#, text: "\u{10FFFF}"),
        Case(patterns: ["^[^]$"], excluded: #"^[\u{0}-\u{10ffff}]$"#, text: nil),
        Case(patterns: ["a", "b"], excluded: "ab|ba", text: "aab"),
        Case(patterns: ["^[a-c]*$", "^[b-d]*$"], excluded: "^[bc]*$", text: nil),
        Case(patterns: [], excluded: "^[0-9]*$", text: "a"),
        Case(patterns: ["^a+$"], excluded: nil, lengths: 3...5, text: "aaa"),
        Case(patterns: ["^[a-z]{4}$"], excluded: nil, lengths: 5...Int.max, text: nil),
        Case(patterns: ["^👍+$"], excluded: "^👍{0,3}$", lengths: 0...4, text: "👍👍👍👍"),
        Case(patterns: ["^👍+$"], excluded: "^👍{0,4}$", lengths: 0...4, text: nil),
        Case(patterns: ["^(aa)+$"], excluded: nil, lengths: 3...3, text: nil),
    ]

    @Test("A text is found exactly if there is one", arguments: cases)
    func texts(_ sample: Case) throws {
        let (patterns, excluded) = (
            try sample.patterns.map { try Pattern($0) }, try sample.excluded.map { try Pattern($0) }
        )
        let text = try Pattern.text(matching: patterns, butNot: excluded, lengths: sample.lengths)
        #expect(text?.unicodeScalars.count == sample.text?.unicodeScalars.count)
        guard let text else { return }
        #expect(patterns.allSatisfy { $0.matches(text) } && excluded?.matches(text) != true)
        #expect(sample.lengths.contains(text.unicodeScalars.count))
    }

    @Test("For patterns of few letters, all short texts agree", .trials)
    func shortTexts() throws {
        let parts = ["a", "b", "[ab]", "^", "$", "|", "a*", "b+", "(ab)?", "(a|bb)", "é", "[^a]", #"\b"#]
        var texts = [""]
        for _ in 0..<4 { texts += texts.flatMap { text in ["a", "b", "é", " "].map { text + $0 } } }
        for seed in Trials(16) {
            var random = SeededGenerator(seed: seed)
            func pattern() -> String { (0..<1 + random.below(4)).map { _ in random.pick(parts) }.joined() }
            let (left, right) = (try Pattern(pattern()), try Pattern(pattern()))
            let witness = texts.first { left.matches($0) && !right.matches($0) }
            let found = try Pattern.text(matching: [left], butNot: right, lengths: 0...4)
            if let found { #expect(left.matches(found) && !right.matches(found), "\(left) \(right) \(found)") }
            if witness != nil { #expect(found != nil, "\(left) \(right)") }
        }
    }

    @Test("A search of too many states is given up")
    func limit() throws {
        let patterns = try [101, 103, 107].map { try Pattern("^(a{\($0)})*$") }
        #expect(throws: PatternError.self) {
            try Pattern.text(matching: patterns, butNot: Pattern("^a{0,2000}$"), lengths: 1...Int.max)
        }
    }
}
