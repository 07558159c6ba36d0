import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite struct NumberTransformerTests {
    private static func number(_ text: String) throws -> JSONValue { .number(try #require(JSONNumber(text: text))) }

    @Test(.row("C266"), arguments: [("0", false), ("1", true), ("0.0", false), ("10e-1", true), ("-0", false)])
    func zeroAndOneAreBooleans(text: String, value: Bool) throws {
        #expect(try predefined(BooleanTransformerName).transform(Self.number(text), as: Bool.self) == value)
    }

    @Test(.row("C266"))
    func booleansAreReadAndWrittenAsBooleans() throws {
        let transformer = try predefined(BooleanTransformerName)
        for value in [true, false] {
            #expect(try transformer.transform(value, as: Bool.self) == value)
            #expect(try transformer.transform(JSONValue.bool(value), as: Bool.self) == value)
            #expect(try transformer.transform(value ? 1 : 0, as: Bool.self) == value)
            #expect(try transformer.reverse(value, as: JSONValue.self) == .bool(value))
        }
        #expect(try transformer.passesNull())
    }

    @Test(.row("C134"), arguments: ["2", "-1", "0.5", "1e-400", "1.0000000000000000000001", "18446744073709551615"])
    func otherNumbersAreNoBooleans(text: String) throws {
        let error = try predefined(BooleanTransformerName).refusal(of: Self.number(text))
        #expect(error.code == .invalidValue)
        #expect(error.expected == "true, false, 0 or 1")
    }

    @Test(.row("C267"))
    func nullIsNoBoolean() throws {
        let transformer = try predefined(BooleanTransformerName)
        #expect(try transformer.refusal(of: nullValue).found == "null")
        #expect(try transformer.reverseRefusal(of: nullValue).found == "null")
    }

    @Test(.row("C268"), arguments: ["true", "1", "yes", ""])
    func textIsNoBoolean(text: String) throws {
        let error = try predefined(BooleanTransformerName).refusal(of: text)
        #expect(error.code == .typeMismatch)
        #expect(error.found == ModelError.quote(text))
    }

    @Test(arguments: [("0", "0"), ("12.50", "12.5"), ("-1e2", "-100"), ("0.12345", "0.12345")])
    func decimalTextIsExact(text: String, written: String) throws {
        let transformer = try predefined(DecimalTextTransformerName)
        let decimal = try transformer.transform(text, as: Decimal.self)
        #expect(decimal == Decimal(string: written))
        #expect(try transformer.reverse(decimal, as: String.self) == written)
    }

    @Test(arguments: ["", "Apple", "12abc", "1,5", ".5", "01", "NaN", "1e200", String(repeating: "1", count: 50)])
    func otherTextIsNoDecimal(text: String) throws {
        #expect(try predefined(DecimalTextTransformerName).refusal(of: text).code == .invalidValue)
    }

    @Test func notANumberIsNoDecimal() throws {
        let error = try predefined(DecimalTextTransformerName).reverseRefusal(of: Decimal.nan)
        #expect(error.code == .invalidValue)
        #expect(error.found == "the number NaN")
    }

    @Test(arguments: [0, 7, -7, 9_007_199_254_740_993, Int64.max, .min])
    func integerTextIsReadAndWritten(integer: Int64) throws {
        let transformer = try predefined(IntegerTextTransformerName)
        #expect(try transformer.transform("\(integer)", as: Int64.self) == integer)
        #expect(try transformer.transform("\(integer)", as: Int.self) == Int(integer))
        #expect(try transformer.reverse(integer, as: String.self) == "\(integer)")
        #expect(try transformer.reverse(Int(integer), as: String.self) == "\(integer)")
    }

    @Test(arguments: ["", "+7", "07", "7.0", "7e0", " 7", "7 ", "٧", "9223372036854775808"])
    func otherTextIsNoInteger(text: String) throws {
        #expect(try predefined(IntegerTextTransformerName).refusal(of: text).code == .invalidValue)
    }

    @Test func integerTextIsText() throws {
        let transformer = try predefined(IntegerTextTransformerName)
        #expect(try transformer.refusal(of: 7).code == .typeMismatch)
        #expect(try transformer.reverseRefusal(of: "7").code == .typeMismatch)
        #expect(try transformer.reverseRefusal(of: UInt64.max).code == .typeMismatch)
    }

    @Test(arguments: ["7", "-7", "1.5", "1e2", "18446744073709551615", "0.1"])
    func aNumberMayComeAsText(text: String) throws {
        let transformer = try predefined(NumberOrTextTransformerName)
        let number = try Self.number(text)
        #expect(try transformer.transform(text, as: JSONValue.self) == number)
        #expect(try transformer.transform(JSONValue.string(text), as: JSONValue.self) == number)
        #expect(try transformer.transform(number, as: JSONValue.self) == number)
        #expect(try transformer.reverse(number, as: JSONValue.self) == number)
    }

    @Test(arguments: ["", "Apple", "7 ", "07", "+7", "0x7", "NaN", "Infinity", String(repeating: "7", count: 1001)])
    func otherTextIsNoNumber(text: String) throws {
        #expect(try predefined(NumberOrTextTransformerName).refusal(of: text).code == .invalidValue)
    }

    @Test func aNumberIsReadByTheKindThatFollows() throws {
        let transformer = try predefined(NumberOrTextTransformerName)
        #expect(try transformer.transform("7", as: Int.self) == 7)
        #expect(try transformer.transform("7.5", as: Double.self) == 7.5)
        #expect(throws: ModelError.self) { try transformer.transform("7.5", as: Int.self) }
        #expect(try transformer.reverse(7, as: JSONValue.self) == 7)
        #expect(try transformer.refusal(of: true).code == .typeMismatch)
        #expect(try transformer.reverseRefusal(of: "7").code == .typeMismatch)
    }
}
