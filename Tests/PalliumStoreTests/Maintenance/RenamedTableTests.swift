import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// Schemas that have another name than when their rows were saved.
struct RenamedTableTests {
    private static let former = [
        ModelSchema("Being", ["id": .integer.required, "name": .string.indexed()], identity: ["id"]),
        ModelSchema("Contact", ["mail": .string], extends: "Being"),
        ModelSchema("Ticket", ["id": .integer.required, "title": .string, "owner": .model("Being")], identity: ["id"]),
    ]

    private static func renamed(_ schema: ModelSchema, from old: String) -> ModelSchema {
        var schema = schema
        schema.version = 2
        schema.upgrades = [SchemaUpgrade(from: 1, oldSchemaName: old)]
        return schema
    }

    /// The table of tickets is called after issues now, and contacts are persons in the table of beings.
    private static let present = [
        former[0],
        renamed(ModelSchema("Person", ["mail": .string], extends: "Being"), from: "Contact"),
        renamed(
            ModelSchema(
                "Issue", ["id": .integer.required, "title": .string, "owner": .model("Being")],
                identity: ["id"]), from: "Ticket"),
    ]

    private func savedWorld() throws -> StoreWorld {
        let world = try StoreWorld(schemas: Self.former)
        let ada = try world.make("Contact", ["id": 1, "name": "ada", "mail": "a@b"])
        try world.store.save([
            ada, world.make("Being", ["id": 2, "name": "cat"]),
            world.make("Ticket", ["id": 1, "title": "one", "owner": ada]), world.make("Ticket", ["id": 2]),
        ])
        return world
    }

    private func tables(_ world: StoreWorld) throws -> [String] {
        try world.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").compactMap {
            if case .text(let name) = $0[0], !name.hasPrefix("sqlite_"), !name.hasPrefix("_") { name } else { nil }
        }
    }

    @Test func aNameMayChangeTheCaseOfItsLetters() throws {
        let former = ModelSchema("user", ["id": .integer.required, "name": .string.indexed()], identity: ["id"])
        let world = try StoreWorld(schemas: [former])
        try world.store.save(world.make("user", ["id": 1, "name": "ada"]))
        let present = Self.renamed(
            ModelSchema("User", ["id": .integer.required, "name": .string.indexed()], identity: ["id"]), from: "user")
        let (store, _) = try world.reopened([present])
        let query = ModelQuery(schema: present, where: Key("name") == "ada")
        #expect(try store.fetch(query).map { $0["id", as: Int.self] } == [1])
        #expect(
            try store.import(#"{"id": 2}"#, using: JSONAdapter(schema: present, registry: store.registry)).inserted == 1
        )
        #expect(try store.integrityCheck().isEmpty)
        #expect(try tables(world) == ["User"])
        // The earlier program, and one that never knew the name.
        let (earlier, _) = try world.reopened([former])
        var error = #expect(throws: ModelError.self) { try earlier.count(ModelQuery(schema: former)) }
        #expect(error?.code == .newerVersion)
        let other = ModelSchema("USER", ["id": .integer.required], identity: ["id"])
        let (stranger, _) = try world.reopened([other])
        error = #expect(throws: ModelError.self) { try stranger.count(ModelQuery(schema: other)) }
        #expect(error?.code == .conflict)
    }

    /// A first use of the table, of each kind.
    @Test(arguments: ["fetch", "count", "first", "save", "delete", "import", "upgrade", "reference"])
    func aTableGetsTheNewNameAtItsFirstUse(use: String) throws {
        let world = try savedWorld()
        #expect(try tables(world) == ["Being", "Ticket"])
        let (store, registry) = try world.reopened(Self.present)
        let schema = try registry.schema(named: "Issue")
        let query = ModelQuery(schema: schema)
        switch use {
        case "fetch": #expect(try store.fetch(query).map { $0["title", as: String.self] } == ["one", nil])
        case "count": #expect(try store.count(ModelQuery(schema: schema, where: Key("title") == "one")) == 1)
        case "first": #expect(try store.first(schema, identity: 1)?["title", as: String.self] == "one")
        case "save":
            let model = DynamicModel(schema: schema, registry: registry)
            (model["id"], model["title"]) = (3, "three")
            #expect(try store.save(model) == StoreChanges(inserted: 1))
        case "delete":
            #expect(try store.delete(ModelQuery(schema: schema, where: Key("id") == 2)) == StoreChanges(deleted: 1))
        case "import":
            let changes = try store.import(
                #"{"id": 2, "title": "two"}"#, using: JSONAdapter(schema: schema, registry: registry))
            #expect(changes == StoreChanges(updated: 1))
        case "upgrade": try store.upgrade()
        default:
            let found = try store.fetch(ModelQuery(schema: schema, where: Key("owner.name") == "ada", including: .all))
            #expect(found.map { $0["owner", as: DynamicModel.self]?["mail", as: String.self] } == ["a@b"])
        }
        #expect(try tables(world) == ["Being", "Issue"])
        #expect(try store.count(query) == (use == "save" ? 3 : use == "delete" ? 1 : 2))
        #expect(try store.integrityCheck().isEmpty)
    }

    /// Rows of descendants have their old name until they are written anew.
    @Test func rowsAreFoundByTheNewNameAndByAncestorsBeforeAndAfterTheUpgrade() throws {
        let world = try savedWorld()
        let (store, registry) = try world.reopened(Self.present)
        let (being, person) = (try registry.schema(named: "Being"), try registry.schema(named: "Person"))
        func check() throws {
            let persons = try store.fetch(ModelQuery(schema: person))
            #expect(persons.map(\.schema.name) == ["Person"])
            #expect(persons.first?["mail", as: String.self] == "a@b")
            #expect(try store.count(ModelQuery(schema: person)) == 1)
            #expect(try store.fetch(ModelQuery(schema: being)).map(\.schema.name) == ["Person", "Being"])
            #expect(try store.fetch(ModelQuery(schema: being, where: Key("mail") == "a@b")).count == 1)
            #expect(try store.first(person, identity: 1) != nil)
            #expect(try store.first(person, identity: 2) == nil)
            #expect(try store.first(being, identity: 1)?.schema.name == "Person")
            let owners = try store.fetch(ModelQuery(schema: registry.schema(named: "Issue"), including: .all))
            #expect(owners.first?["owner", as: DynamicModel.self]?.schema.name == "Person")
        }
        try check()
        let upgraded = try store.upgrade()
        // Rows name the versions of all schemas whose models may stand in their table.
        #expect(upgraded == StoreChanges(updated: 4))
        try check()
        #expect(try store.upgrade().isEmpty)
        let names = try world.rows("SELECT \"_schema\" FROM \"Being\" ORDER BY id").map { $0[0] }
        #expect(names == [.text("Person"), .text("Being")])
    }

    /// `_versions` has the versions of all schemas of the table, which no older program takes for that of an ancestor.
    @Test func aRowOfAnAncestorIsReadWhateverItsDescendantsBecome() throws {
        let world = try savedWorld()
        let (store, _) = try world.reopened(Self.present)
        try store.upgrade()
        #expect(try world.rows("SELECT \"_versions\" FROM \"Being\" WHERE id = 2")[0][0] == .text(#"{"Person":2}"#))
        #expect(try world.store.first(world.schema("Being"), identity: 2)?["name", as: String.self] == "cat")
    }

    @Test func deletionsFindRowsOfTheOldName() throws {
        let world = try savedWorld()
        let (store, registry) = try world.reopened(Self.present)
        #expect(try store.delete(ModelQuery(schema: registry.schema(named: "Person"))) == StoreChanges(deleted: 1))
        #expect(try store.fetch(ModelQuery(schema: registry.schema(named: "Being"))).map(\.schema.name) == ["Being"])
    }

    /// A store that is only read cannot give the table its name, and says so; other tables are found as before.
    @Test func aStoreThatIsReadOnlyAsksToBeOpenedForWritingOnce() throws {
        let world = try savedWorld()
        var options = ModelStoreOptions()
        options.isReadOnly = true
        let (store, registry) = try world.reopened(Self.present, options: options)
        let schema = try registry.schema(named: "Issue")
        for call in [
            { _ = try store.fetch(ModelQuery(schema: schema)) }, { _ = try store.count(ModelQuery(schema: schema)) },
            { _ = try store.first(schema, identity: 2) },
        ] as [() throws -> Void] {
            let error = #expect(throws: ModelError.self, performing: call)
            #expect(error?.description.contains("Ticket") == true)
        }
        #expect(try store.count(ModelQuery(schema: registry.schema(named: "Person"))) == 1)
        #expect(try tables(world) == ["Being", "Ticket"])
        let writer = try world.reopened(Self.present)
        #expect(try writer.store.count(ModelQuery(schema: writer.registry.schema(named: "Issue"))) == 2)
        #expect(try store.count(ModelQuery(schema: schema)) == 2)
    }

    @Test func aProgramWithTheOldNameIsToldOfTheLaterVersion() throws {
        let world = try savedWorld()
        let (store, registry) = try world.reopened(Self.present)
        let issue = try #require(try store.first(registry.schema(named: "Issue"), identity: 1))
        issue["title"] = "new"
        try store.save(issue)
        // Its rows are not in the table that the old program knows; it must not take that for an empty one, or make it.
        let old = try world.reopened(Self.former)
        let ticket = try old.registry.schema(named: "Ticket")
        let new = DynamicModel(schema: ticket, registry: old.registry)
        for key in ticket.identity { new[key] = 9 }
        for call in [
            { _ = try old.store.fetch(ModelQuery(schema: ticket)) }, { _ = try old.store.first(ticket, identity: 1) },
            { try old.store.save(new) },
        ] as [() throws -> Void] {
            let error = #expect(throws: ModelError.self) { try call() }
            #expect(error?.code == .newerVersion, "\(error?.description ?? "")")
        }
        #expect(try store.count(ModelQuery(schema: registry.schema(named: "Issue"))) == 2)
    }
}
