import PalliumCore
import Testing

/// What patterns match, from ECMA 262, section 22.2, with the flag u.
@Suite("Patterns")
struct PatternTests {
    private typealias Row = (pattern: String, matching: [String], other: [String])

    private func check(_ rows: [Row], sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (text, matching, other) in rows {
            let pattern = try Pattern(text)
            for text in matching {
                #expect(pattern.matches(text), "\(pattern) \(text.debugDescription)", sourceLocation: sourceLocation)
            }
            for text in other {
                #expect(!pattern.matches(text), "\(pattern) \(text.debugDescription)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test("A literal is found anywhere, by its code points")
    func literals() throws {
        try check([
            ("", ["", "a", "é"], []),
            ("abc", ["abc", "xabcx", "ababc"], ["", "ab", "abd", "ABC", "a bc"]),
            ("aab", ["aaab", "aabaab"], ["abab"]),
            ("é", ["é", "café"], ["e", "è", "e\u{301}", "É"]),
            ("e\u{301}", ["e\u{301}"], ["é", "e"]),
            ("😀", ["a😀b"], ["😁", "\u{F600}"]),
            ("/-,:;<>=!@#%&_~`'\" ", ["/-,:;<>=!@#%&_~`'\" "], ["/"]),
            ("a\nb", ["a\nb"], ["a b", "a\r\nb"]),
            ("\u{0}", ["a\u{0}b"], ["a", "0"]),
        ])
    }

    @Test("The dot matches one code point that is no line terminator")
    func dot() throws {
        try check([
            ("^.$", ["a", " ", "\u{0}", "é", "€", "😀", "\u{85}", "\u{B}", "\u{2027}", "\u{202A}", "\u{FEFF}"], [""]),
            ("^.$", [], ["\n", "\r", "\u{2028}", "\u{2029}", "ab", "e\u{301}", "\r\n"]),
            ("^.{3}$", ["a€😀", "e\u{301}x", "👨\u{200D}👩"], ["a€", "a€😀b", "a\n€"]),
            ("^.*$", ["", "abc"], ["abc\n", "\nabc", "a\u{2028}b"]),
            ("a.c", ["abc", "a😀c", "a.c"], ["ac", "a\nc"]),
        ])
    }

    @Test("A class matches one code point of its members")
    func classes() throws {
        try check([
            ("^[abc]$", ["a", "b", "c"], ["", "d", "ab", "A"]),
            ("^[a-cx-z]$", ["a", "b", "c", "x", "z"], ["d", "w", "-"]),
            ("^[a-yb-c]$", ["a", "c", "d", "y"], ["z", "-"]), ("^[c-eb-da]$", ["a", "b", "d", "e"], ["f", "`"]),
            ("^[-a]$", ["-", "a"], ["b"]), ("^[a-]$", ["-", "a"], ["b"]), ("^[a\\-c]$", ["a", "-", "c"], ["b"]),
            ("^[+--]$", ["+", ",", "-"], ["*", "."]), ("^[a-b-d]$", ["a", "b", "-", "d"], ["c"]),
            ("^[^abc]$", ["d", "é", "😀", "\n", "\u{0}", "^"], ["a", "c", "", "dd"]),
            ("^[a^]$", ["a", "^"], ["b"]), ("^[.*+?(){}|$[/]$", [".", "(", "{", "|", "$", "[", "/"], ["a", "]"]),
            ("^[\\]\\\\]$", ["]", "\\"], ["[", "a"]),
            ("[]", [], ["", "a", "]"]), ("a[]|b", ["b"], ["a"]), ("^[^]$", ["a", "\n", "😀"], ["", "ab"]),
            ("^[\\b]$", ["\u{8}"], ["b", "\\"]), ("^[\\w-]$", ["a", "-"], ["+"]), ("^[-\\d]$", ["7", "-"], ["a"]),
            ("^[\\d\\s]$", ["7", " "], ["a"]), ("^[^\\d\\s]$", ["a", "é"], ["7", " ", "\u{A0}"]),
            ("^[\\D]$", ["a", "😀"], ["7"]), ("^[\\D7]$", ["a", "7"], ["8"]), ("^[^\\D]$", ["7"], ["a", "😀"]),
            ("^[\\s\\S]$", ["a", "\n", "\u{2028}", "😀"], ["", "ab"]),
            ("^[à-ý]$", ["à", "é", "ý"], ["ß", "þ", "a"]), ("^[😀-😂]$", ["😀", "😁", "😂"], ["😃", "😀😁"]),
            ("^[a-😀]$", ["a", "z", "é", "€", "😀"], ["A", "😁"]), ("^[^é]$", ["e", "ê", "😀"], ["é"]),
            ("^[aé€😀]+$", ["a", "é€😀a"], ["", "à", "₭", "😁", "aé€😀b"]),
        ])
    }

    @Test("Escapes of sets match the code points that ECMA 262 lists")
    func sets() throws {
        let spaces = [
            "\t", "\n", "\u{B}", "\u{C}", "\r", " ", "\u{A0}", "\u{1680}", "\u{2000}", "\u{200A}", "\u{2028}",
            "\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}", "\u{FEFF}",
        ]
        let noSpaces = [
            "a", "\u{8}", "\u{E}", "\u{85}", "\u{180E}", "\u{1FFF}", "\u{200B}", "\u{202A}", "\u{2060}", "😀",
        ]
        let digits = ["0", "5", "9"]
        let noDigits = ["/", ":", "a", "٣", "０", "²", "𝟗"]
        let words = ["a", "z", "A", "Z", "0", "9", "_"]
        let noWords = ["`", "{", "@", "[", "/", ":", "-", "é", "ſ", "\u{212A}", "😀"]
        try check([
            ("^\\s$", spaces, noSpaces + [""]), ("^\\S$", noSpaces, spaces + [""]),
            ("^[\\s]$", spaces, noSpaces), ("^[^\\s]$", noSpaces, spaces), ("^[\\S]$", noSpaces, spaces),
            ("^\\d$", digits, noDigits + [""]), ("^\\D$", noDigits, digits + [""]),
            ("^\\w$", words, noWords + [""]), ("^\\W$", noWords, words + [""]), ("^[^\\W]$", words, noWords),
        ])
    }

    @Test("An escape matches the character it stands for")
    func escapes() throws {
        try check([
            ("^\\t\\n\\v\\f\\r\\0$", ["\t\n\u{B}\u{C}\r\u{0}"], ["tnvfr0"]),
            ("^\\x41\\x7a\\xE9\\xff$", ["Azéÿ"], ["Azé"]), ("^\\u0041\\u20AC\\u20ac$", ["A€€"], ["A€"]),
            ("^\\u{41}\\u{1F600}\\u{000000041}\\u{10FFFF}$", ["A😀A\u{10FFFF}"], ["A😀A"]),
            ("^\\uD83D\\uDE00$", ["😀"], ["😁", ""]), ("^[\\uD83D\\uDE00-\\ud83d\\ude02]$", ["😀", "😁", "😂"], ["😃"]),
            ("^\\cA\\ca\\cJ\\cZ\\cz$", ["\u{1}\u{1}\n\u{1A}\u{1A}"], ["AaJZz"]), ("^[\\cI]$", ["\t"], ["I", "c"]),
            ("^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$", ["^$\\.*+?()[]{}|/"], ["a"]),
            ("^[\\^\\$\\.\\*\\/\\-]$", ["^", "$", ".", "*", "/", "-"], ["\\", "a"]), ("\\.", ["a.b"], ["ab"]),
            ("^\\0a$", ["\u{0}a"], ["a"]), ("^[\\0-\\x1F]$", ["\u{0}", "\n", "\u{1F}"], [" "]),
        ])
    }

    @Test("Groups and alternatives")
    func groups() throws {
        try check([
            ("^(ab|cd)$", ["ab", "cd"], ["ac", "abcd", ""]), ("^ab|cd$", ["abx", "xcd"], ["xab", "cdx"]),
            ("^(?:a|b|)c$", ["ac", "bc", "c"], ["abc", "dc"]), ("^(|a)$", ["", "a"], ["b"]), ("|a", ["", "b"], []),
            ("^(?<year>\\d{4})-(?<$_é1>x)$", ["2026-x"], ["2026-"]), ("^()$", [""], ["a"]), ("()", ["", "a"], []),
            ("^((a)(b(c)))$", ["abc"], ["ab"]), ("^(a(b|c(d|e)))$", ["ab", "acd", "ace"], ["ac", "a"]),
            ("^(a|ab)(c|bcd)$", ["ac", "abc", "abcd"], ["ab", "acd"]), ("(?:)", ["", "a"], []),
        ])
    }

    @Test("Quantifiers repeat what is before them")
    func quantifiers() throws {
        for lazy in ["", "?"] {
            try check([
                ("^a*\(lazy)$", ["", "a", "aaaa"], ["b", "aab"]), ("^a+\(lazy)$", ["a", "aaaa"], ["", "ab"]),
                ("^a?\(lazy)$", ["", "a"], ["aa"]), ("^a{2}\(lazy)$", ["aa"], ["a", "aaa", ""]),
                ("^a{2,}\(lazy)$", ["aa", "aaaaa"], ["a"]), ("^a{1,3}\(lazy)$", ["a", "aa", "aaa"], ["", "aaaa"]),
                ("^a{0}\(lazy)$", [""], ["a"]), ("^a{0,}\(lazy)$", ["", "aa"], ["b"]),
                ("^a{0,1}\(lazy)b$", ["b", "ab"], ["aab"]), ("^a{003}\(lazy)$", ["aaa"], ["aa"]),
                ("^(ab){2}\(lazy)$", ["abab"], ["ab", "abb"]), ("^[ab]{2}\(lazy)$", ["ab", "bb"], ["a", "abc"]),
                ("^😀{2}\(lazy)$", ["😀😀"], ["😀"]), ("^é*\(lazy)$", ["", "éé"], ["e", "éà"]),
            ])
        }
        try check([
            ("^(a*)*$", ["", "aaa"], ["b"]), ("^(a*)+b$", ["b", "aab"], ["a"]),
            ("^(a|b*)*c$", ["c", "abbac"], ["abd"]),
            ("^(a?){3}$", ["", "a", "aaa"], ["aaaa"]), ("^(a+){2}$", ["aa", "aaaa"], ["a"]), ("^(){5}a$", ["a"], [""]),
            ("^(a{2}){3}$", ["aaaaaa"], ["aaaaa", "aaaaaaa"]), ("^(a{2,3}){2,}$", ["aaaa", "aaaaaaa"], ["aaa"]),
            ("^(a{0}b){2}$", ["bb"], ["aabb", "b"]), ("^a{1000}$", [repeated("a", 1000)], [repeated("a", 999)]),
            ("^.{1,1000}$", [repeated("😀", 1000), "x"], [repeated("😀", 1001), ""]),
        ])
    }

    @Test("Anchors hold at the ends of the text only")
    func anchors() throws {
        try check([
            ("^a", ["a", "ab"], ["ba", "\na", ""]), ("a$", ["a", "ba"], ["ab", "a\n"]), ("^$", [""], ["a", "\n"]),
            ("^", ["", "a"], []), ("$", ["", "a"], []), ("$^", [""], ["a"]), ("^^a$$", ["a"], ["aa"]),
            ("a^b", [], ["ab", "a^b", "a\nb"]), ("a$b", [], ["ab", "a$b", "a\nb"]), ("a$^", [], ["a", ""]),
            ("(^a|b)c", ["ac", "bc", "xbc", "xxbc"], ["xac", "c"]), ("(a$|b)", ["a", "xa", "b", "bx"], ["ax", ""]),
            ("(a$|b)c", ["bc"], ["ac", "a"]), ("x*^a", ["a"], ["xa"]), ("a$x*", ["a"], ["ax"]),
            ("(?:^)*a", ["ba"], ["b"]), ("(^|,)a(,|$)", ["a", "b,a", "a,b", "b,a,c"], ["ba", "ab", "b,ab"]),
            ("^(a|^b)+$", ["a", "b", "ba", "aa"], ["ab", ""]), ("(?:a|$)+$", ["", "b", "a"], []),
        ])
    }

    @Test("Word boundaries are between word characters and others")
    func wordBoundaries() throws {
        try check([
            ("\\bfoo\\b", ["foo", "a foo.", "éfooé", "😀foo😀"], ["food", "afoo", "foo_", "1foo", ""]),
            ("\\b", ["a", " a", "éa"], ["", " ", "é", "😀", "- -"]),
            ("\\B", ["", " ", "ab", "é", "a  "], ["a", "a b", "aéa", "a😀a"]),
            ("a\\Bb", ["ab"], ["a b"]), ("a\\bb", [], ["ab"]), ("a\\b.", ["a-", "aé", "a😀"], ["ab", "a", "a\n"]),
            (".\\ba", ["-a", "éa", "😀a"], ["a", "ba"]), ("a\\B", ["ab"], ["a", "a-", "aé"]), ("a\\b$", ["ba"], ["ab"]),
            ("^\\b\\B", [], ["", "a", "-"]), ("(\\ba|-)+$", ["-a", "a", "--"], ["ba"]),
            ("[^a]\\B$", ["é", "-"], ["b"]),
        ])
    }

    @Test("Patterns of schemas")
    func schemas() throws {
        try check([
            ("^[a-z0-9]+(-[a-z0-9]+)*$", ["a", "a-b", "abc-1-x"], ["", "-a", "a-", "a--b", "A"]),
            ("^\\d{4}-\\d\\d$", ["2026-11"], ["2026-1", "2026-111", "x2026-11"]),
            (
                "^((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.|$)){4}$", ["0.0.0.0", "255.249.199.9", "1.2.3.4."],
                ["256.0.0.0", "1.2.3", "1.2.3.4.5", "01.2.3.4"]
            ),
            (
                "^[\\w.%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$", ["a@b.co", "x.y+z@mail.example.com"],
                ["a@b", "@b.co", "a@b.c", "a b@c.de", "a@b.co\n"]
            ),
            ("^\\S(.*\\S)?$", ["a", "a b", "é…😀"], ["", " a", "a ", "a\u{A0}", "a\nb"]),
        ])
    }

    @Test("Patterns are equal when their bytes are")
    func equality() throws {
        let patterns = Set(try ["é", "e\u{301}", "é", "(?:a)", "a", ""].map { try Pattern($0) })
        #expect(patterns.count == 5)
        #expect(try Pattern("é") != Pattern("e\u{301}"))
        #expect(try Pattern("a|b") == Pattern("a|b"))
        #expect(try Pattern("^é$").description == "^é$")
        #expect(try Pattern("^é$").text == "^é$")
    }
}

func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
