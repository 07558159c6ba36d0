import Pallium
import TestSupport
import Testing

/// Models that come in the place of others, and parents that come to models.
struct PathEdgeTests {
    private typealias Person = ObservedScene.Person

    private let scene: ObservedScene
    private let room: ObservedScene.Room
    private let notices = Notices()

    init() throws {
        scene = try ObservedScene()
        room = scene.room
    }

    /// What observers of paths hear while a closure runs, each call as its changes.
    private func calls(of paths: String..., during body: () throws -> Void) throws -> [ModelChanges] {
        var calls: [ModelChanges] = []
        let observation =
            paths.count == 1
            ? try room.observe(paths[0]) { calls.append($0) }
            : try room.observe(paths[0], paths[1]) { calls.append($0) }
        try body()
        observation.cancel()
        return calls
    }

    private func expectReplacement(
        _ calls: [ModelChanges], _ old: Person?, _ new: Person?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(calls.map { $0.map { "\($0.pointer)" } } == [["/owner"]], sourceLocation: sourceLocation)
        let change = try #require(calls.first?.first)
        #expect(change.old as? Person === old && change.new as? Person === new, sourceLocation: sourceLocation)
    }

    @Test func anotherModelIsToldOnceWithBothModels() throws {
        let paths = [["owner"], ["owner", "owner.name"], ["owner.name", "owner"], ["owner", "owner.friend"]]
        for paths in paths {
            let ada = try #require(room.owner)
            let grace = try scene.person("Grace")
            try expectReplacement(try calls(paths) { room.owner = grace }, ada, grace)
            // An equal one.
            let equal = grace.copy()
            try expectReplacement(try calls(paths) { room.owner = equal }, grace, equal)
            #expect(try calls(paths) { room.owner = equal }.isEmpty)
            try expectReplacement(try calls(paths) { room.owner = nil }, equal, nil)
            try expectReplacement(try calls(paths) { room.owner = ada }, nil, ada)
        }
    }

    private func calls(_ paths: [String], during body: () throws -> Void) throws -> [ModelChanges] {
        paths.count == 1
            ? try calls(of: paths[0], during: body) : try calls(of: paths[0], paths[1], during: body)
    }

    /// What changed in a model that went is not told beside it.
    @Test func aModelThatChangesAndGoesIsToldOnce() throws {
        for (number, paths) in [["owner"], ["owner", "owner.name"], ["owner.name", "owner"]].enumerated() {
            let former = try #require(room.owner)
            let next = try scene.person("Grace")
            let heard = try calls(paths) {
                room.transaction {
                    former.name = "Ann"
                    room.owner = next
                    next.name = "Mona \(number)"
                }
            }
            try expectReplacement(heard, former, next)
        }
    }

    /// Whoever observes the name alone hears of the name alone.
    @Test func theNameIsToldFromTheStateBefore() throws {
        let former = try #require(room.owner)
        let heard = try room.notices(of: ["owner.name"]) {
            try room.transaction {
                former.name = "Ann"
                room.owner = try scene.person("Grace")
            }
        }
        #expect(heard == [#"/owner/name: "Ada" → "Grace""#])
        #expect(try room.notices(of: ["owner.name"]) { room.owner = room.owner?.copy() } == [])
    }

    // MARK: Parents

    private static let machines = [
        ModelSchema(
            "Machine",
            [
                "name": .string, "parts": .array(of: .model("Part")).inverse("machine"),
                "core": .model("Part").inverse("machine"),
            ]),
        ModelSchema("Part", ["name": .string, "machine": .model("Machine").weak]),
        ModelSchema("Sensor", ["limit": .integer], extends: "Part", isObserved: true),
    ]

    /// Neither the parent nor the schema of the property is observed.
    @Test func anObservedDescendantHearsOfItsParent() throws {
        let registry = try SchemaRegistry.of(Self.machines)
        func model(_ name: String) throws -> DynamicModel {
            DynamicModel(schema: try registry.schema(named: name), registry: registry)
        }
        let (machine, other, part) = (try model("Machine"), try model("Machine"), try model("Part"))
        let sensor = try model("Sensor")
        let observation = try sensor.observe(["machine"], notices)
        for isInside in [false, true] {
            func write(_ body: () -> Void) { if isInside { part.transaction { body() } } else { body() } }
            func invalidations(_ body: @escaping () -> Void) -> Int {
                PalliumMergingTests.invalidations(of: { _ = sensor.model("machine") }, during: { write(body) })
            }
            #expect(invalidations { machine["parts"] = [part, sensor] } == 1)
            #expect(sensor.model("machine") === machine && notices.take().count == 1, "\(isInside)")
            #expect(invalidations { machine["parts"] = [sensor] } == 0)
            #expect(notices.take() == [], "\(isInside)")
            #expect(invalidations { other["core"] = sensor } == 1)
            #expect(sensor.model("machine") === other && notices.take().count == 1, "\(isInside)")
            #expect(invalidations { other["core"] = nil as DynamicModel? } == 1)
            #expect(sensor.model("machine") == nil && notices.take().count == 1, "\(isInside)")
            machine["parts"] = [] as [DynamicModel]
            #expect(notices.take() == [])
        }
        withExtendedLifetime(observation) {}
    }

    @Test func anObservedDescendantHearsOfItsParentOnceATransaction() throws {
        let registry = try SchemaRegistry.of(Self.machines)
        let machine = DynamicModel(schema: try registry.schema(named: "Machine"), registry: registry)
        let sensor = DynamicModel(schema: try registry.schema(named: "Sensor"), registry: registry)
        let heard = try sensor.notices(of: []) {
            sensor.transaction {
                machine["parts"] = [sensor]
                sensor["limit"] = 5
                #expect(notices.texts == [])
            }
            #expect(throws: FixtureError.self) {
                try sensor.transaction {
                    machine["parts"] = [] as [DynamicModel]
                    throw FixtureError.refused
                }
            }
        }
        #expect(heard.count == 1 && heard[0].contains("/limit: nothing → 5") && heard[0].contains("/machine: "))
        #expect(sensor.model("machine") === machine && machine.models("parts").count == 1)
    }
}
