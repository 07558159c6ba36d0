import Foundation
import ModelTestSupport
import Pallium
import Testing

/// The bodies still to be sent of tracked models.
struct PatchBodyTests {
    let registry: SchemaRegistry
    let adapter: JSONAdapter<DynamicModel>
    let model: DynamicModel
    /// The document of the model when tracking began.
    let base: JSONValue

    init() throws {
        registry = try Posts.registry()
        adapter = try Posts.adapter(registry)
        model = try adapter.model(
            from: #"""
                {"id": 1, "title": "a", "content": {"body": "b"}, "views": null, "log": ["x", "y"],
                 "author": {"id": 7, "full": {"name": "ada"}}, "other": {"id": 9, "full": {"name": "eve"}},
                 "comments": [{"id": 8, "full": {"name": "bob"}}, {"id": 10, "full": {"name": "joe"}}], "extra": [1]}
                """#)
        base = try adapter.jsonValue(from: model)
        model.trackChanges()
    }

    private func checkBodies(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let document = try adapter.jsonValue(from: model)
        let patch = try adapter.jsonPatch(for: model)
        #expect(try patch.applied(to: base) == document, sourceLocation: sourceLocation)
        let merged = try adapter.mergePatch(for: model).applied(to: base)
        #expect(
            RandomDocuments.withoutNullMembers(merged) == RandomDocuments.withoutNullMembers(document),
            sourceLocation: sourceLocation)
    }

    @Test func withoutChangesThereIsNothingToSend() throws {
        #expect(try adapter.jsonPatch(for: model).operations.isEmpty)
        #expect(try adapter.mergePatch(for: model).jsonValue == [:])
        model["title"] = "b"
        model["title"] = "a"
        #expect(try adapter.jsonPatch(for: model).operations.isEmpty)
        model.stopTrackingChanges()
        model["title"] = "b"
        #expect(try adapter.jsonPatch(for: model).operations.isEmpty)
        #expect(try adapter.mergePatch(for: model).jsonValue == [:])
    }

    /// Hooks run once on a model that a patch adds, whatever the merge policy of its property.
    @Test(arguments: [nil, MergePolicy.recurse])
    func hooksRunOnAModelThatAPatchAdds(policy: MergePolicy?) throws {
        let decoded = Journal()
        var owner = PropertySchema.model("Owner").nullable
        if let policy { owner = owner.merge(policy) }
        let schemas = [
            ModelSchema("Thing", ["owner": owner]),
            ModelSchema("Owner", ["name": .string.required]).didDecode { _ in decoded.add("Owner") },
        ]
        let adapter = try Plain.adapter(schemas).adapter
        let thing = try adapter.model(from: "{}")
        let patch = try JSONPatch(parsing: #"[{"op": "add", "path": "/owner", "value": {"name": "a"}}]"#)
        try adapter.apply(patch, to: thing)
        #expect(thing.model("owner")?["name", as: String.self] == "a")
        #expect(decoded.all == ["Owner"])
    }

    @Test func aSetInAnotherOrderIsNothingToSend() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "Tagged",
            [
                "tags": .set(of: .string), "parts": .array(of: .set(of: .integer)),
                "inner": .set(of: .dictionary(of: .set(of: .integer))),
            ])
        try registry.register(schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let model = try adapter.model(
            from: #"{"tags": ["a", "b"], "parts": [[1, 2], [3]], "inner": [{"k": [1, 2], "l": [3, 4]}]}"#)
        let old = model.deepCopy()
        model.trackChanges()
        try adapter.merge(
            #"{"tags": ["b", "a"], "parts": [[2, 1], [3]], "inner": [{"k": [2, 1], "l": [4, 3]}]}"#, into: model)
        #expect(try adapter.jsonPatch(for: model).operations.isEmpty)
        #expect(try adapter.mergePatch(for: model).jsonValue == [:])
        let reordered = #"{"tags": ["b", "a"], "parts": [[2, 1], [3]], "inner": [{"k": [2, 1], "l": [4, 3]}]}"#
        #expect(try adapter.jsonPatch(from: old, to: adapter.model(from: reordered)).operations.isEmpty)
        try adapter.merge(#"{"tags": ["c", "b"], "parts": [[3], [2, 1]]}"#, into: model)
        let patch = try adapter.jsonPatch(from: old, to: model)
        #expect(
            patch.jsonValue == [
                ["op": "remove", "path": "/tags/0"], ["op": "add", "path": "/tags/-", "value": "c"],
                ["op": "remove", "path": "/parts/0"], ["op": "add", "path": "/parts/1", "value": [2, 1]],
            ])
        try adapter.apply(patch, to: old)
        #expect(old == model)
        #expect(try adapter.mergePatch(from: old, to: model).jsonValue == [:])
    }

    @Test func setsAreRecognisedInWhatTheLastWordChangedAndInParts() throws {
        let schemas = [
            ModelSchema(
                "Box",
                [
                    "user": .model("User"), "tags": .set(of: .string),
                    "split": .dictionary(of: .array(of: .set(of: .integer))).json(allOf: ["p", "in.q"]),
                    "users": .array(of: .model("User")),
                ]),
            ModelSchema("User", ["login": .string, "groups": .set(of: .string), "rights": .set(of: .string)]),
        ]
        let registry = try SchemaRegistry.of(schemas)
        let documents = [
            #"""
            {"user": {"login": "[[", "groups": ["x", "y"]}, "tags": ["a", "b"], "p": [[1], [2, 3]], "in": {"q": [[4, 5]]},
             "users": [{"groups": []}, {"groups": ["1", "2"], "rights": ["3", "4"]}]}
            """#,
            #"""
            {"user": {"login": "[[", "groups": ["y", "x"]}, "tags": ["b", "a"], "p": [[1], [3, 2]], "in": {"q": [[5, 4]]},
             "users": [{"groups": []}, {"groups": ["2", "1"], "rights": ["4", "3"]}]}
            """#,
        ]
        let marks: @Sendable (DynamicModel, inout JSONObject) -> Void = { model, object in
            object = JSONObject([("@type", [.string(model.schema.name)])] + object.map { ($0, $1) })
        }
        for didWrite in [nil, marks] {
            let adapter = try JSONAdapter(
                schema: schemas[0], registry: registry, options: .with { $0.didWrite = didWrite })
            let (old, new) = (try adapter.model(from: documents[0]), try adapter.model(from: documents[1]))
            #expect(try adapter.jsonPatch(from: old, to: new).operations.isEmpty)
            #expect(try adapter.mergePatch(from: old, to: new).jsonValue == [:])
            new["split"] = ["p": [[1], [3, 2]] as [Set<Int>], "in.q": [[5, 6]]]
            #expect(try adapter.jsonPatch(from: old, to: new).operations.count == 2)
        }
    }

    @Test func elementsOfASetThatAreOneInJSONAreCounted() throws {
        let adapter = try Plain.adapter(["days": .set(of: .date.transformer(DateOnlyTransformerName))]).adapter
        let day = Date(timeIntervalSince1970: 86_400)
        let (one, two) = (try adapter.model(from: "{}"), try adapter.model(from: "{}"))
        one["days"] = [day] as Set<Date>
        two["days"] = [day, day.addingTimeInterval(60)] as Set<Date>
        for (old, new) in [(one, two), (two, one), (two, two)] {
            let patch = try adapter.jsonPatch(from: old, to: new)
            #expect(patch.operations.count == (old === new ? 0 : 1))
            #expect(try patch.applied(to: adapter.jsonValue(from: old)) == adapter.jsonValue(from: new))
        }
    }

    @Test func editsAreToldAtTheirPlacesInTheDocument() throws {
        model["title"] = "c"
        model["body"] = nil as String?
        model["log"] = ["x", "z", "y"]
        model["author", as: DynamicModel.self]?["name"] = "Ada"
        model["comments", as: [DynamicModel].self]?[1]["age"] = 40
        #expect(
            try adapter.jsonPatch(for: model).jsonValue.text()
                == #"[{"op":"replace","path":"/title","value":"c"},{"op":"replace","path":"/content/body","value":null},"#
                + #"{"op":"replace","path":"/author/full/name","value":"Ada"},{"op":"add","path":"/comments/1/age","value":40},"#
                + #"{"op":"add","path":"/log/1","value":"z"}]"#)
        #expect(
            try adapter.mergePatch(for: model).jsonValue.text()
                == #"{"title":"c","content":{"body":null},"author":{"full":{"name":"Ada"}},"#
                + #""comments":[{"id":8,"full":{"name":"bob"}},{"id":10,"full":{"name":"joe"},"age":40}],"log":["x","z","y"]}"#
        )
        try checkBodies()
    }

    @Test func whatIsNotInTheDocumentIsNotInTheBody() throws {
        model["seen"] = 3
        #expect(model.hasChanges)
        #expect(try adapter.jsonPatch(for: model).operations.isEmpty)
        model["password"] = "p"
        #expect(try adapter.mergePatch(for: model).jsonValue == ["password": "p"])
    }

    @Test func modelsThatCameAreSentAsAWhole() throws {
        let author = DynamicModel(schema: try registry.schema(named: "Author"), registry: registry)
        author["id"] = 20
        author["name"] = "new"
        try model.setValue(author, forKey: "other")
        try model.unset("author")
        try checkBodies()
        #expect(
            try adapter.mergePatch(for: model).jsonValue
                == ["author": nil, "other": ["id": 20, "full": ["name": "new"], "age": 30]])
    }

    @Test func afterARebaseOnlyTheEditsThatSurvivedAreSent() throws {
        model["title"] = "mine"
        try adapter.rebase(model, onto: #"{"title": "theirs", "views": 8}"#)
        #expect(try adapter.mergePatch(for: model).jsonValue == ["title": "mine"])
        #expect(
            try adapter.jsonPatch(for: model).operations == [.replace(["title"], "mine")])
    }

    @Test func theBodyMakesOfAnotherModelWhatThisOneIs() throws {
        let twin = try adapter.model(from: base)
        model["title"] = "c"
        model["stars"] = 9
        try model.unset("body")
        model["comments", as: [DynamicModel].self]?[0]["name"] = "Bob"
        try adapter.apply(adapter.jsonPatch(for: model), to: twin)
        #expect(twin == model)
        try checkBodies()
    }

    @Test func edgesAreFollowedIntoModelsThatLeftAndCameBack() throws {
        let comments = try #require(model["comments", as: [DynamicModel].self])
        comments[0]["name"] = "Bob"
        model["comments"] = [comments[1]]
        try checkBodies()
        model["comments"] = [comments[1], comments[0]]
        try checkBodies()
    }

    @Test func transformersOfAClassSeeModelsOfTheirClass() throws {
        let (transformers, name) = (TransformerRegistry(), TransformerName("TestAccountByLogin"))
        let registry = SchemaRegistry(transformers: transformers)
        try transformers.register(
            Transformer(
                from: String.self, to: Account.self,
                forward: { login, _ in
                    let account = Account(registry: registry)
                    account.login = login
                    return account
                },
                reverse: { account, _ in
                    #expect(type(of: account as AnyObject) == Account.self)
                    return account.login ?? ""
                }), as: name)
        try registry.register(
            ModelSchema(Account.self, ["login": .string]),
            ModelSchema("Ticket", ["account": .model(Account.self).transformer(name)]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Ticket"), registry: registry)
        let ticket = try adapter.model(from: #"{"account": "ada"}"#)
        ticket.trackChanges()
        ticket["account", as: Account.self]?.login = "grace"
        #expect(try adapter.jsonPatch(for: ticket).operations == [.replace(["account"], "grace")])
        #expect(try adapter.mergePatch(for: ticket).jsonValue == ["account": "grace"])
    }
}

private final class Account: DynamicModel {
    var login: String? {
        get { value() }
        set { set(newValue) }
    }
}
