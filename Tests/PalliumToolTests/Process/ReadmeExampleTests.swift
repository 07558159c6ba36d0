import Foundation
import TestSupport
import Testing

struct ReadmeExampleTests {
    /// Behind every statement that prints stands its line of the output.
    @Test func theReadmeRunsAndPrintsWhatItSays() async throws {
        let readme = try String(
            contentsOf: SharedData.repository.appendingPathComponent("README.md"), encoding: .utf8)
        let comments = readme.matches(of: #/(?m)^ *print\(.*  \/\/ (.*)$/#).map { String($0.1) }
        let run = try await runReadmeExample()
        #expect(run.status == 0, "\(run.errors)")
        #expect(comments.count > 5)
        #expect(run.outputLines == comments)
    }
}
