import ModelTestSupport
import Pallium
import Testing

/// Sequences that are asked seldom, late or never.
@MainActor
@Suite(.timeLimit(.patient))
struct SequenceEdgeTests {
    private typealias Room = ObservedScene.Room

    private let scene: ObservedScene
    private let room: Room
    private let notices = Notices()

    init() throws {
        scene = try ObservedScene()
        room = scene.room
    }

    @Test func aListThatNobodyAsksForMayBeLong() async throws {
        let staysLinear = try await isLinear(upTo: 5000) { count in
            func document(_ name: String) -> String {
                let guests = (0..<count).map { #"{"id": \#($0), "name": "\#(name)\#($0)"}"# }
                return #"{"guests": [\#(guests.joined(separator: ","))]}"#
            }
            try scene.rooms.merge(document("a"), into: room)
            var iterator = try room.changes(of: "guests.name").makeAsyncIterator()
            let start = processorTime()
            for name in ["b", "c", "d"] { try scene.rooms.merge(document(name), into: room) }
            let changes = try #require(await iterator.next())
            let time = processorTime() - start
            #expect(changes.count == count)
            #expect(
                Set(changes.map(\.description))
                    == Set((0..<count).map { #"/guests/\#($0)/name: "a\#($0)" → "d\#($0)""# }))
            return time
        }
        #expect(staysLinear)
    }

    /// A waiting change is not visited again with each further change.
    @Test(arguments: ["count", "owner.name"]) func manyChangesThatNobodyAsksForMayWait(path: String) async throws {
        let staysLinear = try await isLinear(upTo: 20_000) { count in
            var iterator = try room.changes(of: path).makeAsyncIterator()
            let start = processorTime()
            for _ in 0..<count {
                room.count += 1
                if path != "count" { room.owner = try scene.person("p\(room.count)") }
            }
            let time = processorTime() - start
            #expect(await iterator.next()?.count == 1)
            return time
        }
        #expect(staysLinear)
    }

    /// An import writes to many models; a sequence keeps those that it has to tell about.
    @Test func aSequenceKeepsNoOtherModelsOfAnImport() async throws {
        for isImport in [true, false] {
            let sequences = [
                try room.changes(), try room.changes(of: "title"), try room.changes(of: "title", "owner.name"),
            ]
            let title = isImport ? "Green" : "Black"
            weak var other: Room?
            weak var guest: ObservedScene.Guest?
            try inScope {
                let attic = try scene.map.import(
                    #"{"id": 2, "title": "Attic", "guests": [{"id": 7, "name": "Di"}]}"#, using: scene.rooms)[0]
                (other, guest) = (attic, attic.guests[0])
                if isImport {
                    try scene.map.import(
                        """
                        [{"id": 1, "title": "Green"}, {"id": 2, "title": "Loft", "guests": [{"id": 7, "name": "Dee"}]}]
                        """, using: scene.rooms)
                    #expect(attic.title == "Loft" && attic.guests[0].name == "Dee")
                } else {
                    room.transaction {
                        attic.title = "Loft"
                        attic.guests[0].name = "Dee"
                        room.title = title
                        attic.count = 5
                    }
                }
            }
            #expect(other == nil && guest == nil)
            for sequence in sequences {
                var iterator = sequence.makeAsyncIterator()
                let former = isImport ? "Tea" : "Green"
                #expect(await iterator.next()?.description == "/title: \"\(former)\" → \"\(title)\"")
            }
        }
    }

    private func inScope(_ body: () throws -> Void) rethrows { try body() }

    private static let schemas = [
        ModelSchema("Page", ["author": .model("Author")], isObserved: true),
        ModelSchema("Author", ["name": .string, "age": .integer], isObserved: true),
    ]

    /// Without an author there is no name, and an author may have none.
    @Test func nilIsToldOnce() async throws {
        let registry = try SchemaRegistry.of(Self.schemas)
        func model(_ name: String) throws -> DynamicModel {
            DynamicModel(schema: try registry.schema(named: name), registry: registry)
        }
        let page = try model("Page")
        let values = try page.values(of: "author.name", as: String.self)
        let task = Task { [notices] in
            for await name in values { notices.add(name ?? "nil") }
        }
        func check(_ texts: [String], sourceLocation: SourceLocation = #_sourceLocation) async {
            await notices.wait(for: texts.count)
            await letOthersRun()
            #expect(notices.take() == texts, sourceLocation: sourceLocation)
        }
        await check(["nil"])
        let author = try model("Author")
        page["author"] = author
        await check([])
        author["name"] = nil as String?
        await check([])
        page["author"] = try model("Author")
        await check([])
        page["author"] = nil as DynamicModel?
        await check([])
        page["author"] = author
        author["name"] = "Ada"
        await check(["Ada"])
        page["author"] = try model("Author")
        await check(["nil"])
        page["author"] = nil as DynamicModel?
        await check([])
        page["author"] = author
        await check(["Ada"])
        task.cancel()
        await task.value
    }

    @Test func aMergeIsOneElement() async throws {
        let keys = (0..<17).map { "p\($0)" }
        var schema = ModelSchema.named("Wide", properties: keys.map { ModelSchema.Property($0, .integer) })
        schema.isObserved = true
        let adapter = try JSONAdapter(schema: schema, registry: .of(schema))
        let model = try adapter.model(from: "{}")
        let changes = try model.changes()
        let task = Task { [notices] in
            for await changes in changes { notices.add("\(changes.count) \(changes.keys == keys)") }
        }
        await letOthersRun()
        let members = keys.map { #""\#($0)": 1"# }.joined(separator: ",")
        try adapter.merge("{\(members)}", into: model)
        await notices.wait()
        await letOthersRun()
        #expect(notices.take() == ["17 true"])
        try adapter.merge("{\(members)}", into: model)
        await letOthersRun()
        #expect(notices.take() == [])
        try adapter.merge(#"{"p0": 2}"#, into: model)
        await notices.wait()
        #expect(notices.take() == ["1 false"])
        task.cancel()
        await task.value
    }

    #if DEBUG
        private static let count = 100_000
    #else
        private static let count = 1_000_000
    #endif

    @Test func setsWithoutAPauseAreOneElement() async throws {
        let changes = try room.changes()
        let task = Task { [notices] in
            for await changes in changes { notices.add(changes) }
        }
        await letOthersRun()
        for number in 2...Self.count { room.count = number }
        await notices.wait()
        await letOthersRun()
        #expect(notices.take() == ["/count: 1 → \(Self.count)"])
        task.cancel()
        await task.value
    }
}
