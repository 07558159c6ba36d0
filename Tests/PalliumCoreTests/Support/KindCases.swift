import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

enum Level: Int, PropertyEnumeration {
    case low = 1
    case high = 10
}

/// One kind of property with values that an accessor can read and write, and the Swift type it shows by key.
struct KindCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let schema: PropertySchema
    let natural: any PropertyValue.Type
    /// Sets, reads and unsets the properties `plain` (nullable) and `needed` (required) of a model.
    let check: @Sendable (DynamicModel) throws -> Void

    /// - Parameter natural: The type by which the value is shown where no accessor names one.
    init<Value: PropertyValue & Hashable & Sendable>(
        _ name: String, _ schema: PropertySchema, _ values: [Value], natural: (any PropertyValue.Type)? = nil
    ) {
        testDescription = name
        self.schema = schema
        self.natural = natural ?? Value.self
        let natural = self.natural
        check = { model in
            for value in values {
                model.set(value, "needed")
                #expect(model.read("needed", as: Value.self) == value)
                #expect(model.read("needed", as: Value?.self) == value)
                model.write(value, "plain")
                #expect(model.read("plain", as: Value?.self) == value)
                // Twice: the second read is answered from what the first one left behind.
                #expect(model.read("plain", as: Value?.self) == value)
                #expect(model["plain", as: Value.self] == value)
                let shown = try #require(try model.value(forKey: "plain"))
                #expect(type(of: shown) == natural)
                try model.setValue(nil, forKey: "plain")
                #expect(model.read("plain", as: Value?.self) == nil)
                #expect(try model.value(forKey: "plain") == nil)
                try model.setValue(shown, forKey: "plain")
                #expect(model.read("plain", as: Value?.self) == value)
                model.write(Value?.none, "plain")
                #expect(try model.state(of: "plain") == .null)
            }
        }
    }

    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    private static let colors = EnumerationSchema(cases: [
        .init(.text("red")), .init(.text("green"), aliases: [.text("lime")]),
    ])
    private static let levels = EnumerationSchema(cases: [.init(.number(1)), .init(.number(10))])

    /// Made anew at each use: a search for leaks does not see what a global variable holds by a `Data`.
    static var all: [KindCase] {
        [
            KindCase("bool", .bool, [true, false]),
            KindCase("integer as Int", .integer, [0, 1, -1, Int.min, Int.max]),
            KindCase("integer as Int64", .integer, [0, Int64.min, Int64.max], natural: Int.self),
            KindCase("int32", .integer(as: Int32.self), [0, Int32.min, Int32.max]),
            KindCase(
                "int32 as Int", .integer(as: Int32.self), [0, -2_147_483_648, 2_147_483_647], natural: Int32.self),
            KindCase("int16", .integer(as: Int16.self), [0, Int16.min, Int16.max]),
            KindCase("int8", .integer(as: Int8.self), [0, Int8.min, Int8.max]),
            KindCase("unsigned as UInt", .unsigned, [0, UInt.max]),
            KindCase("unsigned as UInt64", .unsigned, [0, UInt64.max], natural: UInt.self),
            KindCase("uint32", .integer(as: UInt32.self), [0, UInt32.max]),
            KindCase("uint32 as Int64", .integer(as: UInt32.self), [0, Int64(UInt32.max)], natural: UInt32.self),
            KindCase("uint16", .integer(as: UInt16.self), [0, UInt16.max]),
            KindCase("uint8", .integer(as: UInt8.self), [0, UInt8.max]),
            KindCase("double", .double, [0, -0.0, 0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity]),
            KindCase("float", PropertySchema(.float), [0, Float(0.1), .greatestFiniteMagnitude]),
            KindCase("float as Double", PropertySchema(.float), [0.5, -2.0], natural: Float.self),
            KindCase("decimal", .decimal, [0, Decimal(string: "0.1") ?? 0, -Decimal.greatestFiniteMagnitude]),
            KindCase("string", .string, ["", "a", "fifteen bytes..", "sixteen bytes...", "é", "e\u{301}", "👨‍👩‍👧", "\0"]),
            KindCase(
                "duration", .duration,
                [
                    .zero, .seconds(5400), .seconds(-1), .milliseconds(-1500),
                    Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
                    Duration(secondsComponent: .min, attosecondsComponent: -999_999_999_999_999_999),
                ]),
            KindCase("date", .date, [date(0), date(-0.001), date(1e9), Date.distantPast, Date.distantFuture]),
            KindCase("url", .url, [URL(string: "https://example.org/a?b#c"), URL(string: "x:y")].compactMap { $0 }),
            KindCase(
                "uuid", .uuid,
                ["00000000-0000-0000-0000-000000000000", "4A275FBD-8217-4397-964B-403F4C2B8545"].compactMap {
                    UUID(uuidString: $0)
                }),
            KindCase(
                "data", .data, [Data(), Data([0]), Data(repeating: 7, count: 14), Data(repeating: 7, count: 1000)]),
            KindCase("enumeration of texts", .enumeration(Color.self), Color.allCases),
            KindCase("enumeration of numbers", .enumeration(Level.self), Level.allCases),
            KindCase("enumeration as text", .enumeration(Color.self), ["red", "blue"], natural: Color.self),
            KindCase("enumeration as number", .enumeration(Level.self), [1, 10], natural: Level.self),
            KindCase("enumeration without a type", .enumeration(colors), ["red", "green"]),
            KindCase(
                "enumeration of a document, typed", .enumeration(colors), [Color.red, .green], natural: String.self),
            KindCase("numbers without a type", .enumeration(levels), [1, 10]),
            KindCase("array of integers", .array(of: .integer), [[], [1], [1, 2, 1]]),
            KindCase("array with null", .array(of: .string.nullable), [[], ["a", nil, ""], [nil]]),
            KindCase(
                "array of arrays", .array(of: .array(of: .double)), [[[]], [[1.5], [], [2.0, 3.0]]] as [[[Double]]]),
            KindCase("array of enumerations", .array(of: .enumeration(Color.self)), [[Color.red, .red, .blue]]),
            KindCase("set", .set(of: .string), [Set(["a", "b"]), []], natural: [String].self),
            KindCase("set as array", .set(of: .integer), [[3, 1, 2], []]),
            KindCase("set of dictionaries", .set(of: .dictionary(of: .bool)), [[["a": true], ["a": false], [:]]]),
            KindCase("dictionary", .dictionary(of: .integer), [[:], ["a": 1], ["": 0, "b": 2]]),
            KindCase("dictionary with null", .dictionary(of: .date.nullable), [["a": date(1), "b": nil]]),
            KindCase(
                "json", .jsonValue,
                [JSONValue.bool(true), 1, 1.5, "text", [1, nil, "a"], ["a": ["b": nil], "c": []]]),
            KindCase("custom", .custom(Point.self, transformer: "Point"), [Point(x: 1, y: 2), Point(x: -1, y: 0)]),
            KindCase("array of custom", .array(of: .custom(Point.self, transformer: "Point")), [[Point(x: 1, y: 2)]]),
        ]
    }
}
