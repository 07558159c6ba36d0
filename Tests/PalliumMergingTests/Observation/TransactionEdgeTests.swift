import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Parent references, hooks, identity maps and tracking in transactions that fail or are told.
struct TransactionEdgeTests {
    private typealias Room = ObservedScene.Room

    private let scene: ObservedScene
    private let room: Room
    private let notices = Notices()

    init() throws {
        scene = try ObservedScene()
        room = scene.room
    }

    private func fail(_ model: DynamicModel? = nil, _ body: () throws -> Void) {
        #expect(throws: FixtureError.refused) {
            try (model ?? room).transaction {
                try body()
                throw FixtureError.refused
            }
        }
    }

    // MARK: Parent references

    private struct Folders {
        let page: DynamicModel
        let folders: [DynamicModel]
        let file: DynamicModel

        init(folderIsObserved: Bool, fileIsObserved: Bool) throws {
            let registry = try SchemaRegistry.of(
                ModelSchema("Page", ["folder": .model("Folder"), "file": .model("File")], isObserved: true),
                ModelSchema(
                    "Folder", ["name": .string, "files": .array(of: .model("File")).inverse("folder")],
                    isObserved: folderIsObserved),
                ModelSchema(
                    "File", ["name": .string, "folder": .model("Folder").weak], isObserved: fileIsObserved))
            func model(_ name: String) throws -> DynamicModel {
                DynamicModel(schema: try registry.schema(named: name), registry: registry)
            }
            page = try model("Page")
            folders = [try model("Folder"), try model("Folder")]
            file = try model("File")
            file["name"] = "a"
        }

        func attach() { folders[0]["files"] = [file] }
    }

    /// Models that are neither observed nor held need not be taken back, but never by half.
    @Test(arguments: [false, true], [false, true])
    func parentsAndChildrenAgreeAfterAnError(folderIsObserved: Bool, fileIsObserved: Bool) throws {
        for holder in ["", "folder", "file"] {
            for isInner in [false, true] {
                let scene = try Folders(folderIsObserved: folderIsObserved, fileIsObserved: fileIsObserved)
                let (page, folder, file) = (scene.page, scene.folders[0], scene.file)
                if !holder.isEmpty { page[holder] = holder == "file" ? file : folder }
                func run() {
                    fail(page) {
                        scene.attach()
                        file["name"] = "b"
                    }
                }
                if isInner { page.transaction { run() } } else { run() }
                let (files, parent) = (folder.models("files"), file.model("folder"))
                let isTakenBack = files.isEmpty
                #expect(isTakenBack ? parent == nil : parent === folder && files[0] === file)
                #expect(file["name", as: String.self] == (isTakenBack ? "a" : "b"))
                if folderIsObserved || fileIsObserved || !holder.isEmpty { #expect(isTakenBack) }
            }
        }
    }

    /// The file leaves one folder for another, in a transaction that fails.
    @Test(arguments: [false, true], [false, true])
    func aChildReturnsToItsParentAfterAnError(folderIsObserved: Bool, fileIsObserved: Bool) throws {
        let scene = try Folders(folderIsObserved: folderIsObserved, fileIsObserved: fileIsObserved)
        let (file, folders) = (scene.file, scene.folders)
        scene.attach()
        fail(scene.page) {
            folders[0]["files"] = [] as [DynamicModel]
            folders[1]["files"] = [file]
        }
        let holders = folders.filter { !$0.models("files").isEmpty }
        #expect(holders.count == 1 && file.model("folder") === holders[0])
        if folderIsObserved || fileIsObserved { #expect(holders.first === folders[0]) }
    }

    // MARK: Hooks

    /// A map of items, each of which counts itself in a model that is observed.
    private struct Items {
        let counter: DynamicModel
        let adapter: JSONAdapter<DynamicModel>
        let map = IdentityMap()

        init() throws {
            let carried = Carried<DynamicModel>(nil)
            let registry = try SchemaRegistry.of(
                ModelSchema(
                    "Item", ["id": .integer.required, "size": .integer, "parts": .array(of: .model("Item"))],
                    identity: ["id"]
                ).validate { item in
                    if item["size", as: Int.self] == -1 { throw FixtureError.refused }
                }.didDecode { _ in
                    let counter = carried.content
                    counter?["count"] = (counter?["count", as: Int.self] ?? 0) + 1
                }, ModelSchema("Counter", ["count": .integer.default(0)], isObserved: true))
            counter = DynamicModel(schema: try registry.schema(named: "Counter"), registry: registry)
            carried.content = counter
            adapter = try JSONAdapter(schema: registry.schema(named: "Item"), registry: registry)
        }
    }

    @Test func hooksOfNewModelsBelongToTheirImport() throws {
        let items = try Items()
        let observation = try items.counter.observe([], notices)
        try items.map.import(#"[{"id": 1}, {"id": 2, "parts": [{"id": 3}]}]"#, using: items.adapter)
        #expect(notices.take() == ["/count: 0 → 3"])
        #expect(throws: ModelError.self) {
            try items.map.import(#"[{"id": 4}, {"id": 5, "size": -1}]"#, using: items.adapter)
        }
        #expect(throws: ModelError.self) {
            try items.map.import(#"[{"id": 5, "size": -1}, {"id": 4}]"#, using: items.adapter)
        }
        #expect(notices.take() == [] && items.counter["count", as: Int.self] == 3)
        try items.map.import(
            #"[{"id": 4}, {"id": 5, "size": -1}, {"id": 6}]"#, using: items.adapter.with { $0.elements = .skip })
        #expect(notices.take() == ["/count: 3 → 5"])
        withExtendedLifetime(observation) {}
    }

    /// What observers see when they hear of an import or a patch is what is there afterwards.
    @Test func observersSeeMembersThatNoPropertyMaps() throws {
        let adapter = scene.rooms.with { $0.unknownMembers = .keep }
        let writes: [(Room) throws -> Void] = [
            { _ = try adapter.apply(JSONMergePatch(["title": "Loft", "extra": ["a": 2]]), to: $0) },
            { _ = try adapter.apply(JSONMergePatch(["extra": nil, "more": 1, "title": "Loft"]), to: $0) },
            { _ = try adapter.apply(JSONPatch([.replace(["title"], "Loft"), .add(["more"], true)]), to: $0) },
            { _ = try adapter.apply(JSONPatch([.remove(["extra"]), .replace(["title"], "Loft")]), to: $0) },
            { _ = try adapter.merge(#"{"extra": {"a": 2}, "title": "Loft"}"#, into: $0) },
        ]
        for (number, write) in writes.enumerated() {
            let room = try adapter.model(from: #"{"id": 5, "title": "Attic", "extra": {"a": 1}}"#)
            func text() -> String { (try? adapter.data(from: room)).map { String(decoding: $0, as: UTF8.self) } ?? "" }
            let before = text()
            let observation = try room.observe("title") { [notices] _ in notices.add(text()) }
            try write(room)
            #expect(notices.take() == [text()] && text() != before, "\(number)")
            withExtendedLifetime(observation) {}
        }
    }

    @Test func observersSeeTheStateAfterARebase() throws {
        let room = try scene.rooms.model(from: #"{"id": 5, "title": "Attic", "count": 1}"#)
        func state() -> String {
            let models = [room.owner, room.model("shelf")] + room.guests
            return "\(room.pendingChanges), \(models.map { $0?.isTrackingChanges })"
        }
        room.trackChanges()
        room.count = 4
        room["low"] = 2
        let observations = try ["owner", "guests", "shelf", "title", "owner.name"].map { path in
            try room.observe(path) { [notices] _ in notices.add(state()) }
        }
        try scene.rooms.rebase(
            room,
            onto: """
                {"id": 5, "title": "Loft", "count": 1, "low": 2, "owner": {"name": "Ada"}, "guests": [{"id": 1}],
                 "shelf": {"name": "Oak"}}
                """)
        #expect(room.owner?.isTrackingChanges == true && room.guests.first?.isTrackingChanges == true)
        #expect(room.pendingChanges.description == "/count: 1 → 4")
        #expect(Set(notices.texts) == [state()] && notices.texts.count == 5)
        withExtendedLifetime(observations) {}
    }

    // MARK: Identity maps and tracking

    private static let attic =
        #"{"id": 9, "title": "Attic", "owner": {"name": "Ada"}, "guests": [{"id": 8, "name": "Di"}]}"#

    private func load(_ text: String) throws -> Room { try scene.map.import(text, using: scene.rooms)[0] }

    @Test func anErrorTakesBackNewInstances() throws {
        var made: [Room] = []
        let failures: [() -> Void] = [
            { self.fail { made.append(try self.load(Self.attic)) } },
            {
                self.fail {
                    self.room.transaction {
                        do { made.append(try self.load(Self.attic)) } catch { Issue.record(error) }
                    }
                }
            },
            { self.room.transaction { self.fail { made.append(try self.load(Self.attic)) } } },
            {
                self.fail {
                    made.append(try self.load(Self.attic))
                    _ = try self.load(#"{"id": 9, "title": "Loft", "count": 3}"#)
                }
            },
        ]
        for (number, fail) in failures.enumerated() {
            fail()
            #expect(made.count == number + 1)
        }
        // The map knows none of them, nor their guests.
        let stub = try load(#"{"id": 9, "count": 4}"#)
        #expect(!made.contains { $0 === stub } && stub.title == nil && stub.owner == nil && stub.count == 4)
        let found = try load(Self.attic)
        #expect(found === stub && found.title == "Attic" && found.owner?.name == "Ada")
        #expect(found.guests.map(\.name) == ["Di"])
        #expect(!made.contains { $0.guests.first === found.guests[0] })
        // Nor do they belong to it: they may get another identity.
        try scene.rooms.merge(#"{"id": 10}"#, into: made[0])
        #expect(made[0]["id", as: Int.self] == 10)
    }

    @Test func anImportAfterAnErrorHasAllValues() throws {
        var made: Room?
        fail { made = try load(Self.attic) }
        let again = try load(Self.attic)
        #expect(again !== made && again == made && again.guests[0].name == "Di" && again.owner?.name == "Ada")
        #expect(try load(Self.attic) === again)
    }

    @Test func anErrorTakesBackTracking() throws {
        let shelf = try #require(room.model("shelf"))
        let models = [room, try #require(room.owner), shelf] + room.guests
        fail {
            room.trackChanges()
            room.count = 9
            shelf["books"] = 9
        }
        #expect(models.allSatisfy { !$0.isTrackingChanges } && room.pendingChanges.isEmpty && room.count == 1)
        fail { shelf.trackChanges() }
        #expect(!shelf.isTrackingChanges)

        room.trackChanges()
        room.count = 4
        shelf["books"] = 5
        let pending = room.pendingChanges.description
        fail { room.stopTrackingChanges() }
        fail { room.revert() }
        fail {
            room.trackChanges()
            room.count = 6
        }
        fail { try scene.rooms.rebase(room, onto: #"{"id": 1, "title": "Green", "count": 7}"#) }
        fail { _ = try load(#"{"id": 1, "title": "Green", "count": 7}"#) }
        #expect(models.allSatisfy(\.isTrackingChanges) && room.pendingChanges.description == pending)
        room.revert()
        #expect(room.count == 1 && shelf["books", as: Int.self] == 3 && room.title == "Tea")
    }
}
