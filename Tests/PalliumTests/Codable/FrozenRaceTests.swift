import Foundation
import Pallium
import TestSupport
import Testing

@Suite("Frozen views on several threads", .threat(.registryRaces))
struct FrozenRaceTests {
    /// Run under ThreadSanitizer, this is the proof that views may be read while the library is at work elsewhere.
    @Test func eightThreadsReadRegisterAndDecodeAtOnce() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let item = ModelSchema(
            "Item",
            [
                "link": .url, "links": .array(of: .url), "tags": .set(of: .string), "parent": .model("Item").weak,
                "items": .array(of: .model("Item")).inverse("parent"),
                "more": .array(of: .url).default(json: ["http://example.org/"]),
            ])
        try registry.register(item)
        let adapter = try JSONAdapter(schema: item, registry: registry)
        let text = #"{"link":"http://a/b","links":["http://a/c"],"tags":["x"],"items":[{"link":"http://a/d"}]}"#
        let original = try adapter.model(from: text)
        let frozen = original.frozen()
        let failures = Journal()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            do {
                for pass in 0..<50 {
                    switch (thread + pass) % 4 {
                    case 0:
                        let schema = ModelSchema("S\(thread)-\(pass)", ["item": .model("Item")])
                        try registry.register(schema)
                        _ = try JSONAdapter(schema: schema, registry: registry).model(from: #"{"item":\#(text)}"#)
                    case 1:
                        let model = try adapter.model(from: text)
                        // Defaults are shared by the models of all threads.
                        if model["more", as: [URL].self]?[0].host != "example.org" { failures.add("default") }
                    case 2:
                        let encoder = JSONEncoder()
                        encoder.userInfo[.schemaRegistry] = registry
                        let value = try JSONValue(parsing: [UInt8](encoder.encode(frozen)))
                        if value["tags"] != ["x"] { failures.add("\(value)") }
                    default:
                        let child = frozen["items", as: [DynamicModel].self]?[0]
                        let isRight =
                            frozen["link", as: URL.self]?.path == "/b"
                            && frozen["links", as: [URL].self]?[0].path == "/c"
                            && frozen["tags", as: Set<String>.self] == ["x"]
                            && child?["link", as: URL.self]?.path == "/d"
                            && child?["parent", as: DynamicModel.self] == frozen
                            && Frozen.thaw(frozen).frozen() == frozen
                        if !isRight { failures.add("\(frozen)") }
                    }
                }
            } catch { failures.add("\(error)") }
        }
        #expect(failures.all == [])
    }
}
