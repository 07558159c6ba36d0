import Foundation
import Pallium
import TestSupport
import Testing

/// A change of a schema, and one model as a program with the former schema has it, and one with the present.
struct SchemaChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let former: ModelSchema
    let present: ModelSchema
    /// The model with the former schema, as JSON.
    let formerText: String
    let presentText: String
    /// Whether the present program gets its model back from the archive for the former one.
    var keepsEverything = true

    init(
        _ description: String, _ former: KeyValuePairs<String, PropertySchema>,
        _ present: KeyValuePairs<String, PropertySchema>, _ steps: [SchemaUpgrade], _ formerText: String,
        _ presentText: String, keepsEverything: Bool = true
    ) {
        testDescription = description
        self.former = ModelSchema("Record", former)
        var schema = ModelSchema("Record", present, version: steps.count + 1)
        schema.upgrades = steps
        self.present = schema
        self.formerText = formerText
        self.presentText = presentText
        self.keepsEverything = keepsEverything
    }

    static let transformers: [TransformerName: Transformer] = [
        "Half": Transformer(from: Int.self, to: Int.self) { value, _ in
            value / 2
        } reverse: { half, _ in
            half * 2
        },
        "Text": Transformer(from: Int.self, to: String.self) { value, _ in
            "\(value)"
        } reverse: { text, _ in
            Int(text) ?? 0
        },
        "Negative": Transformer(from: Int.self, to: Int.self) { value, _ in -value },
        "Days": Transformer(from: Int.self, to: Date.self) { days, _ in
            Date(timeIntervalSinceReferenceDate: Double(days) * 86_400)
        } reverse: { date, _ in
            Int(date.timeIntervalSinceReferenceDate / 86_400)
        }.each(),
        "Words": Transformer(from: String.self, to: [String].self) { text, _ in
            text.split(separator: " ").map { String($0) }
        } reverse: { words, _ in
            words.joined(separator: " ")
        },
        "Mark": Transformer(handlingNullFrom: String.self, to: String.self) { text, _ in
            text ?? "none"
        } reverse: { text, _ in
            text == "none" ? nil : text
        },
    ]

    func registry(_ schema: ModelSchema) throws -> SchemaRegistry {
        try .of(schema, transformers: Self.transformers)
    }

    /// The changes that steps describe without code.
    static let described: [SchemaChange] = [
        SchemaChange(
            "a renamed key", ["mail": .string], ["email": .string],
            [SchemaUpgrade(from: 1, renamed: ["mail": "email"])], #"{"mail":"a"}"#, #"{"email":"a"}"#),
        SchemaChange(
            "a renamed key without a value", ["mail": .string], ["email": .string],
            [SchemaUpgrade(from: 1, renamed: ["mail": "email"])], "{}", "{}"),
        SchemaChange(
            "a renamed key with null", ["mail": .string], ["email": .string],
            [SchemaUpgrade(from: 1, renamed: ["mail": "email"])], #"{"mail":null}"#, #"{"email":null}"#),
        SchemaChange(
            "a renamed key with its default", ["size": .integer.default(7)], ["count": .integer.default(7)],
            [SchemaUpgrade(from: 1, renamed: ["size": "count"])], "{}", "{}"),
        SchemaChange(
            "swapped keys", ["a": .string, "b": .integer], ["a": .integer, "b": .string],
            [SchemaUpgrade(from: 1, renamed: ["a": "b", "b": "a"])], #"{"a":"x","b":1}"#, #"{"a":1,"b":"x"}"#),
        SchemaChange(
            "a key that takes the place of another", ["mail": .string, "email": .string.required], ["email": .string],
            [SchemaUpgrade(from: 1, renamed: ["mail": "email"], removed: ["email"], restored: ["email": ""])],
            #"{"mail":"a","email":""}"#, #"{"email":"a"}"#),
        SchemaChange(
            "a former key that is in use again", ["title": .string], ["name": .string, "title": .integer],
            [SchemaUpgrade(from: 1, renamed: ["title": "name"])], #"{"title":"a"}"#, #"{"name":"a","title":5}"#,
            keepsEverything: false),
        SchemaChange(
            "a transformed value", ["born": .string],
            ["born": .date.transformer(DateOnlyTransformerName)],
            [SchemaUpgrade(from: 1, transformed: ["born": [DateOnlyTransformerName]])],
            #"{"born":"1815-12-10"}"#, #"{"born":"1815-12-10"}"#),
        SchemaChange(
            "a value that several transformers convert", ["n": .integer], ["n": .string],
            [SchemaUpgrade(from: 1, transformed: ["n": ["Half", "Text"]])], #"{"n":8}"#, #"{"n":"4"}"#),
        SchemaChange(
            "a transformed null", ["n": .string], ["n": .string],
            [SchemaUpgrade(from: 1, transformed: ["n": ["Mark"]])], #"{"n":null}"#, #"{"n":"none"}"#),
        SchemaChange(
            "transformed elements", ["days": .array(of: .integer)], ["days": .array(of: .date)],
            [SchemaUpgrade(from: 1, transformed: ["days": ["Days"]])],
            #"{"days":[1,3]}"#, #"{"days":["2001-01-02T00:00:00Z","2001-01-04T00:00:00Z"]}"#),
        SchemaChange(
            "a text that became elements", ["words": .string], ["words": .array(of: .string)],
            [SchemaUpgrade(from: 1, transformed: ["words": ["Words"]])], #"{"words":"a b"}"#, #"{"words":["a","b"]}"#),
        SchemaChange(
            "a new key with a default", ["n": .integer], ["n": .integer, "open": .bool],
            [SchemaUpgrade(from: 1, defaults: ["open": true])], #"{"n":1}"#, #"{"n":1,"open":false}"#),
        SchemaChange(
            "an old key with a default", ["status": .string], ["status": .string.required],
            [SchemaUpgrade(from: 1, defaults: ["status": "open"])], #"{"status":"shut"}"#, #"{"status":"shut"}"#),
        SchemaChange(
            "a removed key", ["nick": .string.required, "n": .integer], ["n": .integer],
            [SchemaUpgrade(from: 1, removed: ["nick"], restored: ["nick": "?"])], #"{"nick":"?","n":1}"#, #"{"n":1}"#),
        SchemaChange(
            "a removed key that needs no value", ["nick": .string], ["n": .integer],
            [SchemaUpgrade(from: 1, removed: ["nick"], restored: ["nick": nil])], #"{"nick":null}"#, "{}"),
        SchemaChange(
            "a removed key that was renamed, too", ["a": .string], ["b": .string],
            [SchemaUpgrade(from: 1, renamed: ["a": "b"], removed: ["a"])], #"{"a":"x"}"#, #"{"b":"x"}"#),
        SchemaChange(
            "removed keys of kinds that are text in JSON",
            [
                "at": .date.required, "home": .url.required, "color": .enumeration(Color.self).required,
                "ratio": .double.required, "tags": .array(of: .string).required, "table": .dictionary(of: .bool),
            ], ["n": .integer],
            [
                SchemaUpgrade(
                    from: 1, removed: ["at", "home", "color", "ratio", "tags", "table"],
                    restored: [
                        "at": "2020-01-01T00:00:00Z", "home": "https://example.org", "color": "red", "ratio": 1.5,
                        "tags": ["a"], "table": ["x": true],
                    ])
            ],
            #"{"at":"2020-01-01T00:00:00Z","home":"https://example.org","color":"red","ratio":1.5,"tags":["a"],"table":{"x":true}}"#,
            "{}"),
        SchemaChange(
            "a removed key that is in use again", ["note": .integer.required], ["note": .string],
            [SchemaUpgrade(from: 1, removed: ["note"], restored: ["note": 0]), SchemaUpgrade(from: 2)],
            #"{"note":0}"#, #"{"note":"hi"}"#, keepsEverything: false),
        SchemaChange(
            "several steps", ["a": .integer], ["c": .string],
            [
                SchemaUpgrade(from: 1, renamed: ["a": "b"], transformed: ["b": ["Half"]]),
                SchemaUpgrade(from: 2, renamed: ["b": "c"], transformed: ["c": ["Text"]]),
            ], #"{"a":8}"#, #"{"c":"4"}"#),
        SchemaChange(
            "an array that became a set", ["tags": .array(of: .string), "a": .bool],
            ["tags": .set(of: .string), "b": .bool],
            [SchemaUpgrade(from: 1, renamed: ["a": "b"])], #"{"tags":["x"],"a":true}"#, #"{"tags":["x"],"b":true}"#),
    ]

    /// The changes that need code.
    static let coded: [SchemaChange] = [
        SchemaChange(
            "a value that was split", ["name": .string.required], ["first": .string, "last": .string],
            [
                SchemaUpgrade(from: 1) { person in
                    let parts = person["name"]?.text?.split(separator: " ") ?? []
                    person["first"] = parts.first.map { .string(String($0)) }
                    person["last"] = parts.count > 1 ? .string(String(parts[1])) : nil
                    person["name"] = nil
                } downgrade: { person in
                    let parts = [person["first"]?.text, person["last"]?.text].compactMap { $0 }
                    person["name"] = .string(parts.joined(separator: " "))
                    person["first"] = nil
                    person["last"] = nil
                }
            ], #"{"name":"Ada King"}"#, #"{"first":"Ada","last":"King"}"#),
        SchemaChange(
            "removed keys that the code sets", ["first": .string, "last": .string], ["names": .array(of: .string)],
            [
                SchemaUpgrade(from: 1, removed: ["first", "last"]) { person in
                    person["names"] = .array([person["first"] ?? .null, person["last"] ?? .null])
                } downgrade: { person in
                    guard case .array(let names)? = person["names"] else { return }
                    (person["first"], person["last"]) = (names[0], names[1])
                }
            ], #"{"first":"Ada","last":"King"}"#, #"{"names":["Ada","King"]}"#),
        SchemaChange(
            "code that sees new keys and transformed values", ["old": .integer], ["new": .integer, "double": .integer],
            [
                SchemaUpgrade(from: 1, renamed: ["old": "new"], transformed: ["new": ["Half"]]) { record in
                    record["double"] = record["new"]?.integer.map { .integer($0 * 2) }
                } downgrade: { record in
                    record["new"] = record["double"]?.integer.map { .integer($0 / 2) }
                }
            ], #"{"old":8}"#, #"{"new":4,"double":8}"#),
        SchemaChange(
            "a transformer without a reverse", ["n": .integer], ["n": .integer],
            [
                SchemaUpgrade(from: 1, transformed: ["n": ["Negative"]]) { _ in
                } downgrade: { record in
                    record["n"] = record["n"]?.integer.map { .integer(-$0) }
                }
            ], #"{"n":3}"#, #"{"n":-3}"#),
        SchemaChange(
            "two keys that became one", ["a": .string, "b": .string], ["c": .string],
            [
                SchemaUpgrade(from: 1, renamed: ["a": "c", "b": "c"]) { _ in
                } downgrade: { record in
                    record["b"] = record["c"]
                    record["c"] = nil
                }
            ], #"{"b":"x"}"#, #"{"c":"x"}"#),
        SchemaChange(
            "a removed key that code sets for some models only", ["nick": .string.required], ["n": .integer],
            [
                SchemaUpgrade(from: 1, removed: ["nick"], restored: ["nick": "?"]) { _ in
                } downgrade: { record in
                    if record["n"] == .integer(1) { record["nick"] = .string("one") }
                }
            ], #"{"nick":"?"}"#, #"{"n":2}"#),
    ]
}
