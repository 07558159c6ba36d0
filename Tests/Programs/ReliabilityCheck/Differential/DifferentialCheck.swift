import Foundation
import Pallium

/// Generated schemas and documents: every way into a model gives the same model or the same problems, every way out and
/// back the model that there was, and both are what a slow reference says that was written from the documentation.
enum DifferentialCheck {
    /// How many documents each set of schemas gets.
    private static let documentsPerSet = 100

    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let count = arguments.operands.first.flatMap { Int($0) } ?? 20_000
        var first = 0
        var end = count
        if let only = arguments.number("--only") {
            first = only
            end = only + 1
        } else if let from = arguments.number("--from") {
            first = from
        }

        var current: SchemaSet?
        for number in first..<end {
            let setNumber = number / documentsPerSet
            if current?.number != setNumber {
                var schemas = GeneratedSchemas(seed: arguments.seed, number: setNumber)
                current = try schemas.next()
                if arguments.has("--names") { for refusal in schemas.refusals { print("refused: \(refusal)") } }
            }
            guard let set = current else { continue }
            if let set = current, number % documentsPerSet == 0, let text = set.documentDisagreement() {
                tally.fail(text)
            }
            if arguments.has("--names") { FileHandle.standardOutput.write(Data("case \(number)\n".utf8)) }
            try autoreleasing {
                var comparison = Comparison(set: set, seed: arguments.seed, number: number)
                try comparison.run()
                if comparison.failures.isEmpty {
                    tally.check(true, "")
                } else {
                    tally.fail(comparison.reproduction(seed: arguments.seed))
                }
            }
        }
    }

    private static func autoreleasing<Result>(_ body: () throws -> Result) rethrows -> Result {
        #if canImport(ObjectiveC)
            try autoreleasepool(invoking: body)
        #else
            try body()
        #endif
    }
}
