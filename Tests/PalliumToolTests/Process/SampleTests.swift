import Foundation
import TestSupport
import Testing

@Suite struct SampleTests {
    private func run(_ arguments: String..., schema: String, input: String = "") async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write("Schema.json", schema)
        defer { withExtendedLifetime(folder) {} }
        return try await runTool(arguments.map { $0 == "DIR" ? folder.path : $0 }, input: input)
    }

    private let flag = #"{"name": "Flag", "properties": {"on": {"kind": "bool", "required": true}}}"#

    @Test func samplesAreLinesAndCoverEveryChoice() async throws {
        let run = try await run("sample", "DIR", "--model", "Flag", schema: flag)
        #expect(run.outputLines == [#"{"on":true}"#, #"{"on":false}"#])
        #expect(run.errors.isEmpty)
        #expect(run.status == 0)
    }

    @Test func countAndSeedAreTaken() async throws {
        let notes = #"{"name": "Note", "properties": {"text": {"kind": "string"}, "size": {"kind": "integer"}}}"#
        let first = try await run("sample", "DIR", "--model", "Note", "--count", "30", "--seed", "5", schema: notes)
        #expect(first.outputLines.count == 30)
        #expect(
            try await run("sample", "DIR", "--model", "Note", "--count", "30", "--seed", "5", schema: notes) == first)
        #expect(
            try await run("sample", "DIR", "--model", "Note", "--count", "30", "--seed", "6", schema: notes) != first)
    }

    @Test func invalidSamplesComeWithTheirErrors() async throws {
        let run = try await run("sample", "DIR", "--model", "Flag", "--invalid", schema: flag)
        #expect(
            run.outputLines == [
                #"{"document":{},"expected":{"code":"missingProperty","pointer":""}}"#,
                #"{"document":{"on":null},"expected":{"code":"nullNotAllowed","pointer":"/on"}}"#,
                #"{"document":{"on":7},"expected":{"code":"typeMismatch","pointer":"/on"}}"#,
                #"{"document":{"on":true,"unknownMember":true},"expected":{"code":"unknownMember","pointer":"/unknownMember"}}"#,
            ])
        #expect(run.status == 0)
    }

    @Test func samplesCanBeDecoded() async throws {
        let samples = try await runTool(["sample", "Schemas/github", "--model", "Issue", "--count", "5"])
        let decoded = try await runTool(
            ["decode", "--schemas", "Schemas/github", "--model", "Issue", "--lines", "--unknown", "refuse", "-"],
            input: samples.output)
        #expect(decoded.status == 0)
        #expect(decoded.outputLines.count == 5)
    }

    @Test func opaquePropertiesAreLeftOutAndNamed() async throws {
        let event = #"""
            {"name": "Event", "properties": {
              "on": {"kind": "bool", "required": true},
              "when": {"kind": "date", "transformer": "Chinese"}, "place": {"kind": "Point"},
              "tags": {"kind": "array", "of": {"kind": "string", "format": "tag"}}
            }}
            """#
        let run = try await run("sample", "DIR", "--model", "Event", "--opaque-transformers", schema: event)
        #expect(run.status == 0)
        #expect(
            run.errorLines
                == ["when", "place", "tags"].map {
                    "pallium: Event.\($0): has no samples: only an application knows its values; samples leave it out"
                })
        #expect(run.outputLines.allSatisfy { !$0.contains(#"":""#) && !$0.contains("[") })
        #expect(!run.outputLines.isEmpty)
        let refused = try await self.run("sample", "DIR", "--model", "Event", schema: event)
        #expect(refused.status == 2)
    }

    @Test func whatHasNoSamplesIsNamed() async throws {
        let endless = #"{"name": "A", "properties": {"a": {"kind": "model", "model": "A", "required": true}}}"#
        let run = try await run("sample", "DIR", "--model", "A", schema: endless)
        #expect(run.errorLines == ["pallium: A: requires itself without end, or models on more than 50 levels"])
        #expect(run.status == 2)
    }

    @Test func anUnknownModelIsNamed() async throws {
        let run = try await run("sample", "DIR", "--model", "Flags", schema: flag)
        #expect(run.errorLines.first?.hasSuffix("did you mean Flag?") == true)
        #expect(run.status == 2)
    }

    @Test func keptLawsAreSummedUp() async throws {
        let run = try await run("laws", "DIR", schema: flag)
        #expect(run.output.isEmpty)
        #expect(run.errorLines == ["pallium: 2 documents of 1 schema, no broken laws"])
        #expect(run.status == 0)
    }

    @Test func aBrokenLawIsReportedWithASmallDocument() async throws {
        let session = """
            {"name": "Session", "properties": {
              "user": {"kind": "string", "required": true}, "token": {"kind": "integer", "archive": "excluded"}
            }}
            """
        let run = try await run("laws", "DIR", "--model", "Session", "--count", "1", schema: session)
        #expect(
            run.outputLines == [
                "Session.token breaks the law archive: the model changes on its way through an archive "
                    + "(/token: 0 → nothing)",
                #"  a Session, seed 0: {"user":"","token":0}"#,
            ])
        #expect(run.errorLines == ["pallium: 1 document of 1 schema, 1 broken law"])
        #expect(run.status == 1)
    }
}
