import Foundation
import ModelTestSupport
import Pallium
import Synchronization
import Testing

/// Transformers of the program on properties: sections O and R of the conformance table, seen through the adapter.
struct UserTransformerTests {
    @Test func transformersChainInOrderAndBack() throws {
        let adapter = try Plain.adapter(
            ["a": .integer.transformer("Trim", "Length")],
            transformers: [
                "Trim": Transformer(from: String.self, to: String.self) { text, _ in
                    text.trimmingCharacters(in: .whitespaces)
                } reverse: { text, _ in
                    " \(text) "
                },
                "Length": Transformer(from: String.self, to: Int.self) { text, _ in
                    text.utf8.count
                } reverse: { length, _ in
                    String(repeating: "x", count: length)
                },
            ])
        let model = try adapter.model(from: #"{"a":"  abc "}"#)
        #expect(model["a", as: Int.self] == 3)
        #expect(try adapter.text(of: model) == #"{"a":" xxx "}"#)
        #expect(try adapter.model(from: #"{"a":null}"#).state(of: "a") == .null)
    }

    @Test func allTransformersOfAChainOfOneKindRun() throws {
        let adapter = try Plain.adapter(
            ["a": .string.transformer("Trim", "Uppercase")],
            transformers: [
                "Trim": Transformer(from: String.self, to: String.self) { text, _ in
                    text.trimmingCharacters(in: .whitespaces)
                },
                "Uppercase": Transformer(from: String.self, to: String.self) { text, _ in text.uppercased() },
            ])
        #expect(try adapter.model(from: #"{"a":"  abc "}"#)["a", as: String.self] == "ABC")
    }

    @Test(.row("C366", "C368")) func theContextTellsWhereAndWhy() throws {
        let seen = Mutex<[String]>([])
        @Sendable func note(_ context: Transformer.Context) {
            seen.withLock {
                $0.append(
                    "\(context.direction) \(context.schema ?? "") \(context.property ?? "") "
                        + "\(context.pointer?.description ?? "-") \(context.userInfo["tenant"] as? String ?? "")")
            }
        }
        let noting = Transformer(from: String.self, to: String.self) { text, context in
            note(context)
            return text
        } reverse: { text, context in
            note(context)
            return text
        }
        let adapter = try Plain.adapter(
            [
                ModelSchema(
                    "Parent", ["list": .array(of: .model("Child")), "deep": .string.json("x.y").transformer("Noting")]),
                ModelSchema("Child", ["tags": .array(of: .string.transformer("Noting"))]),
            ], options: .with { $0.userInfo = ["tenant": "acme"] }, transformers: ["Noting": noting])
        let model = try adapter.adapter.model(from: #"{"list":[{},{"tags":["a","b"]}],"x":{"y":"c"}}"#)
        _ = try adapter.text(of: model)
        #expect(
            seen.withLock { $0 } == [
                "forward Child tags /list/1/tags/0 acme", "forward Child tags /list/1/tags/1 acme",
                "forward Parent deep /x/y acme", "reverse Child tags - acme", "reverse Child tags - acme",
                "reverse Parent deep - acme",
            ])
    }

    /// A text in an object of its own.
    private final class Box: DynamicModel {
        static let schema = ModelSchema(Box.self, ["text": .string])
        static let journal = Journal()
        deinit { Self.journal.add("freed") }
    }

    /// An array of any length is written without keeping what was made for the elements before.
    @Test func modelsThatATransformerMakesLastUntilTheirElementIsWritten() throws {
        let registry = SchemaRegistry()
        try registry.transformers.register(
            Transformer(from: Box.self, to: String.self) { box, _ in
                box["text", as: String.self] ?? ""
            } reverse: { text, _ in
                Box.journal.add("made")
                let box = Box(registry: registry)
                box["text"] = text
                return box
            }, as: "Box")
        let schema = ModelSchema("Holder", ["boxed": .string.transformer("Box")])
        try registry.register(Box.schema, schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let holders = try ["a", "b"].map { try DynamicModel(schema: schema, values: ["boxed": $0], registry: registry) }
        let text = String(decoding: try adapter.data(from: holders), as: UTF8.self)
        #expect(text == #"[{"boxed":{"text":"a"}},{"boxed":{"text":"b"}}]"#)
        #expect(Box.journal.all == ["made", "freed", "made", "freed"])
    }

    @Test func aContextThatIsKeptKeepsItsPlace() throws {
        let kept = Mutex<[Transformer.Context]>([])
        let keeping = Transformer(from: String.self, to: String.self) { text, context in
            kept.withLock { $0.append(context) }
            return text
        }
        let adapter = try Plain.adapter(
            ["a": .array(of: .string.transformer("Keeping"))], transformers: ["Keeping": keeping])
        _ = try adapter.adapter.model(from: #"{"a":["x","y","z"]}"#)
        #expect(kept.withLock { $0 }.map { $0.pointer?.description } == ["/a/0", "/a/1", "/a/2"])
    }

    /// The input, not the property, reads empty text as null.
    @Test func anInputThatIsNullMakesNull() throws {
        let shorten = Transformer(from: URL.self, to: String.self) { url, _ in url.host() ?? "" }
        let adapter = try Plain.adapter(
            ["a": .string.transformer("Shorten")], options: .with { $0.leniency = .emptyTextAsNull },
            transformers: ["Shorten": shorten])
        #expect(try adapter.model(from: #"{"a":""}"#).state(of: "a") == .null)
        #expect(try adapter.model(from: #"{"a":"https://example.org/x"}"#)["a", as: String.self] == "example.org")
    }

    /// A transformer whose output type fits, which is checked when schemas are registered, but whose value does not.
    @Test(.threat(.wrongTransformerType)) func aValueThatDoesNotFitIsRefusedWithItsPlace() throws {
        let big = Transformer(from: Int.self, to: Int.self) { value, _ in
            value * 1000
        } reverse: { value, _ in
            value / 1000
        }
        let adapter = try Plain.adapter(["a": .integer(as: Int8.self).transformer("Big")], transformers: ["Big": big])
        #expect(try adapter.model(from: #"{"a":0}"#)["a", as: Int8.self] == 0)
        let problem = adapter.problem(of: #"{"a":5}"#)
        #expect(problem?.code == .numberOutOfRange)
        #expect(problem?.pointer?.description == "/a")
    }

    @Test(.threat(.wrongTransformerType)) func aTransformerMayGiveJSONThatTheKindThenReads() throws {
        let adapter = try Plain.adapter(["a": .integer.transformer(NumberOrTextTransformerName)])
        #expect(try adapter.model(from: #"{"a":"12"}"#)["a", as: Int.self] == 12)
        for text in [#""1.5""#, #""x""#, "true", "[]", #""9223372036854775808""#] {
            let problem = adapter.problem(of: #"{"a":\#(text)}"#)
            #expect(problem?.pointer?.description == "/a", "\(text)")
            #expect(problem?.property == "a", "\(text)")
        }
    }

    @Test func aTransformerThatHandlesNullSeesItBothWays() throws {
        let adapter = try Plain.adapter(
            ["a": .string.transformer("None"), "b": .string.default("d").transformer("None")],
            transformers: [
                "None": Transformer(handlingNullFrom: String.self, to: String.self) { text, _ in
                    text ?? "none"
                } reverse: { text, _ in
                    text == "none" ? nil : text
                }
            ])
        let model = try adapter.model(from: #"{"a":null,"b":null}"#)
        #expect(model["a", as: String.self] == "none")
        #expect(model["b", as: String.self] == "none")
        #expect(try model.state(of: "a") == .value)
        #expect(try adapter.text(of: model) == #"{"a":null,"b":null}"#)
    }

    @Test func aTransformerMayMakeNullOfAValue() throws {
        let dash = Transformer(handlingNullFrom: String.self, to: String.self) { text, _ in
            text == "-" ? nil : text
        } reverse: { text, _ in
            text ?? "-"
        }
        let adapter = try Plain.adapter(
            ["a": .string.transformer("Dash"), "b": .string.default("d").transformer("Dash")],
            transformers: ["Dash": dash])
        let model = try adapter.model(from: #"{"a":"-","b":"-"}"#)
        #expect(try model.state(of: "a") == .null)
        #expect(try model.state(of: "b") == .defaulted)
        #expect(try adapter.text(of: model) == #"{"a":"-"}"#)
        let required = try Plain.adapter(["a": .string.required.transformer("Dash")], transformers: ["Dash": dash])
        #expect(required.problem(of: #"{"a":"-"}"#)?.code == .nullNotAllowed)
    }

    @Test func valueMappingWorksOnAProperty() throws {
        let mapping = Transformer.mapping([1: "one", 2: "two"])
        let adapter = try Plain.adapter(["a": .string.transformer("Names")], transformers: ["Names": mapping])
        #expect(try adapter.roundTrip(#"{"a":2}"#) == #"{"a":2}"#)
        #expect(try adapter.model(from: #"{"a":2}"#)["a", as: String.self] == "two")
        #expect(adapter.problem(of: #"{"a":3}"#)?.code == .unknownCase)
        #expect(adapter.problem(of: #"{"a":3}"#)?.pointer?.description == "/a")
    }

    @Test func theInputMayBeAModelOrACollection() throws {
        let adapter = try Plain.adapter(
            ["sum": .integer.transformer("Sum"), "keys": .array(of: .string).transformer("Keys")],
            transformers: [
                "Sum": Transformer(from: [Int].self, to: Int.self) { list, _ in
                    list.reduce(0, +)
                } reverse: { sum, _ in
                    [sum]
                },
                "Keys": Transformer(from: [String: Bool].self, to: [String].self) { value, _ in
                    value.keys.sorted()
                } reverse: { keys, _ in
                    Dictionary(uniqueKeysWithValues: keys.map { ($0, true) })
                },
            ])
        let model = try adapter.model(from: #"{"sum":[1,2,3],"keys":{"b":true}}"#)
        #expect(model["sum", as: Int.self] == 6)
        #expect(model["keys", as: [String].self] == ["b"])
        #expect(try adapter.text(of: model) == #"{"sum":[6],"keys":{"b":true}}"#)
        #expect(adapter.problem(of: #"{"sum":[1,"x"]}"#)?.pointer?.description == "/sum/1")
    }

    /// An input type, the JSON that is beyond it on both sides, and its extremes.
    private func checkRange<Input: PropertyValue & FixedWidthInteger>(
        of type: Input.Type, below: String, above: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let adapter = try Plain.adapter(
            ["a": .string.transformer("Text")],
            transformers: ["Text": Transformer(from: type, to: String.self) { value, _ in "\(value)" }]
        ).withoutFoundation
        for extreme in [Input.min, .max] {
            let model = try adapter.model(from: #"{"a":\#(extreme)}"#)
            #expect(model["a", as: String.self] == "\(extreme)", sourceLocation: sourceLocation)
        }
        for number in [below, above] {
            let problem = adapter.problem(of: #"{"a":\#(number)}"#)
            #expect(problem?.code == .numberOutOfRange, sourceLocation: sourceLocation)
            #expect(problem?.pointer?.description == "/a", sourceLocation: sourceLocation)
        }
    }

    @Test(.threat(.numberRange)) func anIntegerThatATransformerTakesHasTheRangeOfItsType() throws {
        try checkRange(of: Int8.self, below: "-129", above: "128")
        try checkRange(of: Int16.self, below: "-32769", above: "32768")
        try checkRange(of: Int32.self, below: "-2147483649", above: "2147483648")
        try checkRange(of: Int64.self, below: "-9223372036854775809", above: "9223372036854775808")
        try checkRange(of: Int.self, below: "-9223372036854775809", above: "9223372036854775808")
        try checkRange(of: UInt8.self, below: "-1", above: "256")
        try checkRange(of: UInt16.self, below: "-1", above: "65536")
        try checkRange(of: UInt32.self, below: "-1", above: "4294967296")
        try checkRange(of: UInt64.self, below: "-1", above: "18446744073709551616")
        try checkRange(of: UInt.self, below: "-1", above: "18446744073709551616")
    }

    @Test(.threat(.throwingUserCode), .row("C369")) func aThrowingTransformerLeavesTheRestOfAReportAlone() throws {
        let adapter = try Plain.adapter(
            ["a": .string.transformer("Refusing"), "b": .integer],
            transformers: [
                "Refusing": Transformer(from: String.self, to: String.self) { _, _ in throw FixtureError.refused }
            ])
        let report = adapter.report(from: #"{"a":"x","b":2}"#)
        #expect(report.problems.map(\.code) == [.transformerFailed])
        #expect(report.model?["b", as: Int.self] == 2)
        #expect(try report.model?.state(of: "a") == .unset)
    }

    @Test(.threat(.wrongTransformerType)) func anUnknownNameOrAnUnfitTypeIsRefusedAtRegistration() throws {
        #expect(Plain.problems(["a": .string.transformer("Nobody")]).count == 1)
        #expect(Plain.problems(["a": .integer.transformer(URLTransformerName)]).count == 1)
        #expect(Plain.problems(["a": .url.transformer(UUIDTransformerName, URLTransformerName)]).count == 1)
    }

    @Test(.threat(.reentrancy)) func aTransformerMayUseTheAdapterOfAnotherSchema() throws {
        let registry = SchemaRegistry()
        let inner = ModelSchema("Inner", ["n": .integer])
        try registry.register(inner)
        let nested = try JSONAdapter(schema: inner, registry: registry)
        let adapter = try Plain.adapter(
            ["n": .integer.transformer("Embedded")],
            transformers: [
                "Embedded": Transformer(from: String.self, to: Int.self) { text, _ in
                    try nested.model(from: text)["n", as: Int.self] ?? 0
                }
            ])
        #expect(try adapter.model(from: #"{"n":"{\"n\":7}"}"#)["n", as: Int.self] == 7)
        #expect(adapter.problem(of: #"{"n":"{\"n\":"}"#) != nil)
    }

    /// Null on the way of a key path is the null of every value below.
    @Test func aTransformerThatHandlesNullSeesANullOnTheWay() throws {
        let adapter = try Plain.adapter(
            [
                "a": .string.json("p.a").transformer("None"), "b": .string.json("p.q.b").transformer("None").required,
                "c": .string.json("p.c"), "d": .string.json("l[0]").transformer("None").readOnly,
            ],
            transformers: [
                "None": Transformer(handlingNullFrom: String.self, to: String.self) { text, context in
                    text ?? "none at \(context.pointer?.description ?? "")"
                } reverse: { text, _ in
                    text
                }
            ])
        let model = try adapter.model(from: #"{"p":null,"l":null}"#)
        #expect(model["a", as: String.self] == "none at /p")
        #expect(model["b", as: String.self] == "none at /p")
        #expect(model["d", as: String.self]?.hasPrefix("none") == true)
        #expect(try model.state(of: "c") == .null)
        #expect(try adapter.model(from: #"{"p":{"q":null}}"#)["b", as: String.self] == "none at /p/q")
    }
}
