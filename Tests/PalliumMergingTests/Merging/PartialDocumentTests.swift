import Foundation
import ModelTestSupport
import Pallium
import Testing

@Suite("Merging partial documents")
struct PartialDocumentTests {
    let registry: SchemaRegistry
    let adapter: JSONAdapter<DynamicModel>
    let model: DynamicModel

    init() throws {
        registry = SchemaRegistry()
        try registry.register(
            ModelSchema(
                "Author",
                ["id": .integer.required, "name": .string.required.json("full.name"), "age": .integer.default(30)],
                identity: ["id"]
            ).didDecode { author in
                if author["name", as: String.self] == "refused" { throw FixtureError.refused }
            },
            ModelSchema(
                "Post",
                [
                    "id": .integer.required, "title": .string.required, "body": .string.json("content.body"),
                    "stars": .integer.default(1), "author": .model("Author").merge(.recurse),
                    "comments": .array(of: .model("Author")).merge(.byIdentifier()), "other": .model("Author"),
                    "views": .integer.required.merge(.max),
                ]))
        adapter = try JSONAdapter(schema: registry.schema(named: "Post"), registry: registry)
        model = try adapter.model(
            from: #"""
                {"id": 1, "title": "a", "content": {"body": "b"}, "stars": 5, "views": 3,
                 "author": {"id": 7, "full": {"name": "ada"}}, "comments": [{"id": 8, "full": {"name": "bob"}}]}
                """#)
    }

    @Test func onlyWhatTheDocumentContainsChanges() throws {
        let author = model.model("author")
        let changes = try adapter.merge(#"{"title": "c", "author": {"full": {"name": "Ada"}}}"#, into: model)
        #expect(model["title", as: String.self] == "c")
        #expect(model["body", as: String.self] == "b")
        #expect(model["stars", as: Int.self] == 5)
        #expect(model.model("author") === author)
        #expect(author?["name", as: String.self] == "Ada")
        #expect(Set(changes.pointers) == ["/title", "/author/name"])
    }

    @Test func nullClearsAndOnThePathOfAValueToo() throws {
        try adapter.merge(#"{"content": null, "stars": null, "author": null, "views": null}"#, into: model)
        #expect(try model.state(of: "body") == .null)
        #expect(try model.state(of: "stars") == .defaulted)
        #expect(model.model("author") == nil)
        #expect(model["views", as: Int.self] == 3)
        let error = #expect(throws: ModelError.self) {
            try adapter.merge(#"{"stars": 2, "title": null}"#, into: model)
        }
        #expect(error?.code == .nullNotAllowed)
        #expect(error?.pointer?.description == "/title")
        #expect(error?.location?.column == 23)
        #expect(try model.state(of: "stars") == .defaulted)
    }

    @Test func whatBecomesANewModelMustBeComplete() throws {
        try adapter.merge(#"{"comments": [{"id": 8, "age": 4}, {"id": 9, "full": {"name": "eve"}}]}"#, into: model)
        let comments = model.models("comments")
        #expect(comments.map { $0["age", as: Int.self] } == [4, 30])
        let error = #expect(throws: ModelError.self) {
            try adapter.merge(#"{"title": "x", "comments": [{"id": 10}]}"#, into: model)
        }
        #expect(error?.code == .missingProperty)
        #expect(error?.pointer?.description == "/comments/0")
        #expect(model["title", as: String.self] == "a")
        let other = #expect(throws: ModelError.self) { try adapter.merge(#"{"other": {"id": 1}}"#, into: model) }
        #expect(other?.pointer?.description == "/other/full/name" || other?.pointer?.description == "/other")
    }

    @Test func everyEntranceDoesTheSame() throws {
        let document = #"{"title": "z", "content": {"body": null}, "views": 9}"#
        let merges: [(DynamicModel) throws -> ModelChanges] = [
            { try adapter.merge(Data(document.utf8), into: $0) }, { try adapter.merge(document, into: $0) },
            { try adapter.merge(JSONValue(parsing: document), into: $0) },
            {
                try adapter.merge(["title": "z", "content": ["body": NSNull()], "views": 9] as [String: Any], into: $0)
            },
        ]
        for merge in merges {
            let copy = model.deepCopy()
            #expect(try merge(copy).count == 3)
            #expect(copy["title", as: String.self] == "z")
            #expect(try copy.state(of: "body") == .null)
        }
    }

    @Test func whatIsNoPartOfAModelIsRefused() throws {
        for document in ["[]", "null", "7", #"{"title": 1}"#, #"{"title": "#] {
            let before = model.deepCopy()
            #expect(throws: ModelError.self) { try adapter.merge(document, into: model) }
            #expect(model == before)
        }
    }

    @Test func whatMergingFindsWrongHasLineAndColumn() throws {
        let document = """
            {
              "comments": [{"id": 9}, {"id": 8}],
              "comments": [{"id": 8}, {"id": 9, "full": {"name": "a"}},
                {"id": 8}]
            }
            """
        let error = #expect(throws: ModelError.self) { try adapter.merge(document, into: model) }
        #expect(error?.pointer?.description == "/comments/2")
        #expect(error?.location?.description == "4:5")
    }

    /// What is wrong, its code and its place.
    private static let mistakes: [(document: String, code: ModelError.Code, pointer: String?)] = [
        (#"{"stars": 2, "title": 1}"#, .typeMismatch, "/title"),
        (#"{"stars": 2, "title": null}"#, .nullNotAllowed, "/title"),
        (#"{"stars": 2, "content": 5}"#, .typeMismatch, "/content"),
        (#"{"stars": 2, "author": {"id": 7, "full": {"name": "refused"}}}"#, .hookFailed, "/author"),
        (#"{"stars": 2, "comments": {}}"#, .typeMismatch, "/comments"),
        (#"{"stars": 2, "comments": [null]}"#, .nullNotAllowed, "/comments/0"),
        (#"{"stars": 2, "comments": [{"id": 8}, {"id": 8}]}"#, .invalidValue, "/comments/1"),
        (#"{"stars": 2, "comments": [{"id": 9, "full": {"name": "a"}}, {"id": 9}]}"#, .invalidValue, "/comments/1"),
        (#"{"stars": 2, "comments": [{"age": 1}]}"#, .missingProperty, "/comments/0"),
        (#"{"stars": 2, "comments": [{"id": 9}]}"#, .missingProperty, "/comments/0"),
        (
            #"{"stars": 2, "comments": [{"id": 8, "full": {"name": "x"}}, {"id": 9, "full": {"name": "refused"}}]}"#,
            .hookFailed, "/comments/1"
        ),
        (#"{"stars": 2, "other": {"id": 1}}"#, .missingProperty, "/other"),
        (#"{"stars": 2, "title": "b""#, .malformedJSON, nil),
    ]

    @Test(arguments: mistakes.indices)
    func whatIsWrongIsToldWithItsPlaceAndChangesNothing(_ number: Int) throws {
        let (document, code, pointer) = Self.mistakes[number]
        model.trackChanges()
        model["body"] = "edited"
        let before = snapshot(of: model)
        for isRebase in [false, true] {
            do {
                if isRebase {
                    try adapter.rebase(model, onto: document)
                } else {
                    try adapter.merge(document, into: model)
                }
                Issue.record("merged \(document)")
            } catch {
                #expect(error.code == code)
                if let pointer { #expect(error.pointer?.description.hasPrefix(pointer) == true, "\(error)") }
                #expect(error.location?.line == 1 && error.location?.column ?? 0 > 10, "\(error)")
            }
            #expect(snapshot(of: model) == before)
        }
    }

    @Test func aDictionaryIsRebasedOntoLikeAText() throws {
        model.trackChanges()
        model["title"] = "mine"
        let changes = try adapter.rebase(model, onto: ["title": "theirs", "stars": 2] as [String: Any])
        #expect(model["title", as: String.self] == "mine" && model["stars", as: Int.self] == 2)
        #expect(!changes.isEmpty)
        #expect(throws: ModelError.self) { try adapter.rebase(model, onto: ["title": Date()] as [String: Any]) }
    }

    /// Where a property reads one of several paths, its value is decoded after the others.
    @Test(arguments: ["a", "b.c"])
    func aPartOfAModelSufficesOnEachOfSeveralPaths(path: String) throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Leaf", ["id": .integer.required, "own": .string]),
            ModelSchema(
                "Root",
                [
                    "leaf": .model("Leaf").merge(.recurse).json(firstOf: ["a", "b.c"]),
                    "other": .model("Leaf").json(firstOf: ["x", "y"]),
                ]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Root"), registry: registry)
        let root = try adapter.model(from: #"{"a": {"id": 1, "own": "x"}, "x": {"id": 2}}"#)
        let leaf = try #require(root.model("leaf"))
        func document(_ text: String) -> String {
            path.split(separator: ".").reversed().reduce(text) { inner, name in "{\"\(name)\": \(inner)}" }
        }
        try adapter.merge(document(#"{"own": "y"}"#), into: root)
        #expect(root.model("leaf") === leaf && leaf["own", as: String.self] == "y" && leaf["id", as: Int.self] == 1)
        let error = #expect(throws: ModelError.self) { try adapter.merge(#"{"x": {"own": "y"}}"#, into: root) }
        #expect(error?.code == .missingProperty && error?.pointer?.description == "/x")
    }

    @Test func aModelIsMergedByItsOwnSchema() throws {
        let (registry, other) = (SchemaRegistry(), SchemaRegistry())
        for registry in [registry, other] {
            try registry.register(
                ModelSchema("Base", ["id": .integer.required], cluster: .discriminator("kind", ["leaf": "Leaf"])),
                ModelSchema(
                    "Leaf", ["own": .string, "child": .model("Base").merge(.recurse).json(firstOf: ["a", "b"])],
                    extends: "Base"))
        }
        let adapter = try JSONAdapter(schema: registry.schema(named: "Base"), registry: registry)
        let leaf = try adapter.model(
            from: #"{"kind": "leaf", "id": 1, "own": "x", "b": {"kind": "leaf", "id": 2, "own": "y"}}"#)
        let child = try #require(leaf["child", as: DynamicModel.self])
        // Neither the discriminator nor what is required must be there; a part in one of several members is a part too.
        try adapter.merge(#"{"own": "z", "a": {"kind": "leaf", "own": "w"}}"#, into: leaf)
        #expect(leaf["own", as: String.self] == "z" && leaf["id", as: Int.self] == 1)
        #expect(leaf["child", as: DynamicModel.self] === child && child["own", as: String.self] == "w")
        // A model of the cluster's own schema chooses nothing either.
        let base = try DynamicModel(schema: registry.schema(named: "Base"), values: ["id": 1], registry: registry)
        try adapter.merge(#"{"id": 5}"#, into: base)
        #expect(base["id", as: Int.self] == 5)
        // A model of another registry is none of the adapter's.
        let stranger = try DynamicModel(schema: other.schema(named: "Base"), values: ["id": 1], registry: other)
        let error = #expect(throws: ModelError.self) { try adapter.merge(#"{"id": 5}"#, into: stranger) }
        #expect(error?.code == .unknownSchema && error?.found == "a model of Base")
        #expect(stranger["id", as: Int.self] == 1)
    }

    @Test func whatValidatorsRefuseIsLocatedAsFarAsTheDocumentGoes() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "Node",
            [
                "n": .integer.json("deep.n").validate { (n: inout Int?, _) in if n == 13 { throw FixtureError.refused }
                },
                "nodes": .array(of: .model("Node")), "all": .array(of: .model("Node")).json("list[0]").readOnly,
            ])
        try registry.register(schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let model = DynamicModel(schema: schema, registry: registry)
        for (document, pointer, place) in [
            ("{\n\"deep\": {\"x\": [1, {}], \"n\": 13}}", "/deep/n", "2:29"),
            ("{\"nodes\": [{}, {\"deep\": null},\n {\"deep\": {\"n\": 13}}]}", "/nodes/2", "2:17"),
        ] {
            let error = #expect(throws: ModelError.self) { try adapter.merge(document, into: model) }
            #expect(error?.code == .validationFailed && error?.pointer?.description.hasPrefix(pointer) == true)
            #expect(error?.location?.description == place, "\(error as Any)")
        }
    }
}
