import PalliumJSON
import Testing

/// Comments where people write them, and where they hardly do: ``JSONReadingOptions/comments``.
struct CommentEdgeTests {
    private static let accepting: JSONReadingOptions = {
        var options = JSONReadingOptions()
        options.comments = .accept
        return options
    }()

    private static func verdict(_ text: String, _ options: JSONReadingOptions = accepting) -> Verdict {
        verdictOfReading(Array(text.utf8), options)
    }

    // MARK: What a comment is

    /// A text with comments, and the same without.
    static let comments: [(text: String, value: JSONValue)] = [
        ("{}//", [:]), ("{}//\n", [:]), ("{}// end", [:]), ("{}/**/", [:]), ("//\n//\n[]", []), ("/**/[]", []),
        ("// a\r\n[1]\r\n", [1]), ("// a\r[1]", [1]), ("/* a\r\n b */[1]", [1]), ("/***/[]", []), ("/*/*/[]", []),
        ("/* /* */[]", []), ("/* // */[]", []), ("// /* \n[]", []), ("// */\n[]", []), ("/* a **/ [1]", [1]),
        ("[/* a */]", []), ("[// a\n]", []), ("{/* a */}", [:]), ("{// a\n}", [:]), ("[[/**/],{/**/}]", [[], [:]]),
        (#"{"a"/*1*/:/*2*/1/*3*/,/*4*/"b"//5"# + "\n:2}", ["a": 1, "b": 2]), ("[1/**/,/**/2/**/]", [1, 2]),
        ("1/**/", 1), ("/**/1", 1), ("-1//x", -1), ("1.5e3/**/", 1500), ("true/**/", true), ("null//", .null),
        (#""a"/**/"#, "a"), ("[1/**//**///\n/**/]", [1]), ("// é 😀\n[1]/* ß */", [1]),
        ("/*\u{2028}*/[]", []), ("//\t\n[]", []), ("\u{FEFF}// a\n[1]", [1]), ("\u{FEFF}/**/[1]", [1]),
    ]

    @Test(arguments: comments)
    func aCommentIsWhiteSpace(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text, options: Self.accepting) == value)
        // None of them is JSON.
        #expect(Self.verdict(text, JSONReadingOptions()) != nil)
    }

    /// Slashes, stars and commas that belong to a text.
    static let texts = [
        "//", "/*", "*/", "/* a */", "// a", "http://a/*", "a//", #"\"//\""#, #"\\"#, #"\\\""#, #"a\/\/b"#, ",]", ",}",
        "é//😀", #"\u002f/"#,
    ]

    @Test(arguments: texts)
    func aTextMayHaveTheSignsOfComments(_ content: String) throws {
        for text in [
            #"["\#(content)"]"#, #"{"\#(content)":"\#(content)"}"#, #"/**/["\#(content)"/*"*/,"\#(content)"]//""#,
        ] {
            let options = Self.accepting
            let plain = text.replacing("/**/[", with: "[").replacing(#"/*"*/"#, with: "").replacing(#"]//""#, with: "]")
            #expect(try JSONValue(parsing: text, options: options) == JSONValue(parsing: plain))
        }
    }

    // MARK: A comma behind the last

    static let lastCommas: [(text: String, value: JSONValue)] = [
        ("[1,]", [1]), ("[1 , ]", [1]), ("[1,//\n]", [1]), ("[1/**/,/**/]", [1]), (#"{"a":1,}"#, ["a": 1]),
        (#"{"a":1,/**/}"#, ["a": 1]), ("[[1,],]", [[1]]), (#"[{"a":[],},]"#, [["a": []]]), (#"["",]"#, [""]),
        (#"{"a":{},}"#, ["a": [:]]), ("[1,\r\n]", [1]),
    ]

    @Test(arguments: lastCommas)
    func aCommaMayStandBehindTheLast(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text, options: Self.accepting) == value)
        #expect(Self.verdict(text, JSONReadingOptions()) != nil)
    }

    /// A text, and the offset of its mistake.
    static let mistakes: [(text: String, offset: Int)] = [
        // A comma stands behind something, and once.
        ("[,]", 1), ("{,}", 1), ("[/**/,]", 5), ("[1,,]", 3), (#"{"a":1,,}"#, 7), ("[1,/**/,]", 7), ("[,1]", 1),
        ("1,", 1), ("[1],", 3), ("[1]/**/,", 7), (#"{"a":,}"#, 5), (#"{"a":/**/}"#, 9),
        // A comment that does not end is none.
        ("/*", 0), ("/* a", 0), ("/*/", 0), ("[]/*", 2), ("[]/* *", 2), ("[1/*]", 2), ("[1,/* ]", 3), ("/**/ /*", 5),
        // One slash, and other marks.
        ("/", 0), ("/ /\n[]", 0), ("[]/", 2), ("[1/2]", 2), ("[1 / 2]", 3), ("#\n[]", 0), ("[];", 2), ("*/[]", 0),
        ("<!-- a -->[]", 0), ("/* /* */ */[]", 9),
        // Nothing but comments is no value.
        ("//", 2), ("// a\n", 5), ("/**/", 4), ("", 0),
        // A comment ends a word and a number.
        ("[1/**/2]", 6), ("[1/**/.5]", 6), (#"["a"/**/"b"]"#, 8), ("[1]//\n[2]", 6), ("[1]//\r[2]", 6),
        // A mark of byte order stands at the beginning.
        ("//\n\u{FEFF}[]", 3), ("/**/\u{FEFF}[]", 4),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsWhereItStands(text: String, offset: Int) throws {
        let verdict = Self.verdict(text)
        #expect(verdict?.offset == offset, "\(String(describing: verdict))")
    }

    @Test(arguments: [
        "[01]", "[+1]", #"["\x"]"#, "[nul]", "[\"\n\"]", "[1", "{1}", #"{"a":1 "b"}"#, #"["\ud800"]"#, "x",
    ])
    func theOtherRulesHoldBehindComments(_ text: String) throws {
        let plain = try #require(verdictOfReading(Array(text.utf8)))
        for comments in ["/* é */", "//😀\r\n", "/*\n*/ // [\n\t"] {
            let verdict = try #require(verdictOfReading(Array((comments + text).utf8), Self.accepting))
            #expect(verdict.code == plain.code && verdict.offset == comments.utf8.count + plain.offset)
        }
    }

    @Test(arguments: ["[-/**/1]", "[1./**/5]", "[1e/**/5]", "[tr/**/ue]", "[nul/**/l]", #"["a/**/"#])
    func noCommentStandsInsideOfAToken(_ text: String) {
        #expect(Self.verdict(text) != nil)
    }

    @Test func linesCountThoseOfComments() throws {
        let text = Array("// a\r\n/* b\n\n é */ [1,\n  x]".utf8)
        let error = try #require(verdictOfReading(text, Self.accepting))
        let location = text.withUnsafeBytes { error.location(in: $0) }
        #expect(location.line == 5 && location.column == 3, "\(location)")
    }

    // MARK: Size

    @Test func aCommentMayBeOfAnySize() throws {
        let long = String(repeating: "*x/", count: 400_000)
        let many = String(repeating: "/**/", count: 300_000)
        for text in ["[1/*\(long)*/,2]", "[1,//\(long)\n2]", "[1,\(many)2,\(many)]", "\(many)[1,2]\(many)"] {
            #expect(try JSONValue(parsing: text, options: Self.accepting) == [1, 2])
        }
        let endless = Array("[1/*\(long)".utf8)
        #expect(verdictOfReading(endless, Self.accepting)?.offset == 2)
    }

    @Test func theLimitOfADocumentCountsComments() {
        var options = Self.accepting
        options.maximumDocumentBytes = 10
        #expect(verdictOfReading(Array("[/*3456*/]".utf8), options) == nil)
        #expect(verdictOfReading(Array("[/*34567*/]".utf8), options)?.code == .documentTooLarge)
        options = Self.accepting
        options.maximumDepth = 1
        options.maximumValues = 2
        options.maximumNameBytes = 1
        options.maximumStringBytes = 1
        options.maximumNumberCharacters = 1
        #expect(verdictOfReading(Array("/* [[ 1234 \"abcd\" */[1]".utf8), options) == nil)
    }
}
