import Foundation
import TestSupport
import Testing

/// A run goes on after problems, and ends at a number of them.
@Suite struct ProblemLimitTests {
    private static let lines = [
        #"{"id":1.5,"text":5}"#, #"{"id":2}"#, #"{"text":1,"tags":[1,2,3]}"#, #"{"id":4}"#, "", "nope", #"{"id":6}"#,
        #"{"id":7}"#, "{}",
    ]
    private static let input = lines.joined(separator: "\n")
    /// The problems of each line.
    private static let problemCounts = [2, 0, 5, 0, 0, 1, 0, 0, 1]

    /// The lines that are written before the problem of a number.
    private static func output(before limit: Int) -> [String] {
        var (count, output) = (0, [String]())
        for (line, problems) in zip(lines, problemCounts) {
            count += problems
            if count >= limit { break }
            if problems == 0, !line.isEmpty { output.append(line) }
        }
        return output
    }

    private static func isProblem(_ line: String) -> Bool { line.hasPrefix("<stdin>:") || line.hasPrefix("{") }

    /// Each limit with all options, and each number of jobs with all limits and all options: no three of them depend on one
    /// another.
    @Test(arguments: 1...11) func theRunEndsAtTheProblem(limit: Int) async throws {
        let notes = try NoteSchema()
        let total = Self.problemCounts.reduce(0, +)
        for (form, errors) in [[], ["--errors", "json"]].enumerated() {
            let all = try await notes.decodeLines(["--collect"] + errors, input: Self.input)
            let problems = all.errorLines.filter(Self.isProblem)
            #expect(problems.count == total)
            for (number, more) in [[], ["--collect"], ["--original"], ["--original", "--collect"]].enumerated() {
                let jobs = [1, 2, 8][(limit + form + number) % 3]
                let run = try await notes.decodeLines(
                    ["--max-problems", "\(limit)", "--jobs", "\(jobs)"] + errors + more, input: Self.input)
                #expect(run.errorLines.filter(Self.isProblem) == Array(problems.prefix(limit)), "\(more)")
                #expect(run.outputLines == Self.output(before: limit), "\(more)")
                #expect(run.status == 1)
                if errors.isEmpty {
                    let count = min(limit, total) == 1 ? "1 problem" : "\(min(limit, total)) problems"
                    #expect(run.errorLines.last?.hasSuffix(", \(count)") == true)
                    let isTold = run.errorLines.contains("pallium: the run ended at \(count) (--max-problems)")
                    #expect(isTold == (limit <= total))
                }
            }
        }
    }

    @Test(arguments: 1...11) func rejectsHaveTheSameProblems(limit: Int) async throws {
        let notes = try NoteSchema()
        let all = try await notes.decodeLines(["--collect", "--errors", "json"], input: Self.input)
        let problems = try all.errorLines.prefix(limit).map { try object($0) as NSDictionary }
        for quiet in [[], ["--quiet"]] {
            let run = try await notes.decodeLines(
                ["--rejects", "--max-problems", "\(limit)"] + quiet, input: Self.input)
            let kept = try run.rejectObjects().flatMap { $0["problems"] as? [NSDictionary] ?? [] }
            #expect(kept == problems)
            if quiet.isEmpty { #expect(run.outputLines == Self.output(before: limit)) }
            #expect(run.status == 1)
        }
    }

    @Test(arguments: 1...11) func aVerdictCountsThoseProblems(limit: Int) async throws {
        let run = try await NoteSchema().decodeLines(
            ["--quiet", "--errors", "json", "--max-problems", "\(limit)"], input: Self.input)
        let verdict = try object(run.output)
        let count = min(limit, Self.problemCounts.reduce(0, +))
        #expect(verdict["problems"] as? Int == count)
        #expect((verdict["counts"] as? [String: [String: Int]])?["code"]?.values.reduce(0, +) == count)
        #expect(run.status == 1)
    }

    @Test func withoutProblemsNothingEndsTheRun() async throws {
        let run = try await NoteSchema().decodeLines(["--max-problems", "1"], input: "{\"id\":1}\n{\"id\":2}\n")
        #expect(run.outputLines.count == 2 && run.errorLines.count == 1 && run.status == 0)
    }

    @Test func problemsOfAllFilesCount() async throws {
        let notes = try NoteSchema()
        let files = try (1...3).map { try notes.folder.write("\($0)", "{\"id\":\($0)}\n{}\n{\"id\":\($0)0}") }
        let run = try await notes.decodeLines(["--max-problems", "2"], files)
        #expect(run.outputLines == [#"{"id":1}"#, #"{"id":10}"#, #"{"id":2}"#])
        let documents = try (1...3).map { try notes.folder.write("\($0)", #"[{},{"id":1}]"#) }
        for collect in [[], ["--collect"]] {
            let whole = try await notes.run(["decode", "--max-problems", "2"] + collect + documents)
            #expect(whole.errorLines.filter { $0.contains("missing") || $0.contains("expected the member") }.count == 2)
            #expect(whole.status == 1)
        }
    }
}
