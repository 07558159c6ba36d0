import Foundation
import ModelTestSupport
import Observation
import Pallium
import Testing

/// What makes new models, or only looks at them, tells nobody; and new models have no observers.
struct SilentOperationTests {
    private typealias Room = ObservedScene.Room

    private struct Operation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (ObservedScene) throws -> [DynamicModel]

        init(_ name: String, _ run: @escaping @Sendable (ObservedScene) throws -> [DynamicModel]) {
            testDescription = name
            self.run = run
        }
    }

    private static let document = #"{"id": 1, "title": "Tea", "owner": {"name": "Ada"}, "guests": [{"id": 1}]}"#

    private static let operations = [
        Operation("decode") { [try $0.rooms.model(from: document)] },
        Operation("decode several") { try $0.rooms.models(from: "[\(document), \(document)]") },
        Operation("decode on threads") { try $0.rooms.models(fromLines: document + "\n" + document, concurrently: 2) },
        Operation("report") { $0.rooms.report(from: document).models },
        Operation("unarchive") { scene in
            let data = try ModelArchiver().archive(scene.room)
            return [try ModelUnarchiver(registry: scene.registry).unarchive(Room.self, from: data)]
        },
        Operation("copy") { [$0.room.copy()] },
        Operation("deep copy") { [$0.room.deepCopy()] },
        Operation("deep copy of the house") { [$0.house.deepCopy()] },
        Operation("frozen") { scene in
            let view = scene.room.frozen()
            #expect(view.title == "Tea" && view.owner?.name == "Ada" && view == scene.room.frozen())
            return []
        },
        Operation("thaw") { [Frozen.thaw($0.room.frozen())] },
        Operation("defaults") { [Room(registry: $0.registry)] },
        Operation("values") { scene in
            [try Room(values: ["id": 5, "title": " x ", "owner": scene.room.owner], registry: scene.registry)]
        },
        Operation("encode") { scene in
            _ = try scene.rooms.data(from: scene.room)
            _ = try scene.rooms.jsonValue(from: scene.room)
            _ = try JSONEncoder().encode(scene.room)
            return []
        },
        Operation("Codable") { scene in
            let decoder = JSONDecoder()
            decoder.userInfo[.schemaRegistry] = scene.registry
            return [try decoder.decode(Room.self, from: Data(document.utf8))]
        },
        Operation("compare") { scene in
            #expect(scene.room == scene.twin && Set([scene.room, scene.twin]).count == 1)
            #expect(scene.room.difference(to: scene.twin).isEmpty)
            _ = try scene.rooms.jsonPatch(from: scene.room, to: scene.twin)
            return []
        },
        Operation("describe") { scene in
            _ = (scene.room.description, scene.room.debugDescription, scene.room.customMirror)
            return []
        },
        Operation("archive") { scene in
            _ = try ModelArchiver().archive([scene.room, scene.twin])
            return []
        },
        Operation("read") { scene in
            _ = (scene.room.values, scene.room.schema, scene.room.changedKeys, scene.room["title"])
            _ = try scene.house.value(forKeyPath: "room.guests[1].name")
            return []
        },
        Operation("observe") { scene in
            let observation = try scene.room.observe("guests.name") { _ in }
            _ = try scene.room.changes()
            observation.cancel()
            return []
        },
        Operation("nothing in a transaction") { scene in
            scene.room.transaction {}
            return []
        },
    ]

    /// All models of the room are observed while the operation runs, then what it made is changed.
    @Test(arguments: operations)
    private func tellsNothing(_ operation: Operation) throws {
        let scene = try ObservedScene()
        let (notices, journal) = (Notices(), Journal())
        let owner = try #require(scene.room.owner)
        var observations = try [scene.house, scene.room, owner].map { try $0.observe([], notices) }
        for path in ["room", "room.title", "room.owner.name", "room.guests.name"] {
            observations.append(try scene.house.observe([path], notices))
        }
        withObservationTracking {
            _ = (scene.house.values, scene.room.values, owner.values, scene.room.guests[0].values)
        } onChange: {
            journal.add("changed")
        }
        for model in try operation.run(scene) {
            let made = model as? Room ?? (model as? ObservedScene.House)?.room
            made?.title = "of the copy"
            made?["low"] = 3
        }
        #expect(notices.texts == [] && journal.all == [])
        // Everybody still listens.
        scene.room.title = "Green"
        #expect(notices.texts.count == 2 && journal.all.count == 1)
        withExtendedLifetime(observations) {}
    }

    /// Hooks and validators write to a model that nobody knows yet; what they write elsewhere is told.
    @Test func newModelsMayBeObserved() throws {
        let scene = try ObservedScene()
        for model in [scene.room.copy(), scene.room.deepCopy(), Frozen.thaw(scene.room.frozen())] {
            let heard = try model.notices(of: []) {
                model.title = "Green"
                scene.room.title = "Black"
                scene.room.title = "Tea"
            }
            #expect(heard == [#"/title: "Tea" → "Green""#])
        }
    }

    @Test func aDeepCopyTellsOfItsOwnModels() throws {
        let scene = try ObservedScene()
        let copy = scene.house.deepCopy()
        let heard = try copy.notices(of: ["room.owner.name"]) {
            scene.room.owner?.name = "Grace"
            copy.room?.owner?.name = "Mona"
        }
        #expect(heard == [#"/room/owner/name: "Ada" → "Mona""#])
    }
}
