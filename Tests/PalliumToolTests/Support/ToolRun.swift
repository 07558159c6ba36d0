import Foundation
import TestSupport

/// What a run of the built tool gave.
struct ToolRun: Equatable {
    var status: Int32
    var output: String
    var errors: String

    /// The lines of standard error without the time in the summary, which differs from run to run.
    var errorLines: [String] {
        errors.replacing(#/ in [0-9.]+ m?s,/#, with: " in TIME,").split(separator: "\n").map(String.init)
    }

    /// The lines of standard output.
    var outputLines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs the tool as a process of its own.
func runTool(_ arguments: [String], input: [UInt8] = []) async throws -> ToolRun {
    try await runProcess(toolURL, arguments, input: input)
}

/// Runs the tool with text as standard input.
func runTool(_ arguments: [String], input: String) async throws -> ToolRun {
    try await runTool(arguments, input: Array(input.utf8))
}

/// Runs the program that the README is.
func runReadmeExample() async throws -> ToolRun { try await runProcess(builtURL("ReadmeExample"), [], input: []) }

/// Runs the program of the plugins.
func runGenerator(_ arguments: [String]) async throws -> ToolRun {
    try await runProcess(builtURL("PalliumGenerator"), arguments, input: [])
}

/// Runs a shell script in which `$0` is the tool and `$1`… are the arguments, with the functions of ``shellFunctions``.
func runShell(_ script: String, _ arguments: [String], input: [UInt8] = []) async throws -> ToolRun {
    let script = "\(shellFunctions)\n\(script)"
    return try await runProcess(
        URL(fileURLWithPath: "/bin/sh"), ["-c", script, toolURL.path] + arguments, input: input)
}

/// Shell functions that wait for an event, however slow the machine is.
///
/// `await CONDITION` waits until a command succeeds; if it never does, it fails in the end, so that no script runs for
/// ever. `hold_open` sleeps until it is killed, in the place of its shell, and keeps the files open that it has.
let shellFunctions = """
    await() {
        awaited=0
        until eval "$1"; do
            [ $awaited -lt \(Patience.minutes * 600) ] || return 1
            awaited=$((awaited + 1))
            sleep 0.1
        done
    }
    hold_open() { exec sleep \(Patience.minutes * 60); }
    """

private let toolURL = builtURL("pallium")

/// Built programs lie beside the test bundle.
private func builtURL(_ name: String) -> URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let neighbour = bundle ?? Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return neighbour.deletingLastPathComponent().appendingPathComponent(name)
}

private func runProcess(_ executable: URL, _ arguments: [String], input: [UInt8]) async throws -> ToolRun {
    // Files instead of pipes: nothing can block, however much is written.
    let folder = try TemporaryFolder()
    let inputPath = try folder.write("input", input)
    let outputPath = try folder.write("output", "")
    let errorsPath = try folder.write("errors", "")
    let status = try await spawn(
        executable.path, arguments, in: SharedData.repository.path, files: [inputPath, outputPath, errorsPath])
    return ToolRun(status: status, output: try folder.read("output"), errors: try folder.read("errors"))
}
