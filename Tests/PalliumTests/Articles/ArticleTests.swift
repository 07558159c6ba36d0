import Foundation
import ModelTestSupport
import Pallium
import Testing

/// The examples of the articles are compiled, do what the articles say, and are the same text.
struct ArticleTests {
    typealias Folder = SwiftModels.Folder
    typealias File = SwiftModels.File
    static let catalog = SharedData.repository.appendingPathComponent("Sources/Pallium/Pallium.docc")

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
    func section(_ title: String, of article: String) throws -> String {
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

    /// Statements of examples stand in functions of their own; these tests call each of them.
    @Test func examplesAreRun() throws {
        let files = try texts(in: URL(fileURLWithPath: #filePath).deletingLastPathComponent(), endingIn: "swift")
        let tests = files.filter { $0.name.hasPrefix("ArticleTests") }.map(\.text).joined()
        for file in files where file.name.hasSuffix("Examples") {
            // What is deeper is part of an example.
            for match in file.text.matches(of: #/(?m)^(?: {4}(?:static |mutating ))?func ([A-Za-z]+)/#)
            where match.1 != "print" {
                #expect(tests.contains("\(match.1)("), "\(file.name): \(match.1)")
            }
        }
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
}
