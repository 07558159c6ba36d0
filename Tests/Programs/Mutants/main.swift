import Foundation
import RunSupport

/// Writes at once, also into a file.
@Sendable func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
    say(Arguments.help)
    exit(2)
}
if arguments.wantsHelp {
    say(Arguments.help)
    exit(0)
}

do {
    let directory = URL(filePath: ".build-mutants/work").absoluteURL
    let sources = try MutatedPackage.sources(in: directory)
    var generator = SeededGenerator(seed: arguments.seed)
    let searches = sources.values.filter { arguments.changes($0.path) }.sorted { $0.path < $1.path }
        .map { MutationSearch($0) }
    let equivalents = try EquivalentMutants(of: sources)
    let found = searches.flatMap { search in
        search.found.filter { arguments.changes($0.path, line: $0.line) }
            .map { (mutation: $0, isEquivalent: equivalents.contains($0, in: search.source)) }
    }
    let places = found.filter { !$0.isEquivalent }.map(\.mutation).shuffled(using: &generator)
    // About a sixth does not compile; the mutants are the first ones that do, in random order.
    let drawn = places.prefix(arguments.count * 3 / 2 + 20)
    let candidates = Dictionary(uniqueKeysWithValues: zip(0..., drawn))
    say("seed \(arguments.seed): \(arguments.count) mutants of \(places.count) places in \(searches.count) files")
    for rule in MutationRule.allCases where rule != .void {
        say("left out as \(rule.rawValue): \(searches.reduce(0) { $0 + $1.leftOut[rule, default: 0] })")
    }
    say("left out as equivalent: \(found.count - places.count)")

    var package = MutatedPackage(directory: directory, sources: sources, mutations: candidates)
    let compiled = try package.build(log: say)
    say("left out as \(MutationRule.void.rawValue): \(package.voidCount) of \(drawn.count) drawn")
    if compiled.count < arguments.count { say("only \(compiled.count) mutants compile") }
    let mutants = compiled.prefix(arguments.count).filter { arguments.only?.contains($0) ?? true }

    let run = TestRun(program: package.testProgram, directory: directory.appending(path: "runs"))
    let coverage = try Coverage(run, jobs: arguments.jobs)
    say(coverage.summary)
    let results = MutantResults(count: mutants.count, of: candidates, in: sources)
    concurrently(mutants, jobs: arguments.jobs) { mutant in
        results.record(Result { try coverage.verdict(on: mutant, run) }, of: mutant)
    }
    say(results.report)
    exit(results.isEnough ? 0 : 1)
} catch {
    say("\(error)")
    exit(2)
}
