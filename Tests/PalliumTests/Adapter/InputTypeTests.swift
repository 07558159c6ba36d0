import Foundation
import Pallium
import TestSupport
import Testing

/// What a transformer of the program can take: anything that stands in JSON, read by the rules of its type.
@Suite("Inputs of transformers")
struct InputTypeTests {
    /// An input type, what stands in JSON, and what does not.
    struct Input: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let transformer: Transformer
        let accepted: JSONValue
        /// What stands in the text that the transformer makes.
        let seen: String
        let refused: JSONValue
        let problem: String

        init<Value: PropertyValue & Sendable>(
            _ type: Value.Type, _ accepted: JSONValue, _ seen: String, refused: JSONValue, _ problem: String
        ) {
            testDescription = "\(type)"
            self.accepted = accepted
            self.seen = seen
            self.refused = refused
            self.problem = problem
            transformer = Transformer(from: type, to: String.self) { value, _ in
                Self.text(value)
            } reverse: { _, _ in
                throw FixtureError.refused
            }
        }

        private static func text(_ value: any PropertyValue) -> String {
            switch value {
            case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
            case let data as Data: "\(Array(data))"
            case let numbers as Set<Int>: "\(numbers.sorted())"
            case let url as URL: url.absoluteString
            default: "\(value)"
            }
        }

        static let all: [Input] = [
            Input(Bool.self, true, "true", refused: 1, "a bool but found the number 1"),
            Input(Int.self, -7, "-7", refused: 0.5, "an integer but found the number 0.5"),
            Input(Int8.self, 127, "127", refused: 128, "an integer of 8 bits but found the number 128"),
            Input(UInt.self, 7, "7", refused: -7, "an unsigned integer but found the number -7"),
            Input(UInt16.self, 7, "7", refused: "7", #"an unsigned integer of 16 bits but found "7""#),
            Input(Double.self, 0.5, "0.5", refused: "0.5", #"a number but found "0.5""#),
            Input(Float.self, 0.5, "0.5", refused: true, "a number but found true"),
            Input(Decimal.self, 0.1, "0.1", refused: "1", #"a decimal number but found "1""#),
            Input(String.self, "a", "a", refused: 1, "a string but found the number 1"),
            Input(
                Date.self, "2001-01-01T00:00:01Z", "1.0", refused: "yesterday",
                #"an ISO 8601 date such as 2026-01-31T12:00:00Z but found "yesterday""#),
            Input(URL.self, "http://a/b", "http://a/b", refused: 5, "text of a URL but found the number 5"),
            Input(
                UUID.self, "00000000-0000-0000-0000-00000000000A", "00000000-0000-0000-0000-00000000000A",
                refused: "A", #"a UUID but found "A""#),
            Input(Data.self, "AQI=", "[1, 2]", refused: "AQI", #"Base64 text but found "AQI""#),
            Input(
                Color.self, "green", "green", refused: "mauve",
                #"one of "red", "green", "blue" but found "mauve""#),
            Input(JSONValue.self, [1], "[1]", refused: nil, ""),
            Input(Int?.self, 5, "Optional(5)", refused: "5", #"an integer but found "5""#),
            Input([Int].self, [1, 2], "[1, 2]", refused: ["a"], #"an integer but found "a""#),
            Input([Int?].self, [1, nil], "[Optional(1), nil]", refused: 1, "an array but found the number 1"),
            Input(Set<Int>.self, [2, 1, 2], "[1, 2]", refused: [[]], "an integer but found an array"),
            Input(
                [String: Bool].self, ["a": true], #"["a": true]"#, refused: ["a": 1], "a bool but found the number 1"),
        ]
    }

    @Test(arguments: Input.all)
    func inputsAreReadByTheRulesOfTheirType(_ input: Input) throws {
        let adapter = try Plain.adapter(["p": .string.transformer("Text")], transformers: ["Text": input.transformer])
        let document = JSONValue.object(["p": input.accepted])
        #expect(try adapter.adapter.model(from: document.text())["p", as: String.self] == input.seen)
        #expect(try adapter.adapter.model(from: document)["p", as: String.self] == input.seen)
        if input.problem.isEmpty { return }
        let refused = try JSONValue.object(["p": input.refused]).text()
        let error = #expect(throws: ModelError.self) { try adapter.adapter.model(from: refused) }
        #expect(error?.description.hasPrefix("expected \(input.problem) at /p") == true, "\(error?.description ?? "")")
    }

    @Test func modelsOfARegisteredClassAreInputsToo() throws {
        let registry = SchemaRegistry()
        try registry.transformers.register(
            Transformer(from: User.self, to: String.self) { user, _ in
                user.name ?? "nobody"
            } reverse: { name, _ in
                try User(values: ["name": name], registry: registry)
            }, as: "Name")
        try registry.transformers.register(
            Transformer(from: [String: User].self, to: Int.self) { users, _ in users.count }, as: "Count")
        let plain = ModelSchema(
            "Plain", ["p": .string.transformer("Name"), "n": .integer.transformer("Count").readOnly])
        try registry.register(plain)
        let unregistered = #expect(throws: ModelError.self) { try JSONAdapter(schema: plain, registry: registry) }
        #expect(unregistered?.code == .unknownSchema)
        #expect(
            unregistered?.description == "expected a schema registered for the class User but found none")
        try registry.register(User.schema, Group.schema)
        let adapter = try JSONAdapter(schema: plain, registry: registry)
        let model = try adapter.model(from: #"{"p":{"name":"ada"},"n":{"a":{},"b":{"groups":[]}}}"#)
        #expect(model["p", as: String.self] == "ada")
        #expect(model["n", as: Int.self] == 2)
        #expect(try adapter.jsonValue(from: model) == ["p": ["name": "ada"]])
        let error = #expect(throws: ModelError.self) { try adapter.model(from: #"{"p":{"name":5}}"#) }
        #expect(error?.description.hasPrefix("expected a string but found the number 5 at /p/name") == true)
        #expect(throws: ModelError.self) { try adapter.model(from: #"{"p":7}"#) }
    }

    @Test func aTypeThatJSONDoesNotHaveIsNoInput() throws {
        for transformer in [
            Transformer(from: Point.self, to: String.self) { point, _ in "\(point)" },
            Transformer(from: [Point].self, to: String.self) { points, _ in "\(points)" },
            Transformer(from: Set<Point>.self, to: String.self) { points, _ in "\(points)" },
        ] {
            let error = #expect(throws: ModelError.self) {
                try Plain.adapter(["p": .string.transformer("Text")], transformers: ["Text": transformer])
            }
            #expect(error?.expected == "a transformer whose input stands in JSON")
            #expect(error?.found == "one that takes \(transformer.inputType)")
        }
    }
}
