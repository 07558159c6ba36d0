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

    static let waiting = [
        "decode --schemas Note.json --model Note --lines pipe", "decode --schemas Note.json --model Note pipe",
        "decode --schemas Note.json --model Note --lines --rejects pipe Note.json",
        "store import --schemas Key.json --model Key --lines a.store pipe", "diff pipe Note.json",
    ]

    /// The run waits for a program that opens the other end.
    @Test(arguments: waiting, ["TERM", "HUP"]) func oneSignalEndsARunThatWaitsForAWriter(
        command: String, signal: String
    ) async throws {
        defer { withExtendedLifetime(folder) {} }
        try folder.write(
            "Key.json",
            #"{"name": "Key", "identity": ["id"], "properties": {"id": {"kind": "integer", "required": true}}}"#)
        let run = try await runShell(
            """
            cd "$1"; mkfifo pipe
            "$0" \(command) 2> errors & tool=$!
            sleep 1
            kill -\(signal) $tool
            ( sleep 60; kill -KILL $tool ) > /dev/null 2>&1 & watch=$!
            wait $tool; echo "status $?"
            kill $watch
            """, [folder.path])
        #expect(run.outputLines.first == (signal == "TERM" ? "status 143" : "status 129"))
    }

    @Test(arguments: [1, 2]) func aPipeIsReadWhenItsWriterComes(count: Int) async throws {
        let run = try await runShell(
            """
            cd "$1"; mkfifo pipe
            "$0" decode --schemas Note.json --model Note --lines pipe & tool=$!
            sleep 0.3
            exec 3> pipe
            sleep 0.3
            for number in $(seq \(count)); do echo "{\\"id\\": $number}" >&3; sleep 0.3; done
            exec 3>&-
            wait $tool; echo "status $?"
            """, [folder.path])
        #expect(run.outputLines == (1...count).map { "{\"id\":\($0)}" } + ["status 0"])
    }

    /// The next run in the folder removes what killed ones left.
    @Test(arguments: ["infer -o New --name Note in", "import --json-schema -o New contract", "generate Note.json -o ."])
    func aRunRemovesTheFoldersOfKilledOnes(command: String) async throws {
        defer { withExtendedLifetime(folder) {} }
        try folder.write("in", #"{"id": 1}"#)
        try folder.write(
            "contract",
            #"{"title": "Note", "type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}"#)
        let run = try await runShell(
            """
            cd "$1"; mkdir .pallium-0123456789abcdef; echo x > .pallium-0123456789abcdef/Note.json
            "$0" \(command) || exit
            ls -A | grep pallium-
            """, [folder.path])
        #expect(run.status == 1 && run.output.isEmpty, "\(run)")
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
