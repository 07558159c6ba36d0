import Foundation
import Pallium
import PalliumGeneration

// The program that the plugins run: `pallium generate` without the rest of the tool, which would take long to build.

// Without the signal, writing beyond the limit for files fails, and the program can say so.
signal(SIGXFSZ, SIG_IGN)

/// Prints a message, in which nothing can move the cursor of a terminal.
func say(_ message: String, details: [String] = []) {
    let lines = (["pallium: \(message)"] + details).map { ModelError.shorten($0, to: .max / 2) + "\n" }
    try? FileHandle.standardError.write(contentsOf: Data(lines.joined().utf8))
}

do {
    guard let generation = try GeneratorArguments(CommandLine.arguments.dropFirst()).generation else {
        print(GeneratorArguments.help)
        exit(0)
    }
    let outcome = try generation.run { say($0) }
    for line in outcome.lines { print(line) }
    say(outcome.summary)
    exit(outcome.lines.isEmpty ? 0 : 1)
} catch let error as GenerationFailure {
    say(error.message, details: error.details)
} catch let error as GeneratorArguments.Mistake {
    say(error.message, details: ["try: --help"])
}
exit(2)
