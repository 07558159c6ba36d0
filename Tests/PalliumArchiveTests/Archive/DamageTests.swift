import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Damaged archives are errors: never a crash, never other values.
@Suite struct DamageTests {
    let registry: SchemaRegistry
    /// Archives of different shapes.
    let archives: [Data]

    init() throws {
        registry = try Everything.registry()
        archives = try Self.makeArchives(registry)
    }

    private static func makeArchives(_ registry: SchemaRegistry) throws -> [Data] {
        let model = DynamicModel(schema: Everything.schema, registry: registry)
        let empty = try ModelArchiver().archive(model)
        for (key, value) in Everything.values { try model.setValue(value, forKey: key) }
        let other = model.copy()
        try model.setValue([other, other], forKey: "children")
        try model.setValue(["a": other, "b": nil] as [String: DynamicModel?], forKey: "named")
        return [empty, try ModelArchiver().archive(model), try ModelArchiver().archive([])]
    }

    private func open(_ bytes: [UInt8]) throws -> [DynamicModel] {
        try ModelUnarchiver(registry: registry).unarchive(arrayOf: Everything.schema, from: bytes)
    }

    @Test(.threat(.archiveBitFlips)) func everyFlippedBitIsAnError() {
        for archive in archives {
            var bytes = [UInt8](archive)
            for position in sampled(bytes.indices) {
                for bit in 0..<8 {
                    bytes[position] ^= 1 << bit
                    #expect(throws: ModelError.self) { try open(bytes) }
                    bytes[position] ^= 1 << bit
                }
            }
            #expect(throws: Never.self) { try open(bytes) }
        }
    }

    @Test(.threat(.archiveTruncation)) func everyTruncationAndEveryAdditionIsAnError() {
        for archive in archives {
            let bytes = [UInt8](archive)
            for length in bytes.indices {
                #expect(throws: ModelError.self) { try open(Array(bytes[..<length])) }
            }
            #expect(throws: ModelError.self) { try open(bytes + [0]) }
            #expect(throws: ModelError.self) { try open(bytes + bytes) }
        }
    }

    @Test(
        .threat(.archiveVersions), arguments: ["", "x", "{\"a\": 1}", "\u{89}PAL", String(repeating: "\0", count: 100)])
    func whatIsNoArchiveIsSaidToBeNone(text: String) {
        #expect(throws: ModelError.self) { try open(Array(text.utf8)) }
    }
}
