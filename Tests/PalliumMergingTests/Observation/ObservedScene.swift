import Foundation
import ModelTestSupport
import Observation
import Pallium
import Testing

/// A house with a room, in which every sort of property can be written in every way.
struct ObservedScene {
    final class House: DynamicModel, Observable {
        var room: Room? {
            get { value() }
            set { set(newValue) }
        }
        var rooms: [Room]? {
            get { value() }
            set { set(newValue) }
        }
    }

    final class Room: DynamicModel, Observable {
        var title: String? {
            get { value() }
            set { set(newValue) }
        }
        var count: Int {
            get { value() }
            set { set(newValue) }
        }
        var owner: Person? {
            get { value() }
            set { set(newValue) }
        }
        var guests: [Guest] {
            get { value() }
            set { set(newValue) }
        }
        var friend: Person? {
            get { value() }
            set { set(newValue) }
        }
    }

    final class Person: DynamicModel, Observable {
        var name: String {
            get { value() }
            set { set(newValue) }
        }
        var friend: Person? {
            get { value() }
            set { set(newValue) }
        }
    }

    final class Guest: DynamicModel, Observable {
        var id: Int { value() }
        var name: String? {
            get { value() }
            set { set(newValue) }
        }
    }

    static let schemas = [
        ModelSchema(House.self, ["name": .string, "room": .model("Room"), "rooms": .array(of: .model("Room"))]),
        ModelSchema(
            Room.self,
            [
                "id": .integer.required,
                "title": .string.validate { (title: inout String?, _) in
                    if title == "refused" { throw FixtureError.refused }
                    title = title?.trimmingCharacters(in: .whitespaces)
                },
                "count": .integer.default(0), "low": .integer, "high": .integer,
                "seen": .integer.local.storage(.transitory),
                "owner": .model("Person").merge(.recurse),
                "guests": .array(of: .model("Guest")).merge(.byIdentifier(missing: .remove)).default([]),
                "friend": .model("Person").weak,
                "desks": .array(of: .model("Desk")).inverse("room"),
                "shelf": .model("Shelf").merge(.recurse),
                "people": .dictionary(of: .model("Person")),
                "circle": .set(of: .model("Guest")),
            ], identity: ["id"]
        ).validate { room in
            if (room["low", as: Int.self] ?? 0) > (room["high", as: Int.self] ?? .max) { throw FixtureError.refused }
        }.didDecode { room in
            if room["title", as: String.self] == "hook" { throw FixtureError.refused }
        },
        ModelSchema(Person.self, ["name": .string.required, "friend": .model("Person")]),
        ModelSchema(Guest.self, ["id": .integer.required, "name": .string], identity: ["id"]),
        ModelSchema("Desk", ["name": .string, "room": .model("Room").weak], isObserved: true),
        // The only one that is not observed.
        ModelSchema("Shelf", ["name": .string, "books": .integer, "owner": .model("Person")]),
    ]

    let registry: SchemaRegistry
    let map = IdentityMap()
    let rooms: JSONAdapter<Room>
    let house: House
    let room: Room
    /// An equal room, which nobody writes to.
    let twin: Room

    init() throws {
        registry = try .of(Self.schemas)
        rooms = JSONAdapter(Room.self, registry: registry)
        room = try map.import(
            """
            {"id": 1, "title": "Tea", "count": 1, "owner": {"name": "Ada"},
             "guests": [{"id": 1, "name": "Bob"}, {"id": 2, "name": "Cy"}], "shelf": {"name": "Oak", "books": 3}}
            """, using: rooms)[0]
        house = House(registry: registry)
        house.room = room
        twin = room.copy()
    }

    func person(_ name: String) throws -> Person { try Person(values: ["name": name], registry: registry) }

    func guest(_ id: Int, _ name: String) throws -> Guest {
        try Guest(values: ["id": id, "name": name], registry: registry)
    }

    func model(_ schema: String, _ values: [String: (any PropertyValue)?] = [:]) throws -> DynamicModel {
        try DynamicModel(schema: registry.schema(named: schema), values: values, registry: registry)
    }
}

/// What an observer heard, one text for each call.
final class Notices {
    private(set) var texts: [String] = []
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func add(_ changes: ModelChanges) { add(changes.description) }

    func add(_ text: String) {
        texts.append(text)
        signal.yield()
    }

    /// Waits until there are so many texts, or the task is cancelled.
    func wait(for count: Int = 1, isolation actor: isolated (any Actor)? = #isolation) async {
        var iterator = signals.makeAsyncIterator()
        while texts.count < count, await iterator.next(isolation: actor) != nil {}
    }

    /// What was heard since the last call.
    func take() -> [String] {
        defer { texts = [] }
        return texts
    }
}

extension DynamicModel {
    /// What observers of key paths, or of all properties without paths, hear while a closure runs.
    func notices(
        of paths: [String], during body: () throws -> Void
    ) throws -> [String] {
        let notices = Notices()
        let observation = try observe(paths, notices)
        try body()
        observation.cancel()
        return notices.texts
    }

    func observe(_ paths: [String], _ notices: Notices) throws(ModelError) -> ModelObservation {
        switch paths.count {
        case 0: try observe { notices.add($0) }
        case 1: try observe(paths[0]) { notices.add($0) }
        default: try observe(paths[0], paths[1]) { notices.add($0) }
        }
    }
}

/// How often tracked code would have to run again because of a closure: never or once.
func invalidations(of read: () -> Void, during body: () throws -> Void) rethrows -> Int {
    let journal = Journal()
    withObservationTracking(read) { journal.add("changed") }
    try body()
    return journal.all.count
}

/// Lets other tasks of the main actor run, so that what should not happen could.
///
/// Nothing tells how often is enough, so what should happen is waited for.
@MainActor
func letOthersRun() async {
    for _ in 0..<20 { await Task.yield() }
}

/// Takes something of one thread into closures that could go to others.
final class Carried<Content>: @unchecked Sendable {
    // @unchecked: one thread at a time uses it.
    var content: Content?

    init(_ content: Content?) { self.content = content }
}
