import Foundation
import TestSupport
import Testing

/// The number of threads changes nothing of what is written.
@Suite struct JobsTests {
    private static let wholeRuns = [
        "--collect", "--collect --errors json", "--rejects", "--rejects --errors json", "--quiet",
        "--quiet --rejects --errors json", "--original --collect", "--original --rejects",
        "--max-bytes 100 --collect", "--max-depth 1 --rejects", "--only id --collect --unknown refuse",
    ].map { $0.split(separator: " ").map(String.init) }

    private static let endedRuns = [
        "", "--errors json", "--original", "--max-problems 500", "--max-problems 501 --collect",
        "--max-problems 502 --rejects", "--max-problems 503 --original --errors json",
    ].map { $0.split(separator: " ").map(String.init) }

    @Test(arguments: wholeRuns) func aRunThatReadsEverythingIsTheSame(_ options: [String]) async throws {
        let notes = try NoteSchema()
        let expected = try await notes.decodeLines(options + ["--jobs", "1"], input: NoteLines.bytes)
        #expect(expected.status == 1)
        // Two threads with all options, and the other numbers with some.
        let others = [["--jobs=8"], ["--jobs", "1000000"], []]
        for jobs in [["--jobs", "2"], others[(Self.wholeRuns.firstIndex(of: options) ?? 0) % 3]] {
            let run = try await notes.decodeLines(options + jobs, input: NoteLines.bytes)
            // The texts are too long for a message.
            let isSame = (run.output == expected.output, run.errorLines == expected.errorLines)
            #expect(isSame == (true, true) && run.rejects == expected.rejects, "\(jobs)")
            #expect(run.status == expected.status)
        }
    }

    @Test(arguments: endedRuns) func aRunThatEndsEarlyWritesTheSame(_ options: [String]) async throws {
        let notes = try NoteSchema()
        let expected = try await notes.decodeLines(options + ["--jobs", "1"], input: NoteLines.bytes)
        #expect(expected.status == 1)
        for jobs in [2, 3, 8] {
            let run = try await notes.decodeLines(options + ["--jobs", "\(jobs)"], input: NoteLines.bytes)
            let withoutSummary = { (run: LinesRun) in run.errorLines.filter { !$0.contains(" in TIME,") } }
            let isSame = (run.output == expected.output, withoutSummary(run) == withoutSummary(expected))
            #expect(isSame == (true, true) && run.rejects == expected.rejects, "\(jobs) jobs")
            #expect(run.status == expected.status)
        }
    }

    @Test(arguments: [1, 4]) func validLinesAreWrittenInOrder(jobs: Int) async throws {
        let notes = try NoteSchema()
        let jobs = ["--jobs", "\(jobs)"]
        let collected = try await notes.decodeLines(jobs + ["--rejects"], input: NoteLines.bytes)
        #expect(collected.outputLines == NoteLines.output)
        #expect(try collected.rejectObjects().map { $0["line"] as? Int } == NoteLines.refusedNumbers)
        let first = try await notes.decodeLines(jobs, input: NoteLines.bytes)
        #expect(first.outputLines == Array(NoteLines.output.prefix(NoteLines.refusedNumbers[0] - 1)))
        #expect(first.errorLines.count == 2)
    }

    @Test(arguments: ["--collect", "--rejects", "--original --collect", "--quiet"], [1, 2, 8])
    func withoutOrderTheLinesAreTheSame(options: String, jobs: Int) async throws {
        let notes = try NoteSchema()
        let options = options.split(separator: " ").map(String.init)
        let expected = try await notes.decodeLines(options, input: NoteLines.bytes)
        let run = try await notes.decodeLines(
            options + ["--unordered", "--jobs", "\(jobs)"], input: NoteLines.bytes)
        let isSame = (
            run.outputLines.sorted() == expected.outputLines.sorted(),
            run.errorLines.sorted() == expected.errorLines.sorted()
        )
        #expect(isSame == (true, true) && run.rejectLines.sorted() == expected.rejectLines.sorted())
        #expect(run.status == 1)
    }

    @Test func withoutOrderTheFirstProblemEndsTheRunToo() async throws {
        let notes = try NoteSchema()
        let lines = (1...20_000).map { $0 % 2000 == 0 ? "{}" : #"{"id":\#($0),"text":"some text"}"# }
        let run = try await notes.decodeLines(
            ["--unordered", "--jobs", "8"], input: lines.joined(separator: "\n"))
        #expect(run.status == 1)
        #expect(Set(run.outputLines).isSubset(of: lines) && Set(run.outputLines).count == run.outputLines.count)
        #expect(run.errorLines.count { $0.hasPrefix("<stdin>:") } == 1)
    }
}
