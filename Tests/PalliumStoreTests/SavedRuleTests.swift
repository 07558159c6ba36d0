import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// Rules and validators are asked before a row is written; what they correct is not saved.
struct SavedRuleTests {
    private struct Refused: Error {}

    private static let schemas = [
        ModelSchema(
            "Item",
            [
                "id": .integer.required, "name": .string.rules(.maxLength(5)),
                "mail": .string.validate { (mail: inout String?, _) in
                    if mail == "bad" { throw Refused() }
                    mail = mail?.lowercased()
                },
                "start": .integer, "end": .integer, "parts": .array(of: .model("Part")), "next": .model("Item"),
                "other": .dictionary(of: .model("Item")),
            ], identity: ["id"]
        ).rules(.notAfter("start", "end")).validate { item in
            if item["name", as: String.self] == "no" { throw Refused() }
            if item["start", as: Int.self] == 1 { item["start"] = 2 }
        },
        ModelSchema("Part", ["size": .integer.rules(.minimum(0))]),
    ]

    private let world: StoreWorld

    init() throws { world = try StoreWorld(schemas: Self.schemas) }

    private func item(_ id: Int, _ values: [String: any PropertyValue] = [:]) throws -> DynamicModel {
        try world.make("Item", values.merging(["id": id, "end": 9]) { own, _ in own })
    }

    /// What is wrong, where it stands in the second of three models, and the code.
    @Test func whatIsRefusedIsNamedByItsPositionInTheList() throws {
        let part = try world.make("Part", ["size": -1])
        let cases: [([String: any PropertyValue], String, ModelError.Code)] = [
            (["name": "far too long"], "/name", .ruleBroken), (["mail": "bad"], "/mail", .validationFailed),
            (["start": 10], "", .ruleBroken), (["name": "no"], "", .validationFailed),
            (["parts": [try world.make("Part", ["size": 1]), part]], "/parts/1/size", .ruleBroken),
            (["next": try item(7, ["mail": "bad"])], "/next/mail", .validationFailed),
            (["next": try item(7, ["next": try item(8, ["parts": [part]])])], "/next/next/parts/0/size", .ruleBroken),
            (["other": ["a/b": try item(7, ["name": "far too long"])]], "/other/a~1b/name", .ruleBroken),
        ]
        for (values, place, code) in cases {
            let models = [try item(1), try item(2, values), try item(3)]
            for call in [
                { try world.store.save(models) }, { try world.store.transaction { try $0.save(models) } },
            ] as [() throws -> StoreChanges] {
                let error = #expect(throws: ModelError.self) { try call() }
                #expect(error?.code == code, "\(place): \(error?.description ?? "")")
                let pointer = error?.pointer?.description ?? ""
                #expect(pointer.hasPrefix("/1" + place), "\(pointer)")
                #expect(try world.store.count(world.query("Item")) == 0)
            }
        }
    }

    @Test func correctionsAreNotSavedAndTheModelStaysAsItIs() throws {
        let model = try item(1, ["mail": "ADA@X", "start": 1])
        try world.store.save(model)
        #expect(model["mail", as: String.self] == "ADA@X" && model["start", as: Int.self] == 1)
        let document = try world.rows("SELECT \"_document\" FROM \"Item\"")[0][0]
        #expect(document == .text(#"{"id":1,"mail":"ADA@X","start":1,"end":9}"#))
        // A model that has not changed is not written again.
        #expect(try world.store.save(model).isEmpty)
    }

    @Test func aModelThatKeepsAllRulesIsSaved() throws {
        let parts = [try world.make("Part", ["size": 0]), try world.make("Part", [:])]
        #expect(
            try world.store.save(item(1, ["name": "12345", "start": 9, "parts": parts])) == StoreChanges(inserted: 1))
    }

    /// What the row holds is not asked about, only what is written.
    @Test func anImportIsAskedToo() throws {
        let adapter = try world.adapter("Item")
        try world.store.save(item(1, ["start": 3]))
        let error = #expect(throws: ModelError.self) {
            try world.store.import(#"[{"id": 5}, {"id": 1, "end": 2}]"#, using: adapter)
        }
        #expect(error?.code == .ruleBroken)
        #expect(try world.store.count(world.query("Item")) == 1)
        #expect(try world.store.import(#"{"id": 1, "end": 3}"#, using: adapter) == StoreChanges(updated: 1))
    }

    @Test func missingValuesAndNumbersThatAreNotFiniteAreNamedByTheirPosition() throws {
        let world = try StoreWorld()
        let incomplete = try world.make("Milestone", ["due": Date()])
        let cases: [(DynamicModel, String, ModelError.Code)] = [
            (try world.make("Issue", ["number": 2, "score": Double.infinity]), "/1/score", .notConvertible),
            (try world.make("Issue", ["number": 2, "score": -Double.infinity]), "/1/score", .notConvertible),
            (try world.make("Issue", ["number": 2, "milestone": incomplete]), "/1/milestone", .missingProperty),
            (try world.make("User", ["id": 1]), "/1/login", .missingProperty),
            (try world.make("Issue", ["number": 1, "title": "twin"]), "/1", .conflict),
            (
                try world.make(
                    "Issue", ["number": 2, "related": [world.make("Issue", ["number": 1, "title": "twin"])]]),
                "/1/related/0", .conflict
            ),
        ]
        for (model, pointer, code) in cases {
            let error = #expect(throws: ModelError.self) {
                try world.store.save([world.make("Issue", ["number": 1, "title": "a"]), model])
            }
            #expect(error?.code == code && error?.pointer?.description == pointer, "\(error?.description ?? "")")
            #expect(try world.store.count(world.query("Issue")) == 0)
        }
    }
}
