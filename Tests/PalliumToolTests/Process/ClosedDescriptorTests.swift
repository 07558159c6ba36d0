import TestSupport
import Testing

/// The section *Output* of the article *CommandLine*: what happens if a standard descriptor is closed.
@Suite struct ClosedDescriptorTests {
    private let notes: NoteSchema
    private var folder: TemporaryFolder { notes.folder }

    init() throws { notes = try NoteSchema() }

    /// The first file that the tool opens would get the number of the closed descriptor, and messages with it.
    @Test(arguments: ["2>&-", "2>&- 1>&-", "0<&- 2>&-", "0<&- 1>&- 2>&-"])
    func messagesDoNotGetIntoTheOutput(closed: String) async throws {
        try folder.write("in", #"{"id": 1}"#)
        let run = try await notes.runShell(
            #"cd "$3"; "$0" "$@" -o out in \#(closed); echo "status $?" > status"#
                .replacing(#""$@""#, with: #""$1" "$2" "$3" "$4" "$5""#), "decode")
        #expect(run.status == 0)
        #expect(try folder.read("status") == "status 0\n")
        #expect(try folder.read("out") == "{\"id\":1}\n")
    }

    @Test(arguments: ["2>&-", "0<&- 2>&-"]) func anArchiveIsWhole(closed: String) async throws {
        try folder.write("in", #"{"id": 1}"#)
        let run = try await notes.runShell(
            #"cd "$3"; "$0" "$1" "$2" "$3" "$4" "$5" -o out in \#(closed) && "$0" unarchive --schemas "$3" out"#,
            "archive")
        #expect(run.output == "{\"id\":1}\n")
        #expect(run.status == 0)
    }

    /// Results that cannot be written are no success.
    @Test func resultsWithoutStandardOutputAreAnError() async throws {
        try folder.write("in", #"{"id": 1}"#)
        let run = try await notes.runShell(#"cd "$3"; "$0" "$1" "$2" "$3" "$4" "$5" in 1>&-"#, "decode")
        #expect(run.status == 2)
        #expect(run.errors.contains("cannot write standard output"), "\(run.errors)")
    }

    @Test func aClosedStandardInputCannotBeRead() async throws {
        let run = try await notes.runShell(#""$0" "$@" - 0<&-"#, "decode")
        #expect(run.status == 2)
        #expect(run.errors.contains("cannot read <stdin>"), "\(run.errors)")
    }
}
