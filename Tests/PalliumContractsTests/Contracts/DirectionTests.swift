import Foundation
import ModelTestSupport
import Pallium
import PalliumContracts
import Testing

/// The section *Directions* of the article *Contracts*.
struct DirectionTests {
    private static let contract = """
        {"title": "User", "type": "object", "required": ["id", "name", "password"], "additionalProperties": false,
         "properties": {"id": {"type": "integer", "readOnly": true}, "name": {"type": "string"},
           "password": {"type": "string", "writeOnly": true},
           "teams": {"type": ["array", "null"], "items": {"$ref": "#/$defs/Team"}}},
         "$defs": {"Team": {"type": "object", "required": ["key"], "additionalProperties": false,
           "properties": {"key": {"type": "string", "readOnly": true}}}}}
        """

    private let registry = SchemaRegistry()
    private let adapter: JSONAdapter<DynamicModel>

    init() throws {
        try registry.load(jsonSchema: Data(Self.contract.utf8))
        adapter = try JSONAdapter(schema: registry.schema(named: "User"), registry: registry)
            .with { $0.unknownMembers = .refuse }
    }

    private static let whole = #"{"id":7,"name":"ada","password":"x","teams":[{"key":"a"}]}"#

    @Test func anAdapterForBothDirectionsLosesNothing() throws {
        let model = try adapter.model(from: Self.whole)
        let text = try String(decoding: adapter.data(from: model), as: UTF8.self)
        #expect(try JSONValue(parsing: text) == JSONValue(parsing: Self.whole))
        let archive = try ModelArchiver().archive(model)
        let user = try registry.schema(named: "User")
        #expect(try ModelUnarchiver(registry: registry).unarchive(user, from: archive) == model)
        let error = #expect(throws: ModelError.self) { try adapter.model(from: #"{"name":"ada","password":"x"}"#) }
        #expect(error?.code == .missingProperty && error?.property == "id")
    }

    @Test func anAdapterForOneDirectionLeavesTheOtherOut() throws {
        let requests = adapter.with { $0.mode = .input }
        let model = try requests.model(from: #"{"name":"ada","password":"x","id":"ignored","teams":[{}]}"#)
        #expect(try model.state(of: "id") == .unset)
        #expect(
            try JSONValue(parsing: requests.data(from: model)) == [
                "name": "ada", "password": "x", "teams": [[:]],
            ])
        let responses = adapter.with { $0.mode = .output }
        let answer = try responses.model(from: #"{"id":7,"name":"ada"}"#)
        #expect(try JSONValue(parsing: responses.data(from: answer)) == ["id": 7, "name": "ada"])
        for (adapter, document, missing) in [
            (requests, #"{"name":"ada"}"#, "password"), (responses, #"{"name":"ada"}"#, "id"),
            (responses, #"{"id":7,"name":"ada","teams":[{}]}"#, "key"),
        ] {
            let error = #expect(throws: ModelError.self) { try adapter.model(from: document) }
            #expect(error?.code == .missingProperty && error?.property == missing)
        }
    }

    @Test func theContractSaysTheSameAgain() throws {
        let again = try registry.jsonSchema(of: registry.schema(named: "User"))
        let properties = again["properties"] ?? again["$defs"]?["User"]?["properties"]
        #expect(properties?["id"]?["readOnly"] == true && properties?["id"]?["writeOnly"] == nil)
        #expect(properties?["password"]?["writeOnly"] == true)
        let other = SchemaRegistry()
        try other.load(jsonSchema: again.bytes())
        #expect(
            try other.document(of: other.schema(named: "User")) == registry.document(of: registry.schema(named: "User"))
        )
    }

    /// `.readOnly` stays a mapping that is never written.
    @Test func mappingsOfOneWayAreAnotherThing() throws {
        let schema = ModelSchema(
            "A", ["id": .integer.readOnly, "secret": .string.writeOnly, "c": .integer.only(.input)])
        let registry = SchemaRegistry()
        try registry.register([schema])
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let model = try adapter.model(from: #"{"id":1,"secret":"x","c":2}"#)
        #expect(model["id", as: Int.self] == 1 && model["secret", as: String.self] == nil)
        model["secret"] = "y"
        #expect(try JSONValue(parsing: adapter.data(from: model)) == ["secret": "y", "c": 2])
    }
}

/// A document that is edited keeps what is never written, so it must not become a mixture of two models.
struct UnwrittenValueTests {
    @Test(arguments: [
        (#"{"id":1,"text":"a"}"#, #"{"id":2,"text":"b"}"#, false),
        (#"{"id":1,"text":"a"}"#, #"{"id":1,"text":"b"}"#, true),
        (#"{"part":{"id":1},"text":"a"}"#, #"{"part":{"id":2},"text":"b"}"#, false),
        (#"{"parts":[{"id":1},{"id":2}],"text":"a"}"#, #"{"parts":[{"id":1},{"id":3}],"text":"a"}"#, false),
        (#"{"text":"a"}"#, #"{"id":2,"text":"a"}"#, false), (#"{"text":"a"}"#, #"{"text":"b"}"#, true),
    ]) func aDocumentWithAnotherOneIsRefused(document: String, other: String, isEdited: Bool) throws {
        let registry = SchemaRegistry()
        let note = ModelSchema(
            "Note",
            ["id": .integer.readOnly, "text": .string, "part": .model("Part"), "parts": .array(of: .model("Part"))])
        try registry.register([note, ModelSchema("Part", ["id": .integer.readOnly])])
        let adapter = try JSONAdapter(schema: note, registry: registry)
        let model = try adapter.model(from: other)
        if isEdited {
            let edited = try adapter.data(from: model, editing: Data(document.utf8))
            #expect(try JSONValue(parsing: edited) == JSONValue(parsing: other))
        } else {
            let error = #expect(throws: ModelError.self) {
                try adapter.data(from: model, editing: Data(document.utf8))
            }
            #expect(error?.code == .notConvertible)
        }
    }

    @Test func aModelThatHoldsItselfIsAnError() throws {
        let registry = SchemaRegistry()
        let note = ModelSchema("Note", ["id": .integer.readOnly, "next": .model("Note")])
        try registry.register([note])
        let adapter = try JSONAdapter(schema: note, registry: registry)
        let model = try adapter.model(from: "{}")
        model["next"] = model
        defer { model["next"] = nil }
        let error = #expect(throws: ModelError.self) { try adapter.data(from: model, editing: Data("{}".utf8)) }
        #expect(error?.code == .cycle)
    }
}
