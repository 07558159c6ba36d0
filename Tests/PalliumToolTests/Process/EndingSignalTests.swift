import Foundation
import TestSupport
import Testing

/// The section *Output* of the article *CommandLine*: a signal that ends a run leaves no file beside the output.
@Suite struct EndingSignalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("Note.json", #"{"name": "Note", "properties": {"id": {"kind": "integer"}}}"#)
    }

    static let commands = [
        "decode --schemas Note.json --model Note -o out pipe",
        "decode --schemas Note.json --model Note --lines -o out pipe",
        "archive --schemas Note.json --model Note -o out pipe",
    ]

    /// A shell lets programs in the background ignore INT and QUIT.
    static let signals = ["HUP", "TERM", "USR1", "USR2", "ALRM", "VTALRM", "PROF", "XCPU", "IO"]

    /// A run that waits for input has made the new file, and the signal comes then.
    private func files(after signal: String, _ command: String) async throws -> (status: String, files: [String]) {
        defer { withExtendedLifetime(folder) {} }
        let run = try await runShell(
            """
            cd "$1"; mkfifo pipe; echo old > out; ulimit -c 0
            ( hold_open > pipe ) & holder=$!
            "$0" \(command) 2> errors & tool=$!
            await 'ls -a | grep -q "^.pallium-"'
            # A run over lines notes the first signal.
            kill -\(signal) $tool; kill -\(signal) $tool 2> /dev/null
            wait $tool; echo "status $?"
            kill $holder; rm -f pipe errors; ls -A
            """, [folder.path])
        return (run.outputLines.first ?? "", Array(run.outputLines.dropFirst()))
    }

    @Test(arguments: signals) func noFileStays(signal: String) async throws {
        let (status, files) = try await files(after: signal, Self.commands[0])
        #expect(status != "status 0")
        #expect(files.sorted() == ["Note.json", "out"])
        #expect(try folder.read("out") == "old\n")
    }

    @Test(arguments: commands) func noFileOfACommandStays(command: String) async throws {
        let (status, files) = try await files(after: "TERM", command)
        #expect(status == "status 143")
        #expect(files.sorted() == ["Note.json", "out"])
        #expect(try folder.read("out") == "old\n")
    }

    /// As `nohup` does it.
    @Test func aSignalThatTheParentIgnoresStaysIgnored() async throws {
        let run = try await runShell(
            """
            cd "$1"; mkfifo pipe; trap '' HUP
            "$0" decode --schemas Note.json --model Note -o out pipe 2> errors & tool=$!
            exec 3> pipe
            await 'ls -a | grep -q "^.pallium-"'
            kill -HUP $tool; echo '{"id": 1}' >&3; exec 3>&-
            wait $tool; echo "status $?"
            cat out
            """, [folder.path])
        #expect(run.outputLines == ["status 0", #"{"id":1}"#])
    }
}
