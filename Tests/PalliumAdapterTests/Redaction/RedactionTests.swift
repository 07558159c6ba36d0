import Foundation
import Pallium
import TestSupport
import Testing

/// Documents are written without values, as the article says.
@Suite struct RedactionTests {
    private static let schemas = [
        ModelSchema(
            "Person",
            [
                "id": .integer.required, "name": .string.labels("pii"), "email": .string.labels("pii", "email"),
                "born": .date.labels("pii").json("dates.born"), "age": .integer.labels("age").nullable.default(1),
                "point": .jsonValue.labels("place").json(allOf: ["x", "y"]), "home": .model("Address").labels("home"),
                "past": .array(of: .model("Address")), "friend": .model("Person"),
                "tags": .set(of: .string).labels("tags"), "extra": .jsonValue.labels("extra"),
            ]),
        ModelSchema("Address", ["street": .string.labels("pii"), "city": .string]),
    ]

    private func adapter(_ options: JSONAdapterOptions = JSONAdapterOptions()) throws -> JSONAdapter<DynamicModel> {
        let registry = SchemaRegistry()
        try registry.register(Self.schemas)
        return try JSONAdapter(schema: Self.schemas[0], registry: registry, options: options)
    }

    private func text(
        _ document: String, _ rules: [String: Redaction.Rule], key: String = "key",
        only: PropertySelection? = nil, except: PropertySelection? = nil, options: JSONAdapterOptions = .init()
    ) throws -> String {
        let adapter = try adapter(options)
        let redaction = Redaction(rules, key: Data(key.utf8))
        let model = try adapter.model(from: document)
        let data = try adapter.data(from: model, only: only, except: except, redacting: redaction)
        return String(decoding: data, as: UTF8.self)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let document: String
        let rules: [String: Redaction.Rule]
        let written: String
        var testDescription: String { "\(rules.map { "\($0)=\($1)" }.sorted()): \(document)" }

        init(_ document: String, _ rules: [String: Redaction.Rule], _ written: String) {
            self.document = document
            self.rules = rules
            self.written = written
        }
    }

    @Test(arguments: [
        Row(#"{"id":1,"name":"Ada","email":"a@b"}"#, ["pii": .mask], #"{"id":1,"name":"•••","email":"•••"}"#),
        Row(#"{"id":1,"name":"Ada","email":"a@b"}"#, ["pii": .drop], #"{"id":1}"#),
        Row(#"{"id":1,"name":"Ada","email":"a@b"}"#, ["email": .drop], #"{"id":1,"name":"Ada"}"#),
        Row(#"{"id":1,"name":"Ada","email":"a@b"}"#, ["pii": .mask, "email": .drop], #"{"id":1,"name":"•••"}"#),
        Row(
            #"{"id":1,"name":"Ada","email":"a@b"}"#, ["pii": .hash, "email": .mask],
            #"{"id":1,"name":"H","email":"•••"}"#),
        Row(#"{"id":1,"name":null}"#, ["pii": .mask], #"{"id":1,"name":null}"#),
        Row(#"{"id":1,"name":null}"#, ["pii": .hash], #"{"id":1,"name":null}"#),
        Row(#"{"id":1,"name":null}"#, ["pii": .drop], #"{"id":1}"#),
        Row(#"{"id":1,"dates":{"born":"2000-01-01T00:00:00Z"}}"#, ["pii": .mask], #"{"id":1,"dates":{"born":"•••"}}"#),
        Row(#"{"id":1,"dates":{"born":"2000-01-01T00:00:00Z"}}"#, ["pii": .drop], #"{"id":1}"#),
        Row(#"{"id":1,"age":7}"#, ["age": .mask], #"{"id":1,"age":"•••"}"#),
        Row(#"{"id":1}"#, ["age": .mask], #"{"id":1}"#),
        Row(#"{"id":1,"x":3,"y":4}"#, ["place": .mask], #"{"id":1,"x":"•••","y":"•••"}"#),
        Row(#"{"id":1,"x":3,"y":4}"#, ["place": .hash], #"{"id":1,"x":"H","y":"H"}"#),
        Row(#"{"id":1,"x":3,"y":4}"#, ["place": .drop], #"{"id":1}"#),
        Row(#"{"id":1,"home":{"street":"S","city":"C"}}"#, ["home": .mask], #"{"id":1,"home":"•••"}"#),
        Row(
            #"{"id":1,"home":{"street":"S","city":"C"}}"#, ["pii": .mask],
            #"{"id":1,"home":{"street":"•••","city":"C"}}"#),
        Row(#"{"id":1,"home":{"street":"S","city":"C"}}"#, ["pii": .drop], #"{"id":1,"home":{"city":"C"}}"#),
        Row(
            #"{"id":1,"past":[{"street":"S"},{"city":"C"}]}"#, ["pii": .mask],
            #"{"id":1,"past":[{"street":"•••"},{"city":"C"}]}"#),
        Row(
            #"{"id":1,"friend":{"id":2,"name":"B","friend":{"id":3,"name":"C"}}}"#, ["pii": .drop],
            #"{"id":1,"friend":{"id":2,"friend":{"id":3}}}"#),
        Row(#"{"id":1,"tags":["a","b"]}"#, ["tags": .mask], #"{"id":1,"tags":"•••"}"#),
        Row(#"{"id":1,"extra":{"a":[1]}}"#, ["extra": .hash], #"{"id":1,"extra":"H"}"#),
        Row(#"{"id":1,"name":"Ada"}"#, [:], #"{"id":1,"name":"Ada"}"#),
    ])
    func aDocumentIsWrittenWithout(row: Row) throws {
        let written = try text(row.document, row.rules)
        #expect(written.replacing(#/"[0-9a-f]{64}"/#, with: "\"H\"") == row.written)
    }

    @Test func everyWayToWriteRedacts() throws {
        let adapter = try adapter()
        let redaction = Redaction(["pii": .mask])
        let model = try adapter.model(from: #"{"id":1,"name":"Ada"}"#)
        let one = #"{"id":1,"name":"•••"}"#
        func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
        #expect(try text(adapter.data(from: [model, model], redacting: redaction)) == "[\(one),\(one)]")
        #expect(try adapter.jsonValue(from: model, redacting: redaction).text() == one)
        #expect(try adapter.jsonObject(from: model, redacting: redaction)["name"] as? String == "•••")
        #expect(try adapter.jsonObjects(from: [model], redacting: redaction).first?["name"] as? String == "•••")
        let view = model.frozen()
        #expect(try text(adapter.data(from: view, redacting: redaction)) == one)
        #expect(try text(adapter.data(from: [view], redacting: redaction)) == "[\(one)]")
        #expect(try adapter.jsonValue(from: view, redacting: redaction).text() == one)
        var lines = try JSONLinesWriter(adapter, redacting: redaction)
        try lines.append(model)
        try lines.append([model])
        #expect(text(lines.takeData()) == "\(one)\n[\(one)]\n")
        // The adapter itself writes values.
        #expect(try text(adapter.data(from: model)) == #"{"id":1,"name":"Ada"}"#)
    }

    /// Masks stand where the article says, and everything else is as it came.
    @Test(arguments: [
        (#"{ "id": 1, "name": "Ada" }"#, #"{ "id": 1, "name": "•••" }"#),
        (#"{"name":"Ada","name":null,"name":"Bob"}"#, #"{"name":"•••","name":null,"name":"•••"}"#),
        (#"{"id":"wrong","nam":"Ada"}"#, #"{"id":"wrong","nam":"Ada"}"#), (#"{"name":"Ada""#, nil), ("", nil),
    ])
    func aTextIsMaskedWithoutBeingDecoded(document: String, masked: String?) throws {
        #expect(try adapter().masked(document.utf8).map { String(decoding: $0, as: UTF8.self) } == masked)
    }

    @Test func aTextOfASchemaWithoutLabelsIsNotMasked() throws {
        let schema = ModelSchema("Plain", ["name": .string])
        let plain = try JSONAdapter(schema: schema, registry: .of(schema))
        #expect(plain.masked("no JSON".utf8) == Array("no JSON".utf8))
    }

    @Test func selectionsAndRedactionsAreCombined() throws {
        let document = #"{"id":1,"name":"Ada","email":"a@b","home":{"street":"S","city":"C"}}"#
        #expect(
            try text(document, ["pii": .mask], only: ["name", "home.street"])
                == #"{"name":"•••","home":{"street":"•••"}}"#)
        #expect(try text(document, ["email": .drop], except: ["home", "id"]) == #"{"name":"Ada"}"#)
        #expect(
            try text(document, ["email": .mask], only: .where { _, key in key == "email" || key == "id" })
                == #"{"id":1,"email":"•••"}"#)
        let adapter = try adapter()
        let rows = try adapter.projected(to: ["id", "name"])
        let model = try rows.model(from: document)
        #expect(
            try rows.jsonValue(from: model, redacting: Redaction(["pii": .mask])).text() == #"{"id":1,"name":"•••"}"#)
    }

    @Test func hashesAreEqualForEqualValuesAndKeys() throws {
        func hash(_ document: String, key: String = "key", of name: String = "extra") throws -> String {
            let text = try text(document, ["extra": .hash, "pii": .hash, "tags": .hash], key: key)
            return try #require(try JSONValue(parsing: text)[name]?.stringValue)
        }
        let first = try hash(#"{"id":1,"extra":{"a":1,"b":[2]}}"#)
        #expect(try hash(#"{"id":2,"extra":{"b": [2], "a": 1}}"#) == first)
        #expect(try hash(#"{"id":1,"extra":{"a":1,"b":[3]}}"#) != first)
        #expect(try hash(#"{"id":1,"extra":{"a":1,"b":[2]}}"#, key: "other") != first)
        #expect(
            try hash(#"{"id":1,"tags":["a","b"]}"#, of: "tags") == hash(#"{"id":1,"tags":["b","a"]}"#, of: "tags"))
        // HMAC-SHA-256 of "Ada" with its quotation marks, as `openssl dgst -sha256 -hmac key` gives it.
        #expect(
            try hash(#"{"id":1,"name":"Ada"}"#, of: "name")
                == MessageAuthentication(key: Array("key".utf8)).code(for: Array("\"Ada\"".utf8)).map {
                    String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
                }.joined())
    }

    @Test func aRandomKeyBelongsToItsRedaction() throws {
        let adapter = try adapter()
        let model = try adapter.model(from: #"{"id":1,"name":"Ada"}"#)
        let (one, other) = (Redaction(["pii": .hash]), Redaction(["pii": .hash]))
        let text = { (redaction: Redaction) in try adapter.jsonValue(from: model, redacting: redaction) }
        #expect(try text(one) == text(one))
        #expect(try text(one) != text(other))
    }

    @Test func aLabelThatNoPropertyHasIsRefused() throws {
        let adapter = try adapter()
        #expect(adapter.labels == ["age", "email", "extra", "home", "pii", "place", "tags"])
        let model = try adapter.model(from: #"{"id":1}"#)
        let error = #expect(throws: ModelError.self) {
            _ = try adapter.data(from: model, redacting: Redaction(["emial": .drop]))
        }
        #expect(error?.code == .unknownKey)
        #expect(error?.suggestion == "email")
    }

    @Test func membersThatNoPropertyMapsPassUnlessTheyAreIgnored() throws {
        var options = JSONAdapterOptions()
        options.unknownMembers = .keep
        let document = #"{"id":1,"other":"x","dates":{"born":null,"more":1}}"#
        #expect(
            try text(document, ["pii": .drop], options: options) == #"{"id":1,"dates":{"more":1},"other":"x"}"#)
        #expect(try text(document, ["pii": .drop]) == #"{"id":1}"#)
    }

    @Test func modelsOfClustersAreRedactedByTheirOwnSchema() throws {
        let registry = SchemaRegistry()
        let event = try registry.load(
            Array(
                """
                [{"name": "Event", "cluster": {"discriminator": "type", "models": {"in": "Login"}},
                  "properties": {"type": {"kind": "string", "labels": ["kind"]}}},
                 {"name": "Login", "extends": "Event", "properties": {"user": {"kind": "string", "labels": ["pii"]}}}]
                """.utf8)
        )[0]
        let adapter = try JSONAdapter(schema: event, registry: registry)
        let model = try adapter.model(from: #"{"type":"in","user":"ada"}"#)
        func text(_ rules: [String: Redaction.Rule]) throws -> String {
            try adapter.jsonValue(from: model, redacting: Redaction(rules)).text()
        }
        #expect(try text(["pii": .mask]) == #"{"type":"in","user":"•••"}"#)
        #expect(try text(["kind": .mask]) == #"{"type":"•••","user":"ada"}"#)
        #expect(try text(["kind": .drop, "pii": .drop]) == "{}")
    }

    @Test func anInheritedPropertyKeepsItsLabels() throws {
        let parent = ModelSchema("Parent", ["a": .string.labels("pii", "email")])
        let child = ModelSchema("Child", ["a": .string.required.labels("pii")], extends: "Parent")
        let error = #expect(throws: SchemaError.self) { try SchemaRegistry().register(parent, child) }
        #expect(
            error?.problems.map(\.description) == [
                #"Child.a: drops the inherited label "email"; repeat all labels of the parent"#
            ])
    }
}
