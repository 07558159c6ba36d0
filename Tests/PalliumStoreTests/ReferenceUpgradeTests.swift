import Pallium
import Testing

@testable import PalliumStore

/// Steps that change identities, and steps that make models with an identity.
struct ReferenceUpgradeTests {
    private static func later(_ schema: ModelSchema, _ steps: [SchemaUpgrade]) -> ModelSchema {
        var schema = schema
        schema.version = 2
        schema.upgrades = steps
        return schema
    }

    private static let issue = ModelSchema(
        "Issue",
        [
            "number": .integer.required, "user": .model("User"), "watchers": .array(of: .model("User")),
            "byRole": .dictionary(of: .model("User")), "part": .model("Part"),
        ], identity: ["number"])
    private static let part = ModelSchema("Part", ["user": .model("User")])

    private func former() throws -> StoreWorld {
        let world = try StoreWorld(schemas: [
            ModelSchema("User", ["id": .integer.required, "login": .string.required], identity: ["id"]), Self.part,
            Self.issue,
        ])
        try world.store.import(
            """
            [{"number": 1, "user": {"id": 7, "login": "ada"}, "watchers": [{"id": 8, "login": "bob"}, {"id": 7}],
              "byRole": {"lead": {"id": 8}}, "part": {"user": {"id": 7}}}, {"number": 2}]
            """, using: world.adapter("Issue"))
        return world
    }

    @Test(arguments: ["fetch", "upgrade", "query", "import"]) func aReferenceTakesTheStepsOfItsSchema(call: String)
        throws
    {
        let world = try former()
        let user = Self.later(
            ModelSchema("User", ["userID": .integer.required, "login": .string.required], identity: ["userID"]),
            [SchemaUpgrade(from: 1, renamed: ["id": "userID"])])
        let (store, registry) = try world.reopened([user, Self.part, Self.issue])
        let issue = try registry.schema(named: "Issue")
        switch call {
        case "upgrade": try store.upgrade()
        case "query":
            #expect(try store.count(ModelQuery(schema: issue, where: Key("user.login") == "ada")) == 1)
            #expect(try store.count(ModelQuery(schema: issue, where: Key("user.userID") == 7)) == 1)
            #expect(try store.count(ModelQuery(schema: issue, where: Key("part.user.login") == "ada")) == 1)
        case "import":
            try store.import(
                #"{"number": 1, "user": {"userID": 7, "login": "grace"}}"#,
                using: JSONAdapter(schema: issue, registry: registry))
        default: break
        }
        let one = try #require(try store.first(issue, identity: 1))
        let ada = try #require(one["user", as: DynamicModel.self])
        #expect(ada["userID", as: Int.self] == 7)
        #expect(ada["login", as: String.self] == (call == "import" ? "grace" : "ada"))
        let watchers = try #require(one["watchers", as: [DynamicModel].self])
        #expect(watchers.map { $0["login", as: String.self] } == ["bob", ada["login", as: String.self]])
        #expect(watchers[1] === ada)
        #expect(one["byRole", as: [String: DynamicModel].self]?["lead"] === watchers[0])
        #expect(one["part", as: DynamicModel.self]?["user", as: DynamicModel.self] === ada)
        #expect(try store.integrityCheck().isEmpty)
        try store.upgrade()
        #expect(try store.first(issue, identity: 1)?["user", as: DynamicModel.self]?["userID", as: Int.self] == 7)
    }

    /// A step that needs more than the identity, which a reference does not have, does not make the reference unreadable.
    @Test func aStepThatAReferenceCannotTakeLeavesIt() throws {
        let world = try former()
        let user = Self.later(
            ModelSchema("User", ["id": .integer.required, "login": .string.required], identity: ["id"]),
            [
                SchemaUpgrade(from: 1) { model in
                    guard case .string(let login)? = model["login"] else {
                        throw ModelError(.upgradeFailed, expected: "a login", found: "none")
                    }
                    model["login"] = .string(login + "!")
                }
            ])
        let (store, registry) = try world.reopened([user, Self.part, Self.issue])
        let one = try #require(try store.first(registry.schema(named: "Issue"), identity: 1))
        #expect(one["user", as: DynamicModel.self]?["login", as: String.self] == "ada!")
    }

    // MARK: Models that steps make

    private static let address = ModelSchema(
        "Address", ["city": .string.required, "zip": .string], identity: ["city"])

    private func people() throws -> (store: ModelStore, person: ModelSchema, address: ModelSchema, StoreWorld) {
        let world = try StoreWorld(schemas: [
            ModelSchema("Person", ["id": .integer.required, "city": .string, "zip": .string], identity: ["id"])
        ])
        try world.store.import(
            """
            [{"id": 1, "city": "Bern", "zip": "3000"}, {"id": 2, "city": "Bern", "zip": "3001"}, {"id": 3},
             {"id": 4, "city": "Wien", "zip": "1010"}]
            """, using: world.adapter("Person"))
        let person = Self.later(
            ModelSchema("Person", ["id": .integer.required, "address": .model("Address")], identity: ["id"]),
            [
                SchemaUpgrade(from: 1) { model in
                    guard let city = model["city"] else { return }
                    var address = FormerModel("Address", version: 1)
                    address["city"] = city
                    address["zip"] = model["zip"]
                    model["address"] = .model(address)
                    model["city"] = nil
                    model["zip"] = nil
                }
            ])
        let (store, registry) = try world.reopened([person, Self.address])
        return (store, try registry.schema(named: "Person"), try registry.schema(named: "Address"), world)
    }

    private func zip(_ store: ModelStore, _ person: ModelSchema, _ id: Int) throws -> String? {
        try store.first(person, identity: id)?["address", as: DynamicModel.self]?["zip", as: String.self]
    }

    @Test func aModelThatAStepMakesIsReadAsIt() throws {
        let (store, person, address, world) = try people()
        defer { withExtendedLifetime(world) {} }
        #expect(try zip(store, person, 1) == "3000")
        #expect(try zip(store, person, 2) == "3001")
        // A read makes no row.
        #expect(try store.count(ModelQuery(schema: address)) == 0)
        #expect(try store.fetch(ModelQuery(schema: person)).count == 4)
    }

    /// A condition is tested on what the row reads as.
    @Test func aConditionFindsWhatAStepMade() throws {
        let (store, person, address, world) = try people()
        defer { withExtendedLifetime(world) {} }
        func found(_ condition: Condition) throws -> [Int] {
            try store.fetch(ModelQuery(schema: person, where: condition, order: [.ascending("id")]))
                .compactMap { $0["id", as: Int.self] }
        }
        #expect(try found(Key("address.zip") == "3000") == [1])
        #expect(try found(Key("address.zip") > "2000") == [1, 2])
        #expect(try found(Key("address.zip").contains("0")) == [1, 2, 4])
        #expect(try found(Key("address.zip") == nil) == [3])
        #expect(try found(Key("address.city") == "Wien") == [4])
        let sorted = ModelQuery(schema: person, order: [.descending("address.zip")])
        #expect(try store.fetch(sorted).map { $0["id", as: Int.self] } == [2, 1, 4, 3])
        // The row is what counts where there is one.
        let bern = DynamicModel(schema: address, registry: store.registry)
        bern["city"] = "Bern"
        try store.save(bern)
        #expect(try found(Key("address.zip") == nil) == [1, 2, 3])
        #expect(try found(Key("address.zip") != nil) == [4])
        bern["zip"] = "9999"
        try store.save(bern)
        #expect(try found(Key("address.zip") == "9999") == [1, 2])
        #expect(try store.delete(ModelQuery(schema: person, where: Key("address.zip") == "3000")).deleted == 0)
    }

    @Test(arguments: ["upgrade", "save", "import", "session"]) func itBecomesARow(call: String) throws {
        let (store, person, address, world) = try people()
        defer { withExtendedLifetime(world) {} }
        switch call {
        case "upgrade": #expect(try store.upgrade() == StoreChanges(inserted: 2, updated: 4))
        case "save": try store.save(store.fetch(ModelQuery(schema: person, where: Key("id").isIn([1, 4]))))
        case "import":
            let adapter = try JSONAdapter(schema: person, registry: store.registry)
            try store.import(#"[{"id": 1, "address": {"city": "Bern"}}, {"id": 4}]"#, using: adapter)
            try store.upgrade()
        default:
            let session = ModelSession(store)
            for id in [1, 4] {
                let object = try #require(try session.first(person, identity: id))
                try object.unset("address")
                #expect(try session.save().rows.updated == 1)
            }
            try store.upgrade()
        }
        let rows = try store.fetch(ModelQuery(schema: address, order: [.ascending("city")]))
        #expect(rows.compactMap { $0["city", as: String.self] } == (call == "session" ? ["Bern"] : ["Bern", "Wien"]))
        #expect(rows.first?["zip", as: String.self] == (call == "session" ? "3001" : "3000"))
        #expect(try store.integrityCheck().isEmpty)
        if call != "session" { #expect(try zip(store, person, 4) == nil || zip(store, person, 4) == "1010") }
    }

    /// What is stored is not replaced by what a step made of an earlier row.
    @Test func aRowThatExistsStays() throws {
        let (store, person, address, world) = try people()
        defer { withExtendedLifetime(world) {} }
        let bern = DynamicModel(schema: address, registry: store.registry)
        bern["city"] = "Bern"
        bern["zip"] = "9999"
        try store.save(bern)
        let withAddress = ModelQuery(schema: person, including: .all)
        #expect(try store.fetch(withAddress)[0]["address", as: DynamicModel.self]?["zip", as: String.self] == "9999")
        try store.save(store.fetch(ModelQuery(schema: person)))
        try store.upgrade()
        #expect(try store.first(address, identity: "Bern")?["zip", as: String.self] == "9999")
    }
}
