import Foundation
import ModelTestSupport
import Pallium
import PalliumCore
import Testing

/// Parts of an archive that no archiver writes are refused by the unarchiver and by what shows archives without
/// schemas.
@Suite struct ForgedPartTests {
    private let registry = SchemaRegistry()
    private let parts: ArchiveParts
    private static let node = ModelSchema(
        "Node",
        [
            "ab": .integer, "ac": .model("Leaf"), "on": .array(of: .model("Node")).archive(.conditional),
            "l": .model("Node"),
        ])

    /// Two nodes, of which the second refers to the first conditionally, and a leaf. The first keeps a JSON member.
    init() throws {
        try registry.register(Self.node, ModelSchema("Leaf", [:]))
        let first = DynamicModel(schema: Self.node, registry: registry)
        let second = DynamicModel(schema: Self.node, registry: registry)
        try first.setValue(5, forKey: "ab")
        try first.setValue(DynamicModel(schema: registry.schema(named: "Leaf"), registry: registry), forKey: "ac")
        try first.setValue(second, forKey: "l")
        try second.setValue([first], forKey: "on")
        first.unknownMembers = ["x": 1]
        parts = ArchiveParts(try ModelArchiver().archive(first))
        second.unsetAll()
    }

    private func open(_ parts: ArchiveParts) throws -> DynamicModel {
        try ModelUnarchiver(registry: registry).unarchive(Self.node, from: parts.archive)
    }

    private func show(_ parts: ArchiveParts) throws -> StoredGraph {
        try parts.archive.withBorrowedBytes { try StoredGraph($0) }
    }

    /// Both refuse, with the same words.
    private func sentence(
        of parts: ArchiveParts, code: ModelError.Code = .malformedArchive,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> String? {
        let shown = #expect(throws: ModelError.self, sourceLocation: sourceLocation) { try show(parts) }
        let opened = #expect(throws: ModelError.self, sourceLocation: sourceLocation) { try open(parts) }
        #expect(opened?.code == code, sourceLocation: sourceLocation)
        #expect(opened?.expected == shown?.expected && opened?.found == shown?.found, sourceLocation: sourceLocation)
        return opened?.description
    }

    /// Objects 0 and 2 are nodes, 1 is a leaf: three objects, one conditional value (object 2, property 2, a value: one
    /// element, no nulls, object 0), one object with members (0), one root (0).
    private static let index: [UInt8] = [3, 0, 1, 0, 1, 2, 2, 2, 1, 0, 0, 1, 0, 7] + Array(#"{"x":1}"#.utf8) + [1, 0]

    @Test func whatFollowsTheRecordsIsShownAndRead() throws {
        #expect(parts.index == Self.index)
        let graph = try show(parts)
        #expect(graph.objects.map(\.schema) == [0, 1, 0] && graph.roots == [0])
        let references = (graph.objects[2].model["on"]?.elements ?? []).map { element -> Int? in
            if case .model(let reference) = element { reference.number } else { nil }
        }
        #expect(references == [0])
        #expect(graph.objects[2].model.isDefaulted("on") == false)
        #expect(graph.preserved == [0: ["x": 1]])
        let model = try open(parts)
        let second = try #require(model["l", as: DynamicModel.self])
        defer { second.unsetAll() }
        #expect((try second.value(forKey: "on") as? [DynamicModel])?.first === model)
        #expect(model.unknownMembers == ["x": 1])
    }

    @Test func theStateOfAConditionalValueIsThatOfAValue() throws {
        var forged = parts
        forged.index[7] = 3
        #expect(try show(forged).objects[2].model.isDefaulted("on"))
        let model = try open(forged)
        let second = try #require(model["l", as: DynamicModel.self])
        defer { second.unsetAll() }
        #expect(try second.state(of: "on") == .defaulted)
        forged.index[7] = 1
        #expect(sentence(of: forged) == "expected the state of a value but found 1")
    }

    @Test func aConditionalValueThatComesAgainReplacesTheFirst() throws {
        let pair = ModelSchema("Pair", ["on": .model("Pair").archive(.conditional), "l": .model("Pair")])
        let registry = try SchemaRegistry.of(pair)
        let original = DynamicModel(schema: pair, registry: registry)
        original["l"] = DynamicModel(schema: pair, registry: registry)
        original.model("l")?["on"] = original
        defer { original.unsetAll() }
        var forged = ArchiveParts(try ModelArchiver().archive(original))
        // Two objects of the first schema, one conditional value (object 1, property 0, a value: object 0), and so on.
        #expect(forged.index[..<8] == [2, 0, 0, 1, 1, 0, 2, 0])
        forged.index[3] = 2
        forged.index.insert(contentsOf: forged.index[4..<8], at: 8)
        weak var first: DynamicModel?
        try {
            let model = try ModelUnarchiver(registry: registry).unarchive(pair, from: forged.archive)
            let second = try #require(model.model("l"))
            #expect(second.model("on") === model)
            first = model
            second.unsetAll()
        }()
        #expect(first == nil)
    }

    @Test(arguments: [
        (0, 40, "expected more bytes but found the end of a part"),
        (1, 2, "expected the number of a schema below 2 but found 2"),
        (5, 3, "expected the number of an object below 3 but found 3"),
        (6, 4, "expected the number of a property below 4 but found 4"),
        (9, 2, "expected 0 or 1 but found 2"),
        (10, 3, "expected the number of an object below 3 but found 3"),
        (12, 3, "expected the number of an object below 3 but found 3"),
        (22, 3, "expected the number of an object below 3 but found 3"),
    ])
    func numbersOfTheIndexAreOfSomethingThatIsThere(position: Int, byte: UInt8, sentence: String) {
        var forged = parts
        forged.index[position] = byte
        #expect(self.sentence(of: forged)?.hasPrefix(sentence) == true)
    }

    /// The conditional value is part of what steps see, so it is checked before the first one runs.
    @Test(arguments: [
        (9, 2, "expected 0 or 1 but found 2"), (10, 3, "expected the number of an object below 3 but found 3"),
    ])
    func noStepSeesAModelOfADamagedArchive(position: Int, byte: UInt8, sentence: String) throws {
        let steps = Journal()
        var node = Self.node
        node.version = 2
        node.upgrades = [SchemaUpgrade(from: 1) { _ in steps.add("ran") }]
        let registry = try SchemaRegistry.of(node, ModelSchema("Leaf", [:]))
        func open(_ parts: ArchiveParts) throws -> DynamicModel {
            try ModelUnarchiver(registry: registry).unarchive(node, from: parts.archive)
        }
        try open(parts).model("l")?.unsetAll()
        #expect(steps.all.count == 2)
        steps.clear()
        var forged = parts
        forged.index[position] = byte
        let error = try #require(throws: ModelError.self) { try open(forged) }
        #expect(error.description.hasPrefix(sentence) && error.pointer?.description == "/objects/2/on")
        #expect(steps.all == [])
    }

    @Test func membersAreAnObject() {
        var forged = parts
        forged.index.replaceSubrange(14..<21, with: Array("[1,2,3]".utf8))
        #expect(sentence(of: forged) == "expected an object of JSON members but found another value")
    }

    @Test func nothingFollowsTheRoots() {
        var forged = parts
        forged.index.append(0)
        #expect(sentence(of: forged) == "expected the end of a part but found 1 more bytes")
    }

    @Test func aRecordThatCannotBeReadIsNamedByItsNumber() throws {
        var forged = parts
        // States, the integer, the leaf, the second node; the leaf's record is empty.
        #expect(forged.records == [0b1000_1010, 10, 1, 2, 0b0001_0000])
        forged.records[2] = 9
        let opened = #expect(throws: ModelError.self) { try open(forged) }
        #expect(opened?.pointer?.description == "/objects/0/ac")
        let shown = #expect(throws: ModelError.self) { try show(forged) }
        #expect(shown?.pointer?.description == "/objects/0/ac")
    }

    @Test func aModelOfAnotherSchemaIsRefusedWithItsPlace() {
        var forged = parts
        forged.records[2] = 2
        let error = #expect(throws: ModelError.self) { try open(forged) }
        #expect(error?.code == .typeMismatch && error?.found == "a model of Node")
        #expect(error?.pointer?.description == "/objects/0/ac")
        // Without schemas nobody can tell.
        #expect(throws: Never.self) { try show(forged) }
    }

    @Test func aConditionalModelOfAnotherSchemaIsRefusedWithItsPlace() throws {
        var forged = parts
        forged.index[10] = 1
        let error = #expect(throws: ModelError.self) { try open(forged) }
        #expect(error?.found == "a model of Leaf" && error?.pointer?.description == "/objects/2/on/0")
        // The same for values that steps look at first.
        forged.index[9] = 2
        let later = SchemaRegistry()
        var schema = Self.node
        schema.version = 2
        schema.upgrades = [SchemaUpgrade(from: 1)]
        try later.register(schema, ModelSchema("Leaf", [:]))
        let upgraded = #expect(throws: ModelError.self) {
            try ModelUnarchiver(registry: later).unarchive(schema, from: forged.archive)
        }
        #expect(upgraded?.code == .malformedArchive && upgraded?.pointer?.description == "/objects/2/on")
    }

    /// A conditional value stands in the index, and is read as values of records are.
    @Test(arguments: [1, 2]) func aConditionalDictionaryNamesEachKeyOnce(version: Int) throws {
        var schema = ModelSchema(
            "Holder",
            [
                "own": .array(of: .model("Leaf")),
                "named": .dictionary(of: .model("Leaf")).archive(.conditional),
            ])
        let (first, later) = (SchemaRegistry(), SchemaRegistry())
        try first.register(schema, ModelSchema("Leaf", [:]))
        let leaves = try (0..<2).map { _ in
            DynamicModel(schema: try first.schema(named: "Leaf"), registry: first)
        }
        let holder = DynamicModel(schema: schema, registry: first)
        try holder.setValue(leaves, forKey: "own")
        try holder.setValue(["ka": leaves[0], "kb": leaves[1]], forKey: "named")
        var forged = ArchiveParts(try ModelArchiver().archive(holder))
        schema.version = version
        schema.upgrades = version == 2 ? [SchemaUpgrade(from: 1)] : []
        try later.register(schema, ModelSchema("Leaf", [:]))
        #expect(try ModelUnarchiver(registry: later).unarchive(schema, from: forged.archive).keyCount == 2)
        let key = try #require(forged.index.firstRange(of: Array("kb".utf8))).lowerBound
        forged.index[key + 1] = UInt8(ascii: "a")
        let error = #expect(throws: ModelError.self) {
            try ModelUnarchiver(registry: later).unarchive(schema, from: forged.archive)
        }
        #expect(error?.code == .malformedArchive && error?.found == #""ka" twice"#)
        #expect(throws: ModelError.self) { try show(forged) }
    }

    // MARK: Schemas

    @Test func schemasThatNoArchiverWritesAreRefused() throws {
        func forged(_ change: (inout [UInt8]) throws -> Void) rethrows -> ArchiveParts {
            var forged = parts
            try change(&forged.schemas)
            return forged
        }
        let key = try #require(parts.schemas.firstRange(of: Array("ac".utf8))).lowerBound
        #expect(
            sentence(of: forged { $0[key + 1] = UInt8(ascii: "b") }) == #"expected different keys but found "ab" twice"#
        )
        #expect(sentence(of: forged { $0[key + 2] = 2 }) == "expected the flags of a property but found 2")
        // Whatever has the right checksum and is not known was written by a later version.
        #expect(
            sentence(of: forged { $0[key + 3] = 99 }, code: .newerVersion)
                == "expected kinds of values that this version of the library has but found the kind number 99")
        let array = ArchivedKindNumber.array
        #expect(
            sentence(of: forged { $0.insert(contentsOf: Array(repeating: array, count: 64), at: key + 3) })
                == "expected at most 64 levels of elements but found more")
        // One level less is allowed, and what it would hold does not fit.
        #expect(throws: ModelError.self) {
            try open(forged { $0.insert(contentsOf: Array(repeating: array, count: 63), at: key + 3) })
        }
        // An enumeration of one case whose raw value is of no kind.
        #expect(
            sentence(
                of: forged { $0.replaceSubrange(key + 3..<key + 4, with: [ArchivedKindNumber.enumeration, 1, 7, 0]) })
                == "expected the raw value of a case but found the tag 7")
        let name = try #require(parts.schemas.firstRange(of: Array("Node".utf8))).upperBound
        #expect(sentence(of: forged { $0[name] = 0 }) == "expected a schema version but found another number")
        #expect(sentence(of: forged { $0[1] = 0 }) != nil)
        #expect(sentence(of: forged { $0[0] = 100 })?.hasPrefix("expected") == true)
    }

    private enum ArchivedKindNumber {
        static let enumeration: UInt8 = 12
        static let array: UInt8 = 14
    }

    @Test func anArchiveOfAFormatOfTheFutureIsRefused() {
        var bytes = parts.archive
        bytes[8] = 2
        ArchiveHeader.repairChecksums(of: &bytes)
        for attempt in [
            { _ = try ModelUnarchiver(registry: registry).unarchive(Self.node, from: bytes) },
            { try bytes.withBorrowedBytes { _ = try StoredGraph($0) } },
        ] {
            let error = #expect(throws: ModelError.self) { try attempt() }
            #expect(error?.code == .newerVersion)
            #expect(error?.description == "expected an archive of format version 1 but found version 2")
        }
    }

    @Test func emptyRecordsOfASchemaThatGrewAreNoBomb() throws {
        // The archive has 2 bytes an object, the models of today 34 kB.
        let (old, now) = (SchemaRegistry(), SchemaRegistry())
        let small = ModelSchema("Grown", [:])
        let large = ModelSchema.named("Grown", properties: (0..<2000).map { .init("p\($0)", .integer) })
        try old.register(small)
        try now.register(large)
        let models = (0..<3000).map { _ in DynamicModel(schema: small, registry: old) }
        let error = #expect(throws: ModelError.self) {
            try ModelUnarchiver(registry: now).unarchive(arrayOf: large, from: ModelArchiver().archive(models))
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.expected.hasPrefix("models of at most ") == true)
        let few = try ModelUnarchiver(registry: now).unarchive(
            arrayOf: large, from: ModelArchiver().archive(Array(models.prefix(10))))
        #expect(few.count == 10)
    }
}

extension FormerModel.Value {
    /// The elements of an array.
    fileprivate var elements: [FormerModel.Value]? { if case .array(let elements) = self { elements } else { nil } }
}

extension DynamicModel {
    fileprivate var keyCount: Int? { self["named", as: [String: DynamicModel].self]?.count }
}
