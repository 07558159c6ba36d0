import Foundation
import ModelTestSupport
import Pallium
import Testing

/// A transaction is told once, or takes everything back.
struct TransactionTests {
    private typealias Room = ObservedScene.Room

    private let scene: ObservedScene
    private let room: Room
    private let notices = Notices()

    init() throws {
        scene = try ObservedScene()
        room = scene.room
    }

    /// Runs a transaction that fails after its writes, and checks that everything is as it was and nobody hears of it.
    private func checkUndone(
        _ model: DynamicModel? = nil, among others: [DynamicModel] = [], _ body: () throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let models = [scene.house, room] + others
        let observations = try models.compactMap { model in
            model.schema.name == "Shelf" ? nil : try model.observe([], notices)
        }
        let before = models.map { snapshot(of: $0) }
        #expect(throws: FixtureError.refused, sourceLocation: sourceLocation) {
            try (model ?? room).transaction {
                try body()
                throw FixtureError.refused
            }
        }
        for (model, former) in zip(models, before) {
            #expect(differingLines(former, snapshot(of: model)) == [], sourceLocation: sourceLocation)
        }
        #expect(notices.take() == [], sourceLocation: sourceLocation)
        withExtendedLifetime(observations) {}
    }

    @Test func anErrorTakesBackSets() throws {
        try checkUndone {
            room.title = "Green"
            room.count = 9
            room["seen"] = 5
            try room.unset("count")
            room.title = nil
            #expect(try room.state(of: "title") == .null && room.state(of: "count") == .unset)
        }
        #expect(try room.state(of: "title") == .value && room.state(of: "seen") == .unset)
    }

    @Test func anErrorTakesBackStates() throws {
        let room = try scene.rooms.model(from: #"{"id": 5, "title": null}"#)
        let states: () throws -> [PropertyState] = {
            try ["title", "count", "low", "guests"].map { try room.state(of: $0) }
        }
        #expect(try states() == [.null, .defaulted, .unset, .defaulted])
        try checkUndone(room, among: [room]) {
            try room.unset("title")
            room.count = 0
            room["low"] = nil as Int?
            room.guests = []
        }
        #expect(try states() == [.null, .defaulted, .unset, .defaulted])
    }

    @Test func anErrorTakesBackNestedModelsThatAreNotObserved() throws {
        let shelf = try #require(room.model("shelf"))
        try checkUndone(among: [shelf]) {
            shelf["name"] = "Ash"
            try shelf.unset("books")
            shelf["owner"] = try scene.person("Eve")
        }
        // Also when it is no longer held, and in a transaction of a model that is not observed itself.
        try checkUndone(among: [shelf]) {
            room["shelf"] = nil as DynamicModel?
            shelf["books"] = 9
        }
        try checkUndone(shelf, among: [shelf]) { shelf["books"] = 9 }
        try checkUndone(scene.house, among: [shelf]) { shelf["books"] = 9 }
        #expect(room.model("shelf") === shelf && shelf["books", as: Int.self] == 3)
    }

    @Test func anErrorTakesBackObservedModelsElsewhere() throws {
        let (guest, person) = (try scene.guest(9, "Ivy"), try scene.person("Joy"))
        let other = try scene.rooms.model(from: #"{"id": 5, "title": "Attic"}"#)
        try checkUndone(room.owner, among: [guest, person, other]) {
            guest.name = "Eve"
            person.name = "Eve"
            other.title = "Loft"
            other.guests = [guest]
            try scene.rooms.merge(#"{"count": 7, "owner": {"name": "Eve"}}"#, into: other)
            try other.validate()
            room.title = "Green"
        }
        #expect(guest.name == "Ivy" && person.name == "Joy" && other.title == "Attic" && other.guests == [])
    }

    @Test func anErrorTakesBackListsAndParentReferences() throws {
        let (first, second) = (try scene.model("Desk", ["name": "1"]), try scene.model("Desk", ["name": "2"]))
        let other = try scene.rooms.model(from: #"{"id": 5}"#)
        room["desks"] = [first]
        other["desks"] = [second]
        let guests = room.guests
        try checkUndone(among: [first, second, other]) {
            room["desks"] = [second]
            other["desks"] = [first]
            room.guests = guests.reversed() + [try scene.guest(3, "Dee")]
            guests[0].name = "Eve"
            room["circle"] = guests
            room["people"] = ["a": try #require(room.owner)]
            #expect(second.model("room") === room && first.model("room") === other)
        }
        #expect(first.model("room") === room && second.model("room") === other)
        #expect(zip(room.guests, guests).allSatisfy { $0 === $1 } && room.guests.count == 2)
        #expect(room["circle"] == nil && room["people"] == nil)
        // Whoever comes later finds the references in order.
        room["desks"] = [first, second]
        #expect(second.model("room") === room && first.model("room") === room)
    }

    @Test func anErrorTakesBackMergesRebasesAndPatches() throws {
        room.trackChanges()
        room.count = 4
        try checkUndone {
            try scene.rooms.merge(#"{"title": "Green", "guests": [{"id": 2, "name": "Eve"}, {"id": 7}]}"#, into: room)
            try scene.rooms.rebase(room, onto: #"{"title": "Black", "count": 8}"#)
            try scene.rooms.apply(JSONMergePatch(["title": "White"]), to: room)
            room.revert()
            try scene.map.import(#"{"id": 1, "title": "Red", "owner": {"name": "Eve"}}"#, using: scene.rooms)
        }
        #expect(room.title == "Tea" && room.count == 4 && room.owner?.name == "Ada")
    }

    @Test func anErrorTakesBackMembersThatNoPropertyMaps() throws {
        let adapter = scene.rooms.with { $0.unknownMembers = .keep }
        let room = try adapter.model(from: #"{"id": 5, "extra": {"a": 1}}"#)
        let text = try adapter.data(from: room)
        try checkUndone(room, among: [room]) {
            try adapter.merge(#"{"extra": {"a": 2}, "more": true, "title": "Green"}"#, into: room)
            #expect(try adapter.data(from: room) != text)
        }
        #expect(try adapter.data(from: room) == text)
    }

    @Test func anErrorTakesBackMembersIfNothingElseChanges() throws {
        let adapter = scene.rooms.with { $0.unknownMembers = .keep }
        let room = try adapter.model(from: #"{"id": 5, "extra": {"a": 1}}"#)
        let text = try adapter.data(from: room)
        try checkUndone(room, among: [room]) { try adapter.merge(#"{"extra": {"a": 3}}"#, into: room) }
        try checkUndone(room, among: [room]) { try adapter.apply(JSONMergePatch(["more": 1]), to: room) }
        #expect(try adapter.data(from: room) == text)
    }

    @Test func theResultPassesThrough() throws {
        #expect(room.transaction { 5 } == 5)
        let guest: ObservedScene.Guest? = room.transaction { room.guests.last }
        #expect(guest === room.guests[1])
        func typed() throws(ModelError) -> String? {
            try room.transaction { () throws(ModelError) in
                try room.setValue("Green", forKey: "title")
                return room.title
            }
        }
        #expect(try typed() == "Green")
    }

    @Test func theErrorPassesThrough() throws {
        // The error has the type that the closure throws.
        do throws(ModelError) {
            try room.transaction { () throws(ModelError) in
                room.title = "Green"
                try room.setValue(5, forKey: "title")
            }
            Issue.record("a number is a title")
        } catch {
            #expect(error.code == .typeMismatch)
        }
        do throws(FixtureError) {
            try room.transaction { () throws(FixtureError) in throw FixtureError.nameMissing }
        } catch {
            #expect(error == .nameMissing)
        }
        #expect(room.title == "Tea")
    }

    @Test func whatIsRefusedInsideLeavesTheRest() throws {
        let heard = try room.notices(of: []) {
            try room.transaction {
                room.title = "Green"
                #expect(throws: ModelError.self) { try room.setValue("x", forKey: "count") }
                #expect(throws: ModelError.self) { try room.setValue(nil, forKey: "guests") }
                #expect(throws: ModelError.self) {
                    try scene.rooms.merge(#"{"count": 9, "low": 5, "high": 1}"#, into: room)
                }
                room["low"] = 4
                try room.validate()
            }
        }
        #expect(heard == ["/title: \"Tea\" → \"Green\"\n/low: nothing → 4"])
    }

    @Test func anInnerTransactionTakesBackOnlyItsOwn() throws {
        let shelf = try #require(room.model("shelf"))
        let heard = try scene.house.notices(of: ["room.title", "room.owner.name"]) {
            room.transaction {
                room.title = "Green"
                shelf["books"] = 4
                #expect(throws: FixtureError.self) {
                    try room.transaction {
                        room.title = "Black"
                        room.owner = nil
                        shelf["books"] = 5
                        room.transaction { shelf["name"] = "Ash" }
                        throw FixtureError.refused
                    }
                }
                #expect(room.title == "Green" && room.owner?.name == "Ada")
                #expect(shelf["books", as: Int.self] == 4 && shelf["name", as: String.self] == "Oak")
                room.owner?.name = "Grace"
            }
        }
        #expect(heard == ["/room/title: \"Tea\" → \"Green\"\n/room/owner/name: \"Ada\" → \"Grace\""])
        #expect(shelf["books", as: Int.self] == 4)
    }

    /// Nothing is told inside, however deep.
    @Test func transactionsAreToldAtTheEndOfTheOuterOne() throws {
        let observation = try room.observe(["title", "count"], notices)
        room.transaction {
            scene.house.transaction {
                room.title = "Green"
                #expect(notices.texts == [])
            }
            #expect(notices.texts == [])
            room.count = 2
        }
        #expect(notices.take() == ["/title: \"Tea\" → \"Green\"\n/count: 1 → 2"])
        withExtendedLifetime(observation) {}
    }

    @Test func whoComesDuringATransactionHearsOfWhatFollows() throws {
        let before = try room.observe(["title"], notices)
        var later: ModelObservation?
        let added = Notices()
        try room.transaction {
            room.title = "Green"
            before.cancel()
            later = try room.observe(["title", "count"], added)
            room.count = 2
        }
        #expect(notices.take() == [])
        #expect(added.take().allSatisfy { $0.contains("/count: 1 → 2") })
        room.title = "Black"
        #expect(added.take() == [#"/title: "Green" → "Black""#])
        withExtendedLifetime(later) {}
    }

    @Test func aModelThatEndsInsideIsNoProblem() throws {
        weak var reference: Room?
        let observation = try scene.house.observe(["rooms.title"], notices)
        try inScope {
            let attic = try scene.rooms.model(from: #"{"id": 5, "title": "Attic"}"#)
            reference = attic
            scene.house.rooms = [attic]
        }
        #expect(notices.take().count == 1)
        scene.house.transaction {
            reference?.title = "Loft"
            scene.house.rooms = []
        }
        #expect(notices.texts.count == 1 && notices.take()[0].hasPrefix("/rooms/0: Room("))
        #expect(reference == nil)
        withExtendedLifetime(observation) {}
    }

    private func inScope(_ body: () throws -> Void) rethrows { try body() }

    /// The graph is walked on a constant stack.
    @Test func aLongChainIsTakenBack() throws {
        let names = try onStack {
            let registry = try SchemaRegistry.of(ModelSchema("Link", ["n": .integer, "next": .model("Link")]))
            let schema = try registry.schema(named: "Link")
            var links = [DynamicModel(schema: schema, registry: registry)]
            for _ in 0..<20_000 {
                let link = DynamicModel(schema: schema, registry: registry)
                link["next"] = links[links.count - 1]
                links.append(link)
            }
            let first = links[0]
            #expect(throws: FixtureError.self) {
                try links[links.count - 1].transaction {
                    first["n"] = 5
                    throw FixtureError.refused
                }
            }
            return first["n", as: Int.self]
        }
        #expect(names == nil)
    }
}
