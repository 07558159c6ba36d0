import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Documents of real services: every member is known to the schemas, and what was read is written back.
struct RealDocumentTests {
    private static let testSchemas = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Schemas")

    private func options(_ unknown: JSONAdapterOptions.UnknownMembers) -> JSONAdapterOptions {
        var options = JSONAdapterOptions()
        options.unknownMembers = unknown
        return options
    }

    @Test(.needs(shared: "github_events.json"))
    func allGitHubEventsDecodeWithUnknownMembersRefused() throws {
        let adapter = try GitHub.adapter("Event", unknownMembers: .refuse)
        let bytes = try SharedData.bytes("github_events.json")
        let events = try adapter.models(from: bytes)
        #expect(events.count == 30)
        #expect(events.count { $0.schema.name == "PushEvent" } == 13)
        let foundation = try JSONSerialization.jsonObject(with: Data(bytes))
        #expect(try adapter.models(from: #require(foundation as? [Any])) == events)
    }

    @Test(.needs(shared: "github_events.json"))
    func gitHubEventsComeBackAsTheyWereRead() throws {
        let adapter = try GitHub.adapter("Event", unknownMembers: .keep)
        let bytes = try SharedData.bytes("github_events.json")
        let written = try adapter.data(from: adapter.models(from: bytes))
        #expect(try JSONValue(parsing: [UInt8](written)) == JSONValue(parsing: bytes))
    }

    @Test func theSampleEventsDecodeToTheirSchemas() throws {
        let adapter = try GitHub.adapter("Event", unknownMembers: .refuse)
        let events = try adapter.models(from: GitHub.sample("events"))
        let objects = try #require(JSONValue(parsing: [UInt8](GitHub.sample("events"))).arrayValue)
        #expect(events.map(\.schema.name) == objects.map { $0["type"]?.stringValue })
        #expect(Set(events.map(\.schema.name)).count == 7)
    }

    @Test func theSampleIssuesDecode() throws {
        let adapter = try GitHub.adapter("Issue", unknownMembers: .refuse)
        let issues = try adapter.models(from: GitHub.sample("issues"))
        #expect(try issues.map { try $0.value(forKey: "number") as? Int } == [1, 2, 3])
    }

    @Test(
        .needs(shared: "twitter.json"), .needs(shared: "citm_catalog.json"),
        arguments: [
            ("twitter.json", "twitter.json", "SearchResult"), ("citm_catalog.json", "catalog.json", "Catalog"),
        ])
    func everyMemberIsKnownAndComesBack(document: String, schemas: String, model: String) throws {
        let registry = SchemaRegistry()
        try registry.load(contentsOf: Self.testSchemas.appendingPathComponent(schemas))
        let schema = try registry.schema(named: model)
        let bytes = try SharedData.bytes(document)
        let strict = try JSONAdapter(schema: schema, registry: registry, options: options(.refuse))
        let decoded = try strict.model(from: bytes)
        #expect(try strict.jsonValue(from: decoded) == JSONValue(parsing: bytes))
        let kept = try JSONAdapter(schema: schema, registry: registry, options: options(.keep)).model(from: bytes)
        #expect(kept == decoded)
        let foundation = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(try strict.model(from: foundation) == decoded)
    }

    @Test func aSelectionOfPropertiesLeavesKeptMembersOut() throws {
        let registry = try SchemaRegistry.of(ModelSchema("Slim", ["number": .integer]))
        let adapter = try JSONAdapter(
            schema: registry.schema(named: "Slim"), registry: registry, options: options(.keep))
        let model = try adapter.model(from: #"{"number":1,"other":2}"#)
        #expect(String(decoding: try adapter.data(from: model, only: ["number"]), as: UTF8.self) == #"{"number":1}"#)
        #expect(String(decoding: try adapter.data(from: model, except: ["number"]), as: UTF8.self) == #"{"other":2}"#)
    }

    @Test func membersThatNoSchemaKnowsAreKeptInRealDocuments() throws {
        // The schema of the issue alone, without most of its members.
        let registry = try SchemaRegistry.of(
            ModelSchema("Slim", ["number": .integer, "login": .string.json("user.login")]))
        let adapter = try JSONAdapter(
            schema: registry.schema(named: "Slim"), registry: registry, options: options(.keep))
        let bytes = try GitHub.sample("issues")
        let written = try adapter.data(from: adapter.models(from: bytes))
        #expect(try JSONValue(parsing: [UInt8](written)) == JSONValue(parsing: [UInt8](bytes)))
    }
}
