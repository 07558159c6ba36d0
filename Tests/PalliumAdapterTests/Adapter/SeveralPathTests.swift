import ModelTestSupport
import Pallium
import Testing

/// Properties with several key paths: section I of the conformance table.
struct SeveralPathTests {
    @Test(.row("C150")) func partsMakeAValueAndComeBack() throws {
        let adapter = try entrances(MultiPathModel.self)
        let text = #"{"location":20,"length":12,"nested":{"location":12,"length":34}}"#
        let model = try adapter.model(from: text)
        #expect(model.range == Range(location: 20, length: 12))
        #expect(model.nestedRange == Range(location: 12, length: 34))
        #expect(try adapter.text(of: model) == text)
    }

    private func parts(_ property: PropertySchema? = nil) throws -> Entrances<DynamicModel> {
        try Plain.adapter(["parts": (property ?? .jsonValue).json(allOf: ["a", "nested.b"])])
    }

    @Test(
        .row("C151", "C152", "C154", "C156"),
        arguments: [
            (#"{"a":1,"nested":{"b":2}}"#, #"{"a":1,"nested.b":2}"#), (#"{"a":1}"#, #"{"a":1}"#),
            (#"{"a":1,"nested":{}}"#, #"{"a":1}"#), (#"{"nested":{"b":2}}"#, #"{"nested.b":2}"#),
            (#"{"a":null,"nested":{"b":2}}"#, #"{"a":null,"nested.b":2}"#),
            (#"{"a":1,"nested":null}"#, #"{"a":1,"nested.b":null}"#),
        ]) func thePartsAreKeyedByTheirPaths(text: String, parts: String) throws
    {
        let model = try self.parts().model(from: text)
        #expect(model["parts", as: JSONValue.self] == (try JSONValue(parsing: parts)))
    }

    @Test(.row("C153"), arguments: ["{}", #"{"nested":{}}"#]) func noPartAtAllIsAbsent(text: String) throws {
        #expect(try parts().model(from: text).state(of: "parts") == .unset)
        #expect(try parts(.jsonValue.default(json: 1)).model(from: text).state(of: "parts") == .defaulted)
    }

    @Test(.row("C155")) func aPartThroughANumberIsRefused() throws {
        let problem = try parts().problem(of: #"{"a":1,"nested":5}"#)
        #expect(problem?.code == .typeMismatch)
        #expect(problem?.pointer?.description == "/nested")
    }

    @Test(.row("C156")) func aDictionaryTakesThePartsWithoutATransformer() throws {
        let adapter = try parts(.dictionary(of: .integer))
        let model = try adapter.model(from: #"{"a":1,"nested":{"b":2}}"#)
        #expect(model["parts", as: [String: Int].self] == ["a": 1, "nested.b": 2])
        #expect(try adapter.text(of: model) == #"{"a":1,"nested":{"b":2}}"#)
    }

    @Test(.row("C157")) func aStringCannotTakePartsButOneOfThem() throws {
        #expect(Plain.problems(["parts": .string.json(allOf: ["a", "b"])]).count == 1)
        let adapter = try Plain.adapter(["one": .string.json(firstOf: ["a", "nested.b", "c"])])
        #expect(try adapter.model(from: #"{"c":"3","nested":{"b":"2"}}"#)["one", as: String.self] == "2")
        #expect(try adapter.model(from: #"{"c":"3","nested":{}}"#)["one", as: String.self] == "3")
        #expect(try adapter.roundTrip(#"{"c":"3"}"#) == #"{"a":"3"}"#)
        #expect(try adapter.model(from: "{}").state(of: "one") == .unset)
    }

    @Test(.row("C157")) func nullIsPresentToo() throws {
        let adapter = try Plain.adapter(["one": .string.json(firstOf: ["a", "b"])])
        #expect(try adapter.model(from: #"{"a":null,"b":"x"}"#).state(of: "one") == .null)
    }

    @Test(.row("C157")) func theErrorNamesThePathThatWasTaken() throws {
        let adapter = try Plain.adapter(["one": .string.json(firstOf: ["a", "nested.b"])])
        #expect(
            adapter.sentence(of: #"{"nested":{"b":5}}"#)?.hasPrefix(
                "expected a string but found the number 5 at /nested/b") == true)
    }

    @Test func theErrorNamesThePlaceOfThePathThatWasTaken() throws {
        let adapter = try Plain.adapter(["one": .string.json(firstOf: ["a", "nested.b"]), "two": .integer])
        for text in [#"{"two":2,"nested":{"b":5}}"#, #"{"nested":{"b":5},"two":2}"#] {
            let column = try #require(text.firstRange(of: "5")?.lowerBound.utf16Offset(in: text)) + 1
            #expect(adapter.problem(of: text)?.location?.description == "1:\(column)")
        }
    }

    @Test func aRequiredPropertyWithSeveralPathsNamesTheFirst() throws {
        let adapter = try Plain.adapter(["one": .string.json(firstOf: ["a", "b"]).required])
        #expect(adapter.sentence(of: "{}") == #"expected the member "a" of Plain but found none at the root (1:1)"#)
    }

    @Test(.row("C158")) func aListOfOnePathIsStillAList() throws {
        let adapter = try Plain.adapter(["parts": .jsonValue.json(allOf: ["a"])])
        let model = try adapter.model(from: #"{"a":1}"#)
        #expect(model["parts", as: JSONValue.self] == ["a": 1])
        #expect(try adapter.text(of: model) == #"{"a":1}"#)
    }

    /// As null is written, it is read.
    @Test(
        .row("C154", "C160"),
        arguments: [
            (#"{"a":null,"nested":{"b":null}}"#, PropertyState.null, JSONValue.null),
            (#"{"a":null}"#, .null, .null),
            (#"{"nested":null}"#, .null, .null),
            (#"{"a":null,"nested":{"b":1}}"#, .value, ["a": .null, "nested.b": 1] as JSONValue),
            ("{}", .unset, .null),
        ]) func nothingButNullsIsNull(text: String, state: PropertyState, value: JSONValue) throws
    {
        let adapter = try parts()
        let model = try adapter.model(from: text)
        #expect(try model.state(of: "parts") == state)
        #expect(model["parts", as: JSONValue.self] ?? .null == value)
        let typed = try Plain.adapter(
            ["parts": .dictionary(of: .integer).json(allOf: ["a", "nested.b"])],
            options: .with { $0.nilPolicy = .write }
        )
        #expect(try typed.text(of: typed.model(from: "{}")) == #"{"a":null,"nested":{"b":null}}"#)
        #expect(try typed.model(from: #"{"a":null,"nested":{"b":null}}"#).state(of: "parts") == .null)
        let required = try Plain.adapter(["parts": .jsonValue.json(allOf: ["a"]).required])
        #expect(required.problem(of: #"{"a":null}"#)?.code == .nullNotAllowed)
    }

    @Test(.row("C159")) func aPartThatTheValueLacksIsLeftOutWithItsParent() throws {
        let adapter = try parts()
        let model = try adapter.model(from: #"{"a":1,"nested":{"b":2}}"#)
        model["parts"] = ["a": 3] as JSONValue
        #expect(try adapter.text(of: model) == #"{"a":3}"#)
    }

    @Test(
        .row("C160", "C161"),
        arguments: [
            (PropertySchema.NilPolicy.asParsed, "{}", #"{"a":null,"nested":{"b":null}}"#),
            (.omit, "{}", "{}"),
            (.write, #"{"a":null,"nested":{"b":null}}"#, #"{"a":null,"nested":{"b":null}}"#),
        ]) func thePolicyDecidesAboutThePartsOfNil(policy: PropertySchema.NilPolicy, unset: String, null: String) throws
    {
        let adapter = try Plain.adapter(
            ["parts": .dictionary(of: .integer).json(allOf: ["a", "nested.b"])],
            options: .with { $0.nilPolicy = policy })
        let model = try adapter.model(from: "{}")
        #expect(try adapter.text(of: model) == unset)
        model["parts"] = nil
        #expect(try adapter.text(of: model) == null)
    }

    /// Limits are for what comes in, not for what is written.
    @Test func partsMayBeLargerThanInputMay() throws {
        let adapter = try Plain.adapter(["parts": .jsonValue.json(allOf: ["a", "b"])])
        let number = try #require(JSONNumber(text: String(repeating: "7", count: 1001)))
        let name = String(repeating: "n", count: 65_537)
        let model = try adapter.model(from: "{}")
        model["parts"] = ["a": .number(number), "b": .object([name: true])] as JSONValue
        #expect(try adapter.text(of: model) == #"{"a":\#(number.text),"b":{"\#(name)":true}}"#)
    }

    @Test(.row("C160")) func partsOfAnIrreversibleValueCannotBeWritten() throws {
        let adapter = try Plain.adapter(
            ["sum": .integer.json(allOf: ["a", "b"]).transformer("Sum")],
            transformers: [
                "Sum": Transformer(from: JSONValue.self, to: Int.self) { parts, _ in
                    (parts["a"]?.intValue ?? 0) + (parts["b"]?.intValue ?? 0)
                }
            ])
        let model = try adapter.model(from: #"{"a":1,"b":2}"#)
        #expect(model["sum", as: Int.self] == 3)
        let problem = #expect(throws: ModelError.self) { try adapter.text(of: model) }
        #expect(problem?.code == .notReversible)
        #expect(problem?.property == "sum")
    }

    @Test func transformersSeeThePartsInBothDirections() throws {
        let adapter = try Plain.adapter(
            ["name": .string.json(allOf: ["first", "last"]).transformer("Name")],
            transformers: [
                "Name": Transformer(from: JSONValue.self, to: String.self) { parts, _ in
                    "\(parts["first"]?.stringValue ?? "") \(parts["last"]?.stringValue ?? "")"
                } reverse: { name, _ in
                    let words = name.split(separator: " ")
                    return .object(["first": .string("\(words[0])"), "last": .string("\(words[1])")])
                }
            ])
        let model = try adapter.model(from: #"{"last":"Lovelace","first":"Ada"}"#)
        #expect(model["name", as: String.self] == "Ada Lovelace")
        #expect(try adapter.text(of: model) == #"{"first":"Ada","last":"Lovelace"}"#)
    }
}
