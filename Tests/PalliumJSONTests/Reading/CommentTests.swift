import PalliumJSON
import TestSupport
import Testing

/// Texts with comments, and with a comma behind the last member or element.
struct CommentTests {
    static let accepting: JSONReadingOptions = {
        var options = JSONReadingOptions()
        options.comments = .accept
        return options
    }()

    struct Text: CustomTestStringConvertible {
        let testDescription: String
        let json: String

        init(_ text: String, _ json: String) {
            testDescription = text
            self.json = json
        }
    }

    static let accepted = [
        Text("1 // one", "1"), Text("// one\n1", "1"), Text("/* one */ 1 /* two */", "1"), Text("1//", "1"),
        Text("[1, 2,]", "[1, 2]"), Text("[1 /* a */, /* b */ 2 // c\n, // d\n]", "[1, 2]"),
        Text(#"{"a": 1,}"#, #"{"a": 1}"#), Text(#"{"a" /**/ : /***/ 1, /*/*/ "b": 2}"#, #"{"a": 1, "b": 2}"#),
        Text(#"{"a": [{"b": [],},],}"#, #"{"a": [{"b": []}]}"#), Text("[null,]", "[null]"),
        Text("[\"a\",\t]", #"["a"]"#),
        // Strings have no comments.
        Text(#"["// no", "/* no */", "\"//", "\\", "a,"]"#, #"["// no", "/* no */", "\"//", "\\", "a,"]"#),
        Text("[1, // a \" and a ]\r\n 2, /* \" ] \n */]", "[1, 2]"), Text("[1, // a\r2]", "[1, 2]"),
        Text("\u{FEFF}// mark\n[1,]", "[1]"),
    ]

    @Test(arguments: accepted) func commentsAndLastCommasAreWhiteSpaceWhereTheyAreAccepted(_ text: Text) throws {
        #expect(try JSONValue(parsing: text.testDescription, options: Self.accepting) == JSONValue(parsing: text.json))
        if text.testDescription != text.json {
            #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text.testDescription) }
        }
    }

    @Test(
        arguments: [
            ("[,]", 1), ("{,}", 1), ("[1,,]", 3), ("[,1]", 1), (#"{"a":,}"#, 5), (#"{"a",}"#, 5), ("[1] /", 4),
            ("[1, /* two]", 4), ("[1] /*/", 4), ("1 # one", 2), ("[1 2,]", 3), (",", 0), ("1,", 1), ("[1] // a\n]", 9),
            ("/*", 0), ("[\"a // b]", 9), ("['a']", 1), ("[1, /* a */ x]", 12),
        ])
    func whatIsNoCommentAndNoLastCommaIsRefusedWhereItStands(_ text: String, _ offset: Int) {
        let error = verdictOfReading(Array(text.utf8), Self.accepting)
        #expect(error?.offset == offset, "\(text): \(error.map { "\($0)" } ?? "accepted")")
    }

    @Test(.trials) func commentsInEveryGapChangeNeitherTheValueNorAPosition() throws {
        for seed in Trials(200) {
            var random = SeededGenerator(seed: seed)
            let tokens = Self.tokens(depth: 3, &random)
            let plain = tokens.filter { !$0.isLastComma }.map(\.text).joined(separator: " ")
            let text = tokens.map { Self.gap(&random) + $0.text }.joined() + Self.gap(&random)
            #expect(try JSONValue(parsing: text, options: Self.accepting) == JSONValue(parsing: plain), "\(text)")
            let wrong = Array((text + "\n?").utf8)
            #expect(verdictOfReading(wrong, Self.accepting)?.offset == wrong.count - 1, "\(text)")
        }
    }

    /// A random value as tokens, with a comma behind some of the last members and elements.
    private static func tokens(
        depth: Int, _ random: inout SeededGenerator
    ) -> [(text: String, isLastComma: Bool)] {
        let scalars = ["1", "-2.5e3", "true", "null", #""a""#, #""// \" /* ,]""#, #""\\""#]
        guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else {
            return [(scalars[Int.random(in: 0..<scalars.count, using: &random)], false)]
        }
        let isObject = Bool.random(using: &random)
        var tokens = [(isObject ? "{" : "[", false)]
        let count = Int.random(in: 0..<4, using: &random)
        for number in 0..<count {
            if number > 0 { tokens.append((",", false)) }
            if isObject { tokens += [("\"\(number)/*\"", false), (":", false)] }
            tokens += self.tokens(depth: depth - 1, &random)
        }
        if count > 0, Bool.random(using: &random) { tokens.append((",", true)) }
        return tokens + [(isObject ? "}" : "]", false)]
    }

    /// Random white space and comments.
    private static func gap(_ random: inout SeededGenerator) -> String {
        let pieces = [" ", "\n", "\t", "// a \" ] , /*\n", "/* b \" } , // */", "/**/", "//\r\n", "/* é\n*/"]
        return (0..<Int.random(in: 0..<3, using: &random))
            .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
    }
}
