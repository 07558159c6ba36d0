import TestSupport
import Testing

/// A line above the limit is one problem, also if it is longer than blocks are, and the next line is decoded as usual.
@Suite(.threat(.hugeInput)) struct LongLineTests {
    private static func lines(_ count: Int, last: String = "") -> [UInt8] {
        Array("{\"id\":1}\n".utf8) + Array(repeating: UInt8(ascii: "x"), count: count)
            + Array("\(last)\n{\"id\":3}\n{\"id\":\"x\"}".utf8)
    }

    @Test(arguments: [200_000, 600_000, 1_200_000], [1, 2, 8])
    func aLineAboveTheLimitIsOneProblem(count: Int, jobs: Int) async throws {
        let run = try await NoteSchema().decodeLines(
            ["--max-bytes", "1000", "--collect", "--jobs", "\(jobs)"], input: Self.lines(count))
        #expect(run.outputLines == [#"{"id":1}"#, #"{"id":3}"#])
        #expect(
            run.errorLines.dropLast() == [
                "<stdin>:2:1: expected an element of at most 1000 bytes (--max-bytes) but found more at the root",
                "<stdin>:4:7: expected an integer but found \"x\" at /id",
            ])
    }

    @Test func itIsOneReject() async throws {
        let run = try await NoteSchema().decodeLines(
            ["--max-bytes", "1000", "--rejects"], input: Self.lines(1_200_000))
        #expect(try run.rejectObjects().map { $0["line"] as? Int } == [2, 4])
    }

    /// What stands within a line is no document, wherever the line is cut.
    @Test func noPartOfTheLineIsDecoded() async throws {
        let notes = try NoteSchema()
        for blocks in 1...4 {
            // The line is the first one, so that its part begins where a block does.
            let lines = Self.lines(blocks * 256 << 10, last: #"{"id":666}"#).dropFirst(9)
            let run = try await notes.decodeLines(["--max-bytes", "1000", "--collect"], input: Array(lines))
            #expect(run.outputLines == [#"{"id":3}"#], "\(blocks) blocks")
        }
    }

    @Test(arguments: [1, 2]) func aLineOf64MiBIsOneProblem(jobs: Int) async throws {
        let run = try await NoteSchema().decodeLines(
            ["--max-bytes", "1000", "--collect", "--jobs", "\(jobs)"], input: Self.lines(64 << 20))
        #expect(run.outputLines == [#"{"id":1}"#, #"{"id":3}"#])
        #expect(run.errorLines.count == 3)
    }
}
