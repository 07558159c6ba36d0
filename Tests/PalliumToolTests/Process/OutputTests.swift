import Foundation
import TestSupport
import Testing

@Suite struct OutputTests {
    /// More than pipes hold, so that writing must fail when nobody reads.
    static let longInput = Array((0..<50_000).map { "{\"id\": \($0), \"text\": \"some text\"}\n" }.joined().utf8)

    @Test(arguments: ["decode", "show"])
    func aReaderThatStopsEndsTheToolQuietlyWithStatus141(_ command: String) async throws {
        let run = try await NoteSchema().runShell(
            #"{ "$0" "$@"; echo "status $?" >&2; } | head -c 10"#, command, "--lines", "-", input: Self.longInput)
        #expect(run.errors == "status 141\n")
        #expect(run.output.utf8.count == 10)
    }

    @Test func theToolWorksInAPipe() async throws {
        let run = try await NoteSchema().runShell(
            #"cat | "$0" "$@" 2>/dev/null | wc -l | tr -d ' '"#, "decode", "--lines", "-", input: Self.longInput)
        #expect(run.output == "50000\n")
    }

    @Test func aClosedOutputEndsWithStatus2() async throws {
        let run = try await NoteSchema().runShell(#""$0" "$@" >&-"#, "decode", "-", input: Array(#"{"id": 1}"#.utf8))
        #expect(run.errorLines.first == "pallium: cannot write standard output: Bad file descriptor")
        #expect(run.status == 2)
    }

    @Test(.threat(.failingDisk), .needs("/dev/full", if: FileManager.default.fileExists(atPath: "/dev/full")))
    func aFullDiskEndsWithStatus2() async throws {
        let run = try await NoteSchema().runShell(
            #""$0" "$@" > /dev/full"#, "decode", "-", input: Array(#"{"id": 1}"#.utf8))
        #expect(run.errorLines.first == "pallium: cannot write standard output: No space left on device")
        #expect(run.status == 2)
    }

    @Test func aClosedStandardErrorChangesNothingElse() async throws {
        let run = try await NoteSchema().runShell(
            #""$0" "$@" 2>&-"#, "decode", "--collect", "-", input: Array(#"[{"id": 1}, {}]"#.utf8))
        #expect(run == ToolRun(status: 1, output: "[{\"id\":1}]\n", errors: ""))
    }

    @Test func aClosedStandardInputCannotBeRead() async throws {
        let run = try await NoteSchema().runShell(#""$0" "$@" <&-"#, "decode", "-")
        #expect(run.errorLines == ["pallium: cannot read <stdin>: Bad file descriptor"])
        #expect(run.status == 2)
    }
}
