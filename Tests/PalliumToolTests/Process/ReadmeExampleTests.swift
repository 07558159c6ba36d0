import Foundation
import TestSupport
import Testing

struct ReadmeExampleTests {
    private func readme() throws -> String {
        try String(contentsOf: SharedData.repository.appendingPathComponent("README.md"), encoding: .utf8)
    }

    /// Behind every statement that prints stands its line of the output.
    @Test func theReadmeRunsAndPrintsWhatItSays() async throws {
        let comments = try readme().matches(of: #/(?m)^ *print\(.*  \/\/ (.*)$/#).map { String($0.1) }
        let run = try await runReadmeExample()
        #expect(run.status == 0, "\(run.errors)")
        #expect(comments.count > 5)
        #expect(run.outputLines == comments)
    }

    /// The first command of the tour shows the file that the others need.
    @Test func theTourOfTheToolPrintsWhatTheReadmeShows() async throws {
        let blocks = try readme().components(separatedBy: "```console\n").dropFirst()
        let tour = try #require(blocks.first?.components(separatedBy: "```").first)
        // Every step is without the end of its last line.
        let steps = "\n\(tour.dropLast())".components(separatedBy: "\n$ ").dropFirst().map {
            let parts = $0.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
            return (command: parts[0], output: parts.count > 1 ? parts[1] : "")
        }
        #expect(steps.count > 6 && steps.first?.command == "cat issues.json")
        let folder = try TemporaryFolder()
        try folder.write("issues.json", steps[0].output + "\n")
        for step in steps {
            let script = #"cd "$1" && PATH="${0%/*}:$PATH" && eval "$2" 2>&1"#
            let run = try await runShell(script, [folder.path, step.command])
            #expect(run.output == step.output + (step.output.isEmpty ? "" : "\n"), "\(step.command)")
        }
    }
}
