import Foundation

// Runs the library against recorded and generated inputs, hostile ones above all. `--help` says how.

do {
    let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    guard let mode = arguments.mode else {
        print(Help.text)
        exit(0)
    }
    var tally = Tally()
    try mode.run(arguments, &tally)
    print(tally.summary)
    exit(tally.failed == 0 ? 0 : 1)
} catch let mistake as Arguments.Mistake {
    FileHandle.standardError.write(Data("\(mistake)\n\n\(Help.text)\n".utf8))
    exit(2)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(2)
}
