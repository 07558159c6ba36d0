import Foundation
import TestSupport
import Testing

/// The section *In the shell* of the article *CommandLine*.
@Suite struct CompletionTests {
    static let cases: [(String, [String])] = [
        ("de", ["decode"]),
        ("un", ["unarchive"]),
        ("--v", ["--version"]),
        ("decode --un", ["--unordered", "--unknown", "--unmasked"]),
        ("decode --unknown ", ["ignore", "refuse", "keep"]),
        ("decode --unknown r", ["refuse"]),
        ("decode --unknown = r", ["refuse"]),
        ("decode --unknown =", ["ignore", "refuse", "keep"]),
        ("diff --format merge", ["merge-patch"]),
        ("drift --st", ["--strict"]),
        ("infer --sk", ["--skip-bad"]),
        ("infer --v", ["--values"]),
        ("generate --access p", ["package", "public"]),
        ("decode --schemas Schem", ["Schemas"]),
        ("decode --rejects Packa", ["Package.swift"]),
        ("show -o Packa", ["Package.swift"]),
        ("upgrade Packa", ["Package.swift"]),
        // What may be given once is suggested once.
        ("decode --schemas Schemas --sch", ["--schemas"]),
        ("decode --schemas = Schemas --schemas Tes", ["Tests"]),
        ("decode --quiet --qui", []),
        ("decode --model M --mo", ["--mode"]),
        ("decode --mo", ["--model", "--mode"]),
        ("show -o x --out", []),
        ("show --output x -o", []),
        // Nobody knows names and numbers.
        ("decode --model ", []),
        ("decode --jobs ", []),
        // An option of another command is no option.
        ("show --jobs Packa", ["Package.swift"]),
        ("help ex", ["export"]),
        ("help --", ["--man", "--output", "--help"]),
        ("completions ", ["bash", "zsh", "fish"]),
        ("sto", ["store"]),
        ("store ", ["import", "query", "dump", "delete", "upgrade", "check", "backup"]),
        ("store du", ["dump"]),
        ("store --", ["--help"]),
        ("store query --w", ["--where"]),
        ("store query --where a --wh", ["--where"]),
        ("store query --limit ", []), ("store query --af", ["--after"]), ("store query --count-", ["--count-by"]),
        ("store query --su", ["--sum"]), ("store query --ma", ["--max"]), ("store query --min ", []),
        ("store query --schemas Schem", ["Schemas"]),
        ("store import Packa", ["Package.swift"]),
        ("store import --errors ", ["text", "json"]),
        // Here it has no value, in other commands it has one.
        ("store query --count Packa", ["Package.swift"]),
        ("sample --count ", []),
        ("store frobnicate ", []),
        ("frobnicate ", []),
    ]

    @Test(arguments: cases)
    func bashCompletesWordsAndFiles(_ line: String, _ expected: [String]) async throws {
        let script = """
            tool=$0
            exec bash -c 'source <("$0" completions bash)
                COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
                _pallium
                printf "%s\\n" "${COMPREPLY[@]}"' "$tool" "$@"
            """
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let run = try await runShell(script, ["pallium"] + words)
        #expect(run.outputLines == expected)
        #expect(run.errors.isEmpty)
    }

    @Test func namesOfFilesMayHaveSpacesAndStars() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a b", "")
        try folder.write("a*", "")
        let script = """
            tool=$0
            cd "$1"
            exec bash -c 'source <("$0" completions bash)
                COMP_WORDS=(pallium inspect a) COMP_CWORD=2
                _pallium
                printf "[%s]" "${COMPREPLY[@]}"' "$tool"
            """
        let run = try await runShell(script, [folder.path])
        #expect(["[a b][a*]", "[a*][a b]"].contains(run.output))
    }

    /// Every shell knows every command and every option of its help.
    @Test(arguments: ["bash", "zsh", "fish"])
    func scriptsNameWhatTheHelpNames(_ shell: String) async throws {
        let script = try await runTool(["completions", shell])
        #expect(script.status == 0)
        #expect(script.errors.isEmpty)
        let commands = try await listedCommands(["help"])
        #expect(commands.count > 10)
        let subcommands = try await listedCommands(["help", "store"]).map { "store \($0)" }
        #expect(subcommands.count == 7)
        for command in commands + subcommands {
            #expect(
                script.output.contains(command.split(separator: " ").joined(separator: shell == "fish" ? " " : "-")))
            let options = try await runTool(["help"] + command.split(separator: " ").map(String.init)).outputLines
                .compactMap {
                    $0.firstMatch(of: #/^  --([a-z-]+)/#).map { String($0.1) }
                }
            #expect(options.contains("help"))
            let part = try part(of: script.output, shell, command)
            for option in options {
                #expect(part.contains(shell == "fish" ? " -l \(option) " : "--\(option)"), "\(command) \(option)")
            }
        }
    }

    /// The commands that a help lists.
    private func listedCommands(_ arguments: [String]) async throws -> [String] {
        try await runTool(arguments).outputLines.compactMap {
            $0.firstMatch(of: #/^  ([a-z]+) {2}/#).map { String($0.1) }
        }
    }

    private func part(of script: String, _ shell: String, _ command: String) throws -> String {
        if shell == "fish" {
            let kind = command == "store" ? "group" : "command"
            return script.split(separator: "\n").filter { $0.contains("'__pallium_\(kind) \(command)'") }
                .joined(separator: "\n")
        }
        let name = command.replacing(" ", with: "-")
        let begin = try #require(script.range(of: "\n    \(name))\n"))
        let end = try #require(script[begin.upperBound...].range(of: ";;"))
        return String(script[begin.upperBound..<end.lowerBound])
    }

    @Test func zshAndFishGetChoicesAndFiles() async throws {
        let zsh = try await runTool(["completions", "zsh"]).output
        #expect(zsh.hasPrefix("#compdef pallium\n"))
        #expect(zsh.contains(":(ignore refuse keep)'"))
        #expect(zsh.contains("'(--output -o)'{--output=,-o+}'["))
        #expect(zsh.contains("            '*'--schemas='["))
        #expect(!zsh.contains("'*'--model"))
        #expect(zsh.contains(#"The schema of the documents'\'' roots"#))
        let fish = try await runTool(["completions", "fish"]).output
        #expect(fish.contains(" -l unknown -r -f -a 'ignore refuse keep' -d '"))
        #expect(fish.contains(" -l output -s o -r -F -d '"))
        #expect(fish.contains(#"The schema of the documents\' roots'"#))
    }

    private static func has(_ program: String) -> Bool {
        ["/bin", "/usr/bin", "/usr/local/bin"].contains { FileManager.default.fileExists(atPath: "\($0)/\(program)") }
    }

    @Test(.needs("zsh", if: has("zsh")))
    func zshReadsItsScript() async throws {
        #expect(try await runShell(#""$0" completions zsh | zsh -n"#, []) == ToolRun(status: 0, output: "", errors: ""))
    }

    @Test(.needs("fish", if: has("fish")))
    func fishReadsItsScript() async throws {
        #expect(
            try await runShell(#""$0" completions fish | fish -n"#, []) == ToolRun(status: 0, output: "", errors: ""))
    }
}
