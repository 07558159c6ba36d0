import PalliumCore
import PalliumJSON
import PalliumMerging
import TestSupport
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
        #expect(task.model("owner") === ada)
        #expect(!task.hasChanges)
    }

    @Test func whatIsNoLongerTrackedCountsAsItIs() throws {
        let owner = try registry.make("Person", ["id": 1, "name": "ada"])
        let task = try registry.make("Task", ["title": "a", "owner": owner])
        task.trackChanges()
        owner.stopTrackingChanges()
        owner["name"] = "Ada"
        #expect(!task.hasChanges)
        task["title"] = "b"
        #expect(task.pendingChanges.pointers == ["/title"])
    }

    @Test func whoLeftTheModelKeepsItsOwnBeginning() throws {
        let owner = try registry.make("Person", ["id": 1, "name": "ada"])
        let task = try registry.make("Task", ["owner": owner])
        task.trackChanges()
        owner["name"] = "Ada"
        task["owner"] = nil
        task.trackChanges()
        #expect(!task.hasChanges)
        #expect(owner.changedKeys == ["name"])
        task["owner"] = owner
        task.trackChanges()
        task["owner"] = nil
        task.stopTrackingChanges()
        #expect(owner.isTrackingChanges)
    }

    @Test func theOriginalOfAnUnknownKeyIsAnError() throws {
        let task = try registry.make("Task", [:])
        let error = #expect(throws: ModelError.self) { try task.originalValue(forKey: "titel") }
        #expect(error?.description == "expected a key of Task but found \"titel\"; did you mean \"title\"?")
        #expect(try task.originalValue(forKey: "title") == nil)
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

    /// What the program made of the labels 1 and 2, and what the other side has.
    @Test(arguments: [
        ([9, 1, 2], [1, 2], [9, 1, 2]), ([1, 9, 2], [1, 2], [1, 9, 2]), ([2, 1], [1, 2], [2, 1]),
        ([2, 9], [1, 2], [2, 9]), ([], [1, 2], []), ([1, 9, 2], [2, 1], [2, 1, 9]), ([1, 9, 2], [1], [1, 9]),
        ([1, 9, 2], [1, 2, 3], [1, 9, 2, 3]), ([2], [1, 2, 3], [2, 3]),
    ])
    func anEditOfAListStaysWhereTheOtherSideHasWhatItHad(edited: [Int], other: [Int], result: [Int]) throws {
        func labels(_ identifiers: [Int]) throws -> [DynamicModel] {
            try identifiers.map { try registry.make("Label", ["id": $0, "name": "label"]) }
        }
        let task = try registry.make("Task", ["labels": labels([1, 2])])
        task.trackChanges()
        let known = task.models("labels")
        try task.setValue(
            edited.map { id in try known.first { $0["id", as: Int.self] == id } ?? labels([id])[0] }, forKey: "labels")
        let changes = try task.rebase(onto: registry.make("Task", ["labels": labels(other)]))
        #expect(task.models("labels").map { $0["id", as: Int.self] } == result)
        if other == [1, 2] {
            #expect(changes.isEmpty)
            let original = try task.originalValue(forKey: "labels") as? [DynamicModel]
            #expect(original?.map { $0["id", as: Int.self] } == [1, 2])
        }
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
        #expect(changes.conflicts.pointers == ["/owner/name"])
        let after = task.models("labels")
        #expect(after.map { $0["id", as: Int.self] } == [1, 9, 4])
        #expect(after[0] === labels[0])
        #expect(labels[0]["name", as: String.self] == "L")
        #expect(labels[0]["color", as: String.self] == "red")
        #expect(Set(task.pendingChanges.pointers) == ["/owner/name", "/labels/0/color", "/labels/1"])
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

    /// What the other side holds is no longer pending, whether it is an equal model or the very same one.
    @Test(arguments: [false, true], ["owner", "reviewer"])
    func aModelThatTheOtherSideHasTooIsNotPending(isSame: Bool, key: String) throws {
        let ada = try registry.make("Person", ["id": 1, "name": "ada"])
        let task = try registry.make("Task", ["title": "a"])
        task.trackChanges()
        task[key] = ada
        #expect(task.changedKeys == [key])
        try task.rebase(onto: registry.make("Task", ["title": "a", key: isSame ? ada : ada.deepCopy()]))
        #expect(task.model(key) === ada)
        #expect(task.pendingChanges.pointers == [])
    }

    @Test func anEditedModelThatTheOtherSideHoldsTooIsNoConflict() throws {
        let labels = try (1...2).map { try registry.make("Label", ["id": $0, "name": "l"]) }
        let task = try registry.make("Task", ["labels": labels])
        task.trackChanges()
        labels[0]["name"] = "edited"
        task["labels"] = [labels[1]]
        let changes = try task.rebase(onto: registry.make("Task", ["labels": labels]))
        #expect(changes.isEmpty && changes.conflicts.isEmpty)
        #expect(task.models("labels").map { $0["id", as: Int.self] } == [2])
        #expect(task.pendingChanges.pointers == ["/labels/0"])
    }

    @Test(arguments: [([1, 2], [String]()), ([1, 3], ["/labels"])])
    func aRemovedListThatTheOtherSideChangedIsAConflict(other: [Int], conflicts: [String]) throws {
        func labels(_ identifiers: [Int]) throws -> [DynamicModel] {
            try identifiers.map { try registry.make("Label", ["id": $0, "name": "l"]) }
        }
        let task = try registry.make("Task", ["labels": labels([1, 2])])
        task.trackChanges()
        task["labels"] = nil
        let changes = try task.rebase(onto: registry.make("Task", ["labels": labels(other)]))
        #expect(changes.conflicts.pointers == conflicts)
        #expect(task["labels"] == nil)
        task.revert()
        #expect(task.models("labels").map { $0["id", as: Int.self] } == other)
    }

    @Test func modelsThatCameAreTrackedAsWell() throws {
        let task = try registry.make("Task", ["title": "a"])
        let owner = try registry.make("Person", ["id": 1, "name": "ada"])
        // Not tracked yet, the task is from now on.
        try task.rebase(onto: registry.make("Task", ["title": "b", "owner": owner]))
        #expect(task.isTrackingChanges && !task.hasChanges)
        task.model("owner")?["name"] = "Ada"
        #expect(task.pendingChanges.pointers == ["/owner/name"])
        // What came takes the place of an edit only when that is reverted; then it is tracked, too.
        task.trackChanges()
        task["reviewer"] = try registry.make("Person", ["id": 2])
        let other = try registry.make("Person", ["id": 3, "name": "eve"])
        try task.rebase(onto: registry.make("Task", ["reviewer": other]))
        #expect(task.model("reviewer")?["id", as: Int.self] == 2)
        task.revert()
        let reviewer = try #require(task.model("reviewer"))
        #expect(reviewer["id", as: Int.self] == 3)
        reviewer["name"] = "Eve"
        #expect(task.pendingChanges.pointers == ["/reviewer/name"])
    }

    /// A model, other than a document, is whole: what it lacks, the other side lacks.
    @Test func whatAWholeModelSaysIsTheBaseOfTheOneThatTheProgramPutThere() throws {
        let task = try registry.make("Task", ["owner": registry.make("Person", ["id": 1, "name": "ada"])])
        task.trackChanges()
        task["owner"] = try registry.make("Person", ["id": 2, "name": "bob"])
        let friend = try registry.make("Person", ["id": 3, "name": "eve"])
        let other = try registry.make("Person", ["id": 2, "friend": friend])
        try task.rebase(onto: registry.make("Task", ["owner": other]))
        #expect(task.model("owner")?["name", as: String.self] == "bob")
        #expect(task.model("owner")?.model("friend")?["name", as: String.self] == "eve")
        #expect(task.pendingChanges.pointers == ["/owner/name"])
    }

    @Test func aRefusedRebaseLeavesEditsPending() throws {
        let task = try registry.make("Task", ["title": "a", "number": 1])
        task.trackChanges()
        task["title"] = "b"
        let null = try SchemaRegistry.plainModel(["title": .string, "number": .integer], name: "Task")
        null["title"] = "c"
        null["number"] = nil
        #expect(throws: ModelError.self) { try task.rebase(onto: null) }
        #expect(task["title", as: String.self] == "b")
        #expect(task.pendingChanges.map { $0.old as? String } == ["a"])
    }

    @Test(arguments: [nil, "nested"])
    func aRebaseTakesNullWhereNothingIs(nested: String?) throws {
        let registry = try SchemaRegistry.of(
            ModelSchema(
                "Item",
                [
                    "plain": .string, "kept": .string.merge(.keep), "skipped": .string.merge(.skipNull),
                    "counted": .integer.default(3), "list": .array(of: .string), "other": .model("Item"),
                    "nested": .model("Item").merge(.recurse),
                ]))
        func wrapped(_ item: DynamicModel) throws -> DynamicModel {
            nested == nil ? item : try registry.make("Item", ["nested": item])
        }
        let item = try registry.make("Item", [:])
        let model = try wrapped(item)
        model.trackChanges()
        item["list"] = ["edited"]
        let source = try registry.make("Item", [:])
        for key in ["plain", "kept", "skipped", "list", "other"] { source[key] = nil }
        #expect(try model.rebase(onto: wrapped(source)).isEmpty)
        func states() throws -> [String] {
            try ["plain", "kept", "skipped", "counted", "list", "other"].map { try item.state(of: $0).rawValue }
        }
        #expect(try states() == ["null", "null", "unset", "value", "value", "null"])
        // The edit stays, and what it is told against is the null.
        #expect(model.pendingChanges.map(\.key) == ["list"])
        model.revert()
        #expect(try states() == ["null", "null", "unset", "value", "null", "null"])
    }
}
