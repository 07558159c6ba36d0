import Testing

/// What is said at the end of a run that a problem ends does not depend on how far other threads have read.
@Suite struct EndedRunTests {
    @Test(arguments: [[], ["--max-problems", "100"], ["--max-problems", "100", "--quiet"]])
    func theSummaryIsThatOfOneThread(options: [String]) async throws {
        let notes = try NoteSchema()
        let expected = try await notes.decodeLines(options + ["--jobs", "1"], input: NoteLines.bytes)
        for jobs in ["2", "8"] {
            let run = try await notes.decodeLines(options + ["--jobs", jobs], input: NoteLines.bytes)
            #expect(run.errorLines.last == expected.errorLines.last)
            #expect(run.outputLines.prefix(2) == expected.outputLines.prefix(2))
        }
    }
}
