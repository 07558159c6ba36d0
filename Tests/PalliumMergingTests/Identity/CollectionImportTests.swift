import Foundation
import Pallium
import TestSupport
import Testing

/// Collections of instances and of values, imported once and again.
@Suite("Imports of collections")
struct CollectionImportTests {
    let fixtures: IdentityFixtures
    let shelf: DynamicModel

    private static let document = """
        {'id': 1, 'notes': [{'city': 'London'}, {'city': 'Paris'}], 'tags': ['a'], 'names': {'x': 'y'}, 'nothing': null,
         'gaps': [null, {'id': 7, 'name': 'ada'}], 'grid': [[{'id': 7}, {'id': 8}], [{'id': 8}]],
         'people': {'first': {'id': 7}}}
        """

    init() throws {
        fixtures = try IdentityFixtures()
        try fixtures.registry.register(
            ModelSchema(
                "Shelf",
                [
                    "id": .integer, "notes": .array(of: .model("Address")), "tags": .array(of: .string),
                    "names": .dictionary(of: .string), "gaps": .array(of: .model("Person").nullable),
                    "grid": .set(of: .array(of: .model("Person"))), "people": .dictionary(of: .model("Person")),
                    "nothing": .model("Person"), "hosts": .dictionary(of: .model("Address")),
                ], identity: ["id"]))
        shelf = try fixtures.load("Shelf", Self.document)[0]
    }

    private func people(_ key: String) -> [DynamicModel?] { shelf[key, as: [DynamicModel?].self] ?? [] }

    @Test func modelsAreUnifiedBelowNullAndWithinNestedCollections() throws {
        let ada = try #require(people("gaps").last ?? nil)
        #expect(people("gaps").first == .some(nil))
        let grid = shelf["grid", as: [[DynamicModel]].self] ?? []
        #expect(grid.map(\.count) == [2, 1])
        #expect(grid[0][0] === ada)
        #expect(grid[0][1] === grid[1][0])
        #expect(shelf["people", as: [String: DynamicModel].self]?["first"] === ada)
        #expect(ada["name", as: String.self] == "ada")
    }

    @Test(arguments: [false, true])
    func theSameDocumentOnceMoreChangesNothing(isTracked: Bool) throws {
        if isTracked { shelf.trackChanges() }
        let notes = shelf.models("notes")
        #expect(try fixtures.load("Shelf", Self.document).changes.isEmpty)
        #expect(!shelf.hasChanges)
        #expect(zip(shelf.models("notes"), notes).allSatisfy { $0 === $1 })
    }

    @Test(arguments: [false, true])
    func whatDiffersIsTaken(isTracked: Bool) throws {
        if isTracked { shelf.trackChanges() }
        let changes = try fixtures.load(
            "Shelf",
            """
            {'id': 1, 'notes': [{'city': 'London'}], 'tags': ['a', 'b'], 'names': {'x': 'z'}, 'nothing': {'id': 9},
             'gaps': [{'id': 7}, null]}
            """
        ).changes
        #expect(Set(changes.keys) == ["notes", "tags", "names", "nothing", "gaps"])
        #expect(shelf.models("notes").count == 1)
        #expect(people("gaps").map { $0?["id", as: Int.self] } == [7, nil])
        #expect(shelf.model("nothing")?["id", as: Int.self] == 9)
        #expect(!shelf.hasChanges)
    }

    @Test func anEditOfAValueInACollectionSurvives() throws {
        shelf.trackChanges()
        shelf.models("notes")[0]["city"] = "Rome"
        let changes = try fixtures.load("Shelf", "{'id': 1, 'notes': [{'city': 'Oslo'}]}").changes
        #expect(shelf.models("notes").map { $0["city", as: String.self] } == ["Rome", "Paris"])
        #expect(changes.conflicts.pointers == ["/notes"])
        #expect(shelf.hasChanges)
    }

    @Test func anEqualValueThatLeadsToAnInstanceStays() throws {
        let document = """
            {'id': 3, 'notes': [{'city': 'Rome', 'host': {'id': 9}}], 'hosts': {'a': {'city': 'Bern', 'host': {'id': 9}}}}
            """
        let imported = try fixtures.load("Shelf", document)[0]
        let note = imported.models("notes")[0]
        #expect(try fixtures.load("Shelf", document).changes.isEmpty)
        #expect(imported.models("notes")[0] === note)
        // Another instance that is equal but for its identity is another value.
        let other = document.replacing("'host': {'id': 9}}]", with: "'host': {'id': 8}}]")
        try fixtures.load("Shelf", other)
        #expect(imported.models("notes")[0].model("host")?["id", as: Int.self] == 8)
    }

    @Test func whatIsNewBesideTrackedModelsIsNotTracked() throws {
        let others = try fixtures.load("Issue", "[{'id': 1}, {'id': 2}]")
        others[0].trackChanges()
        try fixtures.load(
            "Issue",
            """
            [{'id': 1, 'title': 'x'}, {'id': 2, 'assignee': {'id': 5}},
             {'id': 2, 'assignee': {'id': 5, 'address': {'city': 'Rome'}}}, {'id': 2, 'people': {'a': {'id': 6}}}]
            """)
        let assignee = try #require(others[1].model("assignee"))
        #expect(!assignee.isTrackingChanges)
        #expect(assignee.model("address")?.isTrackingChanges == false)
    }

    /// The address is new, changed by a second occurrence, and part of a person that nobody tracks.
    @Test func whatANewValueHoldsIsNotTracked() throws {
        let others = try fixtures.load("Person", "[{'id': 1}, {'id': 2}]")
        others[0].trackChanges()
        try fixtures.load(
            "Person",
            """
            [{'id': 1, 'name': 'x'}, {'id': 2, 'home': {'city': 'Rome'}}, {'id': 2, 'home': {'host': {'id': 9}}}]
            """)
        let home = try #require(others[1].model("home"))
        #expect(!home.isTrackingChanges)
        #expect(home.model("host")?.isTrackingChanges == false)
    }

    @Test func aProblemBelowADictionaryNamesItsKey() throws {
        let error = try fixtures.problem("Shelf", "{'id': 2, 'hosts': {'a/b': {'zip': 'N1'}}}")
        #expect(error?.code == .missingProperty)
        #expect(error?.pointer?.description == "/hosts/a~1b")
        #expect(error?.location?.description == "1:28")
    }

    @Test func whatIsNewAndMentionedTwiceIsTrackedOnce() throws {
        shelf.trackChanges()
        try fixtures.load(
            "Shelf", "{'id': 1, 'nothing': {'id': 9, 'name': 'x'}, 'gaps': [{'id': 9, 'age': 3}, {'id': 9, 'age': 4}]}")
        let new = try #require(shelf.model("nothing"))
        #expect(new.isTrackingChanges && !shelf.hasChanges)
        #expect(new["age", as: Int.self] == 4)
        new["age"] = 5
        // A model that stands in several places is told at the first.
        #expect(shelf.pendingChanges.pointers == ["/gaps/0/age"])
        #expect(new.changedKeys == ["age"])
    }
}
