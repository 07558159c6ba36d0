import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// References to rows that do not exist, and circles of references.
@Suite(.threat(.cycles))
struct DanglingReferenceTests {
    private static let schemas = [
        ModelSchema("Team", ["name": .string.required, "motto": .string], identity: ["name"]),
        ModelSchema("User", ["id": .integer.required, "login": .string.required], identity: ["id"]),
        ModelSchema(
            "Post",
            [
                "id": .integer.required, "text": .string, "team": .model("Team"), "author": .model("User"),
                "readers": .array(of: .model("User")), "byName": .dictionary(of: .model("User")),
            ], identity: ["id"]),
        // Neither can be without the other.
        ModelSchema("Hand", ["id": .integer.required, "glove": .model("Glove").required], identity: ["id"]),
        ModelSchema("Glove", ["id": .integer.required, "hand": .model("Hand").required], identity: ["id"]),
    ]

    private let world: StoreWorld

    init() throws {
        world = try StoreWorld(schemas: Self.schemas)
        let users = try (1...3).map { try world.make("User", ["id": $0, "login": "u\($0)"]) }
        let team = try world.make("Team", ["name": "core", "motto": "m"])
        try world.store.save([
            world.make("Post", ["id": 1, "text": "a", "team": team]),
            world.make("Post", ["id": 2, "author": users[0]]),
            world.make("Post", ["id": 3, "readers": users]),
            world.make("Post", ["id": 4, "byName": ["x": users[0], "y/z": users[1]]]),
        ])
    }

    @Test(arguments: ["stubs", "keys", "all"]) func aReferenceToNoRowIsAStub(links: String) throws {
        try world.store.delete(world.query("Team"))
        let query = try world.query(
            "Post", where: Key("id") == 1, including: links == "keys" ? .keys(["team"]) : links == "all" ? .all : .stubs
        )
        let team = try #require(try world.store.fetch(query).first?["team", as: DynamicModel.self])
        #expect(team["name", as: String.self] == "core")
        #expect(try team.state(of: "motto") == .unset)
        #expect(try world.store.fetch(world.query("Post", where: Key("team.motto") == "m")).isEmpty)
        #expect(try world.store.count(world.query("Post", where: Key("team.name") == "core")) == 1)
    }

    @Test(arguments: [(2, "/author"), (3, "/readers/1"), (4, "/byName/y~1z")])
    func aReferenceThatCannotBeAStubIsAnError(post: Int, place: String) throws {
        try world.store.delete(world.query("User", where: Key("id") == (post == 2 ? 1 : 2)))
        let error = #expect(throws: ModelError.self) {
            try world.store.fetch(world.query("Post", where: Key("id").isIn([1, post])))
        }
        #expect(error?.code == .missingProperty)
        // The pointer begins with the row.
        #expect(error?.pointer?.description.hasPrefix("/Post/\(post)\(place)") == true, "\(error?.description ?? "")")
        // What does not refer to it is found, and the reference can be mended.
        #expect(try world.store.fetch(world.query("Post", where: Key("id") == 1)).count == 1)
        #expect(try world.store.count(world.query("Post")) == 4)
        try world.store.save(world.make("User", ["id": post == 2 ? 1 : 2, "login": "back"]))
        #expect(try world.store.fetch(world.query("Post", where: Key("id") == post)).count == 1)
    }

    /// Models of other rows that refer to a deleted one keep their references.
    @Test func aDeletionKeepsReferences() throws {
        try world.store.delete(world.query("Team"))
        let document = try world.rows("SELECT \"_document\" FROM \"Post\" WHERE id = 1")[0][0]
        #expect(document == .text(#"{"id":1,"text":"a","team":{"name":"core"}}"#))
        try world.store.save(world.make("Team", ["name": "core", "motto": "new"]))
        let post = try world.store.first(world.schema("Post"), identity: 1, including: .all)
        #expect(post?["team", as: DynamicModel.self]?["motto", as: String.self] == "new")
    }

    private func pair(_ id: Int) throws -> DynamicModel {
        let (hand, glove) = (try world.make("Hand", ["id": id]), try world.make("Glove", ["id": id]))
        hand["glove"] = glove
        glove["hand"] = hand
        return hand
    }

    private static func open(_ hand: DynamicModel) {
        try? hand["glove", as: DynamicModel.self]?.unset("hand")
    }

    @Test func aCircleOfRequiredReferencesIsSavedAndFetched() throws {
        let hands = try (1...3).map(pair)
        defer { hands.forEach(Self.open) }
        #expect(try world.store.save(hands) == StoreChanges(inserted: 6))
        #expect(try world.store.save(hands).isEmpty)
        for links in [ModelQuery<DynamicModel>.Links.stubs, .depth(1), .all] {
            let found = try world.store.fetch(world.query("Hand", including: links))
            defer { found.forEach(Self.open) }
            #expect(found.count == 3)
            for hand in found {
                #expect(hand["glove", as: DynamicModel.self]?["hand", as: DynamicModel.self] === hand)
            }
        }
        let glove = try #require(try world.store.first(world.schema("Glove"), identity: 2))
        #expect(glove["hand", as: DynamicModel.self]?["glove", as: DynamicModel.self] === glove)
        try? glove.unset("hand")
        var count = 0
        try world.store.forEach(world.query("Glove")) { glove in
            count += 1
            Self.open(glove["hand", as: DynamicModel.self] ?? glove)
        }
        #expect(count == 3)
        #expect(try world.store.integrityCheck().isEmpty)
    }

    @Test func aBrokenCircleIsAnError() throws {
        let hand = try pair(1)
        defer { Self.open(hand) }
        try world.store.save(hand)
        try world.store.delete(world.query("Glove"))
        let error = #expect(throws: ModelError.self) { try world.store.fetch(world.query("Hand")) }
        #expect(error?.code == .missingProperty)
        #expect(error?.pointer?.description.hasPrefix("/Hand/1/glove") == true, "\(error?.description ?? "")")
    }

    @Test func aSessionHoldsACircle() throws {
        let hand = try pair(1)
        defer { Self.open(hand) }
        let session = ModelSession(world.store)
        try session.insert(hand)
        #expect(try session.save().rows == StoreChanges(inserted: 2))
        #expect(try session.first(world.schema("Glove"), identity: 1) === hand["glove", as: DynamicModel.self])
        #expect(!session.hasChanges)
    }
}
