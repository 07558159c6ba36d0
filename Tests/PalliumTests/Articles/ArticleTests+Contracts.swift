import Foundation
import ModelTestSupport
import Pallium
import PalliumContracts
import PalliumTrials
import Testing

// Contracts, drift and the comparison of schemas.
extension ArticleTests {
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
}
