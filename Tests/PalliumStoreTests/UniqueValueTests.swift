import Pallium
import Testing

@testable import PalliumStore

/// A unique value that another row has is named, with its property and the other row.
struct UniqueValueTests {
    private static let schema = ModelSchema(
        "User",
        [
            "org": .string.required, "id": .integer.required, "mail": .string.indexed(.unique),
            "token": .string.secret.indexed(.unique), "rank": .integer.indexed(.unique),
        ], identity: ["org", "id"])

    private func world() throws -> StoreWorld {
        let world = try StoreWorld(schemas: [Self.schema])
        try world.store.import(
            #"[{"org": "a", "id": 1, "mail": "x@y", "token": "S3CR3T", "rank": 1}, {"org": "a", "id": 2, "rank": 2}]"#,
            using: world.adapter("User"))
        return world
    }

    @Test(arguments: [
        (
            #"{"org": "b", "id": 3, "mail": "x@y"}"#, #"a value that no other row has but found "x@y" of User "a", 1"#,
            "/mail"
        ),
        (#"{"org": "b", "id": 3, "rank": 2}"#, #"found the number 2 of User "a", 2"#, "/rank"),
        (#"{"org": "b", "id": 3, "token": "S3CR3T"}"#, "found a masked value at /token", "/token"),
        (#"{"org": "a", "id": 2, "rank": 1}"#, #"found the number 1 of User "a", 1"#, "/rank"),
        (#"[{"org": "b", "id": 3}, {"org": "b", "id": 4, "mail": "x@y"}]"#, #"found "x@y" of User "a", 1"#, "/1/mail"),
        (
            #"[{"org": "b", "id": 3, "rank": 9}, {"org": "b", "id": 4, "rank": 9}]"#, #"the number 9 of User "b", 3"#,
            "/1/rank"
        ),
    ]) func aCollisionNamesPropertyValueAndRow(document: String, message: String, pointer: String) throws {
        let world = try world()
        let error = #expect(throws: ModelError.self) {
            try world.store.import(document, using: world.adapter("User"))
        }
        #expect(error?.code == .conflict)
        #expect(error?.description.contains(message) == true, "\(error.map { "\($0)" } ?? "none")")
        #expect(error?.description.contains("S3CR3T") == false)
        #expect(error?.pointer?.description == pointer)
        #expect(error?.schema == "User")
        #expect(try world.store.count(world.query("User")) == 2)
    }

    /// Rows with one value, stored by a program that did not ask for unique ones.
    @Test(arguments: ["fetch", "upgrade", "save", "check", "check of a store that is only read"])
    func rowsOfBeforeThatCollideAreNamed(call: String) throws {
        let plain = ModelSchema("Row", ["id": .integer.required, "code": .string, "price": .decimal], identity: ["id"])
        let unique = ModelSchema(
            "Row", ["id": .integer.required, "code": .string.indexed(.unique), "price": .decimal.indexed(.unique)],
            identity: ["id"])
        for (document, key, value) in [
            (
                #"[{"id": 1, "code": "a"}, {"id": 2, "code": "b"}, {"id": 3, "code": "a"}, {"id": 4}, {"id": 5}]"#,
                "code", #""a""#
            ),
            (#"[{"id": 1, "price": 1.50}, {"id": 2, "price": 2}, {"id": 3, "price": 1.5}]"#, "price", "the value"),
        ] {
            let world = try StoreWorld(schemas: [plain])
            try world.store.import(document, using: world.adapter("Row"))
            var options = ModelStoreOptions.patient
            options.isReadOnly = call.hasSuffix("read")
            let (store, registry) = try world.reopened([unique], options: options)
            let row = try registry.schema(named: "Row")
            let error: ModelError?
            switch call {
            case "fetch": error = #expect(throws: ModelError.self) { try store.fetch(ModelQuery(schema: row)) }
            case "upgrade": error = #expect(throws: ModelError.self) { try store.upgrade() }
            case "save":
                let model = DynamicModel(schema: row, registry: registry)
                model["id"] = 9
                error = #expect(throws: ModelError.self) { try store.save(model) }
            default: error = try store.integrityCheck().first
            }
            #expect(error?.code == .conflict)
            #expect(error?.property == key)
            let found = error?.description ?? ""
            #expect(found.contains(value) && found.contains("Row 1"), "\(found)")
            if !call.hasSuffix("read") { #expect(found.contains("Row 3"), "\(found)") }
        }
    }
}
