import Foundation
import TestSupport
import Testing

/// Archives whose models are not as the schemas of today want them.
@Suite struct UnarchiveTests {
    private let notes: NoteSchema
    private var schemas: String { notes.folder.path + "/Note.json" }

    init() throws { notes = try NoteSchema() }

    /// Archives a document with the schema of yesterday.
    private func archive(_ document: String, as name: String = "notes.pallium") async throws -> String {
        let path = notes.folder.path + "/" + name
        try notes.folder.write(
            "Note.json", #"{"name": "Note", "properties": {"id": {"kind": "integer"}, "text": {"kind": "string"}}}"#)
        let run = try await notes.run("archive", "--output", path, "-", input: document)
        #expect(run.status == 0, "\(run.errors)")
        try notes.folder.write(
            "Note.json",
            #"{"name": "Note", "properties": {"id": {"kind": "integer"}, "text": {"kind": "string", "required": true}}}"#
        )
        return path
    }

    private func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    private func unarchive(_ more: String..., input: [UInt8] = []) async throws -> ToolRun {
        defer { withExtendedLifetime(notes) {} }
        return try await runTool(["unarchive", "--schemas", schemas] + more, input: input)
    }

    private static let first = #"{"id":1,"text":"a"}"#
    private static let incomplete = #"{"id":2}"#
    private static let problem = #"expected a string for the required property "text" but found none"#

    @Test func theFirstProblemEndsTheRun() async throws {
        let good = try await archive(Self.first, as: "good.pallium")
        let bad = try await archive("[\(Self.first),\(Self.incomplete)]")
        let run = try await unarchive(good, bad, good)
        #expect(run.output == Self.first + "\n")
        #expect(run.errorLines.count == 1)
        #expect(run.errorLines.first?.hasPrefix("\(bad): expected ") == true)
        #expect(run.errorLines.first?.hasSuffix(" at /objects/1/text") == true, "\(run.errors)")
        #expect(run.status == 1)
    }

    @Test func collectingWritesWhatCanBeOpened() async throws {
        let good = try await archive(Self.first, as: "good.pallium")
        let bad = try await archive("[\(Self.incomplete),\(Self.first),\(Self.incomplete)]")
        let run = try await unarchive("--collect", good, bad, good)
        #expect(run.outputLines == [Self.first, "[\(Self.first)]", Self.first])
        #expect(run.errorLines.count == 2 && run.errorLines.allSatisfy { $0.hasPrefix("\(bad): expected ") })
        #expect(run.status == 1)
        #expect(try await unarchive("--collect", good).status == 0)
    }

    @Test func moreProblemsAreListedThanPeopleRead() async throws {
        let path = try await archive("[\(Array(repeating: Self.incomplete, count: 1500).joined(separator: ","))]")
        let run = try await unarchive("--collect", path)
        #expect(run.errorLines.count == 1500)
        #expect(run.output == "[]\n")
    }

    /// The archive decides about the shape, not what is left of it.
    @Test func whatIsWrittenHasTheShapeOfTheArchive() async throws {
        for (document, output) in [
            ("[\(Self.first),\(Self.incomplete)]", ["[\(Self.first)]"]),
            ("[\(Self.incomplete),\(Self.incomplete)]", ["[]"]), ("[]", ["[]"]), (Self.incomplete, []),
            ("[\(Self.first)]", [Self.first]),
        ] {
            let path = try await archive(document)
            #expect(try await unarchive("--collect", path).outputLines == output, "\(document)")
        }
        let good = try await archive(Self.first, as: "good.pallium")
        let damaged = try notes.folder.write("damaged.pallium", "[]")
        let run = try await unarchive("--collect", damaged, good)
        #expect(run.outputLines == [Self.first])
        #expect(run.errorLines == ["\(damaged): expected an archive but found bytes that begin otherwise"])
        #expect(run.status == 1)
    }

    @Test func reportsNameTheInputAsEverywhere() async throws {
        let path = try await archive("[\(Self.first),\(Self.incomplete)]", as: "red\u{1B}[31m.pallium")
        let run = try await unarchive("--collect", path)
        #expect(run.errorLines.first?.hasPrefix("\(notes.folder.path)/red\\u{1b}[31m.pallium: expected ") == true)
        #expect(!run.errors.contains("\u{1B}"))
        let piped = try await unarchive("--collect", "-", input: bytes(path))
        #expect(piped.errorLines.first?.hasPrefix("<stdin>: expected ") == true)
        #expect(piped.output == "[\(Self.first)]\n")
    }

    @Test func withoutValidationModelsAreWrittenAsTheyAre() async throws {
        let path = try await archive("[\(Self.first),\(Self.incomplete)]")
        let run = try await unarchive("--validation", "none", path)
        #expect(run.output == "[\(Self.first),\(Self.incomplete)]\n")
        #expect(run.errors.isEmpty && run.status == 0)
        #expect(try await unarchive("--validation", "none", "--collect", path) == run)
        #expect(try await unarchive("--validation=enforce", path).status == 1)
        let one = try await archive(Self.incomplete)
        #expect(try await unarchive("--validation", "none", one).output == Self.incomplete + "\n")
    }

    @Test func upgradesLeaveInvalidModelsAloneUnlessToldNotTo() async throws {
        let path = try await archive("[\(Self.first),\(Self.incomplete)]")
        try notes.folder.write(
            "Note.json",
            """
            {"name": "Note", "version": 2,
             "properties": {"id": {"kind": "integer"}, "body": {"kind": "string", "required": true}},
             "upgrades": [{"from": 1, "rename": {"text": "body"}}]}
            """)
        let before = try bytes(path)
        let refused = try await runTool(["upgrade", "--schemas", schemas, path])
        #expect(refused.errorLines.count == 1 && refused.errorLines.first?.hasPrefix("\(path): expected ") == true)
        #expect(refused.status == 1)
        #expect(try bytes(path) == before)
        let run = try await runTool(["upgrade", "--schemas", schemas, "--validation", "none", path])
        #expect(run.errorLines == ["pallium: \(path): upgraded, 2 models"])
        #expect(run.status == 0)
        #expect(
            try await unarchive("--validation", "none", path).output == #"[{"id":1,"body":"a"},{"id":2}]"# + "\n")
    }
}
