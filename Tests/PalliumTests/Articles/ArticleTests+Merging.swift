import Foundation
import ModelTestSupport
import Pallium
import PalliumContracts
import Testing

// Identity, merging and clusters.
extension ArticleTests {
    @Test func issuesShareTheirUsers() throws {
        let registry = SchemaRegistry()
        let schemas = identitySchemaExample()
        try registry.register(schemas)
        let document = Data(
            #"[{"id": 1, "assignee": {"id": 7, "login": "ada"}}, {"id": 2, "assignee": {"id": 7}}]"#.utf8)
        let lines = try identityExample(
            issues: JSONAdapter(schema: schemas[1], registry: registry),
            users: JSONAdapter(schema: schemas[0], registry: registry), document: document)
        #expect(lines == [#"/login: "ada" → "grace" (taken)"#, "grace", "grace"])
    }

    @Test func documentsBecomeRows() throws {
        let schema = ModelSchema(
            "Issue",
            [
                "number": .integer.required, "title": .string, "author": .string.json("user.login"),
                "labels": .array(of: .string), "closedAt": .date,
            ], keys: .snakeCase)
        let lines = try tableExample(.of(schema), schema)
        #expect(
            lines[0] == """
                CREATE TABLE "Issue" (
                    "number" bigint NOT NULL,
                    "title" varchar,
                    "user" struct("login" varchar),
                    "labels" varchar[],
                    "closed_at" timestamp with time zone
                );

                """)
        #expect(lines.dropFirst().count == 1 && lines[1].hasPrefix("closedAt: "))
    }

    @Test func anIdentityStandsInPlaceOfAModel() throws {
        let registry = SchemaRegistry()
        let schemas = modelOrIdentitySchemaExample()
        try registry.register(schemas)
        let read = try modelOrIdentityExample(charges: JSONAdapter(schema: schemas[1], registry: registry))
        #expect(read.id == "cus_1" && read.name == nil)
        #expect(String(decoding: read.data, as: UTF8.self) == #"{"amount":5,"customer":"cus_1"}"#)
    }

    @Test func mergingDoesWhatTheArticleSays() throws {
        let mergers = MergerRegistry()
        try MergingExamples.registerMerger(mergers)
        let registry = SchemaRegistry(mergers: mergers)
        let schemas = try MergingExamples.schemas()
        try registry.register(schemas)
        let adapter = try JSONAdapter(schema: schemas[1], registry: registry)
        let issue = try adapter.model(
            from: #"{"id": 1, "title": "Crash", "votes": 5, "author": {"id": 7, "login": "ada"}}"#)
        var examples = MergingExamples()
        try examples.merge(adapter, issue)
        try examples.track(adapter, issue)
        try examples.rebase(adapter, issue, onto: Data(#"{"title": "Crash!", "votes": 5}"#.utf8))
        try examples.apply(adapter, issue)
        try examples.patch(["labels": ["new"], "assignee": "ada"])
        let settings = ModelSchema(
            "Settings", ["theme": .string, "zoom": .double, "recent": .array(of: .string), "font": .string])
        try registry.register(settings)
        let settingsAdapter = try JSONAdapter(schema: settings, registry: registry)
        try examples.edit(settingsAdapter)
        try examples.editComments(settingsAdapter)
        let edited = try String(contentsOf: Self.catalog.appendingPathComponent("Merging.md"), encoding: .utf8)
            .components(separatedBy: "```json\n").suffix(2).map { $0.components(separatedBy: "\n```")[0] }
        #expect(
            examples.lines == [
                #"/title: "Crash" → "Crash on launch" (taken)"#, #"/author/login: "ada" → "grace" (taken)"#,
                "/votes: 5 → 3 (kept)", #"["title"]"#, #"{"title":"Crash at start"}"#,
                #"[{"op":"replace","path":"/title","value":"Crash at start"}]"#,
                #"/title: "Crash at start" → "Crash!" (kept, conflict)"#, "1", "/votes: 5 → 4 (taken)",
                #"[{"op":"remove","path":"/labels/1"}]"#, #"{"labels":["new"],"state":"closed"}"#,
            ] + edited)
    }

    /// The table of the article: a star, a document, and the class and the object afterwards.
    @Test(arguments: [
        (#"{"kind": "dog"}"#, #"{"bark": 2}"#, "Dog", true),
        (#"{"kind": "dog"}"#, #"{"kind": "dog", "bark": 2}"#, "Dog", true),
        (#"{"kind": "dog"}"#, #"{"kind": null, "bark": 2}"#, "Dog", true),
        (#"{"kind": "dog"}"#, #"{"kind": "cat"}"#, "Animal", false),
        ("{}", #"{"kind": "dog"}"#, "Dog", false), ("null", #"{"bark": 2}"#, "Animal", false),
    ])
    func mergedObjectsHaveTheClassesThatTheArticleSays(
        _ star: String, _ document: String, _ name: String, _ isSame: Bool
    ) throws {
        let schemas = MergingExamples.animals()
        let adapter = try JSONAdapter(schema: schemas[2], registry: .of(schemas))
        let zoo = try adapter.model(from: #"{"star": \#(star)}"#)
        let before = zoo.model("star")
        try adapter.merge(#"{"star": \#(document)}"#, into: zoo)
        #expect(zoo.model("star")?.schema.name == name)
        #expect((zoo.model("star") === before) == isSame)
        if name == "Dog", isSame { #expect(zoo.model("star")?["bark", as: Int.self] == 2) }
    }

    @Test func clustersChooseAndAreWrittenAsTheArticleSays() throws {
        let (adapter, circle) = try ClusterExamples.classes(SchemaRegistry())
        let found = try #require(circle)
        #expect(found.radius == 1)
        #expect(
            try String(decoding: adapter.data(from: found), as: UTF8.self)
                == #"{"kind":"circle","radius":1}"#)
        let numbers = SchemaRegistry()
        try ClusterExamples.numbers(numbers)
        let opcodes = Entrances(
            try JSONAdapter(schema: numbers.schema(named: "Message"), registry: numbers))
        #expect(try opcodes.roundTrip(#"{"id":1,"op":10,"version":2}"#) == #"{"op":10,"id":1,"version":2}"#)
        #expect(opcodes.problem(of: #"{"op":"10"}"#)?.code == .unknownModel)
        let registry = SchemaRegistry()
        let (message, polygon) = (ClusterExamples.rules(), ClusterExamples.resolver())
        try registry.register([
            message, ModelSchema("Mail", [:], extends: "Message"), ModelSchema("Parcel", [:], extends: "Message"),
            ModelSchema("Call", ["number": .string], extends: "Message"), polygon,
            ModelSchema("Triangle", [:], extends: "Polygon"), ModelSchema("Rectangle", [:], extends: "Polygon"),
        ])
        let messages = try JSONAdapter(schema: message, registry: registry)
        let mail = try DynamicModel(schema: registry.schema(named: "Mail"), values: ["id": 1], registry: registry)
        #expect(try messages.jsonValue(from: mail) == ["id": 1, "type": "mail"])
        let call = try messages.model(from: #"{"id": 2, "number": "5"}"#)
        #expect(try messages.jsonValue(from: call) == ["id": 2, "number": "5"])
        try call.unset("number")
        #expect(throws: ModelError.self) { try messages.jsonValue(from: call) }
        let polygons = try JSONAdapter(schema: polygon, registry: registry)
        #expect(try polygons.model(from: #"{"sides": [3, 4, 5]}"#).schema.name == "Triangle")
        let page = try ClusterExamples.references(SchemaRegistry())
        #expect(page[0].models("members").first === page[1])
        #expect(page[1].schema.name == "Person")
    }

    /// The documents of the article, and others of the same form, come back as they were.
    @Test func partsOfManyClassesMayStandWhereverTheArticleSays() throws {
        let article = try String(contentsOf: Self.catalog.appendingPathComponent("Clusters.md"), encoding: .utf8)
        let documents = article.matches(of: #/```json\n([^`]*)```/#).map { String($0.1) }
        try #require(documents.count == 2)
        for (schemas, document, key, name, others, bad) in [
            (
                ClusterExamples.besideTheObject(), documents[0], "shape", "Disc",
                [
                    #"{"type":"square","shape":{"side":2}}"#, #"{"type":"square"}"#, "{}",
                    #"{"type":null,"shape":null}"#,
                ],
                #"{"type":"line","shape":{}}"#
            ),
            (
                ClusterExamples.withoutAnObject(), documents[1], "form", "Round",
                [#"{"id":2,"kind":"square","side":2}"#, #"{"id":3}"#], #"{"id":4,"kind":"line","side":2}"#
            ),
        ] {
            let adapter = try Plain.adapter(schemas)
            #expect(try adapter.model(from: document).model(key)?.schema.name == name)
            for text in [document] + others {
                let written = try adapter.roundTrip(text)
                #expect(try JSONValue(parsing: written) == JSONValue(parsing: text), "\(written)")
            }
            #expect(adapter.problem(of: bad)?.code == .unknownModel)
        }
    }

    @Test func jsonIsMergedMemberByMember() throws {
        let mergers = MergerRegistry()
        try MergingExamples.registerDeepMerger(mergers)
        let article = try String(contentsOf: Self.catalog.appendingPathComponent("Merging.md"), encoding: .utf8)
        let texts = article.matches(of: #/(?m)^\| (?:model|document|result) \| `(.*)` \|$/#).map { String($0.1) }
        try #require(texts.count == 3)
        let schema = ModelSchema("Page", ["extra": .jsonValue.merge(MergePolicy("deep"))])
        let registry = SchemaRegistry(mergers: mergers)
        try registry.register(schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        for (text, document, result) in [
            (texts[0], texts[1], texts[2]), ("{}", texts[1], texts[1]),
            (texts[0], #"{"extra":{"a":{"x":null},"b":[1]}}"#, #"{"extra":{"a":{},"b":[1]}}"#),
            (texts[0], #"{"extra":null}"#, #"{"extra":null}"#), (texts[0], "{}", texts[0]),
        ] {
            let model = try adapter.model(from: text)
            try adapter.merge(document, into: model)
            #expect(try adapter.jsonValue(from: model) == JSONValue(parsing: result))
        }
    }
}
