import Foundation
import ModelTestSupport
import Pallium
import PalliumCore
import Testing

/// Values on their way back to JSON: through transformers that take or give JSON, in parts, and those that JSON has
/// not.
struct ReverseConversionTests {
    /// Takes any JSON and gives it to the kind as it is.
    private static let same = Transformer(from: JSONValue.self, to: JSONValue.self) { json, _ in
        json
    } reverse: { json, _ in
        json
    }

    @Test(arguments: [
        (PropertySchema.bool, "true"), (.bool, "false"), (.integer, "-7"), (.unsigned, "18446744073709551615"),
        (.double, "1.5"), (PropertySchema(.float), "0.1"), (.decimal, "0.012345678901234567"), (.string, #""x""#),
        (.date, #""2020-02-03T04:05:06Z""#), (.url, #""https://example.org/a?b""#),
        (.uuid, #""4A275FBD-8217-4397-964B-403F4C2B8545""#), (.data, #""AQI=""#),
        (.enumeration(Color.self), #""red""#),
        (.enumeration(EnumerationSchema(cases: [.init(.number(5)), .init(.number(-1))])), "5"),
        (.array(of: .integer.nullable), "[1,null,3]"), (.set(of: .string), #"["a","b"]"#),
        (.dictionary(of: .array(of: .date)), #"{"k":["1970-01-01T00:00:00Z"],"l":[]}"#), (.jsonValue, #"{"a":[null]}"#),
    ])
    func whatATransformerGivesAsJSONGoesBackToItAsJSON(kind: PropertySchema, json: String) throws {
        let adapter = try Plain.adapter(["a": kind.transformer("Same")], transformers: ["Same": Self.same])
        #expect(try adapter.roundTrip(#"{"a":\#(json)}"#) == #"{"a":\#(json)}"#)
        #expect(try adapter.roundTrip(#"{"a":null}"#) == #"{"a":null}"#)
    }

    private static let far = Date(timeIntervalSinceReferenceDate: 1e12)
    private static let never = Date(timeIntervalSinceReferenceDate: .infinity)

    @Test(arguments: [
        (PropertySchema.double, Double.infinity as any PropertyValue & Sendable, "a finite number"),
        (.double.transformer("Same"), Double.nan, "a value that JSON can hold"),
        (PropertySchema(.float), -Float.infinity, "a finite number"),
        (.date, far, "a date of the years 0000 to 9999"),
        (.date.transformer("Same"), far, "a value that JSON can hold"),
        (.date.transformer(DateOnlyTransformerName), far, "a date of the years 0000 to 9999"),
        (.date.transformer(UnixSecondsTransformerName), never, "a date of the years 0000 to 9999"),
        (
            .date.transformer(UnixMillisecondsTransformerName), Date(timeIntervalSinceReferenceDate: 1e300),
            "a date of the years 0000 to 9999"
        ),
    ])
    func whatJSONDoesNotHaveIsRefusedWithItsPlace(
        kind: PropertySchema, value: any PropertyValue & Sendable, expected: String
    ) throws {
        let schema = ModelSchema("Plain", ["a": kind, "l": .dictionary(of: .model("Plain"))])
        let adapter = try Plain.adapter([schema], transformers: ["Same": Self.same])
        let model = try adapter.model(from: #"{"l":{"x":{},"y~":{}}}"#)
        try #require(try model.value(forKeyPath: "l.y~") as? DynamicModel).setValue(value, forKey: "a")
        let problem = #expect(throws: ModelError.self) { try adapter.text(of: model) }
        #expect(problem?.code == .notConvertible && problem?.expected == expected, "\(problem as Any)")
        #expect(problem?.pointer?.description == "/l/y~0/a" && problem?.property == "a")
    }

    @Test func aSecretThatCannotBeWrittenStaysOne() throws {
        let adapter = try Plain.adapter(["a": .double.secret.transformer("Same")], transformers: ["Same": Self.same])
        let model = try adapter.model(from: "{}")
        model["a"] = Double.infinity
        let problem = #expect(throws: ModelError.self) { try adapter.text(of: model) }
        #expect(problem?.found == "a masked value")
    }

    @Test func aReverseConversionMayGiveNothing() throws {
        let adapter = try Plain.adapter(
            ["a": .string.transformer("Maybe"), "b": .string.transformer("Dash")],
            transformers: [
                "Maybe": Transformer(from: Int?.self, to: String.self) { number, _ in
                    number.map { "\($0)" } ?? "none"
                } reverse: { text, _ in
                    Int(text)
                },
                "Dash": Transformer(handlingNullFrom: String.self, to: String.self) { text, _ in
                    text
                } reverse: { text, _ in
                    text == "-" ? nil : text
                },
            ])
        let model = try adapter.model(from: #"{"a":7,"b":"x"}"#)
        #expect(try adapter.text(of: model) == #"{"a":7,"b":"x"}"#)
        model["a"] = "many"
        model["b"] = "-"
        #expect(try adapter.text(of: model) == #"{"a":null,"b":null}"#)
        try model.setValue(nil, forKey: "b")
        #expect(try adapter.text(of: model) == #"{"a":null,"b":null}"#)
    }

    @Test func whatAReverseConversionGivesMustFitItsInput() throws {
        let adapter = try Plain.adapter(
            ["a": .string.transformer("Amount")],
            transformers: [
                "Amount": Transformer(from: Decimal.self, to: String.self) { number, _ in
                    "\(number)"
                } reverse: { text, _ in
                    Decimal(string: text) ?? .nan
                }
            ])
        let model = try adapter.model(from: #"{"a":0.5}"#)
        #expect(try adapter.text(of: model) == #"{"a":0.5}"#)
        model["a"] = "much"
        let problem = #expect(throws: ModelError.self) { try adapter.text(of: model) }
        #expect(problem?.code == .numberOutOfRange && problem?.property == "a")
        #expect(problem?.pointer?.description == "/a")
    }

    @Test func aReverseConversionMayWriteTheModelOfAnotherSchema() throws {
        let registry = SchemaRegistry()
        let inner = ModelSchema("Inner", ["n": .double])
        try registry.register(inner)
        let nested = try JSONAdapter(schema: inner, registry: registry)
        let adapter = try Plain.adapter(
            ["a": .double.json("x.y").transformer("Embedded")],
            transformers: [
                "Embedded": Transformer(from: String.self, to: Double.self) { text, _ in
                    try nested.model(from: text)["n", as: Double.self] ?? 0
                } reverse: { number, _ in
                    let model = try DynamicModel(schema: inner, values: ["n": number], registry: registry)
                    return String(decoding: try nested.data(from: model), as: UTF8.self)
                }
            ])
        let model = try adapter.model(from: #"{"x":{"y":"{\"n\":7.5}"}}"#)
        #expect(try adapter.text(of: model) == #"{"x":{"y":"{\"n\":7.5}"}}"#)
        model["a"] = Double.nan
        let problem = #expect(throws: ModelError.self) { try adapter.text(of: model) }
        #expect(problem?.code == .transformerFailed)
        #expect(problem?.pointer?.description == "/x/y")
        let inside = problem?.underlying as? ModelError
        #expect(inside?.code == .notConvertible && inside?.expected == "a finite number")
        #expect(inside?.pointer?.description == "/n")
    }

    // MARK: Parts

    private static let halves = Transformer(from: JSONValue.self, to: String.self) { parts, _ in
        "\(parts["l"]?.stringValue ?? "")-\(parts["r"]?.stringValue ?? "")"
    } reverse: { text, _ in
        let halves = text.split(separator: "-", omittingEmptySubsequences: false).map { JSONValue.string(String($0)) }
        return halves.count == 2 ? ["l": halves[0], "r": halves[1]] : .array(halves)
    }

    @Test(arguments: [
        (PropertySchema.NilPolicy.asParsed, "{}", #"{"l":null,"r":null}"#), (.omit, #"{"l":"a","r":"b"}"#, "{}"),
        (.write, #"{"l":"a","r":"b"}"#, #"{"l":null,"r":null}"#),
    ])
    func partsOfADefaultAndOfNullFollowTheNilPolicy(policy: PropertySchema.NilPolicy, defaulted: String, null: String)
        throws
    {
        func adapter(_ kind: PropertySchema) throws -> Entrances<DynamicModel> {
            try Plain.adapter(
                ["a": kind.json(allOf: ["l", "r"]).transformer("Halves")], options: .with { $0.nilPolicy = policy },
                transformers: ["Halves": Self.halves])
        }
        #expect(try adapter(.string.default("a-b")).roundTrip("{}") == defaulted)
        let plain = try adapter(.string)
        let model = try plain.model(from: #"{"l":"x"}"#)
        #expect(try plain.text(of: model) == #"{"l":"x","r":""}"#)
        try model.setValue(nil, forKey: "a")
        #expect(try plain.text(of: model) == null)
    }

    @Test func whatIsNoObjectHasNoParts() throws {
        let adapter = try Plain.adapter(
            ["a": .string.json(allOf: ["l", "r"]).transformer("Halves")], transformers: ["Halves": Self.halves])
        let model = try adapter.model(from: "{}")
        model["a"] = "a-b-c"
        let problem = #expect(throws: ModelError.self) { try adapter.text(of: model) }
        #expect(problem?.code == .notConvertible && problem?.expected == "an object of the parts")
        #expect(problem?.property == "a")
    }

    // MARK: Depth

    @Test func theWritersDepthLimitHoldsForAllThatNests() throws {
        let adapter = try Plain.adapter(
            ["path": .integer.json("a.b.c"), "list": .array(of: .array(of: .array(of: .integer))), "json": .jsonValue],
            options: .with { $0.writing.maximumDepth = 3 })
        for (text, isTooDeep) in [
            (#"{"a":{"b":{"c":1}}}"#, false), (#"{"list":[[]]}"#, false), (#"{"json":[[]]}"#, false),
            (#"{"list":[[[]]]}"#, true), (#"{"json":{"x":[[[]]]}}"#, true),
        ] {
            let model = try adapter.adapter.model(from: text)
            if isTooDeep {
                let problem = #expect(throws: ModelError.self) { try adapter.text(of: model) }
                #expect(problem?.code == .depthLimit, "\(text)")
            } else {
                #expect(try adapter.text(of: model) == text)
            }
        }
        let shallow = try Plain.adapter(
            ["path": .integer.json("a.b.c")], options: .with { $0.writing.maximumDepth = 2 })
        let problem = try #require(throws: ModelError.self) {
            try shallow.text(of: shallow.adapter.model(from: #"{"a":{"b":{"c":1}}}"#))
        }
        #expect(problem.code == .depthLimit && problem.pointer?.tokens.prefix(1) == ["a"])
    }

    // MARK: Selections

    @Test func aSelectionFollowsTheNilPolicyAndKnowsTheKeysOfDescendants() throws {
        let adapter = try Plain.adapter(
            ["a": .integer, "b": .integer.default(5), "c": .integer], options: .with { $0.nilPolicy = .write })
        let model = try adapter.model(from: #"{"c":1}"#)
        #expect(try adapter.text(of: model, only: ["a", "b"]) == #"{"a":null,"b":5}"#)
        let registry = try SchemaRegistry.ofFixtures()
        let child = SubTestModel(registry: registry)
        child.role = "admin"
        let fixtures = try entrances(TestModel.self, registry: registry)
        #expect(try fixtures.text(of: child, only: ["role"]) == #"{"role":"admin"}"#)
        // A key of a schema that does not descend from the root's is unknown.
        let problem = #expect(throws: ModelError.self) { try fixtures.text(of: child, only: ["groups"]) }
        #expect(problem?.code == .unknownKey)
    }

    // MARK: Foundation's types

    @Test func aDictionaryHoldsFoundationsTypesWithAllDigits() throws {
        let adapter = try Plain.adapter([
            "s": .string, "u": .unsigned, "i": .integer, "d": .double, "exact": .decimal, "b": .bool, "j": .jsonValue,
            "n": .string,
        ]).adapter
        let text =
            #"{"s":"x","u":18446744073709551615,"i":-5,"d":0.30000000000000004,"exact":12345678901234567890.123456789,"b":true,"j":{"a":[null,1.5,"y"]},"n":null}"#
        let object = try adapter.jsonObject(from: adapter.model(from: text))
        #expect(object["s"] as? String == "x")
        #expect((object["u"] as? NSNumber)?.uint64Value == .max)
        #expect((object["i"] as? NSNumber)?.int64Value == -5)
        #expect((object["d"] as? NSNumber)?.doubleValue == 0.1 + 0.2)
        #expect(
            (object["exact"] as? NSDecimalNumber)?.decimalValue == Decimal(string: "12345678901234567890.123456789"))
        #expect(object["b"] as? Bool == true && object["n"] is NSNull)
        #expect(((object["j"] as? [String: Any])?["a"] as? [Any])?.last as? String == "y")
        // What is written so is read back as it was.
        #expect(try adapter.data(from: adapter.model(from: object)) == Data(text.utf8))
    }

    @Test func longNumbersArePrettyToo() throws {
        let digits = String(repeating: "7", count: 3000)
        let options = JSONAdapterOptions.with {
            $0.reading.maximumNumberCharacters = 5000
            $0.writing.isPretty = true
        }
        let adapter = try Plain.adapter(["a": .jsonValue], options: options).adapter
        let model = try adapter.model(from: #"{"a":\#(digits)}"#)
        #expect(try String(decoding: adapter.data(from: model), as: UTF8.self).contains(digits))
    }
}
