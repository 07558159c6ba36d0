import PalliumCore
import Testing

@Suite("Refused patterns")
struct RefusedPatternTests {
    private typealias Row = (pattern: String, offset: Int, expected: String, found: String)

    private func error(of text: String) -> PatternError? {
        do throws(PatternError) {
            _ = try Pattern(text)
            return nil
        } catch {
            return error
        }
    }

    private func check(_ rows: [Row], sourceLocation: SourceLocation = #_sourceLocation) {
        for (pattern, offset, expected, found) in rows {
            let error = error(of: pattern)
            #expect(error?.offset == offset, "\(pattern)", sourceLocation: sourceLocation)
            #expect(error?.expected == expected, "\(pattern)", sourceLocation: sourceLocation)
            #expect(error?.found == found, "\(pattern)", sourceLocation: sourceLocation)
        }
    }

    @Test("The error is a sentence")
    func sentence() {
        #expect(
            error(of: "^[a-z]+(?=x)")?.description
                == "expected a pattern without lookahead but found \"(?=\" at 7")
        #expect(
            error(of: "(a")?.description
                == "expected a \")\" for the \"(\" at 0 but found the end of the pattern at 2")
    }

    @Test("What cannot be matched in linear time, or is not supported, is refused by its name")
    func unsupported() {
        check([
            ("a(?=b)", 1, "a pattern without lookahead", "\"(?=\""),
            ("(?!b)", 0, "a pattern without lookahead", "\"(?!\""),
            ("é(?<=b)", 2, "a pattern without lookbehind", "\"(?<=\""),
            ("(?<!b)", 0, "a pattern without lookbehind", "\"(?<!\""),
            ("(a)\\1", 3, "a pattern without back references", "\"\\1\""),
            ("(?<n>a)\\k<n>", 7, "a pattern without back references", "\"\\k\""),
            ("\\p{L}", 0, "a pattern without Unicode properties", "\"\\p\""),
            ("[\\P{L}]", 1, "a pattern without Unicode properties", "\"\\P\""),
            ("(?i:a)", 0, "a pattern without flags", "\"(?i\""), ("(?-s:a)", 0, "a pattern without flags", "\"(?-\""),
        ])
    }

    @Test("What the grammar does not have is refused where it is")
    func grammar() {
        let repeating = "something to repeat before the quantifier"
        let braces = "counts in braces, or \"\\{\" for the character"
        let escape = "an escape that ECMA 262 defines for the flag u"
        let surrogates = "surrogates in pairs"
        let end = "the end of the pattern"
        check([
            ("*a", 0, repeating, "\"*\""), ("a|+", 2, repeating, "\"+\""),
            ("(?)", 0, "\"(?:\" or \"(?<name>\" for a group", "\"(?)\""),
            ("a**", 2, repeating, "\"*\""), ("a{2}{3}", 4, repeating, "\"{3}\""), ("^*", 1, repeating, "\"*\""),
            ("$?", 1, repeating, "\"?\""), ("\\b+", 2, repeating, "\"+\""), ("a+??", 3, repeating, "\"?\""),
            ("é*+", 3, repeating, "\"+\""), ("({2})", 1, repeating, "\"{2}\""),
            ("{", 0, braces, "\"{\""), ("a{", 1, braces, "\"{\""), ("a{x}", 1, braces, "\"{\""),
            ("a{,3}", 1, braces, "\"{\""),
            ("a{1", 1, braces, "\"{\""), ("a{1,", 1, braces, "\"{\""), ("a{1 }", 1, braces, "\"{\""),
            ("a{-1}", 1, braces, "\"{\""),
            ("a}", 1, "a \"{\" for each \"}\", or \"\\}\" for the character", "\"}\""),
            ("]", 0, "a \"[\" for each \"]\", or \"\\]\" for the character", "\"]\""),
            ("a)", 1, "a \"(\" for each \")\"", "\")\""), ("(a", 2, "a \")\" for the \"(\" at 0", end),
            ("é((a)", 6, "a \")\" for the \"(\" at 2", end), ("[a", 2, "a \"]\" for the \"[\" at 0", end),
            ("é[^", 4, "a \"]\" for the \"[\" at 2", end), ("[a-", 3, "a \"]\" for the \"[\" at 0", end),
            ("[a\\]", 4, "a \"]\" for the \"[\" at 0", end),
            ("[b-a]", 1, "a range in ascending order", "\"b-a\""),
            ("[a\\u{62}-a]", 2, "a range in ascending order", "\"\\u{62}-a\""),
            ("a{3,2}", 1, "counts in ascending order", "\"{3,2}\""),
            ("[\\d-z]", 1, "a single character at each end of a range", "\"\\d-z\""),
            ("[a-\\s]", 1, "a single character at each end of a range", "\"a-\\s\""),
            ("\\", 1, "a character after the backslash", end), ("[\\", 2, "a character after the backslash", end),
            ("\\q", 0, escape, "\"\\q\""), ("\\-", 0, escape, "\"\\-\""), ("\\é", 0, escape, "\"\\é\""),
            ("\\_", 0, escape, "\"\\_\""),
            ("[\\B]", 1, escape, "\"\\B\""), ("[\\1]", 1, escape, "\"\\1\""), ("[\\k]", 1, escape, "\"\\k\""),
            ("\\a", 0, escape, "\"\\a\""),
            ("\\01", 0, "no digit after \"\\0\"", "\"\\01\""), ("\\c1", 0, "a letter after \"\\c\"", "\"\\c\""),
            ("\\cé", 0, "a letter after \"\\c\"", "\"\\c\""), ("\\c", 0, "a letter after \"\\c\"", "\"\\c\""),
            ("\\x4", 0, "2 hexadecimal digits after the escape", "\"\\x4\""),
            ("\\xGG", 0, "2 hexadecimal digits after the escape", "\"\\x\""),
            ("\\u004", 0, "4 hexadecimal digits after the escape", "\"\\u004\""),
            ("\\u{}", 0, "hexadecimal digits in braces", "\"\\u{\""),
            ("\\u{12", 0, "hexadecimal digits in braces", "\"\\u{12\""),
            ("\\u{110000}", 0, "a code point of at most 10FFFF", "\"\\u{110000}\""),
            ("\\u{FFFFFFFFFFFFFFFFFFFF}", 0, "a code point of at most 10FFFF", "\"\\u{FFFFFFFFFFFFFFFFFFFF}\""),
            ("\\uD83D", 0, surrogates, "\"\\uD83D\""), ("a\\uDE00", 1, surrogates, "\"\\uDE00\""),
            ("\\uDE00\\uD83D", 0, surrogates, "\"\\uDE00\""), ("\\u{D83D}\\u{DE00}", 0, surrogates, "\"\\u{D83D}\""),
            ("[\\uD800-\\uDFFF]", 1, surrogates, "\"\\uD800\""),
            ("(?<>a)", 3, "the name of a group and \">\"", "\">\""),
            ("(?<1>a)", 3, "the name of a group and \">\"", "\"1\""),
            ("(?<n)", 3, "the name of a group and \">\"", "\"n\""),
            ("(?<n-m>a)", 3, "the name of a group and \">\"", "\"n\""),
            ("(?<n>a)(?<n>b)", 10, "a different name for each group", "\"n>\""),
            ("(?>a)", 0, "\"(?:\" or \"(?<name>\" for a group", "\"(?>\""),
            ("(?", 0, "\"(?:\" or \"(?<name>\" for a group", "\"(?\""),
        ])
    }

    @Test("Limits are exact, and the error names them")
    func limits() throws {
        let deep = repeated("(", 100) + "a" + repeated(")", 100)
        #expect(try Pattern(deep).matches("a"))
        #expect(try Pattern(repeated("(a)", 1000)).matches(repeated("a", 1000)))
        #expect(try Pattern("^[" + repeated("a", 4093) + "]").matches("a"))
        // One state for a code point, however many bytes it has.
        #expect(error(of: "^" + repeated("[^]{1000}", 4)) == nil)
        #expect(error(of: "^[^€]{1000}") == nil)
        // A state for each number of a, one that refuses and one that accepts.
        #expect(error(of: "^a{1000}a{1000}a{1000}a{1000}a{94}") == nil)
        check([
            ("(" + deep + ")", 100, "a pattern of at most 100 groups in one another", "\"(\""),
            (repeated("(", 4000), 100, "a pattern of at most 100 groups in one another", "\"(\""),
            (repeated("a", 4097), 4096, "a pattern of at most 4096 bytes", "4097 bytes"),
            (repeated("é", 2049), 4096, "a pattern of at most 4096 bytes", "4098 bytes"),
            ("a{1001}", 1, "a pattern of at most 1000 repetitions", "\"{1001}\""),
            ("a{0,1001}", 1, "a pattern of at most 1000 repetitions", "\"{0,1001}\""),
            ("a{99999999999999999999,}", 1, "a pattern of at most 1000 repetitions", "\"{99999999999999999999,}\""),
            (
                "^a{1000}a{1000}a{1000}a{1000}a{95}", 0, "a pattern of at most 4096 table states",
                "\"^a{1000}a{1000}a{1000}a{1000}a{95}\""
            ),
            ("(a{200}){200}", 0, "a pattern of at most 20000 automaton states", "\"(a{200}){200}\""),
        ])
    }

    @Test(
        "A hostile pattern compiles, or a limit refuses it",
        arguments: [
            ("((a{1000}){1000}){1000}", "automaton states"), ("(((a{0,1000}){0,1000}){0,1000})*$", "automaton states"),
            (repeated("(", 90) + "[]" + repeated("){1000}", 90), "automaton edges"),
            (repeated("\\S", 2000), "automaton states"), (repeated("\\W{999}", 500), "automaton states"),
            ("(a|b)*a.{20}$", "table states"), ("[a-z].{12}$", "table states"),
            ("(a?){1000}a{1000}", "steps to compile"), ("[\\u{0}-\\u{10FFFF}]{1000}", "steps to compile"),
            (repeated("\\u{0}", 800), nil), (repeated("a*", 2000) + "$", nil), (repeated(".?", 2000) + "$", nil),
            ("(a*)*b", nil), ("(x+x+)+y", nil), ("(.*a){12}", nil), ("(.*,){11}P", nil),
            ("((a*)*|b)*" + repeated("c?", 1000), nil),
            (repeated("|", 4000), nil), (repeated("^", 4000), nil), ("[" + repeated("\\S", 2000) + "]", nil),
            (repeated("(x*", 90) + repeated(")*", 90) + "y", nil), (repeated("(", 90) + repeated("){1000}", 90), nil),
            ("(" + repeated("\\b|", 1300) + "a)*$", nil), ("((a{0}){1000}){1000}", nil),
        ] as [(String, String?)]
    )
    func hostile(pattern: String, limit: String?) {
        let error = error(of: pattern)
        if let limit {
            #expect(
                error?.expected.hasPrefix("a pattern of at most ") == true && error?.expected.hasSuffix(limit) == true)
        } else {
            #expect(error == nil)
        }
    }

    @Test("A class of many members that is repeated is refused by a limit")
    func members() throws {
        let members = String(String.UnicodeScalarView((0..<1300).compactMap { Unicode.Scalar(0x100 + $0 * 2) }))
        #expect(try Pattern("^[\(members)]{2}$").matches("\u{100}\u{B26}"))
        #expect(try !Pattern("^[\(members)]{2}$").matches("\u{100}\u{B27}"))
        #expect(error(of: "[\(members)]{1000}$")?.expected == "a pattern of at most 200000 automaton edges")
    }
}
