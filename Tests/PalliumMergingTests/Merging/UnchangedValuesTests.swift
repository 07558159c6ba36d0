import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What a document says that the model holds already: it stays as it is, down to the objects, and the rest is decoded.
@Suite("Unchanged values of documents")
struct UnchangedValuesTests {
    /// The schemas of the models that were decoded.
    let decoded = Journal()
    let adapter: JSONAdapter<DynamicModel>
    static let document = #"""
        {"id": 1, "title": "a title that is stored outside the slot", "link": "https://example.org/a/long/path",
         "kinds": ["first of several kinds", "second of several kinds"],
         "owner": {"id": 7, "name": "a name that is stored outside", "score": 1.5, "active": true, "none": null,
                   "since": "2026-01-31T12:00:00Z", "state": "open", "home": {"id": 9}},
         "labels": [{"id": 1, "name": "one"}, {"id": 2, "name": "two"}],
         "lines": [{"id": 1, "name": "one"}, {"id": 2, "name": "two"}],
         "holder": {"id": 3, "owner": {"id": 8, "name": "inner"}}, "log": ["x"], "nested": {"note": "in a path"}}
        """#
    let schemas: [ModelSchema]
    let model: DynamicModel

    init() throws {
        let decoded = decoded
        schemas = [
            ModelSchema(
                "Root",
                [
                    "id": .integer, "title": .string, "link": .url, "kinds": .array(of: .string),
                    "owner": .model("Person"), "labels": .array(of: .model("Label")),
                    "lines": .array(of: .model("Label")).merge(.byIdentifier()),
                    "holder": .model("Holder").merge(.recurse), "log": .array(of: .string).merge(.append),
                    "note": .string.json("nested.note"),
                ]),
            ModelSchema("Home", ["id": .integer]),
            ModelSchema(
                "Person",
                [
                    "id": .integer.required, "name": .string, "score": .double, "active": .bool,
                    "none": .string.nullable, "since": .date.transformer(ISO8601DateTransformerName),
                    "state": .enumeration("open", "closed"), "home": .model("Home"), "rank": .integer.default(5),
                    "seen": .integer.storage(.transitory),
                ]
            ).didDecode { _ in decoded.add("Person") },
            ModelSchema("Label", ["id": .integer.required, "name": .string], identity: ["id"]),
            ModelSchema(
                "Holder", ["id": .integer, "owner": .model("Person"), "labels": .array(of: .model("Label"))]),
        ]
        adapter = try Plain.adapter(schemas).adapter
        model = try adapter.model(from: Self.document)
        decoded.clear()
    }

    @Test func anUnchangedDocumentChangesNothingAndDecodesNoModelInside() throws {
        let (owner, labels, lines) = (model.model("owner"), model.models("labels"), model.models("lines"))
        let changes = try adapter.merge(Self.document, into: model)
        // What is appended is appended once more.
        #expect(changes.pointers == ["/log"])
        #expect(model["log", as: [String].self] == ["x", "x"])
        #expect(model.model("owner") === owner)
        #expect(zip(model.models("labels"), labels).allSatisfy { $0 === $1 })
        #expect(zip(model.models("lines"), lines).allSatisfy { $0 === $1 })
        #expect(decoded.all == [])
    }

    /// Values that are the same in the present model, where the document names another one in its place.
    @Test func anotherModelWithTheSameValuesHasAllOfThem() throws {
        let schemas = [
            ModelSchema(
                "Team",
                [
                    "lead": .model("Member").merge(.recurse),
                    "members": .array(of: .model("Member")).merge(.byIdentifier()),
                    "name": .string.required, "site": .url,
                ]),
            ModelSchema(
                "Member",
                [
                    "login": .string.required, "page": .url.required, "text": .string.required,
                    "boss": .model("Member"),
                ], identity: ["login"]),
        ]
        let adapter = try Plain.adapter(schemas).adapter
        func member(_ login: String, boss: String) -> String {
            """
            {"login":"\(login)","page":"https://example.org/the/same","text":"a text that is stored outside",
             "boss":{"login":"\(boss)","page":"https://example.org/the/same","text":"a text that is stored outside"}}
            """
        }
        func team(_ members: [(String, String)]) -> String {
            let all = members.map { member($0.0, boss: $0.1) }
            return
                #"{"name":"t","site":"https://example.org/team","lead":\#(all[0]),"members":[\#(all.joined(separator: ","))]}"#
        }
        for later in [
            [("a", "x"), ("b", "y")], [("b", "y")], [("c", "x"), ("a", "z")], [("c", "c"), ("d", "d"), ("a", "a")],
        ] {
            let model = try adapter.model(from: team([("a", "x"), ("b", "y")]))
            try adapter.merge(team(later), into: model)
            let expected = try adapter.model(from: team(later))
            #expect(model.model("lead") == expected.model("lead"))
            for member in expected.models("members") {
                let merged = model.models("members").first {
                    $0["login", as: String.self] == member["login", as: String.self]
                }
                #expect(merged == member)
            }
        }
    }

    @Test func aSecretNumberThatIdentifiesIsInNoMessage() throws {
        let schemas = [
            ModelSchema("Office", ["people": .array(of: .model("Person")).merge(.byIdentifier())]),
            ModelSchema("Person", ["number": .integer.secret], identity: ["number"]),
        ]
        let adapter = try Plain.adapter(schemas).adapter
        let office = try adapter.model(from: #"{"people":[{"number":123456789},{"number":123456789}]}"#)
        let error = #expect(throws: ModelError.self) {
            try adapter.merge(#"{"people":[{"number":1},{"number":123456789}]}"#, into: office)
        }
        #expect(error?.description.contains("123456789") == false)
    }

    @Test func whatIsSharedDoesNotDependOnTheOrderOfMembers() throws {
        let members = try #require(JSONValue(parsing: Self.document).objectValue)
        let reversed = JSONObject(members.reversed().map { (key: $0.key, value: $0.value) })
        try adapter.merge(JSONValue.object(reversed).bytes(), into: model)
        #expect(decoded.all == [])
    }

    /// What the base holds is no object of the model, whose changes would not be seen.
    @Test func aRebaseSharesNothing() throws {
        model.trackChanges()
        let owner = try #require(model.model("owner")?.copy())
        owner["id"] = 8
        model["owner"] = owner
        let replaced = Self.document.replacing(#""id": 7"#, with: #""id": 8"#)
        let said = try #require(JSONValue(parsing: replaced)["owner"])
        try adapter.rebase(model, onto: (["owner": said] as JSONValue).bytes())
        #expect(!model.hasChanges)
        #expect(model.model("owner") === owner)
        owner["name"] = "edited"
        #expect(model.pendingChanges.pointers == ["/owner/name"])
    }

    /// A change at one place, and how many persons are made for it.
    static let edits: [(old: String, new: String, pointer: String, decoded: Int)] = [
        ("a title that is stored outside the slot", "a title that is stored outside the sloT", "/title", 0),
        ("https://example.org/a/long/path", "https://example.org/a/long/pat", "/link", 0),
        ("second of several kinds", "second of many kinds", "/kinds", 0),
        ("1.5", "-1.5", "/owner/score", 1), ("true", "false", "/owner/active", 1),
        (#""none": null"#, #""none": "some""#, "/owner/none", 1),
        ("12:00:00Z", "12:00:01Z", "/owner/since", 1), ("open", "closed", "/owner/state", 1),
        (#""id": 9"#, #""id": 10"#, "/owner/home/id", 1), (#""home": {"id": 9}"#, #""home": null"#, "/owner/home", 1),
        (#", "home": {"id": 9}"#, "", "/owner/home", 1), (#""score": 1.5, "#, "", "/owner/score", 1),
        (#""score": 1.5"#, #""score": 1.5, "rank": 6"#, "/owner/rank", 1),
        (#""name": "inner""#, #""name": "another""#, "/holder/owner/name", 1),
        ("in a path", "on the path", "/note", 0),
    ]

    @Test(arguments: edits)
    func aChangeIsFoundAnywhere(_ edit: (old: String, new: String, pointer: String, decoded: Int)) throws {
        let document = Self.document.replacing(edit.old, with: edit.new, maxReplacements: 1)
            .replacing(#", "log": ["x"]"#, with: "")
        let changes = try adapter.merge(document, into: model)
        #expect(changes.pointers == [edit.pointer])
        #expect(decoded.all.count == edit.decoded)
        // A tree is decoded without looking at the model: the result is the same.
        let other = try adapter.model(from: Self.document)
        try adapter.merge(JSONValue(parsing: document), into: other)
        #expect(model == other)
    }

    @Test(arguments: [
        // Another order, an unknown member, white space, an escape and another spelling of a number say the same.
        #"{"owner": {"home": {"id": 9}, "id": 7, "unknown": [1], "name": "a name that is stored outside", "score": 1.50, "active": true, "since": "2026-01-31T13:00:00+01:00", "state": "open"}}"#,
        #"{"owner": {"id": 7, "name": "\u0061 name that is stored outside", "score": 15e-1, "active": true, "none": null, "since": "2026-01-31T12:00:00.000Z", "state" : "open", "home": {"id" : 9 }}}"#,
    ])
    func anotherSpellingIsNoChange(_ document: String) throws {
        let owner = model.model("owner")
        #expect(try adapter.merge(document, into: model).isEmpty)
        #expect(model.model("owner") === owner)
        #expect(decoded.all == [])
    }

    @Test func theLastOfRepeatedMembersCounts() throws {
        try adapter.merge(#"{"holder": {"owner": {"id": 8, "name": "x", "name": "inner"}}}"#, into: model)
        #expect(model.model("holder")?.model("owner")?["name", as: String.self] == "inner")
        let changes = try adapter.merge(#"{"holder": {"owner": {"id": 8, "name": "inner", "name": "x"}}}"#, into: model)
        #expect(changes.pointers == ["/holder/owner/name"])
    }

    @Test func whatIsMissingInAnUnchangedModelIsStillAskedFor() throws {
        try model.model("owner")?.unset("id")
        let error = #expect(throws: ModelError.self) {
            try adapter.merge(
                Self.document.replacing(#""owner": {"id": 7, "#, with: #""owner": {"#), into: model)
        }
        #expect(error?.code == .missingProperty)
        #expect(error?.pointer?.description == "/owner")
    }

    @Test func whatTheProgramAloneKnowsStaysWithUnchangedModels() throws {
        let owner = try #require(model.model("owner"))
        try owner.setValue(3, forKey: "seen")
        try adapter.merge(Self.document, into: model)
        #expect(model.model("owner") === owner)
        #expect(owner["seen", as: Int.self] == 3)
    }

    @Test func elementsMatchedByIdentifierStayWhereverTheyAre() throws {
        let lines = model.models("lines")
        let changes = try adapter.merge(
            #"{"lines": [{"id": 1, "name": "one"}, {"id": 2, "name": "TWO"}, {"id": 3, "name": "three"}]}"#,
            into: model)
        #expect(Set(changes.pointers) == ["/lines/1/name", "/lines/2"])
        #expect(zip(model.models("lines"), lines).allSatisfy { $0 === $1 })
    }

    @Test func aDocumentThatDiffersAtTheEndOfEachOfManyLevelsIsMergedAtEachOfThem() throws {
        let level = ModelSchema("Level", ["text": .string, "next": .model("Level").merge(.recurse), "end": .integer])
        let adapter = try Plain.adapter([level]).adapter
        func document(_ end: Int) -> String {
            String(repeating: #"{"text": "a text that is stored outside the slot", "next": "#, count: 400) + "{}"
                + String(repeating: #", "end": \#(end)}"#, count: 400)
        }
        let model = try adapter.model(from: document(1))
        #expect(try adapter.merge(document(2), into: model).count == 400)
        #expect(try model == adapter.model(from: document(2)))
    }

    @Test(arguments: [
        (#""score": 1.5"#, #""score": "x""#, "/owner/score"), (#""active": true"#, #""active": 1"#, "/owner/active"),
        (#""since": "2026-01-31T12:00:00Z""#, #""since": true"#, "/owner/since"),
        (#""state": "open""#, #""state": 1.5"#, "/owner/state"), (#"{"id": 9}"#, "[]", "/owner/home"),
        (#"[{"id": 1, "name": "one"}, {"id": 2, "name": "two"}]"#, "{}", "/labels"),
    ])
    func aValueOfAnotherKindIsRefusedAsEver(_ known: String, _ other: String, _ pointer: String) throws {
        let before = model.deepCopy()
        let error = try #require(throws: ModelError.self) {
            try adapter.merge(Self.document.replacing(known, with: other, maxReplacements: 1), into: model)
        }
        #expect(error.code == .typeMismatch)
        #expect(error.pointer?.description == pointer)
        #expect(model == before)
    }

    @Test func aListThatGrewIsDecoded() throws {
        try adapter.merge(
            #"{"labels": [{"id": 1, "name": "one"}, {"id": 2, "name": "two"}, {"id": 3, "name": "three"}]}"#,
            into: model)
        #expect(model.models("labels").map { $0["id", as: Int.self] } == [1, 2, 3])
        try adapter.merge(#"{"labels": [{"id": 1, "name": "one"}]}"#, into: model)
        #expect(model.models("labels").map { $0["id", as: Int.self] } == [1])
    }

    /// How many properties a model inside has: up to 128 are compared with the document.
    @Test(arguments: [64, 65, 128, 129])
    func modelsOfManyPropertiesStayTheSame(_ count: Int) throws {
        let calls = decoded
        let properties = (0..<count).map { ModelSchema.Property("p\($0)", .integer.required) }
        let adapter = try Plain.adapter([
            ModelSchema("Root", ["wide": .model("Wide")]),
            ModelSchema.named("Wide", properties: properties).didDecode { _ in calls.add("Wide") },
        ]).adapter
        let members = (0..<count).map { #""p\#($0)": \#($0)"# }.joined(separator: ", ")
        let model = try adapter.model(from: #"{"wide": {\#(members)}}"#)
        decoded.clear()
        #expect(try adapter.merge(#"{"wide": {\#(members)}}"#, into: model).isEmpty)
        #expect(decoded.all == [])
        // The last of all members is looked at.
        let others = members.replacing(#""p\#(count - 1)": "#, with: #""p\#(count - 1)": -"#)
        let changes = try adapter.merge(#"{"wide": {\#(others)}}"#, into: model)
        #expect(changes.pointers == ["/wide/p\(count - 1)"])
    }

    @Test func kindsThatAreNotComparedAreDecoded() throws {
        let calls = decoded
        let adapter = try Plain.adapter([
            ModelSchema("Root", ["price": .model("Price")]),
            ModelSchema("Price", ["amount": .decimal, "table": .dictionary(of: .integer)])
                .didDecode { _ in calls.add("Price") },
        ]).adapter
        let document = #"{"price": {"amount": 1.5, "table": {"a": 1}}}"#
        let model = try adapter.model(from: document)
        let price = model.model("price")
        #expect(try adapter.merge(document, into: model).isEmpty)
        #expect(model.model("price") === price)
        #expect(decoded.all == ["Price"])
    }

    // MARK: What a merge does with equal values

    /// A registry of models inside whose properties put the values of both sides together.
    private func accumulating() throws -> JSONAdapter<DynamicModel> {
        let registry = SchemaRegistry()
        try registry.mergers.register(Merger(Int.self) { ($0.target ?? 0) + ($0.source ?? 0) }, as: "sum")
        try registry.register(
            ModelSchema(
                "Part",
                [
                    "id": .integer, "tags": .array(of: .string).merge(.append),
                    "sum": .integer.merge(MergePolicy("sum")),
                    "inner": .model("Part").merge(.recurse),
                ]),
            ModelSchema(
                "Whole",
                [
                    "part": .model("Part").merge(.recurse),
                    "parts": .array(of: .model("Part")).merge(.byIdentifier("id")),
                ]
            ))
        return try JSONAdapter(schema: registry.schema(named: "Whole"), registry: registry)
    }

    @Test func policiesInsideSeeEqualValues() throws {
        let adapter = try accumulating()
        let document = #"""
            {"part": {"tags": ["a"], "sum": 2, "inner": {"tags": ["b"]}}, "parts": [{"id": 1, "tags": ["c"], "sum": 3}]}
            """#
        let (model, other) = (try adapter.model(from: document), try adapter.model(from: document))
        try adapter.merge(document, into: model)
        try adapter.merge(JSONValue(parsing: document), into: other)
        #expect(model == other)
        #expect(
            try adapter.jsonValue(from: model)
                == JSONValue(
                    parsing: #"""
                        {"part": {"tags": ["a", "a"], "sum": 4, "inner": {"tags": ["b", "b"]}},
                         "parts": [{"id": 1, "tags": ["c", "c"], "sum": 6}]}
                        """#))
    }

    @Test func aNullAndADefaultThatTheDocumentSaysAreGiven() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Part", ["id": .integer, "none": .string.nullable, "rank": .integer.default(5)]),
            ModelSchema("Whole", ["part": .model("Part").merge(.recurse)]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Whole"), registry: registry)
        for document in [#"{"part": {"id": 1, "none": null}}"#, #"{"part": {"id": 1, "rank": 5}}"#] {
            let model = try adapter.model(from: #"{"part": {"id": 1}}"#)
            let other = try adapter.model(from: #"{"part": {"id": 1}}"#)
            try adapter.merge(document, into: model)
            try adapter.merge(JSONValue(parsing: document), into: other)
            for key in ["none", "rank"] {
                #expect(
                    try model["part", as: DynamicModel.self]?.state(of: key)
                        == other["part", as: DynamicModel.self]?.state(of: key), "\(key) of \(document)")
            }
        }
    }

    // MARK: What equality leaves out

    @Test func unknownMembersOfModelsInsideAreTakenOver() throws {
        let adapter = try Plain.adapter(schemas, options: .with { $0.unknownMembers = .keep }).adapter
        let model = try adapter.model(from: #"{"owner": {"id": 7, "extra": 1}}"#)
        try adapter.merge(#"{"owner": {"id": 7, "extra": 2}}"#, into: model)
        #expect(try adapter.jsonValue(from: model)[["owner", "extra"]] == 2)
        try adapter.apply(JSONPatch(parsing: #"[{"op": "remove", "path": "/owner/extra"}]"#), to: model)
        #expect(try adapter.jsonValue(from: model)[["owner", "extra"]] == nil)
        #expect(model.model("owner")?["id", as: Int.self] == 7)
    }

    @Test func transitoryPropertiesOfModelsInsideAreTakenOver() throws {
        try adapter.merge(#"{"owner": {"id": 7, "seen": 1}}"#, into: model)
        try adapter.merge(#"{"owner": {"id": 7, "seen": 2}}"#, into: model)
        #expect(model.model("owner")?["seen", as: Int.self] == 2)
        try adapter.merge(#"{"owner": {"id": 7}}"#, into: model)
        #expect(model.model("owner")?["seen", as: Int.self] == 2)
        try adapter.merge(#"{"owner": {"id": 7, "seen": null}}"#, into: model)
        #expect(try model.model("owner")?.state(of: "seen") == .null)
    }
}
