import Pallium
import TestSupport
import Testing

/// Rules of text count Unicode scalars and see the whole text.
struct TextRuleTests {
    private static func text(_ rule: PropertySchema.Rule, kept: [String], broken: [String]) throws -> RuleRow {
        RuleRow(.string.rules(rule), kept: try kept.map(quoted), broken: try broken.map(quoted))
    }

    private static let family = "👨\u{200D}👩\u{200D}👧"

    @Test func lengthsAreCountedInScalars() throws {
        let long = String(repeating: "x", count: 80)
        let rows = [
            try Self.text(.minLength(0), kept: ["", "a"], broken: []),
            try Self.text(.minLength(1), kept: ["a", "\0", " ", "é", "😀"], broken: [""]),
            try Self.text(
                .minLength(2), kept: ["ab", "e\u{301}", "\0\0", "🇩🇪", "\r\n"],
                broken: ["", "a", "\u{E9}", "\0", "😀", "𝄞"]),
            try Self.text(.maxLength(0), kept: [""], broken: ["a", "\0", "\u{301}", "😀"]),
            try Self.text(
                .maxLength(1), kept: ["", "a", "\u{E9}", "\0", "😀", "𝄞", "\u{FFFF}", "\u{10FFFF}"],
                broken: ["ab", "e\u{301}", "🇩🇪", "\r\n", "\0\0"]),
            try Self.text(.maxLength(4), kept: ["abcd", "😀😀😀😀"], broken: [Self.family, "abcde"]),
            try Self.text(.minLength(5), kept: [Self.family, "abcde"], broken: ["abcd", "😀😀😀😀", "ééé"]),
            try Self.text(
                .maxLength(80), kept: [long, String(repeating: "é", count: 80)], broken: [long + "x", long + "\u{301}"]),
            try Self.text(
                .minLength(80), kept: [long, String(repeating: "😀", count: 80)],
                broken: [String(long.dropLast()), String(repeating: "é", count: 79)]),
            try Self.text(.maxLength(Int.max), kept: ["", long], broken: []),
            try Self.text(.minLength(Int.max), kept: [], broken: ["", long]),
        ]
        for row in rows { try row.check() }
    }

    /// Lengths at which a count might change its way of working, in texts of one, two, three and four bytes a scalar.
    @Test(arguments: ["a", "é", "漢", "😀"]) func everyLengthIsCounted(scalar: String) throws {
        for count in [1, 7, 8, 14, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 257, 1000] {
            let exact = PropertySchema.string.rules(.minLength(count), .maxLength(count))
            let texts = try (count - 1...count + 1).map { try quoted(String(repeating: scalar, count: $0)) }
            try RuleRow(exact, kept: [texts[1]], broken: [texts[0], texts[2]]).check()
        }
    }

    @Test func escapedAndPlainTextsHaveTheSameLength() throws {
        try RuleRow(
            .string.rules(.minLength(3), .maxLength(3)),
            kept: [#""\u0061\u0062\u0063""#, #""\ud83d\ude00ab""#, #""\n\t\u0000""#, "\"😀é𝄞\""],
            broken: [#""\ud83d\ude00a""#, #""\n\t""#]
        ).check()
    }

    @Test func patternsAreSearchedForAnywhere() throws {
        let rows = [
            try Self.text(.pattern("b"), kept: ["b", "abc", "ab", "bc", "\0b"], broken: ["", "a", "B", "ac"]),
            try Self.text(
                .pattern("^[a-z]+$"), kept: ["a", "abc"], broken: ["", "A", "ab1", "a\n", "\na", "é", "a\0"]),
            try Self.text(.pattern("^$"), kept: [""], broken: ["a", "\n", "\0"]),
            try Self.text(.pattern(""), kept: ["", "a"], broken: []),
            try Self.text(
                .pattern("^a.b$"), kept: ["axb", "a😀b", "a\0b"], broken: ["ab", "a\nb", "a\u{2028}b", "ae\u{301}b"]),
            try Self.text(
                .pattern(#"^\d{3}-\d{4}$"#), kept: ["123-4567"], broken: ["123-456", "123-45678", "١٢٣-4567"]),
            try Self.text(.pattern(#"\bcat\b"#), kept: ["cat", "a cat!"], broken: ["concat", "cats"]),
            try Self.text(.pattern("^(?:ab|cd)+?$"), kept: ["ab", "abcdab"], broken: ["", "abc"]),
            try Self.text(.pattern(#"^\u{1F600}$"#), kept: ["😀"], broken: ["😁"]),
            try Self.text(.pattern("é"), kept: ["caf\u{E9}"], broken: ["cafe\u{301}"]),
            try Self.text(.pattern("^a{0}$"), kept: [""], broken: ["a"]),
            try Self.text(.pattern(#"^\x41\t\."#), kept: ["A\t."], broken: ["A\tx", "a\t."]),
        ]
        for row in rows { try row.check() }
    }

    @Test func aTextMayHaveEveryRule() throws {
        let property = PropertySchema.string.rules(
            .minLength(5), .maxLength(12), .pattern("^[a-c]"), .format("email"))
        try RuleRow(
            property, kept: [#""a@b.c""#, #""cc@example.o""#],
            broken: [#""a@b""#, #""cc@example.or""#, #""d@b.c""#, #""abcdef""#]
        ).check()
    }

    /// The text of a rule is compared by bytes, as keys are.
    @Test func rulesAreEqualWhenTheirBytesAre() {
        #expect(PropertySchema.Rule.pattern("\u{E9}") != .pattern("e\u{301}"))
        #expect(PropertySchema.Rule.minimum(1) == .minimum(1.0))
        #expect(Set<PropertySchema.Rule>([.minimum(1), .minimum(1.0), .maximum(1)]).count == 2)
        #expect(PropertySchema.Rule.minLength(3).description == "minLength 3")
        #expect(PropertySchema.Rule.unique.limit == true)
    }
}
