import Observation
import Pallium
import TestSupport
import Testing

/// Objects that end while observers are told, and write when they do.
struct DeliveryEdgeTests {
    private typealias Room = ObservedScene.Room

    /// Runs a closure when the last reference to it goes.
    private final class Farewell: @unchecked Sendable {
        // @unchecked: the thread of one test uses it.
        private let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }

        deinit { body() }
    }

    private let scene: ObservedScene
    private let room: Room
    private let other: Room
    private let notices = Notices()

    init() throws {
        scene = try ObservedScene()
        room = scene.room
        other = try scene.rooms.model(from: #"{"id": 5, "title": "Attic"}"#)
    }

    private func farewell() -> Farewell { Farewell { [other] in other.title = "Loft" } }

    private static let told = [#"/title: "Attic" → "Loft""#]

    @Test func aClosureMayEndWithItsCall() throws {
        let observation = try other.observe(["title"], notices)
        let ending = Carried<ModelObservation>(nil)
        ending.content = try room.observe("title") { [farewell = farewell(), notices] _ in
            ending.content?.cancel()
            ending.content = nil
            withExtendedLifetime(farewell) { notices.add("called") }
        }
        room.title = "Green"
        #expect(notices.take() == ["called"] + Self.told)
        withExtendedLifetime(observation) {}
    }

    @Test func whatTrackedCodeHoldsMayEndWhenItIsTold() throws {
        let observation = try other.observe(["title"], notices)
        for isObserved in [false, true] {
            let own = isObserved ? try room.observe { _ in } : nil
            other.title = "Attic"
            _ = notices.take()
            let box = Carried(farewell())
            withObservationTracking {
                _ = room.title
            } onChange: {
                box.content = nil
            }
            room.title = isObserved ? "Black" : "Green"
            #expect(notices.take() == Self.told)
            withExtendedLifetime(own) {}
        }
        withExtendedLifetime(observation) {}
    }

    /// The changes hold the last reference to the former owner, which holds the closures of its observers.
    @Test func aModelMayEndWhenItsReplacementWasTold() throws {
        for isAnswer in [false, true] {
            // Nobody else holds its owner.
            let room = try scene.rooms.model(from: #"{"id": 6, "owner": {"name": "Ada"}}"#)
            other.title = "Attic"
            let observations = [
                try other.observe(["title"], notices), try room.observe("owner") { _ in },
                try self.room.observe("title") { _ in room.owner = nil },
            ]
            weak var former: ObservedScene.Person?
            try inScope {
                let owner = try #require(room.owner)
                former = owner
                // The model keeps the closure, until it ends.
                _ = try owner.observe("name") { [farewell = farewell()] _ in withExtendedLifetime(farewell) {} }
            }
            #expect(notices.take() == [])
            if isAnswer { self.room.title = "Green" } else { room.owner = nil }
            #expect(former == nil)
            #expect(notices.take() == Self.told)
            observations.forEach { $0.cancel() }
        }
    }

    /// An observer ends itself and one that waits for its call, whose closure then belongs to the call alone.
    @Test func aClosureThatWaitsMayEnd() throws {
        let observation = try other.observe(["title"], notices)
        let (ending, waiting) = (Carried<ModelObservation>(nil), Carried<ModelObservation>(nil))
        ending.content = try room.observe("title") { [notices] _ in
            notices.add("called")
            waiting.content = nil
            ending.content?.cancel()
        }
        waiting.content = try room.observe("title") { [farewell = farewell(), notices] _ in
            withExtendedLifetime(farewell) { notices.add("not called") }
        }
        room.title = "Green"
        #expect(notices.take() == ["called"] + Self.told)
        withExtendedLifetime(observation) {}
    }

    private func inScope(_ body: () throws -> Void) rethrows { try body() }

    /// One goodbye causes the next.
    @Test func goodbyesMayFollowEachOther() throws {
        let rooms = try (0..<50).map { try scene.rooms.model(from: #"{"id": \#($0 + 10), "count": 0}"#) }
        var heard: [Int] = []
        var observations: [ModelObservation] = []
        for (number, room) in rooms.enumerated() {
            observations.append(try room.observe("count") { _ in heard.append(number) })
        }
        let tokens = (0..<50).map { _ in Carried<ModelObservation>(nil) }
        for (number, room) in rooms.enumerated().dropLast() {
            let next = rooms[number + 1]
            tokens[number].content = try room.observe("count") { [farewell = Farewell { next.count += 1 }] _ in
                withExtendedLifetime(farewell) { tokens[number].content?.cancel() }
                tokens[number].content = nil
            }
        }
        rooms[0].count = 1
        #expect(heard == Array(0..<50))
        withExtendedLifetime(observations) {}
    }
}
