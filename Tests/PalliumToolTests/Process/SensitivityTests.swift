import Foundation
import TestSupport
import Testing

/// The tool masks values with labels wherever nobody asked for them, and leaves them out of documents on request.
@Suite struct SensitivityTests {
    private let folder: TemporaryFolder
    private let schemas: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        schemas = try TemporaryFolder()
        try schemas.write("Person.json", Self.schema)
    }

    private static let schema = """
        [{"name": "Person", "identity": ["id"], "properties": {
           "id": {"kind": "integer", "required": true}, "note": {"kind": "string"},
           "mail": {"kind": "string", "labels": ["pii", "mail"], "json": "contact.mail", "maxLength": 20},
           "pin": {"kind": "integer", "labels": ["secret"], "default": 7361},
           "codes": {"kind": "dictionary", "of": {"kind": "integer"}, "labels": ["pii"]},
           "card": {"kind": "model", "model": "Card", "labels": ["pii"]},
           "friend": {"kind": "model", "model": "Person"}}},
         {"name": "Card", "properties": {"number": {"kind": "string", "maxLength": 12}}}]
        """
    private static let marks = ["zqxv", "7361"]
    private static let good =
        #"{"id":1,"contact":{"mail":"zqxv@b.c"},"pin":7361,"codes":{"zqxv":7361},"card":{"number":"zqxv"}}"#
    private static let other =
        #"{"id":1,"contact":{"mail":"zqxv@d.e"},"pin":73611,"codes":{"zqxv2":7361},"card":{"number":"zqxv2"}}"#
    private static let bad = [
        #"{"id":1, "contact": {"mail": 7361}, "note": "seen"}"#, #"{"id":2,"contact":"zqxv","pin":"zqxv"}"#,
        #"{"id":3,"codes":{"zqxv":"zqxv"}}"#, #"{"id":4,"card":{"number":7361}}"#,
        #"{"id":5,"friend":{"id":6,"card":{"number":"zqxvzqxvzqxvzqxv"},"pin":7361.5}}"#,
        #"{"id":7,"pin":73x61}"#, #"{"id":8,"contact":{"mail":"zqxv"#, #"[{"id":9,"pin":"zqxv"}]"#,
        #"{"id":10,"pin":"zqxv","pin":7361,"card":[{"number":7361}]}"#,
    ]

    private func run(_ command: String, _ more: [String], input: String = "") async throws -> ToolRun {
        let model = ["unarchive", "inspect", "check"].contains(command) ? [] : ["--model", "Person"]
        let schemas = ["inspect", "check"].contains(command) ? [] : ["--schemas", schemas.path]
        return try await runTool([command] + schemas + model + more, input: Array(input.utf8))
    }

    private func expectClean(_ text: String, _ what: String) {
        for mark in Self.marks where text.contains(mark) { Issue.record("\(what): \(text.prefix(600))") }
    }

    private func expectClean(_ run: ToolRun, _ what: String) { expectClean(run.output + run.errors, what) }

    @Test(.threat(.secretsInErrors)) func problemsTellNoValue() async throws {
        for options in [
            ["--collect"], ["--collect", "--errors", "json"], ["--quiet"], ["--quiet", "--errors", "json"],
        ] {
            let run = try await run(
                "decode",
                ["--lines", "--redact", "pii,secret"].filter { options[0] != "--quiet" || $0 == "--lines" }
                    + options + ["-"], input: Self.bad.joined(separator: "\n"))
            #expect(run.status == 1)
            // What a document says beside its labels was asked for.
            expectClean(run.errors + (options[0] == "--quiet" ? run.output : ""), "\(options)")
        }
        for document in Self.bad {
            expectClean(try await run("show", ["-"], input: document), "show")
        }
    }

    @Test(.threat(.secretsInErrors)) func rejectsAreMasked() async throws {
        let path = folder.path + "/rejects"
        let input = Self.bad.joined(separator: "\n")
        _ = try await run("decode", ["--lines", "--rejects", path, "-"], input: input)
        let rejects = try folder.read("rejects")
        expectClean(rejects, "rejects")
        let texts = try rejects.split(separator: "\n").map { try object(String($0))["text"] as? String }
        #expect(
            texts == [
                #"{"id":1, "contact": {"mail": "•••"}, "note": "seen"}"#, #"{"id":2,"contact":"•••","pin":"•••"}"#,
                #"{"id":3,"codes":"•••"}"#, #"{"id":4,"card":"•••"}"#,
                #"{"id":5,"friend":{"id":6,"card":"•••","pin":"•••"}}"#, nil, nil, #"[{"id":9,"pin":"•••"}]"#,
                #"{"id":10,"pin":"•••","pin":"•••","card":"•••"}"#,
            ])
        _ = try await run("decode", ["--lines", "--rejects", path, "--unmasked", "-"], input: input)
        let unmasked = try folder.read("rejects").split(separator: "\n").map {
            try object(String($0))["text"] as? String
        }
        #expect(unmasked == Self.bad)
    }

    @Test func rejectsAreAsTheyCameIfThereAreNoLabels() async throws {
        let file = try folder.write("Note.json", #"{"name": "Note", "properties": {"id": {"kind": "integer"}}}"#)
        _ = try await runTool(
            ["decode", "--schemas", file, "--model", "Note", "--lines", "--rejects", folder.path + "/r", "-"],
            input: Array("{\"id\": x}\n{\"id\": \"x\"}".utf8))
        let texts = try folder.read("r").split(separator: "\n").map { try object(String($0))["text"] as? String }
        #expect(texts == [#"{"id": x}"#, #"{"id": "x"}"#])
    }

    @Test(.threat(.secretsInErrors)) func nothingThatPeopleReadTellsAValue() async throws {
        let (good, other) = (try folder.write("good.json", Self.good), try folder.write("other.json", Self.other))
        let edited = try folder.write("edited.json", Self.good.replacing("@b.c", with: "@x.y"))
        let archive = folder.path + "/people.pallium"
        #expect(try await run("archive", ["--output", archive, good]).status == 0)
        expectClean(try await run("show", [good]), "show")
        expectClean(try await run("diff", [good, other]), "diff")
        expectClean(try await run("inspect", [archive]), "inspect")
        let merged = try await run("merge", ["--local", edited, "--redact", "pii,secret", good, other])
        #expect(merged.status == 1)
        expectClean(merged, "merge")
        let lines = try folder.write("bad.nd", Self.bad.joined(separator: "\n"))
        for format in ["text", "json"] {
            let run = try await run("drift", ["--lines", "--format", format, lines])
            #expect(run.status == 1)
            expectClean(run, "drift")
        }
        expectClean(try await run("check", ["--explain", schemas.path]), "check")
        for format in ["--markdown", "--html"] {
            expectClean(try await runTool(["export", format, schemas.path]), "export")
        }
    }

    @Test func documentsAreRedacted() async throws {
        func decode(_ redact: String, _ more: String...) async throws -> ToolRun {
            try await run("decode", ["--redact", redact] + more + ["-"], input: Self.good)
        }
        #expect(
            try await decode("pii,secret=drop").output
                == #"{"id":1,"contact":{"mail":"•••"},"codes":"•••","card":"•••"}"# + "\n")
        #expect(try await decode("pii=drop,secret=drop", "--lines").output == "{\"id\":1}\n")
        let key = try folder.write("key", "secret key")
        let hashed = try await decode("pii=hash,secret=drop", "--redact-key", key, "--only", "mail")
        #expect(
            hashed.output == (try await decode("pii=hash", "--redact-key", key, "--only", "mail", "--lines").output))
        #expect(hashed.output.wholeMatch(of: #/\{"contact":\{"mail":"[0-9a-f]{64}"\}\}\n/#) != nil)
        #expect(try await decode("pii=hash", "--only", "mail").output != hashed.output)
        let archive = folder.path + "/people.pallium"
        let good = try folder.write("good.json", Self.good)
        _ = try await run("archive", ["--output", archive, good])
        let opened = try await run("unarchive", ["--redact", "pii=drop,secret", archive])
        #expect(opened.output == #"{"id":1,"pin":"•••"}"# + "\n")
    }

    @Test(arguments: [
        (["--redact", "pi"], #"--redact: no property has the label "pi"; did you mean pii?"#),
        (["--redact", "pii=wipe"], "--redact needs labels, each with mask, drop or hash"),
        (["--redact", "pii,pii=drop"], "--redact names pii twice"),
        (["--redact-key", "x"], "--redact-key needs --redact LABEL=hash"),
        (["--redact", "pii=hash", "--redact-key", "/dev/null"], "--redact-key: /dev/null is empty"),
        (["--lines", "--original", "--redact", "pii"], "--original and --redact exclude each other"),
        (["--unmasked"], "--unmasked needs --rejects FILE"),
    ])
    func wrongArgumentsAreRefused(arguments: [String], message: String) async throws {
        let run = try await run("decode", arguments + ["-"], input: Self.good)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
