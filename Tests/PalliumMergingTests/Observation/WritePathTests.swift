import ModelTestSupport
import Observation
import Pallium
import Testing

/// Every way to write, and everybody who may hear of it.
struct WritePathTests {
    /// The text of a change as it is told to those who look through the house.
    private func throughHouse(_ notice: String) -> String {
        notice.split(separator: "\n").map { "/room" + $0 }.joined(separator: "\n")
    }

    /// Who observes, by which paths, and what each hears.
    private func observers(_ path: WritePath) -> [(isHouse: Bool, paths: [String], notices: [String])] {
        [
            (false, [path.key], path.own), (false, ["count"], path.other), (false, [], path.all ?? path.own),
            (true, ["room.\(path.key)"], path.own.map(throughHouse)),
            (true, ["room.count"], path.other.map(throughHouse)),
            (true, ["room"], []), (true, [], []), (false, ["id", "people"], []),
        ]
    }

    @Test(arguments: WritePath.all)
    func closuresHear(of path: WritePath) throws {
        for (isHouse, paths, notices) in observers(path) {
            let scene = try ObservedScene()
            try path.preparation(scene)
            let heard = try (isHouse ? scene.house : scene.room).notices(of: paths) { try path.write(scene) }
            #expect(heard == notices, "\(isHouse ? "house" : "room") \(paths)")
        }
    }

    @Test(arguments: WritePath.all)
    func closuresHearBesideOthers(of path: WritePath) throws {
        let scene = try ObservedScene()
        try path.preparation(scene)
        let all = observers(path)
        let heard = all.map { _ in Notices() }
        let observations = try zip(all, heard).map { observer, notices in
            try (observer.isHouse ? scene.house : scene.room).observe(observer.paths, notices)
        }
        try path.write(scene)
        #expect(heard.map(\.texts) == all.map(\.notices))
        withExtendedLifetime(observations) {}
    }

    @Test(arguments: WritePath.all)
    func modelsAreTheSameWhoeverObserves(_ path: WritePath) throws {
        let (alone, observed) = (try ObservedScene(), try ObservedScene())
        try path.preparation(alone)
        try path.write(alone)
        try path.preparation(observed)
        let notices = Notices()
        let observation = try observed.house.observe(["room.title", "room.guests.name"], notices)
        try path.write(observed)
        #expect(picture(of: observed.house) == picture(of: alone.house))
        withExtendedLifetime(observation) {}
    }

    /// The house is written at last, so that there always is an element.
    @Test(.timeLimit(.patient), arguments: WritePath.all)
    func sequencesHaveAnElement(for path: WritePath) async throws {
        for isHouse in [false, true] {
            let scene = try ObservedScene()
            try path.preparation(scene)
            let end = path.key == "high" ? "seen" : "high"
            let changes =
                try isHouse
                ? scene.house.changes(of: "room.\(path.key)", "room.\(end)") : scene.room.changes(of: path.key, end)
            let all = try scene.room.changes()
            let former = scene.room[end, as: Int.self].map { "\($0)" } ?? "nothing"
            try path.write(scene)
            scene.room[end] = 77
            let last = "/\(end): \(former) → 77"
            var lines = Set([path.sum, last].compactMap { $0 }.map { isHouse ? throughHouse($0) : $0 })
            var iterator = changes.makeAsyncIterator()
            #expect(await iterator.next().map { Set($0.map(\.description)) } == lines)
            var others = all.makeAsyncIterator()
            lines = Set([path.sum, path.other.first, last].compactMap { $0 })
            #expect(await others.next().map { Set($0.map(\.description)) } == lines)
        }
    }

    @Test(.timeLimit(.patient), arguments: WritePath.all.filter { $0.key == "title" })
    func sequencesHaveAValue(for path: WritePath) async throws {
        for isHouse in [false, true] {
            let scene = try ObservedScene()
            try path.preparation(scene)
            let values =
                try isHouse
                ? scene.house.values(of: "room.title", as: String.self)
                : scene.room.values(of: "title", as: String.self)
            var iterator = values.makeAsyncIterator()
            let title = scene.room.title
            #expect(await iterator.next() == .some(title))
            try path.write(scene)
            if path.sum != nil {
                #expect(scene.room.title != title)
                #expect(await iterator.next() == .some(scene.room.title))
            }
            scene.room.title = "End"
            #expect(await iterator.next() == "End")
        }
    }

    @Test(arguments: WritePath.all)
    func trackedCodeHears(of path: WritePath) throws {
        typealias Read = (ObservedScene) throws -> Void
        let key = path.key
        let own: [Read] = [
            { _ = $0.room[key] }, { _ = try $0.room.value(forKey: key) }, { _ = try $0.room.state(of: key) },
            { _ = try $0.house.value(forKeyPath: "room.\(key)") }, { _ = $0.house.room?[key] },
        ]
        let accessors: [String: Read] = [
            "title": { _ = $0.room.title }, "count": { _ = $0.room.count }, "friend": { _ = $0.room.friend },
        ]
        let all: [Read] = [
            { _ = $0.room.values }, { _ = $0.room.copy() }, { _ = try $0.rooms.data(from: $0.room) },
        ]
        let others: [Read] = [{ _ = $0.room.count }, { _ = $0.room["count", as: Int.self] }]
        let none: [Read] = [
            { _ = $0.house.room }, { _ = $0.room.hashValue }, { _ = $0.room == $0.twin },
            { _ = $0.room.description }, { _ = try ModelArchiver(validates: false).archive($0.room) }, { _ in },
        ]
        // A property that is not in JSON is not written.
        let written = key == "seen" || key == "friend" ? Array(all.prefix(2)) : all
        let table =
            (own + [accessors[key]].compactMap { $0 }).map { ($0, path.own) }
            + written.map { ($0, path.all ?? path.own) } + others.map { ($0, path.other) } + none.map { ($0, []) }
        for (number, (read, notices)) in table.enumerated() {
            let scene = try ObservedScene()
            try path.preparation(scene)
            let count = try invalidations {
                #expect(throws: Never.self) { try read(scene) }
            } during: {
                try path.write(scene)
            }
            #expect(count == min(notices.count, 1), "reader \(number)")
        }
    }
}
