import Foundation
import Pallium
import Synchronization
import Testing

@testable import PalliumStore

/// Rows of other versions of their schemas, and tables for other indexes.
struct StoredVersionTests {
    private static let former = [
        ModelSchema("Team", ["code": .string.required, "label": .string], identity: ["code"]),
        ModelSchema("Address", ["town": .string]),
        ModelSchema(
            "Person",
            [
                "id": .integer.required, "fullName": .string.indexed(), "home": .model("Address"),
                "former": .array(of: .model("Address")), "team": .model("Team"),
            ], identity: ["id"]),
    ]

    private static func upgraded(_ schema: ModelSchema, _ version: Int, _ steps: [SchemaUpgrade]) -> ModelSchema {
        var schema = schema
        schema.version = version
        schema.upgrades = steps
        return schema
    }

    private static let present = [
        upgraded(
            ModelSchema("Team", ["key": .string.required, "label": .string], identity: ["key"]), 2,
            [SchemaUpgrade(from: 1, renamed: ["code": "key"])]),
        upgraded(
            ModelSchema("Address", ["city": .string]), 3,
            [SchemaUpgrade(from: 1, renamed: ["town": "place"]), SchemaUpgrade(from: 2, renamed: ["place": "city"])]),
        upgraded(
            ModelSchema(
                "Person",
                [
                    "id": .integer.required, "name": .string.indexed(), "since": .date.indexed(),
                    "home": .model("Address"), "former": .array(of: .model("Address")), "team": .model("Team"),
                ], identity: ["id"]), 2,
            [SchemaUpgrade(from: 1, renamed: ["fullName": "name"], defaults: ["since": "2001-01-01T00:00:05Z"])]),
    ]

    private func savedWorld() throws -> StoreWorld {
        let world = try StoreWorld(schemas: Self.former)
        let address = try world.make("Address", ["town": "Bern"])
        let team = try world.make("Team", ["code": "core", "label": "Core"])
        try world.store.save(
            try (1...3).map {
                try world.make(
                    "Person", ["id": $0, "fullName": "P\($0)", "home": address, "former": [address], "team": team])
            })
        return world
    }

    /// An earlier program neither changes nor deletes what it cannot read.
    @Test(arguments: ["save", "save all", "import", "delete", "delete by query", "session", "transaction"])
    func rowsOfALaterVersionAreNotChanged(_ call: String) throws {
        let former = [
            ModelSchema("Pet", ["name": .string]),
            ModelSchema("Owner", ["id": .integer.required, "name": .string, "pet": .model("Pet")], identity: ["id"]),
        ]
        let world = try StoreWorld(schemas: former)
        let present = [
            Self.upgraded(
                ModelSchema("Pet", ["title": .string]), 2, [SchemaUpgrade(from: 1, renamed: ["name": "title"])]),
            ModelSchema("Owner", ["id": .integer.required, "name": .string, "pet": .model("Pet")], identity: ["id"]),
        ]
        let (later, registry) = try world.reopened(present)
        let pet = DynamicModel(schema: present[0], registry: registry)
        pet["title"] = "Rex"
        let owner = DynamicModel(schema: present[1], registry: registry)
        owner["id"] = 1
        owner["pet"] = pet
        try world.store.save(world.make("Owner", ["id": 2, "name": "b"]))
        let session = ModelSession(world.store)
        let second = try #require(try session.first(world.schema("Owner"), identity: 2))
        try later.save(owner)
        try later.upgrade()
        let (one, two) = (
            try world.make("Owner", ["id": 1, "name": "x"]), try world.make("Owner", ["id": 2, "name": "x"])
        )
        func run() throws {
            switch call {
            case "save": try world.store.save(one)
            case "save all": try world.store.save([world.make("Owner", ["id": 3]), two, one])
            case "import":
                try world.store.import(#"[{"id": 3}, {"id": 1, "name": "x"}]"#, using: world.adapter("Owner"))
            case "delete":
                try session.delete(second)
                try session.save()
            case "delete by query": try world.store.delete(world.query("Owner", where: Key("id") < 5))
            case "session":
                second["name"] = "y"
                try session.save()
            default:
                let three = try world.make("Owner", ["id": 3])
                try world.store.transaction { store in
                    try store.save([three])
                    try store.save([one])
                }
            }
        }
        let error = #expect(throws: ModelError.self) { try run() }
        #expect(error?.code == .newerVersion, "\(error.map { "\($0)" } ?? "none")")
        let found = try later.fetch(ModelQuery(schema: present[1], order: [.ascending("id")]))
        #expect(found.map { $0["name", as: String.self] } == [nil, "b"])
        #expect(found[0]["pet", as: DynamicModel.self]?["title"] as? String == "Rex")
    }

    /// A read makes columns, but it does not shut earlier programs out.
    @Test func anIndexOfALaterVersionLeavesTheRowsAsTheyAre() throws {
        let former = ModelSchema("Note", ["id": .integer.required, "text": .string], identity: ["id"])
        let present = Self.upgraded(
            ModelSchema("Note", ["id": .integer.required, "title": .string.indexed()], identity: ["id"]), 2,
            [SchemaUpgrade(from: 1, renamed: ["text": "title"])])
        let world = try StoreWorld(schemas: [former])
        try world.store.save((1...3).map { try world.make("Note", ["id": $0, "text": "t\($0)"]) })
        let (later, _) = try world.reopened([present])
        let query = ModelQuery(schema: present, where: Key("title") == "t2")
        #expect(try later.fetch(query).map { $0["id", as: Int.self] } == [2])
        #expect(try later.integrityCheck().isEmpty)
        let (earlier, _) = try world.reopened([former])
        let all = ModelQuery(schema: former, order: [.ascending("id")])
        #expect(try earlier.fetch(all).map { $0["text", as: String.self] } == ["t1", "t2", "t3"])
        #expect(try later.fetch(query).map { $0["id", as: Int.self] } == [2])
        // An upgrade does what its name says.
        #expect(try later.upgrade().updated == 3)
        let error = #expect(throws: ModelError.self) { try earlier.fetch(all) }
        #expect(error?.code == .newerVersion)
        #expect(try later.fetch(query).map { $0["id", as: Int.self] } == [2])
    }

    @Test func rowsOfAnEarlierVersionAreChangedAndDeleted() throws {
        let world = try savedWorld()
        let (store, registry) = try world.reopened(Self.present)
        let schema = try registry.schema(named: "Person")
        let one = DynamicModel(schema: schema, registry: registry)
        one["id"] = 1
        one["name"] = "new"
        #expect(try store.save(one) == StoreChanges(updated: 1))
        #expect(try store.save(one).isEmpty)
        #expect(try store.delete(ModelQuery(schema: schema, where: Key("id") >= 2)) == StoreChanges(deleted: 2))
        #expect(try store.fetch(ModelQuery(schema: schema)).map { $0["name", as: String.self] } == ["new"])
    }

    @Test func rowsAreUpgradedWhenTheyAreRead() throws {
        let world = try savedWorld()
        let (store, registry) = try world.reopened(Self.present)
        let schema = try registry.schema(named: "Person")
        let found = try store.fetch(ModelQuery(schema: schema, where: Key("name") == "P2", including: .all))
        try #require(found.count == 1)
        #expect(found[0]["name", as: String.self] == "P2")
        #expect(found[0]["since", as: Date.self] == Date(timeIntervalSinceReferenceDate: 5))
        #expect(found[0]["home", as: DynamicModel.self]?["city", as: String.self] == "Bern")
        #expect(found[0]["former", as: [DynamicModel].self]?[0]["city", as: String.self] == "Bern")
        let team = found[0]["team", as: DynamicModel.self]
        #expect(team?["key", as: String.self] == "core" && team?["label", as: String.self] == "Core")
        #expect(try store.count(ModelQuery(schema: schema, where: Key("since") != nil)) == 3)
        // Rows of earlier versions are tested one by one, until they are written anew.
        let query = ModelQuery(schema: schema, where: Key("since") == nil)
        #expect(try !store.plan(of: query).contains("Person.since"))
        // Nobody has changed anything.
        #expect(try store.save(found).isEmpty)
        #expect(try store.upgrade().updated == 4)
        #expect(try store.save(found).isEmpty)
        #expect(try store.plan(of: query).contains("Person.since"))
    }

    @Test func rowsOfALaterVersionAreErrors() throws {
        let world = try savedWorld()
        let later = try world.reopened(Self.present)
        try later.store.upgrade()
        let error = #expect(throws: ModelError.self) { try world.fetch("Person") }
        #expect(error?.code == .newerVersion)
        // The rows are as they were.
        #expect(try later.store.fetch(ModelQuery(schema: later.registry.schema(named: "Person"))).count == 3)
    }

    @Test func versionsThatNoStepKnowsAreErrors() throws {
        let world = try savedWorld()
        var schemas = Self.present
        schemas[1] = Self.upgraded(ModelSchema("Address", ["city": .string]), 3, [SchemaUpgrade(from: 2)])
        let (store, registry) = try world.reopened(schemas)
        let error = #expect(throws: ModelError.self) {
            try store.fetch(ModelQuery(schema: registry.schema(named: "Person")))
        }
        #expect(error?.code == .olderVersion && error?.pointer?.description == "/Person/1/home")
    }

    /// Two programs whose schemas have other indexes, at once: each finds what it saved and what the other did.
    @Test func indexesMayComeAndGo() throws {
        func schemas(_ isIndexed: Bool) -> [ModelSchema] {
            [
                ModelSchema(
                    "Note", ["id": .integer.required, "text": isIndexed ? .string.indexed() : .string], identity: ["id"]
                )
            ]
        }
        let world = try StoreWorld(schemas: schemas(false))
        let (store, registry) = try world.reopened(schemas(true))
        for number in 1...3 {
            try world.store.save(world.make("Note", ["id": number * 2, "text": "a"]))
            let note = DynamicModel(schema: try registry.schema(named: "Note"), registry: registry)
            note["id"] = number * 2 + 1
            note["text"] = "a"
            try store.save(note)
            #expect(
                try store.count(ModelQuery(schema: registry.schema(named: "Note"), where: Key("text") == "a")) == number
                    * 2)
            #expect(try world.fetch("Note", where: Key("text") == "a").count == number * 2)
        }
        var options = ModelStoreOptions()
        options.isReadOnly = true
        let reader = try world.reopened(schemas(true), options: options)
        let query = ModelQuery(schema: try reader.registry.schema(named: "Note"), where: Key("text") == "a")
        #expect(try reader.store.count(query) == 6)
    }

    @Test func aUniqueIndexThatRowsBreakIsRefused() throws {
        let plain = [ModelSchema("Note", ["id": .integer.required, "text": .string], identity: ["id"])]
        let world = try StoreWorld(schemas: plain)
        try world.store.save([1, 2].map { try world.make("Note", ["id": $0, "text": "same"]) })
        let unique = [
            ModelSchema("Note", ["id": .integer.required, "text": .string.indexed(.unique)], identity: ["id"])
        ]
        let (store, registry) = try world.reopened(unique)
        let error = #expect(throws: ModelError.self) {
            try store.fetch(ModelQuery(schema: registry.schema(named: "Note")))
        }
        #expect(error?.code == .conflict)
        #expect(try world.fetch("Note").count == 2)
    }

    @Test(
        arguments: [
            ([ModelSchema("A", ["id": .decimal.required], identity: ["id"])], "A", ModelError.Code.notConvertible),
            ([ModelSchema("A", ["id": .integer.required, "Id": .string.indexed()], identity: ["id"])], "A", .conflict),
            ([ModelSchema("A", ["id": .integer])], "A", .typeMismatch),
            (
                [
                    ModelSchema("A", ["id": .integer.required], identity: ["id"]),
                    ModelSchema("a", ["id": .integer.required], identity: ["id"]),
                ], "a", .conflict
            ),
            ([ModelSchema("sqlite_a", ["id": .integer.required], identity: ["id"])], "sqlite_a", .conflict),
            ([ModelSchema("SQLite_a", ["id": .integer.required], identity: ["id"])], "SQLite_a", .conflict),
            ([ModelSchema("_a", ["id": .integer.required], identity: ["id"])], "_a", .conflict),
        ] as [([ModelSchema], String, ModelError.Code)])
    func tablesThatCannotBeAreRefused(schemas: [ModelSchema], name: String, code: ModelError.Code) throws {
        let world = try StoreWorld(schemas: schemas)
        if schemas.count > 1 { try world.store.save(world.make("A", ["id": 1])) }
        let error = #expect(throws: ModelError.self) { try world.fetch(name) }
        #expect(error?.code == code, "\(error?.description ?? "")")
    }

    @Test func oddNamesAreQuoted() throws {
        let schema = ModelSchema(
            "a\"b'c; DROP TABLE x",
            ["_schema": .integer.required, "select \"": .string.indexed(), "é": .integer.indexed()],
            identity: ["_schema"])
        let world = try StoreWorld(schemas: [schema])
        let model = try world.make(schema.name, ["_schema": 1, "select \"": "x", "é": 2])
        try world.store.save(model)
        #expect(try world.fetch(schema.name) == [model])
        #expect(try world.fetch(schema.name, where: Key("select \"") == "x" && Key("_schema") == 1) == [model])
    }

    /// An edit takes the row away from earlier programs, but not the rows that it refers to.
    @Test func aSaveWritesNoRowThatIsTheSame() throws {
        let world = try savedWorld()
        let (store, registry) = try world.reopened([Self.former[0], Self.present[1], Self.present[2]])
        let person = try #require(
            try store.first(registry.schema(named: "Person"), identity: 1, including: .all))
        person["name"] = "new"
        #expect(try store.save(person) == StoreChanges(updated: 1))
        #expect(
            try world.rows("SELECT _versions FROM Person ORDER BY id").map { $0[0] } == [
                .text(#"{"Address":3,"Person":2}"#), .text("{}"), .text("{}"),
            ])
    }

    // MARK: Identities

    /// A step renames the property by which rows are found. Programs of both versions find them, and write beside each other.
    @Test(arguments: ["earlier first", "later first"]) func aRenamedIdentityKeepsItsColumn(order: String) throws {
        let world = try StoreWorld(schemas: Self.former)
        let (later, registry) = try world.reopened(Self.present)
        let (team, former) = (try registry.schema(named: "Team"), try world.schema("Team"))
        func write(_ store: ModelStore, _ registry: SchemaRegistry, _ schema: ModelSchema, _ key: String) throws {
            let model = DynamicModel(schema: schema, registry: registry)
            model[key] = key
            model["label"] = "of \(key)"
            try store.save(model)
        }
        if order == "earlier first" { try write(world.store, world.registry, former, "code") }
        try write(later, registry, team, "key")
        if order == "later first" { try write(world.store, world.registry, former, "code") }

        // The earlier program misses nothing but the row that it cannot read.
        #expect(try world.store.count(ModelQuery(schema: former)) == 2)
        #expect(try world.store.first(former, identity: "code")?["label", as: String.self] == "of code")
        let error = #expect(throws: ModelError.self) { try world.store.first(former, identity: "key") }
        #expect(error?.code == .newerVersion)
        let reports = Mutex<[String]>([])
        let query = ModelQuery(
            schema: former, rows: .skip { error in reports.withLock { $0.append("\(error.code) \(error.pointer!)") } })
        #expect(try world.store.fetch(query).map { $0["code", as: String.self] } == ["code"])
        #expect(reports.withLock(\.self) == ["newerVersion /Team/key"])

        // The later one reads both.
        #expect(try later.first(team, identity: "code")?["label", as: String.self] == "of code")
        let sorted = ModelQuery(schema: team, order: [.descending("key")])
        #expect(try later.fetch(sorted).map { $0["key", as: String.self] } == ["key", "code"])
        #expect(try later.integrityCheck().isEmpty)
        #expect(try later.upgrade() == StoreChanges(updated: 1))
        #expect(try later.delete(sorted).deleted == 2)
    }

    /// References of rows of both versions lead to rows of both.
    @Test func referencesLeadToRowsWithARenamedIdentity() throws {
        let world = try savedWorld()
        let (later, registry) = try world.reopened(Self.present)
        let (team, person) = (try registry.schema(named: "Team"), try registry.schema(named: "Person"))
        let one = try #require(try later.first(person, identity: 1, including: .all))
        try #require(one["team", as: DynamicModel.self])["label"] = "Crew"
        try later.save(one)
        let crew = ModelQuery(schema: person, where: Key("team.label") == "Crew" && Key("team.key") == "core")
        #expect(try later.count(crew) == 3)
        #expect(try later.fetch(ModelQuery(schema: team)).map { $0["key", as: String.self] } == ["core"])
        let former = try ModelQuery(schema: world.schema("Person"), where: Key("id") == 2)
        #expect(try world.store.fetch(former)[0]["team", as: DynamicModel.self]?["code", as: String.self] == "core")
        // The other columns of the table are made anew beside rows of a later version.
        var indexed = Self.former
        indexed[0] = ModelSchema("Team", ["code": .string.required, "label": .string.indexed()], identity: ["code"])
        #expect(try world.reopened(indexed).store.count(ModelQuery(schema: indexed[0])) == 1)
        #expect(try later.count(crew) == 3)
    }

    /// The key that a property of the identity had may become that of another one.
    @Test func aColumnWithTheNameOfTheIdentityStandsBesideIt() throws {
        let world = try savedWorld()
        let team = Self.upgraded(
            ModelSchema(
                "Team", ["key": .string.required, "code": .string.indexed(), "label": .string], identity: ["key"]), 2,
            [SchemaUpgrade(from: 1, renamed: ["code": "key"], defaults: ["code": "x"])])
        let (later, _) = try world.reopened([team, Self.former[1], Self.former[2]])
        let query = ModelQuery(schema: team, where: Key("code") == "x" && Key("key") == "core")
        #expect(try later.count(query) == 1)
        try later.upgrade()
        #expect(try later.count(query) == 1)
        #expect(try later.integrityCheck().isEmpty)
    }

    /// Where a step changes the values of the identity, programs of both versions cannot find rows by one column.
    private static let marked: [ModelSchema] = {
        let team = ModelSchema("Team", ["key": .string.required, "label": .string], identity: ["key"])
        let empty = [EmptyTextAsNullTransformerName]
        return [
            upgraded(team, 2, [SchemaUpgrade(from: 1, renamed: ["code": "key"], transformed: ["key": empty])]),
            present[1], present[2],
        ]
    }()

    @Test(arguments: ["fetch", "query through a reference", "check"])
    func aTableWithTheIdentityOfALaterVersionIsNewer(call: String) throws {
        let world = try savedWorld()
        try world.reopened(Self.marked).store.upgrade()
        var options = ModelStoreOptions.patient
        for isReadOnly in [true, false] {
            options.isReadOnly = isReadOnly
            let (store, registry) = try world.reopened(Self.former, options: options)
            let (team, person) = (try registry.schema(named: "Team"), try registry.schema(named: "Person"))
            let error: ModelError?
            switch call {
            case "fetch":
                let query = ModelQuery(schema: team, where: Key("code") == "core")
                error = #expect(throws: ModelError.self) { try store.fetch(query) }
            case "check": error = try store.integrityCheck().first { $0.pointer?.tokens.first == "Team" }
            default:
                let query = ModelQuery(schema: person, where: Key("team.label") == "Core")
                error = #expect(throws: ModelError.self) { try store.count(query) }
            }
            #expect(error?.code == .newerVersion, "\(isReadOnly): \(error.map { "\($0)" } ?? "none")")
        }
    }

    /// A store that is only read cannot make the key of its version.
    @Test func aTableWithTheIdentityOfAnEarlierVersionHasToBeWrittenOnce() throws {
        let world = try savedWorld()
        var options = ModelStoreOptions.patient
        options.isReadOnly = true
        let (store, registry) = try world.reopened(Self.marked, options: options)
        let team = try registry.schema(named: "Team")
        let error = #expect(throws: ModelError.self) { try store.count(ModelQuery(schema: team)) }
        #expect(error?.code == .olderVersion)
    }
}
