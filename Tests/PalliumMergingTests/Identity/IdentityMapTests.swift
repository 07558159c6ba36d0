import Foundation
import ModelTestSupport
import Pallium
import Testing

@Suite("Identity map")
struct IdentityMapTests {
    let fixtures: IdentityFixtures

    init() throws { fixtures = try IdentityFixtures() }

    @Test func aKnownModelIsUpdatedInPlace() throws {
        let first = try fixtures.load("Person", "{'id': 1, 'name': 'Ada', 'age': 36}")
        let second = try fixtures.load("Person", "{'id': 1, 'name': 'Ada King'}")
        #expect(first[0] === second[0])
        #expect(first[0]["name", as: String.self] == "Ada King")
        #expect(first[0]["age", as: Int.self] == 36)
        #expect(first.changes.isEmpty)
        #expect(second.changes.map(\.description) == [#"/name: "Ada" → "Ada King" (taken)"#])
    }

    @Test func everyEntranceFindsTheSameInstance() throws {
        let adapter = try fixtures.adapter("Person")
        let map = fixtures.map
        let text = #"{"id": 1, "name": "Ada"}"#
        let person = try map.import(text, using: adapter)[0]
        #expect(try map.import(Data(text.utf8), using: adapter)[0] === person)
        #expect(try map.import(JSONValue(parsing: Array(text.utf8)), using: adapter)[0] === person)
        #expect(try map.import(["id": 1, "name": "Ada"] as [String: Any], using: adapter)[0] === person)
        #expect(try map.import([["id": 1], ["id": 2]], using: adapter).map { $0 === person } == [true, false])
        #expect(try map.import("[\(text)]", using: adapter)[0] === person)
        #expect(try map.import("[]", using: adapter).isEmpty)
    }

    @Test func nestedModelsAreUnifiedWhereverTheyStand() throws {
        let issue = try fixtures.load(
            "Issue",
            """
            {'id': 1, 'assignee': {'id': 7, 'name': 'Ada'}, 'watchers': [{'id': 7}, {'id': 8, 'friend': {'id': 7}}],
             'people': {'lead': {'id': 8}}, 'links': {'parent': {'id': 2, 'assignee': {'id': 7, 'age': 36}}}}
            """)[0]
        let ada = try #require(issue.model("assignee"))
        #expect(issue.models("watchers")[0] === ada)
        #expect(issue.models("watchers")[1].model("friend") === ada)
        #expect(issue["people", as: [String: DynamicModel].self]?["lead"] === issue.models("watchers")[1])
        #expect(issue.model("parent")?.model("assignee") === ada)
        #expect(ada["name", as: String.self] == "Ada")
        #expect(ada["age", as: Int.self] == 36)
    }

    @Test func modelsBelowValuesAreUnified() throws {
        let page = try fixtures.load(
            "Page", "{'owner': {'id': 7, 'address': {'city': 'London', 'host': {'id': 8}}}, 'issues': [{'id': 1}]}")[0]
        let issue = try #require(page.models("issues").first)
        let next = try fixtures.load(
            "Page",
            "{'issues': [{'id': 1, 'assignee': {'id': 8, 'name': 'Eve', 'address': {'city': 'Paris'}}}, {'id': 2}]}")[0]
        #expect(next !== page)
        #expect(next.models("issues")[0] === issue)
        let host = try #require(page.model("owner")?.model("address")?.model("host"))
        #expect(issue.model("assignee") === host)
        #expect(host["name", as: String.self] == "Eve")
        #expect(host.model("address")?["floor", as: Int.self] == 1)
    }

    @Test func aReferenceBecomesAStubThatIsFilledLater() throws {
        let issue = try fixtures.load("Issue", "{'id': 1, 'assignee': {'id': 7}}")[0]
        let stub = try #require(issue.model("assignee"))
        #expect(stub["name"] == nil)
        #expect(try stub.state(of: "age") == .defaulted)
        let loaded = try fixtures.load("Person", "[{'id': 7, 'name': 'Ada', 'age': 36}]")
        #expect(loaded[0] === stub)
        #expect(stub["age", as: Int.self] == 36)
        #expect(loaded.changes.pointers == ["/0/name", "/0/age"])
    }

    @Test func aReferenceIsNoStubWhereMoreIsRequired() throws {
        let problem = try #require(try fixtures.problem("Issue", "{'id': 1, 'comments': [{'id': 5}]}"))
        #expect(problem.code == .missingProperty)
        #expect(problem.pointer?.description == "/comments/0")
        #expect(problem.property == "text")
        // Of a known model, part is enough; so it is when another place of the document says the rest.
        let comment = try fixtures.load("Comment", "{'id': 5, 'text': 'Me too'}")[0]
        let issue = try fixtures.load(
            "Issue", "{'id': 1, 'comments': [{'id': 5}, {'id': 6}, {'id': 6, 'text': 'Why?'}]}")[0]
        #expect(issue.models("comments")[0] === comment)
        #expect(issue.models("comments")[1]["text", as: String.self] == "Why?")
    }

    @Test func cyclesAndBackLinksClose() throws {
        let issue = try fixtures.load(
            "Issue", "{'id': 1, 'comments': [{'id': 5, 'text': 'Me too'}], 'links': {'parent': {'id': 1}}}")[0]
        #expect(issue.model("parent") === issue)
        #expect(issue.models("comments")[0].model("issue") === issue)
        let other = try fixtures.load("Issue", "{'id': 2, 'comments': [{'id': 5}]}")[0]
        #expect(issue.models("comments")[0].model("issue") === other)
        try issue.unset("parent")
        let people = try fixtures.load("Person", "{'id': 1, 'friend': {'id': 2, 'friend': {'id': 1}}}")
        #expect(people[0].model("friend")?.model("friend") === people[0])
        try people[0].unset("friend")
    }

    @Test func whatADocumentSaysTwiceIsMergedInOrder() throws {
        let people = try fixtures.load(
            "Person", "[{'id': 1, 'name': 'A'}, {'id': 2, 'friend': {'id': 1, 'name': 'B'}}, {'id': 1, 'age': 3}]")
        #expect(people.count == 3)
        #expect(people[0] === people[2])
        #expect(people[1].model("friend") === people[0])
        #expect(people[0]["name", as: String.self] == "B")
        #expect(people[0]["age", as: Int.self] == 3)
        #expect(people.changes.isEmpty)
        let again = try fixtures.load("Person", "[{'id': 1, 'name': 'C'}, {'id': 1, 'name': 'D'}]")
        #expect(again.changes.map { $0.new as? String } == ["D"])
        withExtendedLifetime(people) {}
    }

    /// In time that grows with the document: seconds would be minutes otherwise.
    @Test func aModelMayBeMentionedVeryOften() throws {
        let text = (1...20_000).map { "{'id': 1, 'title': '\($0)', 'views': \($0 % 7), 'assignee': {'id': \($0 % 3)}}" }
        let issues = try fixtures.load("Issue", "[\(text.joined(separator: ","))]")
        #expect(issues.count == 20_000 && issues.allSatisfy { $0 === issues[0] })
        #expect(issues[0]["title", as: String.self] == "20000")
        #expect(issues[0]["views", as: Int.self] == 6)
        #expect(issues[0].model("assignee")?["id", as: Int.self] == 2)
    }

    /// What the mentions bring is put together in time that grows with the document, too.
    @Test func collectionsOfAModelThatIsMentionedVeryOftenAreCombined() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Label", ["name": .string]),
            ModelSchema(
                "Thing",
                [
                    "id": .integer, "log": .array(of: .string).merge(.append), "tags": .set(of: .string).merge(.union),
                    "table": .dictionary(of: .integer).merge(.union),
                    "labels": .array(of: .model("Label")).merge(.union),
                ], identity: ["id"]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Thing"), registry: registry)
        let mentions = (0..<4000).map {
            #"{"id":1,"log":["\#($0)"],"tags":["\#($0 / 2)"],"table":{"\#($0 / 3)":\#($0)},"labels":[{"name":"\#($0 / 4)"}]}"#
        }
        let map = IdentityMap()
        let thing = try #require(try map.import("[\(mentions.joined(separator: ","))]", using: adapter).first)
        #expect(thing["log", as: [String].self] == (0..<4000).map { "\($0)" })
        #expect(thing["tags", as: Set<String>.self]?.count == 2000)
        #expect(thing["table", as: [String: Int].self]?.count == 1334)
        #expect(thing["table", as: [String: Int].self]?["1333"] == 3999)
        #expect(thing.models("labels").count == 1000)
        // What was put together belongs to the model: the next document adds to a copy.
        let copy = thing.copy()
        let changes = try map.import(#"[{"id":1,"log":["a"]},{"id":1,"log":["b"]}]"#, using: adapter).changes
        #expect(changes.map(\.pointer.description) == ["/0/log"])
        #expect(copy["log", as: [String].self]?.count == 4000)
        #expect(thing["log", as: [String].self]?.suffix(2) == ["a", "b"])
    }

    /// The map and the adapter are there when the hook runs, in the same isolation region.
    private final class Imported {
        nonisolated(unsafe) static var map: IdentityMap?
        nonisolated(unsafe) static var adapter: JSONAdapter<DynamicModel>?
        nonisolated(unsafe) static var person: DynamicModel?
    }

    @Test(.serialized, arguments: [false, true])
    func aHookThatImportsFindsTheInstancesOfTheDocument(isRefused: Bool) throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Person", ["id": .integer, "name": .string], identity: ["id"]),
            ModelSchema("Task", ["id": .integer, "owner": .model("Person")], identity: ["id"]).didDecode { _ in
                guard let map = Imported.map, let adapter = Imported.adapter else { return }
                Imported.person = try map.import(#"{"id":7,"name":"inner"}"#, using: adapter).first
                if isRefused { throw FixtureError.refused }
            })
        let adapter = try JSONAdapter(schema: registry.schema(named: "Task"), registry: registry)
        let map = IdentityMap()
        Imported.map = map
        Imported.adapter = try JSONAdapter(schema: registry.schema(named: "Person"), registry: registry)
        defer { (Imported.map, Imported.adapter, Imported.person) = (nil, nil, nil) }
        let task = try? map.import(#"{"id":1,"owner":{"id":7}}"#, using: adapter).first
        #expect((task == nil) == isRefused)
        #expect(map.entryCount == (isRefused ? 0 : 2))
        #expect(isRefused || Imported.person === task?.model("owner"))
        #expect(isRefused || task?.model("owner")?["name", as: String.self] == "inner")
    }

    @Test func aSetHoldsAnInstanceOnce() throws {
        let person = try fixtures.load(
            "Person", "{'id': 1, 'peers': [{'id': 2, 'name': 'A'}, {'id': 2, 'name': 'B'}, {'id': 3}]}")[0]
        // As an array, nothing but the property itself leaves a repeated model out.
        #expect(person.models("peers").map { $0["id", as: Int.self] } == [2, 3])
    }

    @Test func theFirstNewModelIsCompletedAsAllAre() throws {
        let problem = try #require(try fixtures.problem("Comment", "{'id': 5}"))
        #expect(problem.code == .missingProperty)
        #expect(problem.property == "text")
        let person = try fixtures.load("Person", "{'id': 1, 'address': {'city': 'Rome'}}")[0]
        #expect(try person.state(of: "age") == .defaulted)
        #expect(person.model("address")?["floor", as: Int.self] == 1)
    }

    @Test func aModelWithoutItsIdentityIsAValue() throws {
        let people = try fixtures.load("Person", "[{'name': 'A'}, {'id': null, 'name': 'A'}]")
        #expect(people[0] !== people[1])
        #expect(try people[0].state(of: "age") == .defaulted)
        let problem = try #require(try fixtures.problem("Issue", "[{'id': 1}, {'title': 'A'}]"))
        #expect(problem.code == .missingProperty)
        #expect(problem.pointer?.description == "/1")
    }

    @Test func valuesAreMergedInPlaceWhereTheSchemaSaysSo() throws {
        let person = try fixtures.load(
            "Person", "{'id': 1, 'home': {'city': 'London'}, 'address': {'city': 'London'}}")[0]
        let home = try #require(person.model("home"))
        let address = try #require(person.model("address"))
        let changes = try fixtures.load(
            "Person", "{'id': 1, 'home': {'zip': 'N1', 'host': {'id': 1}}, 'address': {'city': 'London'}}"
        ).changes
        #expect(person.model("home") === home)
        #expect(person.model("address") === address)
        #expect(home["city", as: String.self] == "London")
        #expect(home.model("host") === person)
        #expect(changes.pointers == ["/home/zip", "/home/host"])
        try home.unset("host")
        let problem = try #require(try fixtures.problem("Person", "{'id': 1, 'address': {'zip': 'N1'}}"))
        #expect(problem.pointer?.description == "/address")
        #expect(problem.property == "city")
    }

    @Test func anInstanceReplacesAnEqualModelOfTheProgram() throws {
        let issue = try fixtures.load("Issue", "{'id': 1, 'watchers': []}")[0]
        let copy = try fixtures.adapter("Person").model(from: #"{"id": 7}"#)
        try issue.setValue(copy, forKey: "assignee")
        try issue.setValue([copy], forKey: "watchers")
        try fixtures.load("Issue", "{'id': 1, 'assignee': {'id': 7}, 'watchers': [{'id': 7}]}")
        let instance = try fixtures.load("Person", "{'id': 7, 'name': 'Ada'}")[0]
        #expect(issue.model("assignee") === instance)
        #expect(issue.models("watchers").map { $0 === instance } == [true])
        #expect(copy["name"] == nil)
    }

    @Test(.threat(.retainCycles)) func modelsAreNotKeptAlive() throws {
        weak var gone: DynamicModel?
        do {
            let person = try fixtures.load("Person", "{'id': 1, 'name': 'Ada', 'friend': {'id': 2}}")[0]
            gone = person
        }
        #expect(gone == nil)
        let again = try fixtures.load("Person", "{'id': 1}")[0]
        #expect(again["name"] == nil)
        for id in 0..<1000 { try fixtures.load("Person", "{'id': \(id)}") }
        #expect(fixtures.map.entryCount <= 130)
    }

    @Test func namesOfIdentitiesAreComparedAsBytes() throws {
        let accounts = try fixtures.load(
            "Account", "[{'login': 'caf\\u00e9'}, {'login': 'cafe\\u0301'}, {'login': 'café'}]")
        #expect(accounts[0] !== accounts[1])
        #expect(accounts[0] === accounts[2])
    }

    @Test func aCopyIsNoInstance() throws {
        let person = try fixtures.load("Person", "{'id': 1}")[0]
        let copy = person.copy()
        try copy.merge(from: fixtures.adapter("Person").model(from: #"{"id": 2}"#))
        #expect(copy["id", as: Int.self] == 2)
        #expect(throws: ModelError.self) { try person.merge(from: copy) }
        #expect(person["id", as: Int.self] == 1)
    }
}

@Suite("Imports into tracked models")
struct TrackedImportTests {
    let fixtures: IdentityFixtures
    let issue: DynamicModel
    let ada: DynamicModel

    init() throws {
        fixtures = try IdentityFixtures()
        issue = try fixtures.load(
            "Issue",
            """
            {'id': 1, 'title': 'A', 'views': 1, 'assignee': {'id': 7, 'name': 'Ada', 'home': {'city': 'London'}},
             'tags': ['t'], 'watchers': [{'id': 7}]}
            """)[0]
        ada = try #require(issue.model("assignee"))
        issue.trackChanges()
    }

    private func pointers(_ changes: some Sequence<ModelChange>) -> Set<String> {
        Set(changes.pointers)
    }

    @Test func editsSurviveAndStayPending() throws {
        issue["title"] = "mine"
        ada["name"] = "Ada King"
        ada.model("home")?["zip"] = "N1"
        let changes = try fixtures.load(
            "Issue",
            """
            {'id': 1, 'title': 'B', 'views': 5, 'assignee': {'id': 7, 'name': 'Countess', 'age': 36,
             'home': {'city': 'Paris'}}, 'tags': ['u'], 'watchers': [{'id': 7}, {'id': 8}]}
            """
        ).changes
        #expect(issue["title", as: String.self] == "mine")
        #expect(ada["name", as: String.self] == "Ada King")
        #expect(ada["age", as: Int.self] == 36)
        #expect(ada.model("home")?["city", as: String.self] == "Paris")
        #expect(pointers(changes.conflicts) == ["/title", "/assignee/name"])
        // What was taken is the new base, also where a policy would have put it together with what was not edited.
        #expect(Set(issue.changedKeys) == ["title", "assignee"])
        #expect(pointers(ada.pendingChanges) == ["/name", "/home/zip"])
        #expect(try issue.originalValue(forKey: "title") as? String == "B")
        #expect(try ada.originalValue(forKey: "name") as? String == "Countess")
        // The same once more says nothing new.
        let again = try fixtures.load("Issue", "{'id': 1, 'title': 'B', 'assignee': {'id': 7, 'name': 'Countess'}}")
        #expect(again.changes.isEmpty && again.changes.conflicts.isEmpty)
        issue.revert()
        #expect(issue["title", as: String.self] == "B")
        #expect(ada["name", as: String.self] == "Countess")
        #expect(ada.model("home")?["zip"] == nil)
    }

    @Test func anEditOfAnInstanceIsNoEditOfWhatLeadsToIt() throws {
        ada["name"] = "Ada King"
        let changes = try fixtures.load("Issue", "{'id': 1, 'assignee': {'id': 8, 'name': 'Bob'}}").changes
        #expect(issue.model("assignee")?["id", as: Int.self] == 8)
        #expect(changes.conflicts.isEmpty)
        #expect(ada["name", as: String.self] == "Ada King")
        // And an edit of what leads to it stays.
        issue["assignee"] = ada
        #expect(try fixtures.load("Issue", "{'id': 1, 'assignee': {'id': 9}}").changes.conflicts.count == 1)
        #expect(issue.model("assignee") === ada)
    }

    @Test func newModelsAreTrackedWhereTheModelThatHoldsThemIs() throws {
        try fixtures.load("Issue", "{'id': 1, 'assignee': {'id': 8, 'friend': {'id': 9}}}")
        let bob = try #require(issue.model("assignee"))
        #expect(bob.isTrackingChanges && bob.model("friend")?.isTrackingChanges == true)
        #expect(!issue.changedKeys.contains("assignee"))
        bob.model("friend")?["name"] = "Eve"
        #expect(pointers(issue.pendingChanges) == ["/assignee/friend/name"])
        let other = try fixtures.load("Issue", "{'id': 2, 'assignee': {'id': 10}}")[0]
        #expect(!other.isTrackingChanges && other.model("assignee")?.isTrackingChanges == false)
    }

    @Test func anInstanceThatADocumentConfirmsIsNotPending() throws {
        let bob = try fixtures.load("Person", "{'id': 8}")[0]
        issue["assignee"] = bob
        #expect(issue.changedKeys == ["assignee"])
        try fixtures.load("Issue", "{'id': 1, 'assignee': {'id': 8}}")
        #expect(issue.model("assignee") === bob && !issue.hasChanges)
    }

    /// Later occurrences give a new box the item, then take the box away.
    @Test func aParentThatDoesNotStayTakesNoChildAway() throws {
        let fixtures = try IdentityFixtures()
        try fixtures.registry.register(
            ModelSchema("Holder", ["id": .integer, "box": .model("Box").merge(.recurse)], identity: ["id"]),
            ModelSchema("Box", ["items": PropertySchema.array(of: .model("Item")).inverse("box")]),
            ModelSchema("Item", ["id": .integer, "box": .model("Box").weak], identity: ["id"]))
        let holder = try fixtures.load("Holder", "{'id': 1, 'box': {'items': [{'id': 7}]}}")[0]
        let item = try #require(holder.model("box")?.models("items").first)
        #expect(item.model("box") === holder.model("box"))
        let other = try fixtures.load(
            "Holder",
            "[{'id': 2, 'box': {'items': []}}, {'id': 2, 'box': {'items': [{'id': 7}]}}, {'id': 2, 'box': null}]")
        #expect(other[0].model("box") == nil)
        #expect(item.model("box") === holder.model("box"))
    }

    @Test func anImportThatFailsLeavesEditsPending() throws {
        issue["title"] = "mine"
        let before = snapshot(of: issue)
        #expect(try fixtures.problem("Issue", "[{'id': 1, 'title': 'B', 'views': 9}, {'title': 'no identity'}]") != nil)
        #expect(try fixtures.problem("Issue", "[{'id': 1, 'title': 'B'}, {'id': 3, 'comments': [{'id': 1}]}]") != nil)
        #expect(snapshot(of: issue) == before)
    }

    @Test func aValueThatHoldsACopyOfAnInstanceGetsTheInstance() throws {
        let document = "{'id': 1, 'address': {'city': 'London', 'host': {'id': 2, 'name': 'Grace'}}}"
        let person = try fixtures.load("Person", document)[0]
        let host = try #require(person.model("address")?.model("host"))
        try person.setValue(person.model("address")?.deepCopy(), forKey: "address")
        #expect(person.model("address")?.model("host") !== host)
        try fixtures.load("Person", document)
        #expect(person.model("address")?.model("host") === host)
    }
}
