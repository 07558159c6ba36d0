import Foundation
import ModelTestSupport
import Pallium
import PalliumCore
import Testing

/// Values that go from an archive into a schema that has changed: through steps, transformers, and kinds that are
/// others.
@Suite struct StoredValueTests {
    /// What a property held, what it is now, and the JSON of its value or the sentence that it cannot be.
    struct Change: CustomTestStringConvertible, Sendable {
        let old: PropertySchema
        let value: any PropertyValue & Sendable
        let new: PropertySchema
        let result: String

        init(_ old: PropertySchema, _ value: any PropertyValue & Sendable, _ new: PropertySchema, _ result: String) {
            self.old = old
            self.value = value
            self.new = new
            self.result = result
        }

        var testDescription: String { "\(value) to \(new.kind)" }
    }

    /// Archives a model with a value and opens it with the schema of later.
    private func open(
        _ old: PropertySchema, _ value: (any PropertyValue)?, as new: PropertySchema, step: SchemaUpgrade? = nil,
        transformers: [TransformerName: Transformer] = [:]
    ) throws -> DynamicModel {
        try opened(old, value, as: new, step: step, transformers).model
    }

    /// The same as JSON, of the value alone.
    private func json(
        _ old: PropertySchema, _ value: any PropertyValue, as new: PropertySchema, step: SchemaUpgrade? = nil,
        transformers: [TransformerName: Transformer] = [:]
    ) throws -> String {
        let (model, registry) = try opened(old, value, as: new, step: step, transformers)
        let text = try JSONAdapter(schema: model.schema, registry: registry).data(from: model)
        return String(String(decoding: text, as: UTF8.self).dropFirst(#"{"a":"#.count).dropLast())
    }

    private func opened(
        _ old: PropertySchema, _ value: (any PropertyValue)?, as new: PropertySchema, step: SchemaUpgrade?,
        _ transformers: [TransformerName: Transformer]
    ) throws -> (model: DynamicModel, registry: SchemaRegistry) {
        let transformers = transformers.merging(["Point": Point.transformer]) { own, _ in own }
        let other = ModelSchema("Other", [:])
        var schema = ModelSchema("Model", ["a": old])
        let model = DynamicModel(schema: schema, registry: try .of(other, schema, transformers: transformers))
        try model.setValue(value, forKey: "a")
        let bytes = try ModelArchiver().archive(model)
        schema = ModelSchema("Model", ["a": new], version: step == nil ? 1 : 2)
        if let step { schema.upgrades = [step] }
        let now = try SchemaRegistry.of(other, schema, transformers: transformers)
        return (try ModelUnarchiver(registry: now, allowing: ["Model", "Other"]).unarchive(schema, from: bytes), now)
    }

    private func check(_ change: Change) throws {
        do {
            #expect(try json(change.old, change.value, as: change.new) == change.result)
        } catch let error as ModelError {
            #expect(error.description == change.result)
        }
    }

    @Test func valuesOfEveryKindComeThroughAStepAsTheyAre() throws {
        var schema = Everything.schema
        schema.version = 2
        schema.upgrades = [SchemaUpgrade(from: 1)]
        let old = try Everything.registry()
        let new = try SchemaRegistry.of(schema, transformers: ["Point": Point.transformer])
        for (key, value) in Everything.values {
            let model = DynamicModel(schema: Everything.schema, registry: old)
            try model.setValue(value, forKey: key)
            let back = try ModelUnarchiver(registry: new).unarchive(schema, from: ModelArchiver().archive(model))
            #expect(picture(of: back) == picture(of: model), "\(key) = \(value)")
        }
        let model = try JSONAdapter(schema: Everything.schema, registry: old).model(from: #"{"string":null}"#)
        let back = try ModelUnarchiver(registry: new).unarchive(schema, from: ModelArchiver().archive(model))
        #expect(try back.state(of: "size") == .defaulted)
        #expect(try back.state(of: "string") == .null)
    }

    static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
    private static let colors = PropertySchema.enumeration(Color.self, unknown: .keep)
    private static let levels = PropertySchema.enumeration(
        EnumerationSchema(cases: [.init(.number(-1)), .init(.number(5))], unknown: .keep))
    private static let hundredths = Decimal(string: "0.01") ?? 0

    @Test(arguments: [
        Change(.integer, -5, .double, "-5"), Change(.unsigned, 7 as UInt64, .double, "7"),
        Change(.integer, 5, PropertySchema(.float), "5"),
        Change(
            .integer, 1 << 53 + 1, .double,
            "expected a number that a double holds exactly, or an upgrade from version 1 that makes one, "
                + "but found 9007199254740993 at /objects/0/a"),
        Change(.unsigned, UInt64.max, .decimal, "18446744073709551615"), Change(.integer, -5, .decimal, "-5"),
        Change(
            .unsigned, UInt64.max, .integer,
            "expected an integer of 64 bits, or an upgrade from version 1 that makes one, "
                + "but found 18446744073709551615 at /objects/0/a"),
        Change(.string, "2020-02-03T04:05:06Z", .date, #""2020-02-03T04:05:06Z""#),
        Change(.string, "https://example.org/a?b", .url, #""https://example.org/a?b""#),
        Change(.string, id.uuidString, .uuid, "\"\(id.uuidString)\""), Change(.string, "AQI=", .data, #""AQI=""#),
        Change(
            .string, "tomorrow", .date,
            #"expected a date, or an upgrade from version 1 that makes one, but found "tomorrow" at /objects/0/a"#),
        Change(.string, "red", colors, #""red""#),
        Change(.integer, 5, levels, "5"), Change(colors, Color.red, .string, #""red""#),
        Change(levels, 5, .integer, "5"), Change(colors, "pink", .string, #""pink""#),
        Change(.jsonValue, 5 as JSONValue, .integer, "5"), Change(.jsonValue, 1.5 as JSONValue, .double, "1.5"),
        Change(.jsonValue, [1, 2] as JSONValue, .array(of: .integer), "[1,2]"),
        Change(.jsonValue, ["a": ["b"]] as JSONValue, .dictionary(of: .array(of: .string)), #"{"a":["b"]}"#),
        Change(.jsonValue, "1,2" as JSONValue, .custom(Point.self, transformer: "Point"), #""1,2""#),
        Change(.string, "1,2", .custom(Point.self, transformer: "Point"), #""1,2""#),
        Change(.array(of: .integer), [1, 2], .array(of: .double), "[1,2]"),
        Change(.dictionary(of: .integer), ["a": 1], .dictionary(of: .decimal), #"{"a":1}"#),
        Change(.array(of: .string), ["x", "y", "x"], .set(of: .string), #"["x","y"]"#),
        Change(.set(of: .string), ["x", "y"], .array(of: .string), #"["x","y"]"#),
    ])
    func kindsThatCanHoldTheValueTakeIt(change: Change) throws { try check(change) }

    @Test(arguments: [
        Change(.bool, true, .jsonValue, "true"), Change(.integer, 5, .jsonValue, "5"),
        Change(.double, 1.5, .jsonValue, "1.5"),
        Change(.unsigned, UInt64.max, .jsonValue, "18446744073709551615"),
        Change(.decimal, hundredths, .jsonValue, "0.01"),
        Change(.string, "x", .jsonValue, #""x""#),
        Change(.date, Date(timeIntervalSince1970: 0), .jsonValue, #""1970-01-01T00:00:00Z""#),
        Change(.url, URL(fileURLWithPath: "/a b"), .jsonValue, #""file:///a%20b""#),
        Change(.uuid, id, .jsonValue, "\"\(id.uuidString)\""), Change(.data, Data([1, 2]), .jsonValue, #""AQI=""#),
        Change(colors, Color.blue, .jsonValue, #""blue""#), Change(levels, 5, .jsonValue, "5"),
        Change(.array(of: .integer.nullable), [1, nil] as [Int?], .jsonValue, "[1,null]"),
        Change(
            .dictionary(of: .set(of: .date)), ["d": [Date(timeIntervalSince1970: 0)]], .jsonValue,
            #"{"d":["1970-01-01T00:00:00Z"]}"#),
        Change(.custom(Point.self, transformer: "Point"), Point(x: 1, y: 2), .jsonValue, #""1,2""#),
        Change(
            .double, Double.infinity, .jsonValue,
            "expected a value that JSON has, or an upgrade from version 1 that makes one, but found the number inf at /objects/0/a"
        ),
        Change(
            .date, Date(timeIntervalSinceReferenceDate: 1e300), .jsonValue,
            "expected a date of the years 0000 to 9999, or an upgrade from version 1 that makes one, but found the date 1e+300 seconds from the start of 2001 at /objects/0/a"
        ),
    ])
    func aPropertyOfAnyJSONTakesEveryValueAsItWouldStandInADocument(change: Change) throws { try check(change) }

    @Test(arguments: [
        Change(.bool, true, .date, "a stored bool"), Change(.integer, 1, .bool, "a stored integer"),
        Change(.unsigned, 1 as UInt64, .bool, "a stored unsigned integer"),
        Change(.double, 1.5, .bool, "a stored number"),
        Change(.decimal, hundredths, .bool, "a stored decimal number"),
        Change(.string, "true", .bool, "a stored string"),
        Change(.date, Date(timeIntervalSince1970: 0), .bool, "a stored date"),
        Change(.url, URL(fileURLWithPath: "/a"), .bool, "a stored URL"), Change(.uuid, id, .bool, "a stored UUID"),
        Change(.data, Data([1]), .bool, "stored data"), Change(colors, Color.red, .bool, "a stored enumeration case"),
        Change(.array(of: .bool), [true], .bool, "stored elements"),
        Change(.dictionary(of: .bool), ["a": true], .bool, "a stored dictionary"),
    ])
    func kindsThatCannotHoldTheValueAreErrorsThatNameBoth(change: Change) throws {
        let error = try #require(throws: ModelError.self) { try open(change.old, change.value, as: change.new) }
        #expect(error.code == .typeMismatch && error.pointer?.description == "/objects/0/a")
        #expect(error.found == change.result)
        #expect(error.expected.contains(change.new.kind.name))
    }

    @Test func aModelIsNothingElse() throws {
        let schema = ModelSchema("Other", [:])
        let other = DynamicModel(schema: schema, registry: try .of(schema))
        for (kind, found) in [
            (PropertySchema.bool, "a stored model"), (.model("Model"), "a model of Other"),
        ] {
            let error = try #require(throws: ModelError.self) { try open(.model("Other"), other, as: kind) }
            #expect(error.found == found && error.pointer?.description == "/objects/0/a", "\(error)")
        }
        // The same by steps, which find the object by its reference.
        let error = try #require(throws: ModelError.self) {
            try open(.model("Other"), other, as: .model("Model"), step: SchemaUpgrade(from: 1))
        }
        #expect(error.code == .typeMismatch && error.found == "a model of Other")
    }

    @Test(arguments: [
        (
            PropertySchema.array(of: .string), ["1", "x"] as any PropertyValue & Sendable,
            PropertySchema.array(of: .uuid), "0"
        ),
        (.dictionary(of: .string), ["k": "x"], .dictionary(of: .date), "k"),
        (.dictionary(of: .array(of: .bool)), ["k": [true]], .dictionary(of: .array(of: .string)), "k/0"),
    ])
    func elementsThatDoNotFitNameTheirPlace(
        old: PropertySchema, value: any PropertyValue & Sendable, new: PropertySchema, place: String
    ) throws {
        let error = try #require(throws: ModelError.self) { try open(old, value, as: new) }
        #expect(error.pointer?.description == "/objects/0/a/\(place)")
    }

    // MARK: Null

    @Test func nullGivesTheDefaultThatIsNeverNull() throws {
        let old = PropertySchema.integer
        for step in [nil, SchemaUpgrade(from: 1)] {
            let model = try open(old, nil, as: .integer.default(5), step: step)
            #expect(model["a", as: Int.self] == 5)
            #expect(try model.state(of: "a") == .defaulted)
            let nullable = try open(old, nil, as: .integer.default(5).nullable, step: step)
            #expect(try nullable.state(of: "a") == .null)
            let error = try #require(throws: ModelError.self) { try open(old, nil, as: .integer.required, step: step) }
            #expect(error.code == .nullNotAllowed && error.pointer?.description == "/objects/0/a")
        }
    }

    // MARK: Transformers

    /// A step whose transformer turns a value of a type into text.
    private func described<Input: PropertyValue>(
        _ old: PropertySchema, _ value: Input
    ) throws -> String? {
        let transformer = Transformer(from: Input.self, to: String.self) { value, _ in text(of: value) }
        return try open(
            old, value, as: .string, step: SchemaUpgrade(from: 1, transformed: ["a": ["Text"]]),
            transformers: ["Text": transformer]
        )["a", as: String.self]
    }

    @Test func transformersAreGivenTheValueThatWasStored() throws {
        #expect(try described(.bool, true) == text(of: true))
        #expect(try described(.integer, Int64(-5)) == text(of: Int64(-5)))
        #expect(try described(.unsigned, UInt64.max) == text(of: UInt64.max))
        #expect(try described(.double, 0.1) == text(of: 0.1))
        #expect(try described(.decimal, Self.hundredths) == text(of: Self.hundredths))
        #expect(try described(.string, "x") == text(of: "x"))
        let date = Date(timeIntervalSinceReferenceDate: 0.5)
        #expect(try described(.date, date) == text(of: date))
        let url = try #require(URL(string: "https://example.org/%20"))
        #expect(try described(.url, url) == text(of: url))
        #expect(try described(.uuid, Self.id) == text(of: Self.id))
        #expect(try described(.data, Data([1, 2])) == text(of: Data([1, 2])))
        #expect(try described(.jsonValue, ["a": [1, nil]] as JSONValue) == #" = {"a":[1,null]}"#)
        for (old, value, json) in [
            (PropertySchema.array(of: .integer), [1, 2] as any PropertyValue, "[1,2]"),
            (.dictionary(of: .bool), ["a": true], #"{"a":true}"#), (.jsonValue, "x" as JSONValue, #""x""#),
        ] {
            let text = Transformer(from: JSONValue.self, to: String.self) { value, _ in "\(value)" }
            let step = SchemaUpgrade(from: 1, transformed: ["a": ["Text"]])
            let model = try open(old, value, as: .string, step: step, transformers: ["Text": text])
            #expect(model["a", as: String.self] == json)
        }
    }

    @Test func aTextThatIsNoURLReachesTransformersAsText() throws {
        let bracketed = Transformer(from: String.self, to: String.self) { text, _ in "<\(text)>" }
        let bytes = try archived(ModelSchema("Model", ["a": .string]), ["a": "http://["])
        func reading(_ kind: PropertySchema, _ last: SchemaUpgrade) throws -> DynamicModel {
            var schema = ModelSchema("Model", ["a": kind], version: 3)
            let asURL = SchemaUpgrade(from: 1) { model in model["a"] = model["a"]?.text.map { .url($0) } }
            schema.upgrades = [asURL, last]
            return try reopen(bytes, as: schema, transformers: ["Text": bracketed])
        }
        let text = try reading(.string, SchemaUpgrade(from: 2, transformed: ["a": ["Text"]]))
        #expect(text["a", as: String.self] == "<http://[>")
        let error = try #require(throws: ModelError.self) { try reading(.url, SchemaUpgrade(from: 2)) }
        #expect(error.code == .typeMismatch && error.found == #""http://[""#)
    }

    /// The JSON of what a transformer gives, stored as a kind; nil stands for null.
    private func given<Output: PropertyValue & Sendable>(
        _ output: Output, as kind: PropertySchema
    ) throws -> String {
        try json(
            .bool, true, as: kind, step: SchemaUpgrade(from: 1, transformed: ["a": ["Given"]]),
            transformers: ["Given": Transformer(from: Bool.self, to: Output.self) { _, _ in output }])
    }

    @Test func whatATransformerGivesIsStored() throws {
        #expect(try given(Date(timeIntervalSince1970: 0), as: .date) == #""1970-01-01T00:00:00Z""#)
        #expect(try given(URL(fileURLWithPath: "/a"), as: .url) == #""file:///a""#)
        #expect(try given(Self.id, as: .uuid) == "\"\(Self.id.uuidString)\"")
        #expect(try given(Data([1, 2]), as: .data) == #""AQI=""#)
        #expect(try given(Self.hundredths, as: .decimal) == "0.01")
        #expect(try given(1.5, as: .double) == "1.5")
        #expect(try given(Float(0.5), as: PropertySchema(.float)) == "0.5")
        #expect(try given(Color.blue, as: .enumeration(Color.self)) == #""blue""#)
        #expect(try given(UInt64.max, as: .unsigned) == "18446744073709551615")
        #expect(try given(UInt.max, as: .unsigned) == "18446744073709551615")
        #expect(try given(UInt8(7), as: .integer(as: Int8.self)) == "7")
        #expect(try given(false, as: .bool) == "false")
        #expect(try given([1.5, 2], as: .array(of: .double)) == "[1.5,2]")
        #expect(try given([1, nil] as [Int?], as: .array(of: .integer.nullable)) == "[1,null]")
        #expect(
            try given(["b": [1], "a": []] as [String: [Int]], as: .dictionary(of: .array(of: .integer)))
                == #"{"a":[],"b":[1]}"#)
        #expect(try given(["x": 1.5] as JSONValue, as: .jsonValue) == #"{"x":1.5}"#)
    }

    @Test func aTransformerThatGivesAnotherTypeIsAnErrorWithItsName() throws {
        for (attempt, type) in [
            ({ try given(Point(x: 1, y: 2), as: .jsonValue) }, "Point"),
            ({ try given([Point(x: 1, y: 2)], as: .jsonValue) }, "Array<Point>"),
            ({ try given(["p": Point(x: 1, y: 2)], as: .jsonValue) }, "Dictionary<String, Point>"),
        ] as [(() throws -> String, String)] {
            let error = try #require(throws: ModelError.self) { try attempt() }
            #expect(error.code == .notConvertible && error.pointer?.description == "/objects/0/a")
            #expect(error.found == "one that gives a \(type)")
        }
    }

    @Test func aTransformerThatRefusesNamesTheKey() throws {
        let refusing = Transformer(from: String.self, to: String.self) { _, _ in throw FixtureError.refused }
        let error = try #require(throws: ModelError.self) {
            try open(
                .string, "x", as: .string, step: SchemaUpgrade(from: 1, transformed: ["a": ["Refusing"]]),
                transformers: ["Refusing": refusing])
        }
        #expect(error.code == .transformerFailed && error.underlying as? FixtureError == .refused)
        #expect(error.pointer?.description == "/objects/0/a")
    }

    // MARK: Values for people

    @Test(arguments: [
        (FormerModel.Value.null, "null"), (.bool(true), "true"), (.integer(-5), "-5"),
        (.unsigned(.max), "18446744073709551615"),
        (.double(1.5), "1.5"), (.double(.infinity), "inf"), (.decimal(hundredths), "0.01"),
        (.string("a\nb"), #""a\nb""#),
        (.date(Date(timeIntervalSince1970: 0)), #""1970-01-01T00:00:00Z""#),
        (.date(Date(timeIntervalSinceReferenceDate: 1e300)), "the date 1e+300 seconds from the start of 2001"),
        (.url("x:y"), #""x:y""#), (.uuid(id), "\"\(id.uuidString)\""), (.data(Data([1, 2])), "2 bytes"),
        (.enumeration(.text("red")), #""red""#), (.enumeration(.number(5)), "5"), (.json(["a": nil]), #"{"a":null}"#),
        (.decimal(.nan), "the number NaN"),
    ])
    func storedValuesAreShownAsJSONOrInWords(value: FormerModel.Value, text: String) {
        #expect(value.shownText == text)
    }

    @Test func textsAndIntegersAreFoundInEveryKindThatHasThem() {
        let texts: [FormerModel.Value] = [.string("x"), .url("x"), .enumeration(.text("x")), .json("x")]
        #expect(texts.allSatisfy { $0.text == "x" && $0.integer == nil })
        let integers: [FormerModel.Value] = [.integer(7), .unsigned(7), .enumeration(.number(7)), .json(7)]
        #expect(integers.allSatisfy { $0.integer == 7 && $0.text == nil })
        #expect(FormerModel.Value.unsigned(.max).integer == nil && FormerModel.Value.bool(true).integer == nil)
    }
}
