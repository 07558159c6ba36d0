import Foundation
import Observation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// A list has the live objects of a query, and tells how it changes with each commit.
@MainActor @Suite(.timeLimit(.patient))
struct ModelListTests {
    private let world: SessionWorld

    init() throws {
        world = try SessionWorld()
        for number in 1...5 {
            try world.put(
                "Issue", ["number": .number(JSONNumber(number)), "title": .string("t\(number)"), "state": "open"])
        }
    }

    private func list() throws -> ModelList<DynamicModel> {
        try world.session.list(
            world.world.query("Issue", where: Key("state") == "open", order: [.descending("title")]))
    }

    private static func numbers(_ models: [DynamicModel]) -> [Int] { models.compactMap { $0["number", as: Int.self] } }

    private static func words(_ difference: CollectionDifference<DynamicModel>) -> String {
        difference.map { change in
            switch change {
            case .remove(let offset, let model, _): "-\(numbers([model])[0])@\(offset)"
            case .insert(let offset, let model, _): "+\(numbers([model])[0])@\(offset)"
            }
        }.joined(separator: " ")
    }

    @Test func theObjectsAreThoseOfTheSession() throws {
        let list = try list()
        #expect(Self.numbers(list.models) == [5, 4, 3, 2, 1])
        #expect(try list.models[0] === world.object("Issue", 5))
        try world.put("Issue", 5) { try $0.setValue("t9", forKey: "title") }
        #expect(try list.update().isEmpty)
        #expect(list.models[0]["title", as: String.self] == "t9")
    }

    @Test func anUpdateTellsWhatCameWentAndMoved() throws {
        let list = try list()
        for (expected, numbers, change) in [
            ("-2@3", [5, 4, 3, 1], { try world.remove("Issue", "number", 2) }),
            ("+7@0", [7, 5, 4, 3, 1], { try world.put("Issue", ["number": 7, "title": "t7", "state": "open"]) }),
            ("-1@4 +1@0", [1, 7, 5, 4, 3], { try world.put("Issue", 1) { try $0.setValue("t8", forKey: "title") } }),
            ("-3@4", [1, 7, 5, 4], { try world.put("Issue", 3) { try $0.setValue("closed", forKey: "state") } }),
            ("", [1, 7, 5, 4], { try world.put("Issue", ["number": 9, "state": "closed"]) }),
        ] as [(String, [Int], () throws -> Void)] {
            let before = list.models
            try change()
            let difference = try list.update()
            #expect(Self.words(difference) == expected)
            #expect(Self.numbers(list.models) == numbers)
            #expect(before.applying(difference).map { $0.elementsEqual(list.models, by: ===) } == true)
        }
    }

    @Test func trackedCodeHearsOfAnotherListOnly() throws {
        let list = try list()
        final class Log: @unchecked Sendable { var count = 0 }
        let log = Log()
        func track() {
            withObservationTracking {
                _ = list.models
            } onChange: {
                log.count += 1
            }
        }
        track()
        try world.put("Issue", 5) { try $0.setValue("t9", forKey: "title") }
        try list.update()
        #expect(log.count == 0)
        try world.remove("Issue", "number", 2)
        try list.update()
        #expect(log.count == 1)
    }

    @Test func aLoopHasAnElementForEachCommitThatChangesTheList() async throws {
        let list = try list()
        // Before the loop.
        try world.remove("Issue", "number", 4)
        var iterator = list.differences.makeAsyncIterator()
        #expect(try await iterator.next().map(Self.words) == "-4@1")
        // Another program, and then the session itself.
        try world.put("Issue", ["number": 8, "title": "t8", "state": "open"])
        #expect(try await iterator.next().map(Self.words) == "+8@0")
        try world.session.delete(list.models[1])
        try world.session.save()
        #expect(try await iterator.next().map(Self.words) == "-5@1")
        #expect(Self.numbers(list.models) == [8, 3, 2, 1])
    }

    @Test func aLoopMayBeginAgain() async throws {
        let list = try list()
        for turn in 0..<3 {
            let task = Task { @MainActor in
                var elements = 0
                for try await _ in list.differences { elements += 1 }
                return elements
            }
            await Task.yield()
            task.cancel()
            #expect(try await task.value <= 1)
            try world.put("Issue", ["number": .number(JSONNumber(10 + turn)), "title": "x", "state": "open"])
        }
        var iterator = list.differences.makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        #expect(list.models.count == 8)
    }

    @Test func editsSurviveAndAreSortedOnceTheyAreSaved() async throws {
        let list = try list()
        list.models[4]["title"] = "t6"
        try world.put("Issue", 1) { try $0.setValue(7.5, forKey: "score") }
        #expect(try list.update().isEmpty)
        #expect(list.models[4]["score", as: Double.self] == 7.5)
        #expect(list.models[4]["title", as: String.self] == "t6")
        try world.session.save()
        #expect(try Self.words(list.update()) == "-1@4 +1@0")
    }

    /// A row that changes to another descendant gets a new object.
    @Test func aNewObjectOfAnIdentityTakesThePlaceOfTheOld() throws {
        let list = try list()
        try world.put("Bug", ["number": 3, "title": "t3", "state": "open"])
        #expect(try Self.words(list.update()) == "-3@2 +3@2")
        #expect(list.models[2].schema.name == "Bug")
    }

    @Test func anErrorLeavesTheListAsItWas() throws {
        let list = try list()
        try world.world.change("UPDATE Issue SET _document = '{' WHERE number = 3")
        #expect(throws: ModelError.self) { try list.update() }
        #expect(Self.numbers(list.models) == [5, 4, 3, 2, 1])
        #expect(throws: ModelError.self) { try world.session.list(world.world.query("Issue", where: Key("x") == 1)) }
    }

    @Test(.trials) func differencesLeadFromListToList() throws {
        for seed in Trials(1) {
            let world = try SessionWorld()
            var numbers = SeededGenerator(seed: seed)
            let list = try world.session.list(
                world.world.query("Issue", where: Key("state") == "open", order: [.ascending("title")], limit: 6))
            for _ in 0..<12 {
                let before = list.models
                for _ in 0...numbers.below(2) {
                    try world.put(
                        "Issue",
                        [
                            "number": .number(JSONNumber(numbers.below(9))), "title": .string("t\(numbers.below(5))"),
                            "state": .string(numbers.pick(["open", "open", "closed"])),
                        ])
                }
                let difference = try list.update()
                #expect(before.applying(difference).map { $0.elementsEqual(list.models, by: ===) } == true, "\(seed)")
                let fetched = try world.session.fetch(
                    world.world.query("Issue", where: Key("state") == "open", order: [.ascending("title")], limit: 6))
                #expect(fetched.elementsEqual(list.models, by: ===), "\(seed)")
            }
        }
    }
}
