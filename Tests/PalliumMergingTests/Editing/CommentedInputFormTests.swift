import Foundation
import Pallium
import PalliumStore
import Testing

/// Every call that reads JSON with an adapter, or with reading options, reads the comments that they accept.
struct CommentedInputFormTests {
    private let registry = SchemaRegistry()
    private let adapter: JSONAdapter<DynamicModel>

    init() throws {
        let item = ModelSchema("Item", ["id": .integer.required, "text": .string], identity: ["id"])
        try registry.register(item)
        adapter = try JSONAdapter(schema: item, registry: registry).with { $0.reading.comments = .accept }
    }

    private static let one = "// a\n{\"id\": 1, /* b */ \"text\": \"//\",} // c"
    private static let many = "/* a */ [\(one)\n, // b\n]"

    private func item(_ document: String = #"{"id": 1}"#) throws -> DynamicModel { try adapter.model(from: document) }

    @Test func oneModelAndSeveral() throws {
        #expect(try item(Self.one)["text", as: String.self] == "//")
        #expect(try adapter.model(from: Data(Self.one.utf8)) == item(Self.one))
        #expect(try adapter.models(from: Self.many).map { $0["text", as: String.self] } == ["//"])
        #expect(adapter.report(from: Self.one).problems.isEmpty)
        #expect(adapter.report(from: Self.many).models.count == 1)
    }

    @Test func partialDocuments() throws {
        let model = try item()
        #expect(try adapter.merge(Self.one, into: model).keys == ["text"])
        let edited = try item()
        edited.trackChanges()
        edited["text"] = "mine"
        #expect(try adapter.rebase(edited, onto: Self.one).conflicts.count == 1)
        try edited.validate()
    }

    @Test func rowsOfAStore() throws {
        let store = try ModelStore(at: nil, registry: registry)
        #expect(try store.import(Self.many, using: adapter).inserted == 1)
        #expect(try store.import("{\"id\": 1, /* x */ \"text\": null}", using: adapter).updated == 1)
    }

    @Test func patches() throws {
        var options = JSONReadingOptions()
        options.comments = .accept
        let patch = try JSONPatch(
            parsing: "[ // a\n {\"op\": \"replace\", /* b */ \"path\": \"/text\", \"value\": \"x\"}, ]",
            options: options)
        #expect(try patch.applied(to: ["text": "y"]) == ["text": "x"])
        #expect(throws: ModelError.self) { try JSONPatch(parsing: "[/**/]") }
    }

    /// The text of a value is not the text of a document.
    @Test func whatIsWrittenHasNoComments() throws {
        let model = try item(Self.one)
        #expect(String(decoding: try adapter.data(from: model), as: UTF8.self) == #"{"id":1,"text":"//"}"#)
    }

    @Test func projectionsReadCommentsToo() throws {
        let few = try adapter.projected(to: ["id"])
        let model = try few.model(from: "{\"text\": /* a */ [/* b */ 1, // c ]\n], \"id\": /**/ 2}")
        #expect(model["id", as: Int.self] == 2)
    }

    @Test func unknownMembersAreKeptWithoutComments() throws {
        let keeping = adapter.with { $0.unknownMembers = .keep }
        let model = try keeping.model(from: "{\"id\": 1, \"x\": [1, /* a */ {\"y\": 2, // b\n}], }")
        #expect(String(decoding: try keeping.data(from: model), as: UTF8.self) == #"{"id":1,"x":[1,{"y":2}]}"#)
    }
}
