import Foundation
import Pallium
import PalliumCore
import Synchronization
import TestSupport
import Testing

/// Frozen views are written as their models are, and nothing in them changes.
@Suite("Frozen views as JSON")
struct FrozenWritingTests {
    private let registry: SchemaRegistry
    private let adapter: JSONAdapter<DynamicModel>

    /// Properties whose values accessors or transformers make at the first access.
    init() throws {
        let sorted = Transformer(from: [String].self, to: Set<String>.self) { texts, _ in
            Set(texts)
        } reverse: { texts, _ in
            texts.sorted()
        }
        let host = Transformer(from: String.self, to: URL.self) { host, _ in
            try #require(URL(string: "http://\(host)/"))
        } reverse: { url, _ in
            url.host ?? ""
        }
        let page = ModelSchema(
            "Page",
            [
                "id": .integer.required, "link": .url, "links": .array(of: .url), "days": .dictionary(of: .date),
                "tags": .set(of: .string).transformer(sorted), "host": .url.transformer(host),
                "place": .model("Place").json(allOf: ["x", "y"]), "pages": .array(of: .model("Page")).inverse("above"),
                "above": .model("Page").weak, "free": .jsonValue,
            ])
        registry = try .of(page, ModelSchema("Place", ["x": .integer, "y": .integer]))
        adapter = try JSONAdapter(schema: page, registry: registry)
    }

    private static let document =
        #"{"id":1,"link":"http://a/b","links":["http://a/c"],"days":{"a":"2001-01-01T00:00:00Z"},"tags":["x","y"],"#
        + #""host":"h","x":1,"y":2,"pages":[{"id":2,"links":[]}],"free":{"a":[1.5,null]}}"#

    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    @Test func aViewIsWrittenAsItsModel() throws {
        let model = try adapter.model(from: Self.document)
        let view = model.frozen()
        for (only, except) in [
            (nil, nil), (["id", "place"], nil), (nil, ["pages"]), (nil, .where { $1 == "free" }),
        ] as [(PropertySelection?, PropertySelection?)] {
            let expected = try adapter.data(from: model, only: only, except: except)
            #expect(try text(adapter.data(from: view, only: only, except: except)) == text(expected))
            #expect(try adapter.jsonValue(from: view, only: only, except: except).text() == text(expected))
            #expect(
                try text(adapter.data(from: [view, view], only: only, except: except))
                    == "[\(text(expected)),\(text(expected))]")
        }
        #expect(try text(adapter.data(from: view)) == Self.document)
        let part = try #require(view["pages", as: [DynamicModel].self])
        #expect(try text(adapter.data(from: part)) == #"[{"id":2,"links":[]}]"#)
    }

    @Test func aViewOfASubclassIsWrittenByItsOwnSchema() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = SubTestModel(registry: registry)
        model.role = "r"
        let adapter = JSONAdapter(TestModel.self, registry: registry)
        let view: Frozen<TestModel> = (model as TestModel).frozen()
        #expect(try adapter.data(from: view) == adapter.data(from: model))
        #expect(try text(adapter.data(from: view)).contains(#""role":"r""#))
    }

    @Test func problemsAreLocatedAsInModels() throws {
        let views = try [adapter.model(from: Self.document), DynamicModel(schema: adapter.schema, registry: registry)]
            .map { $0.frozen() }
        let problem = #expect(throws: ModelError.self) { try adapter.data(from: views) }
        #expect(problem?.code == .missingProperty)
        #expect(problem?.pointer?.description == "/1/id")
    }

    /// The bytes and states of the slots of a graph, and the Swift collections in its lists: what reading could change.
    private func image(of model: DynamicModel) -> [UInt] {
        var image: [UInt] = []
        func add(_ slot: PropertySlot) {
            image.append(UInt(slot.slotState.rawValue))
            guard slot.hasValue else { return }
            image.append(slot.pointer.load(as: UInt.self))
            switch slot.description.kind {
            case .model: for index in slot.model.slotIndices { add(slot.model.slot(at: index)) }
            case .array, .set, .dictionary:
                image.append(slot.list.view.load().map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0)
                for index in 0..<slot.list.count { add(slot.list.slot(at: index)) }
            default: break
            }
        }
        for index in model.slotIndices { add(model.slot(at: index)) }
        return image
    }

    @Test func writingWritesNothingToTheGraph() throws {
        var options = JSONAdapterOptions()
        options.didWrite = { model, object in
            if model.schema.name == "Page" { object["@"] = .string(model.schema.name) }
        }
        let marking = try JSONAdapter<DynamicModel>(
            schema: try registry.schema(named: "Page"), registry: registry, options: options)
        let view = try adapter.model(from: Self.document).frozen()
        let before = image(of: view._model)
        #expect(before.count > 30)
        _ = try (adapter.data(from: view), adapter.jsonValue(from: view), adapter.data(from: [view]))
        _ = try (marking.data(from: view), JSONEncoder().encode(view))
        #expect(image(of: view._model) == before)
    }
}
