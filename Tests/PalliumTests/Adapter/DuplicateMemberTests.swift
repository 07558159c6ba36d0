import Pallium
import TestSupport
import Testing

/// Members that occur twice in one object.
@Suite(.threat(.duplicateMembers))
struct DuplicateMemberTests {
    typealias Policy = JSONReadingOptions.DuplicateMembers

    /// Documents, and what `.lastWins` and `.firstWins` make of them.
    static let rows: [(text: String, last: String, first: String)] = [
        (#"{"a":1,"a":2}"#, #"{"a":2}"#, #"{"a":1}"#),
        (#"{"a":1,"\u0061":null}"#, #"{"a":null}"#, #"{"a":1}"#),
        (
            #"{"s":"x","s":"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}"#, #"{"s":"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}"#,
            #"{"s":"x"}"#
        ),
        (#"{"u":"https://a.b","u":"https://c.d"}"#, #"{"u":"https://c.d"}"#, #"{"u":"https://a.b"}"#),
        (#"{"child":{"a":1,"s":"x"},"child":{"s":"y"}}"#, #"{"child":{"s":"y"}}"#, #"{"child":{"a":1,"s":"x"}}"#),
        (#"{"list":[1,2],"list":[3]}"#, #"{"list":[3]}"#, #"{"list":[1,2]}"#),
        (#"{"map":{"k":1,"k":2}}"#, #"{"map":{"k":2}}"#, #"{"map":{"k":1}}"#),
        (#"{"json":{"k":1,"k":2}}"#, #"{"json":{"k":2}}"#, #"{"json":{"k":1}}"#),
        (#"{"p":{"x":1},"p":{"y":2}}"#, #"{"p":{"y":2}}"#, #"{"p":{"x":1}}"#),
        (#"{"p":{"x":1,"y":5},"p":{}}"#, "{}", #"{"p":{"x":1,"y":5}}"#),
        (#"{"p":{"x":1},"p":null}"#, #"{"p":{"x":null,"y":null}}"#, #"{"p":{"x":1}}"#),
        (#"{"p":{},"p":{"x":1}}"#, #"{"p":{"x":1}}"#, "{}"),
        (#"{"p":{"x":1},"p":{"y":2},"p":{"x":3}}"#, #"{"p":{"x":3}}"#, #"{"p":{"x":1}}"#),
        (#"{"p":{"x":1,"x":2}}"#, #"{"p":{"x":2}}"#, #"{"p":{"x":1}}"#),
        (#"{"q":["a"],"q":["b"]}"#, #"{"q":["b"]}"#, #"{"q":["a"]}"#),
        (#"{"a":1,"s":"x","a":2,"s":"y","a":3}"#, #"{"a":3,"s":"y"}"#, #"{"a":1,"s":"x"}"#),
    ]

    private func adapter(_ policy: Policy) throws -> Entrances<DynamicModel> {
        try Plain.adapter(
            [
                ModelSchema(
                    "Parent",
                    [
                        "a": .integer, "s": .string, "u": .url, "child": .model("Child"), "list": .array(of: .integer),
                        "map": .dictionary(of: .integer), "json": .json, "x": .integer.json("p.x"),
                        "y": .integer.json("p.y"),
                        "q": .json, "q0": .string.json("q[0]").readOnly,
                    ]), ModelSchema("Child", ["a": .integer, "s": .string]),
            ], options: .with { $0.reading.duplicateMembers = policy }
        ).bytesOnly
    }

    @Test(arguments: rows) func theLastWinsByDefault(row: (text: String, last: String, first: String)) throws {
        #expect(try adapter(.lastWins).roundTrip(row.text) == row.last)
    }

    @Test(arguments: rows) func theFirstWinsWhenAskedFor(row: (text: String, last: String, first: String)) throws {
        #expect(try adapter(.firstWins).roundTrip(row.text) == row.first)
    }

    @Test(arguments: rows) func theyAreErrorsWhenAskedFor(row: (text: String, last: String, first: String)) throws {
        let problem = try adapter(.error).problem(of: row.text)
        #expect(problem?.code == .duplicateMember)
        #expect(problem?.location != nil)
    }

    @Test(arguments: rows) func aSingleMemberIsNoDuplicate(row: (text: String, last: String, first: String)) throws {
        // What `.lastWins` writes has no duplicates.
        #expect(try adapter(.error).roundTrip(row.last) == row.last)
    }

    @Test(
        arguments: [
            #"{"z":1,"z":2}"#, #"{"unknown":{"z":1,"z":2}}"#, #"{"p":{"z":1,"\u007a":2}}"#, #"{"known":1,"known":2}"#,
            #"{"child":{"z":1,"a":1,"z":2}}"#,
        ], JSONAdapterOptions.UnknownMembers.allCases)
    func duplicatesThatNoPropertyMapsAreErrorsToo(text: String, unknown: JSONAdapterOptions.UnknownMembers) throws {
        let schemas = [
            ModelSchema("Parent", ["x": .integer.json("p.x"), "child": .model("Child")], ignored: ["known"]),
            ModelSchema("Child", ["a": .integer]),
        ]
        let adapter = try Plain.adapter(
            schemas,
            options: .with {
                $0.unknownMembers = unknown
                $0.reading.duplicateMembers = .error
            }
        ).bytesOnly
        let codes = adapter.report(from: text).problems.map(\.code)
        #expect(codes.contains(.duplicateMember))
        if unknown != .refuse { #expect(adapter.problem(of: text)?.code == .duplicateMember) }
    }

    /// The place is that of the second value.
    @Test(arguments: [
        ("{\"a\":1,\n\"a\": 22}", "2:6"), ("{\"z\":1,\n\"z\": 22}", "2:6"), ("{\"known\":1,\n\"known\":  22}", "2:11"),
        ("{\"p\":{\"z\":1,\n\"z\": 22}}", "2:6"), ("{\"p\":{},\n\"p\": {}}", "2:6"),
        ("{\"q\":[],\n\"q\": []}", "2:6"),
    ]) func theErrorPointsToTheSecondValue(text: String, location: String) throws {
        for unknown in [JSONAdapterOptions.UnknownMembers.ignore, .keep] {
            let adapter = try Plain.adapter(
                ["a": .integer, "x": .integer.json("p.x"), "q0": .string.json("q[0]").readOnly], ignored: ["known"],
                options: .with {
                    $0.unknownMembers = unknown
                    $0.reading.duplicateMembers = .error
                }
            ).bytesOnly
            let problem = try #require(adapter.problem(of: text))
            #expect(problem.code == .duplicateMember)
            #expect(problem.location?.description == location, "\(unknown): \(problem)")
        }
    }

    /// What only the merge finds is where the value stands that counts.
    @Test(arguments: [
        (Policy.firstWins, #"{"child":{"n":-1},"child":{}}"#, "1:15"),
        (.lastWins, #"{"child":{},"child":{"n":-1}}"#, "1:26"),
        (.firstWins, #"{"n":-1,"n":5}"#, "1:6"), (.lastWins, #"{"n":5,"n":-1}"#, "1:12"),
    ]) func errorsOfAMergePointToTheValueThatCounts(policy: Policy, text: String, location: String) throws {
        let positive = PropertySchema.integer.validate { (value: inout Int?, _) in
            if value == -1 { throw CancellationError() }
        }
        let adapter = try Plain.adapter(
            [
                ModelSchema("Parent", ["n": positive, "child": .model("Child").merge(.recurse)]),
                ModelSchema("Child", ["n": positive]),
            ], options: .with { $0.reading.duplicateMembers = policy }
        ).bytesOnly.adapter
        let model = try adapter.model(from: #"{"child":{}}"#)
        let error = try #require(throws: ModelError.self) { try adapter.merge(text, into: model) }
        #expect(error.location?.description == location, "\(error)")
    }

    /// Every duplicate is one problem, and what stands around it is read.
    @Test(arguments: JSONAdapterOptions.UnknownMembers.allCases)
    func aReportTellsEachDuplicateOnce(unknown: JSONAdapterOptions.UnknownMembers) throws {
        let adapter = try Plain.adapter(
            [
                "a": .integer, "b": .integer, "x": .integer.json("p.x"), "m": .dictionary(of: .integer),
                "q0": .string.json("q[0]").readOnly,
            ], ignored: ["known"],
            options: .with {
                $0.unknownMembers = unknown
                $0.reading.duplicateMembers = .error
            }
        ).bytesOnly
        for text in [
            #"{"a":1,"z":1,"z":2,"b":5}"#, #"{"z":1,"z":2,"b":5}"#, #"{"a":1,"a":2,"b":5}"#,
            #"{"p":{"x":1,"z":1,"z":2},"b":5}"#, #"{"p":{"x":1,"x":1},"b":5}"#,
            #"{"a":1,"p":{"x":1},"p":{"x":2},"b":5}"#, #"{"m":{"k":1,"l":2,"k":3},"b":5}"#,
        ] {
            let report = adapter.report(from: text)
            let codes = report.problems.map(\.code).filter { $0 != .unknownMember }
            #expect(codes == [.duplicateMember], "\(text)")
            #expect(report.model?["b", as: Int.self] == 5, "\(text)")
        }
        // What several properties may be made of, and what is known to be none, leaves no model.
        for text in [#"{"a":1,"known":1,"known":2,"b":"x"}"#, #"{"a":1,"q":["x"],"q":["y"],"b":"x"}"#] {
            let report = adapter.report(from: text)
            #expect(report.problems.map(\.code) == [.duplicateMember, .typeMismatch], "\(text)")
            #expect(report.model == nil)
        }
    }

    /// A repeated key of a dictionary whose value is wrong, where bad elements are left out.
    @Test func aRepeatedElementThatIsLeftOutTakesNoOtherWithIt() throws {
        func adapter(_ policy: Policy) throws -> Entrances<DynamicModel> {
            try Plain.adapter(
                ["m": .dictionary(of: .integer), "b": .integer],
                options: .with {
                    $0.reading.duplicateMembers = policy
                    $0.elements = .skip
                }
            ).bytesOnly
        }
        let rows: [(text: String, policy: Policy, expected: [String: Int])] = [
            (#"{"k":1,"l":2,"k":"x"}"#, .lastWins, ["l": 2]), (#"{"k":1,"k":"x","l":2}"#, .lastWins, ["l": 2]),
            (#"{"k":"x","l":2,"k":1}"#, .lastWins, ["l": 2, "k": 1]),
            (#"{"k":1,"l":2,"k":"x"}"#, .firstWins, ["k": 1, "l": 2]),
            (#"{"k":1,"l":2,"k":3}"#, .error, ["k": 1, "l": 2]), (#"{"k":1,"k":3,"l":2}"#, .error, ["k": 1, "l": 2]),
        ]
        for row in rows {
            let adapter = try adapter(row.policy)
            let text = #"{"m":\#(row.text),"b":5}"#
            for model in [
                try adapter.adapter.model(from: text),
                try #require(adapter.adapter.report(from: Array(text.utf8)).model),
            ] {
                #expect(model["m", as: [String: Int].self] == row.expected, "\(text)")
                #expect(model["b", as: Int.self] == 5)
                #expect(throws: Never.self) { try adapter.text(of: model) }
            }
        }
    }

    @Test func keptDuplicatesFollowTheSamePolicy() throws {
        for (policy, expected) in [(Policy.lastWins, #"{"z":2}"#), (.firstWins, #"{"z":1}"#)] {
            let adapter = try Plain.adapter(
                ["a": .integer],
                options: .with {
                    $0.unknownMembers = .keep
                    $0.reading.duplicateMembers = policy
                }
            ).bytesOnly
            #expect(try adapter.roundTrip(#"{"z":1,"z":2}"#) == expected, "\(policy)")
        }
    }

    @Test func composedAndDecomposedNamesAreNoDuplicates() throws {
        let adapter = try Plain.adapter(
            ["m": .dictionary(of: .integer)], options: .with { $0.reading.duplicateMembers = .error })
        #expect(throws: Never.self) { try adapter.bytesOnly.model(from: "{\"m\":{\"\u{E9}\":1,\"e\u{301}\":2}}") }
    }

    @Test func theFirstValueOfADuplicateMustStillBeRight() throws {
        #expect(try adapter(.lastWins).problem(of: #"{"a":"x","a":1}"#)?.pointer?.description == "/a")
        #expect(throws: Never.self) { try adapter(.firstWins).model(from: #"{"a":1,"a":"x"}"#) }
    }

    @Test func ignoredMembersAndDiscriminatorsCountLikeOthers() throws {
        func adapter(_ policy: Policy) throws -> Entrances<DynamicModel> {
            try Plain.adapter(
                [
                    ModelSchema(
                        "Base", ["kind": .string, "n": .integer], ignored: ["x", "y.z"],
                        cluster: .discriminator("kind", ["a": "A", "b": "A"])),
                    ModelSchema("A", [:], extends: "Base"),
                ], options: .with { $0.reading.duplicateMembers = policy }
            ).bytesOnly
        }
        let rows = [
            (#"{"kind":"a","x":1,"x":2,"n":3}"#, #"{"kind":"a","n":3}"#, #"{"kind":"a","n":3}"#),
            (#"{"kind":"a","kind":"b"}"#, #"{"kind":"b"}"#, #"{"kind":"a"}"#),
        ]
        for (text, last, first) in rows {
            #expect(try adapter(.lastWins).roundTrip(text) == last)
            #expect(try adapter(.firstWins).roundTrip(text) == first)
            let problem = try adapter(.error).problem(of: text)
            #expect(problem?.code == .duplicateMember && problem?.location != nil)
        }
    }
}
