import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Limits of numbers hold exactly, at the limit and one beside it, in every kind.
struct NumberRuleTests {
    private static let small: [RuleRow] = [
        RuleRow(
            .integer.rules(.minimum(1)), kept: ["1", "2", "9223372036854775807"],
            broken: ["0", "-1", "-9223372036854775808"]),
        RuleRow(
            .integer.rules(.maximum(5)), kept: ["5", "4", "-9223372036854775808"], broken: ["6", "9223372036854775807"]),
        RuleRow(.integer.rules(.exclusiveMinimum(-3)), kept: ["-2", "0"], broken: ["-3", "-4"]),
        RuleRow(.integer.rules(.exclusiveMaximum(5)), kept: ["4", "-5"], broken: ["5", "6"]),
        // Limits are numbers, not spellings.
        RuleRow(.integer.rules(.minimum(1.0)), kept: ["1", "2"], broken: ["0"]),
        RuleRow(.integer.rules(.maximum(number("1e2"))), kept: ["100"], broken: ["101"]),
        RuleRow(.integer.rules(.minimum(0)), kept: ["0", "-0", "1"], broken: ["-1"]),
        RuleRow(.integer.rules(.exclusiveMinimum(0)), kept: ["1"], broken: ["0", "-0"]),
        // At the ends of the type.
        RuleRow(.integer.rules(.minimum(JSONNumber(Int.min))), kept: ["-9223372036854775808"], broken: []),
        RuleRow(
            .integer.rules(.exclusiveMinimum(JSONNumber(Int.min))), kept: ["-9223372036854775807"],
            broken: ["-9223372036854775808"]),
        RuleRow(.integer.rules(.maximum(JSONNumber(Int.max))), kept: ["9223372036854775807"], broken: []),
        RuleRow(
            .integer.rules(.exclusiveMaximum(JSONNumber(Int.max))), kept: ["9223372036854775806"],
            broken: ["9223372036854775807"]),
        RuleRow(
            .integer.rules(.minimum(9_007_199_254_740_993)), kept: ["9007199254740993"], broken: ["9007199254740992"]),
        // Several rules of one property.
        RuleRow(
            .integer.rules(.minimum(1), .maximum(9), .multipleOf(3)), kept: ["3", "6", "9"],
            broken: ["0", "1", "8", "10", "12"]),
    ]

    private static func atTheEnds<Value: FixedWidthInteger & PropertyValue>(_ type: Value.Type) -> [RuleRow] {
        let (low, high) = (Value.min, Value.max)
        return [
            RuleRow(
                .integer(as: type).rules(.minimum(JSONNumber(high))), kept: ["\(high)"],
                broken: ["\(high - 1)", "\(low)"]),
            RuleRow(
                .integer(as: type).rules(.maximum(JSONNumber(low))), kept: ["\(low)"],
                broken: ["\(low + 1)", "\(high)"]),
            RuleRow(
                .integer(as: type).rules(.exclusiveMinimum(JSONNumber(low))), kept: ["\(low + 1)"], broken: ["\(low)"]),
            RuleRow(
                .integer(as: type).rules(.exclusiveMaximum(JSONNumber(high))), kept: ["\(high - 1)"],
                broken: ["\(high)"]),
            RuleRow(
                .integer(as: type).rules(.multipleOf(JSONNumber(high))), kept: ["\(high)", "0"],
                broken: ["\(high - 1)", "1"]),
        ]
    }

    private static let widths: [RuleRow] =
        atTheEnds(Int8.self) + atTheEnds(Int16.self) + atTheEnds(Int32.self) + atTheEnds(Int64.self)
        + atTheEnds(UInt8.self) + atTheEnds(UInt16.self) + atTheEnds(UInt32.self) + atTheEnds(UInt64.self)

    private static let unsigned: [RuleRow] = [
        RuleRow(
            .unsigned.rules(.minimum(JSONNumber(UInt64(1) << 63))),
            kept: ["9223372036854775808", "18446744073709551615"], broken: ["9223372036854775807", "0"]),
        RuleRow(
            .unsigned.rules(.maximum(JSONNumber(UInt64.max - 1))), kept: ["18446744073709551614", "0"],
            broken: ["18446744073709551615"]),
        RuleRow(
            .unsigned.rules(.exclusiveMaximum(JSONNumber(UInt64.max))), kept: ["18446744073709551614"],
            broken: ["18446744073709551615"]),
        RuleRow(
            .unsigned.rules(.multipleOf(JSONNumber(UInt64(1) << 63))), kept: ["0", "9223372036854775808"],
            broken: ["9223372036854775807", "18446744073709551615"]),
        RuleRow(.unsigned.rules(.multipleOf(5)), kept: ["18446744073709551615"], broken: ["18446744073709551614"]),
    ]

    private static let fractions: [RuleRow] = [
        RuleRow(
            .double.rules(.minimum(0.1)), kept: ["0.1", "0.10000000000000002", "1e-1", "1e308"],
            broken: ["0.09999999999999999", "0", "-0.0", "-1e308", "5e-324"]),
        RuleRow(
            .double.rules(.maximum(1.1)), kept: ["1.1", "1.0999999999999999"], broken: ["1.1000000000000003", "1e308"]),
        RuleRow(.double.rules(.minimum(0)), kept: ["0", "-0.0", "5e-324"], broken: ["-5e-324"]),
        RuleRow(.double.rules(.exclusiveMinimum(0)), kept: ["5e-324"], broken: ["0", "-0.0", "-5e-324"]),
        RuleRow(.double.rules(.exclusiveMaximum(0)), kept: ["-5e-324"], broken: ["0", "-0.0", "5e-324"]),
        RuleRow(.double.rules(.minimum(number("5e-324"))), kept: ["5e-324", "1e-323"], broken: ["0", "-5e-324"]),
        RuleRow(
            .double.rules(.maximum(number("1.7976931348623155e308"))), kept: ["1.7976931348623155e308"],
            broken: ["1.7976931348623157e308"]),
        RuleRow(
            .double.rules(.minimum(number("-1.7976931348623157e308"))), kept: ["-1.7976931348623157e308"], broken: []),
        RuleRow(
            .double.rules(.minimum(9_007_199_254_740_992)), kept: ["9007199254740992"], broken: ["9007199254740991"]),
        // Integers and fractions in one comparison.
        RuleRow(
            .double.rules(.exclusiveMinimum(3)), kept: ["3.0000000000000004", "4"],
            broken: ["3", "3.0", "2.9999999999999996"]),
        RuleRow(
            .float.rules(.maximum(1.1)), kept: ["1.1", "1.0999999", "-3.4028235e38"],
            broken: ["1.1000001", "3.4028235e38"]),
        RuleRow(.float.rules(.minimum(1.1)), kept: ["1.1", "1.1000001"], broken: ["1.0999999", "1"]),
        RuleRow(.float.rules(.exclusiveMinimum(1.1)), kept: ["1.1000001"], broken: ["1.1"]),
        RuleRow(.float.rules(.exclusiveMaximum(0.1)), kept: ["0.099999994"], broken: ["0.1"]),
        RuleRow(.float.rules(.maximum(16_777_216)), kept: ["16777216"], broken: ["16777218"]),
        RuleRow(.float.rules(.minimum(number("1e-45"))), kept: ["1e-45"], broken: ["0", "-0.0", "-1e-45"]),
    ]

    private static let decimals: [RuleRow] = [
        RuleRow(
            .decimal.rules(.minimum(0.1)), kept: ["0.1", "0.10000000000000000000000000000000000001"],
            broken: ["0.09999999999999999999999999999999999999", "0", "-1"]),
        RuleRow(
            .decimal.rules(.minimum(number("12345678901234567890123456789012345678"))),
            kept: ["12345678901234567890123456789012345678", "12345678901234567890123456789012345679"],
            broken: ["12345678901234567890123456789012345677", "-12345678901234567890123456789012345678"]),
        RuleRow(
            .decimal.rules(.exclusiveMaximum(number("0.99999999999999999999999999999999999999"))),
            kept: ["0.99999999999999999999999999999999999998"],
            broken: ["0.99999999999999999999999999999999999999", "1"]),
        RuleRow(.decimal.rules(.maximum(number("1e100"))), kept: ["1e100", "9e99"], broken: ["2e100", "1e101"]),
        RuleRow(
            .decimal.rules(.minimum(number("-1e-100"))), kept: ["-1e-100", "0", "-1e-101"], broken: ["-2e-100", "-1"]),
        RuleRow(.decimal.rules(.exclusiveMinimum(0)), kept: ["1e-120"], broken: ["0", "-0", "0.0", "-1e-120"]),
    ]

    private static let multiples: [RuleRow] = [
        RuleRow(
            .integer.rules(.multipleOf(7)), kept: ["0", "7", "-7", "-0", "9223372036854775807"],
            broken: ["1", "-1", "8", "-8", "9223372036854775806"]),
        RuleRow(.integer.rules(.multipleOf(1)), kept: ["0", "-9223372036854775808"], broken: []),
        RuleRow(.integer.rules(.multipleOf(2)), kept: ["-9223372036854775808"], broken: ["9223372036854775807"]),
        RuleRow(
            .double.rules(.multipleOf(0.1)), kept: ["0.3", "0.7", "1.1", "-0.3", "0", "-0.0", "1e22", "1e308"],
            broken: ["0.35", "0.30000000000000004", "1e-2", "5e-324"]),
        RuleRow(
            .double.rules(.multipleOf(0.01)), kept: ["0.07", "19.99", "1.15", "4.35", "1e15"],
            broken: ["0.001", "19.995"]),
        RuleRow(.double.rules(.multipleOf(3)), kept: ["3", "9e0", "3e100"], broken: ["1", "1e100", "3.5"]),
        // 2^63 is the Double that JSON writes as 9223372036854775808 or, shortest, as 9223372036854776000.
        RuleRow(.double.rules(.multipleOf(1000)), kept: ["9223372036854776000", "1e300"], broken: ["1e2"]),
        RuleRow(.double.rules(.multipleOf(number("5e-324"))), kept: ["5e-324", "1e-323", "0", "1e10"], broken: []),
        RuleRow(
            .double.rules(.multipleOf(number("1e308"))), kept: ["0", "1e308"],
            broken: ["1", "5e-324", "1.7976931348623157e308"]),
        RuleRow(.float.rules(.multipleOf(0.1)), kept: ["0.3", "0.7", "1.1"], broken: ["0.35", "0.30000004"]),
        RuleRow(
            .decimal.rules(.multipleOf(0.05)), kept: ["0", "0.05", "0.1", "19.95", "-1.15"],
            broken: ["0.01", "19.96", "0.050000000000000000000000000000000001"]),
        RuleRow(
            .decimal.rules(.multipleOf(number("1e-37"))), kept: ["1.2345678901234567890123456789012345678"],
            broken: ["0.00000000000000000000000000000000000001"]),
        RuleRow(.decimal.rules(.multipleOf(number("1e100"))), kept: ["0", "7e100", "1e127"], broken: ["1e99", "1"]),
        RuleRow(
            .decimal.rules(.multipleOf(number("98765432109876543210987654321098765432"))),
            kept: ["98765432109876543210987654321098765432", "-98765432109876543210987654321098765432"],
            broken: ["98765432109876543210987654321098765431", "1"]),
    ]

    @Test(arguments: small + widths + unsigned) func integersAreLimited(row: RuleRow) throws { try row.check() }

    @Test(arguments: fractions + decimals) func fractionsAreLimited(row: RuleRow) throws { try row.check() }

    @Test(arguments: multiples) func multiplesAreExact(row: RuleRow) throws { try row.check() }

    @Test func nullAndMissingValuesKeepEveryRule() throws {
        let property = PropertySchema.integer.rules(.minimum(5), .maximum(1), .multipleOf(7))
        let adapter = try Plain.adapter(["p": property])
        for text in ["{}", #"{"p": null}"#] { #expect(throws: Never.self) { try adapter.model(from: text) } }
        #expect(adapter.problem(of: #"{"p": 0}"#)?.code == .ruleBroken)
    }

    @Test func aRuleSeesTheValueBehindTheTransformer() throws {
        // 0.1 below one as text of JSON; the Float next to it is one.
        let adapter = try Plain.adapter(["p": .float.rules(.minimum(1))]).withoutFoundation
        #expect(throws: Never.self) { try adapter.model(from: #"{"p": 0.99999999999}"#) }
        let text = try Plain.adapter(
            ["p": .string.transformer("Upper").rules(.pattern("^[A-Z]+$"))],
            transformers: [
                "Upper": Transformer(from: String.self, to: String.self) { text, _ in
                    text.uppercased()
                } reverse: { text, _ in
                    text
                }
            ])
        #expect(try text.model(from: #"{"p": "abc"}"#)["p", as: String.self] == "ABC")
        #expect(text.problem(of: #"{"p": "a1"}"#)?.code == .ruleBroken)
    }
}
