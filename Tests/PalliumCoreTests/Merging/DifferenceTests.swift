import PalliumCore
import PalliumJSON
import PalliumMerging
import TestSupport
import Testing

@Suite("Differences")
struct DifferenceTests {
    let registry: SchemaRegistry

    init() throws { registry = try MergingFixtures.registry() }

    @Test func differencesAreToldAtTheInnermostPlace() throws {
        let left = try registry.make(
            "Task",
            [
                "title": "a", "number": 1, "owner": registry.make("Person", ["id": 1, "name": "x"]),
                "labels": [
                    registry.make("Label", ["id": 1, "name": "n"]), registry.make("Label", ["id": 2]),
                ],
                "settings": ["one": 1, "two": 2], "tags": ["t"] as Set<String>,
            ])
        let right = try registry.make(
            "Task",
            [
                "title": "b", "number": 1, "owner": registry.make("Person", ["id": 1, "name": "y"]),
                "labels": [
                    registry.make("Label", ["id": 3]), registry.make("Label", ["id": 1, "name": "m"]),
                ],
                "settings": ["two": 3, "three": 3], "tags": ["t", "u"] as Set<String>,
            ])
        let changes = left.difference(to: right)
        #expect(
            Set(changes.pointers) == [
                "/title", "/owner/name", "/labels/1/name", "/labels/1", "/labels/0", "/settings/one", "/settings/two",
                "/settings/three", "/tags",
            ])
        #expect(changes.allSatisfy { $0.decision == nil && !$0.isConflict })
        #expect(right.difference(to: left).count == changes.count)
        #expect(changes.first { $0.key == "title" }?.old as? String == "a")
        #expect(changes.first { $0.key == "title" }?.new as? String == "b")
    }

    @Test func elementsThatChangedPlacesAreOneChange() throws {
        let (one, two) = (try registry.make("Label", ["id": 1]), try registry.make("Label", ["id": 2]))
        let left = try registry.make("Task", ["labels": [one, two]])
        let right = try registry.make("Task", ["labels": [two, one]])
        #expect(left.difference(to: right).pointers == ["/labels"])
    }

    @Test func unsetAndNullAreTheSame() throws {
        let left = try registry.make("Task", ["title": nil])
        #expect(left.difference(to: try registry.make("Task", [:])).isEmpty)
    }

    @Test(arguments: [(1000, Optional<String>.none), (1001, "… (1 more)"), (1002, "… (2 more)")])
    func aDescriptionIsCutAfterAThousandChanges(count: Int, rest: String?) throws {
        let members = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", 1) })
        let empty = try registry.make("Task", ["settings": [:] as [String: Int]])
        let changes = empty.difference(to: try registry.make("Task", ["settings": members]))
        let lines = changes.description.split(separator: "\n").map(String.init)
        #expect(changes.count == count)
        #expect(lines.filter { $0.contains("nothing → 1") }.count == min(count, 1000))
        #expect(lines.last { $0.hasPrefix("…") } == rest)
    }

    @Test func aDescriptionCountsTheKeptDifferencesAmongTheRest() throws {
        let properties: KeyValuePairs<String, PropertySchema> = [
            "numbers": .dictionary(of: .integer), "note": .string.merge(.keep),
        ]
        let target = try SchemaRegistry.plainModel(properties)
        target["numbers"] = [:] as [String: Int]
        let source = target.copy()
        target["note"] = "old"
        source["note"] = "new"
        source["numbers"] = Dictionary(uniqueKeysWithValues: (0..<1001).map { ("\($0)", 1) })
        let changes = try target.merge(from: source)
        #expect(changes.count == 1001 && changes.kept.count == 1)
        #expect(changes.description.hasSuffix("(kept)\n… (1 more)"))
    }

    @Test(.threat(.secretsInErrors)) func secretsAreMaskedInDescriptions() throws {
        let left = try SchemaRegistry.plainModel(["token": .string.secret])
        let right = left.copy()
        right["token"] = "abc"
        let text = left.difference(to: right).description
        #expect(!text.contains("abc"))
        #expect(text == "/token: nothing → •••")
    }

    @Test func valuesAreThoseOfTheMoment() throws {
        let left = try registry.make("Task", ["title": "a"])
        let right = try registry.make("Task", ["title": "b"])
        let changes = left.difference(to: right)
        right["title"] = "c"
        #expect(changes[0].new as? String == "b")
    }

    @Test(.threat(.cycles)) func cyclesOfOneShapeDifferInNothing() throws {
        let fixtures = try SchemaRegistry.ofFixtures()
        let (left, right) = (fixtures.ring([1, 2]), fixtures.ring([1, 2, 1, 2]))
        #expect(left.difference(to: right).isEmpty)
        right.next?.next?.label = 9
        #expect(!left.difference(to: right).isEmpty)
        left.breakRing()
        right.breakRing()
    }
}

@Suite("Differences between models of different schemas and registries")
struct ForeignDifferenceTests {
    /// Two kinds of one property, a value of each, and where the difference is told.
    struct Kinds: Sendable, CustomTestStringConvertible {
        let left: PropertySchema
        let right: PropertySchema
        let value: JSONValue
        let other: JSONValue
        var pointers = ["/p"]
        var testDescription: String { "\(left.kind.name): \(value), \(right.kind.name): \(other)" }

        static let all: [Kinds] = [
            Kinds(left: .integer, right: .integer, value: 1, other: 1, pointers: []),
            Kinds(left: .integer, right: .integer(as: Int8.self), value: 1, other: 1, pointers: []),
            Kinds(left: .integer, right: .integer(as: Int8.self), value: 1, other: 2),
            Kinds(left: .integer, right: .string, value: 1, other: "1"),
            Kinds(left: .string, right: .integer, value: "a text that owns memory", other: 1),
            Kinds(left: .enumeration("a", "b"), right: .enumeration("a", "b"), value: "b", other: "b", pointers: []),
            Kinds(left: .enumeration("a", "b"), right: .enumeration("c", "d"), value: "b", other: "d"),
            Kinds(left: .array(of: .integer), right: .array(of: .integer), value: [1], other: [1], pointers: []),
            Kinds(left: .array(of: .integer), right: .array(of: .string), value: [1], other: ["a"]),
            Kinds(left: .array(of: .string), right: .array(of: .integer), value: ["a"], other: [1]),
            Kinds(left: .array(of: .string), right: .set(of: .string), value: ["a"], other: ["a"]),
            Kinds(left: .set(of: .jsonValue), right: .set(of: .date), value: [1], other: ["2001-01-01T00:00:00Z"]),
            Kinds(
                left: .array(of: .array(of: .jsonValue)), right: .array(of: .array(of: .bool)), value: [[1]],
                other: [[true]]
            ),
            Kinds(
                left: .dictionary(of: .string), right: .dictionary(of: .integer), value: ["k": "a"], other: ["k": 1]),
            Kinds(
                left: .dictionary(of: .integer), right: .dictionary(of: .integer), value: ["k": 1], other: ["k": 2],
                pointers: ["/p/k"]),
        ]
    }

    private func model(_ property: PropertySchema, name: String) throws -> DynamicModel {
        try SchemaRegistry.plainModel(["own\(name)": .bool, "p": property], name: name)
    }

    @Test(arguments: Kinds.all)
    func valuesOfDifferentKindsDiffer(_ kinds: Kinds) throws {
        let left = try model(kinds.left.default(json: kinds.value), name: "Left")
        let right = try model(kinds.right.default(json: kinds.other), name: "Right")
        left["ownLeft"] = true
        #expect(left.difference(to: right).pointers == kinds.pointers)
        #expect(right.difference(to: left).pointers == kinds.pointers)
    }

    @Test func listsOfModelsAndOfOtherThingsDifferAsAWhole() throws {
        let registry = try MergingFixtures.registry()
        try registry.register(
            ModelSchema(
                "Other", ["name": .string, "color": .string, "more": .string, "id": .string], identity: ["id"]),
            ModelSchema("Labels", ["list": .array(of: .model("Label"))]),
            ModelSchema("Others", ["list": .array(of: .model("Other"))]),
            ModelSchema("Texts", ["list": .array(of: .string)]))
        let labels = try registry.make("Labels", ["list": [registry.make("Label", ["id": 1])]])
        let others = try registry.make("Others", ["list": [registry.make("Other", ["id": "a text that owns memory"])]])
        let texts = try registry.make("Texts", ["list": ["a text that owns memory"]])
        for (left, right) in [(labels, others), (others, labels), (labels, texts), (texts, labels)] {
            let changes = left.difference(to: right)
            #expect(changes.pointers == ["/list"])
            #expect(changes.keys == ["list"])
        }
    }

    @Test func modelsOfEqualSchemasOfTwoRegistriesAreComparedInside() throws {
        let (registry, second) = (try MergingFixtures.registry(), try MergingFixtures.registry())
        func task(_ registry: SchemaRegistry, _ name: String) throws -> DynamicModel {
            try registry.make(
                "Task",
                [
                    "owner": registry.make("Person", ["id": 1, "name": name]),
                    "labels": [registry.make("Label", ["id": 7, "name": name])],
                ])
        }
        let left = try task(registry, "ada")
        #expect(left.difference(to: try task(second, "ada")).isEmpty)
        #expect(left.difference(to: try task(second, "grace")).pointers == ["/owner/name", "/labels/0/name"])
        let third = try SchemaRegistry.of(
            MergingFixtures.label, MergingFixtures.note, MergingFixtures.task,
            ModelSchema("Person", ["id": .integer, "name": .string], identity: ["id"]))
        #expect(left.difference(to: try task(third, "ada")).pointers == ["/owner"])
    }
}

@Suite("Differences in lists")
struct ListDifferenceTests {
    let registry: SchemaRegistry

    init() throws {
        registry = try MergingFixtures.registry()
        try registry.register(
            ModelSchema(
                "Lists",
                [
                    "notes": .array(of: .model("Note").nullable), "grid": .array(of: .array(of: .model("Note"))),
                    "set": .set(of: .array(of: .model("Note"))), "labels": .array(of: .model("Label").nullable),
                ]))
    }

    private func note(_ text: String) throws -> DynamicModel { try registry.make("Note", ["text": text]) }

    private func notes(_ texts: [String?]) throws -> DynamicModel {
        let notes: [DynamicModel?] = try texts.map { try $0.map { try note($0) } }
        return try registry.make("Lists", ["notes": notes])
    }

    @Test(
        arguments: [
            ([nil, "a"], [nil, "b"], ["/notes/1/text"]), ([nil, "a"], ["a", nil], ["/notes"]),
            ([nil], [nil], []), (["a"], ["a", nil], ["/notes"]),
            (["a", "b"], ["b", "a"], ["/notes/0/text", "/notes/1/text"]),
        ] as [([String?], [String?], [String])])
    func elementsWithoutIdentityAreComparedPlaceByPlace(left: [String?], right: [String?], pointers: [String]) throws {
        #expect(try notes(left).difference(to: try notes(right)).pointers == pointers)
    }

    @Test func listsInListsAreComparedPlaceByPlaceAndInSetsAsAWhole() throws {
        let left = try registry.make(
            "Lists", ["grid": [[note("a")], [note("b"), note("c")]], "set": [[note("a")], [note("b")]]])
        let right = try registry.make(
            "Lists", ["grid": [[note("a")], [note("b"), note("d")]], "set": [[note("b")], [note("x")]]])
        #expect(left.difference(to: right).pointers == ["/set", "/grid/1/1/text"])
        #expect(left.difference(to: left.deepCopy()).isEmpty)
    }

    @Test func whereElementsCannotBeToldApartTheListIsComparedPlaceByPlace() throws {
        func labels(_ ids: [Int?], _ name: String) throws -> DynamicModel {
            let labels: [DynamicModel?] = try ids.map { id in
                try id.map { try registry.make("Label", ["id": $0, "name": name]) }
            }
            return try registry.make("Lists", ["labels": labels])
        }
        // Two of one identity, and none at all.
        #expect(
            try labels([1, 1], "a").difference(to: labels([1, 1], "b")).pointers == [
                "/labels/0/name", "/labels/1/name",
            ])
        #expect(try labels([1, nil], "a").difference(to: labels([1, nil], "b")).pointers == ["/labels/0/name"])
        #expect(try labels([1, nil], "a").difference(to: labels([nil, 1], "b")).pointers == ["/labels"])
        // By identity, the same change is told at the new place.
        #expect(
            try labels([1, 2], "a").difference(to: labels([3, 2], "b")).pointers == [
                "/labels/0", "/labels/0", "/labels/1/name",
            ])
    }
}
