import Foundation
import Pallium
import PalliumStore

/// A store with very many rows, written in one transaction: a loop over them takes the memory of a few.
enum StoreSizeCheck {
    /// What a loop may take.
    private static let allowedBytes = 32_000_000

    private static let schema = ModelSchema(
        "Note", ["id": .integer.required, "text": .string, "owner": .model("Owner")], identity: ["id"])
    private static let owner = ModelSchema("Owner", ["id": .integer.required], identity: ["id"])

    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        guard let text = arguments.operands.first, let count = Int(text), count > 0 else {
            throw Arguments.Mistake(description: "how many rows?")
        }
        let registry = SchemaRegistry()
        try registry.register(schema, owner)
        let folder = try StoreFolder()
        do {
            let store = try ModelStore(at: folder.file("store"), registry: registry)
            let owners = try (0..<100).map { try DynamicModel(schema: owner, values: ["id": $0], registry: registry) }
            try store.transaction { store in
                for first in stride(from: 0, to: count, by: 1_000) {
                    try store.save(
                        (first..<min(first + 1_000, count)).map {
                            try DynamicModel(
                                schema: schema,
                                values: ["id": $0, "text": "note \($0)", "owner": owners[$0 % owners.count]],
                                registry: registry)
                        })
                }
            }
        }
        let store = try ModelStore(at: folder.file("store"), registry: registry)
        Measured.resetPeak()
        let before = Measured.residentBytes
        var next = 0
        try store.forEach(ModelQuery(schema: schema, order: [.ascending("id")], including: .all)) { note in
            if note["id", as: Int.self] == next { next += 1 }
        }
        let growth = max(Measured.residentBytes - before, 0)
        tally.check(next == count, "a loop over \(count) rows saw \(next) of them in order")
        tally.check(growth <= allowedBytes, "a loop over \(count) rows took \(growth) bytes")
        print("\(count) rows: a loop over them took \(growth / 1_000_000) MB beside \(before / 1_000_000) MB")
    }
}
