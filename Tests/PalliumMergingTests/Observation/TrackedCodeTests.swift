import ModelTestSupport
import Observation
import Pallium
import Testing

/// What tracks code: `withObservationTracking` and `Observations`.
@MainActor
struct TrackedCodeTests {
    private typealias Room = ObservedScene.Room

    private let scene: ObservedScene
    private let room: Room

    init() throws {
        scene = try ObservedScene()
        room = scene.room
    }

    /// One property of each model that is passed.
    @Test func codeReadsWhatItPasses() throws {
        let read: () -> Void = { _ = scene.house.room?.owner?.name }
        let owner = try #require(room.owner)
        #expect(invalidations(of: read) { owner.name = "Grace" } == 1)
        #expect(try invalidations(of: read) { room.owner = try scene.person("Mona") } == 1)
        #expect(invalidations(of: read) { owner.name = "Eve" } == 0)
        #expect(invalidations(of: read) { room.title = "Green" } == 0)
        #expect(invalidations(of: read) { scene.house.room = nil } == 1)
        #expect(invalidations(of: read) { room.owner = nil } == 0)
    }

    @Test func keyPathsReadWhatTheyPass() throws {
        let read: () -> Void = { _ = try? scene.house.value(forKeyPath: "room.guests[1].name") }
        #expect(invalidations(of: read) { room.guests[1].name = "Eve" } == 1)
        #expect(invalidations(of: read) { room.guests = room.guests.reversed() } == 1)
        #expect(invalidations(of: read) { room.guests[0].name = "Zoe" } == 0)
        #expect(invalidations(of: read) { room.owner?.name = "Zoe" } == 0)
        #expect(invalidations(of: read) { scene.house.room = nil } == 1)
    }

    /// A view shows the object that it holds, so another object is a change for it.
    @Test func anotherObjectIsAChange() throws {
        #expect(invalidations(of: { _ = room.owner }, during: { room.owner = room.owner?.copy() }) == 1)
        #expect(invalidations(of: { _ = room.guests }, during: { room.guests = room.guests.map { $0.copy() } }) == 1)
        #expect(invalidations(of: { _ = room.guests }, during: { room.guests = room.guests }) == 0)
        #expect(invalidations(of: { _ = room.owner }, during: { room.owner?.name = "Grace" }) == 0)
    }

    @Test func nestedModelsThatAreNotObservedAreNotTracked() throws {
        #expect(
            invalidations(of: { _ = room.model("shelf")?["books"] }, during: { room.model("shelf")?["books"] = 9 }) == 0
        )
    }

    @Test func codeIsToldOncePerTracking() throws {
        let read: () -> Void = { _ = (room.title, room.count) }
        #expect(
            invalidations(of: read) {
                room.title = "Green"
                room.title = "Black"
                room.count = 7
            } == 1)
    }

    /// Inside a transaction nothing is told; when it is told, everything is in place.
    @Test func codeSeesTheWholeTransaction() throws {
        let journal = Journal()
        withObservationTracking {
            _ = room.title
        } onChange: {
            journal.add("changed")
        }
        room.transaction {
            room.title = "Green"
            #expect(journal.all == [])
        }
        #expect(journal.all == ["changed"])
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test(.timeLimit(.patient)) func observationsSeeTheCurrentValue() async throws {
        let room = room
        let titles = Observations { room.title ?? "untitled" }
        var iterator = titles.makeAsyncIterator()
        #expect(await iterator.next() == "Tea")
        room.title = "Green"
        #expect(await iterator.next() == "Green")
        room.title = "Black"
        room.title = "White"
        #expect(await iterator.next() == "White")
    }

    /// Two properties that must agree.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test(.timeLimit(.patient)) func observationsSeeNoTornState() async throws {
        let (room, rooms) = (room, scene.rooms)
        (room["low"], room["high"]) = (0, 1)
        var pairs = Observations { [room["low", as: Int.self] ?? -1, room["high", as: Int.self] ?? -1] }
            .makeAsyncIterator()
        // From now on, writing has an observer.
        #expect(await pairs.next() == [0, 1])
        let writing = Task {
            for number in 1...200 {
                switch number % 3 {
                case 0: try rooms.merge(#"{"low": \#(number), "high": \#(number + 1)}"#, into: room)
                case 1:
                    try room.transaction {
                        room["low"] = number
                        room["high"] = number + 1
                        try room.validate()
                    }
                default:
                    try rooms.apply(
                        JSONMergePatch(["low": .number(JSONNumber(number)), "high": .number(JSONNumber(number + 1))]),
                        to: room)
                }
                #expect(throws: ModelError.self) { try rooms.merge(#"{"low": 900, "high": 1}"#, into: room) }
                await Task.yield()
            }
        }
        var last = 0
        while last < 200, let pair = await pairs.next() {
            #expect(pair[1] == pair[0] + 1)
            last = pair[0]
        }
        #expect(last == 200)
        try await writing.value
    }
}
