import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// Every kind of content that others change comes into the objects of a session, and edits go out.
struct SessionContentTests {
    private static let schemas = [
        ModelSchema("Tag", ["name": .string.required, "colour": .string], identity: ["name"]),
        ModelSchema("Address", ["city": .string, "street": .string]),
        ModelSchema(
            "Person",
            [
                "id": .integer.required, "mark": .string, "name": .string, "level": .integer.default(1),
                "home": .model("Address"),
                "office": .model("Address").merge(.recurse), "former": .array(of: .model("Address")),
                "tags": .array(of: .model("Tag")), "groups": .set(of: .model("Tag")),
                "byName": .dictionary(of: .model("Tag")), "boss": .model("Person").weak,
                "staff": .array(of: .model("Person")).inverse("boss"), "notes": .string.local,
            ], identity: ["id"]),
    ]

    private let scene: SessionWorld

    init() throws { scene = try SessionWorld(schemas: Self.schemas) }

    /// Every way from one state of a property to another.
    static let states: [(JSONValue, JSONValue)] = {
        let documents: [JSONValue] = [
            ["id": 1, "mark": "m"], ["id": 1, "mark": "m", "name": nil], ["id": 1, "mark": "m", "name": "a"],
            ["id": 1, "mark": "m", "level": 7],
            ["id": 1, "mark": "m", "home": ["city": "Bern"]], ["id": 1, "mark": "m", "home": nil],
            ["id": 1, "mark": "m", "home": ["city": nil, "street": "x"]],
            ["id": 1, "mark": "m", "former": []],
            ["id": 1, "mark": "m", "former": [["city": "Bern"], ["city": "Basel"]]],
            ["id": 1, "mark": "m", "tags": [["name": "a"], ["name": "b"]]],
            ["id": 1, "mark": "m", "tags": [["name": "b"], ["name": "a"]]],
            ["id": 1, "mark": "m", "groups": [["name": "a"], ["name": "b"]]],
            ["id": 1, "mark": "m", "groups": [["name": "c"]]],
            ["id": 1, "mark": "m", "byName": ["x": ["name": "a"], "y": ["name": "b"]]],
            ["id": 1, "mark": "m", "byName": ["y": ["name": "a"]]],
            ["id": 1, "mark": "m", "byName": [:]], ["id": 1, "mark": "m", "unknown": [1, nil]],
            ["id": 1, "mark": "m", "unknown": nil],
        ]
        return documents.indices.flatMap { first in
            documents.indices.filter { $0 != first }.map { (documents[first], documents[$0]) }
        }
    }()

    @Test func everyStateIsTakenOver() throws {
        for (before, after) in Self.states {
            try scene.put("Person", before)
            let session = ModelSession(scene.world.store)
            let person = try #require(try session.first(scene.world.schema("Person"), identity: 1))
            #expect(try scene.json(person) == before)
            try scene.put("Person", after)
            let changes = try session.refresh()
            #expect(try scene.json(person) == after, "\(before) → \(after)")
            #expect(changes.conflicts.isEmpty && changes.deleted.isEmpty)
            #expect(!session.hasChanges, "\(before) → \(after)")
            #expect(try session.save().rows.isEmpty)
        }
    }

    @Test func everyStateIsSaved() throws {
        var saved = 0
        for (before, after) in Self.states where before["unknown"] == nil && after["unknown"] == nil {
            guard after["level"] != nil || before["level"] == nil else { continue }
            try scene.put("Person", before)
            let session = ModelSession(scene.world.store)
            let person = try #require(try session.first(scene.world.schema("Person"), identity: 1))
            try edit(person, to: after)
            do {
                try session.save()
            } catch {
                // The edit has a model of a tag of which the session has an object.
                #expect(error.code == .conflict)
                continue
            }
            #expect(try scene.document("Person", 1) == after, "\(before) → \(after)")
            #expect(!session.hasChanges)
            saved += 1
        }
        #expect(saved > 150)
    }

    /// Sets each property, or unsets it, as a document says.
    private func edit(_ person: DynamicModel, to document: JSONValue) throws {
        let source = try scene.world.model("Person", document)
        for key in ["name", "level", "home", "former", "tags", "groups", "byName"] {
            switch try source.state(of: key) {
            case .unset: try person.unset(key)
            case .defaulted: break
            default: try person.setValue(source.value(forKey: key), forKey: key)
            }
        }
    }

    @Test func unsetNullValueAndDefaultAreDifferent() throws {
        try scene.put("Person", ["id": 1, "mark": "m"])
        let person = try scene.object("Person", 1)
        #expect(try person.state(of: "level") == .defaulted && person["level", as: Int.self] == 1)
        let cases: [(JSONValue, PropertyState, PropertyState)] = [
            (["id": 1, "mark": "m", "name": nil], .null, .defaulted),
            (["id": 1, "mark": "m", "level": 1], .unset, .value),
            (["id": 1, "mark": "m", "name": "a"], .value, .defaulted), (["id": 1, "mark": "m"], .unset, .defaulted),
        ]
        for (document, name, level) in cases {
            try scene.put("Person", document)
            try scene.session.refresh()
            #expect(try person.state(of: "name") == name, "\(document)")
            #expect(try person.state(of: "level") == level, "\(document)")
        }
    }

    /// To null and to unset a property are edits, and different ones.
    @Test func nullAndUnsetAreEdits() throws {
        try scene.put("Person", ["id": 1, "mark": "m", "name": "a"])
        let person = try scene.object("Person", 1)
        try person.setValue(nil, forKey: "name")
        #expect(try scene.session.save().rows.updated == 1)
        #expect(try scene.document("Person", 1) == ["id": 1, "mark": "m", "name": nil])
        try person.unset("name")
        #expect(scene.session.hasChanges)
        #expect(try scene.session.save().rows.updated == 1)
        #expect(try scene.document("Person", 1) == ["id": 1, "mark": "m"])
    }

    @Test func aNestedModelThatOneSideEditedIsTaken() throws {
        let home: JSONValue = ["id": 1, "mark": "m", "home": ["city": "Bern", "street": "x"]]
        try scene.put("Person", home)
        let person = try scene.object("Person", 1)
        let address = try #require(person["home", as: DynamicModel.self])
        try scene.put("Person", ["id": 1, "mark": "m", "name": "b", "home": ["city": "Basel", "street": "x"]])
        try scene.session.refresh()
        #expect(person["home", as: DynamicModel.self]?["city", as: String.self] == "Basel")
        _ = address
        person["home", as: DynamicModel.self]?["street"] = "y"
        try scene.put("Person", ["id": 1, "mark": "m", "name": "c", "home": ["city": "Basel", "street": "x"]])
        let changes = try scene.session.save()
        #expect(changes.rows.updated == 1 && changes.conflicts.isEmpty)
        #expect(
            try scene.document("Person", 1) == [
                "id": 1, "mark": "m", "name": "c", "home": ["city": "Basel", "street": "y"],
            ])
    }

    @Test func aNestedModelThatBothSidesEditedIsAConflict() throws {
        try scene.put("Person", ["id": 1, "mark": "m", "home": ["city": "Bern", "street": "x"]])
        let person = try scene.object("Person", 1)
        person["home", as: DynamicModel.self]?["city"] = "mine"
        try scene.put("Person", ["id": 1, "mark": "m", "home": ["city": "theirs", "street": "x"]])
        let changes = try scene.session.save()
        #expect(changes.conflicts.count == 1)
        #expect(try scene.document("Person", 1) == ["id": 1, "mark": "m", "home": ["city": "mine", "street": "x"]])
    }

    @Test func theRecursePolicyMergesPropertyByProperty() throws {
        try scene.put("Person", ["id": 1, "mark": "m", "office": ["city": "Bern", "street": "x"]])
        let person = try scene.object("Person", 1)
        person["office", as: DynamicModel.self]?["city"] = "mine"
        try scene.put("Person", ["id": 1, "mark": "m", "office": ["city": "Bern", "street": "theirs"]])
        #expect(try scene.session.save().conflicts.isEmpty)
        let both: JSONValue = ["id": 1, "mark": "m", "office": ["city": "mine", "street": "theirs"]]
        #expect(try scene.document("Person", 1) == both)
        #expect(try scene.json(person) == both)
    }

    @Test func collectionsOfReferencesHoldTheObjectsOfTheSession() throws {
        try scene.put(
            "Person",
            [
                "id": 1, "mark": "m", "tags": [["name": "a", "colour": "red"], ["name": "b"]],
                "groups": [["name": "a"]],
                "byName": ["x": ["name": "b"]],
            ])
        let person = try scene.object("Person", 1)
        let a = try scene.object("Tag", "a")
        #expect(person["tags", as: [DynamicModel].self]?.first === a)
        #expect(a["colour", as: String.self] == "red")
        try scene.put(
            "Person",
            [
                "id": 1, "mark": "m", "tags": [["name": "c", "colour": "blue"], ["name": "a"]],
                "groups": [["name": "c"]],
                "byName": ["x": ["name": "c"], "z": ["name": "a"]],
            ])
        try scene.session.refresh()
        let c = try scene.object("Tag", "c")
        let tags = try #require(person["tags", as: [DynamicModel].self])
        #expect(tags.count == 2 && tags[0] === c && tags[1] === a)
        #expect(person["groups", as: [DynamicModel].self]?.first === c)
        let byName = try #require(person["byName", as: [String: DynamicModel].self])
        #expect(byName["x"] === c && byName["z"] === a && byName.count == 2)
        #expect(!scene.session.hasChanges)
    }

    @Test func parentReferencesFollowTheCollection() throws {
        try scene.put("Person", ["id": 3, "mark": "m", "name": "c"])
        try scene.put("Person", ["id": 1, "mark": "m", "staff": [["id": 3]]])
        try scene.put("Person", ["id": 2, "mark": "m"])
        let people = try scene.objects("Person", including: .all)
        try #require(people.count == 3)
        let child = people[2]
        #expect(child["boss", as: DynamicModel.self] === people[0])
        #expect(!scene.session.hasChanges)
        try scene.put("Person", ["id": 1, "mark": "m", "staff": []])
        try scene.put("Person", ["id": 2, "mark": "m", "staff": [["id": 3]]])
        let changes = try scene.session.refresh()
        #expect(child["boss", as: DynamicModel.self] === people[1])
        #expect(changes.conflicts.isEmpty)
        #expect(!scene.session.hasChanges)
        // An edit moves the child; nobody has to write the child itself.
        people[1]["staff"] = [DynamicModel]()
        people[0]["staff"] = [child]
        #expect(child["boss", as: DynamicModel.self] === people[0])
        #expect(try scene.session.save().rows == StoreChanges(updated: 2))
        #expect(try scene.document("Person", 3) == ["id": 3, "mark": "m", "name": "c"])
    }

    @Test func membersThatNoPropertyMapsAreTakenOverAndSaved() throws {
        try scene.put("Person", ["id": 1, "mark": "m", "name": "a", "unknown": ["deep": [1, nil]], "gone": true])
        let person = try scene.object("Person", 1)
        try scene.put("Person", ["id": 1, "mark": "m", "name": "a", "unknown": ["deep": 2], "more": "x"])
        person["name"] = "mine"
        try scene.session.save()
        let result: JSONValue = ["id": 1, "mark": "m", "name": "mine", "unknown": ["deep": 2], "more": "x"]
        #expect(try scene.json(person) == result)
        #expect(try scene.document("Person", 1) == result)
    }

    /// The members that no property of a nested model maps, where the rest of it is the same.
    @Test(arguments: ["refresh", "save of another property", "edit"])
    func membersThatNoPropertyOfANestedModelMapsAreNotLost(way: String) throws {
        let (old, new): (JSONValue, JSONValue) = (["city": "Bern", "zip": 1], ["city": "Bern", "zip": 2])
        try scene.put("Person", ["id": 1, "home": old])
        let person = try scene.object("Person", 1)
        if way == "edit" {
            person["home"] = try scene.world.model("Person", ["id": 1, "home": new])["home"]
            try scene.session.save()
        } else {
            try scene.put("Person", ["id": 1, "home": new])
            if way == "refresh" {
                try scene.session.refresh()
            } else {
                person["name"] = "mine"
                try scene.session.save()
            }
        }
        let (object, row) = (try scene.json(person)["home"], try scene.document("Person", 1)?["home"])
        #expect(object == new)
        #expect(row == new)
    }

    @Test func propertiesThatAreNotInJSONAreTakenOver() throws {
        try scene.put("Person", ["id": 1, "mark": "m"])
        let person = try scene.object("Person", 1)
        try scene.put("Person", 1) { $0["notes"] = "theirs" }
        try scene.session.refresh()
        #expect(person["notes", as: String.self] == "theirs")
        person["notes"] = "mine"
        #expect(try scene.session.save().rows.updated == 1)
        try scene.put("Person", 1) { #expect($0["notes", as: String.self] == "mine") }
    }

    /// Each edit that changes how a row is stored is a change, and is taken back exactly.
    @Test(arguments: ["null", "unset", "default", "nested null", "nested unset"])
    func revertGivesTheStateOfTheRow(edit: String) throws {
        try scene.put("Person", ["id": 1, "mark": nil, "home": ["city": nil], "office": ["street": "x"]])
        let person = try scene.object("Person", 1)
        #expect(!scene.session.hasChanges)
        let before = try scene.rows(["Person"])
        switch edit {
        case "null": try person.setValue(nil, forKey: "name")
        case "unset": try person.unset("mark")
        case "default": person["level"] = 1
        case "nested null": try person["office", as: DynamicModel.self]?.setValue(nil, forKey: "city")
        default: try person["home", as: DynamicModel.self]?.unset("city")
        }
        #expect(scene.session.hasChanges)
        scene.session.revert()
        #expect(!scene.session.hasChanges)
        #expect(try scene.session.save().rows.isEmpty)
        #expect(try scene.rows(["Person"]) == before)
        #expect(try person.state(of: "mark") == .null && person.state(of: "name") == .unset)
        #expect(try person.state(of: "level") == .defaulted)
        let inner = [person["home", as: DynamicModel.self], person["office", as: DynamicModel.self]]
        #expect(try inner.compactMap { try $0?.state(of: "city") } == [.null, .unset])
    }

    /// Setting what is there, and unsetting what is not, is no change.
    @Test func settingTheSameIsNoChange() throws {
        try scene.put("Person", ["id": 1, "mark": nil, "level": 3, "home": ["city": "a"]])
        let person = try scene.object("Person", 1)
        person["level"] = 3
        try person.setValue(nil, forKey: "mark")
        try person.unset("name")
        person["home", as: DynamicModel.self]?["city"] = "a"
        try person["home", as: DynamicModel.self]?.unset("street")
        #expect(!scene.session.hasChanges)
        #expect(try scene.session.save().rows.isEmpty)
    }
}
