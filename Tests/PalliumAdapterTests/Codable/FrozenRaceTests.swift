import Foundation
import ModelTestSupport
import Pallium
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

    /// The same for tasks that write one view and pass its identity on.
    @Test func tasksWriteOneViewAtATime() async throws {
        let sorted = Transformer(from: [String].self, to: Set<String>.self) { texts, _ in
            Set(texts)
        } reverse: { texts, _ in
            texts.sorted()
        }
        let schema = ModelSchema(
            RaceItem.self,
            [
                "name": .string.required, "link": .url, "links": .array(of: .url),
                "tags": .set(of: .string).transformer(sorted), "days": .dictionary(of: .date),
                "parent": .model(RaceItem.self).weak, "items": .array(of: .model(RaceItem.self)).inverse("parent"),
            ], identity: ["name"])
        let adapter = JSONAdapter(RaceItem.self, registry: try .of(schema))
        let text =
            #"{"name":"a","link":"http://a/b","links":["http://a/c"],"tags":["x","y"],"#
            + #""days":{"d":"2001-01-01T00:00:00Z"},"items":[{"name":"b","link":"http://a/d"}]}"#
        let view = try adapter.model(from: text).frozen()
        let (item, expected) = (view.items?.first, view.id)
        let found = try await withThrowingTaskGroup(of: [String].self) { group in
            for task in 0..<8 {
                group.addTask {
                    var found: Set<String> = []
                    for pass in 0..<50 {
                        switch (task + pass) % 4 {
                        case 0: found.insert(String(decoding: try adapter.data(from: view), as: UTF8.self))
                        case 1:
                            let list = try adapter.data(from: [view, view], except: .where { $1 == "items" })
                            if list.count != 2 * (text.utf8.count - 43) + 3 { found.insert("\(list.count) bytes") }
                        case 2: found.insert(try adapter.jsonValue(from: view).text())
                        default:
                            let isRight =
                                view.id == expected && view.id.hashValue == expected.hashValue
                                && item?.parent?.id == expected && item?.id != expected
                                && view.id.description == #"RaceItem "a""# && view.tags == ["x", "y"]
                                && view.links?[0].path == "/c"
                            if !isRight { found.insert("\(view.id)") }
                        }
                    }
                    return Array(found)
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        #expect(found == [text])
    }
}

private final class RaceItem: DynamicModel, Identifiable {
    var links: [URL]? { value() }
    var tags: Set<String>? { value() }
    var items: [RaceItem]? { value() }
    var parent: RaceItem? { value() }
}
