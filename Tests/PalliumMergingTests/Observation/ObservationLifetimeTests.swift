import Observation
import Pallium
import TestSupport
import Testing

/// Observations, their closures and the models come and go in any order.
struct ObservationLifetimeTests {
    private let scene: ObservedScene
    private let room: ObservedScene.Room
    private let notices = Notices()

    init() throws {
        scene = try ObservedScene()
        room = scene.room
    }

    @Test func anObservationEndsWithItsObject() throws {
        var observation: ModelObservation? = try room.observe([], notices)
        room.title = "Green"
        observation = nil
        room.title = "Black"
        #expect(notices.take().count == 1)
        observation = try room.observe([], notices)
        observation?.cancel()
        observation?.cancel()
        room.title = "White"
        #expect(notices.take() == [])
    }

    /// The closure is released when the observation ends.
    @Test func whatTheClosureHoldsIsReleased() throws {
        final class Held {}
        var held: Held? = Held()
        weak let reference = held
        let observation = try room.observe("title") { [held] _ in withExtendedLifetime(held) {} }
        held = nil
        #expect(reference != nil)
        observation.cancel()
        #expect(reference == nil)
    }

    @Test func aModelMayDieWhileItIsObserved() throws {
        var model: ObservedScene.Room? = try scene.rooms.model(from: #"{"id": 5, "owner": {"name": "Ada"}}"#)
        let owner = try #require(model?.owner)
        weak let reference = model
        let observations = try [["title"], [], ["owner.name"]].map { try #require(model).observe($0, notices) }
        model = nil
        #expect(reference == nil)
        owner.name = "Grace"
        #expect(notices.take() == [])
        observations.forEach { $0.cancel() }
    }

    @Test func aModelMayDieInItsObserver() throws {
        let house = scene.house
        let other = try scene.rooms.model(from: #"{"id": 5}"#)
        house.rooms = [other]
        var last: ObservedScene.Room? = try scene.rooms.model(from: #"{"id": 6, "title": "Attic"}"#)
        house.room = last
        weak let reference = last
        let dropping = try #require(last).observe("title") { [notices] changes in
            house.room = nil
            last = nil
            notices.add(changes)
        }
        let through = try house.observe(["room.title"], notices)
        last?.title = "Loft"
        #expect(notices.take().count == 3)
        #expect(reference == nil)
        withExtendedLifetime((dropping, through)) {}
    }

    @Test func thereMayBeAThousandObservers() throws {
        var count = 0
        var observations = try (0..<1000).map { number in
            try room.observe(number % 2 == 0 ? "title" : "count") { _ in count += 1 }
        }
        room.title = "Green"
        #expect(count == 500)
        room.transaction {
            room.title = "Black"
            room.count = 2
        }
        #expect(count == 1500)
        observations = observations.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
        room.title = "White"
        #expect(count == 1750)
        observations.reversed().forEach { $0.cancel() }
        room.title = "Red"
        #expect(count == 1750)
    }
}
