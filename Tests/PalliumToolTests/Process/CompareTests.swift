import Foundation
import TestSupport
import Testing

@Suite struct CompareTests {
    private func compare(_ old: String, _ new: String, _ options: String...) async throws -> ToolRun {
        let (before, after) = (try TemporaryFolder(), try TemporaryFolder())
        try before.write("Ticket.json", old)
        try after.write("Ticket.json", new)
        defer { withExtendedLifetime((before, after)) {} }
        return try await runTool(["compare"] + options + [before.path, after.path])
    }

    private let plain = #"{"name": "Ticket", "properties": {"title": {"kind": "string"}}}"#
    private let limited = #"{"name": "Ticket", "properties": {"title": {"kind": "string", "maxLength": 1}}}"#

    @Test func aBreakingChangeIsPrintedWithItsWitness() async throws {
        let run = try await compare(plain, limited)
        #expect(
            run.outputLines == [
                "Ticket.title: maxLength-added, 1",
                "  breaking: new schemas read old documents and archives: expected text of at most 1 character "
                    + #"but found "aa", which has 2 at /title"#,
                #"    a Ticket: {"title":"aa"}"#,
            ])
        #expect(run.errors == "pallium: 1 change: 1 breaking, 0 lossy, 0 harmless\n")
        #expect(run.status == 1)
    }

    @Test func theWitnessBreaks() async throws {
        let run = try await compare(plain, limited)
        let witness = try #require(run.outputLines.last?.split(separator: ": ", maxSplits: 1).last)
        let folder = try TemporaryFolder()
        for (schema, status) in [(plain, 0), (limited, 1)] {
            try folder.write("Ticket.json", schema)
            let decoded = try await runTool(
                ["decode", "--schemas", folder.path, "--model", "Ticket", "-"], input: String(witness))
            #expect(decoded.status == status)
        }
    }

    @Test func oneDirectionCanBeChosen() async throws {
        let forward = try await compare(plain, limited, "--direction", "forward")
        #expect(forward.outputLines == ["Ticket.title: maxLength-added, 1"])
        #expect(forward.status == 0)
        #expect(try await compare(plain, limited, "--direction", "backward").status == 1)
    }

    @Test func equalSchemasHaveNoChanges() async throws {
        let run = try await compare(plain, plain)
        #expect(run.output == "")
        #expect(run.errors == "pallium: no changes\n")
        #expect(run.status == 0)
    }

    @Test func badSchemasAreMisuse() async throws {
        let run = try await compare(plain, #"{"name": "Ticket", "properties": {"title": {"kind": "text"}}}"#)
        #expect(run.output == "")
        #expect(run.errors.contains("Ticket.json:1:"))
        #expect(run.status == 2)
    }

    @Test func opaquePropertiesAreLeftOutAndNamed() async throws {
        let opaque = #"{"name": "Ticket", "properties": {"place": {"kind": "Point"}, "title": {"kind": "string"}}}"#
        let edited = opaque.replacing(#""string""#, with: #""string", "required": true"#)
        let run = try await compare(opaque, edited, "--opaque-transformers")
        #expect(run.output.contains(#"a Ticket: {}"#))
        #expect(run.errors.contains("Ticket.place"))
        #expect(run.status == 1)
        #expect(try await compare(opaque, edited).status == 2)
    }
}
