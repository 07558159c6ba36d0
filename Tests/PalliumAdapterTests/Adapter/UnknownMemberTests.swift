import ModelTestSupport
import Pallium
import Testing

/// Members that no property maps: ignored, refused, or kept and written back.
struct UnknownMemberTests {
    private static let schemas = [
        ModelSchema(
            "Parent",
            [
                "name": .string, "login": .string.json("user.login"), "child": .model("Child"),
                "list": .array(of: .model("Child")),
            ],
            ignored: ["known", "user.known"]),
        ModelSchema("Child", ["a": .integer]),
    ]

    private func adapter(_ policy: JSONAdapterOptions.UnknownMembers) throws -> Entrances<DynamicModel> {
        try Plain.adapter(Self.schemas, options: .with { $0.unknownMembers = policy })
    }

    @Test func theyAreSkippedUnlessAskedFor() throws {
        let text = #"{"name":"n","x":[{"y":null}],"user":{"login":"l","z":1},"child":{"a":1,"b":2}}"#
        #expect(try adapter(.ignore).roundTrip(text) == #"{"name":"n","user":{"login":"l"},"child":{"a":1}}"#)
    }

    @Test(arguments: [
        (
            #"{"nmae":"n"}"#,
            #"expected a member that Parent knows but found "nmae" at /nmae (1:9); did you mean "name"?"#
        ),
        (#"{"xyz":1}"#, #"expected a member that Parent knows but found "xyz" at /xyz (1:8)"#),
        (
            #"{"user":{"logon":1}}"#,
            #"expected a member that Parent knows but found "logon" at /user/logon (1:18); did you mean "login"?"#
        ),
        (#"{"child":{"b":1}}"#, #"expected a member that Child knows but found "b" at /child/b (1:15)"#),
        (#"{"list":[{},{"b":1}]}"#, #"expected a member that Child knows but found "b" at /list/1/b (1:18)"#),
    ]) func theyAreRefusedWithASuggestion(text: String, sentence: String) throws {
        #expect(try adapter(.refuse).sentence(of: text) == sentence)
        #expect(try adapter(.refuse).problem(of: text)?.code == .unknownMember)
    }

    @Test func knownButIgnoredMembersAreNotRefused() throws {
        #expect(throws: Never.self) {
            try adapter(.refuse).model(from: #"{"known":1,"user":{"known":{"deep":1},"login":"l"}}"#)
        }
        // Only an ignored member stands in it, so it may be anything.
        let ignoring = try Plain.adapter(
            ["a": .integer], ignored: ["meta.version"], options: .with { $0.unknownMembers = .refuse })
        #expect(throws: Never.self) { try ignoring.model(from: #"{"meta":{"version":2}}"#) }
        #expect(ignoring.problem(of: #"{"meta":{"other":2}}"#)?.pointer?.description == "/meta/other")
    }

    @Test func noMembersAreUnknownInAValueThatAClusterLooksAt() throws {
        // A property reads one member of the value, and a rule asks for the whole.
        let base = ModelSchema(
            "Base", ["login": .string.json("user.login")],
            cluster: .rules([.init([.kind("user", .object)], "Base")], default: "Base"))
        let refusing = try Plain.adapter([base], options: .with { $0.unknownMembers = .refuse })
        #expect(try refusing.roundTrip(#"{"user":{"login":"l","id":7}}"#) == #"{"user":{"login":"l"}}"#)
        #expect(refusing.problem(of: #"{"user":{"login":"l"},"id":7}"#)?.pointer?.description == "/id")
    }

    @Test(arguments: [
        #"{"name":"n","x":[{"y":null}],"z":1.5e3}"#,
        #"{"name":"n","user":{"login":"l","id":7,"more":{"deep":[1]}}}"#,
        #"{"user":{"id":7}}"#, #"{"user":{}}"#, #"{"user":null}"#, #"{"known":1,"user":{"known":2}}"#,
        #"{"child":{"a":1,"b":{"c":2}},"list":[{"d":3},{"a":1}]}"#, #"{"x":null}"#, #"{"":1}"#,
    ]) func theyAreKeptAndWrittenBack(text: String) throws {
        let adapter = try adapter(.keep)
        let written = try adapter.roundTrip(text)
        #expect(try JSONValue(parsing: written) == JSONValue(parsing: text), "\(written)")
    }

    @Test func whatIsKeptDoesNotReplaceWhatWasSetSince() throws {
        let adapter = try adapter(.keep)
        let model = try adapter.model(from: #"{"user":null,"x":1}"#)
        model["login"] = "new"
        #expect(try adapter.text(of: model) == #"{"user":{"login":"new"},"x":1}"#)
    }

    @Test func whatIsKeptDoesNotReplaceTheFirstPropertyEither() throws {
        let adapter = try Plain.adapter(
            ["login": .string.json("user.login")], options: .with { $0.unknownMembers = .keep })
        let model = try adapter.model(from: #"{"user":null}"#)
        #expect(try adapter.text(of: model) == #"{"user":null}"#)
        model["login"] = "new"
        #expect(try adapter.text(of: model) == #"{"user":{"login":"new"}}"#)
    }

    @Test func whatIsKeptSurvivesACopy() throws {
        let adapter = try adapter(.keep)
        let model = try adapter.model(from: #"{"x":1,"child":{"b":2}}"#)
        let text = try adapter.text(of: model.copy())
        #expect(try JSONValue(parsing: text) == ["x": 1, "child": ["b": 2]])
    }

    @Test func keptMembersOfCapturedObjectsComeBackToo() throws {
        // The path through an array makes the member one that is read as a whole.
        let adapter = try Plain.adapter(
            [
                "first": .string.json("tags[0]").readOnly, "whole": .jsonValue.json("user"),
                "login": .string.json("user.login").readOnly,
            ],
            options: .with { $0.unknownMembers = .keep })
        let text = #"{"tags":["a","b"],"user":{"login":"l","id":1},"x":2}"#
        #expect(try JSONValue(parsing: adapter.roundTrip(text)) == JSONValue(parsing: text))
    }

    @Test(.threat(.invalidUTF8, .trailingText)) func skippedMembersAreCheckedAsStrictlyAsReadOnes() throws {
        for policy in JSONAdapterOptions.UnknownMembers.allCases where policy != .refuse {
            for value in ["01", "[1,]", #""\ud800""#, "\"\u{1}\"", "nul", #"{"a":}"#, "1e", "[", "\"\\x\""] {
                let problem = try adapter(policy).problem(of: #"{"x":\#(value)}"#)
                #expect(problem?.code == .malformedJSON, "\(value)")
            }
        }
    }

    @Test func whatIsLeftOfACapturedObjectIsKeptAtEveryDepth() throws {
        let adapter = try Plain.adapter(
            [
                "b": .integer.json("a.x.b"), "any": .integer.json(firstOf: ["a.x.c", "d"]).readOnly,
                "list": .string.json("a.l[0]").readOnly,
            ],
            options: .with { $0.unknownMembers = .keep })
        for text in [
            #"{"a":{"x":{"b":1,"e":[2]},"f":null,"l":["y"]},"g":3}"#, #"{"a":{"x":{"b":1},"x2":{"b":1}}}"#,
            #"{"a":{"x":{"c":5}}}"#, #"{"a":null,"d":5}"#,
        ] {
            #expect(try JSONValue(parsing: adapter.roundTrip(text)) == JSONValue(parsing: text))
        }
        let problem = adapter.problem(of: #"{"a":{"x":7}}"#)
        #expect(problem?.code == .typeMismatch && problem?.pointer?.description == "/a/x")
    }

    @Test func anIgnoredPathMayEndInAnything() throws {
        let adapter = try Plain.adapter(
            ["n": .integer], ignored: ["meta.page"], options: .with { $0.unknownMembers = .refuse })
        for value in ["5", #""x""#, "[1]", "null", #"{"page":{"x":1}}"#] {
            #expect(try adapter.roundTrip(#"{"meta":\#(value),"n":1}"#) == #"{"n":1}"#)
        }
        #expect(adapter.problem(of: #"{"meta":{"pages":1}}"#)?.pointer?.description == "/meta/pages")
    }

    @Test(arguments: [
        (#"{"a":{"x":{"c":1,"y":2}}}"#, "/a/x/y"), (#"{"a":{"z":1,"x":{"c":1}}}"#, "/a/z"), (#"{"d":5,"e":6}"#, "/e"),
        (#"{"d":{"f":6}}"#, "/d"), (#"{"a":{"l":[{"any":1}],"x":{"c":1}}}"#, nil), (#"{"a":{"known":{"any":1}}}"#, nil),
    ]) func membersOfObjectsThatAreReadAsAWholeAreRefusedToo(text: String, pointer: String?) throws {
        let adapter = try Plain.adapter(
            ["any": .integer.json(firstOf: ["a.x.c", "d"]), "list": .jsonValue.json("a.l[0]").readOnly],
            ignored: ["a.known"],
            options: .with { $0.unknownMembers = .refuse })
        let problems = adapter.report(from: text).problems
        #expect(problems.map { $0.pointer?.description } == (pointer.map { [$0] } ?? []))
    }

    @Test func membersBesideAPathInAnIgnoredObjectAreKnown() throws {
        let adapter = try Plain.adapter(
            ["login": .string.json("user.login")], ignored: ["user"], options: .with { $0.unknownMembers = .refuse })
        #expect(try adapter.roundTrip(#"{"user":{"login":"l","id":{"x":1}}}"#) == #"{"user":{"login":"l"}}"#)
        #expect(adapter.problem(of: #"{"other":1}"#)?.pointer?.description == "/other")
    }

    /// What an adapter writes is known when it comes back, also where it is not read.
    @Test func whatIsWrittenIsNotRefused() throws {
        let adapter = try Plain.adapter(
            [
                ModelSchema(
                    "Account",
                    [
                        "password": .string.writeOnly, "token": .string.json("auth.token").writeOnly,
                        "user": .string.json("auth.user"),
                        "both": PropertySchema.jsonValue.json(allOf: ["x", "y.z"]).transformer("Same").writeOnly,
                    ], cluster: .discriminator("kind", ["admin": "Admin"])),
                ModelSchema("Admin", ["rank": .integer], extends: "Account"),
            ], options: .with { $0.unknownMembers = .refuse },
            transformers: [
                "Same": Transformer(from: JSONValue.self, to: JSONValue.self) { json, _ in
                    json
                } reverse: { json, _ in
                    json
                }
            ])
        let text =
            #"{"password":"p","auth":{"token":"t","user":"u"},"x":1,"y":{"z":2},"kind":"admin","rank":5}"#
        let model = try adapter.model(from: text)
        #expect(model["rank", as: Int.self] == 5)
        model["password"] = "q"
        model["token"] = "t"
        let written = try adapter.text(of: model)
        #expect(written == #"{"kind":"admin","password":"q","auth":{"token":"t","user":"u"},"rank":5}"#)
        #expect(throws: Never.self) { try adapter.model(from: written) }
        #expect(adapter.problem(of: #"{"kind":"admin","auth":{"other":1}}"#)?.code == .unknownMember)
    }
}
