import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What a transformer of the program can take: anything that stands in JSON, read by the rules of its type.
@Suite("Inputs of transformers")
struct InputTypeTests {
    /// A type, a value that is one of it, and mostly one that is not.
    struct Input: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let transformer: Transformer
        let accepted: JSONValue
        /// What stands in the text that the transformer makes.
        let seen: String
        let refused: (value: JSONValue, problem: String)?

        init<Value: PropertyValue & Sendable>(
            _ type: Value.Type, _ accepted: JSONValue, _ seen: String, refused: (value: JSONValue, problem: String)?
        ) {
            testDescription = "\(type)"
            self.accepted = accepted
            self.seen = seen
            self.refused = refused
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
            Input(Bool.self, true, "true", refused: (1, "a bool but found the number 1")),
            Input(Int.self, -7, "-7", refused: (0.5, "an integer but found the number 0.5")),
            Input(Int8.self, 127, "127", refused: (128, "an integer of 8 bits but found the number 128")),
            Input(UInt.self, 7, "7", refused: (-7, "an unsigned integer of 64 bits but found the number -7")),
            Input(UInt16.self, 7, "7", refused: ("7", #"an unsigned integer of 16 bits but found "7""#)),
            Input(Double.self, 0.5, "0.5", refused: ("0.5", #"a number but found "0.5""#)),
            Input(Float.self, 0.5, "0.5", refused: (true, "a number but found true")),
            Input(Decimal.self, 0.1, "0.1", refused: ("1", #"a decimal number but found "1""#)),
            Input(String.self, "a", "a", refused: (1, "a string but found the number 1")),
            Input(
                Date.self, "2001-01-01T00:00:01Z", "1.0",
                refused: ("yesterday", #"an ISO 8601 date such as 2026-01-31T12:00:00Z but found "yesterday""#)),
            Input(URL.self, "http://a/b", "http://a/b", refused: (5, "text of a URL but found the number 5")),
            Input(
                UUID.self, "00000000-0000-0000-0000-00000000000A", "00000000-0000-0000-0000-00000000000A",
                refused: ("A", #"a UUID but found "A""#)),
            Input(Data.self, "AQI=", "[1, 2]", refused: ("AQI", #"Base64 text but found "AQI""#)),
            Input(
                Color.self, "green", "green",
                refused: ("mauve", #"one of "red", "green", "blue" but found "mauve""#)),
            Input(JSONValue.self, [1], "[1]", refused: nil),
            Input(Int?.self, 5, "Optional(5)", refused: ("5", #"an integer but found "5""#)),
            Input([Int].self, [1, 2], "[1, 2]", refused: (["a"], #"an integer but found "a""#)),
            Input([Int?].self, [1, nil], "[Optional(1), nil]", refused: (1, "an array but found the number 1")),
            Input(Set<Int>.self, [2, 1, 2], "[1, 2]", refused: ([[]], "an integer but found an array")),
            Input(
                [String: Bool].self, ["a": true], #"["a": true]"#, refused: (["a": 1], "a bool but found the number 1")),
        ]
    }

    @Test(arguments: Input.all)
    func inputsAreReadByTheRulesOfTheirType(_ input: Input) throws {
        let adapter = try Plain.adapter(["p": .string.transformer("Text")], transformers: ["Text": input.transformer])
        func document(_ value: JSONValue) throws -> String { try JSONValue.object(["p": value]).text() }
        #expect(try adapter.model(from: document(input.accepted))["p", as: String.self] == input.seen)
        guard let refused = input.refused else { return }
        let sentence = try #require(try adapter.sentence(of: document(refused.value)))
        #expect(sentence.hasPrefix("expected \(refused.problem) at /p"), "\(sentence)")
    }

    /// One property made of a user, and one of a dictionary of them.
    private static let holder = ModelSchema(
        "Holder", ["name": .string.transformer("Name"), "count": .integer.transformer("Count").readOnly])

    private func registry(_ classes: ModelSchema...) throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.transformers.register(
            Transformer(from: User.self, to: String.self) { user, _ in
                user.name ?? "nobody"
            } reverse: { name, _ in
                try User(values: ["name": name], registry: registry)
            }, as: "Name")
        try registry.transformers.register(
            Transformer(from: [String: User].self, to: Int.self) { users, _ in users.count }, as: "Count")
        try registry.register([Self.holder] + classes)
        return registry
    }

    @Test func modelsOfARegisteredClassAreInputsToo() throws {
        let registry = try registry(User.schema, Group.schema)
        let adapter = Entrances(try JSONAdapter(schema: Self.holder, registry: registry))
        let model = try adapter.model(from: #"{"name":{"name":"ada"},"count":{"a":{},"b":{"groups":[]}}}"#)
        #expect(model["name", as: String.self] == "ada")
        #expect(model["count", as: Int.self] == 2)
        #expect(try adapter.text(of: model) == #"{"name":{"name":"ada"}}"#)
    }

    @Test(arguments: [
        (#"{"name":{"name":5}}"#, "expected a string but found the number 5 at /name/name"),
        (#"{"name":7}"#, "expected an object but found the number 7 at /name"),
    ])
    func aModelThatIsWrongIsToldAtItsPlace(document: String, problem: String) throws {
        let registry = try registry(User.schema, Group.schema)
        let adapter = Entrances(try JSONAdapter(schema: Self.holder, registry: registry))
        let sentence = try #require(adapter.sentence(of: document))
        #expect(sentence.hasPrefix(problem), "\(sentence)")
    }

    @Test func aClassWithoutASchemaIsNoInput() throws {
        let error = #expect(throws: SchemaError.self) { try registry() }
        #expect(
            error?.problems.map(\.description).sorted() == [
                "Holder.count: the transformer Count takes models of User, which is not registered; "
                    + "register it in the same call",
                "Holder.name: the transformer Name takes models of User, which is not registered; "
                    + "register it in the same call",
            ])
    }

    @Test(arguments: [
        Transformer(from: Point.self, to: String.self) { point, _ in "\(point)" },
        Transformer(from: [Point].self, to: String.self) { points, _ in "\(points)" },
        Transformer(from: Set<Point>.self, to: String.self) { points, _ in "\(points)" },
    ])
    func aTypeThatJSONDoesNotHaveIsNoInput(transformer: Transformer) throws {
        let error = #expect(throws: SchemaError.self) {
            try Plain.adapter(["p": .string.transformer("Text")], transformers: ["Text": transformer])
        }
        #expect(
            error?.description
                == "Plain.p: the transformer Text takes \(transformer.inputType), which does not stand in JSON; "
                + "put a transformer before it that gives one")
    }

    private final class Stranger {}

    /// `JSONInput`: "Dictionaries and arrays can hold values that JSON does not have, such as an object of your class: that is
    /// an error with the code `notConvertible` and the pointer of the value."
    @Test func valuesThatJSONDoesNotHaveAreNotConvertible() throws {
        let schema = ModelSchema("Any", ["a": .jsonValue, "n": .integer])
        let adapter = try JSONAdapter(schema: schema, registry: .of(schema))
        let element = #expect(throws: ModelError.self) { _ = try adapter.models(from: [Stranger()]) }
        #expect(element?.code == .notConvertible && element?.pointer?.description == "/0")
        let deep: [String: Any] = ["a": [1, ["b": Stranger()]]]
        let member = #expect(throws: ModelError.self) { _ = try adapter.model(from: deep) }
        #expect(member?.code == .notConvertible && member?.pointer?.description == "/a/1/b")
        let number = #expect(throws: ModelError.self) {
            _ = try adapter.model(from: ["n": Stranger()] as [String: Any])
        }
        #expect(number?.code == .notConvertible && number?.pointer?.description == "/n")
        #expect(adapter.report(from: [Stranger()] as [Any]).problems.map(\.code) == [.notConvertible])
    }
}
