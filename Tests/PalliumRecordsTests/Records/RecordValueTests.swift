import Foundation
import Pallium
import Testing

@testable import PalliumRecords

private struct Colour: PropertyValue, Hashable, Sendable {
    var name: String
}

/// Each kind of value becomes one that a record can hold, and comes back.
struct RecordValueTests {
    private static let date = Date(timeIntervalSinceReferenceDate: 791_719_200.123_456_7)
    private static let uuid = UUID(uuidString: "4A275FBD-8217-4397-964B-403F4C2B8545")!

    /// A property, its value, the value of the record, and others that are read as the same.
    private static let cases:
        [(kind: PropertySchema, value: any PropertyValue & Sendable, record: RecordValue, others: [RecordValue])] = [
            (.bool, true, .bool(true), []),
            (.integer, Int.min, .integer(.min), []),
            (PropertySchema(.integer(.bits8)), Int8(-5), .integer(-5), []),
            (.unsigned, UInt(7), .integer(7), []),
            (.double, 0.1, .double(0.1), []),
            (.double, Double.infinity, .double(.infinity), []),
            (.float, Float(0.1), .double(Double(Float(0.1))), []),
            (
                .decimal, Decimal(string: "12345678901234567890.12")!,
                .decimal(Decimal(string: "12345678901234567890.12")!), []
            ),
            (.string, "é\u{0}\"", .string("é\u{0}\""), []),
            (.date, date, .date(date), [.string("2026-02-02T10:00:00.1234567Z")]),
            (PropertySchema(.duration), Duration.milliseconds(1_500), .string("PT1.5S"), []),
            (
                .url, URL(string: "https://a.org/?b=c")!, .url(URL(string: "https://a.org/?b=c")!),
                [.string("https://a.org/?b=c")]
            ),
            (.uuid, uuid, .uuid(uuid), [.string(uuid.uuidString)]),
            (.data, Data([0, 255]), .data(Data([0, 255])), [.string("AP8=")]),
            (.enumeration("open", "closed"), "open", .string("open"), []),
            (
                .enumeration(
                    EnumerationSchema(cases: [EnumerationSchema.Case(.number(1)), EnumerationSchema.Case(.number(2))])),
                2, .integer(2), []
            ),
            (.array(of: .date), [date], .string("[791719200.1234567]"), []),
            (.set(of: .integer), Set([5]), .string("[5]"), []),
            (.dictionary(of: .array(of: .decimal)), ["a": [Decimal(string: "1.50")!]], .string(#"{"a":[1.5]}"#), []),
            (.jsonValue, ["a": [1, nil]] as JSONValue, .string(#"{"a":[1,null]}"#), []),
            (.custom(Colour.self, transformer: "Colour"), Colour(name: "red"), .string("\"red\""), []),
        ]

    @Test(arguments: cases.indices) func valuesComeBack(number: Int) throws {
        let (kind, value, expected, others) = Self.cases[number]
        let registry = SchemaRegistry()
        try registry.transformers.register(
            Transformer(from: String.self, to: Colour.self) { text, _ in
                Colour(name: text)
            } reverse: { colour, _ in
                colour.name
            },
            as: "Colour")
        try registry.register(ModelSchema("Base", ["id": .integer.required], identity: ["id"]))
        let schema = ModelSchema("Thing", ["value": kind, "_odd": .jsonValue], extends: "Base")
        try registry.register(schema)
        let context = MemoryContext([
            "Thing": RecordEntity(parent: "Base", attributes: ["value": expected, "_odd": .string("")]),
            "Base": RecordEntity(attributes: ["id": .integer(0)]),
        ])
        let adapter = try RecordAdapter(registry: registry)
        let model = try DynamicModel(
            schema: schema, values: ["id": 1, "value": value, "_odd": [1] as JSONValue], registry: registry)
        try adapter.write([model], to: context)
        let record = try #require(context.records.first)
        #expect(record["value"] == expected && record["_odd"] == .string("[1]"))
        #expect(try adapter.models(DynamicModel.self, from: [record], in: context) == [model])
        for other in others {
            let loose = MemoryContext([
                "Thing": RecordEntity(parent: "Base", attributes: ["value": other, "_odd": .string("")]),
                "Base": RecordEntity(attributes: ["id": .integer(0)]),
            ])
            let text = try loose.add("Thing", ["id": .integer(1), "value": other, "_odd": .string("[1]")])
            #expect(try adapter.models(DynamicModel.self, from: [text], in: loose) == [model])
            // What the owner keeps as text is no change.
            if case .date = expected { continue }
            if case .data = expected { continue }
            try adapter.write([model], to: loose)
            #expect(loose.writeCount == 0)
        }
        try model.setValue(nil, forKey: "value")
        try adapter.write([model], to: context)
        #expect(record["value"] == nil)
        #expect(try adapter.models(DynamicModel.self, from: [record], in: context).first?.state(of: "value") == .null)
    }

    @Test(
        arguments: [
            (.integer, .string("5")), (PropertySchema(.integer(.bits8)), .integer(200)), (.bool, .integer(1)),
            (.string, .integer(1)),
            (.url, .string("no url")), (.jsonValue, .string("{")), (.jsonValue, .integer(1)),
            (.array(of: .integer), .string("[1.5]")),
            (.enumeration("open"), .string("shut")), (.unsigned, .integer(-1)), (.date, .string("yesterday")),
            (.custom(Colour.self, transformer: "Colour"), .string("5")),
        ] as [(PropertySchema, RecordValue)])
    func valuesThatDoNotFitAreErrors(kind: PropertySchema, value: RecordValue) throws {
        let registry = SchemaRegistry()
        try registry.transformers.register(
            Transformer(from: String.self, to: Colour.self) { text, _ in Colour(name: text) }, as: "Colour")
        try registry.register(ModelSchema("Thing", ["value": kind]))
        let context = MemoryContext(["Thing": RecordEntity(attributes: ["value": value])])
        let record = try context.add("Thing", ["value": value])
        let error = #expect(throws: ModelError.self) {
            try RecordAdapter(registry: registry).models(DynamicModel.self, from: [record], in: context)
        }
        #expect(error?.pointer?.description.hasPrefix("/0/value") == true, "\(error?.description ?? "")")
        #expect(error?.schema == "Thing" && error?.property == "value")
    }

    @Test func valuesThatRecordsCannotHoldAreErrors() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Thing", ["big": .unsigned, "list": .array(of: .double)]),
            ModelSchema("Nested", ["all": .array(of: .array(of: .model("Thing")))]),
            ModelSchema("Gaps", ["all": .array(of: .model("Thing").nullable)]),
            ModelSchema("Odd", ["id": .jsonValue.required], identity: ["id"]))
        let context = MemoryContext(["Thing": RecordEntity(attributes: ["big": .integer(0), "list": .string("")])])
        func failure(_ name: String, _ values: [String: any PropertyValue]) throws -> String? {
            let model = try DynamicModel(
                schema: registry.schema(named: name), values: values.mapValues { $0 }, registry: registry)
            return #expect(throws: ModelError.self) {
                try RecordAdapter(registry: registry).write([model], to: context)
            }.map { "\($0.code) \($0.pointer?.description ?? "")" }
        }
        #expect(try failure("Thing", ["big": UInt.max]) == "notConvertible /0/big")
        #expect(try failure("Thing", ["list": [Double.nan]]) == "notConvertible /0/list/0")
        #expect(try failure("Nested", [:]) == "notConvertible /0/all")
        #expect(try failure("Gaps", ["all": [DynamicModel?.none]]) == "notConvertible /0/all/0")
        #expect(try failure("Odd", ["id": 1 as JSONValue]) == "notConvertible /0")
        #expect(context.records.isEmpty)
    }

    @Test func secretsStayHidden() throws {
        let registry = SchemaRegistry()
        try registry.register(ModelSchema("Thing", ["pin": .integer.secret]))
        let context = MemoryContext(["Thing": RecordEntity(attributes: ["pin": .string("")])])
        let record = try context.add("Thing", ["pin": .string("hunter2")])
        let error = #expect(throws: ModelError.self) {
            try RecordAdapter(registry: registry).models(DynamicModel.self, from: [record], in: context)
        }
        #expect(error?.description.contains("hunter2") == false)
    }
}
