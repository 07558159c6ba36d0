import Foundation
import ModelTestSupport
import Pallium
import Testing

/// A checksum is no signature: bytes that somebody changed on purpose fit theirs, and still must do no harm.
@Suite struct ForgedArchiveTests {
    let registry: SchemaRegistry
    let archive: [UInt8]

    init() throws {
        registry = try Everything.registry()
        let model = DynamicModel(schema: Everything.schema, registry: registry)
        for (key, value) in Everything.values { try model.setValue(value, forKey: key) }
        let other = model.copy()
        try model.setValue([other, other], forKey: "children")
        try model.setValue([other], forKey: "friends")
        try model.setValue(["a": other, "b": nil] as [String: DynamicModel?], forKey: "named")
        archive = [UInt8](try ModelArchiver().archive(model))
    }

    /// Opens bytes and, if that succeeds, uses everything that is in the models.
    private func use(_ bytes: [UInt8]) {
        guard
            let models = try? ModelUnarchiver(registry: registry).unarchive(arrayOf: Everything.schema, from: bytes)
        else { return }
        for model in models {
            _ = "\(model.debugDescription) \(model.hashValue) \(model == model.copy())"
            var pending = [model]
            var seen: Set<ObjectIdentifier> = []
            while let next = pending.popLast() {
                guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
                for case let value? in next.values.values {
                    if let model = value as? DynamicModel { pending.append(model) }
                    if let models = value as? [DynamicModel] { pending += models }
                }
            }
            #expect(throws: Never.self) { try ModelArchiver().archive(model) }
            model.unsetAll()
        }
    }

    @Test(.trials, .threat(.forgedChecksums)) func changedBytesWithFittingChecksumsDoNoHarm() {
        for seed in Trials(9) {
            var random = SeededGenerator(seed: seed)
            var bytes = archive
            for _ in 0...Int(random.next() % 3) {
                let position = 56 + Int(random.next() % UInt64(bytes.count - 56))
                switch random.next() % 4 {
                case 0: bytes[position] ^= 1 << UInt8(random.next() % 8)
                case 1: bytes[position] = UInt8(truncatingIfNeeded: random.next())
                case 2: bytes[position] = 0xFF
                default: bytes[position] = 0
                }
            }
            ArchiveHeader.repairChecksums(of: &bytes)
            use(bytes)
        }
    }

    @Test(.trials, .threat(.forgedChecksums)) func everyByteReplacedByEveryExtremeDoesNoHarm() {
        let positions = Array(archive.indices.dropFirst(56))
        for seed in Trials(20, atMost: positions.count) {
            // A prime number goes around all bytes.
            let position = positions[seed * 7919 % positions.count]
            for value: UInt8 in [0x00, 0x7F, 0x80, 0xFF] {
                var bytes = archive
                bytes[position] = value
                ArchiveHeader.repairChecksums(of: &bytes)
                use(bytes)
            }
        }
    }

    @Test(.threat(.archiveVersions)) func aFormatOfTheFutureIsRefusedBeforeAnythingElse() {
        for version: UInt8 in [0, 2, 0xFF] {
            var bytes = archive
            bytes[8] = version
            // Nothing behind the header is as it was.
            for position in bytes.indices.dropFirst(56) { bytes[position] ^= 0xFF }
            ArchiveHeader.repairChecksums(of: &bytes)
            let error = #expect(throws: ModelError.self) {
                try ModelUnarchiver(registry: registry).unarchive(arrayOf: Everything.schema, from: bytes)
            }
            #expect(error?.code == .newerVersion)
            #expect(error?.description == "expected an archive of format version 1 but found version \(version)")
        }
    }

    @Test(.threat(.archiveTypeConfusion)) func aReferenceToAModelOfAnotherSchemaIsRefused() throws {
        let registry = SchemaRegistry()
        let (a, b) = (ModelSchema("A", ["b": .model("B"), "c": .model("A")]), ModelSchema("B", [:]))
        try registry.register(a, b)
        let model = DynamicModel(schema: a, registry: registry)
        try model.setValue(DynamicModel(schema: b, registry: registry), forKey: "b")
        try model.setValue(DynamicModel(schema: a, registry: registry), forKey: "c")
        let bytes = [UInt8](try ModelArchiver().archive(model))
        // The record of the first object: states of both properties, the number of each object.
        #expect(Array(bytes[56..<59]) == [0b1010, 1, 2])
        for (changed, place) in [([2, 2], "/objects/0/b"), ([1, 1], "/objects/0/c"), ([0, 2], "/objects/0/b")] {
            var forged = bytes
            forged.replaceSubrange(57..<59, with: changed.map { UInt8($0) })
            ArchiveHeader.repairChecksums(of: &forged)
            let error = try #require(throws: ModelError.self) {
                try ModelUnarchiver(registry: registry).unarchive(a, from: forged)
            }
            #expect(error.code == .typeMismatch)
            #expect(error.pointer?.description == place)
        }
        for number: UInt8 in [3, 0x7F] {
            var forged = bytes
            forged[57] = number
            ArchiveHeader.repairChecksums(of: &forged)
            let error = try #require(throws: ModelError.self) {
                try ModelUnarchiver(registry: registry).unarchive(a, from: forged)
            }
            #expect(error.code == .malformedArchive)
        }
    }

    @Test(.threat(.archiveLengthBombs)) func aSchemaThatIsListedTooOftenIsRefused() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("M", ["m": .model("M")])
        try registry.register(schema)
        let bytes = [UInt8](try ModelArchiver().archive(DynamicModel(schema: schema, registry: registry)))
        // One record of a byte, an index of five; then the schemas: their number and this one.
        let one = Array(bytes[63...])
        #expect(Array(bytes[56..<63]) == [0, 1, 0, 0, 0, 1, 0] && bytes[62] == 0 && one[0] == 1)
        func forged(_ count: Int) -> [UInt8] {
            var forged =
                Array(bytes[..<63]) + [UInt8(count & 0x7F) | 0x80, UInt8(count >> 7 & 0x7F) | 0x80, UInt8(count >> 14)]
            for _ in 0..<count { forged += one.dropFirst() }
            let length = forged.count - 63
            for byte in 0..<4 { forged[12 + byte] = UInt8(length >> (8 * byte) & 0xFF) }
            ArchiveHeader.repairChecksums(of: &forged)
            return forged
        }
        #expect(try ModelUnarchiver(registry: registry).unarchive(schema, from: forged(10_000)).schema == schema)
        #expect(throws: ModelError.self) {
            try ModelUnarchiver(registry: registry).unarchive(schema, from: forged(10_001))
        }
    }

    @Test(.threat(.archiveLengthBombs, .memoryBlowUp)) func hugeCountsReserveNothing() throws {
        // A list of 2⁶³ elements, in place of a list of integers.
        let registry = SchemaRegistry()
        let schema = ModelSchema("Model", ["list": .array(of: .integer)])
        try registry.register(schema)
        let model = try DynamicModel(
            schema: schema, values: ["list": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]], registry: registry)
        let bytes = [UInt8](try ModelArchiver().archive(model))
        // Record: a byte of states, the count, the flag of nulls, the elements.
        #expect(Array(bytes[56..<59]) == [2, 10, 0])
        for huge: [UInt8] in [
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0xFF, 0xFF, 0x7F],
        ] {
            var forged = bytes
            forged.replaceSubrange(57..<57 + huge.count, with: huge)
            ArchiveHeader.repairChecksums(of: &forged)
            let error = try #require(throws: ModelError.self) {
                try ModelUnarchiver(registry: registry).unarchive(schema, from: forged)
            }
            #expect(error.code == .malformedArchive)
        }
    }
}
