import Foundation
import Pallium
import TestSupport
import Testing

/// The README shows programs that stand in the sources, word for word.
struct ReadmeTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: SharedData.repository.appendingPathComponent(path), encoding: .utf8)
    }

    /// The lines without indentation and without the spaces that put comments below each other.
    private func lines(of text: some StringProtocol) -> String {
        text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: "\n")
    }

    @Test func theTourIsTheExampleProgram() throws {
        let program = try text("Sources/ReadmeExample/main.swift")
        #expect(!program.isEmpty)
        #expect(try text("README.md").contains("```swift\n" + program + "```\n"))
    }

    @Test func theOtherExamplesAreCompiled() throws {
        let compiled = lines(of: try text("Tests/PalliumTests/Readme/ReadmeExamples.swift"))
        let blocks = try text("README.md").components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        // The first is the tour, the second belongs into another package's manifest.
        #expect(blocks.count > 8)
        for block in blocks.dropFirst(2) { #expect(compiled.contains(lines(of: block)), "\(block)") }
    }

    @Test func editsSurviveWhatTheServerSends() throws {
        let registry = SchemaRegistry()
        try registry.register(ReadmeExamples.Issue.schema)
        let adapter = JSONAdapter(ReadmeExamples.Issue.self, registry: registry)
        let issue = try adapter.model(from: #"{"number": 7, "title": "Crash", "state": "open"}"#)
        let newer = Data(#"{"number": 7, "title": "Crash!", "state": "closed"}"#.utf8)
        let changes = try ReadmeExamples.merging(adapter, issue, newer: newer, old: ["a": 1], new: [2])
        #expect(changes.conflicts.map(\.key) == ["title"])
        #expect(try issue.value(forKey: "state") as? String == "closed")
        #expect(issue.changedKeys == ["title"])
        #expect(issue.title == "Crash on launch")
    }
}
