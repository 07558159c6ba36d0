import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// Conditions on the elements of collections, as the article has them.
struct ElementConditionTests {
    static let schemas = [
        ModelSchema(
            "Label",
            [
                "name": .string.required, "color": .string, "price": .decimal, "parts": .array(of: .model("Label")),
                "twin": .model("Label"),
            ],
            identity: ["name"]),
        ModelSchema("Bug", ["severity": .integer], extends: "Label"),
        ModelSchema("Note", ["text": .string, "price": .decimal, "by": .model("Label"), "marks": .set(of: .integer)]),
        ModelSchema(
            "Issue",
            [
                "id": .integer.required, "labels": .array(of: .model("Label")), "notes": .array(of: .model("Note")),
                "scores": .dictionary(of: .integer), "prices": .array(of: .decimal), "words": .set(of: .string),
                "named": .dictionary(of: .model("Label")), "noted": .dictionary(of: .model("Note")),
                "parent": .model("Issue"), "grid": .array(of: .array(of: .integer)),
            ],
            identity: ["id"]),
    ]

    /// `gone` is a label without a row.
    static let issues = """
        [{"id": 1, "labels": [{"name": "bug", "color": "red"}, {"name": "ui", "color": "blue"}], "words": ["a", "b"],
          "scores": {"math": 3, "art": 1}, "prices": [1.50, 12345678901234567890.12],
          "notes": [{"text": "x", "price": 0.10, "by": {"name": "bug"}, "marks": [1, 2]}, {"text": "y"}],
          "named": {"first": {"name": "ui"}, "last": {"name": "bug"}}, "grid": [[1, 2], [3]]},
         {"id": 2, "labels": [{"name": "ui"}], "scores": {"math": 1}, "prices": [2], "parent": {"id": 1},
          "notes": [{"text": "y", "by": {"name": "gone"}}], "noted": {"a\\"b": {"text": "z", "price": 3}}, "grid": []},
         {"id": 3, "labels": [], "notes": [], "scores": {}, "words": [], "parent": {"id": 3}},
         {"id": 4, "labels": null, "scores": null, "notes": null},
         {"id": 5, "labels": [{"name": "bug"}, {"name": "gone"}], "parent": {"id": 99}}]
        """

    private let world: StoreWorld

    init() throws {
        world = try StoreWorld(schemas: Self.schemas)
        try world.store.import(
            #"[{"name": "bug", "price": 1.5, "parts": [{"name": "ui"}]}, {"name": "ui"}, {"name": "gone"}]"#,
            using: world.adapter("Label"))
        try world.store.import(Self.issues, using: world.adapter("Issue"))
        try world.store.delete(world.query("Label", where: Key("name") == "gone"))
    }

    private func found(_ condition: Condition) throws -> [Int] {
        let query = try world.query("Issue", where: condition, order: [.ascending("id")])
        let found = try world.store.fetch(query).compactMap { $0["id", as: Int.self] }
        #expect(try world.store.count(query) == found.count)
        return found
    }

    private static let isBug = Key("name") == "bug"

    @Test(
        arguments: [
            ("any row", Key("labels").any(isBug), [1, 5]), ("no row", Key("labels").none(isBug), [2, 3, 4]),
            ("not any", !Key("labels").any(isBug), [2, 3, 4]), ("not none", !Key("labels").none(isBug), [1, 5]),
            // The second label of issue 5 has no row.
            ("all rows", Key("labels").all(Key("name") != "x"), [1, 2, 3, 4]),
            ("not all", !Key("labels").all(Key("name") != "x"), [5]),
            ("a missing row", Key("labels").any(Key("name") == "gone"), []),
            ("a missing row does not differ", Key("labels").any(!isBug), [1, 2]),
            ("another property", Key("labels").any(Key("color") == "blue"), [1, 2]),
            ("two of one element", Key("labels").any(isBug && Key("color") == "blue"), []),
            ("two of two elements", Key("labels").any(isBug) && Key("labels").any(Key("color") == "blue"), [1]),
            ("a decimal of a row", Key("labels").any(Key("price") > 1), [1, 5]),
            ("a property of a descendant", Key("labels").any(Key("severity") == nil), [1, 2, 5]),
            ("through a path", Key("labels.name") == "bug", [1, 5]),
            ("not through a path", !(Key("labels.name") == "bug"), [2, 3, 4]),
            ("another value through a path", Key("labels.name") != "bug", [1, 2]),
            ("a list through a path", Key("labels.name").isIn(["ui", "gone"]), [1, 2]),
            ("a prefix through a path", Key("labels.name").hasPrefix("u"), [1, 2]),
            ("nested", Key("labels").any(Key("parts").any(Key("color") == "blue")), [1, 5]),
            ("nested in a path", Key("labels.parts.name") == "ui", [1, 5]),
            ("all of any", Key("labels").all(Key("parts").none(isBug)), [1, 2, 3, 4]),
            ("embedded", Key("notes").any(Key("text") == "y"), [1, 2]),
            ("all embedded", Key("notes").all(Key("text") == "y"), [2, 3, 4, 5]),
            ("a decimal of an embedded model", Key("notes").any(Key("price") == Decimal(string: "0.1")), [1]),
            ("a row of an embedded model", Key("notes").any(Key("by.color") == "red"), [1]),
            ("an identity of an embedded model", Key("notes").any(Key("by.name") == "gone"), [2]),
            ("elements of an embedded model", Key("notes").any(Key("marks").any(Key.element > 1)), [1]),
            ("no value of an embedded model", Key("notes.price") == nil, [1, 2]),
            ("values", Key("words").any(Key.element > "a"), [1]),
            ("all values", Key("words").all(Key.element > "a"), [2, 3, 4, 5]),
            ("decimals", Key("prices").any(Key.element >= Decimal(string: "12345678901234567890.12")), [1]),
            ("all decimals", Key("prices").all(Key.element < 2), [3, 4, 5]),
            ("a dictionary by value", Key("scores").any(Key.element > 2), [1]),
            ("a dictionary by key", Key("scores").any(Key.elementKey == "art"), [1]),
            ("a dictionary by both", Key("scores").any(Key.elementKey == "math" && Key.element < 3), [2]),
            ("a dictionary of rows", Key("named").any(Key.elementKey == "last" && isBug), [1]),
            ("a dictionary of rows by another key", Key("named").any(Key.elementKey == "first" && isBug), []),
            ("a dictionary of models", Key("noted").any(Key("price") == 3 && Key.elementKey == "a\"b"), [2]),
            ("lists of lists", Key("grid").any(Key.element.count == 1), [1]),
            ("elements of lists of lists", Key("grid").any(Key.element.any(Key.element == 2)), [1]),
            ("through one model", Key("parent.labels").any(isBug), [2]),
            ("all through one model", Key("parent.labels").all(isBug), [1, 3, 4, 5]),
            ("the path through one model", Key("parent.labels.name") == "ui", [2]),
            ("a number of elements", Key("labels").count == 2, [1, 5]), ("none", Key("labels").count == 0, [3, 4]),
            ("a number of entries", Key("scores").count >= 1, [1, 2]), ("another number", Key("words").count != 0, [1]),
            ("a number in a list", Key("notes").count.isIn([0, 2]), [1, 3, 4, 5]),
            ("a number through one model", Key("parent.labels").count == 0, [1, 3, 4, 5]),
            ("a number in an element", Key("labels").any(Key("parts").count > 0), [1, 5]),
            ("a number through a path", Key("labels.parts").count == 0, [1, 2]),
        ] as [(String, Condition, [Int])])
    func conditionsOnElementsFindModels(_ name: String, _ condition: Condition, _ numbers: [Int]) throws {
        #expect(try found(condition) == numbers, "\(name)")
    }

    @Test func modelsAreOrderedByTheNumberOfElements() throws {
        let query = try world.query("Issue", order: [.descending(Key("labels").count), .ascending("id")])
        #expect(try world.store.fetch(query).compactMap { $0["id", as: Int.self] } == [1, 5, 2, 3, 4])
    }

    @Test(
        arguments: [
            ("no collection", Key("id").any(Key.element == 1), .typeMismatch),
            ("one model", Key("parent").any(Key("id") == 1), .typeMismatch),
            ("the number of no collection", Key("id").count == 1, .typeMismatch),
            ("elements of a number", Key("labels").count.any(Key.element == 1), .typeMismatch),
            ("an unknown key", Key("labels").any(Key("nam") == "bug"), .unknownKey),
            ("a key of a value", Key("words").any(Key("name") == "bug"), .unknownKey),
            ("an element outside", Key.element == 1, .unknownKey),
            ("a key outside of dictionaries", Key("words").any(Key.elementKey == "a"), .unknownKey),
            ("a value of another kind", Key("scores").any(Key.element == "a"), .typeMismatch),
            ("the elements of a model", Key("labels").any(Key.element == "bug"), .notConvertible),
        ] as [(String, Condition, ModelError.Code)])
    func mistakesAreNamed(_ name: String, _ condition: Condition, _ code: ModelError.Code) throws {
        let error = #expect(throws: ModelError.self) { try found(condition) }
        #expect(error?.code == code, "\(name): \(error.map { "\($0)" } ?? "")")
    }

    /// The parser of SQLite has a limit, which conditions do not come near.
    @Test func conditionsInConditionsHaveALimit() throws {
        func nested(
            _ levels: Int, _ change: (Condition) -> Condition, in inner: Condition = Key("name") == "bug"
        ) -> Condition { (0..<levels).reduce(inner) { inner, _ in change(inner) } }
        func limit(_ name: String, _ condition: (Int) -> Condition) throws -> Int {
            for level in 1...30 {
                do { _ = try world.fetch("Label", where: condition(level)) } catch let error as ModelError {
                    #expect(error.code == .limitExceeded, "\(name): \(level): \(error)")
                    return level
                }
            }
            return 30
        }
        let changes: [(String, (Condition) -> Condition)] = [
            ("any", { Key("parts").any($0) }), ("all", { Key("parts").all($0) }), ("not", { !Key("parts").any(!$0) }),
            ("mixed", { Key("parts").any($0 && (Key("name") == "x" || Key("color") == "y")) }),
            ("through one", { Key("twin.parts").all($0) }),
            ("or through one", { !Key("twin.parts").all(!$0 || Key("twin.color") == "y") }),
        ]
        for (name, change) in changes {
            #expect(try limit(name) { nested($0, change) } > 2, "\(name)")
            for outer in 1...2 {
                // Both words in turn, as deep as may be.
                let inner = { (levels: Int) in
                    (0..<levels).reduce(Key("name") == "bug") { inner, level in
                        level.isMultiple(of: 2) ? inner && Key("color") == "x" : inner || Key("color") != "x"
                    }
                }
                #expect(try limit(name) { nested(outer, change, in: inner($0)) } > 3, "\(name)")
            }
        }
    }

    @Test func manyElementsTakeLinearTime() throws {
        let elements = (0..<20_000).map { "\($0).5" }.joined(separator: ",")
        try world.store.import(#"{"id": 9, "prices": [\#(elements)]}"#, using: world.adapter("Issue"))
        #expect(try found(Key("prices").any(Key.element == Decimal(string: "19999.5"))) == [9])
        #expect(try found(Key("prices").count > 10_000) == [9])
    }

    /// Rows of an earlier version, and rows that hooks change.
    @Test func elementsAreThoseOfThePresentVersion() throws {
        let former = ModelSchema(
            "Page", ["id": .integer.required, "tags": .array(of: .string), "sizes": .array(of: .decimal)],
            identity: ["id"])
        let world = try StoreWorld(schemas: [former])
        try world.store.import(
            #"[{"id": 1, "tags": ["a", "b"], "sizes": [1.5]}, {"id": 2, "tags": ["c"]}]"#, using: world.adapter("Page"))
        var later = ModelSchema(
            "Page", ["id": .integer.required, "words": .array(of: .string), "sizes": .array(of: .decimal)],
            identity: ["id"])
        later.version = 2
        later.upgrades = [SchemaUpgrade(from: 1, renamed: ["tags": "words"])]
        let (store, registry) = try world.reopened([later])
        let page = try registry.schema(named: "Page")
        for (condition, ids) in [
            (Key("words").any(Key.element == "b"), [1]), (Key("words").all(Key.element > "a"), [2]),
            (Key("words").contains("c"), [2]), (Key("words").count == 2, [1]),
            (Key("sizes").any(Key.element == Decimal(string: "1.50")), [1]), (Key("sizes").count == 0, [2]),
        ] as [(Condition, [Int])] {
            let query = ModelQuery(schema: page, where: condition)
            #expect(try store.fetch(query).compactMap { $0["id", as: Int.self] } == ids)
        }
    }
}
