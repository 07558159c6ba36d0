import Foundation
import Pallium
import TestSupport
import Testing

/// The README is a program: its Swift blocks, one behind the other, are `Sources/ReadmeExample/main.swift`, which
/// `ReadmeExampleTests` runs.
struct ReadmeTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: SharedData.repository.appendingPathComponent(path), encoding: .utf8)
    }

    private func blocks() throws -> [String] {
        try text("README.md").components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            // Two lines belong into another package's manifest.
            .filter { !$0.hasPrefix(".package(") }
    }

    @Test func theSchemaIsTheFile() throws {
        let block = try text("README.md").components(separatedBy: "```json\n").last?
            .components(separatedBy: "```").first
        #expect(try block == text("Schemas/tickets/Ticket.json"))
    }

    @Test func theBlocksAreTheExampleProgram() throws {
        let program = try text("Sources/ReadmeExample/main.swift")
        #expect(try blocks().count > 2)
        #expect(try blocks().joined(separator: "\n") == program)
    }
}
