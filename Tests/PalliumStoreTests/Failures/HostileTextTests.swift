import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Texts that mean something to SQL come back as they are, wherever they stand, and never run.
struct HostileTextTests {
    static let texts = [
        "", " ", "'", "\"", "''", "\"\"", "`", "\\", "%", "_", "*", "?", "?1", ":a", "@a", "$a", "[a]", "--", "/*", ";",
        "'; DROP TABLE \"Witness\"; --", "\"; DROP TABLE \"Witness\"; --", "\" ON \"Witness\"; --", "a\u{0}b", "\u{0}",
        "100%_\\%", "👩‍👩‍👧", "é", "e\u{301}", "\u{301}", "\u{FEFF}", "\u{FFFF}", "\u{10FFFF}", "a\nb\r\n\t", "\u{7F}",
        "NULL", "null", "true", "1", "1e9", "select", "_schema", "_document", "__schema", "rowid", "$.a", "a.b",
        "a\\.b",
        "a/b~c", "İ", "ß", "SS", "\u{202E}", String(repeating: "'\"", count: 5000),
    ]

    private static let witness = ModelSchema("Witness", ["id": .integer.required], identity: ["id"])

    private func expectWitness(_ world: StoreWorld, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try world.store.count(world.query("Witness")) == 1, sourceLocation: sourceLocation)
        #expect(try world.rows("PRAGMA integrity_check")[0][0] == .text("ok"), sourceLocation: sourceLocation)
    }

    private func itemWorld() throws -> StoreWorld {
        try StoreWorld(schemas: [
            Self.witness,
            ModelSchema(
                "Item",
                [
                    "key": .string.required, "indexed": .string.indexed(), "plain": .string,
                    "list": .array(of: .string),
                    "byName": .dictionary(of: .string), "any": .jsonValue,
                ], identity: ["key"]),
            ModelSchema("Link", ["id": .integer.required, "to": .model("Item")], identity: ["id"]),
        ])
    }

    private func item(_ world: StoreWorld, _ text: String) throws -> DynamicModel {
        let json = JSONValue.string(text)
        return try world.model(
            "Item",
            [
                "key": json, "indexed": json, "plain": json, "list": [json], "byName": .object([text: json]),
                "any": .object([text: json]), "unmapped": .object([text: json]),
            ])
    }

    /// Conditions that hold for nothing but the item of a text.
    private static func conditions(_ text: String) -> [(String, Condition)] {
        [
            ("identity", Key("key") == text), ("indexed", Key("indexed") == text), ("plain", Key("plain") == text),
            ("list", Key("list").contains(text)), ("in", Key("indexed").isIn([text])),
            ("in, plain", Key("plain").isIn([text])), ("range", Key("plain") >= text && Key("plain") <= text),
            ("prefix", Key("plain") == text && Key("plain").hasPrefix(text)),
            ("part", Key("plain") == text && Key("plain").contains(text)),
        ]
    }

    @Test func valuesComeBackAndAreFound() throws {
        let texts = Self.texts.filter { !$0.utf8.contains(0) }
        let world = try itemWorld()
        try world.store.save(world.make("Witness", ["id": 1]))
        let models = try texts.map { try item(world, $0) }
        #expect(try world.store.save(models) == StoreChanges(inserted: models.count))
        #expect(try world.store.count(world.query("Item")) == texts.count)
        try world.store.save(models.enumerated().map { try world.make("Link", ["id": $0, "to": $1]) })
        let adapter = try world.adapter("Item")
        for (number, (text, model)) in zip(texts, models).enumerated() {
            for key in [Key("to.key"), Key("to.plain")] {
                let links = try world.fetch("Link", where: key == text).map { $0["id", as: Int.self] }
                #expect(links == [number], "\(text.debugDescription)")
            }
            let found = try #require(try world.store.first(world.schema("Item"), identity: text))
            #expect(try adapter.jsonValue(from: found) == adapter.jsonValue(from: model))
            for (name, condition) in Self.conditions(text) {
                let keys = try world.fetch("Item", where: condition).compactMap { $0["key", as: String.self] }
                #expect(keys.map { Array($0.utf8) } == [Array(text.utf8)], "\(name) \(text.debugDescription)")
            }
            #expect(try world.store.save(found).isEmpty)
        }
        try expectWitness(world)
        // No text is a pattern: each prefix finds those that begin with its bytes.
        for text in texts {
            let expected = texts.filter { Array($0.utf8).starts(with: Array(text.utf8)) }.count
            #expect(try world.store.count(world.query("Item", where: Key("plain").hasPrefix(text))) == expected)
            #expect(try world.store.count(world.query("Item", where: Key("indexed").hasPrefix(text))) == expected)
        }
        for text in texts.reversed() {
            #expect(try world.store.delete(world.query("Item", where: Key("key") == text)).deleted == 1)
        }
        try expectWitness(world)
    }

    /// A null character ends a text for many functions, but not in a store. Conditions see all of it in columns.
    @Test func textsWithNullCharactersComeBackAndAreFound() throws {
        let texts = ["", "a", "a\u{0}", "a\u{0}b", "\u{0}", "\u{0}\u{0}"]
        let world = try itemWorld()
        let models = try texts.enumerated().map { number, text in
            let model = try item(world, text)
            model["key"] = "\(number)"
            return model
        }
        try world.store.save(models)
        #expect(try world.store.integrityCheck().isEmpty)
        let adapter = try world.adapter("Item")
        for (number, text) in texts.enumerated() {
            let found = try #require(try world.store.first(world.schema("Item"), identity: "\(number)"))
            #expect(try adapter.jsonValue(from: found) == adapter.jsonValue(from: models[number]))
            let keys = try world.fetch("Item", where: Key("indexed") == text).map { $0["key", as: String.self] }
            #expect(keys == ["\(number)"], "\(text.debugDescription)")
        }
    }

    /// SQLite could not find such a row in a list of identities.
    @Test func identitiesHaveNoNullCharacters() throws {
        let world = try itemWorld()
        for call in [
            { try world.store.save(item(world, "a\u{0}b")) },
            { try world.store.import(#"{"key": "a\u0000b"}"#, using: world.adapter("Item")) },
        ] as [() throws -> StoreChanges] {
            let error = #expect(throws: ModelError.self) { try call() }
            #expect(error?.code == .notConvertible && error?.property == "key", "\(error?.description ?? "")")
        }
        let error = #expect(throws: ModelError.self) {
            try world.fetch("Item", where: Key("plain").isIn(["a", "a\u{0}b"]))
        }
        #expect(error?.code == .notConvertible)
        #expect(try world.store.count(world.query("Item")) == 0)
    }

    /// A key that a schema may have is a column, a member of a document, and part of a condition.
    @Test func keysAreQuoted() throws {
        var accepted = 0
        for text in Self.texts where text.utf8.count < 100 {
            let schema = ModelSchema(
                "Item", ["id": .integer.required, text: .string.indexed(), "z": .model("Item")], identity: ["id"])
            guard let world = try? StoreWorld(schemas: [Self.witness, schema]) else { continue }
            try world.store.save(world.make("Witness", ["id": 1]))
            let model = try world.make("Item", ["id": 1, text: "value"])
            if let code = refusal(world, model) {
                // A name that SQLite cannot have is a typed error.
                #expect([.malformedStore, .conflict, .unknownKey].contains(code), "\(text.debugDescription)")
                try expectWitness(world)
                continue
            }
            accepted += 1
            let key = Key(text.map { "\\\($0)" }.joined())
            #expect(try world.fetch("Item", where: key == "value") == [model], "\(text.debugDescription)")
            #expect(try world.fetch("Item", where: key.hasPrefix("val")) == [model], "\(text.debugDescription)")
            let ordered = try world.query("Item", where: key != nil, order: [.descending(key)])
            #expect(try world.store.fetch(ordered) == [model], "\(text.debugDescription)")
            try expectWitness(world)
            #expect(try world.store.integrityCheck().isEmpty, "\(text.debugDescription)")
        }
        #expect(accepted > 20, "\(accepted)")
    }

    @Test func schemaNamesAreQuoted() throws {
        var accepted = 0
        for text in Self.texts where text.utf8.count < 100 {
            let schemas = [
                Self.witness,
                ModelSchema(text, ["id": .integer.required, "next": .model(text)], identity: ["id"]),
                ModelSchema("Heir", ["more": .string.indexed()], extends: .named(text)),
            ]
            guard let world = try? StoreWorld(schemas: schemas) else { continue }
            try world.store.save(world.make("Witness", ["id": 1]))
            let model = try world.make(text, ["id": 1])
            model["next"] = try world.make("Heir", ["id": 2, "more": text])
            if let code = refusal(world, model) {
                #expect([.malformedStore, .conflict, .unknownKey].contains(code), "\(text.debugDescription)")
                try expectWitness(world)
                continue
            }
            accepted += 1
            #expect(
                try world.store.fetch(world.query(text, including: .all)).first == model, "\(text.debugDescription)")
            #expect(try world.fetch(text, where: Key("next.more") == text).count == 1, "\(text.debugDescription)")
            #expect(try world.fetch("Heir", where: Key("id") == 2).count == 1, "\(text.debugDescription)")
            try expectWitness(world)
            #expect(try world.store.integrityCheck().isEmpty, "\(text.debugDescription)")
        }
        #expect(accepted > 20, "\(accepted)")
    }

    private func refusal(_ world: StoreWorld, _ model: DynamicModel) -> ModelError.Code? {
        do { try world.store.save(model) } catch { return error.code }
        return nil
    }
}
