import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// `any`, `all`, `none` and `count` at their edges: the sections *Queries* and *What a condition means* of the article *Stores*.
struct ElementConditionEdgeTests {
    private let world: StoreWorld
    private let schema: ModelSchema

    init() throws {
        world = try StoreWorld(schemas: [
            ModelSchema("Label", ["name": .string.required, "color": .string, "size": .integer], identity: ["name"]),
            ModelSchema("Step", ["text": .string, "isDone": .bool, "marks": .array(of: .integer)]),
            ModelSchema(
                "Task",
                [
                    "id": .integer.required, "labels": .array(of: .model("Label")).indexed(),
                    "others": .array(of: .model("Label")), "steps": .array(of: .model("Step")),
                    "scores": .dictionary(of: .integer), "words": .set(of: .string),
                    "matrix": .array(of: .array(of: .integer)),
                ], identity: ["id"]),
        ])
        schema = try world.schema("Task")
        try world.store.import(
            #"""
            [{"id": 1, "labels": [{"name": "bug", "color": "red"}, {"name": "ui", "size": 1}], "others": [{"name": "bug"}, {"name": "ui"}],
              "steps": [{"text": "a", "isDone": true, "marks": [1, 2]}, {"text": "b", "isDone": false}],
              "scores": {"math": 5, "art": 1}, "words": ["x", "y"]},
             {"id": 2, "labels": [], "others": [], "steps": [], "scores": {}, "words": []},
             {"id": 3, "labels": null, "others": null, "steps": null, "scores": null, "words": null},
             {"id": 4},
             {"id": 5, "labels": [{"name": "bug"}, {"name": "bug"}], "others": [{"name": "bug"}],
              "steps": [{}, {"isDone": true, "marks": []}], "scores": {"art": 5, "": 0}, "words": [""]}]
            """#, using: world.adapter("Task"))
    }

    private func ids(_ condition: Condition) throws -> [Int] {
        try world.store.fetch(ModelQuery(schema: schema, where: condition, order: [.ascending("id")]))
            .compactMap { $0["id", as: Int.self] }
    }

    @Test(arguments: ["labels", "others"])
    func rowsThatAReferenceLeadsTo(_ name: String) throws {
        let key = Key(name)
        #expect(try ids(key.any(Key("name") == "bug")) == [1, 5])
        #expect(try ids(key.all(Key("name") == "bug")) == [2, 3, 4, 5])
        #expect(try ids(key.none(Key("name") == "bug")) == [2, 3, 4])
        #expect(try ids(!key.any(Key("name") == "bug")) == [2, 3, 4])
        #expect(try ids(!key.all(Key("name") == "bug")) == [1])
        #expect(try ids(key.any(Key("color") == nil)) == [1])
        #expect(try ids(key.any(Key("color") == "red" && Key("name") == "ui")) == [])
        #expect(try ids(key.any(Key("color") == "red") && key.any(Key("name") == "ui")) == [1])
        #expect(try ids(key.all(Key("color") != nil)) == [2, 3, 4, 5])
        #expect(try ids(Key("\(name).name") == "ui") == [1])
        #expect(try ids(Key("\(name).name") != "bug") == ids(key.any(Key("name") != "bug")))
    }

    @Test func elementsInsideOfTheRow() throws {
        let key = Key("steps")
        #expect(try ids(key.any(Key("isDone") == true)) == [1, 5])
        #expect(try ids(key.all(Key("isDone") == true)) == [2, 3, 4])
        #expect(try ids(key.none(Key("text") == nil)) == [1, 2, 3, 4])
        #expect(try ids(key.any(Key("marks").any(Key.element > 1))) == [1])
        #expect(try ids(key.any(Key("marks").all(Key.element > 1))) == [1, 5])
        #expect(try ids(key.all(Key("marks").none(Key.element > 1))) == [2, 3, 4, 5])
        #expect(try ids(key.any(Key("marks").count == 0)) == [1, 5])
        #expect(try ids(key.any(Key("marks").contains(2))) == [1])
    }

    @Test func valuesAndKeysOfElements() throws {
        #expect(try ids(Key("scores").any(Key.element > 4)) == [1, 5])
        #expect(try ids(Key("scores").any(Key.elementKey == "math" && Key.element > 4)) == [1])
        #expect(try ids(Key("scores").any(Key.elementKey == "")) == [5])
        #expect(try ids(Key("scores").all(Key.elementKey == "art")) == [2, 3, 4])
        #expect(try ids(Key("scores").none(Key.elementKey.hasPrefix("m"))) == [2, 3, 4, 5])
        #expect(try ids(Key("words").any(Key.element == "")) == [5])
        #expect(try ids(Key("words").all(Key.element.hasPrefix("x") || Key.element == "y")) == [1, 2, 3, 4])
        #expect(try ids(Key("words").any(Key.element.isIn(["y", "z"]))) == [1])
        #expect(try ids(Key("words").any(Key.element == nil)) == [])
        #expect(try ids(Key("words").contains("x")) == ids(Key("words").any(Key.element == "x")))
    }

    @Test(arguments: [
        ("labels", [2, 0, 0, 0, 2]), ("others", [2, 0, 0, 0, 1]), ("steps", [2, 0, 0, 0, 2]),
        ("scores", [2, 0, 0, 0, 2]), ("words", [2, 0, 0, 0, 1]),
    ])
    func aCountIsThatOfElements(name: String, counts: [Int]) throws {
        let count = Key(name).count
        for number in [-1, 0, 1, 2, 3] {
            func expected(_ holds: (Int, Int) -> Bool) -> [Int] { (1...5).filter { holds(counts[$0 - 1], number) } }
            #expect(try ids(count == number) == expected(==))
            #expect(try ids(count != number) == expected(!=))
            #expect(try ids(count < number) == expected(<))
            #expect(try ids(count >= number) == expected(>=))
        }
        #expect(try ids(count.isIn([1, 2])) == (1...5).filter { [1, 2].contains(counts[$0 - 1]) })
    }

    @Test func anElementWhoseRowIsGoneMeetsNoCondition() throws {
        try world.store.delete(ModelQuery(schema: world.schema("Label"), where: Key("name") == "ui"))
        for key in [Key("labels"), Key("others")] {
            #expect(try ids(key.any(Key("color") == nil)) == [])
            #expect(try ids(key.any(Key("name") == "ui")) == [])
            #expect(try ids(key.all(Key("name") == "bug")) == [2, 3, 4, 5])
            #expect(try ids(key.all(Key("name") != "x")) == [2, 3, 4, 5])
            #expect(try ids(key.none(Key("name") == "ui")) == [1, 2, 3, 4, 5])
            #expect(try ids(key.count == 2).contains(1))
        }
    }

    static let mistakes: [(condition: Condition, code: ModelError.Code)] = [
        (Key("labels").any(Key("nmae") == "a"), .unknownKey), (Key("id").any(Key.element == 1), .notConvertible),
        (Key("labels").any(Key("labels").count == 1), .unknownKey), (Key("id").count == 1, .notConvertible),
    ]

    @Test(arguments: mistakes.indices)
    func aConditionThatDoesNotFitIsRefused(_ index: Int) {
        let mistake = Self.mistakes[index]
        #expect(throws: ModelError.self) { try ids(mistake.condition) }
    }

    @Test func aComparisonOfElementsIsWithTheirKind() {
        for condition in [
            Key("words").any(Key.element == 1), Key("scores").any(Key.element == "5"),
            Key("scores").any(Key.elementKey == 1),
            Key("words").any(Key.elementKey == "x"), Key("words").count == "2", Key("words").count == 1.5,
            Key.element == "x", Key("labels").any(Key.element == "bug"), Key("scores").contains(5),
        ] {
            #expect(throws: ModelError.self) { try ids(condition) }
        }
    }
}
