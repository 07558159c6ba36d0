import ModelTestSupport
import Observation
import Pallium
import Testing

/// What tracked code keeps, what it causes, and what it hears of rare changes.
struct TrackingEdgeTests {
    private typealias Room = ObservedScene.Room

    private final class Held: Sendable {}

    private let scene: ObservedScene
    private let room: Room
    private let notices = Notices()

    init() throws {
        scene = try ObservedScene()
        room = scene.room
    }

    private func inScope(_ body: () throws -> Void) rethrows { try body() }

    /// Nothing changes, so the framework waits until the models and their views end.
    @Test func whatOnChangeHoldsEndsWithWhatWasRead() throws {
        let reads: [(Room, Frozen<Room>) -> Void] = [
            { room, _ in _ = room.title }, { room, _ in _ = room.values }, { room, _ in _ = room.owner?.name },
            { _, view in _ = view.title }, { _, view in _ = view.owner?.name },
            { room, view in _ = (view.title, room.title, room.guests, view.guests) },
        ]
        for (number, read) in reads.enumerated() {
            weak var reference: Held?
            try inScope {
                let room = try scene.rooms.model(
                    from: #"{"id": 5, "title": "Attic", "owner": {"name": "Ada"}, "guests": [{"id": 1}]}"#)
                let view = room.frozen()
                let held = Held()
                reference = held
                withObservationTracking {
                    read(room, view)
                } onChange: {
                    withExtendedLifetime(held) {}
                }
            }
            #expect(reference == nil, "\(number)")
        }
    }

    /// Each of two trackings writes what the other one reads, and tracks again.
    private final class Rally: @unchecked Sendable {
        // @unchecked: the thread of one test uses it.
        private let room: Room
        private let owner: ObservedScene.Person
        private let end: Int
        private(set) var count = 0
        private var isOver = false

        init(_ room: Room, _ owner: ObservedScene.Person, end: Int) {
            (self.room, self.owner, self.end) = (room, owner, end)
            trackRoom()
            trackOwner()
        }

        private func trackRoom() {
            withObservationTracking {
                _ = room.count
            } onChange: { [self] in
                if isOver { return }
                trackRoom()
                count += 1
                if count < end { owner.name = "\(count)" }
            }
        }

        private func trackOwner() {
            withObservationTracking {
                _ = owner.name
            } onChange: { [self] in
                if isOver { return }
                trackOwner()
                count += 1
                if count < end { room.count += 1 }
            }
        }

        /// Lets the framework drop what it holds.
        func stop() {
            isOver = true
            room.count += 1
            owner.name = "over"
        }
    }

    @Test func trackingsMayAnswerEachOther() throws {
        let count = try onStack {
            let room = try ObservedScene().room
            let rally = Rally(room, try #require(room.owner), end: 10_000)
            room.count += 1
            rally.stop()
            return rally.count
        }
        #expect(count == 10_000)
    }

    @Test func observersHearFirstOfTheChangeThatTrackedCodeAnswers() throws {
        let first = try room.observe("title") { [notices] in notices.add("first \($0)") }
        let second = try room.observe("title") { [notices] in notices.add("second \($0)") }
        let carried = Carried(room)
        withObservationTracking {
            _ = room.title
        } onChange: {
            carried.content?.title = "Black"
        }
        room.title = "Green"
        #expect(
            notices.take() == [
                #"first /title: "Tea" → "Green""#, #"second /title: "Tea" → "Green""#,
                #"first /title: "Green" → "Black""#, #"second /title: "Green" → "Black""#,
            ])
        withExtendedLifetime((first, second)) {}
    }

    /// Nobody but tracked code looks at the model that is written first.
    @Test func whatTrackedCodeWritesIsToldWhenAllTrackedCodeHasHeard() throws {
        let other = try scene.rooms.model(from: #"{"id": 5, "title": "Attic"}"#)
        let journal = Journal()
        let observation = try room.observe("count") { _ in journal.add("observer") }
        let carried = Carried(room)
        for _ in 0..<3 {
            withObservationTracking {
                _ = other.title
            } onChange: {
                carried.content?.count += 1
                journal.add("tracked")
            }
        }
        other.title = "Loft"
        #expect(journal.all.prefix(3) == ["tracked", "tracked", "tracked"])
        #expect(journal.all.dropFirst(3).allSatisfy { $0 == "observer" } && journal.all.count > 3)
        withExtendedLifetime(observation) {}
    }

    /// A property that was unset and is null has another state, and the same value.
    @Test func anotherStateIsAChangeForTrackedCodeAlone() throws {
        let room = try scene.rooms.model(from: #"{"id": 5}"#)
        let read: () -> Void = { _ = try? room.state(of: "low") }
        for isObserved in [false, true] {
            let observation = isObserved ? try room.observe([], notices) : nil
            #expect(try room.state(of: "low") == .unset)
            #expect(invalidations(of: read) { room["low"] = nil as Int? } == 1)
            #expect(invalidations(of: read) { room["low"] = nil as Int? } == 0)
            #expect(try invalidations(of: read) { try room.unset("low") } == 1)
            #expect(try invalidations(of: read) { try room.unset("low") } == 0)
            #expect(invalidations(of: read) { room.transaction { room["low"] = nil as Int? } } == 1)
            #expect(try invalidations(of: read) { try scene.rooms.apply(JSONPatch([.remove(["low"])]), to: room) } == 1)
            withExtendedLifetime(observation) {}
        }
        #expect(notices.texts == [])
    }

    /// There are more properties than bits in a word.
    @Test(arguments: [false, true]) func eachOfManyPropertiesIsTracked(isObserved: Bool) throws {
        let keys = (0..<70).map { "p\($0)" }
        var schema = ModelSchema.named("Wide", properties: keys.map { ModelSchema.Property($0, .integer) })
        schema.isObserved = true
        let model = DynamicModel(schema: schema, registry: try .of(schema))
        let observation = isObserved ? try model.observe([], notices) : nil
        for (number, key) in keys.enumerated() {
            let read: () -> Void = { _ = model[key] }
            #expect(invalidations(of: read) { model[key] = number } == 1, "\(key)")
            for other in [number - 64, number + 1, number + 64] where keys.indices.contains(other) {
                #expect(invalidations(of: read) { model[keys[other]] = -number } == 0, "\(key), \(other)")
            }
        }
        let journal = Journal()
        for key in keys {
            withObservationTracking {
                _ = model[key]
            } onChange: {
                journal.add(key)
            }
        }
        for (number, key) in keys.enumerated() { model[key] = number + 1000 }
        #expect(journal.all == keys)
        withExtendedLifetime(observation) {}
    }

    /// Each model is read anew, and only one of its properties.
    @Test func oneOfManyPropertiesIsTracked() throws {
        var schema = ModelSchema.named(
            "Wide", properties: (0..<70).map { ModelSchema.Property("p\($0)", .integer) })
        schema.isObserved = true
        let registry = try SchemaRegistry.of(schema)
        for key in ["p3", "p63", "p64", "p67", "p69"] {
            let model = DynamicModel(schema: schema, registry: registry)
            #expect(invalidations(of: { _ = model[key] }, during: { model[key] = 1 }) == 1, "\(key)")
        }
    }
}
