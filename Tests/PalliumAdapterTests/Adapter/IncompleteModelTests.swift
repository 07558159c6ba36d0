import Foundation
import ModelTestSupport
import Pallium
import TestSupport
import Testing

/// Models that lack required values, and what is written of them.
struct IncompleteModelTests {
    private static let schemas = [
        ModelSchema(
            "Thing",
            [
                "name": .string.required.json("meta.name"), "size": .integer, "owner": .model("Owner"),
                "all": .array(of: .model("Owner")), "named": .dictionary(of: .model("Owner")),
                "id": .integer.required.readOnly, "password": .string.writeOnly,
            ]),
        ModelSchema("Owner", ["login": .string.required]),
    ]

    private static func thing(_ registry: SchemaRegistry) -> (thing: DynamicModel, owner: DynamicModel) {
        (
            DynamicModel(schema: schemas[0], registry: registry), DynamicModel(schema: schemas[1], registry: registry)
        )
    }

    @Test func aRequiredValueThatIsMissingIsRefusedWithItsPlace() throws {
        let registry = try SchemaRegistry.of(Self.schemas)
        let adapter = try JSONAdapter(schema: Self.schemas[0], registry: registry)
        let (thing, owner) = Self.thing(registry)
        func pointer() -> String? {
            let problem = #expect(throws: ModelError.self) { try adapter.data(from: thing) }
            #expect(problem?.code == .missingProperty)
            #expect(throws: ModelError.self) { try adapter.jsonValue(from: thing) }
            #expect(throws: ModelError.self) { try adapter.jsonObject(from: thing) }
            #expect(throws: ModelError.self) { try JSONEncoder().encode(thing) }
            let inList = #expect(throws: ModelError.self) { try adapter.data(from: [thing]) }
            #expect(inList?.pointer?.description == "/0" + (problem?.pointer?.description ?? "-"))
            return problem?.pointer?.description
        }
        #expect(pointer() == "/meta/name")
        thing["name"] = "x"
        thing["password"] = "y"
        #expect(try adapter.jsonValue(from: thing) == ["meta": ["name": "x"], "password": "y"])
        thing["owner"] = owner
        #expect(pointer() == "/owner/login")
        try thing.unset("owner")
        thing["all"] = [owner]
        #expect(pointer() == "/all/0/login")
        try thing.unset("all")
        thing["named"] = ["k": owner]
        #expect(pointer() == "/named/k/login")
        owner["login"] = "z"
        #expect(try adapter.jsonValue(from: thing)["named"] == ["k": ["login": "z"]])
    }

    @Test func whoAsksForItGetsIncompleteModels() throws {
        let registry = try SchemaRegistry.of(Self.schemas)
        let adapter = try JSONAdapter(
            schema: Self.schemas[0], registry: registry, options: .with { $0.writesIncompleteModels = true })
        let (thing, owner) = Self.thing(registry)
        thing["owner"] = owner
        #expect(try adapter.jsonValue(from: thing) == ["owner": [:]])
    }

    @Test func whatIsNotChosenMayBeMissing() throws {
        let registry = try SchemaRegistry.of(Self.schemas)
        let adapter = try JSONAdapter(schema: Self.schemas[0], registry: registry)
        let (thing, _) = Self.thing(registry)
        thing["size"] = 1
        #expect(try adapter.jsonValue(from: thing, only: ["size"]) == ["size": 1])
        #expect(try adapter.jsonValue(from: thing, except: ["name", "password"]) == ["size": 1])
        #expect(throws: ModelError.self) { try adapter.jsonValue(from: thing, only: ["size", "name"]) }
    }

    @Test func theBodiesOfTrackedModelsMayBePartial() throws {
        let registry = try SchemaRegistry.of(Self.schemas)
        let adapter = try JSONAdapter(schema: Self.schemas[0], registry: registry)
        let (thing, owner) = Self.thing(registry)
        thing["owner"] = owner
        thing.trackChanges()
        thing["size"] = 2
        #expect(try adapter.mergePatch(for: thing).jsonValue == ["size": 2])
        #expect(try adapter.jsonPatch(for: thing).operations.count == 1)
        try thing.unset("owner")
        try adapter.apply(JSONMergePatch(["size": 3]), to: thing)
        try adapter.merge(#"{"size": 4}"#, into: thing)
        #expect(thing["size", as: Int.self] == 4)
    }
}
