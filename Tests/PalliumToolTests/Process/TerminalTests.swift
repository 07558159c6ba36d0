import Foundation
import TestSupport
import Testing

/// The section *On a terminal* of the article *CommandLine*. The terminal is one that `script` makes.
@Suite(.needs("script", if: FileManager.default.fileExists(atPath: "/usr/bin/script") && isLinux))
struct TerminalTests {
    private let notes: NoteSchema
    private static let eraser = "\r\u{1B}[K"

    init() throws {
        notes = try NoteSchema()
        try notes.folder.write("User.json", StoreFolder.user)
    }

    /// Returns what a terminal is sent by a shell script in which `$pallium` is the tool and `$schemas` its schemas. What it
    /// has been sent so far is in the file `shown`.
    private func shown(_ script: String, _ environment: String = "TERM=xterm") async throws -> String {
        defer { withExtendedLifetime(notes) {} }
        try notes.folder.write("script", "\(Self.functions)\n\(script)")
        let other = "send_until_shown other line | $pallium decode $schemas --lines - > lines"
        try notes.folder.write("other-script", "\(Self.functions)\n\(other)")
        // A terminal echoes the end of its input, at any moment, so the input never ends.
        let command =
            #"cd "$1" && { [ -p keys ] || mkfifo keys; } && exec 3<>keys && env \#(environment) pallium="$0" "#
            + #"schemas="--schemas $1/Note.json --model Note" script -qfec "sh script" shown <&3"#
        return try await runShell(command, [notes.folder.path]).output
    }

    /// The input that scripts send until the terminal shows progress, however slow the machine is.
    ///
    /// `progress_is_due` runs the tool in another terminal until it shows its progress there. So a run that had begun before
    /// would have shown its progress, too.
    private static let functions = """
        \(shellFunctions)
        line() { echo '{"id":1}'; }
        space() { printf ' '; }
        send_until_shown() { await "grep -qs pallium: $1 || { $2; false; }"; }
        slow_lines() { send_until_shown shown line; }
        slow_document() { printf '{"id":'; send_until_shown shown space; printf '2}'; }
        progress_is_due() {
            rm -f other
            env TERM=xterm script -qfec "sh other-script" other < keys > /dev/null
        }
        """

    static let commands = [
        ("slow_lines", "decode $schemas --lines - > out", "decoding"),
        ("slow_lines", "show $schemas --lines - > out", "decoding"),
        ("slow_lines", "drift $schemas --lines - > out", "decoding"),
        ("slow_lines", "infer --lines - > out", "decoding"),
        ("slow_document", "decode $schemas - > out", "decoding"),
        ("slow_document", "archive $schemas -o out -", "decoding"),
        ("slow_document", "diff - script", "reading"), ("slow_document", "inspect -", "reading"),
        ("slow_document", "unarchive --schemas Note.json -", "reading"),
        ("slow_document", "import --json-schema -", "reading"),
        ("slow_lines", "store import --schemas User.json --model User --lines a.store -", "importing"),
    ]

    @Test(arguments: commands)
    func aLongInputShowsHowFarItHasBeenRead(_ input: String, _ command: String, _ work: String) async throws {
        let shown = try await shown("\(input) | $pallium \(command)")
        // The amounts depend on how fast the machine is.
        let amount = "([0-9]+ bytes?|[0-9.]+ [kM]B)"
        let progress = try Regex(
            #"\r\u{1B}\[Kpallium: \#(work) <stdin>: \#(amount), (\#(amount)|no bytes)/s\r\u{1B}\[K"#)
        #expect(shown.contains(progress), "\(shown)")
    }

    @Test(arguments: [
        ("sample Note.json --model Note --count 1000000000 > out", "making samples: 0 % of 1000000000 documents"),
        ("laws Note.json --count 1000000000", "checking laws: 0 % of 1000000000 documents"),
    ])
    func longWorkShowsHowFarItIs(_ command: String, _ text: String) async throws {
        let shown = try await shown(
            "$pallium \(command) & send_until_shown shown :; kill $!; wait $!; echo status $?")
        #expect(shown.contains("\(Self.eraser)pallium: \(text), "))
        #expect(shown.contains("/s, "))
        #expect(shown.contains(" s left"))
        #expect(shown.hasSuffix("status 143\r\n"))
    }

    @Test(arguments: [
        ("$pallium decode $schemas --lines - 2>&1 | cat", "TERM=xterm"),
        ("$pallium decode $schemas --lines - 2> errors", "TERM=xterm"),
        ("$pallium decode $schemas --lines --quiet -", "TERM=xterm"),
        ("$pallium decode $schemas --lines --errors json -", "TERM=xterm"),
        ("$pallium decode $schemas --lines -", "TERM=dumb"), ("$pallium decode $schemas --lines -", "TERM="),
        ("$pallium decode $schemas --lines -", "-u TERM"),
    ])
    func noProgressIsShownWhereNobodyWantsIt(_ command: String, _ environment: String) async throws {
        // Without an output of the first line, nothing tells that the run has begun.
        let begun = command.contains("--quiet") ? "" : #"await 'grep -qs "\"id\":1" shown'; "#
        let input = "{ line; \(begun)progress_is_due; echo '{\"id\":2}'; }"
        let shown = try await shown("\(input) | \(command)", environment)
        #expect(!shown.contains("\u{1B}") && !shown.contains("decoding"), "\(shown)")
        #expect(shown.contains("{\"id\":2}") || shown.contains("valid"), "\(shown)")
    }

    /// A line that is broken in two cannot be erased.
    @Test func theLineFitsIntoTheTerminal() async throws {
        let name = String(repeating: "long", count: 30)
        let shown = try await shown(
            "stty cols 40; mkfifo \(name); slow_lines > \(name) & $pallium decode $schemas --lines \(name) > out")
        let lines = shown.split(separator: Self.eraser).map { $0.prefix { $0 != "\r\n" } }
        #expect(lines.first?.hasPrefix("pallium:") == true, "\(shown)")
        #expect(lines.first?.contains(#/(bytes?|[kM]B)/s$/#) == true, "\(shown)")
        #expect(lines.first.map { $0.count <= 39 } == true, "\(lines)")
    }

    /// The array is so long that its elements are written one by one, on one line, and the first one at once.
    @Test func progressNeverErasesResults() async throws {
        let shown = try await shown(
            """
            x() { head -c $1 /dev/zero | tr '\\0' x; }
            { printf '['; x 4300000 | tr x ' '; printf '{"id":1,"text":"%s"},' $(x 300000)
              await 'grep -qs "xxx\\"}" shown'; progress_is_due; printf '{"id":2},'; progress_is_due; printf '{"id":3}]'
            } | $pallium decode $schemas -
            """)
        // The text is too long for a message.
        let isWhole = shown.contains(#"xxx"},{"id":2},{"id":3}]"#)
        #expect(isWhole, "\(shown.suffix(300))")
    }

    /// Whatever is written, and whatever the variables say, there is nothing but text.
    @Test(arguments: [
        "help", "help decode", "--version", "decod", "decode $schemas good bad", "decode $schemas --collect bad",
        "decode $schemas --quiet good", "show $schemas good", "diff $schemas good other", "diff good other",
        "check --explain Note.json", "check nowhere", "drift $schemas good bad", "compare Note.json Note.json",
        "infer good", "laws Note.json", "export --markdown Note.json",
    ])
    func nothingIsColoured(_ command: String) async throws {
        try notes.folder.write("good", #"{"id": 1, "text": "a", "code": "x"}"#)
        try notes.folder.write("other", #"{"id": 2, "text": "\u001b[31mred"}"#)
        try notes.folder.write("bad", #"[{"id": "x"}]"#)
        var texts: Set<String> = []
        for environment in ["TERM=xterm-256color", "TERM=xterm-256color NO_COLOR=1", "TERM=dumb", "CLICOLOR_FORCE=1"] {
            let shown = try await shown("$pallium \(command) 2>&1; echo $?", environment)
            #expect(!shown.contains("\u{1B}"))
            texts.insert(shown.replacing(#/ in [0-9.]+ m?s/#, with: ""))
        }
        let piped = try await shown("{ $pallium \(command) 2>&1; echo $?; } | cat")
        texts.insert(piped.replacing(#/ in [0-9.]+ m?s/#, with: ""))
        #expect(texts.count == 1, "\(texts)")
    }

    @Test func anArchiveIsNotWrittenToATerminal() async throws {
        try notes.folder.write("good", #"{"id": 1}"#)
        let shown = try await shown(
            "$pallium archive $schemas -o - good; echo $?; $pallium archive $schemas -o - good | wc -c")
        let lines = shown.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "pallium: an archive is no text for a terminal: name a file, or pass it to a program")
        #expect(lines.dropFirst().first == "2")
        #expect(lines.contains("pallium: 1 model in <stdout>"))
    }
}

#if os(Linux)
    private let isLinux = true
#else
    // The program has other arguments elsewhere.
    private let isLinux = false
#endif
