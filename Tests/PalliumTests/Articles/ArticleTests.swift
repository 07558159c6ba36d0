import Foundation
import Pallium
import Testing

/// The examples of the articles are compiled, do what the articles say, and are the same text.
struct ArticleTests {
    /// The Swift examples of an article, without indentation.
    private func examples(of article: String) throws -> [[String]] {
        let file = SharedData.repository.appendingPathComponent("Sources/Pallium/Pallium.docc/\(article).md")
        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```")
        return parts.enumerated()
            .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("swift\n") }
            .map { lines(of: String($0.element.dropFirst("swift\n".count))) }
    }

    private func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test(arguments: ["Streams", "Profiles", "Formats", "Archiving"]) func examplesAreCompiled(article: String) throws {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("ArticleExamples.swift")
        let compiled = lines(of: try String(contentsOf: source, encoding: .utf8)).joined(separator: "\n")
        let examples = try examples(of: article)
        #expect(!examples.isEmpty)
        for example in examples { #expect(compiled.contains(example.joined(separator: "\n")), "\(example)") }
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

    @Test func aProfileIsWritten() throws {
        #expect(
            try profileExample(registry: SchemaRegistry())
                == #"{"iid":7,"links":{"html":"https://example.org/7"}}"#)
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
