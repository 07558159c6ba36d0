import PalliumCore
import PalliumJSON
import PalliumMerging
import TestSupport
import Testing

@Suite("Merging in place")
struct InPlaceMergeTests {
    let registry: SchemaRegistry

    init() throws { registry = try MergingFixtures.registry() }

    @Test func aNestedModelStaysTheSameObject() throws {
        let owner = try registry.make("Person", ["id": 1, "name": "ada"])
        let task = try registry.make("Task", ["owner": owner])
        let changes = try task.merge(
            from: registry.make("Task", ["owner": registry.make("Person", ["name": "grace"])]))
        #expect(task.model("owner") === owner)
        #expect(owner["name", as: String.self] == "grace")
        #expect(owner["id", as: Int.self] == 1)
        #expect(changes.pointers == ["/owner/name"])
        #expect(changes.keys == ["owner"])
        #expect(changes[0].old as? String == "ada")
        #expect(changes[0].new as? String == "grace")
        #expect(changes.description == #"/owner/name: "ada" → "grace" (taken)"#)
    }

    @Test func aModelThatIsMergedTwiceTellsWhatBothMergesDid() throws {
        let ada = try registry.make("Person", ["id": 1, "name": "ada"])
        let task = try registry.make("Task", ["owner": ada, "watchers": [ada]])
        let friend = try registry.make("Person", ["id": 3])
        // The owner comes first and names the later property.
        let changes = try task.merge(
            from: registry.make(
                "Task",
                [
                    "owner": registry.make("Person", ["friend": friend]),
                    "watchers": [registry.make("Person", ["id": 1, "name": "grace"])],
                ]))
        #expect(ada["name", as: String.self] == "grace")
        #expect(ada["friend", as: DynamicModel.self] === friend)
        #expect(changes.count == 2)
        #expect(changes.allSatisfy { $0.decision == .taken })
    }

    @Test func whatComesLaterInTheSchemaIsMergedLater() throws {
        let registry = SchemaRegistry()
        try registry.register(
            MergingFixtures.label,
            ModelSchema(
                "Board",
                [
                    "first": .model("Label").merge(.recurse),
                    "second": .array(of: .model("Label")).merge(.byIdentifier()),
                ]))
        let label = try registry.make("Label", ["id": 1, "name": "old"])
        let board = try registry.make("Board", ["first": label, "second": [label]])
        // The second mention says what the model held before the first one.
        try board.merge(
            from: registry.make(
                "Board",
                [
                    "first": registry.make("Label", ["id": 1, "name": "new"]),
                    "second": [registry.make("Label", ["id": 1, "name": "old"])],
                ]))
        #expect(label["name", as: String.self] == "old")
    }

    @Test func equalElementsAreMergedWhereTheirPoliciesMakeADifference() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Entry", ["id": .integer.required, "log": .array(of: .string).merge(.append)]),
            ModelSchema("Journal", ["entries": .array(of: .model("Entry")).merge(.byIdentifier("id"))]))
        func journal() throws -> DynamicModel {
            try registry.make("Journal", ["entries": [registry.make("Entry", ["id": 1, "log": ["a"]])]])
        }
        let own = try journal()
        try own.merge(from: journal())
        #expect(own.models("entries")[0]["log", as: [String].self] == ["a", "a"])
    }

    @Test(arguments: ["items", "child", "named"])
    func linksLeadToTheOwnModelsThatStay(_ key: String) throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Item", ["id": .integer.required, "inner": .model("Item")]),
            ModelSchema(
                "Box",
                [
                    "items": .array(of: .model("Item")).merge(.byIdentifier("id")), "child": .model("Item"),
                    "named": .dictionary(of: .model("Item")), "favorite": .model("Item").weak,
                ]))
        func box(_ favorite: Int) throws -> DynamicModel {
            let items = try (1...2).map { number in
                let inner = try registry.make("Item", ["id": number * 10])
                return try registry.make("Item", ["id": number, "inner": key == "items" ? nil : inner])
            }
            let box = try registry.make("Box", ["items": items])
            switch key {
            case "child": try box.setValue(items[0], forKey: key)
            case "named": try box.setValue(["a": items[0], "b": items[1]], forKey: key)
            default: break
            }
            try box.setValue(items[favorite]["inner", as: DynamicModel.self] ?? items[favorite], forKey: "favorite")
            return box
        }
        let own = try box(0)
        let favorite = own["favorite", as: DynamicModel.self]
        // What is equal changes nothing, and its links are no others.
        #expect(try own.merge(from: box(0)).isEmpty)
        #expect(own["favorite", as: DynamicModel.self] === favorite)
        if key == "child" { return }
        try own.merge(from: box(1))
        let other = own.models("items")[1]
        #expect(own["favorite", as: DynamicModel.self] === other["inner", as: DynamicModel.self] ?? other)
        // A part of the list leads to the own elements as well.
        let part = try box(0)
        part["items"] = Array(part.models("items").prefix(1))
        try own.merge(from: part)
        #expect(own["favorite", as: DynamicModel.self] === favorite)
    }

    @Test func modelsThatStandOnBothSidesAreNotTouched() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Item", ["id": .integer.required, "log": .array(of: .string).merge(.append)]),
            ModelSchema(
                "Box",
                [
                    "items": .set(of: .model("Item")).merge(.byIdentifier("id")),
                    "favorite": .model("Item").weak,
                ]
            ).validate { _ in throw FixtureError.refused })
        let item = try registry.make("Item", ["id": 1, "log": ["a"]])
        let own = try registry.make("Box", ["items": Set([item]), "favorite": item])
        // No rule runs, because nothing changes.
        #expect(try own.merge(from: registry.make("Box", ["items": Set([item]), "favorite": item])).isEmpty)
        #expect(item["log", as: [String].self] == ["a"])
    }

    /// Of schemas with policies and without.
    @Test(arguments: [nil, MergePolicy.max])
    func noRuleRunsWhereBothSidesHoldNull(policy: MergePolicy?) throws {
        var views = PropertySchema.integer
        if let policy { views = views.merge(policy) }
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Item", ["id": .integer, "name": .string, "views": views]).validate { _ in
                throw FixtureError.refused
            })
        func item() throws -> DynamicModel { try registry.make("Item", ["id": 1, "name": nil, "views": 2]) }
        #expect(try item().merge(from: item()).isEmpty)
    }

    @Test func modelsThatAreReplacedAreReleased() throws {
        let task = try registry.make("Task", ["reviewer": registry.make("Person", ["id": 1])])
        weak let old = task["reviewer", as: DynamicModel.self]
        #expect(old != nil)
        _ = try task.merge(from: registry.make("Task", ["reviewer": registry.make("Person", ["id": 2])]))
        #expect(old == nil)
    }

    @Test func aModelOfAnotherIdentityReplacesTheNestedOne() throws {
        let ada = try registry.make("Person", ["id": 1, "name": "ada"])
        let grace = try registry.make("Person", ["id": 2])
        let task = try registry.make("Task", ["owner": ada])
        let changes = try task.merge(from: registry.make("Task", ["owner": grace]))
        #expect(task.model("owner") === grace)
        #expect(ada["name", as: String.self] == "ada")
        #expect(changes.pointers == ["/owner"])
    }

    @Test func elementsAreMatchedByIdentity() throws {
        let bug = try registry.make("Label", ["id": 1, "name": "bug", "color": "red"])
        let old = try registry.make("Label", ["id": 2, "name": "old"])
        let task = try registry.make("Task", ["labels": [bug, old]])
        let new = try registry.make("Label", ["id": 3, "name": "new"])
        let changes = try task.merge(
            from: registry.make("Task", ["labels": [new, registry.make("Label", ["id": 1, "name": "Bug"])]]))
        #expect(task.models("labels").map { $0["id", as: Int.self] } == [3, 1])
        #expect(task.models("labels")[1] === bug)
        #expect(bug["color", as: String.self] == "red")
        #expect(bug["name", as: String.self] == "Bug")
        #expect(Set(changes.pointers) == ["/labels/1/name", "/labels/0", "/labels/1"])
    }

    @Test func elementsThatAreNotMentionedAreKeptWhereThePolicySaysSo() throws {
        let ada = try registry.make("Person", ["id": 1, "name": "ada"])
        let task = try registry.make("Task", ["watchers": [ada]])
        let changes = try task.merge(
            from: registry.make("Task", ["watchers": [registry.make("Person", ["id": 2])]]))
        #expect(task.models("watchers").map { $0["id", as: Int.self] } == [1, 2])
        #expect(changes.pointers == ["/watchers/1"])
        #expect(changes[0].old == nil)
    }

    @Test(.threat(.aliasedMerges)) func twoElementsOfOneIdentityAreAnErrorThatLeavesTheModelAlone() throws {
        let task = try registry.make("Task", ["title": "a", "labels": [registry.make("Label", ["id": 1])]])
        let twins = try [registry.make("Label", ["id": 2]), registry.make("Label", ["id": 2])]
        let error = #expect(throws: ModelError.self) {
            try task.merge(from: registry.make("Task", ["title": "b", "labels": twins]))
        }
        #expect(error?.pointer?.description == "/labels/1")
        #expect(task["title", as: String.self] == "a")
        #expect(task.models("labels").count == 1)
    }

    @Test func aModelWithoutAnIdentifierIsRefusedWhereIdentifiersAreRequired() throws {
        let schemas = [
            ModelSchema("Person", ["id": .integer, "name": .string], identity: ["id"]),
            ModelSchema(
                "Team",
                ["people": .array(of: .model("Person")).merge(.byIdentifier(missing: .remove, identifiers: .required))]),
        ]
        let registry = try SchemaRegistry.of(schemas)
        let team = try registry.make("Team", ["people": [registry.make("Person", ["id": 1])]])
        let other = try registry.make("Team", ["people": [registry.make("Person", ["name": "ada"])]])
        let missing = #expect(throws: ModelError.self) { try team.merge(from: other) }
        #expect(missing?.code == .missingProperty)
        #expect(missing?.pointer?.description == "/people/0")
        #expect(team.models("people").map { $0["id", as: Int.self] } == [1])
    }

    @Test(.threat(.aliasedMerges)) func aModelInTwoPlacesTakesBothParts() throws {
        let ada = try registry.make("Person", ["id": 1])
        let task = try registry.make("Task", ["owner": ada, "watchers": [ada]])
        let source = try registry.make(
            "Task",
            [
                "owner": registry.make("Person", ["id": 1, "name": "Ada"]),
                "watchers": [
                    registry.make("Person", ["id": 1, "friend": registry.make("Person", ["id": 2])])
                ],
            ])
        try task.merge(from: source)
        #expect(ada["name", as: String.self] == "Ada")
        #expect(ada.model("friend")?["id", as: Int.self] == 2)
    }

    @Test(.threat(.aliasedMerges)) func mergingWithItselfOrAnEqualModelDoesNothing() throws {
        let task = try registry.make(
            "Task", ["title": "a", "owner": registry.make("Person", ["id": 1]), "tags": ["x"] as Set<String>])
        #expect(try task.merge(from: task).isEmpty)
        #expect(try task.merge(from: task.deepCopy()).isEmpty)
    }

    @Test(.threat(.aliasedMerges, .cycles)) func graphsThatContainThemselvesAreMergedOnce() throws {
        let (left, right) = (try registry.make("Person", [:]), try registry.make("Person", ["name": "r"]))
        left["friend"] = left
        right["friend"] = try registry.make("Person", ["name": "s", "friend": right])
        let changes = try left.merge(from: right)
        #expect(left["name", as: String.self] == "s")
        #expect(changes.pointers == ["/name"])
        // A model of the own graph as the source of another one.
        let outer = try registry.make("Person", ["name": "outer", "friend": left])
        try left.merge(from: outer)
        #expect(left["name", as: String.self] == "outer")
        left["friend"] = nil
        right["friend", as: DynamicModel.self]?["friend"] = nil
    }

    @Test(.threat(.deepGraphs)) func longChainsNeedNoStack() throws {
        func chain(_ name: String) throws -> DynamicModel {
            var last = try registry.make("Person", ["name": name])
            for _ in 0..<30_000 { last = try registry.make("Person", ["name": name, "friend": last]) }
            return last
        }
        nonisolated(unsafe) let (left, right) = (try chain("a"), try chain("b"))
        try onStack {
            let changes = try left.merge(from: right)
            #expect(changes.count == 30_001)
            #expect(left.difference(to: right).isEmpty)
        }
    }
}
