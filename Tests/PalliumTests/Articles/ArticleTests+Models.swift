import Foundation
import ModelTestSupport
import Observation
import Pallium
import PalliumContracts
import PalliumRecords
import PalliumTrials
import Testing

// Models, schemas and rules.
extension ArticleTests {
    @Test func samplesAreDecodedAndKeepTheLaws() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(SampleExamples.Badge.self, ["on": .bool.required])
        try registry.register(schema)
        #expect(try SampleExamples.decodedSamples(schema, registry))
        try SampleExamples.keptLaws(registry)
    }

    @Test func schemasMayComeAndGo() throws {
        let tenant = try Tenant(ModelSchema("Note", ["text": .string, "stars": .integer]))
        let old = try tenant.adapter.model(from: #"{"text": "a", "stars": 3}"#)
        try tenant.reload(ModelSchema("Note", ["text": .string, "stars": .string, "author": .string]))
        #expect(old["stars", as: Int.self] == 3)
        let new = try tenant.adapter.model(from: #"{"author": "ada"}"#)
        try new.merge("text", from: old)
        #expect(new.description == #"Note(text: "a", author: "ada")"#)
    }

    @Test func schemasDoWhatTheArticleSays() throws {
        let registry = SchemaRegistry()
        try registry.register(schemaExample(), checkedSchemaExample(), ModelSchema("User", ["login": .string]))
        let range = try JSONAdapter(schema: try registry.schema(named: "Range"), registry: registry)
        let model = try range.model(from: #"{"name": " a ", "from": 1, "to": 4}"#)
        #expect(model["name", as: String.self] == "a")
        #expect(model["length", as: Int.self] == 3)
        let error = #expect(throws: ModelError.self) { try range.model(from: #"{"from": 4, "to": 1}"#) }
        #expect(error?.underlying is RangeIsReversed)
        let shapes = try JSONAdapter(schema: clusterExample(registry), registry: registry)
        #expect(try shapes.model(from: #"{"kind": "circle", "radius": 1}"#).schema.name == "Circle")
    }

    @Test func theDocumentOfTheArticleIsLoadedAndWritten() throws {
        let article = try String(
            contentsOf: Self.catalog.appendingPathComponent("SchemaDocuments.md"), encoding: .utf8)
        let documents = article.components(separatedBy: "```json\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        try #require(documents.count == 3)
        // The second one has comments, and commas behind last members.
        let size = try SchemaRegistry().load(Array(documents[1].utf8)).first
        #expect(size?.properties.map(\.key) == ["width", "height"])
        let document = documents[0]
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("article-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(document.utf8).write(to: folder.appendingPathComponent("User.json"))
        let written = try schemaDocumentExample(SchemaRegistry(), folder: folder)
        #expect(try JSONValue(parsing: written).text() == JSONValue(parsing: "[\(document)]").text())
        // The one with an enumeration of several spellings, and the empty name.
        let registry = SchemaRegistry()
        let schema = try #require(try registry.load(Array(documents[2].utf8), name: "Ticket.json").first)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let ticket = try adapter.model(from: #"{"state":"OPEN","":"x"}"#)
        #expect(try adapter.jsonValue(from: ticket) == ["state": "open", "": "x"])
    }

    @Test func modelsSplitJoinAndMove() throws {
        let (person, old) = (ModelSchema("Person", ["name": .string]), SchemaRegistry())
        let schemas = [
            ModelSchema("Customer", ["street": .string, "city": .string]),
            ModelSchema("Invoice", ["payer": .model("Person")]), ModelSchema("Vehicle", ["kind": .string]),
        ]
        try old.register(schemas + [person])
        let payer = try DynamicModel(schema: person, values: ["name": "Ada"], registry: old)
        let models = [
            try DynamicModel(schema: schemas[0], values: ["street": "a", "city": "b"], registry: old),
            try DynamicModel(schema: schemas[1], values: ["payer": payer], registry: old),
            try DynamicModel(schema: schemas[2], values: ["kind": "truck"], registry: old),
            try DynamicModel(schema: schemas[2], values: ["kind": "car"], registry: old),
        ]
        let now = SchemaRegistry()
        try now.register(movedSchemaExample())
        let unarchiver = ModelUnarchiver(registry: now, allowing: now.schemas.map { .named($0.name) })
        let back = try unarchiver.unarchive(arrayOf: DynamicModel.self, from: ModelArchiver().archive(models))
        #expect(back.map(\.schema.name) == ["Customer", "Invoice", "Truck", "Car"])
        #expect(try back[0].value(forKeyPath: "address.city") as? String == "b")
        #expect(back[1]["payerName", as: String.self] == "Ada")
    }

    @Test func modelsMeetSwift() async throws {
        try SwiftModels.register(in: .shared)
        let folder = Folder()
        let file = File()
        (folder.name, file.name) = ("a", "f")
        folder.files = [file]
        #expect(file.folder === folder)
        #expect(try SwiftModels.passThroughCodable(folder)["folder"] == folder)
        #expect(await SwiftModels.freeze(folder) == "f b")
        #expect(folder.name == "a")
    }

    @Test func customKindsDoWhatTheArticleSays() throws {
        #expect(try KindExamples.customKinds(SchemaRegistry()) == "7 2")
    }

    @Test(.row("C042")) func whatIsMadeInCodeWasNotDecoded() throws {
        #expect(try KindExamples.makingModels() == "5 1 true Later")
        #expect(KindExamples.printed.isEmpty)
        _ = try JSONAdapter(KindExamples.Draft.self).model(from: #"{"title": "a"}"#)
        #expect(KindExamples.printed == ["decoded a"])
    }

    @Test func modelsTravelBetweenTasks() async throws {
        #expect(
            try await ConcurrencyExamples.run() == [
                "Crash on launch", "2", "Crash", "3", #"Job(number: 8, title: "Slow")"#, "Crash at start",
                "[1, 2]", "[3, 4]", "typeMismatch at /number", "true", "Job 2 true [27, 12]",
            ])
    }

    @MainActor
    @Test(.timeLimit(.patient)) func observersHearWhatTheArticleSays() async throws {
        typealias Examples = ObservationExamples
        let (adapter, page) = try Examples.observedPage()
        var names = try Examples.authorNames(of: page).makeAsyncIterator()
        #expect(await names.next() == "Ada")
        Examples.track(page)
        #expect(Examples.printedLines() == ["Tea Ada", "something changed"])
        #expect(await names.next() == "Grace")
        try await Examples.printChanges(page)
        #expect(Examples.printedLines() == [#"/title: "Tea" → "Green tea""#])
        try Examples.logWords(of: page)
        #expect(Examples.printedLines() == [#"["/words: nothing → 120"]"#, "1"])
        try Examples.insertedTags(adapter, page)
        #expect(Examples.printedLines() == [#"["hot"]"#])
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            var titles = Examples.titles(of: page).makeAsyncIterator()
            #expect(await titles.next() == "Green tea")
        }
        let server = Examples.Server()
        let sending = Task { try await server.listen(to: page) }
        while !server.isListening, !Task.isCancelled { await Task.yield() }
        let history = try Examples.History(of: page)
        try Examples.setSeveral(of: page)
        #expect(page.title == "Black tea" && page.words == 300)
        while server.sent.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(server.sent == ["data: {\"title\":\"Black tea\",\"words\":300}\n\n"])
        try history.undo(page)
        #expect(page.title == "Green tea" && page.words == nil)
        try history.undo(page)
        #expect(page.title == "Green tea")
        sending.cancel()
        try await sending.value
    }

    @Test func schemaDocumentsSayThatModelsAreObserved() throws {
        let article = try String(contentsOf: Self.catalog.appendingPathComponent("Observation.md"), encoding: .utf8)
        let blocks = article.components(separatedBy: "```json\n").dropFirst()
        let document = try #require(blocks.first?.components(separatedBy: "```").first)
        let schemas = try SchemaRegistry().load(Data(document.utf8))
        #expect(schemas == [ObservationExamples.observedNote()])
    }

    @Test func propertiesHaveTheStatesOfThePicture() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "Note", ["title": .string, "stars": .integer.default(1), "note": .string.default("a").nullable])
        try registry.register(schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        func states(_ model: DynamicModel) throws -> [PropertyState] {
            try ["title", "stars", "note"].map { try model.state(of: $0) }
        }
        #expect(try states(adapter.model(from: "{}")) == [.unset, .defaulted, .defaulted])
        let nulls = try adapter.model(from: #"{"title": null, "stars": null, "note": null}"#)
        #expect(try states(nulls) == [.null, .defaulted, .null])
        let model = DynamicModel(schema: schema, registry: registry)
        #expect(try states(model) == [.unset, .value, .value])
        try model.setValue(5, forKey: "stars")
        try model.setValue(nil, forKey: "note")
        #expect(try states(model) == [.unset, .value, .null])
        try model.unset("stars")
        #expect(try states(model) == [.unset, .unset, .null])
        #expect(throws: ModelError.self) { try model.setValue(nil, forKey: "stars") }
    }

    @Test func generatedClassesNeedNoFiles() throws {
        let registry = SchemaRegistry()
        #expect(try generatedClassExample(registry) == "Crash")
    }

    @Test func rulesLimitValues() throws {
        let registry = SchemaRegistry()
        try registry.register(RuleExamples.ticket())
        try RuleExamples.formats(registry)
        let tickets = Entrances(try JSONAdapter(schema: registry.schema(named: "Ticket"), registry: registry))
        let good = """
            {"number": 1, "title": "Crash", "state": "closed", "price": 0.15, "tags": ["a", "b"], "mail": "a@b.c",
             "openedAt": "2026-01-01T00:00:00Z", "closedAt": "2026-01-01T00:00:00Z"}
            """
        #expect(throws: Never.self) { try tickets.model(from: good) }
        for (old, new) in [
            ("1,", "0,"), ("Crash", ""), ("0.15", "0.16"), (#""b""#, #""a""#), (#""b""#, #""B""#), ("@", "at"),
            (#""closedAt": "2026"#, #""closedAt": "2025"#), ("closedAt", "shutAt"),
        ] {
            let broken = good.replacingOccurrences(of: old, with: new)
            #expect(tickets.problem(of: broken)?.code == .ruleBroken, "\(new)")
        }
        let labels = try JSONAdapter(schema: registry.schema(named: "Label"), registry: registry)
        #expect(throws: Never.self) { try labels.model(from: ##"{"color": "#ff0000"}"##) }
        #expect(throws: ModelError.self) { try labels.model(from: #"{"color": "red"}"#) }
    }

    @Test func theDocumentOfRulesIsItsSchema() throws {
        let file = SharedData.repository.appendingPathComponent("Sources/Pallium/Pallium.docc/Rules.md")
        let article = try String(contentsOf: file, encoding: .utf8)
        let document = try #require(
            article.components(separatedBy: "```json\n").dropFirst().first?.components(separatedBy: "```").first)
        let registry = SchemaRegistry()
        let loaded = try registry.load(Array(document.utf8))
        #expect(loaded == [RuleExamples.ticket()])
        #expect(try registry.document(of: loaded[0]).text() == JSONValue(parsing: document).text())
    }
}
