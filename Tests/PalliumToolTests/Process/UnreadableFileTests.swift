import TestSupport
import Testing

/// A file that cannot be read is named, and ends the run where a problem would.
@Suite struct UnreadableFileTests {
    private func decode(_ options: [String]) async throws -> (run: LinesRun, folder: String) {
        let notes = try NoteSchema()
        let files = try [
            notes.folder.write("first", "{\"id\":1}"), "nowhere", notes.folder.path,
            notes.folder.write("last", "{\"id\":2}"),
        ]
        return (try await notes.decodeLines(options, files), notes.folder.path)
    }

    @Test(arguments: [["--collect"], ["--collect", "--jobs", "8"], ["--rejects"], ["--original", "--collect"]])
    func aRunThatGoesOnAfterProblemsReadsTheOthers(options: [String]) async throws {
        let (run, folder) = try await decode(options)
        #expect(run.outputLines == [#"{"id":1}"#, #"{"id":2}"#])
        #expect(
            run.errorLines == [
                "pallium: cannot read nowhere: No such file or directory",
                "pallium: cannot read \(folder): Is a directory",
                "pallium: 2 models (2 Note), 16 bytes in TIME, no problems",
            ])
        #expect(run.status == 2)
    }

    @Test(arguments: [[], ["--jobs", "8"], ["--original"], ["--unordered"]])
    func otherwiseTheRunEnds(options: [String]) async throws {
        let run = try await decode(options).run
        #expect(run.outputLines == [#"{"id":1}"#])
        #expect(
            run.errorLines == [
                "pallium: cannot read nowhere: No such file or directory",
                "pallium: 1 model (1 Note), 8 bytes in TIME, no problems",
            ])
        #expect(run.status == 2)
    }

    @Test func aVerdictIsAboutWhatCouldBeRead() async throws {
        let run = try await decode(["--quiet", "--errors", "json"]).run
        let verdict = try object(run.output)
        #expect(verdict["documents"] as? Int == 2 && verdict["bytes"] as? Int == 16)
        #expect(try run.errorLines.map { try object($0)["code"] as? String } == ["unreadableFile", "unreadableFile"])
        #expect(run.status == 2)
    }
}
