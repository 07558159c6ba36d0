import Foundation
import Testing

/// The README shows the program that stands in the sources, word for word.
struct ReadmeTests {
    @Test func theTourIsTheExampleProgram() throws {
        let readme = try String(
            contentsOf: SharedData.repository.appendingPathComponent("README.md"), encoding: .utf8)
        let program = try String(
            contentsOf: SharedData.repository.appendingPathComponent("Sources/ReadmeExample/main.swift"),
            encoding: .utf8)
        #expect(!program.isEmpty)
        #expect(readme.contains("```swift\n" + program + "```\n"))
    }
}
