import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite struct ValuePassingTests {
    @Test func numbersPassAsNumbersThatAreEqual() {
        #expect(Transformer.pass(7, as: Int64.self) == 7)
        #expect(Transformer.pass(UInt64.max, as: UInt.self) == .max)
        #expect(Transformer.pass(7, as: Double.self) == 7)
        #expect(Transformer.pass(7.0, as: Int.self) == 7)
        #expect(Transformer.pass(Float(0.5), as: Double.self) == 0.5)
        #expect(Transformer.pass(0.5, as: Float.self) == 0.5)
        #expect(Transformer.pass(Decimal(7), as: Int.self) == 7)
        #expect(Transformer.pass(0.1, as: Decimal.self) == Decimal(string: "0.1"))
        #expect(Transformer.pass(7, as: Int?.self) == .some(7))
        #expect(Transformer.pass(Int64(7), as: Int?.self) == .some(7))
    }

    @Test(.threat(.numericTraps)) func numbersThatDoNotFitDoNotPass() {
        #expect(Transformer.pass(1.5, as: Int.self) == nil)
        #expect(Transformer.pass(256, as: UInt8.self) == nil)
        #expect(Transformer.pass(-1, as: UInt.self) == nil)
        #expect(Transformer.pass(UInt64.max, as: Int64.self) == nil)
        #expect(Transformer.pass(Double.infinity, as: Int.self) == nil)
        #expect(Transformer.pass(Double.nan, as: JSONValue.self) == nil)
        #expect(Transformer.pass(1e300, as: Float.self) == nil)
        #expect(Transformer.pass(Decimal.nan, as: Double.self) == nil)
    }

    @Test func nothingIsCoerced() {
        #expect(Transformer.pass("5", as: Int.self) == nil)
        #expect(Transformer.pass(5, as: String.self) == nil)
        #expect(Transformer.pass(1, as: Bool.self) == nil)
        #expect(Transformer.pass(true, as: Int.self) == nil)
        #expect(Transformer.pass("a", as: URL.self) == nil)
        #expect(Transformer.pass(JSONValue.string("a"), as: URL.self) == nil)
        #expect(Transformer.pass(JSONValue.null, as: Int.self) == nil)
    }

    @Test func scalarsPassAsJSONAndBack() {
        let pairs: [(any PropertyValue, JSONValue)] = [(7, 7), (true, true), ("a", "a"), (0.5, 0.5)]
        for (value, json) in pairs { #expect(Transformer.pass(value, as: JSONValue.self) == json) }
        #expect(Transformer.pass(JSONValue(7), as: UInt8.self) == 7)
        #expect(Transformer.pass(JSONValue(true), as: Bool.self) == true)
        #expect(Transformer.pass(JSONValue("a"), as: String.self) == "a")
        #expect(Transformer.pass(JSONValue.array([]), as: String.self) == nil)
    }

    static let fits: [(any PropertyValue.Type, any PropertyValue.Type, Bool)] = [
        (String.self, String.self, true), (String?.self, String.self, true), (String.self, String?.self, true),
        (Int.self, Int64.self, true), (Int.self, Double.self, true), (Decimal.self, Int.self, true),
        (JSONValue.self, Bool.self, true), (String.self, JSONValue.self, true), (JSONValue.self, URL.self, false),
        (Bool.self, Int.self, false), (String.self, Int.self, false), (URL.self, String.self, false),
        ([String].self, [String?].self, true), ([URL?].self, [URL].self, true), ([String].self, [URL].self, false),
        ([[URL?]?].self, [[URL]].self, true), ([Int].self, Int.self, false), ([String].self, JSONValue.self, false),
    ]

    @Test(arguments: fits)
    func typesFitIfTheirValuesCanPass(source: any PropertyValue.Type, target: any PropertyValue.Type, fits: Bool) {
        #expect(Transformer.passes(source, to: target) == fits)
    }

    static let described: [(any PropertyValue & Sendable, String)] = [
        (URL(fileURLWithPath: "/a b"), #""file:///a%20b""#),
        (
            UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
            #""01020304-0506-0708-090A-0B0C0D0E0F10""#
        ),
        (Data([1, 2, 3]), "3 bytes"), (Double.infinity, "the number inf"), (-Float.infinity, "the number -inf"),
        (Decimal.nan, "the number NaN"), (Int?.none, "null"), (Int??.some(nil), "null"), (Int?.some(7), "the number 7"),
        (String(repeating: "x", count: 100), "\"" + String(repeating: "x", count: 64) + "…\""), (true, "true"),
        (["a"], "a value of the type Array<String>"), (Point(x: 1, y: 2), "a value of the type Point"),
    ]

    @Test(arguments: described)
    func anErrorSaysWhatWasHandedOver(_ value: any PropertyValue & Sendable, _ found: String) throws {
        let upper = Transformer(from: [Int].self, to: Int.self) { numbers, _ in numbers.count }
        let error = try upper.refusal(of: value)
        #expect(error.code == .typeMismatch)
        #expect(error.description == "expected a value of the type Array<Int> but found \(found)")
        let nullable = Transformer(handlingNullFrom: [Int].self, to: Int.self) { numbers, _ in numbers?.count }
        #expect(try nullable.refusal(of: value).found == found)
    }

    /// `Date` has no description for these on every platform, and an error must not trap.
    @Test(.threat(.numericTraps), arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
    func anErrorAboutAnExtremeDateDoesNotTrap(seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(try predefined(URLTransformerName).refusal(of: date).found.hasPrefix("the date "))
        #expect(try predefined(URLTransformerName).refusal(of: [date]).found == "a value of the type Array<Date>")
    }
}
