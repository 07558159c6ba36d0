import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Unique values are compared at the end of each call: the section *Unique values* of the article *Stores*.
struct UniqueRotationTests {
    private let world: StoreWorld
    private let schema: ModelSchema

    init() throws {
        world = try StoreWorld(schemas: [
            ModelSchema(
                "Page",
                [
                    "id": .integer.required, "slug": .string.indexed(.unique), "rank": .integer.indexed(.unique),
                    "price": .decimal.indexed(.unique), "at": .date.indexed(.unique),
                ], identity: ["id"]),
            ModelSchema("News", ["text": .string], extends: "Page"),
        ])
        schema = try world.schema("Page")
        try world.store.import(
            #"[{"id": 1, "slug": "a", "rank": 1}, {"id": 2, "slug": "b", "rank": 2}, {"id": 3, "slug": "c", "rank": 3}]"#,
            using: world.adapter("Page"))
    }

    private func pages() throws -> [DynamicModel] {
        try world.store.fetch(ModelQuery(schema: schema, order: [.ascending("id")]))
    }

    private func slugs() throws -> [String?] { try pages().map { $0["slug", as: String.self] } }

    @Test(arguments: [[1, 2, 0], [2, 0, 1], [1, 0, 2], [2, 1, 0]], [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
    func rowsOfOneCallExchangeValuesInAnyOrder(permutation: [Int], order: [Int]) throws {
        let pages = try pages()
        let (slugs, ranks) = (pages.map { $0["slug", as: String.self] }, pages.map { $0["rank", as: Int.self] })
        for (index, other) in permutation.enumerated() {
            pages[index]["slug"] = slugs[other]
            pages[index]["rank"] = ranks[other]
        }
        let updated = permutation.indices.filter { permutation[$0] != $0 }.count
        #expect(
            try world.store.save(order.map { pages[$0] }).description == "0 inserted, \(updated) updated, 0 deleted")
        #expect(try self.slugs() == permutation.map { slugs[$0] })
        for (index, other) in permutation.enumerated() {
            #expect(
                try world.store.fetch(ModelQuery(schema: schema, where: Key("slug") == slugs[other])).first?[
                    "id", as: Int.self] == index + 1)
        }
        #expect(try world.store.integrityCheck().isEmpty)
    }

    @Test func anImportRotatesAsASaveDoes() throws {
        let adapter = try world.adapter("Page")
        try world.store.import(
            #"[{"id": 1, "slug": "b"}, {"id": 2, "slug": "c"}, {"id": 3, "slug": "a"}]"#, using: adapter)
        #expect(try slugs() == ["b", "c", "a"])
        // A new row takes the value of one that gets another.
        try world.store.import(#"[{"id": 4, "slug": "b"}, {"id": 1, "slug": "d"}]"#, using: adapter)
        #expect(try slugs() == ["d", "c", "a", "b"])
        // One by one, they cannot.
        let error = #expect(throws: ModelError.self) {
            try world.store.transaction { store in
                try store.import(#"{"id": 1, "slug": "b"}"#, using: adapter)
                try store.import(#"{"id": 4, "slug": "d"}"#, using: adapter)
            }
        }
        #expect(error?.code == .conflict && error?.property == "slug", "\(String(describing: error))")
        #expect(try slugs() == ["d", "c", "a", "b"])
    }

    @Test func aTransactionMayCatchAConflictAndGoOn() throws {
        let adapter = try world.adapter("Page")
        try world.store.transaction { store in
            #expect(throws: ModelError.self) {
                try store.import(#"[{"id": 1, "slug": "x"}, {"id": 2, "slug": "c"}]"#, using: adapter)
            }
            try store.import(#"{"id": 2, "slug": "y"}"#, using: adapter)
        }
        #expect(try slugs() == ["a", "y", "c"])
    }

    /// Any number of rows may have no value.
    @Test func noValueIsNoValueTwice() throws {
        try world.store.import(
            #"[{"id": 1, "slug": null, "rank": null}, {"id": 2, "slug": null}, {"id": 4}, {"id": 5}, {"id": 6, "slug": ""}]"#,
            using: world.adapter("Page"))
        #expect(try slugs() == [nil, nil, "c", nil, nil, ""])
        #expect(throws: ModelError.self) {
            try world.store.import(#"{"id": 7, "slug": ""}"#, using: world.adapter("Page"))
        }
    }

    @Test(arguments: [
        (#""price": 1.0"#, #""price": 1.00"#, false), (#""price": 1.0"#, #""price": 1.01"#, true),
        (#""at": "2026-01-31T12:00:00Z""#, #""at": "2026-01-31T13:00:00+01:00""#, false),
        (#""slug": "x""#, #""slug": "X""#, true),
        (#""slug": "é""#, #""slug": "e\u0301""#, true), (#""slug": "a\u0000b""#, #""slug": "a\u0000c""#, true),
        (#""slug": "a\u0000b""#, #""slug": "a\u0000b""#, false),
    ])
    func valuesAreEqualAsInConditions(first: String, second: String, areDifferent: Bool) throws {
        let adapter = try world.adapter("Page")
        let both = "[{\"id\": 8, \(first)}, {\"id\": 9, \(second)}]"
        if areDifferent {
            try world.store.import(both, using: adapter)
        } else {
            let error = #expect(throws: ModelError.self) { try world.store.import(both, using: adapter) }
            #expect(error?.code == .conflict)
            #expect(try world.store.count(ModelQuery(schema: schema)) == 3)
        }
    }

    @Test func descendantsShareTheValues() throws {
        let news = try world.adapter("News")
        #expect(throws: ModelError.self) { try world.store.import(#"{"id": 4, "slug": "a"}"#, using: news) }
        try world.store.import(#"[{"id": 4, "slug": "d", "text": "x"}]"#, using: news)
        let pages = try pages()
        (pages[0]["slug"], pages[3]["slug"]) = ("d", "a")
        #expect(try world.store.save(pages).description == "0 inserted, 2 updated, 0 deleted")
        #expect(try slugs() == ["d", "b", "c", "a"])
    }

    // MARK: Sessions

    @Test func aSessionRotatesAndReusesValues() throws {
        let session = ModelSession(world.store)
        let pages = try session.fetch(ModelQuery(schema: schema, order: [.ascending("id")]))
        (pages[0]["slug"], pages[1]["slug"]) = ("b", "a")
        try session.delete(pages[2])
        let new = try world.make("Page", ["id": 4, "slug": "c", "rank": 3])
        try session.insert(new)
        #expect(try session.save().rows.description == "1 inserted, 2 updated, 1 deleted")
        #expect(try slugs() == ["b", "a", "c"])
        // What fails leaves edits and rows as they were.
        pages[0]["slug"] = "a"
        #expect(throws: ModelError.self) { try session.save() }
        #expect(pages[0]["slug", as: String.self] == "a" && session.hasChanges)
        #expect(try slugs() == ["b", "a", "c"])
        pages[1]["slug"] = nil
        #expect(try session.save().rows.description == "0 inserted, 2 updated, 0 deleted")
    }

    @Test func theErrorNamesThePropertyAndTheRow() throws {
        let error = #expect(throws: ModelError.self) {
            try world.store.import(#"{"id": 9, "slug": "b"}"#, using: world.adapter("Page"))
        }
        let text = "\(try #require(error))"
        #expect(error?.code == .conflict && text.contains("slug") && text.contains("2"), "\(text)")
    }
}
