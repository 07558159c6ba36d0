import Foundation
import TestSupport
import Testing

/// `--jsonc` and `merge --keep-format`: the sections *Documents* and *Differences and merges* of the article *CommandLine*.
@Suite struct CommentedInputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("S"), withIntermediateDirectories: false)
        try folder.write(
            "S/Settings.json",
            """
            // Schema documents may always have comments.
            [{"name": "Settings", "properties": {
              "theme": {"kind": "string"}, /* in points */ "zoom": {"kind": "double"},
              "recent": {"kind": "array", "of": {"kind": "string"}},
            }}, {"name": "Person", "identity": ["id"], "properties": {"id": {"kind": "integer", "required": true}}},] // end
            """)
        try folder.write(
            "base.jsonc",
            "// Head\n{\n  \"theme\": \"dark\", // or \"light\"\n  \"zoom\": 1.50,\n  \"other\": [1,], /* kept */\n}\n// Foot\n"
        )
        try folder.write("plain.json", #"{"theme": "dark", "zoom": 1.5}"#)
    }

    /// Runs a shell script in the folder, in which `$0` is the tool and `$S` chooses the schema.
    private func shell(_ script: String) async throws -> ToolRun {
        defer { withExtendedLifetime(folder) {} }
        return try await runShell(#"cd "$1" && S="--schemas S --model Settings" && \#(script)"#, [folder.path])
    }

    // MARK: Reading

    @Test(arguments: [
        (#""$0" decode $S --jsonc base.jsonc"#, #"{"theme":"dark","zoom":1.5}"#),
        (#""$0" decode $S --jsonc - < base.jsonc"#, #"{"theme":"dark","zoom":1.5}"#),
        (#""$0" decode $S --jsonc --unknown keep base.jsonc"#, #"{"theme":"dark","zoom":1.5,"other":[1]}"#),
        (#""$0" merge $S --jsonc base.jsonc base.jsonc"#, #"{"theme":"dark","zoom":1.5}"#),
        (#""$0" show $S --jsonc base.jsonc"#, "Settings\n  theme: \"dark\"\n  zoom: 1.5"),
        (#""$0" archive $S --jsonc -o a base.jsonc && "$0" unarchive --schemas S a"#, #"{"theme":"dark","zoom":1.5}"#),
        (#""$0" diff $S --jsonc base.jsonc plain.json"#, ""), (#""$0" diff $S --jsonc plain.json base.jsonc"#, ""),
        (#""$0" diff --jsonc plain.json base.jsonc"#, #"[{"op":"add","path":"/other","value":[1]}]"#),
        // The option accepts comments; it asks for none.
        (#""$0" decode $S --jsonc plain.json"#, #"{"theme":"dark","zoom":1.5}"#),
    ])
    func commentsAreWhiteSpace(script: String, output: String) async throws {
        let run = try await shell(script)
        #expect(run.status == 0 && run.output.trimmingCharacters(in: .newlines) == output, "\(run)")
    }

    @Test(arguments: [
        "decode $S", "merge $S plain.json", "show $S", "archive $S -o a", "diff plain.json", "diff $S plain.json",
    ])
    func commentsAreRefusedWithoutTheOption(_ command: String) async throws {
        let run = try await shell(#""$0" \#(command) base.jsonc"#)
        #expect(run.status == 1 && run.errors.contains("base.jsonc:1:1: "), "\(run)")
    }

    @Test(arguments: ["decode", "show", "archive -o a"])
    func linesHaveNoComments(_ command: String) async throws {
        let run = try await shell(#""$0" \#(command) $S --jsonc --lines base.jsonc"#)
        #expect(run.status == 2 && run.errors.contains("--jsonc and --lines"), "\(run)")
    }

    // MARK: Problems

    @Test(arguments: [
        ("{\"zoom\": /*é*/ \"x\"}", "1:17: expected a number but found \"x\" at /zoom"),
        ("// a\r\n/* b\n*/ {\"recent\": [\"a\", 1,]}", "3:21: expected a string but found the number 1 at /recent/1"),
        ("{\"recent\": [\"a\",,]}", "1:17: expected a value but found ',' at /recent/1"),
        ("// nothing\n", "2:1: expected a value but found the end of the text at the root"),
        ("{} /* open", "1:4: expected the end of the text but found '/' at the root"),
        ("{\"zoom\": 1 / 2}", "1:12: expected ',' or '}' but found '/' at the root"),
        (
            "{} // a\n{}",
            "2:1: expected the end of the text but found another document in the next line (JSON lines?) at the root"
        ),
    ])
    func aProblemIsAtItsLineAndColumn(text: String, message: String) async throws {
        try folder.write("bad.jsonc", text)
        let run = try await shell(#""$0" decode $S --jsonc bad.jsonc"#)
        #expect(run.status == 1 && run.errorLines.first == "bad.jsonc:\(message)", "\(run)")
    }

    /// Elements of arrays above 4 MiB are decoded one by one.
    @Test func commentsInALargeArray() async throws {
        let elements = (0..<40_000).map {
            "  // \($0) [ \"\n  /* ] } */ {\"id\": /* \(String(repeating: "x", count: 80)) */ \($0), // \"}\n  },\n"
        }
        try folder.write("large.jsonc", "/* head */ [ // first\n" + elements.joined() + "] // end")
        let run = try await shell(#""$0" decode --schemas S --model Person --jsonc large.jsonc"#)
        #expect(run.status == 0)
        #expect(run.output == "[" + (0..<40_000).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]\n")
        try folder.write(
            "large.jsonc",
            "[\n" + elements.joined().replacing(" 39999, //", with: " true, //") + "]")
        let bad = try await shell(#""$0" decode --schemas S --model Person --jsonc large.jsonc"#)
        #expect(
            bad.status == 1
                && bad.errorLines.first?.hasSuffix("expected an integer but found true at /39999/id") == true,
            "\(bad.errors)")
        #expect(bad.errorLines.first?.hasPrefix("large.jsonc:\(39_999 * 3 + 3):") == true, "\(bad.errors)")
    }

    // MARK: Keeping the format

    @Test func theTextOfTheFirstFileStays() async throws {
        let base = try folder.read("base.jsonc")
        try folder.write("change.jsonc", "{\"theme\": \"light\", /* new */ \"recent\": [\"a\"],}")
        let run = try await shell(#""$0" merge $S --keep-format --jsonc base.jsonc change.jsonc"#)
        #expect(run.status == 0)
        #expect(
            run.output
                == base.replacing("dark", with: "light").replacing(
                    "/* kept */\n", with: "/* kept */\n  \"recent\": [\n    \"a\"\n  ],\n"))
        let none = try await shell(#"echo '{}' | "$0" merge $S --keep-format --jsonc base.jsonc -"#)
        #expect(none.output == base && none.status == 0)
        let same = try await shell(#""$0" merge $S --keep-format --jsonc -o base.jsonc base.jsonc base.jsonc"#)
        #expect(same.status == 0 && same.output.isEmpty)
        #expect(try folder.read("base.jsonc") == base)
    }

    @Test func aConflictIsReportedAndTheFormatKept() async throws {
        try folder.write("local.jsonc", "{\"theme\": \"mine\", /* \"zoom\": 2 */ \"zoom\": 1.5}")
        try folder.write("new.json", #"{"theme": "theirs", "zoom": 3}"#)
        let run = try await shell(#""$0" merge $S --keep-format --jsonc --local local.jsonc base.jsonc new.json"#)
        #expect(run.status == 1 && run.errors.contains("/theme"), "\(run)")
        #expect(
            run.output.hasPrefix("// Head\n{\n  \"theme\": \"mine\", // or \"light\"\n  \"zoom\": 3,\n"),
            "\(run.output)")
    }

    @Test(arguments: ["--pretty", "--redact pii"])
    func theFormatIsThatOfTheFirstFile(_ option: String) async throws {
        let run = try await shell(#""$0" merge $S --keep-format --jsonc \#(option) base.jsonc plain.json"#)
        #expect(run.status == 2 && run.errors.contains("--keep-format"), "\(run)")
    }

    @Test func keepingTheFormatNeedsNoComments() async throws {
        try folder.write("spaced.json", "{\r\n\t\"theme\" :\"dark\" , \"x\" : [ 1,2 ]\r\n}")
        let run = try await shell(#"echo '{"theme": "light", "zoom": 2}' | "$0" merge $S --keep-format spaced.json -"#)
        #expect(
            run.output.hasPrefix("{\r\n\t\"theme\" :\"light\" , \"x\" : [ 1,2 ]") && run.status == 0,
            "\(run.output.debugDescription)")
        let refused = try await shell(#""$0" merge $S --keep-format base.jsonc plain.json"#)
        #expect(refused.status == 1 && refused.output.isEmpty)
    }
}
