import Foundation
import PalliumCore
import PalliumJSON
import PalliumMerging
import TestSupport
import Testing

/// Numbers of any Swift type are values of all kinds of numbers that hold them exactly, as numbers of JSON are.
@Suite("Numbers of other types")
struct ExactNumberTests {
    private static let half = Decimal(sign: .plus, exponent: -1, significand: 5)

    struct Row: Sendable, CustomTestStringConvertible {
        let property: PropertySchema
        let value: any PropertyValue & Sendable
        let stored: JSONValue

        init(_ property: PropertySchema, _ value: any PropertyValue & Sendable, _ stored: JSONValue) {
            self.property = property
            self.value = value
            self.stored = stored
        }

        var testDescription: String { "\(value) of \(type(of: value)) in \(property.kind.name)" }
    }

    static let rows: [Row] = [
        Row(.double, 5, 5), Row(.double, UInt8(5), 5), Row(.double, Int.min, .number(JSONNumber(Int.min))),
        Row(.double, Float(0.5), 0.5), Row(.double, half, 0.5), Row(.double, Decimal(-3), -3),
        Row(.float, 5, 5), Row(.float, 0.5, 0.5), Row(.float, Float(0.1), .number(JSONNumber(Double(Float(0.1)))!)),
        Row(.float, half, 0.5), Row(.float, UInt64(1) << 40, .number(JSONNumber(1 << 40))),
        Row(.decimal, 5, 5), Row(.decimal, UInt64.max, .number(JSONNumber(UInt64.max))),
        Row(.decimal, Int64.min, .number(JSONNumber(Int64.min))), Row(.decimal, 0.5, 0.5),
        Row(.decimal, -0.375, -0.375),
        Row(.decimal, Float(0.25), 0.25), Row(.decimal, 0.0, 0), Row(.decimal, -0.0, 0),
        Row(.decimal, 1e22, .number(JSONNumber(text: "10000000000000000000000")!)),
        Row(.decimal, 0x1p-30, .number(JSONNumber(text: "0.000000000931322574615478515625")!)),
        Row(.integer, 5.0, 5), Row(.integer, Float(-2), -2), Row(.integer, Decimal(7), 7), Row(.unsigned, 1e3, 1000),
        Row(.integer(as: Int8.self), 127.0, 127),
        Row(.array(of: .double), [1, 2], [1, 2]), Row(.set(of: .decimal), [1.5, 1.5], [1.5]),
        Row(.dictionary(of: .float), ["a": 1], ["a": 1]),
    ]

    @Test(.row("C035"), arguments: rows)
    func anExactNumberIsTakenWhereverValuesComeFrom(_ row: Row) throws {
        let schema = ModelSchema("Plain", ["p": row.property, "required": row.property.required])
        let registry = try SchemaRegistry.of(schema)
        let expected = try SchemaRegistry.plainModel(["p": row.property.default(json: row.stored)])["p"]
        let made = try DynamicModel(
            schema: schema, values: ["p": row.value, "required": row.value], registry: registry)
        let set = DynamicModel(schema: schema, registry: registry)
        try set.setValue(row.value, forKey: "p")
        set["required"] = row.value
        #expect(made == set)
        let text = try #require(expected.map { "\($0)" })
        #expect(try made.value(forKey: "p").map { "\($0)" } == text)
    }

    @Test func aWholeNumberIsTheDefaultOfAnyKindOfNumber() throws {
        let model = try SchemaRegistry.plainModel([
            "double": .double.default(0), "float": .float.default(1), "decimal": .decimal.default(2),
            "integer": .integer.default(3.0),
        ])
        #expect(model["double", as: Double.self] == 0)
        #expect(model["float", as: Float.self] == 1)
        #expect(model["decimal", as: Decimal.self] == 2)
        #expect(model["integer", as: Int.self] == 3)
        let whole = ModelSchema("A", ["a": .double.default(1)])
        let fraction = ModelSchema("A", ["a": .double.default(1.0)])
        #expect(whole == fraction)
        #expect(hash(PropertySchema.Default.value(1)) == hash(PropertySchema.Default.value(1.0)))
        let error = #expect(throws: SchemaError.self) {
            try SchemaRegistry().register(ModelSchema("A", ["a": .integer.default(0.5)]))
        }
        #expect(
            error?.description
                == "A.a: the default value does not fit: expected an integer but found 0.5; change the default")
    }

    @Test func numbersAreMergedFromPropertiesOfOtherKinds() throws {
        let source = try SchemaRegistry.plainModel(["a": .integer, "b": .integer, "c": .float, "d": .double])
        let target = try SchemaRegistry.plainModel(["a": .double, "b": .decimal, "c": .double, "d": .integer])
        for (key, value) in ["a": 1, "b": 2, "c": 3, "d": 4] { source[key] = value }
        try target.merge(from: source)
        #expect(target["a", as: Double.self] == 1)
        #expect(target["b", as: Decimal.self] == 2)
        #expect(target["c", as: Double.self] == 3)
        #expect(target["d", as: Int.self] == 4)
        source["a"] = (1 << 53) + 1
        let error = #expect(throws: ModelError.self) { try target.merge(from: source) }
        #expect(
            error?.description == "expected a number that a double holds exactly but found 9007199254740993 at /a")
    }
}
