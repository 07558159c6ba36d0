import Foundation
import ModelTestSupport
import Pallium
import Testing

@Suite("JSON values through Codable")
struct JSONValueCodableTests {
    private static let values: [JSONValue] = [
        nil, true, false, "", "é\u{0}", [], [:], [nil, [nil, [:]], false, "1"], ["": 0, "e\u{301}": [1.5]],
    ]

    @Test(arguments: values, Format.allCases)
    func valuesComeBack(value: JSONValue, format: Format) throws {
        // Property lists have no null or other fragment at the root.
        #expect(try format.pass([value], as: [JSONValue].self) == [value])
        #expect(try format.pass(["a": value], as: JSONValue.self) == ["a": value])
    }

    @Test func fragmentsStandAtTheRoot() throws {
        for value in Self.values {
            for format in [Format.json, .tree] {
                #expect(try format.pass(value, as: JSONValue.self) == value)
            }
        }
    }

    @Test(
        arguments: [
            "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
            "18446744073709551615", "18446744073709551616", "123456789012345678901234567890", "0.1", "-0.25", "1e-7",
            "1e22", "1e300", "1e-300", "5e-324", "1.7976931348623157e308", "12345678901234567890.123456789",
            "0.30000000000000004",
        ], Format.allCases)
    func numbersStayExact(text: String, format: Format) throws {
        let number = try #require(JSONNumber(text: text))
        #expect(try format.pass([JSONValue.number(number)], as: [JSONValue].self) == [.number(number)])
    }

    @Test func numbersAreWrittenAsNumbers() throws {
        let value: JSONValue = [1, .number(JSONNumber(text: "12345678901234567890.5")!), 0.5, -7]
        let data = try JSONEncoder().encode(value)
        #expect(String(decoding: data, as: UTF8.self) == "[1,12345678901234567890.5,0.5,-7]")
        #expect(try JSONDecoder().decode([Double].self, from: data)[2] == 0.5)
    }

    @Test func aNumberWithoutATypeIsNearestOrRefused() throws {
        let digits = JSONValue.number(JSONNumber(text: "0." + String(repeating: "3", count: 60))!)
        let read = try #require(try Format.tree.pass([digits], as: [JSONValue].self).first)
        #expect(read.numberValue?.double == digits.numberValue?.double)
        let error = #expect(throws: ModelError.self) {
            try JSONEncoder().encode(JSONValue.number(JSONNumber(text: "1e400")!))
        }
        #expect(error?.code == .notConvertible)
    }

    @Test func membersComeInTheOrderOfTheirBytes() throws {
        let text = #"{"b": 1, "a": 2, "é": 3, "Z": 4}"#
        let object = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)).objectValue
        #expect(object?.keys == ["Z", "a", "b", "é"])
    }

    @Test func depthIsLimitedOnASmallStack() throws {
        let failures = Journal()
        onStack(kilobytes: 512) {
            var deep: JSONValue = [], fitting: JSONValue = []
            for level in 1..<100_000 {
                deep = level % 2 == 0 ? [deep] : ["a": deep]
                if level == 63 { fitting = deep }
            }
            do {
                _ = try TreeCoder.encode(deep)
                failures.add("written")
            } catch {
                if (error as? ModelError)?.code != .depthLimit { failures.add("\(error)") }
            }
            do {
                let node = try TreeCoder.encode(fitting)
                if try TreeCoder.decode(JSONValue.self, from: node) != fitting { failures.add("changed") }
                do {
                    _ = try TreeCoder.decode(JSONValue.self, from: TreeNode(.array([node])))
                    failures.add("read")
                } catch DecodingError.dataCorrupted(let context) {
                    // The container of what is too deep: 64 steps below the root.
                    if context.codingPath.count != 64 { failures.add("at \(context.codingPath.count)") }
                }
            } catch {
                failures.add("\(error)")
            }
            // Values release their elements recursively; these are unwound by hand.
            while true {
                switch deep {
                case .array(let elements) where !elements.isEmpty: deep = elements[0]
                case .object(let object) where !object.isEmpty: deep = object[0].value
                default: return
                }
            }
        }
        #expect(failures.all == [])
    }

    @Test func arraysThatAreTooDeepAreRefusedWithTheirPath() throws {
        let deep = try TreeCoder.encode((1..<64).reduce([]) { value, _ in JSONValue.array([value]) })
        #expect(throws: Never.self) { try TreeCoder.decode(JSONValue.self, from: deep) }
        let error = #expect(throws: DecodingError.self) {
            try TreeCoder.decode(JSONValue.self, from: TreeNode(.array([deep])))
        }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(context.codingPath.count == 64 && context.debugDescription == "expected at most 64 levels")
    }

    @Test func infiniteNumbersAreRefused() throws {
        for number in [Double.infinity, -.infinity, .nan] {
            let bytes = try PropertyListEncoder().encode([number])
            #expect(throws: DecodingError.self) { try PropertyListDecoder().decode([JSONValue].self, from: bytes) }
        }
    }
}
