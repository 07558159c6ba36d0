import Foundation
import Pallium
import PalliumContracts
import PalliumGeneration
import PalliumTrials

/// Whether the time for schemas grows with their number only: registration, adapters, checking, generation, contracts
/// and comparison.
enum SchemaGrowthCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let works = SchemaShape.all.flatMap { shape in Stage.allCases.map { (shape: shape, stage: $0) } }
        if let counted = Growth.Counted(arguments) {
            let (shape, stage) = works[counted.number - 1]
            let subject = try Subject(shape.document(shape.size * counted.size))
            defer { subject.remove() }
            for _ in 0..<counted.runs { try subject.run(stage) }
            return
        }
        Measured.restartKeepingFreedMemory()
        for (index, (shape, stage)) in works.enumerated()
        where arguments.operands.allSatisfy({ shape.name.contains($0) }) {
            let small = try Subject(shape.document(shape.size))
            let large = try Subject(shape.document(shape.size * 4))
            defer {
                small.remove()
                large.remove()
            }
            let growth = Growth(mode: .schemas, number: index + 1, name: "\(shape.name), \(stage)")
            let result = try growth.check(&tally, one: { try small.run(stage) }, four: { try large.run(stage) })
            if arguments.has("--times") {
                print("\(growth.name): \(Int(result.times.four * 1e6)) µs, \(log(result.ratio) / log(4))")
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
