import Pallium
import Testing

@testable import PalliumStore

/// What is passed to `save` becomes a row, whatever leads to its identity before.
struct StubRowTests {
    private let world: StoreWorld

    init() throws {
        world = try StoreWorld(
            file: nil,
            schemas: [
                ModelSchema("Team", ["id": .integer.required, "title": .string], identity: ["id"]),
                ModelSchema("Item", ["id": .integer.required, "team": .model("Team")], identity: ["id"]),
            ])
    }

    private func item(_ team: DynamicModel) throws -> DynamicModel { try world.make("Item", ["id": 1, "team": team]) }

    private func team(_ title: String?? = .none) throws -> DynamicModel {
        let team = try world.make("Team", ["id": 1])
        if let title { try team.setValue(title, forKey: "title") }
        return team
    }

    @Test func aStubThatIsSavedIsARowAfterAReferenceToIt() throws {
        #expect(try world.store.save([item(team()), team()]) == StoreChanges(inserted: 2))
        #expect(try world.store.count(world.query("Team")) == 1)
    }

    @Test func aStubThatIsSavedIsARowAfterAReferenceToTheSameObject() throws {
        let team = try team()
        #expect(try world.store.save([item(team), team]) == StoreChanges(inserted: 2))
        #expect(try world.store.count(world.query("Team")) == 1)
    }

    /// Unset and null stay apart.
    @Test func aModelWithNullIsARowAfterAReferenceToIt() throws {
        #expect(try world.store.save([item(team()), team(.some(nil))]) == StoreChanges(inserted: 2))
        #expect(try world.fetch("Team").first?.state(of: "title") == .null)
    }

    @Test func aStubThatIsImportedIsARowAfterARowThatLeadsToIt() throws {
        let schemas = [
            ModelSchema("Item", ["id": .integer.required, "next": .model("Item")], identity: ["id"])
        ]
        let world = try StoreWorld(file: nil, schemas: schemas)
        let adapter = try world.adapter("Item")
        #expect(try world.store.import(#"{"id": 1, "next": {"id": 2}}"#, using: adapter) == StoreChanges(inserted: 1))
        #expect(try world.store.import(#"[{"id": 1}, {"id": 2}]"#, using: adapter) == StoreChanges(inserted: 1))
    }

    /// Whether the row that leads to it is mentioned must not matter.
    @Test(arguments: [#"{"id": 2}"#, #"{"id": 2, "next": {"id": 1}}"#])
    func aModelOfADescendantIsImportedWhereARowLeadsToNothing(document: String) throws {
        let schemas = [
            ModelSchema("Item", ["id": .integer.required, "next": .model("Item")], identity: ["id"]),
            ModelSchema("Special", ["extra": .string], extends: "Item"),
        ]
        let world = try StoreWorld(file: nil, schemas: schemas)
        try world.store.import(#"{"id": 1, "next": {"id": 2}}"#, using: world.adapter("Item"))
        #expect(try world.store.import(document, using: world.adapter("Special")) == StoreChanges(inserted: 1))
    }

    /// The row was not in the store, so that it is not one that differs.
    @Test func aRowIsInsertedOnceIfAStubComesFirst() throws {
        #expect(try world.store.save([team(), item(team("a"))]) == StoreChanges(inserted: 2))
    }
}
