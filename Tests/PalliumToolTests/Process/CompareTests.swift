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
        #expect(run.errors == "pallium: 1 change: 1 breaking, 0 unproved, 0 lossy, 0 harmless\n")
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

    @Test func breakingChangesAreFirstAndCanStandAlone() async throws {
        let old = """
            {"name": "Ticket", "doc": "A ticket.", "properties": {
              "note": {"kind": "string"}, "title": {"kind": "string", "doc": "Short."}}}
            """
        let new = """
            {"name": "Ticket", "doc": "One ticket.", "properties": {
              "title": {"kind": "string", "maxLength": 1}}}
            """
        let places = { (run: ToolRun) in run.outputLines.filter { !$0.hasPrefix(" ") } }
        let all = try await compare(old, new)
        #expect(
            places(all) == [
                "Ticket.title: maxLength-added, 1", "Ticket.note: property-removed", "2 texts of doc changed",
            ])
        let breaking = try await compare(old, new, "--breaking-only")
        #expect(places(breaking) == ["Ticket.title: maxLength-added, 1"])
        #expect(breaking.outputLines == Array(all.outputLines.prefix(3)))
        #expect(breaking.errors == "pallium: 4 changes: 1 breaking, 0 unproved, 1 lossy, 2 harmless\n")
        #expect([all.status, breaking.status] == [1, 1])
    }

    @Test func anUnprovedChangeIsAProblemUnlessItIsAllowed() async throws {
        let dates = plain.replacing(#""string""#, with: #""string", "format": "date""#)
        let counted = plain.replacing(#""string""#, with: #""string", "format": "date", "minLength": 10"#)
        let run = try await compare(dates, counted, "--direction", "backward")
        #expect(
            run.outputLines == [
                "Ticket.title: minLength-added, 10",
                "  unproved: new schemas read old documents and archives: no document was found that breaks, "
                    + "and no proof",
            ])
        #expect(run.errors == "pallium: 1 change: 0 breaking, 1 unproved, 0 lossy, 0 harmless\n")
        #expect(run.status == 1)
        let allowed = try await compare(dates, counted, "--direction", "backward", "--allow-unproved")
        #expect(allowed.output == run.output)
        #expect(allowed.errors == run.errors)
        #expect(allowed.status == 0)
        // Only what is unproved is allowed.
        #expect(try await compare(plain, limited, "--allow-unproved").status == 1)
    }

    @Test func aStricterPatternIsPrintedWithATextThatItRefuses() async throws {
        let letters = plain.replacing(#""string""#, with: #""string", "pattern": "^[a-z]+$""#)
        let fewer = plain.replacing(#""string""#, with: #""string", "pattern": "^[a-y]+$""#)
        let run = try await compare(letters, fewer)
        #expect(run.outputLines.last == #"    a Ticket: {"title":"z"}"#)
        #expect(run.status == 1)
        #expect(try await compare(fewer, letters, "--direction", "backward").status == 0)
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
