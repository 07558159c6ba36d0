import Foundation
import Pallium
import Testing

/// A step that renames a key which is not quite the stored one, and errors of steps about values with labels: the same in
/// archives, documents and rows.
struct MisspelledUpgradeTests {
    private static func root(
        _ properties: KeyValuePairs<String, PropertySchema>, keys: ModelSchema.KeyStrategy = .identity
    ) -> ModelSchema {
        var schema = ModelSchema("Root", properties, keys: keys, identity: ["id"])
        schema.properties.insert(.init("id", .integer.required), at: 0)
        return schema
    }

    @Test(
        arguments: [
            ("address", "adress"), ("address", "adddress"), ("address", "addrass"), ("address", "adderss"),
            ("homeAddress", "homeAdress"),
        ], [ModelSchema.KeyStrategy.identity, .snakeCase])
    func aMisspelledRenameNamesBothKeys(keys: (stored: String, step: String), strategy: ModelSchema.KeyStrategy) throws
    {
        let member = strategy == .identity ? keys.stored : keys.stored.replacing("A", with: "_a")
        let upgrade = SameUpgrade(
            [Self.rooted(keys.stored, strategy)],
            [
                Self.root(["mail": .string], keys: strategy)
                    .later(SchemaUpgrade(from: 1, renamed: [keys.step: "mail"]))
            ])
        for (form, result) in try upgrade.read(#"{"id": 1, "\#(member)": "a@b.c"}"#) {
            let error = result.failure
            #expect(error?.code == .upgradeFailed, "\(form)")
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("\"\(keys.stored)\"") && text.contains("\"\(keys.step)\""), "\(form): \(text)")
        }
    }

    private static func rooted(_ key: String, _ keys: ModelSchema.KeyStrategy) -> ModelSchema {
        var schema = root([:], keys: keys)
        schema.properties.append(.init(key, .string))
        return schema
    }

    @Test(arguments: [ModelSchema.KeyStrategy.identity, .snakeCase])
    func whatIsNoMisspellingPasses(strategy: ModelSchema.KeyStrategy) throws {
        let former = Self.root(["address": .string], keys: strategy)
        let mail: KeyValuePairs<String, PropertySchema> = ["mail": .string]
        let hook = PropertySchema.string.unarchived { $0["mail"] }
        let wrong = ["adress": "mail"]
        let passing: [(String, ModelSchema, String)] = [
            (
                "removed lets it go",
                Self.root(mail, keys: strategy).later(SchemaUpgrade(from: 1, renamed: wrong, removed: ["address"])), ""
            ),
            (
                "a later step lets it go",
                Self.root(mail, keys: strategy)
                    .later(SchemaUpgrade(from: 1, renamed: wrong), SchemaUpgrade(from: 2, removed: ["address"])), ""
            ),
            (
                "a later step renames it",
                Self.root(["mail": .string, "street": .string], keys: strategy)
                    .later(
                        SchemaUpgrade(from: 1, renamed: wrong), SchemaUpgrade(from: 2, renamed: ["address": "street"])),
                #","street":"x""#
            ),
            (
                "a property has the other key",
                Self.root(["mail": .string, "address": .string], keys: strategy)
                    .later(SchemaUpgrade(from: 1, renamed: wrong)), #","address":"x""#
            ),
            (
                "code in the step",
                Self.root(mail, keys: strategy).later(SchemaUpgrade(from: 1, renamed: wrong) { _ in }), ""
            ),
            (
                "code in another step",
                Self.root(mail, keys: strategy)
                    .later(SchemaUpgrade(from: 1, renamed: wrong), SchemaUpgrade(from: 2) { _ in }), ""
            ),
            ("a hook", Self.root(["mail": hook], keys: strategy).later(SchemaUpgrade(from: 1, renamed: wrong)), ""),
            (
                "two letters",
                Self.root(mail, keys: strategy).later(SchemaUpgrade(from: 1, renamed: ["adres": "mail"])), ""
            ),
        ]
        for (name, present, rest) in passing {
            let texts = try SameUpgrade([former], [present]).texts(#"{"id": 1, "address": "x"}"#)
            #expect(texts == SameUpgrade.everywhere(#"{"id":1\#(rest)}"#), "\(name)")
        }
    }

    @Test(arguments: [("line1", "line2"), ("tag", "tags"), ("tags", "tag")])
    func keysThatDifferInADigitOrAPluralAreOtherKeys(keys: (stored: String, step: String)) throws {
        let upgrade = SameUpgrade(
            [Self.rooted(keys.stored, .identity)],
            [Self.root(["other": .string]).later(SchemaUpgrade(from: 1, renamed: [keys.step: "other"]))])
        #expect(try upgrade.texts(#"{"id": 1, "\#(keys.stored)": "x"}"#) == SameUpgrade.everywhere(#"{"id":1}"#))
    }

    @Test func aModelInsideMisspellsAsTheRootDoes() throws {
        let upgrade = SameUpgrade(
            [Self.root(["part": .model("Part")]), ModelSchema("Part", ["address": .string])],
            [
                Self.root(["part": .model("Part")]),
                ModelSchema("Part", ["mail": .string]).later(SchemaUpgrade(from: 1, renamed: ["adress": "mail"])),
            ])
        #expect(
            try upgrade.read(#"{"id": 1, "part": {"address": "x"}}"#).map { $0.result.failure?.code }
                == [.upgradeFailed, .upgradeFailed, .upgradeFailed])
    }

    // MARK: Labels

    private struct Leak: Error, CustomStringConvertible {
        let description: String
    }

    /// Steps that fail with a value that they move into a property with a label.
    private static let leaks: [(String, [ModelSchema])] = [
        (
            "a rename",
            [root(["token": .integer.secret]).later(SchemaUpgrade(from: 1, renamed: ["text": "token"]))]
        ),
        (
            "a transformer",
            [
                root(["token": .date.secret]).later(
                    SchemaUpgrade(
                        from: 1, renamed: ["text": "token"], transformed: ["token": [DateOnlyTransformerName]]))
            ]
        ),
        (
            "a transformer of a later step",
            [
                root(["token": .date.secret]).later(
                    SchemaUpgrade(from: 1, transformed: ["text": [DateOnlyTransformerName]]),
                    SchemaUpgrade(from: 2, renamed: ["text": "token"]))
            ]
        ),
        (
            "code",
            [
                root(["token": .integer.secret]).later(
                    SchemaUpgrade(from: 1, removed: ["text"]) { $0["token"] = $0["text"] })
            ]
        ),
        (
            "code that throws",
            [
                root(["token": .string.secret]).later(
                    SchemaUpgrade(from: 1, renamed: ["text": "token"]) { model in
                        throw Leak(description: model["token"]?.text ?? "")
                    })
            ]
        ),
        (
            "a rule",
            [
                root(["token": .string.secret.rules(.maxLength(3))])
                    .later(SchemaUpgrade(from: 1, renamed: ["text": "token"]))
            ]
        ),
        (
            "a model that a step makes",
            [
                root(["part": .model("Part")]).later(
                    SchemaUpgrade(from: 1, removed: ["text"]) { model in
                        var part = FormerModel("Part", version: 1)
                        part["token"] = model["text"]
                        model["part"] = .model(part)
                    }), ModelSchema("Part", ["token": .integer.secret]),
            ]
        ),
        ("a hook", [root(["token": PropertySchema.integer.secret.unarchived { $0["text"] }])]),
    ]

    @Test(arguments: leaks.indices) func noErrorTellsAValueThatAStepMovesIntoAPropertyWithALabel(index: Int) throws {
        let (name, present) = Self.leaks[index]
        for (form, result) in try SameUpgrade([Self.root(["text": .string])], present)
            .read(#"{"id": 1, "text": "hunter2"}"#)
        {
            let error = try #require(result.failure, "\(name), \(form)")
            var told = "\(error) \(error.localizedDescription) \(String(describing: error.underlying))"
            told += try String(decoding: JSONEncoder().encode(error), as: UTF8.self)
            #expect(!told.contains("hunter2"), "\(name), \(form): \(told)")
        }
    }
}
