import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Dates in rows: numbers for queries and upgrade steps, with the spelling that they were read with.
@Suite(.threat(.dates))
struct StoredDateTests {
    private static func schemas(_ index: Bool, version: Int = 1, _ steps: [SchemaUpgrade] = []) -> [ModelSchema] {
        var schema = ModelSchema(
            "Event",
            [
                "id": .integer.required, "at": index ? .date.indexed() : .date, "times": .array(of: .date),
                "local": .date.transformer(.localISO8601Date),
            ], identity: ["id"])
        schema.version = version
        schema.upgrades = steps
        return [schema]
    }

    private static let documents = [
        #"{"id":1,"at":"2026-01-31T12:00:00Z"}"#,
        #"{"id":2,"at":"2026-01-31T14:00:00.000+01:00","times":["2026-01-31T12:00:00.50Z","2026-01-31T12:00:00Z"]}"#,
        #"{"id":3,"at":"2026-01-31T06:00:00-08:00","local":"2026-01-31T12:00:00.000"}"#,
        #"{"id":4,"at":"2026-01-31t11:30:00,123456789012z"}"#,
    ]

    private func world(_ index: Bool) throws -> StoreWorld {
        let world = try StoreWorld(schemas: Self.schemas(index))
        try world.store.save(Self.documents.map { try world.adapter("Event").model(from: $0) })
        return world
    }

    @Test(arguments: [false, true])
    func datesComeBackFromRowsAsTheyWereSpelled(index: Bool) throws {
        let world = try world(index)
        let (store, registry) = try world.reopened(Self.schemas(!index))
        let schema = try registry.schema(named: "Event")
        let adapter = try JSONAdapter<DynamicModel>(schema: schema, registry: registry)
        func texts(_ query: ModelQuery<DynamicModel>) throws -> [String] {
            try store.fetch(query).map { String(decoding: try adapter.data(from: $0), as: UTF8.self) }
        }
        #expect(try texts(ModelQuery(schema: schema, order: [.ascending("id")])) == Self.documents)
        // The moment decides order and conditions.
        let order = try store.fetch(ModelQuery(schema: schema, order: [.ascending("at")])).map {
            $0["id", as: Int.self]
        }
        #expect(order == [4, 1, 2, 3])
        let noon = try Date("2026-01-31T13:00:00Z", strategy: .iso8601)
        #expect(try store.count(ModelQuery(schema: schema, where: Key("at") == noon)) == 1)
        #expect(try store.count(ModelQuery(schema: schema, where: Key("at") > noon)) == 1)
    }

    @Test func anEqualMomentIsNoChange() throws {
        let world = try world(false)
        #expect(try world.store.import(#"{"id":2,"at":"2026-01-31T13:00:00Z"}"#, using: world.adapter("Event")).isEmpty)
    }

    @Test func upgradeStepsSeeNumbers() throws {
        let world = try world(false)
        let later = SchemaUpgrade(from: 1) { event in
            guard case .json(.number(let seconds))? = event["at"] else {
                if case .integer(let seconds)? = event["at"] { event["at"] = .integer(seconds + 1) }
                return
            }
            event["at"] = .json(.number(seconds))
        }
        let (store, registry) = try world.reopened(Self.schemas(false, version: 2, [later]))
        let schema = try registry.schema(named: "Event")
        let adapter = try JSONAdapter<DynamicModel>(schema: schema, registry: registry)
        let texts = try store.fetch(ModelQuery(schema: schema, order: [.ascending("id")])).map {
            String(decoding: try adapter.data(from: $0), as: UTF8.self)
        }
        #expect(
            texts == [
                #"{"id":1,"at":"2026-01-31T12:00:01Z"}"#,
                // What the step does not touch keeps its spelling.
                #"{"id":2,"at":"2026-01-31T13:00:01Z","times":["2026-01-31T12:00:00.50Z","2026-01-31T12:00:00Z"]}"#,
                #"{"id":3,"at":"2026-01-31T14:00:01Z","local":"2026-01-31T12:00:00.000"}"#,
                #"{"id":4,"at":"2026-01-31t11:30:00,123456789012z"}"#,
            ])
    }
}
