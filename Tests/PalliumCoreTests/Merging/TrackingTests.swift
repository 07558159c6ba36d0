import PalliumCore
import PalliumJSON
import Testing

@Suite("Change tracking")
struct TrackingTests {
    let registry: SchemaRegistry

    init() throws { registry = try MergingFixtures.registry() }

    @Test func changesAreToldAgainstTheBeginning() throws {
        let owner = try registry.make("Person", ["id": 1, "name": "ada"])
        let task = try registry.make("Task", ["title": "a", "number": 1, "owner": owner])
        #expect(!task.hasChanges && task.changedKeys.isEmpty && !task.isTrackingChanges)
        task.trackChanges()
        task["title"] = "a"
        #expect(!task.hasChanges)
        task["title"] = "b"
        owner["name"] = "Ada"
        #expect(task.hasChanges)
        #expect(task.changedKeys == ["title", "owner"])
        #expect(task.pendingChanges.pointers == ["/title", "/owner/name"])
        #expect(try task.originalValue(forKey: "title") as? String == "a")
        #expect(owner.changedKeys == ["name"])
        task["title"] = "a"
        #expect(task.changedKeys == ["owner"])
        task.trackChanges()
        #expect(!task.hasChanges)
        task.stopTrackingChanges()
        task["title"] = "c"
        #expect(!task.hasChanges && !owner.isTrackingChanges)
    }

    @Test func revertingRestoresTheGraph() throws {
        let ada = try registry.make("Person", ["id": 1, "name": "ada"])
        let bug = try registry.make("Label", ["id": 1, "name": "bug"])
        let task = try registry.make("Task", ["title": "a", "owner": ada, "labels": [bug]])
        let before = task.deepCopy()
        task.trackChanges()
        task["title"] = nil
        ada["name"] = "x"
        bug["name"] = "y"
        task["owner"] = try registry.make("Person", ["id": 2])
        task["labels"] = [DynamicModel]()
        #expect(Set(task.changedKeys) == ["title", "owner", "labels"])
        task.revert()
        #expect(task == before)
        #expect(task["owner", as: DynamicModel.self] === ada)
        #expect(!task.hasChanges)
    }

    @Test func copiesAreNotTracked() throws {
        let task = try registry.make("Task", ["title": "a"])
        task.trackChanges()
        #expect(!task.copy().isTrackingChanges && !task.deepCopy().isTrackingChanges)
    }
}

@Suite("Rebasing")
struct RebaseTests {
    let registry: SchemaRegistry

    init() throws { registry = try MergingFixtures.registry() }

    /// What a property holds after a rebase, what is pending then, and whether there was a conflict.
    private struct Outcome: Equatable {
        var value: Int?
        var isPending: Bool
        var isConflict: Bool
    }

    /// From the base 5; the program's edit, if any, and what comes: nil for nothing, 0 for null.
    private func outcome(_ policy: MergePolicy?, edit: Int?, incoming: Int?) throws -> Outcome {
        let registry = SchemaRegistry()
        let property = policy.map { PropertySchema.integer.merge($0) } ?? .integer
        try registry.register(ModelSchema("M", ["stamp": .integer, "value": property]))
        let model = try registry.make("M", ["stamp": 1, "value": 5])
        model.trackChanges()
        if let edit { model["value"] = edit }
        let other = try registry.make("M", ["stamp": 2])
        if let incoming { other["value"] = incoming == 0 ? nil : incoming }
        let changes = try model.rebase(onto: other)
        return Outcome(
            value: model["value", as: Int.self], isPending: model.changedKeys.contains("value"),
            isConflict: !changes.conflicts.isEmpty)
    }

    /// Rows: policy; then, for nothing, null, the same and another value coming, the value of a clean property, and the
    /// value, whether it is pending and whether that was a conflict of one that was edited to 7. The other value is 9.
    private static let table: [(policy: MergePolicy?, clean: [Int?], edited: [(Int?, Bool, Bool)])] = [
        (nil, [5, nil, 5, 9], [(7, true, false), (7, true, true), (7, true, false), (7, true, true)]),
        (.replace, [5, nil, 5, 9], [(7, true, false), (nil, false, true), (7, true, false), (9, false, true)]),
        (.keep, [5, 5, 5, 5], [(7, true, false), (7, true, true), (7, true, false), (7, true, true)]),
        (.skipNull, [5, 5, 5, 9], [(7, true, false), (7, true, false), (7, true, false), (7, true, true)]),
        (.max, [5, 5, 5, 9], [(7, true, false), (7, true, false), (7, true, false), (9, false, true)]),
        (.min, [5, 5, 5, 5], [(7, true, false), (7, true, false), (7, true, false), (7, true, true)]),
        (
            .newest(by: "stamp"), [5, nil, 5, 9],
            [(7, true, false), (nil, false, true), (7, true, false), (9, false, true)]
        ),
    ]

    @Test(arguments: RebaseTests.table.indices)
    func everyPolicyDecidesAboutEveryCase(_ row: Int) throws {
        let (policy, clean, edited) = Self.table[row]
        for (number, incoming) in [nil, 0, 5, 9].enumerated() {
            #expect(try outcome(policy, edit: nil, incoming: incoming).value == clean[number], "\(number)")
            let (value, isPending, isConflict) = edited[number]
            #expect(
                try outcome(policy, edit: 7, incoming: incoming)
                    == Outcome(value: value, isPending: isPending, isConflict: isConflict), "\(number)")
        }
    }

    @Test func theSameEditOnBothSidesIsNothingPending() throws {
        #expect(try outcome(nil, edit: 7, incoming: 7) == Outcome(value: 7, isPending: false, isConflict: false))
    }

    @Test func nestedEditsAndListsSurvive() throws {
        let ada = try registry.make("Person", ["id": 1, "name": "ada"])
        let labels = try (1...3).map { try registry.make("Label", ["id": $0, "name": "l"]) }
        let task = try registry.make("Task", ["title": "a", "owner": ada, "labels": labels])
        task.trackChanges()
        ada["name"] = "Ada"
        // One element edited, one removed, one inserted.
        labels[0]["color"] = "red"
        let own = try registry.make("Label", ["id": 9])
        task["labels"] = [labels[0], labels[2], own]
        let changes = try task.rebase(
            onto: registry.make(
                "Task",
                [
                    "title": "b", "owner": registry.make("Person", ["id": 1, "name": "ADA"]),
                    "labels": [
                        registry.make("Label", ["id": 1, "name": "L"]), registry.make("Label", ["id": 2, "name": "l"]),
                        registry.make("Label", ["id": 4]),
                    ],
                ]))
        #expect(task["title", as: String.self] == "b")
        #expect(ada["name", as: String.self] == "Ada")
        #expect(changes.conflicts.map(\.pointer.description) == ["/owner/name"])
        let after = task["labels", as: [DynamicModel].self] ?? []
        #expect(after.map { $0["id", as: Int.self] } == [1, 4, 9])
        #expect(after[0] === labels[0])
        #expect(labels[0]["name", as: String.self] == "L")
        #expect(labels[0]["color", as: String.self] == "red")
        #expect(
            Set(task.pendingChanges.pointers) == ["/owner/name", "/labels/0/color", "/labels/1", "/labels/2"])
    }

    @Test func rebasingOntoTheBaseIsNothing() throws {
        let task = try registry.make("Task", ["title": "a", "log": ["x"], "tags": ["t"] as Set<String>])
        task.trackChanges()
        let base = task.deepCopy()
        task["title"] = "b"
        task["log"] = ["x", "y"]
        #expect(try task.rebase(onto: base).isEmpty)
        #expect(task.changedKeys == ["title", "log"])
    }

    @Test func aRefusedRebaseLeavesEditsPending() throws {
        let task = try registry.make("Task", ["title": "a", "number": 1])
        task.trackChanges()
        task["title"] = "b"
        let null = try SchemaRegistry.plainModel(["title": .string, "number": .integer], name: "Null")
        null["title"] = "c"
        null["number"] = nil
        #expect(throws: ModelError.self) { try task.rebase(onto: null) }
        #expect(task["title", as: String.self] == "b")
        #expect(task.pendingChanges.map { $0.old as? String } == ["a"])
    }
}
