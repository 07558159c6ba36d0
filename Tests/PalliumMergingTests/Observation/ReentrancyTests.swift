import ModelTestSupport
import Observation
import Pallium
import Testing

/// Observers that do something themselves.
struct ReentrancyTests {
    private let scene: ObservedScene
    private let room: ObservedScene.Room
    private let notices = Notices()

    init() throws {
        scene = try ObservedScene()
        room = scene.room
    }

    @Test func observersAreToldInTheOrderInWhichTheyWereMade() throws {
        let paths: [[String]] = [["title"], [], ["title", "count"], ["title"], ["count"], []]
        let observations = try paths.enumerated().map { number, paths in
            let tell: (ModelChanges) -> Void = { _ in notices.add("\(number)") }
            return switch paths.count {
            case 0: try room.observe(onChange: tell)
            case 1: try room.observe(paths[0], onChange: tell)
            default: try room.observe(paths[0], paths[1], onChange: tell)
            }
        }
        room.title = "Green"
        #expect(notices.take() == ["0", "1", "2", "3", "5"])
        room.transaction {
            room.count = 2
            room.title = "Tea"
        }
        #expect(notices.take() == ["0", "1", "2", "3", "4", "5"])
        withExtendedLifetime(observations) {}
    }

    @Test func trackedCodeIsToldFirst() throws {
        let journal = Journal()
        let observation = try room.observe("title") { _ in journal.add("observer") }
        withObservationTracking {
            _ = room.title
        } onChange: {
            journal.add("tracked")
        }
        room.title = "Green"
        #expect(journal.all == ["tracked", "observer"])
        withExtendedLifetime(observation) {}
    }

    @Test func everythingIsInPlaceWhenObserversAreTold() throws {
        let room = room
        let observation = try room.observe("title") { [notices] _ in
            notices.add("\(room.title ?? "") \(room.count) \(room.owner?.name ?? "")")
        }
        try scene.rooms.merge(#"{"title": "Green", "count": 7, "owner": {"name": "Grace"}}"#, into: room)
        #expect(notices.take() == ["Green 7 Grace"])
        withExtendedLifetime(observation) {}
    }

    /// Each observer sees the changes in their order; what an observer writes is in the model at once.
    @Test func anObserverMaySet() throws {
        let room = room
        let first = try room.observe("title") { [notices] changes in
            notices.add("first \(changes)")
            if room.title == "Green" {
                room.title = "Black"
                notices.add("set \(room.title ?? "")")
            }
        }
        let second = try room.observe("title") { [notices] changes in notices.add("second \(changes)") }
        room.title = "Green"
        #expect(
            notices.take() == [
                #"first /title: "Tea" → "Green""#, "set Black", #"second /title: "Tea" → "Green""#,
                #"first /title: "Green" → "Black""#, #"second /title: "Green" → "Black""#,
            ])
        withExtendedLifetime((first, second)) {}
    }

    @Test func anObserverMaySetBack() throws {
        let room = room
        let first = try room.observe("title") { [notices] changes in
            notices.add("first \(changes)")
            room.title = "Tea"
        }
        let second = try room.observe("title") { [notices] changes in notices.add("second \(changes)") }
        room.title = "Green"
        #expect(room.title == "Tea")
        #expect(
            notices.take() == [
                #"first /title: "Tea" → "Green""#, #"second /title: "Tea" → "Green""#,
                #"first /title: "Green" → "Tea""#, #"second /title: "Green" → "Tea""#,
            ])
        withExtendedLifetime((first, second)) {}
    }

    @Test func anObserverMayEndItself() throws {
        var observation: ModelObservation?
        observation = try room.observe("title") { [notices] changes in
            notices.add(changes)
            observation?.cancel()
        }
        let other = try room.observe("title") { [notices] _ in notices.add("other") }
        room.title = "Green"
        room.title = "Black"
        #expect(notices.take() == [#"/title: "Tea" → "Green""#, "other", "other"])
        withExtendedLifetime((observation, other)) {}
    }

    @Test func anObserverMayEndOthers() throws {
        var observations: [ModelObservation] = []
        for number in 0..<5 {
            observations.append(
                try room.observe("title") { [notices] _ in
                    notices.add("\(number)")
                    // One that was told already, and one that was not.
                    if number == 2 { [0, 3].forEach { observations[$0].cancel() } }
                })
        }
        room.title = "Green"
        #expect(notices.take() == ["0", "1", "2", "4"])
        room.title = "Black"
        #expect(notices.take() == ["1", "2", "4"])
        observations = []
        room.title = "White"
        #expect(notices.take() == [])
    }

    @Test func anObserverMayEndOneOfAnotherModel() throws {
        var ended: ModelObservation?
        let ending = try room.observe("title") { [notices] _ in
            notices.add("ending")
            ended?.cancel()
        }
        ended = try scene.house.observe("room.title") { [notices] _ in notices.add("ended") }
        room.title = "Green"
        #expect(notices.take() == ["ending"])
        withExtendedLifetime(ending) {}
    }

    @Test func anObserverMayAddAnother() throws {
        let room = room
        var added: [ModelObservation] = []
        let adding = try room.observe("title") { [notices] changes in
            notices.add("adding")
            guard added.isEmpty else { return }
            do {
                added.append(try room.observe("title") { notices.add($0) })
                added.append(try room.observe("owner.name") { notices.add($0) })
            } catch { Issue.record(error) }
        }
        room.title = "Green"
        // It observes from now on.
        #expect(notices.take() == ["adding"])
        room.title = "Black"
        #expect(notices.take() == ["adding", #"/title: "Green" → "Black""#])
        room.owner?.name = "Grace"
        #expect(notices.take() == [#"/owner/name: "Ada" → "Grace""#])
        withExtendedLifetime(adding) {}
    }

    @Test func observersMayAnswerEachOther() throws {
        let calls = try onStack {
            let room = try ObservedScene().room
            let owner = try #require(room.owner)
            var calls = 0
            let first = try room.observe("count") { _ in
                calls += 1
                if room.count < 20_000 { owner.name = "\(room.count + 1)" }
            }
            let second = try owner.observe("name") { _ in
                calls += 1
                if let number = Int(owner.name), number < 20_000 { room.count = number + 1 }
            }
            room.count = 2
            #expect(room.count == 20_000 && owner.name == "19999")
            withExtendedLifetime((first, second)) {}
            return calls
        }
        #expect(calls == 19_999)
    }

    @Test func anObserverMayStartAMergeAndATransaction() throws {
        let (room, rooms) = (room, scene.rooms)
        let merging = try room.observe("title") { [notices] changes in
            notices.add(changes)
            do {
                if room.title == "Green" {
                    try rooms.merge(#"{"title": "Black", "owner": {"name": "Grace"}}"#, into: room)
                    #expect(throws: ModelError.self) { try rooms.merge(#"{"title": "refused"}"#, into: room) }
                } else if room.title == "Black" {
                    room.transaction {
                        room.title = "White"
                        room.count = 9
                    }
                    #expect(throws: FixtureError.self) {
                        try room.transaction {
                            room.title = "Red"
                            throw FixtureError.refused
                        }
                    }
                }
            } catch { Issue.record(error) }
        }
        let all = try room.observe { [notices] in notices.add("all \($0.keys)") }
        room.title = "Green"
        #expect(room.title == "White")
        #expect(
            notices.take() == [
                #"/title: "Tea" → "Green""#, #"all ["title"]"#, #"/title: "Green" → "Black""#, #"all ["title"]"#,
                #"/title: "Black" → "White""#, #"all ["title", "count"]"#,
            ])
        withExtendedLifetime((merging, all)) {}
    }

    /// What an observer writes while it is told of a transaction belongs to no transaction of the writer.
    @Test func whatAnObserverWritesStaysWhenALaterTransactionFails() throws {
        let room = room
        let observation = try room.observe("title") { _ in room.count = 9 }
        #expect(throws: FixtureError.self) {
            room.title = "Green"
            try room.transaction {
                room.title = "Black"
                throw FixtureError.refused
            }
        }
        #expect(room.title == "Green" && room.count == 9)
        withExtendedLifetime(observation) {}
    }

    @Test func aClosureMayHoldTheLastReferenceToItsObservation() throws {
        final class Box { var observation: ModelObservation? }
        var count = 0
        weak var reference: ModelObservation?
        do {
            let box = Box()
            let observation = try room.observe("title") { _ in
                count += 1
                box.observation = nil
            }
            box.observation = observation
            reference = observation
        }
        #expect(reference != nil)
        room.title = "Green"
        room.title = "Black"
        #expect(count == 1 && reference == nil)
    }
}
