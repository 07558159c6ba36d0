import Foundation
import Pallium
import TestSupport
import Testing

@Suite("Parent links through JSON")
struct ParentLinkTests {
    /// Plain trees, whose branches may come from a path that is put together at the end, and with a hook that looks up.
    private func adapter(
        branches: PropertySchema = PropertySchema.array(of: .model("Tree")).inverse("parent"),
        hook: (@Sendable (DynamicModel) throws -> Void)? = nil
    ) throws -> JSONAdapter<DynamicModel> {
        let registry = SchemaRegistry()
        var schema = ModelSchema(
            "Tree", ["name": .string.required, "parent": .model("Tree").weak, "branches": branches])
        if let hook { schema = schema.didDecode(hook) }
        try registry.register(schema)
        return try JSONAdapter(schema: schema, registry: registry)
    }

    private static let text = #"{"name": "a", "branches": [{"name": "b", "branches": [{"name": "c"}]}, {"name": "d"}]}"#

    private func checkLinks(of tree: DynamicModel, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let branches = try #require(tree["branches", as: [DynamicModel].self], sourceLocation: sourceLocation)
        #expect(branches.count == 2, sourceLocation: sourceLocation)
        for branch in branches {
            #expect(branch["parent", as: DynamicModel.self] === tree, sourceLocation: sourceLocation)
        }
        let leaf = try #require(branches[0]["branches", as: [DynamicModel].self]?[0], sourceLocation: sourceLocation)
        #expect(leaf["parent", as: DynamicModel.self] === branches[0], sourceLocation: sourceLocation)
        #expect(tree["parent"] == nil, sourceLocation: sourceLocation)
    }

    @Test func decodedChildrenAreLinked() throws {
        let adapter = try adapter()
        let bytes = Array(Self.text.utf8)
        try checkLinks(of: adapter.model(from: bytes))
        try checkLinks(of: adapter.model(from: JSONValue(parsing: bytes)))
        try checkLinks(of: #require(adapter.report(from: bytes).model))
        try checkLinks(of: adapter.models(from: Array("[\(Self.text)]".utf8))[0])
    }

    @Test func childrenOfDeferredPropertiesAreLinked() throws {
        let branches = PropertySchema.array(of: .model("Tree")).inverse("parent")
        try checkLinks(
            of: adapter(branches: branches.json(firstOf: ["x", "branches"])).model(from: Array(Self.text.utf8)))
    }

    @Test func hooksOfTheParentSeeTheLinks() throws {
        let adapter = try adapter(hook: { tree in
            for branch in tree["branches", as: [DynamicModel].self] ?? [] {
                guard branch["parent", as: DynamicModel.self] === tree else { throw FixtureError.refused }
            }
        })
        try checkLinks(of: adapter.model(from: Array(Self.text.utf8)))
    }

    /// A link leads up, so writing it would be a cycle.
    @Test func linksAreNotWritten() throws {
        let adapter = try adapter()
        let tree = try adapter.model(from: Array(Self.text.utf8))
        #expect(try adapter.jsonValue(from: tree) == JSONValue(parsing: Array(Self.text.utf8)))
    }
}
