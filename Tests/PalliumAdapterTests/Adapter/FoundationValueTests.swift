import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Dictionaries and arrays of values that no parser gave.
struct FoundationValueTests {
    struct NotJSON {}

    private func adapter(_ options: JSONAdapterOptions = JSONAdapterOptions()) throws -> JSONAdapter<DynamicModel> {
        try Plain.adapter(
            ["a": .integer, "b": .array(of: .string), "c": .jsonValue, "d": .double, "e": .bool], options: options
        ).adapter
    }

    @Test func swiftValuesAreReadAsWhatTheyAreInJSON() throws {
        let nested: JSONValue = ["x": [1, nil]]
        let model = try adapter().model(
            from: [
                "a": UInt8(7), "b": ["x", "y"] as NSArray, "c": ["k": nested, "l": NSNull()] as [String: Any],
                "d": Float(0.5), "e": NSNumber(value: true),
            ] as [String: Any])
        #expect(model["a", as: Int.self] == 7)
        #expect(model["b", as: [String].self] == ["x", "y"])
        #expect(model["c", as: JSONValue.self] == ["k": ["x": [1, nil]], "l": nil])
        #expect(model["d", as: Double.self] == 0.5)
        #expect(model["e", as: Bool.self] == true)
    }

    @Test(arguments: ["a", "b", "c", "unknown"])
    func aValueThatJSONDoesNotHaveIsRefusedWhereverItStands(key: String) throws {
        let values: [Any] = [
            NotJSON(), ["x", NotJSON()] as [Any], ["x": NotJSON()] as [String: Any], NotJSON() as NotJSON? as Any,
        ]
        for value in values {
            let error = #expect(throws: ModelError.self) {
                _ = try adapter().model(from: [key: value, "d": 1] as [String: Any])
            }
            #expect(error?.pointer?.description.hasPrefix("/\(key)") == true)
        }
        var options = JSONAdapterOptions()
        options.elements = .skip
        #expect(throws: ModelError.self) {
            _ = try adapter(options).models(from: [["d": 1], [key: NotJSON()]] as [Any])
        }
    }

    @Test func nestingIsLimited() throws {
        var value: Any = [Any]()
        for _ in 0..<1000 { value = [value] }
        for key in ["c", "unknown"] {
            let error = #expect(throws: ModelError.self) { _ = try adapter().model(from: [key: value]) }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test func theSameProblemIsReportedInEveryRun() throws {
        let wrong: [String: Any] = ["a": "x", "d": "x", "e": "x", "b": 1]
        for _ in 0..<20 {
            let error = #expect(throws: ModelError.self) { _ = try adapter().model(from: wrong) }
            #expect(error?.pointer?.description == "/a")
        }
    }

    @Test func objectsOfFoundationAreWhatTheyHold() throws {
        let text = NSString(string: "x"), list = NSArray(array: [NSString(string: "y")])
        let model = try adapter().model(
            from: [
                "a": NSNumber(value: 7), "b": list, "c": NSDictionary(dictionary: ["k": text]),
                "d": NSDecimalNumber(string: "0.5"),
                "e": NSNumber(value: false),
            ] as [String: Any])
        #expect(model["b", as: [String].self] == ["y"])
        #expect(model["c", as: JSONValue.self] == ["k": "x"])
        #expect(model["d", as: Double.self] == 0.5 && model["e", as: Bool.self] == false)
        #expect(try adapter().model(from: ["c": text])["c", as: JSONValue.self] == "x")
    }

    @Test func anObjectIsReadByItsClassWhateverItWasStoredAs() throws {
        let decimal: NSNumber = NSDecimalNumber(string: "0.12345678901234567890123")
        let bool: NSNumber = true
        let object: NSObject = NSNumber(value: 7)
        let model = try adapter().model(from: ["a": object, "c": decimal, "e": bool] as [String: Any])
        #expect(model["a", as: Int.self] == 7)
        #expect(model["c", as: JSONValue.self] == .number(try #require(JSONNumber(text: "0.12345678901234567890123"))))
        #expect(model["e", as: Bool.self] == true)
        #expect(throws: ModelError.self) { _ = try adapter().model(from: ["e": NSNumber(value: 1)]) }
        #expect(throws: ModelError.self) { _ = try adapter().model(from: ["a": bool]) }
    }

    @Test(
        arguments: [
            NSNumber(value: Double.nan), NSNumber(value: Double.infinity), NSDecimalNumber.notANumber, Double.nan,
            -Float.infinity, Decimal.nan, UInt128.max,
        ] as [any Sendable])
    func numbersThatJSONDoesNotHaveAreRefused(value: any Sendable) throws {
        for key in ["a", "c", "d"] {
            let error = #expect(throws: ModelError.self) { _ = try adapter().model(from: [key: value]) }
            #expect(error?.code == .notConvertible && error?.pointer?.description == "/\(key)")
        }
    }

    @Test func wideIntegersAreReadIfTheyFit() throws {
        #expect(try adapter().model(from: ["a": Int128(7)])["a", as: Int.self] == 7)
        #expect(
            try adapter().model(from: ["c": UInt128(UInt64.max)])["c", as: JSONValue.self]
                == .number(JSONNumber(UInt64.max)))
    }

    @Test func aReportTellsOfValuesThatJSONDoesNotHave() throws {
        let one = try adapter().report(from: ["a": 1, "b": NotJSON()] as [String: Any])
        #expect(one.models.isEmpty && !one.isArray && one.problems.map(\.pointer?.description) == ["/b"])
        let many = try adapter().report(from: [["a": 1], ["a": NotJSON()]] as [Any])
        #expect(many.models.isEmpty && many.isArray && many.problems.map(\.pointer?.description) == ["/1/a"])
    }
}
