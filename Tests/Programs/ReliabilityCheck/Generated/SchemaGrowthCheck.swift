import Foundation
import Pallium
import PalliumContracts
import PalliumGeneration
import PalliumTrials

/// Whether the time for schemas grows with their number only: registration, adapters, checking, generation, contracts
/// and comparison.
enum SchemaGrowthCheck {
    /// How many times as long four times the input may take: an exponent of 1.1, and what caches add.
    private static let limit = 4.8

    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        Measured.restartKeepingFreedMemory()
        for shape in SchemaShape.all where arguments.operands.allSatisfy({ shape.name.contains($0) }) {
            let small = try Subject(shape.document(shape.size))
            let large = try Subject(shape.document(shape.size * 4))
            defer {
                small.remove()
                large.remove()
            }
            for stage in Stage.allCases {
                let result = try Measured.growth(
                    until: limit, one: { try small.run(stage) }, four: { try large.run(stage) })
                if arguments.has("--times") {
                    print(
                        "\(shape.name), \(stage): \(Int(result.times.four * 1e6)) µs, \(log(result.ratio) / log(4))")
                }
                tally.check(
                    result.ratio <= limit,
                    "\(shape.name), \(stage): four times the schemas take \(result.ratio) times as long (\(result.times) s)"
                )
            }
        }
    }

    private enum Stage: CaseIterable {
        case registration, adapter, checking, generation, contract, comparison
    }

    /// A schema document with what is made of it.
    private struct Subject {
        let bytes: [UInt8]
        let file: URL
        let registry: SchemaRegistry

        init(_ document: String) throws {
            bytes = Array(document.utf8)
            file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
            try Data(bytes).write(to: file)
            registry = SchemaRegistry()
            try registry.load(bytes)
        }

        func remove() { try? FileManager.default.removeItem(at: file) }

        func run(_ stage: Stage) throws {
            switch stage {
            case .registration: try SchemaRegistry().load(bytes)
            case .adapter:
                // A registry keeps the plans of its adapters.
                let registry = SchemaRegistry()
                try registry.load(bytes)
                _ = try JSONAdapter(schema: registry.schemas[0], registry: registry).report(from: Data("{}".utf8))
            case .checking: _ = try SchemaRegistry().check(contentsOf: file)
            case .generation: _ = try SwiftGenerator(contentsOf: file).file(named: "Models.swift")
            case .contract: _ = try registry.jsonSchema()
            case .comparison:
                let new = SchemaRegistry()
                try new.load(bytes)
                _ = try SchemaComparison(of: registry, with: new)
            }
        }
    }
}
