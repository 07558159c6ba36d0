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
        #expect(run.output.hasPrefix(printed))
        // Behind what is printed stands what comes out.
        let comments = readme.matches(of: #/(?m)^print\(.*  \/\/ (.*)$/#).map { String($0.1) }
        var rest = run.output.dropFirst(printed.count).split(separator: "\n")[...]
        #expect(comments.count > 5)
        for comment in comments {
            rest = rest.drop { $0 != comment }
            #expect(rest.popFirst() != nil, "\(comment)")
        }
    }
}
