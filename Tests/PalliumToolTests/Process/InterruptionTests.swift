import Foundation
import TestSupport
import Testing

/// Lines leave as soon as they are decoded, and a run that is interrupted loses none that it has read whole.
@Suite struct InterruptionTests {
    /// Sends a signal when three lines are written and a fourth has been received in part. The pipe stays open.
    private static func script(signal: String, end: String) -> String {
        """
        cd "$3" && mkfifo line && : > out || exit 3
        {
            printf '{"id":1}\\n{"id":2}\\n'
            await '[ $(wc -l < out) -ge 2 ]'
            printf '{"id":3}\\n{"id":4\(end)'
            await '[ $(wc -l < out) -ge 3 ]'
            kill -\(signal) $(cat process)
            hold_open
        } > line &
        writer=$!
        trap : \(signal)
        sh -c 'echo $$ > process; exec "$0" "$@"' "$0" "$@" < line > out
        echo "status $?"
        kill $writer
        cat out
        """
    }

    @Test(arguments: [("INT", 130), ("TERM", 143)], ["", "--jobs=1", "--jobs=8", "--unordered", "--original"])
    func anInterruptedRunEndsWithWholeLinesAndASummary(signal: (name: String, status: Int), option: String) async throws
    {
        let run = try await NoteSchema().runShell(
            Self.script(signal: signal.name, end: "}"), "decode", "--lines", option.isEmpty ? "--collect" : option, "-")
        #expect(run.outputLines == ["status \(signal.status)", #"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#])
        // The shell has a word for some signals.
        let messages = run.errorLines.filter { $0.hasPrefix("pallium: ") }
        #expect(messages == ["pallium: 3 models (3 Note), 35 bytes in TIME, no problems"])
    }

    @Test(arguments: [1, 4]) func anEndlessInputIsInterrupted(jobs: Int) async throws {
        let script = """
            cd "$3" && mkfifo line && : > out || exit 3
            yes '{"id":1,"text":"some text"}' > line 2> /dev/null &
            "$0" "$@" < line > out &
            process=$!
            await '[ -s out ]'
            kill -TERM $process
            wait $process
            echo "status $?"
            sort -u out
            tail -c 3 out
            """
        let run = try await NoteSchema().runShell(script, "decode", "--lines", "--jobs", "\(jobs)", "-")
        #expect(run.output == "status 143\n{\"id\":1,\"text\":\"some text\"}\n\"}\n")
        #expect(run.errorLines.filter { $0.hasPrefix("pallium: ") && $0.hasSuffix("no problems") }.count == 1)
    }

    /// The first signal waits for a reader that does not read.
    @Test func aSecondSignalEndsTheRunAtOnce() async throws {
        let script = """
            cd "$3" && mkfifo line out || exit 3
            yes '{"id":1,"text":"some text"}' > line 2> /dev/null &
            exec 3<> out
            "$0" "$@" < line > out &
            process=$!
            # A pipe takes no further byte when it is full.
            await '! dd if=/dev/zero of=out bs=1 count=1 oflag=nonblock 2> /dev/null'
            kill -TERM $process
            # Two signals that wait to be received are one.
            if [ -e /proc/$process/status ]; then
                await '! grep -q "^ShdPnd:.*[4-7c-f]...\\$" /proc/$process/status'
                grep "^State:.*zombie" /proc/$process/status
            else
                sleep 1
            fi
            kill -TERM $process
            wait $process
            echo "status $?"
            """
        let run = try await NoteSchema().runShell(script, "decode", "--lines", "-")
        #expect(run.output == "status 143\n")
    }

    /// Runs the tool with a pipe that stays open behind some text.
    private func runWithOpenPipe(_ text: String, _ options: [String], to reader: String = "cat") async throws -> ToolRun
    {
        let script = """
            cd "$3" && mkfifo line || exit 3
            hold_open > line &
            holder=$!
            printf '\(text)' > line &
            { "$0" "$@" \(options.joined(separator: " ")) - < line; echo "status $?" >&2; } | \(reader)
            kill $holder && echo "the pipe was open" >&2
            """
        return try await NoteSchema().runShell(script, "decode", "--lines")
    }

    @Test(arguments: [
        "", "--jobs 1", "--jobs 8", "--unordered", "--original", "--max-problems 1", "--max-problems 1 --collect",
        "--max-problems 1 --rejects rejects",
    ])
    func aProblemEndsTheRunThoughNoMoreArrives(options: String) async throws {
        let run = try await runWithOpenPipe(
            #"{"id":1}\n{"id":"x"}\n{"id":2}\n"#, options.split(separator: " ").map(String.init))
        #expect(run.output == "{\"id\":1}\n")
        #expect(run.errorLines.suffix(2) == ["status 1", "the pipe was open"])
    }

    @Test(arguments: ["", "--jobs 8", "--unordered", "--original", "--rejects rejects", "--collect --jobs 1"])
    func aReaderThatStopsEndsTheRunQuietly(options: String) async throws {
        let run = try await NoteSchema().runShell(
            #"cd "$3"; { "$0" "$@" \#(options) -; echo "status $?" >&2; } | head -c 10"#, "decode", "--lines",
            input: OutputTests.longInput)
        #expect(run.errors == "status 141\n")
        #expect(run.output.utf8.count == 10)
    }

    @Test(arguments: [
        "--jobs 1", "--jobs 2", "--jobs 8", "--original", "--collect", "--unordered", "--rejects rejects",
    ])
    func aLineLeavesBeforeTheNextArrives(options: String) async throws {
        let script = """
            cd "$3" && mkfifo line && : > out || exit 3
            "$0" "$@" \(options) - < line > out 2> errors &
            exec 3> line
            for number in 1 2 3; do
                printf '{"id":%d}\\n' $number >&3
                await '[ $(wc -l < out) -ge $number ]'
                echo "written: $(tail -n 1 out)"
            done
            exec 3>&-
            wait
            """
        let run = try await NoteSchema().runShell(script, "decode", "--lines")
        #expect(run.outputLines == (1...3).map { "written: {\"id\":\($0)}" })
    }
}
