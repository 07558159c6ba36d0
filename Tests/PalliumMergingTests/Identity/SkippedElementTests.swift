import Foundation
import Pallium
import TestSupport
import Testing

/// Documents of which some elements cannot be imported.
struct SkippedElementTests {
    private static let user = ModelSchema(
        "User", ["id": .integer.required, "login": .string.required], identity: ["id"])
    private static let issue = ModelSchema(
        "Issue", ["id": .integer.required, "title": .string, "assignee": .model("User")], identity: ["id"])

    private let map = IdentityMap()
    private let registry: SchemaRegistry

    init() throws { registry = try .of(Self.user, Self.issue) }

    private func load(
        _ text: String, _ elements: JSONAdapterOptions.ElementPolicy = .skip
    ) throws -> IdentityMap.ImportedModels<DynamicModel> {
        var options = JSONAdapterOptions()
        options.elements = elements
        options.reading.duplicateMembers = .lastWins
        let adapter = try JSONAdapter(schema: Self.issue, registry: registry, options: options)
        return try map.import(text.replacingOccurrences(of: "'", with: "\""), using: adapter)
    }

    private func ids(_ models: IdentityMap.ImportedModels<DynamicModel>) -> [Int?] {
        models.map { $0["id", as: Int.self] }
    }

    /// A reference that a later element completes.
    private static let completed = "{'id': 1, 'assignee': {'id': 7}}, {'id': 2, 'assignee': {'id': 7, 'login': 'x'}}"

    @Test(arguments: [JSONAdapterOptions.ElementPolicy.fail, .skip])
    func elementsCompleteOneAnother(elements: JSONAdapterOptions.ElementPolicy) throws {
        let models = try load("[\(Self.completed)]", elements)
        try #require(ids(models) == [1, 2])
        #expect(models[0].model("assignee") === models[1].model("assignee"))
        #expect(models[0].model("assignee")?["login", as: String.self] == "x")
    }

    @Test func elementsCompleteOneAnotherBesideOneThatIsRefused() throws {
        let models = try load("[{'id': 3, 'assignee': {'id': 8}}, \(Self.completed), {'id': 4, 'assignee': {}}]")
        try #require(ids(models) == [1, 2])
        #expect(models[0].model("assignee") === models[1].model("assignee"))
        #expect(try load("{'id': 3}")[0]["assignee"] == nil)
    }

    @Test func changesPointToTheElementsOfTheDocument() throws {
        let issues = try load("[{'id': 1}, {'id': 2}]")
        // One that cannot be decoded, alone and beside one that cannot be imported.
        #expect(try load("[{'id': 'x'}, {'id': 1, 'title': 'A'}]").changes.pointers == ["/1/title"])
        let changed = try load(
            """
            [{'id': 'x'}, {'id': 1, 'title': 'B'}, null, {'id': 3, 'assignee': {'id': 8}}, {'id': 2, 'title': 'C'}]
            """)
        #expect(changed.changes.pointers == ["/1/title", "/4/title"])
        try #require(changed.map { $0["title", as: String.self] } == ["B", "C"])
        #expect(changed[0] === issues[0] && changed[1] === issues[1])
        // The last of several members counts, and every one is checked.
        #expect(
            try load("[{'id': 1, 'id': 'x'}, {'id': 1, 'id': 2, 'title': 'D'}]").changes.pointers == ["/1/title"])
        withExtendedLifetime(issues) {}
    }

    @Test func aDocumentThatIsNoListIsRefused() throws {
        #expect(throws: ModelError.self) { try load("{'id': 3, 'assignee': {'id': 8}}") }
        #expect(throws: ModelError.self) { try load("[{'id': 3}") }
        #expect(try load("[{'id': 3, 'assignee': {'id': 8}}]").isEmpty)
    }
}
