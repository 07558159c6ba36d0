import Foundation
import ModelTestSupport
import Pallium
import PalliumContracts
import PalliumTrials
import Testing

// Adapters, transformers, streams, formats and archives.
extension ArticleTests {
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

    @Test func nullIsNoDocument() throws {
        let adapter = try Plain.adapter(["id": .integer]).adapter
        let error = #expect(throws: ModelError.self) { try adapter.model(from: "null") }
        #expect(error?.description == "expected a model of Plain but found null at the root (1:1)")
        #expect(throws: ModelError.self) { try adapter.model(from: JSONValue.null) }
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

    @Test func formatsAreReadAndWritten() throws {
        let transformers = TransformerRegistry()
        let schema = try formatExample(transformers, berlin: TimeZone(identifier: "Europe/Berlin") ?? .gmt)
        let registry = SchemaRegistry(transformers: transformers)
        try registry.register(schema)
        let adapter = Entrances(try JSONAdapter(schema: schema, registry: registry))
        let text = #"{"issued":"September 25, 2015","total":"12,345.68","discount":"12%"}"#
        #expect(try adapter.roundTrip(text) == text)
    }
}
