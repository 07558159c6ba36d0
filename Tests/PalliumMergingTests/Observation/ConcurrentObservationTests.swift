import Pallium
import TestSupport
import Testing

/// The last reference to an observation may go on any thread, while the model is written on its own.
@MainActor
@Suite(.timeLimit(.patient))
struct ConcurrentObservationTests {
    private let scene: ObservedScene
    private let notices = Notices()

    init() throws { scene = try ObservedScene() }

    /// Lets go of things on other threads, while `body` runs on this one.
    private func drop<Content>(_ contents: [Content], while body: () -> Void) async {
        let carried = contents.map { Carried($0) }
        await drop(carried, while: body)
    }

    private func drop<Content>(_ carried: [Carried<Content>], while body: () -> Void) async {
        let tasks = carried.map { box in Task.detached { Self.empty(box) } }
        body()
        for task in tasks { await task.value }
    }

    nonisolated private static func empty(_ box: Carried<some Any>) { box.content = nil }

    private final class Held: Sendable {}

    @Test func aClosureIsNotCalledAgain() async throws {
        let room = scene.room
        for round in 0..<50 {
            weak var reference: Held?
            var boxes: [Carried<ModelObservation>] = []
            do {
                let object = Held()
                reference = object
                boxes = try ["count", "title", "owner.name", "guests.name"].flatMap { path in
                    try (0..<3).map { _ in
                        Carried(
                            try room.observe(path) { [notices] changes in
                                withExtendedLifetime(object) { notices.add(changes) }
                            })
                    }
                }
            }
            await drop(boxes) {
                for _ in 0..<5 {
                    room.count += 1
                    room.owner?.name += "x"
                }
                room.title = "\(round)"
            }
            _ = notices.take()
            room.transaction {
                room.count += 1
                room.title = "after \(round)"
                room.owner?.name = "Ada"
                room.guests[0].name = "\(round)"
            }
            #expect(notices.texts == [])
            // The model has let go of the closures.
            #expect(reference == nil)
        }
    }

    @Test func aSequenceIsNotToldAgain() async throws {
        let room = scene.room
        for round in 0..<50 {
            let sequences = try (0..<4).map { _ in Carried(try room.changes(of: "title", "owner.name")) }
            let values = try (0..<4).map { _ in Carried(try room.values(of: "owner.name", as: String.self)) }
            var iterators: [Carried<ModelChangeSequence.AsyncIterator>] = []
            for _ in 0..<4 { iterators.append(Carried(try room.changes().makeAsyncIterator())) }
            let tasks = sequences.map { box in Task.detached { Self.empty(box) } }
            await drop(values) { room.owner?.name = "\(round)" }
            await drop(iterators) {
                for _ in 0..<5 { room.count += 1 }
                room.title = "\(round)"
            }
            for task in tasks { await task.value }
            room.title = "after \(round)"
        }
        // Who stays hears.
        var iterator = try room.changes(of: "title").makeAsyncIterator()
        room.title = "Green"
        #expect(await iterator.next()?.description == #"/title: "after 49" → "Green""#)
    }

    /// The model and its observations end at the same time.
    @Test func theModelMayEndMeanwhile() async throws {
        for _ in 0..<50 {
            var room: ObservedScene.Room? = try scene.rooms.model(
                from: #"{"id": 5, "title": "Attic", "owner": {"name": "Ada"}}"#)
            let owner = room?.owner
            let boxes = try (0..<8).compactMap { number in
                try room.map { room in
                    Carried(try room.observe(number % 2 == 0 ? "title" : "owner.name") { [notices] in notices.add($0) })
                }
            }
            weak let reference = room
            await drop(boxes) {
                owner?.name += "x"
                room = nil
                owner?.name += "y"
            }
            #expect(reference == nil)
            _ = notices.take()
            owner?.name = "Eve"
            #expect(notices.texts == [])
        }
    }
}
