import Pallium
import TestSupport
import Testing

/// Loops over changes and over values, on the main actor and in an actor.
@MainActor
@Suite(.timeLimit(.patient))
struct SequenceTests {
    private typealias Room = ObservedScene.Room

    private let scene: ObservedScene
    private let room: Room

    init() throws {
        scene = try ObservedScene()
        room = scene.room
    }

    /// Notes the elements of a sequence in a task of its own.
    private func note(_ changes: ModelChangeSequence, in notices: Notices) -> Task<Void, Never> {
        Task {
            for await changes in changes { notices.add(changes) }
            notices.add("end")
        }
    }

    @Test func aLoopThatWaitsGetsAnElementForEachTransaction() async throws {
        let notices = Notices()
        let task = note(try room.changes(), in: notices)
        for number in 2..<12 {
            room.count = number
            await notices.wait()
            #expect(notices.take() == ["/count: \(number - 1) → \(number)"])
        }
        room.transaction {
            room.count = 0
            room.title = "Green"
        }
        await notices.wait()
        #expect(notices.take() == ["/title: \"Tea\" → \"Green\"\n/count: 11 → 0"])
        task.cancel()
        await task.value
    }

    @Test func aSlowLoopGetsAllChangesAtOnce() async throws {
        var iterator = try room.changes(of: "count", "title").makeAsyncIterator()
        for number in 2...100_000 { room.count = number }
        room.title = "Green"
        room.title = "Tea"
        #expect(await iterator.next()?.description == "/count: 1 → 100000")
        room.count = 1
        #expect(await iterator.next()?.description == "/count: 100000 → 1")
    }

    @Test func aSlowLoopGetsTheLastOfManyModels() async throws {
        var iterator = try room.changes(of: "owner.name").makeAsyncIterator()
        for number in 1...100_000 {
            room.owner = try scene.person("p\(number)")
            room.owner?.name = "q\(number)"
        }
        #expect(await iterator.next()?.description == #"/owner/name: "Ada" → "q100000""#)
        room.owner?.name = "last"
        #expect(await iterator.next()?.description == #"/owner/name: "q100000" → "last""#)
    }

    @Test func whatWasSetBackIsNoElement() async throws {
        let notices = Notices()
        let task = note(try room.changes(of: "title", "owner.name"), in: notices)
        await letOthersRun()
        let owner = room.owner
        room.title = "Green"
        room.owner = try scene.person("Grace")
        room.owner = owner
        room.title = "Tea"
        await letOthersRun()
        #expect(notices.texts == [])
        room.title = "Black"
        await notices.wait()
        #expect(notices.take() == [#"/title: "Tea" → "Black""#])
        task.cancel()
        await task.value
    }

    @Test func theSequencesEndWithTheModel() async throws {
        var model: Room? = try scene.rooms.model(from: #"{"id": 5}"#)
        let notices = Notices()
        let changes = note(try #require(try model?.changes()), in: notices)
        let paths = note(try #require(try model?.changes(of: "owner.name")), in: notices)
        let values = try #require(try model?.values(of: "title", as: String.self))
        let names = Task {
            for await title in values { notices.add(title ?? "nothing") }
            notices.add("end")
        }
        await notices.wait()
        await letOthersRun()
        #expect(notices.texts == ["nothing"])
        model = nil
        await changes.value
        await paths.value
        await names.value
        #expect(notices.texts == ["nothing", "end", "end", "end"])
    }

    @Test func changesThatWereNotToldKeepTheModel() async throws {
        var model: Room? = try scene.rooms.model(from: #"{"id": 5}"#)
        weak let reference = model
        var iterator = try #require(try model?.changes()).makeAsyncIterator()
        model?.title = "Green"
        model = nil
        #expect(await iterator.next()?.description == #"/title: nothing → "Green""#)
        #expect(await iterator.next() == nil)
        #expect(reference == nil)
        #expect(await iterator.next() == nil)
    }

    @Test func sequencesDoNotKeepTheModel() async throws {
        var model: Room? = try scene.rooms.model(from: #"{"id": 5, "owner": {"name": "Ada"}}"#)
        weak let reference = model
        let changes = try #require(try model?.changes(of: "owner.name"))
        let values = try #require(try model?.values(of: "owner.name", as: String.self))
        model = nil
        #expect(reference == nil)
        for await changes in changes { Issue.record("\(changes)") }
        for await value in values { Issue.record("\(value ?? "")") }
    }

    @Test func cancellationEndsALoop() async throws {
        let notices = Notices()
        let values = try room.values(of: "title", as: String.self)
        let tasks = [
            note(try room.changes(), in: notices),
            Task {
                for await _ in values {}
                notices.add("end")
            },
        ]
        await letOthersRun()
        for task in tasks {
            task.cancel()
            await task.value
        }
        #expect(notices.take() == ["end", "end"])
        room.title = "Green"
        await letOthersRun()
        #expect(notices.texts == [])
        // Also a task that was cancelled before it began.
        let late = note(try room.changes(), in: notices)
        late.cancel()
        await late.value
        #expect(notices.take() == ["end"])
    }

    @Test func twoLoopsHaveAnElementEach() async throws {
        let (first, second) = (Notices(), Notices())
        let tasks = [note(try room.changes(of: "title"), in: first), note(try room.changes(of: "title"), in: second)]
        await letOthersRun()
        for title in ["Green", "Black"] {
            let former = room.title ?? ""
            room.title = title
            await first.wait()
            await second.wait()
            #expect(first.take() == ["/title: \"\(former)\" → \"\(title)\""])
            #expect(second.take() == ["/title: \"\(former)\" → \"\(title)\""])
        }
        // One that ends leaves the other.
        tasks[0].cancel()
        await tasks[0].value
        room.title = "White"
        await second.wait()
        #expect(first.take() == ["end"] && second.take() == [#"/title: "Black" → "White""#])
        tasks[1].cancel()
        await tasks[1].value
    }

    @Test func whatChangesBeforeTheLoopIsTold() async throws {
        let changes = try room.changes()
        let values = try room.values(of: "title", as: String.self)
        room.title = "Green"
        room.count = 2
        var (iterator, titles) = (changes.makeAsyncIterator(), values.makeAsyncIterator())
        room.title = "Black"
        #expect(await iterator.next()?.description == "/title: \"Tea\" → \"Black\"\n/count: 1 → 2")
        #expect(await titles.next() == "Black")
        room.title = "White"
        #expect(await titles.next() == "White")
    }

    @Test func valuesAreNilForUnsetAndNullAndWhereThePathEnds() async throws {
        var names = try scene.house.values(of: "room.owner.name", as: String.self).makeAsyncIterator()
        #expect(await names.next() == .some("Ada"))
        room.owner?.name = "Grace"
        #expect(await names.next() == .some("Grace"))
        scene.house.room = nil
        #expect(await names.next() == .some(nil))
        // There still is no owner.
        scene.house.room = try scene.rooms.model(from: #"{"id": 2}"#)
        scene.house.room = room
        #expect(await names.next() == .some("Grace"))
        room.owner = try scene.person("Grace")
        room.owner = try scene.person("Mona")
        #expect(await names.next() == .some("Mona"))

        var lows = try room.values(of: "low", as: Int.self).makeAsyncIterator()
        #expect(await lows.next() == .some(nil))
        room["low"] = 1
        #expect(await lows.next() == .some(1))
        try room.unset("low")
        #expect(await lows.next() == .some(nil))
        room["low"] = 2
        #expect(await lows.next() == .some(2))
        room["low"] = nil as Int?
        #expect(await lows.next() == .some(nil))
    }

    @Test func valuesMayBeModelsAndLists() async throws {
        var owners = try room.values(of: "owner", as: DynamicModel.self).makeAsyncIterator()
        let (first, other) = (room.owner, try scene.person("Grace"))
        #expect(await owners.next().flatMap { $0 } === first)
        first?.name = "Ann"
        room.owner = other
        #expect(await owners.next().flatMap { $0 } === other)
        var lists = try room.values(of: "guests", as: [ObservedScene.Guest].self).makeAsyncIterator()
        #expect(await lists.next().flatMap { $0 }?.count == 2)
        room.guests = []
        #expect(await lists.next().flatMap { $0 }?.count == 0)
    }

    @Test func aLoopMayWriteToItsModel() async throws {
        let changes = try room.changes(of: "count")
        var heard: [String] = []
        room.count = 2
        for await change in changes {
            heard.append(change.description)
            if room.count == 6 { break }
            room.count += 1
        }
        #expect(heard == ["/count: 1 → 2", "/count: 2 → 3", "/count: 3 → 4", "/count: 4 → 5", "/count: 5 → 6"])
    }

    @Test func aLoopRunsInTheIsolationOfAnActor() async throws {
        let desk = Desk()
        try await desk.listen()
        for number in 1...20 { await desk.rename("\(number)") }
        await desk.waitForTitle("20")
        let heard = await desk.heard
        // Nothing is lost or told twice, however the loop and the calls take turns.
        #expect(heard.first?.hasPrefix("/title: nothing") == true)
        for (one, next) in zip(heard, heard.dropFirst()) {
            let last = try #require(one.split(separator: " ").last)
            #expect(next.hasPrefix("/title: \(last) → "))
        }
        #expect(await desk.titles.last == "20")
        await desk.end()
    }

    /// An actor that listens to a model of its own.
    private actor Desk {
        private let room: Room?
        private(set) var heard: [String] = []
        private(set) var titles: [String] = []
        private var tasks: [Task<Void, any Error>] = []
        private let notices = Notices()

        init() {
            let registry = try? SchemaRegistry.of(ObservedScene.schemas)
            room = registry.map { Room(registry: $0) }
        }

        func listen() throws {
            guard let room else { return }
            let changes = try room.changes(of: "title")
            tasks.append(
                Task {
                    for await changes in changes {
                        heard.append(changes.description)
                        titles.append(room.title ?? "")
                        notices.add(room.title ?? "")
                    }
                })
        }

        func waitForTitle(_ title: String) async {
            while titles.last != title, !Task.isCancelled {
                await notices.wait()
                _ = notices.take()
            }
        }

        func rename(_ title: String) { room?.title = title }

        func end() async {
            for task in tasks {
                task.cancel()
                try? await task.value
            }
        }
    }
}
