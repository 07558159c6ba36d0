import Foundation
import ModelTestSupport
import Observation
import Pallium
import PalliumContracts
import PalliumRecords
import PalliumStore
import PalliumTrials
import Testing

/// The examples of the articles are compiled, do what the articles say, and are the same text.
struct ArticleTests {
    typealias Folder = SwiftModels.Folder
    typealias File = SwiftModels.File
    private static let catalog = SharedData.repository.appendingPathComponent("Sources/Pallium/Pallium.docc")

    /// The files of a folder whose names have an ending, one text each.
    private func texts(in folder: URL, endingIn ending: String) throws -> [(name: String, text: String)] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == ending }
            .map { ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    }

    /// The Swift examples of an article, without indentation and empty lines.
    private func examples(of article: String) -> [String] {
        article.components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("swift\n") }
            .map { lines(of: String($0.element.dropFirst("swift\n".count))) }
    }

    private func lines(of text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    /// The title and text of a section, up to the next one of its level.
    private func section(_ title: String, of article: String) throws -> String {
        let text = try String(contentsOf: Self.catalog.appendingPathComponent("\(article).md"), encoding: .utf8)
        return try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("\(title)\n") })
    }

    @Test func examplesAreCompiled() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let compiled = try texts(in: folder, endingIn: "swift").map { lines(of: $0.text) }
        var withExamples: Set<String> = []
        for article in try texts(in: Self.catalog, endingIn: "md") {
            for example in examples(of: article.text) {
                withExamples.insert(article.name)
                #expect(compiled.contains { $0.contains(example) }, "\(article.name): \(example)")
            }
        }
        #expect(
            withExamples.isSuperset(of: [
                "GettingStarted", "Schemas", "SchemaDocuments", "ComingFromCodable", "ComingFromMantle",
                "Transformers", "Errors", "Streams", "Formats", "Archiving", "ModelsAndSwift", "Identity",
                "Merging", "Clusters", "Concurrency", "GeneratedClasses", "Rules",
                "Contracts", "Stores", "Observation", "Projections", "Drift",
                "Sensitivity", "ComingFromMTLManagedObjectAdapter", "OfflineFirst",
            ]))
    }

    /// On a page of 1,000 pixels the documentation shows 70 columns of code.
    @Test func examplesNeedNoScrolling() throws {
        for article in try texts(in: Self.catalog, endingIn: "md") {
            let blocks = article.text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }
            for line in blocks.flatMap({ $0.element.split(separator: "\n") }) {
                #expect(line.count <= 70, "\(article.name): \(line)")
            }
        }
    }

    /// Statements of examples stand in functions of their own; this file calls each of them.
    @Test func examplesAreRun() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let tests = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        for file in try texts(in: folder, endingIn: "swift") where file.name.hasSuffix("Examples") {
            // What is deeper is part of an example.
            for match in file.text.matches(of: #/(?m)^(?: {4}(?:static |mutating ))?func ([A-Za-z]+)/#)
            where match.1 != "print" {
                #expect(tests.contains("\(match.1)("), "\(file.name): \(match.1)")
            }
        }
    }

    @Test func samplesAreDecodedAndKeepTheLaws() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(SampleExamples.Badge.self, ["on": .bool.required])
        try registry.register(schema)
        #expect(try SampleExamples.decodedSamples(schema, registry))
        try SampleExamples.keptLaws(registry)
    }

    @Test func theComparisonIsTheOneOfTheArticle() throws {
        let article = try String(
            contentsOf: Self.catalog.appendingPathComponent("ComparingSchemas.md"), encoding: .utf8)
        let registries = try article.matches(of: #/```json\n([^`]*)```/#).map { match in
            let registry = SchemaRegistry()
            try registry.load(Data(match.1.utf8))
            return registry
        }
        try #require(registries.count == 2)
        var log: [String] = []
        try ComparisonExamples.compare(registries[0], registries[1]) { log.append($0) }
        #expect(log.count == 2)
        // The article has the same text in shorter lines.
        let words = article.split(whereSeparator: \.isWhitespace).joined()
        let all = try SchemaComparison(of: registries[0], with: registries[1]).changes
        #expect(all.count == 4)
        for change in log + all.map(\.description) {
            #expect(words.contains(change.split(whereSeparator: \.isWhitespace).joined()), "\(change)")
        }
    }

    @Test func storesDoWhatTheArticleShows() throws {
        let registry = SchemaRegistry()
        let schemas = storeSchemaExample()
        try registry.register(schemas)
        let page = #"""
            [{"number": 1, "title": "Crash", "state": "open", "updated_at": "2026-01-31T12:00:00Z"},
             {"number": 2, "title": "WIP: a", "state": "open", "assignee": {"id": 1, "login": "ada"}},
             {"number": 3, "title": "b", "state": "open", "assignee": {"id": 1}}]
            """#
        let result = try storeExample(file: nil, registry: registry, issue: schemas[1], page: Data(page.utf8))
        #expect(result == ("0 inserted, 1 updated, 0 deleted", 1, 0))
        #expect(try storeStartExample(file: nil, registry: registry, issue: schemas[1]) == result.text)
    }

    @Test func conditionsOnCollectionsAreAsTheArticleShows() throws {
        let registry = SchemaRegistry()
        let schemas = storeSchemaExample()
        try registry.register(schemas)
        let store = try ModelStore(at: nil, registry: registry)
        try store.import(
            #"""
            [{"number": 1, "labels": [{"name": "bug", "color": "red"}]}, {"number": 2, "labels": []},
             {"number": 3, "labels": [{"name": "bug"}, {"name": "old", "color": "gray"}]}]
            """#, using: JSONAdapter(schema: schemas[1], registry: registry))
        let found = try store.fetch(ModelQuery(schema: schemas[1], where: collectionConditionExample()))
        #expect(found.map { $0["number", as: Int.self] } == [1])
    }

    @Test func deleteRulesAreAppliedAsTheArticleShows() throws {
        let registry = SchemaRegistry()
        let schemas = storeSchemaExample()
        try registry.register(schemas)
        let store = try ModelStore(at: nil, registry: registry)
        try store.import(
            #"[{"number": 1, "assignee": {"id": 7, "login": "ada"}}, {"number": 2}]"#,
            using: JSONAdapter(schema: schemas[1], registry: registry))
        #expect(try deleteRuleExample(store, user: schemas[0]) == "0 inserted, 1 updated, 1 deleted")
        let left = ModelQuery(schema: schemas[1], where: Key("assignee") == nil)
        #expect(try store.count(left) == 2)
    }

    @Test func pagesRowsAndSearchesAreAsTheArticleShows() throws {
        let registry = SchemaRegistry()
        let schemas = storeSchemaExample()
        try registry.register(schemas)
        let store = try ModelStore(at: nil, registry: registry)
        try store.import(
            #"""
            [{"number": 1, "title": "Crash", "state": "open", "assignee": {"id": 7, "login": "ada"}},
             {"number": 2, "title": "CRASHED", "state": "open"},
             {"number": 3, "title": "b", "state": "closed", "assignee": {"id": 7}}]
            """#, using: JSONAdapter(schema: schemas[1], registry: registry))
        let pages = try storePagesExample(store, issue: schemas[1])
        #expect(pages.map { $0.compactMap { $0["number", as: Int.self] } } == [[2, 1], []])
        #expect(
            try storeRowsExample(store, issue: schemas[1]) == [
                #"[[1,"ada"],[2,null],[3,"ada"]]"#, #"[["closed",1],["open",2]]"#,
            ])
        #expect(try store.count(ModelQuery(schema: schemas[1], where: storeSearchExample())) == 3)
    }

    @MainActor
    @Test(.timeLimit(.patient)) func listsAreAsTheArticleShows() async throws {
        let registry = SchemaRegistry()
        let schemas = storeSchemaExample()
        try registry.register(schemas)
        let store = try ModelStore(at: nil, registry: registry)
        let issues = try JSONAdapter(schema: schemas[1], registry: registry)
        let loop = Task { @MainActor in try await storeListExample(ModelSession(store), issue: schemas[1]) }
        let writing = Task { @MainActor in
            // A filter would go on asking for numbers when the task ends.
            var number = 0
            while !Task.isCancelled {
                number += 1
                try store.import(#"{"number": \#(number), "state": "open"}"#, using: issues)
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        #expect(try await loop.value.split(separator: " ").count == 2)
        writing.cancel()
    }

    @Test func filesOfStoresAreCopiedAndProtectedAsTheArticleShows() throws {
        let folder = try TemporaryFolder()
        let registry = SchemaRegistry()
        let schemas = storeSchemaExample()
        try registry.register(schemas)
        let shielded = folder.url.appendingPathComponent("shielded")
        let store = try storeProtectionExample(folder: shielded, registry: registry)
        let attributes = try FileManager.default.attributesOfItem(atPath: shielded.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        let issue = try DynamicModel(schema: schemas[1], values: ["number": 1], registry: registry)
        #expect(
            try severalProgramsExample(
                store, file: shielded.appendingPathComponent("a.store"), registry: registry, issue: schemas[1],
                newIssue: issue) == "1")
        let copy = folder.url.appendingPathComponent("copy.store")
        #expect(try storeBackupExample(store, copy: copy, registry: registry) == "[]")
    }

    @Test func rowsAreMigratedAsTheArticleShows() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.store")
        let old = SchemaRegistry()
        let note = ModelSchema("Note", ["id": .integer.required, "text": .string], identity: ["id"])
        try old.register(note)
        try ModelStore(at: file, registry: old).save(
            DynamicModel(schema: note, values: ["id": 1, "text": "a"], registry: old))
        let registry = SchemaRegistry()
        try registry.register(storeMigrationExample())
        let found = try ModelStore(at: file, registry: registry).first(storeMigrationExample(), identity: 1)
        #expect(found?["body", as: String.self] == "a")
    }

    @Test func uniqueValuesAreSwappedAsTheArticleShows() throws {
        let registry = SchemaRegistry()
        let page = uniqueSchemaExample()
        try registry.register(page)
        let store = try ModelStore(at: nil, registry: registry)
        let adapter = try JSONAdapter(schema: page, registry: registry)
        try store.import(#"[{"id": 1, "slug": "a"}, {"id": 2, "slug": "b"}]"#, using: adapter)
        #expect(try uniqueSwapExample(store, page: page) == "0 inserted, 2 updated, 0 deleted")
    }

    @Test func sessionsDoWhatTheArticleShows() throws {
        let registry = SchemaRegistry()
        let schemas = storeSchemaExample()
        try registry.register(schemas)
        let issues = try JSONAdapter(schema: schemas[1], registry: registry)
        let store = try ModelStore(at: nil, registry: registry)
        try store.import(#"[{"number": 1, "state": "open"}, {"number": 2, "state": "open"}]"#, using: issues)
        let new = DynamicModel(schema: schemas[1], registry: registry)
        new["number"] = 3
        let result = try sessionExample(store, issue: schemas[1], newIssue: new) {
            try store.import(
                #"[{"number": 1, "title": "Crash!"}, {"number": 3, "state": "closed"}]"#, using: issues)
        }
        #expect(result.rows == "1 inserted, 1 updated, 1 deleted")
        #expect(
            result.log == [
                #"Issue 1 []"#, #"Issue 3 ["state"]"#, #"/title: "Crash at launch" → "Crash!" (kept, conflict)"#, "0",
            ])
    }

    @Test func changesOfQueriesAreAsTheArticleShows() async throws {
        let registry = SchemaRegistry()
        let schemas = storeSchemaExample()
        try registry.register(schemas)
        let issues = try JSONAdapter(schema: schemas[1], registry: registry)
        var options = ModelStoreOptions()
        options.busyTimeout = Patience.duration
        let store = try ModelStore(at: nil, registry: registry, options: options)
        let loop = Task { try await storeChangesExample(store, query: ModelQuery(schema: schemas[1])) }
        let writing = Task {
            // A filter would go on asking for numbers when the task ends.
            var number = 0
            while !Task.isCancelled {
                number += 1
                try store.import(#"{"number": \#(number)}"#, using: issues)
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        #expect(try await loop.value.contains("inserted, "))
        writing.cancel()
    }

    @Test func upgradesOfStoresAreAsTheArticleShows() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.store")
        var note = ModelSchema("Note", ["id": .integer.required, "text": .string], identity: ["id"])
        for version in 1...2 {
            let registry = SchemaRegistry()
            try registry.register(note)
            let store = try ModelStore(at: file, registry: registry)
            if version == 1 {
                try store.save(
                    (0..<300).map { try DynamicModel(schema: note, values: ["id": $0], registry: registry) })
                note.version = 2
                note.upgrades = [SchemaUpgrade(from: 1, defaults: ["text": "none"])]
            } else {
                #expect(
                    try storeUpgradeExample(store) == [
                        "256 of 300", "300 of 300", "0 inserted, 300 updated, 0 deleted",
                    ])
            }
        }
    }

    @Test func managedObjectsAreReplacedAsTheArticleShows() throws {
        let registry = SchemaRegistry()
        let schemas = ManagedObjectExamples.schemas()
        try registry.register(schemas)
        let page = #"""
            [{"number": 1, "title": "a", "html_url": "https://a.org/1", "votes": 3, "assignee": {"id": 1, "login": "ada"}},
             {"number": 2, "assignee": {"id": 1, "login": "ada"}}]
            """#
        let rows = ManagedObjectExamples.Rows()
        for _ in 0..<2 {
            let (stored, recorded) = try ManagedObjectExamples.keepIssues(
                schemas[1], Data(page.utf8), registry, in: nil, rows)
            #expect(stored.count == 2 && stored == recorded)
        }
        let records = rows.findRecords(of: "CDIssue", where: ["number"], in: [[.integer(1)]], relationships: [])
        #expect(records.count == 1)
        #expect(try records[0].recordValue("link") == .url(URL(string: "https://a.org/1")!))
        #expect(try records[0].relatedRecords("assignee").first?.recordEntity == "User")
    }

    @Test func driftIsAsTheArticleShows() throws {
        let article = try String(contentsOf: Self.catalog.appendingPathComponent("Drift.md"), encoding: .utf8)
        let blocks = article.components(separatedBy: "```")
        let registry = SchemaRegistry()
        let schema = try #require(try registry.load(Data(blocks[1].dropFirst(5).utf8)).first)
        let documents = blocks[3].split(separator: "\n").map { Data($0.utf8) }
        #expect(documents.count == 6)
        var log: [String] = []
        let report = try DriftExamples.watch(documents, schema, registry) { log.append($0) }
        #expect(log.count == 5 && log.contains("Order.carrier: unknownMember, 2 times"))
        // The article has the same text in shorter lines.
        func words(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined() }
        #expect(words(blocks[5]) == words(report.text))
    }

    @Test func theFirstStepsLeadWhereTheArticleSays() throws {
        #expect(
            try GettingStarted.example() == [
                #"{"number":7,"title":"Crash on launch","meta":{"labels":["bug"]},"assignee":{"login":"mona"}}"#,
                "expected a string but found the number 1 at /meta/labels/1 (1:42)",
                "9 mona defaulted Note(text: \"hello\", stars: 5) true",
            ])
        typealias Release = GettingStarted.Release
        typealias Comment = GettingStarted.Comment
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(Release.self, ["description": .string]), ModelSchema(Comment.self, ["body": .string]))
        #expect(try JSONAdapter(Release.self, registry: registry).model(from: #"{"description":"a"}"#).summary == "a")
        #expect(try JSONAdapter(Comment.self, registry: registry).model(from: #"{"body":"b"}"#).body == "b")
    }

    @Test func pagesAreAsTheArticleShows() throws {
        let article = try section("Pages for people", of: "Contracts")
        let blocks = article.components(separatedBy: "```")
        let documents = try #require(blocks.first { $0.hasPrefix("json\n") }).dropFirst(5)
        let graph = try #require(blocks.first { $0.hasPrefix("mermaid\n") }).dropFirst(8)
        let registry = SchemaRegistry()
        let schema = try #require(try registry.load(Array(documents.utf8)).first)
        let result = try schemaPageExample(registry, schema)
        #expect(result.graph == graph && result.page.contains("<h1>Issues</h1>"))
        let lines = try registry.page(.markdown).split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("| <a id=\"model.Issue.") }
        #expect(rows.count == 4)
        for row in rows {
            let text = row.replacing(#/<a id="[^"]*"></a>/#, with: "")
            let shown = text.replacing(#/\[(\w+)\]\([^)]*\)/#) { $0.1 }
            #expect(article.contains("\n\(shown)\n"), "\(shown)")
        }
    }

    @Test func anAdapterExplainsItsProperties() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Issue", ["htmlURL": .url, "n": .integer.rules(.minimum(1))], keys: .snakeCase)
        try registry.register(schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        var lines: [String] = []
        try SchemaToolsExamples.explain(adapter) { lines.append($0) }
        #expect(lines == ["Issue.htmlURL: html_url; url; optional; merged by replace"])
        #expect(adapter.explain().map(\.key) == ["htmlURL", "n"])
        #expect(try adapter.explain("n").rules == [.minimum(1)])
        let child = ModelSchema("Child", ["n": .integer.rules(.maximum(9))], extends: "Issue")
        try registry.register(child)
        #expect(
            try JSONAdapter(schema: child, registry: registry).explain("n").rules == [.minimum(1), .maximum(9)])
        let error = #expect(throws: ModelError.self) { try adapter.explain("htmlUrl") }
        #expect(error?.code == .unknownKey)
        #expect(error?.suggestion == "htmlURL")
    }

    @Test func contractsAreAsTheArticleShows() async throws {
        let registry = SchemaRegistry()
        let article = try String(contentsOf: Self.catalog.appendingPathComponent("Contracts.md"), encoding: .utf8)
        let blocks = article.components(separatedBy: "```json\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
        let schema = try #require(try registry.load(Array(blocks[0].utf8)).first)
        let other = SchemaRegistry()
        let result = try contractExample(registry, schema, restoredIn: other)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        #expect(contractDirectionExample(adapter).options.mode == .input)
        #expect(try result.contract["$defs"]?["Issue"] == JSONValue(parsing: blocks[1]))
        #expect(try other.schemas == [schema] && JSONValue(parsing: result.text) == result.contract)
    }

    @Test func aPublicContractBecomesSchemasThatAProgramLoads() throws {
        let contract = Data(
            #"""
            {"swagger": "2.0", "definitions": {"Pet": {"type": "object", "required": ["name"], "properties": {
              "name": {"type": "string"}, "photo": {"type": ["string", "integer"]}}}}}
            """#.utf8)
        let read = SchemaRegistry()
        let result = try read.load(openAPI: contract)
        #expect(result.losses.contains { $0.keyword == "type" })
        let folder = try TemporaryFolder()
        try folder.write("pets.json", read.document(of: result.schemas).bytes())
        let pet = try petstoreExample(folder: folder.url, answer: #"{"name": "Rex", "photo": 7}"#)
        #expect(try pet.value(forKey: "name") as? String == "Rex")
    }

    @Test func languageModelsAreHeldToTheirSchema() async throws {
        let article = try section("Language models", of: "Contracts")
        let blocks = article.components(separatedBy: "```json\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
        let registry = SchemaRegistry()
        let schema = try #require(try registry.load(Array(blocks[0].utf8)).first)
        let examples = LanguageModelExamples(registry: registry, schema: schema)
        let contract = try examples.exportedContract()
        #expect(try contract == JSONValue(parsing: blocks[1]))

        /// Whether the article shows a problem as one line, broken where a space is.
        func isShown(_ problem: String) -> Bool {
            article.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
                .contains(problem)
        }
        let (triage, problems) = try examples.strictAdapter(answer: blocks[2])
        #expect(problems.count == 3)
        for problem in problems { #expect(isShown(problem), "\(problem)") }
        #expect(try examples.strictAdapter(answer: "Here is the answer: {}").problems.count == 1)

        let answers = [
            #"{"summary": "Crash", "level": "high", "owner": null}"#,
            #"{"summary": "Crash", "level": "low", "owner": null}"#,
        ]
        var prompts: [String] = []
        let model = try await examples.correctedAnswer(triage, contract, question: "What is to be done?") { prompt, _ in
            prompts.append(prompt)
            return answers[prompts.count - 1]
        }
        #expect(model?["level", as: String.self] == "low" && prompts.count == 2)
        let problem = try #require(prompts.last?.split(separator: "\n").last)
        #expect(isShown(String(problem)), "\(problem)")
        var tries = 0
        let none = try await examples.correctedAnswer(triage, contract, question: "") { _, _ in
            tries += 1
            return answers[0]
        }
        #expect(none == nil && tries == 3)

        var lines: [String] = []
        try examples.answersWithMistakes(triage) { lines.append($0) }
        #expect(lines.count > 5 && lines.allSatisfy { $0.contains(": expected ") }, "\(lines)")
    }

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

    @Test func schemasMayComeAndGo() throws {
        let tenant = try Tenant(ModelSchema("Note", ["text": .string, "stars": .integer]))
        let old = try tenant.adapter.model(from: #"{"text": "a", "stars": 3}"#)
        try tenant.reload(ModelSchema("Note", ["text": .string, "stars": .string, "author": .string]))
        #expect(old["stars", as: Int.self] == 3)
        let new = try tenant.adapter.model(from: #"{"author": "ada"}"#)
        try new.merge("text", from: old)
        #expect(new.description == #"Note(text: "a", author: "ada")"#)
    }

    @Test func samplesGiveSchemasAsTheArticleSays() throws {
        let registry = SchemaRegistry()
        let samples = SharedData.repository.appendingPathComponent("Schemas/samples/issues.json")
        let schemas = try inferenceExample(registry, files: [samples])
        #expect(schemas.map(\.name) == ["Issue", "User", "Label", "Milestone", "PullRequest"])
        #expect(schemas.map(\.properties.count) == [17, 5, 3, 5, 2])
        let article = try String(
            contentsOf: Self.catalog.appendingPathComponent("InferringSchemas.md"), encoding: .utf8)
        let label = try #require(article.components(separatedBy: "```json\n").dropFirst().first)
        #expect(
            try registry.document(of: schemas[2])
                == JSONValue(parsing: label.components(separatedBy: "```")[0]))
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

    @Test func theIssueFromMantleIsRead() throws {
        let issue = try FromMantle.example(
            SchemaRegistry(),
            dictionary: [
                "number": 7, "state": "closed", "user": ["login": "mona"], "assignee": ["login": "hubot"],
                "html_url": "https://example.org/7", "updated_at": "1970-01-01T00:00:01Z",
            ])
        #expect(issue.state == .closed)
        #expect(issue.reporterLogin == "mona")
        #expect(issue.assignee?.login == "hubot")
        #expect(issue.updatedAt == Date(timeIntervalSince1970: 1))
        #expect(issue.retrievedAt != nil)
        #expect(try issue.copy().state(of: "retrievedAt") == .value)
    }

    @Test func transformersConvertAndCombine() throws {
        let registry = SchemaRegistry()
        let adapter = Entrances(try transformerExample(registry))
        let text = #"{"paidAt":1769860800000,"homepage":"https://example.org","price":12.5}"#
        #expect(try adapter.roundTrip(text) == text)
        #expect(try adapter.model(from: #"{"homepage":""}"#).state(of: "homepage") == .null)
        #expect(
            try combinedTransformerExample(registry) == [
                "https://example.org", "0", "1", "true", "https://example.org", "150", "1",
            ])
    }

    @Test func errorsAreLogged() throws {
        let (adapter, registry) = (try Plain.adapter(["id": .integer.required]).adapter, SchemaRegistry())
        var lines: [String] = []
        try errorExample(adapter, document: Data(#"{"id":"7"}"#.utf8)) { lines.append($0) }
        let wrong = try #require(throws: ModelError.self) { try adapter.model(from: #"{"id":"7"}"#) }
        #expect(try JSONValue(parsing: [UInt8](errorBodyExample(wrong)))["pointer"] == "/id")
        let count = reportExample(adapter, document: Data(#"[{"id":1},{},{"id":null}]"#.utf8)) { lines.append($0) }
        #expect(count == 1)
        schemaErrorExample(registry, schemas: [ModelSchema("A", ["b": .model("B"), "c": .string.json("")])]) {
            lines.append($0)
        }
        #expect(lines.count == 5)
        #expect(lines.first == #"expected an integer but found "7" at /id (1:7)"#)
        #expect(skippingExample(adapter).options.elements == .skip)
    }

    @Test func streamsAreHandled() async throws {
        let adapter = try Plain.adapter(["id": .integer.required]).adapter
        let log = Data("{\"id\":1}\n{\"id\":2}\n".utf8)
        var problems: [ModelError] = []
        #expect(try streamExample(adapter, chunks: [[UInt8](log)], log: &problems).count == 4)
        #expect(problems.isEmpty)
        #expect(try linesInMemoryExample(adapter, log: log).count == 2)
        let (arriving, feed) = AsyncStream.makeStream(of: Data.self)
        feed.yield(Data("[{\"id\":1}]".utf8))
        feed.finish()
        #expect(try await arrivingExample(adapter, arriving: arriving).count == 1)
    }

    @Test func linesAreProcessedOnSeveralThreads() throws {
        let adapter = try Plain.adapter(["id": .integer.required, "type": .string, "text": .string]).adapter
        let lines = Array("{\"id\":1,\"text\":\"a\"}\n{\"id\":2,\"type\":\"b\"}\n".utf8)
        let good = try linesOnSeveralThreadsExample(adapter, chunks: lines.map { [$0] })
        #expect(String(decoding: good.selected, as: UTF8.self) == "{\"id\":1}\n{\"id\":2,\"type\":\"b\"}\n")
        #expect(good.views.map { $0["id", as: Int.self] } == [1, 2])
        #expect(good.rejects.isEmpty)
        let rejects = rejectsExample(adapter, chunks: [lines, Array("{\"id\":true}".utf8)])
        #expect(rejects.map { String(decoding: $0.line, as: UTF8.self) } == ["{\"id\":true}"])
        #expect(rejects.first?.problems.first?.location?.line == 3)
    }

    @Test func aProfileIsWritten() throws {
        #expect(
            try profileExample(registry: SchemaRegistry())
                == #"{"iid":7,"links":{"html":"https://example.org/7"}}"#)
    }

    @Test func aProjectionReadsAndWritesAPart() throws {
        #expect(
            try projectionExample(registry: SchemaRegistry())
                == [#"{"number":7,"author":{"login":"ada"}}"#, #"{"author":{"login":"ada"}}"#])
    }

    @Test func valuesWithLabelsAreLeftOut() throws {
        var shown: [String] = []
        let texts = try sensitivityExample(registry: SchemaRegistry(), key: Data("key".utf8)) { shown.append("\($0)") }
        #expect(shown == ["Person(id: 1, name: •••, email: •••)"])
        #expect(texts[0] == #"{"id":1,"name":"•••"}"#)
        #expect(texts[1].utf8.count == 64)
    }

    @Test func archivesAreWrittenAndOpened() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("article-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let schema = archivedSchemaExample().person
        let registry = SchemaRegistry()
        let issue = ModelSchema("Issue", ["number": .integer])
        try registry.register(schema, issue)
        #expect(try archiveExample(registry: registry, file: file) == 2)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let document = Data(#"{"name": "Ada King", "mail": "a@b.c"}"#.utf8)
        #expect(
            try versionedDocumentExample(adapter, document: document)
                == #"{"schemaVersion":3,"firstName":"Ada","lastName":"King","email":"a@b.c"}"#)
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

    @Test func nullIsNoDocument() throws {
        let adapter = try Plain.adapter(["id": .integer]).adapter
        let error = #expect(throws: ModelError.self) { try adapter.model(from: "null") }
        #expect(error?.description == "expected a model of Plain but found null at the root (1:1)")
        #expect(throws: ModelError.self) { try adapter.model(from: JSONValue.null) }
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

    @Test func wishesOfCodableUsersComeTrue() throws {
        typealias Examples = CodableExamples
        let registry = SchemaRegistry()
        let adapter = try Examples.adapter(registry)
        #expect(try Examples.withCodable() == [nil, nil])
        #expect(Examples.withCodableEnumerations() == nil)
        #expect(try Examples.partialUpdates(adapter).state == .open)
        #expect(try Examples.newCases(adapter) == #"true {"number":8,"state":"locked"}"#)
        #expect(
            Examples.allProblems(adapter) == [
                #"expected an integer but found "7" at /0/number (1:13)"#,
                "expected a string but found the number 1 at /0/labels/0 (1:29)",
            ])
        #expect(try Examples.unknownMembers(registry) == #"{"number":7,"votes":5}"#)
        #expect(try Examples.polymorphism(registry) == ["Push", "Event"])
        let tickets = try Examples.badElements(registry)
        #expect(tickets.map(\.number) == [7])
        let folder = try TemporaryFolder()
        #expect(try Examples.files(tickets, registry, file: folder.url.appendingPathComponent("tickets")))
        #expect(
            Examples.answers(adapter, answer: "{}")
                == "expected the member \"number\" of Ticket but found none at the root (1:1)")
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

    @Test func contractsAndMigrationsNeedNoCode() throws {
        let (old, now) = (SchemaRegistry(), SchemaRegistry())
        let person = ModelSchema("Person", ["name": .string])
        try old.register(person)
        try now.register(CodableExamples.migration())
        let ada = try DynamicModel(schema: person, values: ["name": "Ada"], registry: old)
        let back = try ModelUnarchiver(registry: now).unarchive(
            now.schema(named: "Person"), from: ModelArchiver().archive(ada))
        #expect(back["fullName", as: String.self] == "Ada")
        let folder = try TemporaryFolder()
        try folder.write("Invoice.json", #"{"name": "Invoice", "properties": {"total": {"kind": "integer"}}}"#)
        let invoice = try CodableExamples.contracts(
            now, folder: folder.url, document: Data(#"{"total": 5}"#.utf8))
        #expect(invoice["total", as: Int.self] == 5)
    }

    @Test func formatsAreReadAndWritten() throws {
        let transformers = TransformerRegistry()
        let schema = try formatExample(transformers, berlin: TimeZone(identifier: "Europe/Berlin") ?? .gmt)
        let registry = SchemaRegistry(transformers: transformers)
        try registry.register(schema)
        let adapter = Entrances(try JSONAdapter(schema: schema, registry: registry))
        let text = #"{"issued":"September 25, 2015","total":"12,345.68","discount":"12%"}"#
        #expect(try adapter.roundTrip(text) == text)
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
