import Pallium
import TestSupport
import Testing

/// Paths lead through the models that are there at the time.
struct PathTests {
    private typealias Person = ObservedScene.Person

    private let scene: ObservedScene
    private let room: ObservedScene.Room
    private let notices = Notices()

    init() throws {
        scene = try ObservedScene()
        room = scene.room
    }

    @Test func aPathThroughAModelFollowsIt() throws {
        let observation = try room.observe(["owner.name"], notices)
        let (ada, grace, mona) = (try #require(room.owner), try scene.person("Grace"), try scene.person("Mona"))
        ada.name = "Ann"
        #expect(notices.take() == [#"/owner/name: "Ada" → "Ann""#])
        room.owner = grace
        #expect(notices.take() == [#"/owner/name: "Ann" → "Grace""#])
        ada.name = "Eve"
        #expect(notices.take() == [])
        grace.name = "Gia"
        #expect(notices.take() == [#"/owner/name: "Grace" → "Gia""#])
        room.owner = nil
        #expect(notices.take() == [#"/owner: Person(name: "Gia") → null"#])
        grace.name = "Eve"
        #expect(notices.take() == [])
        room.owner = mona
        #expect(notices.take() == [#"/owner: null → Person(name: "Mona")"#])
        mona.name = "Mia"
        #expect(notices.take() == [#"/owner/name: "Mona" → "Mia""#])
        withExtendedLifetime(observation) {}
    }

    @Test func anotherModelWithTheSameValueIsNoChangeOfTheValue() throws {
        let (owners, names) = (Notices(), notices)
        let observations = [try room.observe(["owner"], owners), try room.observe(["owner.name"], names)]
        let other = try scene.person("Ada")
        other.friend = try scene.person("Bea")
        room.owner = other
        #expect(names.take() == [])
        #expect(
            owners.take() == [#"/owner: Person(name: "Ada") → Person(name: "Ada", friend: Person(name: "Bea"))"#])
        other.name = "Eve"
        #expect(names.take() == [#"/owner/name: "Ada" → "Eve""#])
        #expect(owners.take() == [])
        withExtendedLifetime(observations) {}
    }

    @Test func aValueMayMoveToAnotherModelInOneTransaction() throws {
        let observation = try room.observe(["owner.name"], notices)
        let (ada, grace) = (try #require(room.owner), try scene.person("Grace"))
        room.transaction {
            room.owner = grace
            grace.name = "Ada"
            ada.name = "Ann"
        }
        #expect(notices.take() == [])
        room.transaction {
            grace.name = "Gia"
            room.owner = ada
            room.owner = grace
        }
        #expect(notices.take() == [#"/owner/name: "Ada" → "Gia""#])
        // The one that came tells, the one that was there for a moment does not.
        ada.name = "Eve"
        #expect(notices.take() == [])
        grace.name = "Mia"
        #expect(notices.take().count == 1)
        withExtendedLifetime(observation) {}
    }

    @Test func aWeakReferenceIsFollowed() throws {
        let observation = try room.observe(["friend.name"], notices)
        var friend: Person? = try scene.person("Bea")
        room.friend = friend
        #expect(notices.take() == ["/friend: nothing → Person (weak)"])
        friend?.name = "Bo"
        #expect(notices.take() == [#"/friend/name: "Bea" → "Bo""#])
        // That it ends is not told.
        friend = nil
        #expect(room.friend == nil)
        #expect(notices.take() == [])
        friend = try scene.person("Cleo")
        room.friend = friend
        #expect(notices.take() == ["/friend: gone → Person (weak)"])
        room.friend = nil
        #expect(notices.take() == ["/friend: Person (weak) → null"])
        friend?.name = "Eve"
        #expect(notices.take() == [])
        withExtendedLifetime(observation) {}
    }

    /// The parent reference of a desk changes when a list of its room does.
    @Test func parentReferencesAreTold() throws {
        let desk = try scene.model("Desk", ["name": "d"])
        let other = try scene.rooms.model(from: #"{"id": 2, "title": "Den"}"#)
        let observation = try desk.observe(["room.title"], notices)
        var rooms = 0
        let counting = try desk.observe("room") { rooms += $0.count }
        room["desks"] = [desk]
        #expect(desk.model("room") === room)
        #expect(notices.take().count == 1 && rooms == 1)
        room.title = "Green"
        #expect(notices.take() == [#"/room/title: "Tea" → "Green""#])
        other["desks"] = [desk]
        #expect(desk.model("room") === other)
        #expect(notices.take().count == 1 && rooms == 2)
        room.title = "Black"
        #expect(notices.take() == [])
        other["desks"] = [] as [DynamicModel]
        #expect(desk.model("room") == nil)
        #expect(notices.take().count == 1 && rooms == 3)
        try scene.rooms.merge(#"{"desks": [{"name": "e"}]}"#, into: room)
        #expect(notices.take() == [] && rooms == 3)
        withExtendedLifetime((observation, counting)) {}
    }

    @Test func aPathThroughACycleFollowsIt() throws {
        let (ada, bea) = (try scene.person("Ada"), try scene.person("Bea"))
        (ada.friend, bea.friend) = (bea, ada)
        let observation = try ada.observe(["name", "friend.friend.name"], notices)
        ada.name = "Ann"
        #expect(notices.take() == ["/name: \"Ada\" → \"Ann\"\n/friend/friend/name: \"Ada\" → \"Ann\""])
        bea.name = "Bo"
        #expect(notices.take() == [])
        ada.friend = ada
        #expect(notices.take() == [])
        ada.name = "Eve"
        #expect(notices.take() == ["/name: \"Ann\" → \"Eve\"\n/friend/friend/name: \"Ann\" → \"Eve\""])
        bea.name = "Ben"
        bea.friend = bea
        #expect(notices.take() == [])
        ada.friend = nil
        #expect(notices.take().count == 1)
        withExtendedLifetime(observation) {}
    }

    /// The model is at two places of the path then.
    @Test func aModelMayBeginToReferToItself() throws {
        let ada = try scene.person("Ada")
        let observation = try ada.observe(["friend.name"], notices)
        ada.friend = ada
        #expect(notices.take().count == 1)
        ada.name = "Ann"
        #expect(notices.take() == [#"/friend/name: "Ada" → "Ann""#])
        ada.friend = nil
        #expect(notices.take().count == 1)
        ada.name = "Eve"
        #expect(notices.take() == [])
        withExtendedLifetime(observation) {}
    }

    @Test func severalPathsAreToldTogether() throws {
        let observation = try scene.house.observe(["room.owner.name", "room.title"], notices)
        try scene.rooms.merge(#"{"title": "Green", "owner": {"name": "Ann"}}"#, into: room)
        #expect(
            notices.take().map { Set($0.split(separator: "\n").map(String.init)) } == [
                [#"/room/owner/name: "Ada" → "Ann""#, #"/room/title: "Tea" → "Green""#]
            ])
        scene.house.room = nil
        #expect(notices.take().count == 1)
        room.title = "Black"
        room.owner?.name = "Eve"
        #expect(notices.take() == [])
        withExtendedLifetime(observation) {}
    }

    @Test func aModelThatIsNotObservedMayBeAtTheEnd() throws {
        let observation = try room.observe(["shelf"], notices)
        let shelf = try #require(room.model("shelf"))
        shelf["books"] = 4
        #expect(notices.take() == [])
        room["shelf"] = nil as DynamicModel?
        #expect(notices.take() == [#"/shelf: Shelf(name: "Oak", books: 4) → null"#])
        withExtendedLifetime(observation) {}
    }

    /// Descendants of an observed schema are observed, and bring more properties.
    @Test func descendantsAreObserved() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("Shape", ["name": .string, "next": .model("Shape")], isObserved: true),
            ModelSchema("Circle", ["radius": .integer], extends: "Shape"))
        let schema = try registry.schema(named: "Circle")
        let circle = try DynamicModel(schema: schema, values: ["name": "c", "radius": 1], registry: registry)
        let shape = try DynamicModel(schema: registry.schema(named: "Shape"), values: [:], registry: registry)
        shape["next"] = circle
        #expect(try circle.notices(of: []) { circle["radius"] = 2 } == ["/radius: 1 → 2"])
        #expect(try shape.notices(of: ["next.name"]) { circle["name"] = "d" } == [#"/next/name: "c" → "d""#])
        // The path is one of shapes.
        #expect(throws: ModelError.self) { try shape.observe("next.radius") { _ in } }
    }

    @Test func aKeyMayHoldADot() throws {
        let schema = ModelSchema("Dotted", ["a.b": .integer, "a": .model("Dotted"), "b": .integer], isObserved: true)
        let registry = try SchemaRegistry.of(schema)
        let model = DynamicModel(schema: schema, registry: registry)
        let heard = try model.notices(of: [#"a\.b"#]) {
            model["a.b"] = 1
            model["a"] = DynamicModel(schema: schema, registry: registry)
        }
        #expect(heard == ["/a.b: nothing → 1"])
    }
}
