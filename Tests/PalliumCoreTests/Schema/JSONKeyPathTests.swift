import PalliumCore
import PalliumJSON
import Testing

@Suite("Key paths")
struct JSONKeyPathTests {
    static let wellFormed: [(String, [JSONKeyPath.Step])] = [
        ("a", [.member("a")]),
        ("user.login", [.member("user"), .member("login")]),
        (#"a\.b"#, [.member("a.b")]),
        (#"a\.b.c"#, [.member("a.b"), .member("c")]),
        (#"a\[0]"#, [.member("a[0]")]),
        (#"a\\.b"#, [.member(#"a\"#), .member("b")]),
        (#"\a"#, [.member("a")]),
        ("labels[0]", [.member("labels"), .element(0)]),
        ("labels[12].name", [.member("labels"), .element(12), .member("name")]),
        ("grid[1][2]", [.member("grid"), .element(1), .element(2)]),
        ("a[007]", [.member("a"), .element(7)]),
        ("a[999999999]", [.member("a"), .element(999_999_999)]),
        ("a]b", [.member("a]b")]),
        ("with space.é", [.member("with space"), .member("é")]),
        (#"\é.b"#, [.member("é"), .member("b")]),
        (" ", [.member(" ")]), (#"[""]"#, [.member("")]), (#"[""].a"#, [.member(""), .member("a")]),
        (#"a[""]"#, [.member("a"), .member("")]), (#"a.[""]"#, [.member("a"), .member("")]),
        (#"[""][""][0]"#, [.member(""), .member(""), .element(0)]), (#"\[""]"#, [.member(#"[""]"#)]),
    ]

    @Test(arguments: wellFormed)
    func aPathIsReadIntoItsSteps(_ text: String, _ steps: [JSONKeyPath.Step]) throws {
        let path = try JSONKeyPath(text)
        #expect(path.steps == steps)
        #expect(path.description == text)
    }

    static let malformed: [(String, String)] = [
        ("", "has an empty step"), (".", "has an empty step"), (".a", "has an empty step"), ("a.", "has an empty step"),
        ("a..b", "has an empty step"), ("[0]", "has an empty step"), ("a.[0]", "has an empty step"),
        ("a[0].", "has an empty step"), ("a[0]..b", "has an empty step"), ("a\\", "ends in a backslash"),
        ("a.\\", "ends in a backslash"), ("a[0]b", "lacks a dot after a bracket"),
        ("a[0]\\b", "lacks a dot after a bracket"),
        ("a[]", "has a bracket without an element number"), ("a[x]", "has a bracket without an element number"),
        ("a[-1]", "has a bracket without an element number"), ("a[+1]", "has a bracket without an element number"),
        ("a[1", "has a bracket without an element number"), ("a[", "has a bracket without an element number"),
        ("a[1.5]", "has a bracket without an element number"), ("a[ 1]", "has a bracket without an element number"),
        ("a[1000000000]", "has a bracket without an element number"),
        ("a[٣]", "has a bracket without an element number"), (#"["a"]"#, "has an empty step"),
        (#"[""]a"#, "lacks a dot after a bracket"), (#"a[""#, "has a bracket without an element number"),
        (#".[""]"#, "has an empty step"), (#"[""]."#, "has an empty step"),
    ]

    @Test(arguments: malformed)
    func aMalformedPathSaysWhatIsWrong(_ text: String, _ problem: String) {
        let error = #expect(throws: JSONKeyPath.Malformed.self) { try JSONKeyPath(text) }
        #expect(error?.description == "key path \"\(text)\" \(problem)")
    }

    static let otherNotations: [(String, String)] = [
        ("/user/login", #"a JSON Pointer: write "user.login", or "\/…" for a name that begins so"#),
        ("#/user/login", ##"a JSON Pointer: write "user.login", or "\#…" for a name that begins so"##),
        ("/labels/0/name", #"a JSON Pointer: write "labels[0].name", or "\/…" for a name that begins so"#),
        ("/list/123456789/a", #"a JSON Pointer: write "list[123456789].a", or "\/…" for a name that begins so"#),
        ("/list/1234567890/a", #"a JSON Pointer: write "list.1234567890.a", or "\/…" for a name that begins so"#),
        ("/a.b/c~1d", #"a JSON Pointer: write "a\.b.c/d", or "\/…" for a name that begins so"#),
        ("/", #"a JSON Pointer: write "[""]", or "\/…" for a name that begins so"#),
        ("/a//b", #"a JSON Pointer: write "a[""].b", or "\/…" for a name that begins so"#),
        ("/a~2", #"a JSON Pointer: write names with dots between them, or "\/…" for a name that begins so"#),
        ("$.user.login", #"JSONPath: write "user.login", or "\$…" for a name that begins so"#),
        ("$.labels[0]", #"JSONPath: write "labels[0]", or "\$…" for a name that begins so"#),
        ("$..login", #"JSONPath: write names with dots between them, or "\$…" for a name that begins so"#),
        ("$['a']", #"JSONPath: write names with dots between them, or "\$…" for a name that begins so"#),
        ("$.$.a", #"JSONPath: write names with dots between them, or "\$…" for a name that begins so"#),
    ]

    @Test(arguments: otherNotations)
    func aPathInAnotherNotationSaysHowItIsWritten(_ text: String, _ advice: String) {
        let error = #expect(throws: JSONKeyPath.Malformed.self) { try JSONKeyPath(text) }
        #expect(error?.description == "key path \"\(text)\" is \(advice)")
    }

    @Test(arguments: [
        ("$ref", "$ref"), ("$", "$"), ("#", "#"), ("#a/b", "#a/b"), ("a/b", "a/b"), (#"\/a"#, "/a"),
        (##"\#/a"##, "#/a"),
        (#"\$\.a"#, "$.a"),
    ])
    func otherNamesWithTheirSignsNeedNoEscape(_ text: String, _ name: String) throws {
        #expect(try JSONKeyPath(text).steps == [.member(name)])
    }

    @Test func stepsAreComparedAsBytes() throws {
        #expect(try JSONKeyPath("caf\u{E9}") != JSONKeyPath("cafe\u{301}"))
        #expect(try Set([JSONKeyPath("caf\u{E9}").steps, JSONKeyPath("cafe\u{301}").steps]).count == 2)
        #expect(JSONKeyPath.Step.member("0") != .element(0))
    }

    @Test func aMemberIsTakenAsItIs() {
        #expect(JSONKeyPath(member: "a.b[0]").steps == [.member("a.b[0]")])
        #expect(JSONKeyPath(member: "").steps == [.member("")])
    }

    @Test func onlyPathsThroughObjectsHaveMembers() throws {
        #expect(try JSONKeyPath("a.b").members == ["a", "b"])
        #expect(try JSONKeyPath("a[0]").members == nil)
    }

    @Test func aPathHas64StepsAtMost() throws {
        func path(_ count: Int) -> String { Array(repeating: "a", count: count).joined(separator: ".") }
        #expect(try JSONKeyPath(path(64)).steps.count == 64)
        for count in [65, 50_000] {
            let error = #expect(throws: JSONKeyPath.Malformed.self) { try JSONKeyPath(path(count)) }
            #expect(error?.description.hasSuffix("has more than 64 steps") == true)
        }
    }
}

@Suite("Member names by key strategy")
struct KeyStrategyTests {
    @Test(arguments: [
        ("title", "title"), ("htmlURL", "html_url"), ("userID", "user_id"), ("URL", "url"), ("URLString", "url_string"),
        ("HTMLParser", "html_parser"), ("createdAt", "created_at"), ("aB", "a_b"), ("A", "a"), ("Title", "title"),
        ("already_snake", "already_snake"), ("mixed_Case", "mixed_case"), ("_private", "_private"), ("_URL", "_url"),
        ("user2Name", "user2_name"), ("sha256Sum", "sha256_sum"), ("iOSVersion", "i_os_version"), ("x1", "x1"),
        ("htmlURL2", "html_url2"), ("isUTF8", "is_utf8"), ("MD5", "md5"), ("userIDs", "user_ids"), ("IDs", "ids"),
        // Small letters are a to z.
        ("ABC{d", "abc{d"), ("ABC`d", "abc`d"), ("ABCzd", "ab_czd"), ("ABCad", "ab_cad"),
        ("URLsByName", "urls_by_name"), ("sha1URL", "sha1_url"), ("utf8Text", "utf8_text"), ("UTF8Text", "utf8_text"),
        ("isAString", "is_a_string"), ("ISO8601Date", "iso8601_date"), ("base64Data", "base64_data"), ("aS", "a_s"),
        ("URLSession", "url_session"), ("HTTP2Server", "http2_server"), ("address1", "address1"), ("ABTest", "ab_test"),
        ("URLs2", "urls2"), ("x509PEMs", "x509_pems"), ("iPhone4S", "i_phone4_s"), ("pStatus", "p_status"),
        ("timeZone", "time_zone"),
        ("getHTTPResponseCode", "get_http_response_code"), ("isOK", "is_ok"), ("straßeÜber", "straßeÜber"), ("", ""),
    ])
    func snakeCaseTakesARunOfCapitalsForAWord(_ key: String, _ name: String) {
        #expect(ModelSchema.KeyStrategy.snakeCase.memberName(for: key) == name)
    }

    @Test func identityKeepsTheKeyAndExplicitHasNoName() {
        #expect(ModelSchema.KeyStrategy.identity.memberName(for: "htmlURL") == "htmlURL")
        #expect(ModelSchema.KeyStrategy.explicit.memberName(for: "htmlURL") == nil)
    }
}
