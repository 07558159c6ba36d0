import ModelTestSupport
import Pallium
import Testing

/// Reports and skipped elements: what survives problems.
struct ReportTests {
    private static let schemas = [
        ModelSchema(
            "Issue",
            [
                "number": .integer.required, "title": .string, "labels": .array(of: .string),
                "assignee": .model("User"), "reviewers": .array(of: .model("User")), "votes": .dictionary(of: .integer),
                "host": .string.json("meta.host"), "deep": .integer.json("meta.deep"), "count": .integer.default(7),
            ]),
        ModelSchema("User", ["login": .string.required, "age": .integer]),
    ]

    private func adapter(_ change: (inout JSONAdapterOptions) -> Void = { _ in }) throws -> Entrances<DynamicModel> {
        try Plain.adapter(Self.schemas, options: .with(change))
    }

    @Test func everyProblemIsToldInTheOrderOfTheDocument() throws {
        let report = try adapter().report(
            from: """
                {"title":5,
                 "labels":["a",1,"b"],
                 "assignee":{"login":"l","age":"x"},
                 "reviewers":[{"login":"a"},{"age":1},{"login":"b"},7],
                 "votes":{"k":1,"l":"x"},
                 "meta":{"host":1,"deep":"y"},
                 "count":"z",
                 "number":1}
                """)
        #expect(
            report.problems.map { "\($0.code) \($0.pointer?.description ?? "") \($0.location?.line ?? 0)" } == [
                "typeMismatch /title 1", "typeMismatch /labels/1 2", "typeMismatch /assignee/age 3",
                "missingProperty /reviewers/1 4", "typeMismatch /reviewers/3 4", "typeMismatch /votes/l 5",
                "typeMismatch /meta/host 6", "typeMismatch /meta/deep 6", "typeMismatch /count 7",
            ])
        let model = try #require(report.model)
        #expect(try model.state(of: "title") == .unset)
        // The policy for elements decides about lists here as well.
        for key in ["labels", "reviewers", "votes"] { #expect(try model.state(of: key) == .unset) }
        #expect(try model.value(forKeyPath: "assignee.login") as? String == "l")
        #expect(try model.state(of: "count") == .defaulted)
        #expect(model["number", as: Int.self] == 1)
    }

    @Test(arguments: [#"{"title":5}"#, #"{"number":"x","title":"t"}"#, #"{"number":null}"#])
    func aModelWithoutItsRequiredPropertyIsNotBuilt(text: String) throws {
        let report = try adapter().report(from: text)
        #expect(report.model == nil)
        #expect(report.problems.contains { $0.property == "number" })
    }

    @Test(arguments: [#"{"meta":{"n":"x"}}"#, #"{"meta":5}"#, #"{"a":1,"meta":{"n":{}},"b":2}"#])
    func aModelWithoutARequiredPropertyBelowAPathIsNotBuilt(text: String) throws {
        let report = try Plain.adapter(["n": .integer.required.json("meta.n"), "a": .integer]).report(from: text)
        #expect(report.model == nil)
        #expect(report.problems.map(\.code) == [.typeMismatch])
    }

    @Test func aRequiredPropertyIsToldOnce() throws {
        let problems = try adapter().report(from: #"{"number":"x"}"#).problems
        #expect(problems.map(\.code) == [.typeMismatch])
    }

    @Test func brokenTextEndsTheReport() throws {
        let report = try adapter().report(from: #"[{"number":1},{"number":"x"},{"number":2},{"number":}]"#)
        #expect(report.models.map { $0["number", as: Int.self] } == [1, 2])
        #expect(report.problems.map(\.code) == [.typeMismatch, .malformedJSON])
        #expect(try adapter().report(from: "").problems.map(\.code) == [.malformedJSON])
        #expect(try adapter().report(from: #"{"number":1} x"#).problems.map(\.code) == [.malformedJSON])
    }

    @Test func anArrayKeepsItsGoodElements() throws {
        let report = try adapter().report(from: #"[{"number":1},5,{"number":"x"},null,{"number":2,"title":3}]"#)
        #expect(report.isArray)
        #expect(report.models.map { $0["number", as: Int.self] } == [1, 2])
        #expect(report.problems.map { $0.pointer?.description } == ["/1", "/2/number", "/3", "/4/title"])
    }

    @Test func aRootOfTheWrongKindIsAProblem() throws {
        for text in ["5", "null", #""x""#, "true"] {
            let report = try adapter().report(from: text)
            #expect(report.models.isEmpty)
            #expect(report.problems.count == 1, "\(text)")
        }
    }

    @Test func unknownMembersAreAllTold() throws {
        let report = try adapter { $0.unknownMembers = .refuse }.report(
            from: #"{"x":1,"number":1,"meta":{"y":2},"assignee":{"login":"l","z":3}}"#)
        #expect(report.problems.map { $0.pointer?.description } == ["/x", "/meta/y", "/assignee/z"])
        #expect(report.model?["number", as: Int.self] == 1)
    }

    @Test func validatorsAndHooksAreReported() throws {
        let schema = ModelSchema(
            "Plain",
            [
                "a": .string.validate { (_: inout String?, _) in throw FixtureError.nameMissing },
                "b": .string.validate { (_: inout String?, _) in throw FixtureError.nameTooLong }, "n": .integer,
            ])
        let report = try Plain.adapter([schema]).report(from: #"[{"n":1}]"#)
        #expect(report.models.isEmpty)
        #expect(report.problems.map { $0.pointer?.description } == ["/0/a", "/0/b"])
        #expect(report.problems.map { $0.underlying as? FixtureError } == [.nameMissing, .nameTooLong])
    }

    @Test func thereIsAnEndToProblems() throws {
        let text = #"{"number":1,"labels":[\#((0..<100).map { "\($0)" }.joined(separator: ","))]}"#
        let report = try adapter { $0.maximumProblems = 10 }.report(from: text)
        #expect(report.problems.count == 11)
        #expect(report.problems.last?.code == .limitExceeded)
    }

    @Test func manyProblemsOfOneDocumentTakeOnePass() throws {
        let lines = (0..<20_000).map { _ in "\"x\"" }.joined(separator: ",\n")
        let adapter = try Plain.adapter(["a": .array(of: .integer)], options: .with { $0.maximumProblems = 100_000 })
        let report = adapter.adapter.report(from: Array("{\"a\":[\(lines)]}".utf8))
        #expect(report.problems.count == 20_000)
        #expect(report.problems.last?.location?.line == 20_000)
    }

    // MARK: Skipped elements

    @Test func badElementsAreSkippedWhenAskedFor() throws {
        let adapter = try adapter { $0.elements = .skip }
        let model = try adapter.model(
            from:
                #"{"number":1,"labels":["a",1,"b",null],"reviewers":[{"login":"a"},{"age":[[{}]]},{"login":"c"},[]],"votes":{"k":1,"l":"x","m":2}}"#
        )
        #expect(model["labels", as: [String].self] == ["a", "b"])
        #expect(model["reviewers", as: [DynamicModel].self]?.count == 2)
        #expect(model["votes", as: [String: Int].self] == ["k": 1, "m": 2])
    }

    @Test func aReportTellsOfSkippedElements() throws {
        let report = try adapter { $0.elements = .skip }.report(
            from: #"{"number":1,"labels":["a",1],"reviewers":[{"login":"a"},{},7],"votes":{"k":1,"l":"x"}}"#)
        #expect(
            report.problems.map { $0.pointer?.description } == [
                "/labels/1", "/reviewers/1", "/reviewers/2", "/votes/l",
            ])
        let model = try #require(report.model)
        #expect(model["labels", as: [String].self] == ["a"])
        #expect(model["reviewers", as: [DynamicModel].self]?.map { $0["login", as: String.self] } == ["a"])
        #expect(model["votes", as: [String: Int].self] == ["k": 1])
    }

    @Test func whatStandsInNoListIsStillRefused() throws {
        let adapter = try adapter { $0.elements = .skip }
        #expect(adapter.problem(of: #"{"number":1,"title":5}"#)?.pointer?.description == "/title")
        #expect(adapter.problem(of: #"{"number":1,"labels":5}"#)?.pointer?.description == "/labels")
        #expect(adapter.problem(of: #"{"number":1,"labels":["a",tru]}"#)?.code == .malformedJSON)
    }

    @Test func theNearestElementIsSkipped() throws {
        let adapter = try Plain.adapter(["a": .array(of: .array(of: .integer))], options: .with { $0.elements = .skip })
        #expect(try adapter.roundTrip(#"{"a":[[1,"x",2],"y",[3]]}"#) == #"{"a":[[1,2],[3]]}"#)
    }

    @Test func aTopLevelArrayLosesItsBadElements() throws {
        let models = try adapter { $0.elements = .skip }.models(
            from: #"[{"number":1},{},{"number":"x"},7,{"number":2}]"#)
        #expect(models.map { $0["number", as: Int.self] } == [1, 2])
    }

    @Test func listsReachedThroughPathsAreMendedToo() throws {
        let adapter = try Plain.adapter(
            ["first": .array(of: .integer).json(firstOf: ["x", "y.z"])], options: .with { $0.elements = .skip })
        #expect(try adapter.model(from: #"{"y":{"z":[1,"x",2]}}"#)["first", as: [Int].self] == [1, 2])
    }

    // MARK: Values that are read as a whole

    private static let wholes = [
        ModelSchema(
            "Whole",
            [
                "sum": .integer.transformer("Sum").required, "sums": .array(of: .integer.transformer("Sum")),
                "byName": .dictionary(of: .integer.transformer("Sum")), "maybe": .integer.transformer("Sum"),
                "urls": .array(of: .url).transformer("URLs"), "items": .array(of: .model("Item")),
                "named": .dictionary(of: .model("Item")), "item": .model("Item"), "n": .integer,
            ]),
        ModelSchema("Item", [:], cluster: .discriminator("meta.type", ["a": "A", "b": "B"])),
        ModelSchema("A", ["x": .integer.required], extends: "Item"),
        ModelSchema("B", ["y": .integer], extends: "Item"),
    ]

    private func whole(_ elements: JSONAdapterOptions.ElementPolicy) throws -> Entrances<DynamicModel> {
        try Plain.adapter(
            Self.wholes, options: .with { $0.elements = elements },
            transformers: [
                "Sum": Transformer(from: [Int].self, to: Int.self) { numbers, _ in numbers.reduce(0, +) },
                "URLs": SchemaRegistry().transformers.transformer(named: URLTransformerName).each(),
            ])
    }

    /// Documents, the pointers of their problems, and what is left of a list where elements fail and where they are
    /// skipped.
    @Test(
        arguments: [
            (#"{"sum":[],"sums":[[1],["no"],[2,3]]}"#, "/sums/1/0", "sums", nil, "[1, 0, 5]"),
            (#"{"sum":[],"sums":[[1],5,[2,3]]}"#, "/sums/1", "sums", nil, "[1, 5]"),
            (#"{"sum":[],"byName":{"a":[1],"b":7}}"#, "/byName/b", "byName", nil, #"["a": 1]"#),
            (#"{"sum":[],"maybe":["no"],"n":1}"#, "/maybe/0", "maybe", nil, "0"),
            (#"{"sum":[],"maybe":"no","n":1}"#, "/maybe", "maybe", nil, nil),
            (#"{"sum":[],"urls":["https://a.b",5]}"#, "/urls/1", "urls", nil, "[https://a.b]"),
            (
                #"{"sum":[],"items":[{"meta":{"type":"b"}},{"meta":{"type":"a"}},{"meta":{"type":"b"},"y":"x"}]}"#,
                "/items/1 /items/2/y", "items", nil, "2 models"
            ),
            (
                #"{"sum":[],"named":{"k":{"meta":{"type":"a"}},"l":{"meta":{"type":"b"}}}}"#, "/named/k", "named", nil,
                "1 models"
            ),
            (#"{"sum":[],"item":{"meta":{"type":"a"}}}"#, "/item", "item", nil, nil),
        ] as [(String, String, String, String?, String?)])
    func aValueThatCouldNotBeReadLeavesNoHole(
        text: String, pointers: String, key: String, failing: String?, skipping: String?
    ) throws {
        for (policy, expected) in [(JSONAdapterOptions.ElementPolicy.fail, failing), (.skip, skipping)] {
            let report = try whole(policy).report(from: text)
            #expect(
                report.problems.map { $0.pointer?.description ?? "" }.joined(separator: " ") == pointers, "\(policy)")
            let model = try #require(report.model)
            let shown: String? = model[key].map { value in
                if let list = value as? [DynamicModel] { return "\(list.count) models" }
                if let named = value as? [String: DynamicModel] { return "\(named.count) models" }
                return "\(value)"
            }
            #expect(shown == expected, "\(policy)")
            if expected == nil { #expect(try model.state(of: key) == .unset) }
            #expect(!picture(of: model).isEmpty)
        }
    }

    /// What is there is not called missing.
    @Test(arguments: [#"{"sum":["no"]}"#, #"{"sum":5}"#, #"{"sum":null}"#])
    func aRequiredValueThatIsWrongIsNotMissing(text: String) throws {
        let report = try whole(.fail).report(from: text)
        #expect(report.model == nil)
        #expect(report.problems.count == 1 && report.problems.allSatisfy { $0.code != .missingProperty })
    }

    @Test(arguments: [
        PropertySchema.jsonValue.json(allOf: ["a", "nested.b"]), .integer.json(firstOf: ["nested.b", "a"]),
        .integer.json("nested.b[0]").readOnly, .integer.json("nested.b"),
    ])
    func aRequiredValueOnABrokenKeyPathIsNotMissing(property: PropertySchema) throws {
        let adapter = try Plain.adapter(["n": .integer, "m": .integer, "wanted": property.required])
        let report = adapter.report(from: #"{"n":1,"nested":5,"m":2}"#)
        #expect(report.model == nil)
        #expect(report.problems.map { "\($0.code) \($0.pointer?.description ?? "")" } == ["typeMismatch /nested"])
    }

    /// The place of what a validator refuses is that of the value, and the error shows it.
    @Test func validatorsTellTheValueAndItsPlace() throws {
        let positive = PropertySchema.integer.validate { (number: inout Int?, _) in
            if number == -7 { throw FixtureError.refused }
        }
        let plain = PropertySchema.integer.required.validate { (number: inout Int, _) in
            if number == -7 { throw FixtureError.refused }
        }
        let adapter = try Plain.adapter([
            ModelSchema("Outer", ["n": positive, "deep": positive.json("p.q"), "list": .array(of: .model("Inner"))]),
            ModelSchema("Inner", ["m": plain]),
        ])
        let rows = [
            ("{\n  \"n\": -7}", "/n (2:8)"), ("{\"p\":\n {\"q\":  -7}}", "/p/q (2:9)"),
            ("{\"list\":[{\"m\":1},\n{\"m\":-7}]}", "/list/1/m (2:6)"),
        ]
        for (text, place) in rows {
            let sentence = try #require(adapter.sentence(of: text))
            #expect(sentence.contains("but found the number -7 at \(place)"), "\(sentence)")
            #expect(adapter.report(from: text).problems.map(\.description) == [sentence])
        }
        #expect(adapter.problem(of: #"{"list":[{}]}"#)?.code == .missingProperty)
        let both = "{\"n\": -7,\n\"p\":{\"q\":-7}}"
        #expect(adapter.problem(of: both)?.problems.map { $0.location?.description } == ["1:7", "2:10"])
    }

    @Test func aPlainValidatorOfAPropertyThatMayBeNullIsRefused() throws {
        let problems = Plain.problems(["n": .integer.validate { (_: inout Int, _) in }])
        #expect(problems == ["Plain.n: a validator of Int cannot read an integer; declare its value as Int?"])
        #expect(Plain.problems(["n": .integer.default(5).validate { (_: inout Int, _) in }]).isEmpty)
    }

    @Test(arguments: [#"{"a":5}"#, #"{"b":{}}"#, #"{"c":5}"#]) func aBrokenKeyPathNamesItsProperty(text: String) throws
    {
        let adapter = try Plain.adapter([
            "x": .string.json("a.x"), "y": .string.json("b[0]").readOnly, "z": .string.json(firstOf: ["c.z", "d"]),
        ])
        let problem = try #require(adapter.problem(of: text))
        #expect(problem.code == .typeMismatch && problem.schema == "Plain")
        #expect(problem.property == (text.contains("a") ? "x" : text.contains("b") ? "y" : "z"))
    }

    @Test(arguments: ["300", "-129", "99999999999999999999", "1e40"])
    func outOfRangeIsOutOfRangeWhereTextIsAllowedToo(number: String) throws {
        for leniency in [JSONAdapterOptions.Leniency(), .numbersAsText] {
            let adapter = try Plain.adapter(["a": .integer(as: Int8.self)], options: .with { $0.leniency = leniency })
                .withoutFoundation
            #expect(adapter.problem(of: "{\"a\":\(number)}")?.code == .numberOutOfRange)
            #expect(adapter.problem(of: #"{"a":1.5}"#)?.code == .typeMismatch)
        }
    }
}
