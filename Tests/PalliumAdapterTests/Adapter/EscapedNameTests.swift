import ModelTestSupport
import Pallium
import Testing

/// Names that JSON can only spell with escapes.
struct EscapedNameTests {
    private static let names = ["a\\b", "a\\u0062", "say \"hi\"", "tab\t", "line\n", "\u{1}", "\\", "plain"]

    private func adapter() throws -> Entrances<DynamicModel> {
        try Plain.adapter([
            ModelSchema.named("Names", properties: Self.names.map { ModelSchema.Property($0, .integer) })
        ])
    }

    @Test(arguments: names) func aMemberIsFoundByItsUnescapedName(name: String) throws {
        let text = "{\(JSONValue.string(name)):5}"
        #expect(try adapter().model(from: text)[name, as: Int.self] == 5)
        #expect(try adapter().roundTrip(text) == text)
        // All of them in the order of the schema, and all spelled with escapes of four digits.
        let all = try adapter().model(
            from: "{" + Self.names.map { "\(JSONValue.string($0)):5" }.joined(separator: ",") + "}")
        #expect(Self.names.allSatisfy { all[$0, as: Int.self] == 5 })
        let digits = name.unicodeScalars.map { scalar in
            let text = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - text.count) + text
        }.joined()
        #expect(try adapter().model(from: "{\"\(digits)\":6}")[name, as: Int.self] == 6)
    }

    /// The bytes of the name as they are mean another name, or nothing.
    @Test func theRawBytesOfANameAreNotTheName() throws {
        let model = try adapter().model(from: #"{"a\b":1,"a\u0062":2}"#)
        #expect(Self.names.allSatisfy { model[$0] == nil })
        for text in ["{\"tab\t\":1}", "{\"line\n\":1}", "{\"\u{1}\":1}", #"{"\":1}"#, #"{"say "hi"":1}"#] {
            #expect(try adapter().problem(of: text)?.code == .malformedJSON, "\(text)")
        }
    }

    /// The decoder expects the only member, whose bytes it compares first.
    @Test(arguments: ["tab\t", "line\n", "\u{1}", "say \"hi\"", "\"", "a long name that holds a \" mark"])
    func aBareNameIsNoJSONWhereItIsExpected(name: String) throws {
        let adapter = try Plain.adapter([name: .integer]).adapter
        let error = #expect(throws: ModelError.self) { try adapter.model(from: "{\"\(name)\":1}") }
        #expect(error?.code == .malformedJSON)
    }
}
