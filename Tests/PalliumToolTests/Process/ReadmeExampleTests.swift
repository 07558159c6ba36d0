import Foundation
import TestSupport
import Testing

struct ReadmeExampleTests {
    @Test func theReadmeRunsAndPrintsWhatItSays() async throws {
        let readme = try String(
            contentsOf: SharedData.repository.appendingPathComponent("README.md"), encoding: .utf8)
        let printed = try #require(
            readme.components(separatedBy: "It prints\n\n```\n").last?.components(separatedBy: "```").first)
        let run = try await runReadmeExample()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == printed)
    }
}
