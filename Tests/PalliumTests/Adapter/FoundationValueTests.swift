import Foundation
import Pallium
import Testing

/// Dictionaries and arrays of values that no parser gave.
struct FoundationValueTests {
    struct NotJSON {}

    private func adapter(_ options: JSONAdapterOptions = JSONAdapterOptions()) throws -> JSONAdapter<DynamicModel> {
        try Plain.adapter(
            ["a": .integer, "b": .array(of: .string), "c": .json, "d": .double, "e": .bool], options: options
        ).adapter
    }

    @Test func swiftValuesAreReadAsWhatTheyAreInJSON() throws {
        let nested: JSONValue = ["x": [1, nil]]
        let model = try adapter().model(from: [
            "a": UInt8(7), "b": ["x", "y"] as NSArray, "c": ["k": nested, "l": NSNull()] as [String: Any],
            "d": Float(0.5), "e": NSNumber(value: true),
        ])
        #expect(model["a", as: Int.self] == 7)
        #expect(model["b", as: [String].self] == ["x", "y"])
        #expect(model["c", as: JSONValue.self] == ["k": ["x": [1, nil]], "l": nil])
        #expect(model["d", as: Double.self] == 0.5)
        #expect(model["e", as: Bool.self] == true)
    }

    @Test(arguments: ["a", "b", "c", "unknown"])
    func aValueThatJSONDoesNotHaveIsRefusedWhereverItStands(key: String) throws {
        for value in [NotJSON(), ["x", NotJSON()] as [Any], ["x": NotJSON()] as [String: Any]] as [Any] {
            let error = #expect(throws: ModelError.self) { _ = try adapter().model(from: [key: value, "d": 1]) }
            #expect(error?.pointer?.description.hasPrefix("/\(key)") == true)
        }
        var options = JSONAdapterOptions()
        options.elements = .skip
        #expect(throws: ModelError.self) { _ = try adapter(options).models(from: [["d": 1], [key: NotJSON()]]) }
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
}
