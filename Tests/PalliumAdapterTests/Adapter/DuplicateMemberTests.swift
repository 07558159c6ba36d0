import ModelTestSupport
import Pallium
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

    private static let schemas = [
        ModelSchema(
            "Parent",
            [
                "a": .integer, "s": .string, "u": .url, "child": .model("Child"), "list": .array(of: .integer),
                "map": .dictionary(of: .integer), "json": .jsonValue, "x": .integer.json("p.x"),
                "y": .integer.json("p.y"),
                "q": .jsonValue, "q0": .string.json("q[0]").readOnly,
            ]), ModelSchema("Child", ["a": .integer, "s": .string]),
    ]

    private static var registry: SchemaRegistry {
        get throws { try .of(schemas) }
    }

    private func adapter(_ policy: Policy) throws -> Entrances<DynamicModel> {
        try Plain.adapter(Self.schemas, options: .with { $0.reading.duplicateMembers = policy }).withoutFoundation
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
            // The first value counts although it is left out.
            (#"{"k":"x","k":1,"l":2}"#, .firstWins, ["l": 2]), (#"{"k":"x","l":2,"k":1}"#, .firstWins, ["l": 2]),
            (#"{"k":1,"l":2,"k":3}"#, .error, ["k": 1, "l": 2]), (#"{"k":1,"k":3,"l":2}"#, .error, ["k": 1, "l": 2]),
            (#"{"k":1,"k":3,"l":"x"}"#, .error, ["k": 1]), (#"{"k":1,"k":3,"k":4,"l":"x"}"#, .error, ["k": 1]),
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

    /// A value that a later member of its name replaces is checked like any other.
    @Test(arguments: [
        (#"{"a":"x","a":1}"#, "/a"), (#"{"a":1,"s":"y","a":true,"a":2}"#, "/a"),
        (#"{"child":{"a":"x","s":"y"},"child":{"s":"z"}}"#, "/child/a"),
        (#"{"child":{"a":0,"a":1},"child":{"a":"y","a":2}}"#, "/child/a"),
        (#"{"list":["x"],"list":[1]}"#, "/list/0"), (#"{"map":{"k":"x","l":1,"k":2}}"#, "/map/k"),
        (#"{"p":5,"p":{"x":1}}"#, "/p"), (#"{"p":{"x":"y","x":1}}"#, "/p/x"),
        (#"{"\u0061": "x" , "a" :1}"#, "/a"),
    ]) func valuesThatDoNotCountAreChecked(text: String, pointer: String) throws {
        let adapter = try adapter(.lastWins).bytesOnly
        let problem = try #require(adapter.problem(of: text))
        #expect(problem.code == .typeMismatch)
        #expect(problem.pointer?.description == pointer)
        #expect(adapter.report(from: text).problems.map(\.pointer?.description) == [pointer])
        // The same among elements of which bad ones are left out; those of the inner collections are left out themselves.
        if pointer.hasPrefix("/list") || pointer.hasPrefix("/map") { return }
        var options = adapter.adapter.options
        options.elements = .skip
        let skipping = try JSONAdapter(schema: adapter.adapter.schema, registry: Self.registry, options: options)
        #expect(try skipping.models(from: "[\(text),{}]").count == 1)
        #expect(try skipping.models(fromLines: Array("{}\n\(text)\n".utf8)).count == 1)
    }

    @Test func aByteOrderMarkChangesNothing() throws {
        let adapter = try adapter(.lastWins).adapter
        let text = Array("\u{FEFF}{\"a\":2,\"a\":1}".utf8)
        #expect(try adapter.model(from: text)["a", as: Int.self] == 1)
        let list = Array("\u{FEFF}[{\"a\":2,\"a\":1}]".utf8)
        #expect(try adapter.models(from: list).count == 1)
        #expect(adapter.outcome(ofArray: list.singly) == adapter.outcome(ofWholeArray: list))
        #expect(adapter.report(from: text).problems.isEmpty)
    }

    @Test func whatFollowsAnElementOfAStreamMayBeOfAnyLength() throws {
        var options = JSONAdapterOptions()
        options.reading.maximumDocumentBytes = 20
        let adapter = try JSONAdapter(schema: Self.schemas[0], registry: Self.registry, options: options)
        let elements = Array(repeating: #"{"a":222,"a":1}"#, count: 3).joined(separator: ",")
        let outcome = adapter.outcome(ofArray: [Array("[\(elements)]".utf8)])
        #expect(outcome.models.count == 3 && outcome.problems.isEmpty)
        let report = adapter.reportOutcome(ofArray: [Array("[\(elements)]".utf8)])
        #expect(report.models.count == 3 && report.problems.isEmpty)
    }

    @Test func valuesThatCountAreCheckedWhateverStandsBeforeThem() throws {
        #expect(try adapter(.lastWins).problem(of: #"{"a":1,"a":"x"}"#)?.location?.column == 12)
        #expect(try adapter(.lastWins).bytesOnly.report(from: #"{"a":"x","a":"y","s":5}"#).problems.count == 3)
        #expect(throws: Never.self) { try adapter(.firstWins).model(from: #"{"a":1,"a":"x"}"#) }
        #expect(try adapter(.firstWins).report(from: #"{"a":"x","a":1}"#).problems.count == 1)
    }

    /// A null that stands for the default, and what a transformer answers nothing to, are members like others.
    @Test(arguments: [
        (#"{"a":null,"a":6}"#, Policy.firstWins, 5), (#"{"a":null,"a":6}"#, .lastWins, 6),
        (#"{"a":6,"a":null}"#, .firstWins, 6), (#"{"a":6,"a":null}"#, .lastWins, 5),
        (#"{"a":null,"a":null}"#, .lastWins, 5),
        (#"{"b":"","b":"6"}"#, .firstWins, 5), (#"{"b":"","b":"6"}"#, .lastWins, 6),
    ]) func aNullIsAMemberWhereThereIsADefault(text: String, policy: Policy, expected: Int) throws {
        func adapter(_ policy: Policy) throws -> Entrances<DynamicModel> {
            try Plain.adapter(
                ["a": .integer.default(5), "b": .integer.default(5).transformer("Half")],
                options: .with { $0.reading.duplicateMembers = policy },
                transformers: [
                    "Half": Transformer(handlingNullFrom: String.self, to: Int.self) { text, _ in text.flatMap(Int.init)
                    }
                ]
            ).withoutFoundation
        }
        let key = text.contains("b") ? "b" : "a"
        let model = try adapter(policy).model(from: text)
        #expect(model[key, as: Int.self] == expected)
        #expect(try model.state(of: key) == (expected == 5 ? .defaulted : .value))
        #expect(try adapter(.error).problem(of: text)?.code == .duplicateMember)
        #expect(try adapter(.error).report(from: text).problems.map(\.code) == [.duplicateMember])
    }

    private static let clusters = [
        ModelSchema(
            "Base", ["n": .integer],
            cluster: .discriminator("type", ["a": "A", "b": "B", "base": "Base"], default: "Other")),
        ModelSchema("A", ["x": .integer.required], extends: "Base"),
        ModelSchema("B", ["y": .integer.required], extends: "Base"),
        ModelSchema("Other", ["z": .integer], extends: "Base"),
        ModelSchema("List", ["items": .array(of: .model("Base")), "leaf": .model("A")]),
    ]

    /// A repeated discriminator must not name another model, unless the first one counts.
    @Test(
        arguments: [
            (#"{"type":"a","y":1,"type":"b"}"#, nil, nil), (#"{"type":"a","x":1,"type":"b"}"#, nil, "A"),
            (#"{"type":"a","x":1,"type":"a"}"#, "A", "A"), (#"{"type":5,"type":"b","y":1}"#, nil, "Other"),
            (#"{"type":"b","y":1,"type":"unheard"}"#, nil, "B"), (#"{"type":{},"type":"b","y":1}"#, "B", nil),
            (#"{"type":"a","x":1,"type":"base"}"#, "A", "A"),
        ] as [(String, String?, String?)]) func repeatedDiscriminatorsFollowThePolicy(
            text: String, last: String?, first: String?
        ) throws
    {
        for (policy, expected) in [(Policy.lastWins, last), (.firstWins, first)] {
            let adapter = try Plain.adapter(Self.clusters, options: .with { $0.reading.duplicateMembers = policy })
                .bytesOnly
            let name = (try? adapter.model(from: text))?.schema.name
            #expect(name == expected, "\(policy)")
            #expect(adapter.report(from: text).model?.schema.name == expected, "\(policy)")
        }
        let strict = try Plain.adapter(Self.clusters, options: .with { $0.reading.duplicateMembers = .error })
        #expect(strict.bytesOnly.problem(of: text) != nil)
        let lists = try SchemaRegistry.of(Self.clusters)
        let list = Entrances(try JSONAdapter(schema: Self.clusters[4], registry: lists)).bytesOnly
        let model = try? list.model(from: "{\"items\":[\(text),\(text)]}")
        #expect(model.map { ($0["items", as: [DynamicModel].self] ?? []).map(\.schema.name) } == last.map { [$0, $0] })
    }

    @Test func aLeafTakesNoOtherLeafsNumber() throws {
        let schemas = [
            ModelSchema("Base", ["n": .integer], cluster: .discriminator("type", [1: "One", 2: "Two"])),
            ModelSchema("One", ["x": .integer], extends: "Base"), ModelSchema("Two", ["y": .integer], extends: "Base"),
        ]
        let registry = try SchemaRegistry.of(schemas)
        let leaf = Entrances(try JSONAdapter(schema: schemas[1], registry: registry))
        #expect(throws: Never.self) { try leaf.model(from: #"{"type":1,"x":5}"#) }
        for text in [#"{"type":2}"#, #"{"x":1,"type":2.0}"#, #"{"type":"2"}"#] {
            let problem = try #require(leaf.problem(of: text))
            #expect(problem.code == .unknownModel && problem.pointer?.description == "/type")
        }
        #expect(leaf.bytesOnly.problem(of: #"{"type":2,"type":1}"#)?.code == .unknownModel)
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
