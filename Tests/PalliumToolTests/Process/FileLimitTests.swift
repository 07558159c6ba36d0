import TestSupport
import Testing

/// A limit for files is a file that cannot be written, as for archives, and no signal that ends the run without a word.
@Suite(.threat(.failingDisk)) struct FileLimitTests {
    private static let input = Array(
        (1...20_000).map { $0 % 10 == 0 ? "{\"id\":\"\($0)\"}\n" : "{\"id\":\($0),\"text\":\"some text\"}\n" }.joined()
            .utf8)

    @Test(arguments: [
        ("--rejects rejects - > /dev/null", "rejects"), ("--original --collect - > out", "standard output"),
    ])
    func aFileThatMayNotGrowEndsTheRunWithStatus2(arguments: String, name: String) async throws {
        let run = try await NoteSchema().runShell(
            #"cd "$3" && ulimit -f 64 && exec "$0" "$@" \#(arguments)"#, "decode", "--lines",
            input: Self.input)
        #expect(run.status == 2)
        #expect(run.errorLines.contains("pallium: cannot write \(name): File too large"))
    }
}
