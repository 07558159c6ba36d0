import Foundation
import Pallium
import TestSupport
import Testing

@Suite struct InferTests {
    private static let samples = #"[{"id": 1, "labels": [{"name": "a"}]}, {"id": 2, "labels": [], "html_url": null}]"#

    @Test func schemasGoToStandardOutputAndTheEvidenceToStandardError() async throws {
        let run = try await runTool(["infer", "--name", "Issue", "-"], input: Self.samples)
        let schemas = try JSONValue(parsing: run.output)
        #expect(
            schemas == [
                [
                    "name": "Issue", "doc": "Inferred from 2 objects. Identity \"id\": 2 distinct in 2.",
                    "keys": "snakeCase", "identity": "id",
                    "properties": [
                        "id": ["kind": "integer", "required": true],
                        "labels": ["kind": "array", "of": ["kind": "model", "model": "Label"], "required": true],
                        "htmlURL": ["kind": "json"],
                    ],
                ],
                [
                    "name": "Label", "doc": "Inferred from 1 object.",
                    "properties": ["name": ["kind": "string", "required": true]],
                ],
            ])
        #expect(
            run.errorLines == [
                "pallium: Issue: 2 samples, 3 properties, identity \"id\" (2 distinct of 2)",
                "pallium: Label: 1 object, 1 property",
            ])
        #expect(run.status == 0)
    }

    /// The schemas, the evidence and the problems do not depend on the number of jobs.
    @Test(arguments: [["--skip-bad"], [], ["--values", "--skip-bad"]], ["2", "8"])
    func linesOfSeveralJobsGiveTheSameSchemas(_ options: [String], jobs: String) async throws {
        let lines = (0..<6000).map { number -> String in
            if options != [], number % 1999 == 5 { return number % 2 == 0 ? "nope" : "[1]" }
            let text = String(repeating: "text ", count: number % 40)
            let state = ["open", "closed", "merged"][number % 3]
            return #"{"a": {"id": \#(number), "state": "\#(state)", "m\#(number % 50)": [{"text": "\#(text)"}]}}"#
        }
        let input = lines.joined(separator: "\n")
        let arguments = ["infer", "--name", "Sample", "--lines"] + options
        let single = try await runTool(arguments + ["--jobs", "1", "-"], input: input)
        let run = try await runTool(arguments + ["--jobs", jobs, "-"], input: input)
        #expect(run == single && run.status == (options == [] ? 0 : 1))
    }

    @Test func jobsNeedLines() async throws {
        let run = try await runTool(["infer", "--jobs", "2", "-"], input: "{}")
        #expect(run.status == 2 && run.errorLines.first == "pallium: --jobs needs --lines")
    }

    @Test(arguments: ["issues", "events"]) func aFolderOfSchemasDecodesTheSamples(name: String) async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let sample = "Schemas/samples/\(name).json"
        let run = try await runTool(["infer", "--output", "\(folder.path)/New", sample])
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        let model = name == "issues" ? "Issue" : "Event"
        let written = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/New")
        #expect(written.contains("\(model).json"))
        #expect(written.allSatisfy { $0.hasSuffix(".json") })
        #expect(written.count == run.errorLines.count)
        let decoded = try await runTool([
            "decode", "--schemas", "\(folder.path)/New", "--model", model, "--unknown", "refuse", sample,
        ])
        #expect(decoded.status == 0)
        let original = try Data(contentsOf: SharedData.repository.appendingPathComponent(sample))
        #expect(try JSONValue(parsing: decoded.output) == JSONValue(parsing: original))
    }

    @Test func theValuesOfMapsCanBeTheSamples() async throws {
        let map = #"{"1": {"name": "a"}, "2": {"name": "b"}, "30": {"name": "c"}}"#
        let hint = try await runTool(["infer", "--name", "Item", "-"], input: map)
        #expect(
            hint.errorLines.first == "pallium: the samples look like maps: with --values, their values are the samples")
        let run = try await runTool(["infer", "--name", "Item", "--values", "-"], input: map)
        #expect(run.status == 0)
        #expect(run.errorLines == ["pallium: Item: 3 samples, 1 property"])
        let mixed = try await runTool(
            ["infer", "--name", "Item", "--values", "--skip-bad", "-"], input: #"{"a": {"name": "a"}, "b": 1}"#)
        #expect(mixed.status == 1)
        #expect(mixed.errorLines.first?.hasSuffix("expected an object but found the number 1 at /b") == true)
        #expect(mixed.errorLines.last == "pallium: Item: 1 sample, 1 property")
    }

    @Test func aFolderWithFilesIsLeftAlone() async throws {
        let folder = try TemporaryFolder()
        try folder.write("Issue.json", "mine")
        let run = try await runTool(["infer", "--output", folder.path, "-"], input: Self.samples)
        #expect(run.errorLines == ["pallium: cannot write \(folder.path): Directory not empty"])
        #expect(run.status == 2)
        #expect(try folder.read("Issue.json") == "mine")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Issue.json"])
        let parent = try await runTool(["infer", "--output", "\(folder.path)/no/such", "-"], input: Self.samples)
        #expect(parent.errorLines == ["pallium: cannot write \(folder.path)/no/such: No such file or directory"])
        #expect(parent.status == 2)
    }

    @Test func anEmptyFolderIsFilled() async throws {
        let folder = try TemporaryFolder()
        let run = try await runTool(["infer", "--name", "A", "--output", folder.path, "-"], input: Self.samples)
        #expect(run.status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["A.json", "Label.json"])
    }

    @Test func theNameOfTheFileIsTheNameOfTheSchema() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        for (file, name) in [
            ("user_events.v2.json", "UserEvent"), ("7.json", "Model7"), ("é.json", "Model"), (".json", "Json"),
            ("data.json", "ModelData"),
        ] {
            let path = try folder.write(file, Self.samples)
            #expect(try await runTool(["infer", path]).errorLines.first?.hasPrefix("pallium: \(name): 2 ") == true)
        }
        #expect(
            try await runTool(["infer", "-"], input: Self.samples).errorLines.first?.hasPrefix("pallium: Sample: ")
                == true)
    }

    @Test func filesAndLinesAreSamplesTogether() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.jsonl", "{\"a\": 1}\n\n[{\"a\": 2}, {}]\n")
        let run = try await runTool(["infer", "--lines", "--name", "A", path, "-"], input: "{\"b\": true}")
        #expect(run.errorLines == ["pallium: A: 4 samples, 2 properties"])
        #expect(!run.output.contains("required"))
        let whole = try await runTool(["infer", "--name", "A", path])
        #expect(whole.status == 1)
    }

    @Test(arguments: [("1", 1), ("3", 3), ("9", 4)])
    func rowsLimitTheSamples(rows: String, count: Int) async throws {
        let input = "{\"a\": 1}\n[{\"a\": 2}, {\"a\": 2.5}]\n{\"a\": 3}\n"
        let run = try await runTool(["infer", "--lines", "--rows", rows, "--name", "A", "-"], input: input)
        let samples = count == 1 ? "1 sample" : "\(count) samples"
        #expect(run.errorLines == ["pallium: A: \(samples), 1 property"])
        #expect(run.output.contains(count < 3 ? "integer" : "double"))
    }

    @Test func whatFollowsTheRowsIsNotRead() async throws {
        let run = try await runTool(["infer", "--lines", "--rows", "1", "-"], input: "{\"a\": 1}\nnonsense\n")
        #expect(run.status == 0)
    }

    static let mistakes = [
        ("", "<stdin>:1:1: expected a value but found the end of the text at the root"),
        ("[]", "<stdin>: expected a sample but found none"),
        ("{}", "<stdin>: expected a sample with members but found empty objects only"),
        ("[{\"a\": 1},\n {\"a\":}]", "<stdin>:2:7: expected a value but found '}' at /1/a"),
        ("[{\"a\": 1}, 2]", "<stdin>:1:12: expected an object but found the number 2 at /1"),
        ("\"text\"", "<stdin>:1:1: expected an object but found \"text\" at the root"),
        ("{\"\": 1}", "<stdin>: expected members whose names have 1 to 120 bytes but found \"\""),
    ]

    @Test(arguments: mistakes) func badInputIsReportedWhereItIs(input: String, line: String) async throws {
        let run = try await runTool(["infer", "-"], input: input)
        #expect(run == ToolRun(status: 1, output: "", errors: line + "\n"))
        let json = try await runTool(["infer", "--errors", "json", "-"], input: input)
        #expect(json.status == 1)
        #expect(json.errors.hasPrefix("{\"file\":\"<stdin>\","))
    }

    /// Bad samples are skipped, and the summary counts the others.
    static let skipped = [
        ("{\"a\": 1}\nnonsense\n\n{\"a\": 2}\n", ["<stdin>:2:2: "], "2 of 3 lines, 1 problem", 2),
        ("{\"a\": 1,\n{\"a\": 2}\n7\n", ["<stdin>:1:9: ", "<stdin>:3:1: "], "1 of 3 lines, 2 problems", 1),
        ("[{\"a\": 1}, 2, {\"a\": 3}]\n[]\n", ["<stdin>:1:12: "], "1 of 2 lines, 1 problem", 2),
        ("{\"\": 1}\n{\"a\": 2}\n", ["<stdin>:1:1: expected members whose names"], "1 of 2 lines, 1 problem", 1),
        ("{\"a\": 2}\n", [], "1 of 1 line, no problems", 1),
    ]

    @Test(arguments: skipped)
    func badLinesAreReportedAndSkipped(input: String, problems: [String], sources: String, count: Int) async throws {
        let run = try await runTool(["infer", "--name", "A", "--lines", "--skip-bad", "-"], input: input)
        #expect(run.status == (problems.isEmpty ? 0 : 1))
        try #require(run.errorLines.count == problems.count + 2, "\(run.errors)")
        for (line, problem) in zip(run.errorLines, problems) { #expect(line.hasPrefix(problem)) }
        #expect(
            run.errorLines.suffix(2) == [
                "pallium: samples from \(sources)",
                "pallium: A: \(count == 1 ? "1 sample" : "\(count) samples"), 1 property",
            ])
        #expect(try JSONValue(parsing: run.output)[0]?["properties"]?["a"]?["kind"] == "integer")
        let json = try await runTool(
            ["infer", "--name", "A", "--lines", "--skip-bad", "--errors", "json", "-"], input: input)
        #expect(json.status == run.status && json.output == run.output)
        #expect(json.errorLines.count == problems.count && json.errorLines.allSatisfy { $0.hasPrefix("{\"file\":") })
    }

    @Test func badFilesAreReportedAndSkipped() async throws {
        let folder = try TemporaryFolder()
        let good = try folder.write("good.json", #"[{"id": 1}, {"id": 2}]"#)
        let bad = try folder.write("bad.json", "[{\"id\": 3},\n")
        let worse = try folder.write("worse.json", "")
        let skip = ["infer", "--name", "A", "--skip-bad"]
        let run = try await runTool(skip + ["-o", "\(folder.path)/New", bad, worse, good])
        #expect(run.status == 1)
        #expect(
            run.errorLines.suffix(2) == [
                "pallium: samples from 2 of 3 files, 2 problems",
                "pallium: A: 3 samples, 1 property, identity \"id\" (3 distinct of 3)",
            ])
        #expect(run.errorLines.count == 4 && FileManager.default.fileExists(atPath: "\(folder.path)/New/A.json"))
        // A file that cannot be read is no bad data.
        let missing = try await runTool(skip + ["/no/such/file", good])
        #expect(missing.status == 2 && missing.output.contains("\"id\""))
        #expect(
            missing.errorLines.prefix(2) == [
                "pallium: cannot read /no/such/file: No such file or directory",
                "pallium: samples from 1 of 2 files, no problems",
            ])
        for options in [["-o", "\(folder.path)/Other", "/no/such/file", good], ["/no/such/file"]] {
            let none = try await runTool(skip + options)
            #expect(none.status == 2 && none.output.isEmpty)
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/Other"))
    }

    @Test func withoutAnyGoodLineThereIsNoSchema() async throws {
        let run = try await runTool(["infer", "--lines", "--skip-bad", "-"], input: "a\nb\n")
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(
            run.errorLines.suffix(2) == [
                "pallium: samples from 0 of 2 lines, 2 problems", "<stdin>: expected a sample but found none",
            ])
    }

    /// An array above 4 MiB begins with a bad element; the identity needs to know where arrays begin.
    @Test func badElementsOfLongArraysAreSkipped() async throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "x", count: 1000)
        let elements = (0..<5000).map { #"{"id":\#($0),"text":"\#(text)"}"# }.joined(separator: ",")
        let long = try folder.write("long.json", "[1,\(elements),{\"id\":}]")
        let run = try await runTool(["infer", "--name", "A", "--skip-bad", long, long])
        #expect(run.status == 1)
        #expect(
            run.errorLines.suffix(2) == [
                "pallium: samples from 2 of 2 files, 4 problems",
                "pallium: A: 10000 samples, 2 properties, identity \"id\" (5000 distinct of 10000)",
            ])
        withExtendedLifetime(folder) {}
    }

    @Test(
        arguments: [
            (#"[{"net": 12.5, "rate": 0.125, "x": 1.5}, {"net": 3.25, "rate": 1, "x": 2}]"#, #""net""#),
            (
                #"[{"unit_price": 1.125, "TotalCost": 2.5, "costly": 1.5, "lines": [{"amount": 1}]}]"#,
                #""unit_price", "TotalCost""#
            ),
            (
                #"{"prices": [1.99, 5], "points": [[0.25, 1.75]], "total": 7, "fee": "1.99", "pi": 3.141}"#,
                #""prices", "points""#
            ),
            (#"{"total": 123456789012345678.25, "id": 1}"#, nil),
        ] as [(String, String?)])
    func numbersThatMayBeMoneyAreNamed(input: String, keys: String?) async throws {
        let run = try await runTool(["infer", "--name", "A", "-"], input: input)
        let hints = run.errorLines.filter { $0.contains("perhaps money") }
        #expect(hints == keys.map { ["pallium: A: perhaps money, which the kind decimal keeps exactly: \($0)"] } ?? [])
        #expect(run.status == 0)
    }

    @Test func aFileThatCannotBeReadHasStatus2() async throws {
        let run = try await runTool(["infer", "/no/such/file"])
        #expect(run.errorLines == ["pallium: cannot read /no/such/file: No such file or directory"])
        #expect(run.status == 2)
    }

    /// Arrays above 4 MiB are read element by element. Every object is there twice, so its identifier is no identity.
    @Test func longArraysGiveTheSameSchemas() async throws {
        let text = String(repeating: "x", count: 1000)
        func samples(_ count: Int) -> String {
            "[" + (0..<count).map { #"{"id":\#($0 / 2),"text":"\#(text)"}"# }.joined(separator: ",") + "]"
        }
        let long = try await runTool(["infer", "-"], input: samples(5000))
        let short = try await runTool(["infer", "-"], input: samples(500))
        #expect(long.errorLines == ["pallium: Sample: 5000 samples, 2 properties"])
        #expect(long.output == short.output.replacing("500 objects", with: "5000 objects"))
    }

    /// Every line has names, words and identifiers of its own.
    @Test(
        .threat(.memoryBlowUp),
        .needs("/proc/self/status", if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func memoryIsBounded() async throws {
        let script = "ulimit -d 100000 && exec \"$0\" infer --lines -"
        // A sanitizer reserves more than that by itself.
        guard try await runShell(script, [], input: Array(#"{"a":1}"#.utf8)).status == 0 else { return }
        let word = String(repeating: "w", count: 24)
        let lines = (0..<6000).map { line in
            let members = (0..<8).map { #""m\#(line)_\#($0)":{"id":\#(line),"x\#(line)":"\#(word)\#(line)"}"# }
            return #"{"id":\#(line),"list":[{\#(members.joined(separator: ","))}]}"#
        }
        let run = try await runShell(script, [], input: Array(lines.joined(separator: "\n").utf8))
        #expect(run.status == 0, "\(run.errors.prefix(300))")
        #expect(
            run.errorLines.first
                == "pallium: Sample: 6000 samples, 2 properties, identity \"id\" (6000 distinct of 6000)")
    }
}
