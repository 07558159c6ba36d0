import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What the article says about projected adapters.
struct ProjectionTests {
    private static let schemas = [
        ModelSchema(
            "Issue",
            [
                "number": .integer.required, "title": .string.required, "count": .integer.default(3),
                "login": .string.json("user.login"), "email": .string.json("user.email"),
                "first": .string.json("tags[0]").readOnly, "whole": .jsonValue.json("raw").readOnly,
                "inner": .string.json("raw.inner").readOnly,
                "author": .model("User"), "labels": .array(of: .model("Label")),
                "named": .dictionary(of: .set(of: .model("User"))), "parent": .model("Issue"),
                "children": .array(of: .model("Issue")).inverse("owner"), "owner": .model("Issue").weak,
                "local": .string.local.default("here"),
            ], ignored: ["known"]),
        ModelSchema("User", ["login": .string.required, "email": .string.required, "boss": .model("User")]),
        ModelSchema("Label", ["name": .string], extends: "Base"), ModelSchema("Base", ["color": .string]),
    ]

    private func adapter(
        _ keys: PropertySelection, _ change: (inout JSONAdapterOptions) -> Void = { _ in }
    ) throws -> Entrances<DynamicModel> {
        let whole = try Plain.adapter(Self.schemas, options: .with(change)).adapter
        return Entrances(try whole.projected(to: keys))
    }

    // MARK: What is read

    @Test(
        arguments: [
            (["number"], #"{"number":1,"title":2,"user":3,"author":[],"labels":{},"raw":null}"#, #"{"number":1}"#),
            (["title"], #"{"title":"t","number":1.5}"#, #"{"title":"t"}"#),
            (["login"], #"{"user":{"login":"l","email":4}}"#, #"{"user":{"login":"l"}}"#),
            (
                ["login"], #"{"user":null}"#,
                #"{"user":null}"#.replacingOccurrences(of: "null", with: #"{"login":null}"#)
            ),
            (["author.login"], #"{"author":{"login":"l"},"number":"x"}"#, #"{"author":{"login":"l"}}"#),
            (
                ["author.boss.email"], #"{"author":{"boss":{"login":1,"email":"e","boss":2}}}"#,
                #"{"author":{"boss":{"email":"e"}}}"#
            ),
            (["labels.name"], #"{"labels":[{"name":"a","color":1},{}]}"#, #"{"labels":[{"name":"a"},{}]}"#),
            (["labels.color"], #"{"labels":[{"name":1,"color":"c"}]}"#, #"{"labels":[{"color":"c"}]}"#),
            (["named.login"], #"{"named":{"k":[{"login":"l"}]}}"#, #"{"named":{"k":[{"login":"l"}]}}"#),
            (["parent.number"], #"{"parent":{"number":2,"parent":3}}"#, #"{"parent":{"number":2}}"#),
            (["author"], #"{"author":{"login":"l","email":"e"}}"#, #"{"author":{"login":"l","email":"e"}}"#),
            (["local", "owner", "count"], #"{"number":"x"}"#, "{}"), ([], #"{"number":"x"}"#, "{}"),
        ] as [([String], String, String)]) func onlyWhatIsSelectedIsReadAndWritten(
            keys: [String], text: String, expected: String
        ) throws
    {
        #expect(try adapter(PropertySelection(keys)).roundTrip(text) == expected)
    }

    @Test func propertiesThatAreNotSelectedAreUnset() throws {
        let model = try adapter(["count"]).model(from: #"{"number":1,"title":"t","user":{"login":"l"}}"#)
        for key in ["number", "title", "login", "first", "local", "author"] {
            #expect(try model.state(of: key) == .unset, "\(key)")
        }
        #expect(try model.state(of: "count") == .defaulted)
        #expect(model["title", as: String.self] == nil)
        #expect(try adapter(["number"]).model(from: #"{"number":1}"#)["count", as: Int.self] == nil)
    }

    @Test(arguments: [
        ("first", #"{"tags":["a",{}],"raw":{"inner":5}}"#), ("inner", #"{"tags":5,"raw":{"inner":"a"}}"#),
    ]) func pathsThroughArraysAndSharedMembersAreRead(key: String, text: String) throws {
        let model = try adapter([key]).model(from: text)
        #expect(model[key, as: String.self] == "a")
        #expect(model.values.filter { $0.value != nil }.keys.sorted() == [key])
    }

    @Test func whatIsSelectedIsCheckedAsEver() throws {
        let rows = try adapter(["number", "author.login", "login"])
        for (text, place) in [
            (#"{"title":1}"#, "missingProperty at /number"), (#"{"number":"x"}"#, "typeMismatch at /number"),
            (#"{"number":1,"author":{"email":"e"}}"#, "missingProperty at /author/login"),
            (#"{"number":1,"user":5}"#, "typeMismatch at /user"),
        ] {
            let problem = rows.problem(of: text)
            let pointer = problem?.pointer?.description ?? ""
            let property = problem?.code == .missingProperty ? "/\(problem?.property ?? "")" : ""
            #expect("\(problem?.code.rawValue ?? "") at \(pointer + property)" == place)
        }
    }

    @Test(.threat(.invalidUTF8, .trailingText, .deepNesting)) func skippedMembersAreCheckedLikeUnknownOnes() throws {
        let rows = try adapter(["number"])
        for member in ["title", "count", "user", "tags", "raw", "author", "labels", "named", "parent"] {
            for value in ["01", "[1,]", #""\ud800""#, "\"\u{1}\"", "nul", #"{"a":}"#, "1e", "[", "\"\\x\""] {
                let problem = rows.problem(of: #"{"\#(member)":\#(value),"number":1}"#)
                #expect(problem?.code == .malformedJSON, "\(member): \(value)")
            }
            let bytes = Array(#"{"number":1,""#.utf8) + Array(member.utf8) + Array(#"":""#.utf8) + [0xFF, 0x22, 0x7D]
            #expect(throws: ModelError.self) { try rows.adapter.model(from: bytes) }
            let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
            #expect(rows.problem(of: #"{"\#(member)":\#(deep),"number":1}"#)?.code == .limitExceeded, "\(member)")
        }
    }

    @Test func membersOfPropertiesThatAreNotSelectedAreKnown() throws {
        let rows = try adapter(["number", "author.login", "login"]) { $0.unknownMembers = .refuse }
        let text = #"{"number":1,"title":2,"tags":3,"raw":{"x":1},"known":4,"labels":[{"x":5}],"#
        _ = try rows.model(from: text + #""user":{"email":6},"author":{"login":"l","boss":{"x":7}}}"#)
        for (rest, pointer) in [
            (#""x":1"#, "/x"), (#""user":{"x":1}"#, "/user/x"), (#""author":{"login":"l","x":1}"#, "/author/x"),
        ] {
            #expect(rows.problem(of: text + rest + "}")?.pointer?.description == pointer)
        }
        // Nothing is selected in it.
        let numbers = try adapter(["number"]) { $0.unknownMembers = .refuse }
        _ = try numbers.model(from: #"{"number":1,"user":{"x":1},"raw":5}"#)
    }

    @Test func onlyWholeModelsKeepUnknownMembers() throws {
        let rows = try adapter(["number", "author", "parent.author", "login"]) { $0.unknownMembers = .keep }
        let user = #"{"login":"l","email":"e","u":1}"#
        let text = #"{"number":1,"x":2,"known":3,"user":{"login":"l","y":4},"author":\#(user),"#
        let written = try rows.roundTrip(text + #""parent":{"author":\#(user),"z":5}}"#)
        #expect(
            written == #"{"number":1,"user":{"login":"l"},"author":\#(user),"parent":{"author":\#(user)}}"#)
    }

    @Test func repeatedMembersAreTreatedAsTheOptionsSay() throws {
        let text = #"{"title":1,"number":1,"title":2,"number":2}"#
        let rows = { (policy: JSONReadingOptions.DuplicateMembers) in
            try adapter(["number"]) { $0.reading.duplicateMembers = policy }.bytesOnly
        }
        #expect(try rows(.lastWins).roundTrip(text) == #"{"number":2}"#)
        #expect(try rows(.firstWins).roundTrip(text) == #"{"number":1}"#)
        let problem = try rows(.error).problem(of: text)
        #expect(problem?.code == .duplicateMember && problem?.pointer?.description == "/title")
        // The model has everything that is selected.
        #expect(try rows(.error).report(from: #"{"title":1,"number":1,"title":2}"#).models.count == 1)
    }

    // MARK: Rules and hooks

    @Test func rulesHoldIfAllTheirPropertiesAreSelected() throws {
        let schema = ModelSchema(
            "Plan",
            [
                "name": .string.rules(.minLength(2)), "from": .integer, "to": .integer, "kind": .string,
                "checked": .integer.validate { (number: inout Int?, _) in
                    if number == nil { throw FixtureError.refused }
                },
            ]
        ).rules(.before("from", "to"), .required(["name"], when: ["kind": "named"]))
        let adapter = try Plain.adapter([schema]).adapter
        let text = #"{"name":"x","from":2,"to":1,"kind":"other"}"#
        for (keys, count) in [
            (["name"], 1), (["from"], 0), (["from", "to"], 1), (["to", "kind"], 0), (["name", "from", "to"], 2),
            (["checked"], 1), (["checked", "from"], 1),
        ] {
            #expect(try adapter.projected(to: PropertySelection(keys)).report(from: text).problems.count == count)
        }
        let named = #"{"kind":"named","from":1,"to":2}"#
        for (keys, count) in [(["kind"], 0), (["name"], 0), (["name", "kind"], 1)] {
            #expect(try adapter.projected(to: PropertySelection(keys)).report(from: named).problems.count == count)
        }
    }

    @Test func codeForWholeModelsRunsForWholeModelsOnly() throws {
        let journal = Journal()
        let schemas = [
            ModelSchema("Outer", ["a": .integer, "b": .integer, "inner": .model("Inner")])
                .validate { _ in journal.add("outer validated") }.didDecode { _ in journal.add("outer decoded") },
            ModelSchema("Inner", ["c": .integer])
                .validate { _ in journal.add("inner validated") }.didDecode { _ in journal.add("inner decoded") },
        ]
        let adapter = try Plain.adapter(schemas).adapter
        let text = #"{"a":1,"b":2,"inner":{"c":3}}"#
        _ = try adapter.projected(to: ["a", "inner.c"]).model(from: text)
        #expect(journal.all.isEmpty)
        _ = try adapter.projected(to: ["a", "inner"]).model(from: text)
        #expect(journal.all == ["inner validated", "inner decoded"])
    }

    @Test func theMethodsOfClassesRunForWholeModelsOnly() throws {
        let registry = SchemaRegistry()
        try registry.register(ModelSchema(Guarded.self, ["a": .integer.required, "b": .integer.rules(.minimum(2))]))
        let adapter = JSONAdapter(Guarded.self, registry: registry)
        #expect(throws: ModelError.self) { try adapter.model(from: #"{"a":1}"#) }
        #expect(throws: Never.self) { try adapter.projected(to: ["a"]).model(from: #"{"a":1,"b":1}"#) }
        #expect(throws: ModelError.self) { try adapter.projected(to: ["b"]).model(from: #"{"a":1,"b":1}"#) }
    }

    private final class Guarded: DynamicModel {
        override func validateModel() throws { throw FixtureError.refused }
        override func didDecode() throws { throw FixtureError.refused }
    }

    // MARK: Clusters

    private static let clusters = [
        ModelSchema("Scene", ["shapes": .array(of: .model("Shape")), "best": .model("Shape")]),
        ModelSchema(
            "Shape", ["kind": .string.required, "id": .integer.required],
            cluster: .discriminator("kind", ["circle": "Circle", "square": "Square"])),
        ModelSchema("Circle", ["radius": .double.required], extends: "Shape"),
        ModelSchema("Square", ["side": .double.required], extends: "Shape"),
    ]

    @Test func discriminatorsAreReadThoughTheyAreNotSelected() throws {
        let whole = try Plain.adapter(Self.clusters)
        let text = """
            {"shapes":[{"id":1,"kind":"circle","radius":2},{"side":3,"kind":"square"},{"kind":"circle","radius":4}],\
            "best":{"kind":"square","side":5}}
            """
        let rows = Entrances(try whole.adapter.projected(to: ["shapes.radius", "best.side"]))
        let scene = try rows.model(from: text)
        #expect(scene["shapes", as: [DynamicModel].self]?.map(\.schema.name) == ["Circle", "Square", "Circle"])
        #expect(
            try rows.text(of: scene) == #"{"shapes":[{"radius":2},{},{"radius":4}],"best":{"side":5}}"#)
        #expect(rows.problem(of: #"{"shapes":[{"kind":"cube"}]}"#)?.code == .unknownModel)
        #expect(rows.problem(of: #"{"best":{"side":1}}"#)?.code == .unknownModel)
        // A leaf of the cluster is checked, too.
        let circles = try JSONAdapter(schema: Self.clusters[2], registry: .of(Self.clusters)).projected(to: ["radius"])
        #expect(throws: ModelError.self) { try circles.model(from: #"{"radius":1,"kind":"square"}"#) }
        #expect(throws: Never.self) { try circles.model(from: #"{"radius":1,"kind":"circle"}"#) }
    }

    /// The object on the path is entered, or read as a whole, only because of the discriminator.
    @Test(arguments: [
        ["color": PropertySchema.string.json("meta.color")],
        ["color": .string.json("meta.color"), "meta": .jsonValue.json("meta").readOnly],
    ]) func discriminatorsInObjectsAreCheckedThoughNothingThereIsSelected(
        properties: [String: PropertySchema]
    ) throws {
        let base = ModelSchema("Shape", ["id": .integer], cluster: .discriminator("meta.kind", ["c": "Circle"]))
        let circle =
            properties.count == 1
            ? ModelSchema("Circle", ["radius": .double, "color": properties["color"] ?? .string], extends: "Shape")
            : ModelSchema(
                "Circle",
                ["radius": .double, "color": properties["color"] ?? .string, "meta": properties["meta"] ?? .jsonValue],
                extends: "Shape")
        let registry = try SchemaRegistry.of([base, circle])
        let rows = Entrances(try JSONAdapter(schema: circle, registry: registry).projected(to: ["radius"]))
        #expect(rows.problem(of: #"{"radius":1,"meta":{"color":"red","kind":"d"}}"#)?.code == .unknownModel)
        let model = try rows.model(from: #"{"meta":{"kind":"c","color":5},"radius":1}"#)
        #expect(model["radius", as: Double.self] == 1)
    }

    @Test func constantsOfClustersAreWritten() throws {
        let schemas = [
            ModelSchema("Shape", ["id": .integer], cluster: .discriminator("kind", ["c": "Circle"])),
            ModelSchema("Circle", ["radius": .double], extends: "Shape"),
        ]
        let rows = Entrances(try Plain.adapter(schemas).adapter.projected(to: ["radius"]))
        #expect(try rows.roundTrip(#"{"kind":"c","radius":1,"id":2}"#) == #"{"kind":"c","radius":1}"#)
    }

    // MARK: Making adapters

    @Test(arguments: ["titel", "author.nme", "number.x", #"title\"#, "labels.x", ""]) func aKeyThatNoModelHasIsAnError(
        key: String
    ) throws {
        let adapter = try Plain.adapter(Self.schemas).adapter
        let problem = #expect(throws: ModelError.self) { try adapter.projected(to: [key]) }
        #expect(problem?.code == .unknownKey)
        let written = #expect(throws: ModelError.self) { try adapter.data(from: [], only: [key]) }
        #expect(problem?.description == written?.description)
    }

    @Test func aClosureMakesNoAdapter() throws {
        let adapter = try Plain.adapter(Self.schemas).adapter
        for adapter in [adapter, try adapter.projected(to: ["title"])] {
            let problem = #expect(throws: ModelError.self) { try adapter.projected(to: .where { _, _ in true }) }
            #expect(problem?.code == .unknownKey && problem?.found == "one by a closure")
        }
    }

    @Test func aProjectedAdapterKeepsItsSelectionWithOtherOptions() throws {
        let rows = try adapter(["number", "title"]).adapter.with { $0.nilPolicy = .write }
        #expect(
            try rows.jsonValue(from: rows.model(from: #"{"number":1,"title":"t","count":"x"}"#)) == [
                "number": 1, "title": "t",
            ])
        let numbers = try rows.projected(to: ["number", "count"])
        #expect(try numbers.jsonValue(from: numbers.model(from: #"{"number":1,"count":"x"}"#)) == ["number": 1])
    }

    @Test func manySelectionsAreCompiledAgain() throws {
        let properties = (0..<7).map { "p\($0)" }
        let schema = ModelSchema(
            "Wide",
            [
                "p0": .integer, "p1": .integer, "p2": .integer, "p3": .integer, "p4": .integer, "p5": .integer,
                "p6": .integer,
            ])
        let adapter = try Plain.adapter([schema]).adapter
        let whole = try adapter.model(from: #"{"p0":0,"p1":1,"p2":2,"p3":3,"p4":4,"p5":5,"p6":6}"#)
        for pass in 0..<2 {
            for set in 0..<128 {
                let keys = properties.indices.filter { set >> $0 & 1 == 1 }
                let expected = "{\(keys.map { #""p\#($0)":\#($0)"# }.joined(separator: ","))}"
                let written = try adapter.data(from: whole, only: PropertySelection(keys.map { properties[$0] }))
                #expect(String(decoding: written, as: UTF8.self) == expected, "\(pass)")
            }
        }
    }

    @Test func schemasThatAreRegisteredLaterStayUnknown() throws {
        let base = ModelSchema("Base", ["a": .integer], cluster: .discriminator("kind", ["base": "Base"]), isOpen: true)
        let registry = try SchemaRegistry.of([base])
        let adapter = try JSONAdapter(schema: base, registry: registry)
        try registry.register(ModelSchema("Leaf", ["b": .integer], extends: "Base"))
        #expect(throws: ModelError.self) { try adapter.projected(to: ["b"]) }
    }

    @Test func onlyModelsOfTheRootAreWritten() throws {
        let registry = try SchemaRegistry.of(Self.schemas)
        let user = DynamicModel(schema: Self.schemas[1], registry: registry)
        let adapter = try JSONAdapter(schema: Self.schemas[0], registry: registry)
        let problem = #expect(throws: ModelError.self) { try adapter.data(from: user, only: ["author.login"]) }
        #expect(problem?.description == "expected a model of Issue but found a model of User at the root")
    }

    // MARK: Other entrances

    @Test func streamsThreadsAndMergesSeeWhatIsSelected() throws {
        let rows = try adapter(["number", "author.login"]).adapter
        let line = #"{"number":1,"title":2,"author":{"login":"l","email":3}}"#
        let expected = #"{"number":1,"author":{"login":"l"}}"#
        let text = (0..<50).map { _ in line }
        let lines = try rows.models(fromLines: Data(text.joined(separator: "\n").utf8))
        let parts = try rows.models(
            fromLines: Data(text.joined(separator: "\n").utf8), concurrently: 3, blockBytes: 256)
        for models in [lines, parts] {
            #expect(models.count == 50)
            for model in models { #expect(try String(decoding: rows.data(from: model), as: UTF8.self) == expected) }
        }
        let whole = try Plain.adapter(Self.schemas).adapter
        let live = try whole.model(from: #"{"number":1,"title":"t","author":{"login":"a","email":"e"}}"#)
        try whole.projected(to: ["number", "author.login"]).merge(
            #"{"number":2,"title":5,"author":{"login":"b","email":6}}"#, into: live)
        #expect(
            try whole.with { $0.writesIncompleteModels = true }.jsonValue(from: live)
                == ["number": 2, "title": "t", "author": ["login": "b"]])
    }

    @Test func documentsAreUpgradedAsAWhole() throws {
        var schema = ModelSchema("Person", ["email": .string, "name": .string.required], version: 2)
        schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["mail": "email"])]
        let adapter = try Plain.adapter([schema]).adapter.projected(to: ["email"])
        let model = try adapter.model(
            from: #"{"v":1,"mail":"m","name":5}"#, versionMember: "v")
        #expect(model["email", as: String.self] == "m")
    }

    @Test func parentsOfSelectedChildrenAreSet() throws {
        let model = try adapter(["children.number"]).adapter.model(from: #"{"children":[{"number":1,"title":2}]}"#)
        let child = try #require(model["children", as: [DynamicModel].self]?.first)
        #expect(child["owner", as: DynamicModel.self] === model)
    }
}
