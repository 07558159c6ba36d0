import TestSupport
import Testing

struct UsageCase: CustomTestStringConvertible, Sendable {
    let arguments: String
    let line: String

    init(_ arguments: String, _ line: String) {
        self.arguments = arguments
        self.line = line
    }

    var testDescription: String { arguments }
}

@Suite struct UsageTests {
    private static let exportForms =
        "export needs one of --json-schema, --openapi, --strict, --markdown, --html, --dot, --mermaid and --table"

    static let mistakes = [
        UsageCase(
            "",
            "a command is missing: decode, show, diff, merge, archive, unarchive, inspect, upgrade, check, generate, "
                + "infer, sample, laws, compare, drift, export, import, store, completions or help"),
        UsageCase("decod", "unknown command \"decod\"; did you mean decode?"),
        UsageCase("frobnicate", "unknown command \"frobnicate\""),
        UsageCase("-", "unknown option -"),
        UsageCase("--versoin", "unknown option --versoin; did you mean --version?"),
        UsageCase("--lines -", "unknown option --lines; did you mean pallium decode --lines?"),
        UsageCase("help decoed", "unknown command \"decoed\"; did you mean decode?"),
        UsageCase("export S", exportForms),
        UsageCase("export --strict --openapi S", exportForms),
        UsageCase("export --html --dot S", exportForms),
        UsageCase("export --html --mode output S", "--html shows whole schemas, so --mode is not for it"),
        UsageCase("export --dot --profile P S", "--dot shows whole schemas, so --profile is not for it"),
        UsageCase("export --markdown --array --model M S", "--array needs --json-schema and --model NAME"),
        UsageCase("export --json-schema", "export needs a folder or file with schema documents"),
        UsageCase("export --strict S", "export needs --model NAME"),
        UsageCase("export --table spark S", "export needs --model NAME"),
        UsageCase(
            "export --table oracle --model M S",
            "--table cannot be \"oracle\", only spark, avro, postgres, duckdb"),
        UsageCase(
            "export --table spark --model M --mode input S",
            "--table describes what is written, so --mode is not for it"),
        UsageCase(
            "export --table spark --model M --mode output S",
            "--table describes what is written, so --mode is not for it"),
        UsageCase(
            "export --strict --model M --mode output S", "--strict describes what is read, so --mode is input"),
        UsageCase("export --openapi --mode both S", "--mode cannot be \"both\", only input, output"),
        UsageCase("export --json-schema --array S", "--array needs --json-schema and --model NAME"),
        UsageCase(
            "generate --access open --output F S", "--access cannot be \"open\", only internal, package, public"),
        UsageCase("generate -o - S", "generate writes a folder or a file, not standard output"),
        UsageCase("completions", "completions needs the name of a shell: bash, zsh or fish"),
        UsageCase("completions tcsh", "completions needs the name of a shell: bash, zsh or fish"),
        UsageCase("help decode show", "help explains one command at a time"),
        UsageCase("infer", "no input: name a file, or - for standard input"),
        UsageCase(
            "infer --name a.b -", "--name cannot be \"a.b\", only letters, digits and underscores, no digit first"),
        UsageCase(
            "infer --name 1st -", "--name cannot be \"1st\", only letters, digits and underscores, no digit first"),
        UsageCase("infer --rows 0 -", "--rows needs an integer from 1 on, not \"0\""),
        UsageCase("infer --rows many -", "--rows needs an integer from 1 on, not \"many\""),
        UsageCase("infer --output= -", "--output needs a value: --output FOLDER"),
        UsageCase("infer --schemas S -", "infer has no option --schemas"),
        UsageCase("store", "store needs another command: import, query, dump, delete, upgrade, check or backup"),
        UsageCase("stor query", "unknown command \"stor\"; did you mean store?"),
        UsageCase("store qurey a", "unknown command \"qurey\"; did you mean store query?"),
        UsageCase("store a.store", "unknown command \"a.store\""),
        UsageCase("store --schemas S", "store has no option --schemas"),
        UsageCase("help store chekc", "unknown command \"chekc\"; did you mean store check?"),
        UsageCase("help store check dump", "help explains one command at a time"),
        UsageCase("--where a", "unknown option --where; did you mean pallium store query --where?"),
        UsageCase("store query a", "store query needs --schemas DIR"),
        UsageCase("store query --schemas S a", "store query needs --model NAME"),
        UsageCase("store query --wher x a", "store query has no option --wher; did you mean --where?"),
        UsageCase("store query --schemas S --model M", "store query needs the file of one store"),
        UsageCase("store query --schemas S --model M a b", "store query needs the file of one store"),
        UsageCase("store query --schemas S --model M -", "a store is a file, so - cannot be one"),
        UsageCase("store query --schemas S --model M --limit -1 a", "--limit needs an integer from 0 on, not \"-1\""),
        UsageCase(
            "store query --schemas S --model M --order a,,b a",
            #"--order needs keys with a comma between two, such as title,"due date""#),
        UsageCase(
            "store query --schemas S --model M --count --pretty a",
            "--count and --pretty exclude each other: no models are written"),
        UsageCase(
            "store query --schemas S --model M --explain --count a",
            "--explain and --count exclude each other: no models are written"),
        UsageCase(
            "store query --schemas S --model M --count-by a --count a",
            "--count and --count-by exclude each other: no models are written"),
        UsageCase(
            "store query --schemas S --model M --count-by a --redact b a",
            "--count-by and --redact exclude each other: no models are written"),
        UsageCase(
            "store query --schemas S --model M --count-by a --after b=1 a",
            "--count-by and --after exclude each other: groups are not behind a model"),
        UsageCase(
            "store query --schemas S --model M --sum a --explain a",
            "--explain and --sum exclude each other: no models are written"),
        UsageCase(
            "store query --schemas S --model M --max a --min a --only b a",
            "--min and --only exclude each other: no models are written"),
        UsageCase(
            "store query --schemas S --model M --sum a --after b=1 a",
            "--sum and --after exclude each other: groups are not behind a model"),
        UsageCase(
            "store query --schemas S --model M --after 7 a",
            "--after needs a key, an operator and a value, such as 'state = open', not \"7\""),
        UsageCase(
            "store query --schemas S --model M --where state a",
            "--where needs a key, an operator and a value, such as 'state = open', not \"state\""),
        UsageCase(
            "store query --schemas S --model M --where state= a",
            "--where needs a key, an operator and a value, such as 'state = open', not \"state=\""),
        UsageCase(
            "store query --schemas S --model M --where a==b a",
            "--where: no operator is called \"==\", only = != < <= > >= in contains starts-with; did you mean =?"),
        UsageCase("store import --schemas S a f", "store import needs --model NAME"),
        UsageCase(
            "store import --schemas S --model M a", "store import needs the file of a store, and documents: STORE FILE…"
        ),
        UsageCase("store import --schemas S --model M a - -", "standard input can be read once only"),
        UsageCase("store import --schemas S --model M - f", "a store is a file, so - cannot be one"),
        UsageCase("store delete --schemas S --model M a", "store delete needs --where CONDITION"),
        UsageCase("store delete --schemas S --where 'a = 1' a", "store delete needs --model NAME"),
        UsageCase(
            "store query --schemas S --model M --count --skip-unreadable a",
            "--count and --skip-unreadable exclude each other: no models are written"),
        UsageCase("store backup a", "store backup needs the file of a store, and one for the copy: STORE FILE"),
        UsageCase("store backup a -", "a store is a file, so - cannot be one"),
        UsageCase("store check --schemas S --errors xml a", "--errors cannot be \"xml\", only text, json"),
        UsageCase("decode", "decode needs --schemas DIR"),
        UsageCase("decode --schemas S", "decode needs --model NAME"),
        UsageCase("diff a", "diff needs two files, OLD and NEW"),
        UsageCase("diff a b c", "diff needs two files, OLD and NEW"),
        UsageCase("diff - -", "standard input can be read once only"),
        UsageCase("diff --model M a b", "diff needs --schemas DIR"),
        UsageCase("diff --format text a b", "--format text needs --schemas DIR and --model NAME"),
        UsageCase("diff --format merge a b", "--format cannot be \"merge\", only text, patch, merge-patch"),
        UsageCase("diff --schemas S --model M --pretty a b", "--pretty is for patches, not for text"),
        UsageCase("merge a b", "merge needs --schemas DIR"),
        UsageCase("merge --schemas S --model M a", "merge needs two files, BASE and INCOMING"),
        UsageCase(
            "merge --schemas S --model M --pretty --keep-format a b",
            "--pretty and --keep-format exclude each other: the format is that of BASE"),
        UsageCase("decode --schemas S --model M --lines --jsonc a", "--jsonc and --lines exclude each other"),
        UsageCase("merge --schemas S --model M --local - a -", "standard input can be read once only"),
        UsageCase("show --schemas S -", "show needs --model NAME"),
        UsageCase("sample S", "sample needs --model NAME"),
        UsageCase("sample --model M", "sample needs a folder or file with schema documents"),
        UsageCase(
            "compare OLD", "compare needs two folders or files with schema documents, the old and the new version"),
        UsageCase(
            "compare OLD NEW --direction both", "--direction cannot be \"both\", only backward, forward"),
        UsageCase("drift --schemas S -", "drift needs --model NAME"),
        UsageCase(
            "drift --schemas S --model M --format pages -",
            "--format cannot be \"pages\", only text, json"),
        UsageCase("drift --schemas S --model M --baseline - -", "standard input can be read once only"),
        UsageCase("laws", "laws needs a folder or file with schema documents"),
        UsageCase("laws S --seed x", "--seed needs an integer from 0 on, not \"x\""),
        UsageCase("laws S --count -1", "--count needs an integer from 0 to 1000000000, not \"-1\""),
        UsageCase("decode --schemas S --model M", "no input: name a file, or - for standard input"),
        UsageCase("decode --schemas S --model M - -", "standard input can be read once only"),
        UsageCase("decode --schemas", "--schemas needs a value: --schemas DIR"),
        UsageCase("decode --schemas= --model M -", "--schemas needs a value: --schemas DIR"),
        UsageCase("decode --lnes", "decode has no option --lnes; did you mean --lines?"),
        UsageCase("decode -x", "decode has no option -x"),
        UsageCase("show --pretty", "show has no option --pretty"),
        UsageCase("decode --lines --lines", "--lines is given twice"),
        UsageCase("decode --lines=yes", "--lines takes no value"),
        UsageCase(
            "decode --schemas S --model M --unknown refues -",
            "--unknown cannot be \"refues\", only ignore, refuse, keep; did you mean refuse?"),
        UsageCase("decode --schemas S --model M --errors xml -", "--errors cannot be \"xml\", only text, json"),
        UsageCase(
            "decode --schemas S --model M --only id,,text -",
            #"--only needs keys with a comma between two, such as title,"due date""#),
        UsageCase(
            "decode --schemas S --model M --pretty --lines -",
            "--pretty and --lines exclude each other: lines hold a whole document each"),
    ]

    /// What does not fit decoding lines, or only fits it.
    private static let linesMistakes = [
        ("--jobs 2", "--jobs needs --lines"),
        ("--unordered", "--unordered needs --lines"),
        ("--rejects F", "--rejects needs --lines"),
        ("--original", "--original needs --lines"),
        ("--lines --jobs 0", "--jobs needs an integer from 1 on, not \"0\""),
        ("--lines --jobs -1", "--jobs needs an integer from 1 on, not \"-1\""),
        ("--lines --jobs many", "--jobs needs an integer from 1 on, not \"many\""),
        ("--max-problems 0", "--max-problems needs an integer from 1 on, not \"0\""),
        ("--max-depth 0", "--max-depth needs an integer from 1 to 1024, not \"0\""),
        ("--max-bytes 0", "--max-bytes needs an integer from 1 on, not \"0\""),
        (
            "--max-bytes 99999999999999999999",
            "--max-bytes needs an integer from 1 on, not \"99999999999999999999\""
        ),
        ("--lines --rejects=", "--rejects needs a value: --rejects FILE"),
        ("--lines --rejects -", "--rejects needs a file, because standard output is for good lines"),
        ("--summary -", "--summary needs a file, because standard output is for good lines"),
        ("--lines --drift -", "--drift needs a file, because standard output is for good lines"),
        ("--envelope", "--envelope needs --lines"), ("--line-buffered", "--line-buffered needs --lines"),
        ("--drift F", "--drift needs --lines"),
        (
            "--lines --drift F --unknown keep",
            "--drift and --unknown keep exclude each other: unknown members are findings"
        ),
        ("--lines --drift F --only id", "--drift and --only exclude each other: figures are of all properties"),
        ("--lines --envelope --quiet", "--envelope and --quiet exclude each other: no document is written"),
        (
            "--lines --envelope --original",
            "--envelope and --original exclude each other: the answer to a line is a model"
        ),
        (
            "--lines --envelope --rejects F",
            "--envelope and --rejects exclude each other: the answer to a line has its problems"
        ),
        (
            "--lines --envelope --collect",
            "--envelope and --collect exclude each other: a line is answered by a model or by problems"
        ),
        (
            "--lines --envelope --unordered",
            "--envelope and --unordered exclude each other: answers have the order of the lines"
        ),
        ("--lines --envelope --array", "--envelope and --array exclude each other: a line is answered by one model"),
        ("--lines --rejects F --rejects G", "--rejects is given twice"),
        (
            "--lines --rejects F --collect",
            "--rejects and --collect exclude each other: a line is rejected as a whole"
        ),
        (
            "--lines --original --only id",
            "--original and --only exclude each other: lines are written as they are"
        ),
        ("--lines --original --quiet", "--quiet and --original exclude each other: no document is written"),
        ("--quiet --only id", "--quiet and --only exclude each other: no document is written"),
        ("--quiet --pretty", "--quiet and --pretty exclude each other: no document is written"),
        ("--quiet=yes", "--quiet takes no value"),
    ].map { UsageCase("decode --schemas S --model M \($0) -", $1) }

    @Test(arguments: mistakes + linesMistakes)
    func aMistakeInTheArgumentsIsSaidInOneLineAndEndsWithStatus2(_ mistake: UsageCase) async throws {
        let run = try await runTool(mistake.arguments.split(separator: " ").map(String.init))
        #expect(run.errorLines.first == "pallium: \(mistake.line)")
        #expect(run.errorLines.dropFirst().first?.hasPrefix("try: pallium ") == true)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
    }

    @Test func controlCharactersOfAnArgumentDoNotReachTheTerminal() async throws {
        let run = try await runTool(["\u{1B}[31m\nred"])
        #expect(run.errorLines.first == "pallium: unknown command \"\\u{1b}[31m\\nred\"")
    }

    @Test func versionIsOneLine() async throws {
        let run = try await runTool(["--version"])
        #expect(run.status == 0)
        #expect(try #/pallium [0-9]+\.[0-9]+\.[0-9]+\n/#.wholeMatch(in: run.output) != nil)
        #expect(run.errors.isEmpty)
    }

    @Test(arguments: [
        "--help", "-h", "help", "decode --help", "show -h", "help decode", "help show", "help help",
        "help diff", "help merge", "help archive", "help unarchive", "help inspect", "help upgrade", "help check",
        "help generate", "help infer", "help sample", "help laws", "help compare", "help drift",
        "help export", "help import", "help completions", "help store", "store --help", "store -h", "help store import",
        "store query --help", "help store dump", "help store delete", "help store upgrade", "help store check",
        "help store backup",
    ])
    func helpGoesToStandardOutputAndTellsExitStatusAndAnExample(_ arguments: String) async throws {
        let run = try await runTool(arguments.split(separator: " ").map(String.init))
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output.contains("usage: pallium "))
        #expect(run.output.contains("exit status:\n  0    everything was done\n"))
        #expect(run.output.contains("\nexample"))
        #expect(run.outputLines.allSatisfy { $0.count <= 104 && $0.last != " " })
    }

    @Test func helpOfDecodeTellsEveryOption() async throws {
        let run = try await runTool(["help", "decode"])
        for option in [
            "--schemas", "--model", "--lines", "--jobs", "--unordered", "--only", "--unknown", "--mode", "--array",
            "--pretty",
            "--original",
            "--collect", "--rejects", "--quiet", "--errors", "--max-problems", "--max-depth", "--max-bytes",
        ] {
            #expect(run.output.contains("\n  \(option)"))
        }
    }

    @Test func helpSaysWhatStatusesMeanForTheCommand() async throws {
        let diff = try await runTool(["help", "diff"])
        #expect(diff.output.contains("  1    the data has problems; with --exit-code the documents differ"))
        #expect(
            try await runTool(["help", "merge"]).output.contains("  1    the data has problems, or there are conflicts")
        )
        #expect(try await runTool(["help", "show"]).output.contains("  1    the data has problems\n"))
    }

    @Test func helpOfCollectingIsThatOfTheCommand() async throws {
        #expect(
            try await runTool(["help", "decode"]).output.contains("A document with 100000 problems is given up there."))
        #expect(try await runTool(["help", "unarchive"]).output.contains("the first 100000 problems are reported."))
    }

    @Test func optionsAndFilesMayBeMixedAndADoubleHyphenEndsTheOptions() async throws {
        let notes = try NoteSchema()
        defer { withExtendedLifetime(notes.folder) {} }
        let run = try await runTool(
            ["decode", "-", "--model=Note", "--schemas=\(notes.folder.path)"], input: #"{"id": 1}"#)
        #expect(run.output == "{\"id\":1}\n")
        let missing = try await notes.run("decode", "--", "--lines")
        #expect(missing.errorLines == ["pallium: cannot read --lines: No such file or directory"])
        #expect(missing.status == 2)
    }
}
