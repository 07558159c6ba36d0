import Pallium
import TestSupport
import Testing

@testable import PalliumCore

/// Observations that nobody holds any more, of models that do not change.
struct AbandonedObservationTests {
    /// Counts the objects that are alive.
    private final class Counted {
        private let count: Carried<Int>

        init(_ count: Carried<Int>) {
            self.count = count
            count.content? += 1
        }

        deinit { count.content? -= 1 }
    }

    /// More than are in use, by far less than were made.
    private static let few = 100
    private static let many = 10_000

    private let scene: ObservedScene
    private let room: ObservedScene.Room
    private let notices = Notices()

    init() throws {
        scene = try ObservedScene()
        room = scene.room
    }

    private func linkCounts() throws -> [Int] {
        ([room, try #require(room.owner)] + room.guests).map { $0.observers?.links.count ?? 0 }
    }

    @Test func closuresDoNotAccumulate() throws {
        let count = Carried(0)
        for number in 0..<Self.many {
            _ = try room.observe("title") { [counted = Counted(count)] _ in withExtendedLifetime(counted) {} }
            try #require(count.content ?? 0 < Self.few, "\(number)")
        }
        #expect(try linkCounts().allSatisfy { $0 < Self.few })
    }

    @Test func closuresOfManyPathsDoNotAccumulate() throws {
        let paths = ["title", "count", "low", "high", "seen", "owner.name", "guests.name", "owner", "guests", "friend"]
        let count = Carried(0)
        for number in 0..<Self.many {
            // As many sets of paths as there are numbers of three digits.
            let (first, second, third) = (paths[number % 10], paths[number / 10 % 10], paths[number / 100 % 10])
            _ = try room.observe(first, second, third) { [counted = Counted(count)] _ in
                withExtendedLifetime(counted) {}
            }
            try #require(count.content ?? 0 < Self.few, "\(number)")
        }
        #expect(try linkCounts().allSatisfy { $0 < Self.few })
        #expect((room.observers?.shared.count ?? 0) < Self.few)
    }

    @Test func sequencesDoNotAccumulate() throws {
        for number in 0..<Self.many {
            _ = try number % 2 == 0 ? room.changes(of: "title") : room.changes(of: "owner.name", "guests.name")
        }
        _ = try room.values(of: "title", as: String.self)
        #expect(try linkCounts().allSatisfy { $0 < Self.few })
    }

    /// Those that are held hear as before.
    @Test func heldOnesStay() throws {
        let held = try (0..<50).flatMap { number in
            [
                try room.observe("title") { [notices] _ in notices.add("\(number)") },
                try room.observe("title", "count") { [notices] _ in notices.add("\(number)") },
            ]
        }
        for _ in 0..<1000 {
            _ = try room.observe("title") { [notices] _ in notices.add("gone") }
            _ = try room.observe("title", "low") { [notices] _ in notices.add("gone") }
            _ = try room.changes()
        }
        room.title = "Green"
        #expect(notices.take() == (0..<50).flatMap { ["\($0)", "\($0)"] })
        withExtendedLifetime(held) {}
    }
}
