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

    /// *Identity*, section *A model or its identity*.
    @Test func anIdentityInPlaceOfAModelIsAReference() throws {
        let world = try StoreWorld(
            file: nil,
            schemas: [
                ModelSchema(
                    "Customer", ["id": .string.required, "name": .string.required], identity: ["id"],
                    allowsStubs: true),
                ModelSchema(
                    "Charge", ["id": .integer.required, "customer": .model("Customer").byIdentity], identity: ["id"]),
            ])
        let (charges, customers) = try (world.adapter("Charge"), world.adapter("Customer"))
        // No row is made of it, and none is needed.
        #expect(
            try world.store.import(#"[{"id": 1, "customer": "a"}, {"id": 2, "customer": "b"}]"#, using: charges)
                == StoreChanges(inserted: 2))
        #expect(try world.store.count(world.query("Customer")) == 0)
        #expect(try world.store.integrityCheck().isEmpty)
        let charge = try #require(try world.store.first(world.schema("Charge"), identity: 1))
        #expect(try charges.jsonValue(from: charge).text() == #"{"id":1,"customer":"a"}"#)
        // A row is never replaced by it.
        try world.store.import(#"{"id": "a", "name": "Ada"}"#, using: customers)
        try world.store.import(#"{"id": 3, "customer": "a"}"#, using: charges)
        try world.store.save(charges.model(from: #"{"id": 4, "customer": "a"}"#))
        let all = try world.store.fetch(world.query("Charge", order: [.ascending("id")], including: .all))
        let texts = try all.map { try charges.jsonValue(from: $0).text() }
        #expect(
            texts == [
                #"{"id":1,"customer":{"id":"a","name":"Ada"}}"#, #"{"id":2,"customer":"b"}"#,
                #"{"id":3,"customer":{"id":"a","name":"Ada"}}"#, #"{"id":4,"customer":{"id":"a","name":"Ada"}}"#,
            ])
        // A stub that is a row itself would be incomplete.
        let stub = try world.make("Customer", ["id": "c"])
        #expect(throws: ModelError.self) { try world.store.save(stub) }
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
