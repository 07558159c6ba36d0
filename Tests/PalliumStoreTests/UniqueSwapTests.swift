import Pallium
import Testing

@testable import PalliumStore

/// Unique values are compared at the end of each call.
struct UniqueSwapTests {
    private static let schema = ModelSchema(
        "Page", ["id": .integer.required, "slug": .string.indexed(.unique), "rank": .integer.indexed(.unique)],
        identity: ["id"])

    /// Pages 1 to 4 with the slugs a, b, c and none, and the ranks 1 to 4.
    private func world(file: String? = nil) throws -> StoreWorld {
        let world = try StoreWorld(file: file, schemas: [Self.schema])
        try world.store.import(
            """
            [{"id": 1, "slug": "a", "rank": 1}, {"id": 2, "slug": "b", "rank": 2}, {"id": 3, "slug": "c", "rank": 3},
             {"id": 4, "rank": 4}]
            """, using: world.adapter("Page"))
        return world
    }

    /// The slugs and ranks in the order of the identities.
    private func values(_ world: StoreWorld) throws -> [String] {
        try world.store.fetch(world.query("Page", order: [.ascending("id")])).map { page in
            "\(page["id", as: Int.self] ?? -1)\(page["slug", as: String.self] ?? "-")\(page["rank", as: Int.self] ?? 0)"
        }
    }

    private static let documents: [(document: String, values: [String])] = [
        (#"[{"id": 1, "slug": "b"}, {"id": 2, "slug": "a"}]"#, ["1b1", "2a2", "3c3", "4-4"]),
        (
            #"[{"id": 1, "slug": "b"}, {"id": 2, "slug": "c"}, {"id": 3, "slug": "a"}]"#,
            ["1b1", "2c2", "3a3", "4-4"]
        ),
        (
            #"[{"id": 1, "slug": "b", "rank": 3}, {"id": 2, "slug": "a", "rank": 1}, {"id": 3, "rank": 2}]"#,
            ["1b3", "2a1", "3c2", "4-4"]
        ),
        // A new row, and one that loses its value.
        (#"[{"id": 5, "slug": "a"}, {"id": 1, "slug": null}]"#, ["1-1", "2b2", "3c3", "4-4", "5a0"]),
        (#"[{"id": 4, "slug": "c"}, {"id": 3, "slug": "d"}, {"id": 5}]"#, ["1a1", "2b2", "3d3", "4c4", "5-0"]),
    ]

    @Test(arguments: documents) func rowsOfOneImportExchangeValuesInAnyOrder(
        document: String, values: [String]
    ) throws {
        for isReversed in [false, true] {
            let elements = try #require(try JSONValue(parsing: document).arrayValue)
            let text = JSONValue.array(isReversed ? elements.reversed() : elements).description
            for isInTransaction in [false, true] {
                let world = try world()
                if isInTransaction {
                    _ = try world.store.transaction { try $0.import(text, using: world.adapter("Page")) }
                } else {
                    try world.store.import(text, using: world.adapter("Page"))
                }
                #expect(try self.values(world) == values, "\(text)")
                #expect(try world.store.integrityCheck().isEmpty)
            }
        }
    }

    @Test func modelsOfOneSaveExchangeValues() throws {
        let world = try world()
        let pages = try world.store.fetch(world.query("Page", order: [.ascending("id")]))
        (pages[0]["slug"], pages[1]["slug"]) = ("b", "a")
        #expect(try world.store.save([pages[0], pages[1]]) == StoreChanges(updated: 2))
        (pages[0]["slug"], pages[1]["slug"]) = ("a", "b")
        #expect(try world.store.save([pages[1], pages[0], pages[2]]) == StoreChanges(updated: 2))
        #expect(try values(world) == ["1a1", "2b2", "3c3", "4-4"])
    }

    @Test func objectsOfOneSessionExchangeValues() throws {
        let world = try world()
        let session = ModelSession(world.store)
        let pages = try session.fetch(world.query("Page", order: [.ascending("id")]))
        (pages[0]["slug"], pages[1]["slug"]) = ("b", "c")
        try session.delete(pages[2])
        try session.insert(world.make("Page", ["id": 5, "slug": "a", "rank": 3]))
        #expect(try session.save().rows == StoreChanges(inserted: 1, updated: 2, deleted: 1))
        #expect(try values(world) == ["1b1", "2c2", "4-4", "5a3"])
        #expect(!session.hasChanges)
    }

    @Test(arguments: [
        // The other row keeps the value: it is not part of the call, is written as it was, or wants it again.
        (#"[{"id": 1, "slug": "b"}]"#, "/0/slug"),
        (#"[{"id": 1, "slug": "b"}, {"id": 2}]"#, "/1/slug"),
        (#"[{"id": 2}, {"id": 1, "slug": "b"}]"#, "/1/slug"),
        (#"[{"id": 1, "slug": "b"}, {"id": 2, "rank": 9}]"#, "/1/slug"),
        (#"[{"id": 1, "slug": "b"}, {"id": 2, "slug": "a"}, {"id": 3, "slug": "a"}]"#, "/2/slug"),
        (#"[{"id": 5, "slug": "x", "rank": 1}, {"id": 6, "slug": "x"}]"#, "/1/slug"),
    ]) func aConflictLeavesAllRowsAsTheyWere(document: String, pointer: String) throws {
        let world = try world(file: "a.store")
        let sql = "SELECT * FROM Page ORDER BY id"
        let before = try world.rows(sql)
        let error = #expect(throws: ModelError.self) {
            try world.store.import(document, using: world.adapter("Page"))
        }
        #expect(error?.code == .conflict)
        #expect(error?.property == "slug" || error?.property == "rank")
        #expect(error?.description.contains("of Page ") == true, "\(error.map { "\($0)" } ?? "")")
        if document.contains("rank\": 1") == false { #expect(error?.pointer?.description == pointer) }
        #expect(try world.rows(sql) == before)
        #expect(try world.store.integrityCheck().isEmpty)
    }

    @Test func aStubDoesNotGiveUpTheValuesOfItsRow() throws {
        let world = try world()
        let models = [try world.make("Page", ["id": 5, "slug": "a"]), try world.make("Page", ["id": 1])]
        let error = #expect(throws: ModelError.self) { try world.store.save(models) }
        #expect(error?.code == .conflict)
        #expect(try values(world) == ["1a1", "2b2", "3c3", "4-4"])
    }

    /// Time that grows with the number of rows, not with its square.
    @Test func manyRowsRotate() throws {
        let world = try StoreWorld(file: nil, schemas: [Self.schema])
        let count = 2000
        func rotated(by shift: Int) throws -> [DynamicModel] {
            try (0..<count).map { try world.make("Page", ["id": $0, "slug": "\(($0 + shift) % count)"]) }
        }
        try world.store.save(rotated(by: 0))
        #expect(try world.store.save(rotated(by: 1)) == StoreChanges(updated: count))
        #expect(try world.store.save(rotated(by: 0)) == StoreChanges(updated: count))
    }
}

extension StoreChanges {
    fileprivate init(inserted: Int = 0, updated: Int = 0, deleted: Int = 0) {
        self.init()
        (self.inserted, self.updated, self.deleted) = (inserted, updated, deleted)
    }
}
