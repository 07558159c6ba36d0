import Foundation
import PalliumTrials
import TestSupport
import Testing

/// The article *ManyMachines*: what an engine of many machines trusts in.
@Suite struct EngineTests {
    private let notes: NoteSchema
    private var folder: TemporaryFolder { notes.folder }

    init() throws { notes = try NoteSchema() }

    /// Runs a shell script in the folder, in which `decode` decodes lines.
    private func shell(_ script: String, input: String = "") async throws -> ToolRun {
        try await notes.runShell(
            #"cd "$3"; tool="$0"; decode() { "$tool" decode --schemas Note.json --model Note --lines "$@"; }; "#
                + script, "decode", input: Array(input.utf8))
    }

    /// The names of the files in the folder beside the schema, with their first lines.
    private static let list = #"for file in $(ls -A | grep -v Note.json); do echo "$file: $(head -n 1 $file)"; done"#

    // MARK: Status

    @Test(
        arguments: [
            ("", "{\"id\":1}\n{}\n{\"id\":2}", 0, 2), ("--rejects bad", "{}\n{\"id\":2}", 0, 1),
            ("--collect", "{\"id\":1,\"text\":1}", 0, 1), ("--quiet", "{}", 0, nil), ("--envelope", "{}", 0, 1),
            ("--max-problems 2", "{}\n{\"id\":1}", 0, 1), ("--max-problems 2", "{}\n{\"id\":1}\n{}\n{\"id\":2}", 1, 1),
            ("nowhere", "{\"id\":1}", 2, 1), ("--profile none", "{\"id\":1}", 2, 0),
            ("--rejects nowhere/bad", "{\"id\":1}", 2, 0),
        ] as [(String, String, Int32, Int?)])
    func problemsAreNoFailureOfARunThatAcceptsThem(
        _ options: String, _ input: String, _ status: Int32, _ lines: Int?
    ) async throws {
        let run = try await shell("decode --accept-problems \(options) -", input: input)
        #expect(run.status == status, "\(run.errors)")
        if let lines { #expect(run.outputLines.count == lines) }
    }

    @Test func acceptedProblemsOfDocumentsAreReported() async throws {
        let run = try await notes.run("decode", "--accept-problems", "-", input: #"[{"id": 1}, {}]"#)
        #expect(run.status == 0 && run.errorLines.count == 2)
        #expect(run.errorLines.first?.contains("/1") == true)
    }

    // MARK: Files

    /// With an output file, nothing is there before the end, and then everything is.
    @Test func filesAppearTogetherAtTheEnd() async throws {
        let run = try await shell(
            """
            mkfifo pipe; decode --rejects bad --summary counts --drift drift -o good pipe 2> errors & tool=$!
            exec 3> pipe
            printf '{"id":1}\\n{}\\n{"id":2}\\n' >&3
            await '[ $(cat .pallium-* | wc -l) -ge 3 ]' 2> /dev/null
            ls bad counts drift good 2> /dev/null
            exec 3>&-; wait $tool; echo "status $?"; rm pipe errors
            \(Self.list)
            """)
        #expect(run.outputLines.first == "status 1")
        #expect(run.outputLines.count == 5)
        #expect(run.output.contains("\ngood: {\"id\":1}\n"))
        #expect(run.output.contains("\nbad: {\"file\":\"pipe\",\"line\":2,"))
        #expect(run.output.contains(#"counts: {"valid":false,"documents":3,"refusedDocuments":1,"#))
        #expect(run.output.contains("\ndrift: {\n"))
    }

    @Test func aSignalLeavesWhatWasReadWholeInEveryFile() async throws {
        let run = try await shell(
            """
            mkfifo pipe
            (exec "$tool" decode --schemas Note.json --model Note --lines \
                --rejects bad --summary counts --drift drift -o good pipe 2> errors) & tool=$!
            exec 3> pipe
            printf '{"id":1}\\n{}\\n{"id":2}\\n{"id"' >&3
            await '[ $(cat .pallium-* | wc -l) -ge 3 ]' 2> /dev/null
            kill -TERM $tool
            wait $tool; echo "status $?"; exec 3>&-; rm pipe errors
            wc -l < good; wc -l < bad
            \(Self.list)
            """)
        #expect(run.outputLines.first == "status 143")
        #expect(run.outputLines.dropFirst().prefix(2).map { Int($0.filter { $0 != " " }) } == [2, 1])
        #expect(run.output.contains(#"counts: {"valid":false,"documents":3,"#))
        #expect(try DriftReport(json: Data(folder.read("drift").utf8)).documents == 3)
    }

    /// A run that fails, or is killed, leaves all files as they were and nothing beside them.
    @Test(arguments: ["decode $files - nowhere", "kill"]) func aRunThatFailsLeavesEveryFile(_ command: String)
        async throws
    {
        let kill = """
            mkfifo pipe; (exec "$tool" decode --schemas Note.json --model Note --lines $files pipe) & exec 3> pipe; echo '{}' >&3
            await '[ $(cat .pallium-* | wc -l) -ge 1 ]' 2> /dev/null
            kill -KILL $!; wait $!; rm pipe; decode -o other - < /dev/null; rm other
            """
        let run = try await shell(
            """
            files="--rejects bad --summary counts --drift drift -o good"
            for file in bad counts drift good; do echo old > $file; done
            \(command == "kill" ? kill : command) 2> /dev/null
            \(Self.list)
            """, input: "{\"id\":1}\n{}\n")
        #expect(run.outputLines == ["bad: old", "counts: old", "drift: old", "good: old"])
    }

    /// An output without lines is one, too, so that a part of which all lines are bad is seen to be done.
    @Test func aPartWithoutGoodLinesHasAnEmptyOutput() async throws {
        let run = try await shell("decode --rejects bad -o good - 2> /dev/null; wc -c < good", input: "{}\n")
        #expect(run.outputLines.first.flatMap { Int($0.filter { $0 != " " }) } == 0)
    }

    @Test(arguments: [
        ("--summary out -o out", "--summary and the output"), ("--rejects x --summary x", "--rejects and --summary"),
        ("--drift x --summary ./x", "--drift and --summary"),
        ("--summary x --rejects y -o ./x", "--summary and the output"),
    ])
    func eachFileHasOnePurpose(_ options: String, _ names: String) async throws {
        let run = try await shell("decode \(options) -", input: "{\"id\":1}")
        #expect(run.errors == "pallium: \(names) cannot be one file\n")
        #expect(run.status == 2)
    }

    @Test func aRefusedRunLeavesOldRejects() async throws {
        let run = try await shell(
            "echo old > bad; echo > in; decode --rejects bad --summary in in 2> /dev/null; cat bad")
        #expect(run.output == "old\n")
    }

    /// With a report of drift, unknown members are found in every schema.
    @Test(arguments: ["", "--drift drift "])
    func aSchemaThatRefusesUnknownMembersRefusesThem(_ options: String) async throws {
        let run = try await shell(
            """
            echo '{"name": "Closed", "refusesUnknownMembers": true, "properties": {"id": {"kind": "integer"}}}' > closed.json
            "$tool" decode --schemas closed.json --model Closed --lines \(options)- 2> /dev/null
            """, input: "{\"id\":3}\n{\"id\":1,\"x\":2}\n")
        #expect(run.output == "{\"id\":3}\n")
        #expect(run.status == 1)
    }

    @Test(arguments: ["--rejects in", "--summary ./in", "--drift in"])
    func noFileIsOneOfTheInputs(_ options: String) async throws {
        try folder.write("in", "{\"id\":1}\n")
        let run = try await shell("decode \(options) in")
        #expect(run.status == 2 && run.errors.hasSuffix("it is one of the files to read\n"))
        #expect(try folder.read("in") == "{\"id\":1}\n")
    }

    @Test func theSummaryIsThatOfQuiet() async throws {
        try folder.write("in", NoteLines.bytes)
        let quiet = try await shell("decode --quiet --errors json in")
        _ = try await shell("decode --rejects /dev/null --summary counts in > out")
        #expect(try folder.read("counts") == quiet.output)
        // And it is written for documents.
        try folder.write("one", #"[{"id": 1}, {}]"#)
        let run = try await notes.run(
            "decode", "--collect", "--summary", folder.path + "/one.counts", folder.path + "/one")
        #expect(run.status == 1)
        #expect(try object(folder.read("one.counts"))["problems"] as? Int == 1)
    }

    /// Unknown members are findings and no problems of the lines, unless they are refused.
    @Test(arguments: ["--rejects bad", "--rejects bad --jobs 8", "--collect", "--quiet", "--rejects bad --original"])
    func theReportIsThatOfDrift(_ options: String) async throws {
        let text = "{\"id\":1,\"odd\":true}\n\n{\"id\":\"x\"}\n{\"id\":2,\"text\":null}\nnope\n[{\"id\":1}]\n"
        try folder.write("in", text)
        let drift = try await shell("\"$tool\" drift --schemas Note.json --model Note --lines --format json in")
        let run = try await shell("decode \(options) --drift report in 2> /dev/null | grep -c odd")
        #expect(try folder.read("report") == drift.output)
        #expect(run.outputLines == [options.contains("original") ? "1" : "0"])
    }

    @Test func refusedMembersAreProblemsBesideAReport() async throws {
        let run = try await shell("decode --unknown refuse --rejects bad --drift report -", input: #"{"id":1,"odd":1}"#)
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(try DriftReport(json: Data(folder.read("report").utf8)).findings.map(\.place) == ["odd"])
    }

    // MARK: Answers

    @Test(arguments: ["--jobs 1", "--jobs 8", "--line-buffered", "--jobs 8 --line-buffered"])
    func everyLineIsAnsweredInOrder(_ options: String) async throws {
        let run = try await notes.decodeLines(
            ["--envelope"] + options.split(separator: " ").map(String.init), input: NoteLines.bytes)
        #expect(run.status == 1)
        #expect(run.outputLines.count == NoteLines.all.count)
        for (index, line) in run.outputLines.enumerated() {
            let (number, input) = (index + 1, NoteLines.all[index])
            if input.isBlank {
                #expect(line == #"{"line":\#(number),"model":null}"#)
            } else if let output = input.output {
                #expect(line == #"{"line":\#(number),"model":\#(output)}"#)
            } else {
                let answer = try object(line)
                #expect(answer["line"] as? Int == number && answer.count == 2)
                #expect((answer["problems"] as? [[String: Any]])?.isEmpty == false)
            }
        }
    }

    @Test(
        arguments: [
            ("", [] as [String]), ("\n", ["model"]), ("\n\n{\"id\":1}", ["model", "model", "model"]),
            ("{\"id\":1}\n \n", ["model", "model"]), ("{\"id\":1}\n\n\n{}", ["model", "model", "model", "problems"]),
            ("{\"id\":1,\"text\":\"longer than allowed\"}\n\n{\"id\":2}\n", ["problems", "model", "model"]),
        ], ["", "--line-buffered"])
    func blankAndLongLinesHaveAnAnswer(_ lines: (input: String, members: [String]), _ option: String) async throws {
        let run = try await shell("decode --max-bytes 20 --envelope \(option) -", input: lines.input)
        let answers = try run.outputLines.map(object)
        #expect(answers.map { $0["line"] as? Int } == Array(1..<(lines.members.count + 1)))
        #expect(answers.map { $0["model"] == nil ? "problems" : "model" } == lines.members)
    }

    @Test func anAnswerHasTheProblemsThatAreReported() async throws {
        let run = try await notes.decodeLines(["--envelope"], input: "{\"id\":1}\n{\"id\":true,\"code\":9}\n")
        let reported = try await notes.decodeLines(
            ["--collect", "--errors", "json"], input: "{\"id\":1}\n{\"id\":true,\"code\":9}\n")
        let problems = try object(run.outputLines[1])["problems"] as? [NSDictionary]
        #expect(try problems == reported.errorLines.map { try object($0) as NSDictionary })
    }

    @Test func answersAreRedacted() async throws {
        let run = try await notes.decodeLines(
            ["--envelope", "--redact", "secret=drop"], input: "{\"id\":1,\"code\":\"c\"}\n")
        #expect(run.output == "{\"line\":1,\"model\":{\"id\":1}}\n")
    }

    @Test func aLineWithTheLastProblemIsAnswered() async throws {
        let run = try await notes.decodeLines(["--envelope", "--max-problems", "1"], input: "{\"id\":1}\n{}\n\n{}\n")
        #expect(run.status == 1 && run.outputLines.count == 2)
    }

    @Test(arguments: ["", "--line-buffered", "--line-buffered --jobs 8"])
    func anAnswerLeavesBeforeTheNextLineArrives(_ options: String) async throws {
        let run = try await shell(
            """
            mkfifo line; : > out; decode --envelope \(options) - < line > out 2> errors & exec 3> line
            for number in 1 2 3; do
                printf '{"id":%d}\\n' $number >&3
                await '[ $(wc -l < out) -ge $number ]'
                tail -n 1 out
            done
            exec 3>&-; wait
            """)
        #expect(run.outputLines == (1...3).map { #"{"line":\#($0),"model":{"id":\#($0)}}"# })
    }
}
