import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Names of members that differ in bytes and are one name for Swift's strings: `é` composed and decomposed.
@Suite("Member names that Swift takes for one")
struct MemberNameTests {
    private static let values: [(value: JSONValue, pointer: String)] = [
        (["\u{E9}": 1, "e\u{301}": 2], ""), (["\u{E9}": 1, "e\u{301}": [:]], ""),
        (["\u{E9}": [:], "e\u{301}": [:]], ""),
        (["\u{E9}": [], "x": true, "e\u{301}": [:]], ""), (["a": [0, ["\u{E9}": nil, "e\u{301}": "x"]]], "/a/1"),
    ]

    @Test(arguments: values.indices, Format.allCases) func aCoderIsNotGivenThem(index: Int, format: Format) throws {
        let (value, pointer) = Self.values[index]
        let model = try Plain.adapter(["j": .jsonValue]).adapter.model(from: JSONValue.object(["j": value]))
        for (body, prefix) in [(model as any Encodable, "/j"), (value, "")] {
            let error = problem { try format.pass(["m": Wrapped(body)], as: JSONValue.self) }
            #expect(error?.code == .notConvertible)
            #expect(error?.pointer?.description == "/m" + prefix + pointer)
            #expect(error?.found == #"both "\u{00E9}" and "e\u{0301}""#)
        }
    }

    @Test func aDictionaryOfFoundationIsNotGivenThem() throws {
        for (value, pointer) in Self.values {
            let adapter = try Plain.adapter(["j": .jsonValue]).adapter
            let model = try adapter.model(from: JSONValue.object(["j": value]))
            let error = #expect(throws: ModelError.self) { try adapter.jsonObject(from: model) }
            #expect(error?.code == .notConvertible)
            #expect(error?.pointer?.description == "/j" + pointer)
        }
    }

    @Test func propertiesMayBeCalledSo() throws {
        let adapter = try Plain.adapter(["\u{E9}": .integer, "e\u{301}": .integer]).withoutFoundation
        let text = "{\"\u{E9}\":1,\"e\u{301}\":2}"
        #expect(Array(try adapter.roundTrip(text).utf8) == Array(text.utf8))
        let model = try adapter.model(from: text)
        #expect(throws: ModelError.self) { try JSONEncoder().encode(model) }
        #expect(throws: ModelError.self) { try adapter.adapter.jsonObject(from: model) }
        // Each by itself is no problem.
        #expect(Array(try adapter.text(of: model, only: ["e\u{301}"]).utf8) == Array("{\"e\u{301}\":2}".utf8))
        #expect(try adapter.adapter.jsonObject(from: model, except: ["e\u{301}"]).count == 1)
    }
}

/// Any encodable value as one.
private struct Wrapped: Encodable {
    private let value: any Encodable
    init(_ value: any Encodable) { self.value = value }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// The model error that coding throws; the encoder of property lists puts those of others into its own.
private func problem(_ body: () throws -> some Any) -> ModelError? {
    do {
        _ = try body()
        return nil
    } catch EncodingError.invalidValue(_, let context) {
        return context.underlyingError as? ModelError
    } catch { return error as? ModelError }
}
