import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Patches applied to models.
struct ModelPatchTests {
    let adapter: JSONAdapter<DynamicModel>
    let model: DynamicModel

    init() throws {
        adapter = try Posts.adapter(Posts.registry())
        model = try adapter.model(
            from: #"""
                {"id": 1, "title": "a", "content": {"body": "b"}, "stars": 5, "views": 3, "note": "n", "log": ["x"],
                 "author": {"id": 7, "full": {"name": "ada"}}, "other": {"id": 9, "full": {"name": "eve"}},
                 "comments": [{"id": 8, "full": {"name": "bob"}}, {"id": 10, "full": {"name": "joe"}}], "token": "t",
                 "opened": "2026-01-31", "extra": {"x": 1}}
                """#)
    }

    private func apply(_ patch: String) throws -> ModelChanges {
        try adapter.apply(JSONPatch(parsing: patch), to: model)
    }

    @Test func theModelBecomesWhatThePatchSaysWhateverThePolicies() throws {
        let changes = try apply(
            #"""
            [{"op": "replace", "path": "/title", "value": "c"}, {"op": "replace", "path": "/content/body", "value": "d"},
             {"op": "replace", "path": "/views", "value": 2}, {"op": "replace", "path": "/note", "value": "m"},
             {"op": "add", "path": "/log/-", "value": "y"}, {"op": "remove", "path": "/extra/x"}]
            """#)
        #expect(
            Set(changes.pointers) == ["/title", "/body", "/views", "/note", "/log"])
        #expect(changes.allSatisfy { $0.decision == .taken })
        let document = try adapter.jsonValue(from: model)
        #expect(document["title"] == "c" && document["content"] == ["body": "d"] && document["views"] == 2)
        #expect(document["note"] == "m" && document["log"] == ["x", "y"] && document["extra"] == [:])
    }

    @Test func removedMembersAreUnsetOrDefaultAndNullIsNull() throws {
        _ = try apply(
            #"""
            [{"op": "remove", "path": "/content"}, {"op": "remove", "path": "/stars"},
             {"op": "replace", "path": "/views", "value": null}, {"op": "remove", "path": "/author/full/name"},
             {"op": "add", "path": "/author/full/name", "value": "Ada"}]
            """#)
        #expect(try model.state(of: "body") == .unset)
        #expect(try model.state(of: "stars") == .defaulted)
        #expect(try model.state(of: "views") == .null)
        let merge = JSONMergePatch(["views": 4, "stars": 2, "other": nil])
        try adapter.apply(merge, to: model)
        #expect(try model.state(of: "other") == .unset)
        #expect(model["views", as: Int.self] == 4)
        #expect(model["stars", as: Int.self] == 2)
    }

    @Test func aRemovedMemberIsWhatDecodingWithoutItGives() throws {
        let adapter = try Plain.adapter(["a": .integer.default(5).nullable, "b": .integer.nullable]).adapter
        let document = #"{"a": 1, "b": 1}"#
        for (value, a, state) in [("", 5, PropertyState.defaulted), (#", "value": null"#, nil, .null)] {
            let model = try adapter.model(from: document)
            let operation = value.isEmpty ? "remove" : "replace"
            let operations = ["a", "b"].map { #"{"op": "\#(operation)", "path": "/\#($0)"\#(value)}"# }
            let patch = try JSONPatch(parsing: "[\(operations.joined(separator: ","))]")
            try adapter.apply(patch, to: model)
            #expect(model["a", as: Int.self] == a)
            #expect(try model.state(of: "a") == state)
            #expect(model["b", as: Int.self] == nil)
            #expect(try model == adapter.model(from: patch.applied(to: JSONValue(parsing: document))))
        }
    }

    @Test func modelsThatPoliciesMergeInPlaceStayTheSameObjects() throws {
        let author = model["author", as: DynamicModel.self]
        let other = model["other", as: DynamicModel.self]
        let comments = try #require(model["comments", as: [DynamicModel].self])
        let changes = try apply(
            #"""
            [{"op": "replace", "path": "/author/full/name", "value": "Ada"},
             {"op": "replace", "path": "/other/full/name", "value": "Eve"},
             {"op": "replace", "path": "/comments/1/full/name", "value": "Joe"},
             {"op": "move", "from": "/comments/1", "path": "/comments/0"},
             {"op": "add", "path": "/comments/1", "value": {"id": 11, "full": {"name": "new"}}}]
            """#)
        #expect(model["author", as: DynamicModel.self] === author)
        #expect(author?["name", as: String.self] == "Ada")
        #expect(model["other", as: DynamicModel.self] !== other)
        #expect(other?["name", as: String.self] == "eve")
        let now = try #require(model["comments", as: [DynamicModel].self])
        #expect(now.map { $0["name", as: String.self] } == ["Joe", "new", "bob"])
        #expect(now.first === comments.last && now.last === comments.first)
        #expect(changes.contains { $0.pointer.description == "/author/name" })
    }

    @Test func anotherIdentityIsAnotherModel() throws {
        let author = model["author", as: DynamicModel.self]
        try adapter.apply(JSONMergePatch(["author": ["id": 70]]), to: model)
        #expect(model["author", as: DynamicModel.self] !== author)
        #expect(author?["id", as: Int.self] == 7)
        #expect(model["author", as: DynamicModel.self]?["name", as: String.self] == "ada")
    }

    @Test func whatThePatchDoesNotMentionIsNotTouched() throws {
        model["seen"] = 7
        model["password"] = "secret"
        let moment = Date(timeIntervalSince1970: 1_770_000_000.25)
        model["opened"] = moment
        let changes = try apply(#"[{"op": "replace", "path": "/title", "value": "c"}]"#)
        #expect(changes.map(\.key) == ["title"])
        #expect(model["seen", as: Int.self] == 7)
        #expect(model["password", as: String.self] == "secret")
        #expect(model["opened", as: Date.self] == moment)
    }

    /// Patches that the model cannot become: patch, code, pointer.
    static let refused = [
        (#"[{"op": "remove", "path": "/title"}]"#, ModelError.Code.missingProperty, "/title"),
        (#"[{"op": "replace", "path": "/title", "value": null}]"#, .nullNotAllowed, "/title"),
        (#"[{"op": "replace", "path": "/title", "value": "refused"}]"#, .validationFailed, "/title"),
        (#"[{"op": "add", "path": "/views", "value": "x"}]"#, .typeMismatch, "/views"),
        (#"[{"op": "replace", "path": "", "value": []}]"#, .typeMismatch, ""),
        (#"[{"op": "remove", "path": "/author/full"}]"#, .missingProperty, "/author/full/name"),
        (#"[{"op": "remove", "path": "/other/full"}]"#, .missingProperty, "/other"),
        (#"[{"op": "add", "path": "/comments/-", "value": {"id": 12}}]"#, .missingProperty, "/comments/2"),
        (#"[{"op": "test", "path": "/token", "value": "u"}]"#, .testFailed, "/token"),
        (#"[{"op": "remove", "path": "/nothing"}]"#, .missingTarget, "/nothing"),
    ]

    @Test(arguments: refused)
    func aPatchThatIsRefusedLeavesTheModelAsItWas(patch: String, code: ModelError.Code, pointer: String) throws {
        let before = try adapter.data(from: model)
        let objects = model["comments", as: [DynamicModel].self]?.map { ObjectIdentifier($0) }
        let error = try #require(throws: ModelError.self) {
            try apply(#"[{"op": "replace", "path": "/views", "value": 9}, "# + patch.dropFirst())
        }
        #expect(error.code == code)
        #expect(error.pointer?.description == pointer)
        #expect(!"\(error)".contains("\"t\""))
        #expect(try adapter.data(from: model) == before)
        #expect(model["comments", as: [DynamicModel].self]?.map { ObjectIdentifier($0) } == objects)
    }

    @Test func whatWasPatchedIsPending() throws {
        model.trackChanges()
        _ = try apply(#"[{"op": "replace", "path": "/title", "value": "c"}]"#)
        #expect(model.changedKeys == ["title"])
        model.revert()
        #expect(model["title", as: String.self] == "a")
    }
}

/// Patches of lists whose policy names the key that identifies their models.
struct KeyedPatchTests {
    @Test(arguments: [true, false])
    func elementsAreMatchedByTheKeyOfThePolicy(isSet: Bool) throws {
        let labels: PropertySchema = isSet ? .set(of: .model("Label")) : .array(of: .model("Label"))
        let adapter = try Plain.adapter([
            ModelSchema("Board", ["labels": labels.merge(.byIdentifier("name"))]),
            ModelSchema("Label", ["name": .string, "color": .string]),
        ]).adapter
        let board = try adapter.model(
            from: #"{"labels": [{"name": "bug", "color": "red"}, {"name": "doc"}, {"color": "blue"}]}"#)
        let before = board.models("labels")
        try adapter.apply(
            JSONPatch(
                parsing: #"""
                    [{"op": "remove", "path": "/labels/1"}, {"op": "replace", "path": "/labels/0/color", "value": "pink"},
                     {"op": "add", "path": "/labels/0", "value": {"name": "new"}}]
                    """#), to: board)
        #expect(board.models("labels").map { $0["name", as: String.self] } == ["new", "bug", nil])
        #expect(board.models("labels")[1] === before[0])
        #expect(before[0]["color", as: String.self] == "pink")
        #expect(board.models("labels")[2]["color", as: String.self] == "blue")
    }
}
