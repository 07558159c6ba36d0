import Foundation

/// A process that this program started failed.
private struct ProcessFailed: Error, CustomStringConvertible {
    let arguments: [String]
    let status: Int32

    var description: String { "the process with \(arguments.joined(separator: " ")) ended with status \(status)" }
}

/// Starts this program with other arguments and returns what it prints.
func runThisProgram(_ arguments: [String]) throws -> Data {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw ProcessFailed(arguments: arguments, status: process.terminationStatus)
    }
    return text
}
