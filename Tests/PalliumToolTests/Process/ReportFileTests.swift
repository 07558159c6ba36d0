import Foundation
import TestSupport
import Testing

/// The files that `pallium import` writes.
@Suite struct ReportFileTests {
    /// As of the rejects of `decode`: one of the two would be lost.
    @Test(arguments: ["one.json", "./one.json"])
    func theReportAndTheSchemasAreTwoFiles(_ report: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.json", #"{"title": "A", "type": "object", "properties": {"a": {"not": {"const": 1}}}}"#)
        let run = try await runShell(
            #"cd "$1" && "$0" import --json-schema --report \#(report) -o one.json a.json"#, [folder.path])
        #expect(run.status == 2, "\(run)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/one.json"))
    }
}
