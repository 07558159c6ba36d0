import Foundation
import ModelTestSupport
import Pallium
import Testing

/// The limits of schemas: in documents, in registries, and where archives describe them.
extension EveryLimitTests {
    // MARK: Schema documents

    private static func load(_ documents: [String]) throws {
        let folder = try TemporaryFolder()
        for (number, document) in documents.enumerated() { try folder.write("\(number).json", document) }
        try SchemaRegistry().load(contentsOf: folder.url)
        withExtendedLifetime(folder) {}
    }

    private static func document(_ name: String, properties count: Int, _ more: String = "") -> String {
        let properties = (0..<count).map { #""p\#($0)":{"kind":"bool"}"# }.joined(separator: ",")
        return #"{"name":"\#(name)",\#(more)"properties":{\#(properties)}}"#
    }

    /// Loads a document, apart from complaints about its member `x`, which no schema has.
    private static func loadDespiteMember(_ document: String) throws {
        let found = problems(of: document).filter { !$0.contains("\"x\"") }
        if !found.isEmpty { throw Refusal(description: found.joined(separator: "\n")) }
    }

    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    static let documents: [Limit] = [
        Limit("bytes of a schema document", 16 << 20, "more than 16 MiB") {
            try load([#"{"name":"A"}"# + String(repeating: " ", count: $0 - 12)])
        },
        Limit("nesting of a schema document", 64, "deeper than 64 levels") {
            try loadDespiteMember(#"{"name":"A","x":\#(nested($0 - 1))}"#)
        },
        Limit("values of a schema document", 2_000_000, "more than 2000000 values") {
            let zeros = String(repeating: "0,", count: $0 - 4) + "0"
            try loadDespiteMember(#"{"name":"A","x":[\#(zeros)]}"#)
        },
        Limit("properties of a schema document", 10_000, "10000 are allowed") {
            try load([document("A", properties: $0)])
        },
        Limit("bytes of a name in a schema document", 256, "256 are allowed") {
            try load([#"{"name":"\#(String(repeating: "n", count: $0))"}"#])
        },
        Limit("schemas and properties that are loaded at once", 1_000_000, "more than 1000000 properties") { total in
            // A parent with 9,999 properties counts 10,000, each of its children 10,001, and the rest is one schema. A
            // document that is no JSON keeps all this from being registered.
            let rest = total - 10_000 - 98 * 10_001
            let children = (0..<98).map { #"{"name":"C\#($0)","extends":"P"}"# }.joined(separator: ",")
            let error = try #require(throws: SchemaError.self) {
                try load([
                    "[\(document("P", properties: 9_999)),\(document("R", properties: rest - 1)),\(children)]", "[",
                ])
            }
            if error.problems.count > 1 { throw error }
        },
        Limit("levels of elements that are written", 59, "more than 59 levels") { levels in
            let deep = (0..<levels).reduce(PropertySchema.bool) { element, _ in .array(of: element) }
            let text = try SchemaRegistry().document(of: ModelSchema("A", ["p": deep])).text()
            #expect(problems(of: text) == [])
        },
    ]

    // MARK: Registries and archives, whose schemas are described as `ArchivedSchema+Coding.swift` says

    static let registries: [Limit] = [
        Limit("properties of a schema", 10_000, "more than 10000 properties") { count in
            let document = document("A", properties: count / 2)
            let registry = SchemaRegistry()
            try registry.load(Array(document.utf8), name: "A.json")
            // Inherited ones count.
            var child = ModelSchema("B", [:], extends: "A")
            child.properties = (0..<count - count / 2).map { .init("q\($0)", .bool) }
            try registry.register(child)
        },
        Limit("ancestors of a schema, and of one in an archive", 64, "more than 64 ancestors") { count in
            let line = (0...count).map { ModelSchema("S\($0)", [:], extends: $0 == 0 ? nil : .named("S\($0 - 1)")) }
            let registry = try SchemaRegistry.of(line)
            _ = try roundTrip(DynamicModel(schema: line[count], registry: registry), registry)
        },
        Limit("ancestors that an archive names", 64, "at most 65 entries") { count in
            try openArchive(describing: [1, UInt8(count + 1)] + level("M") + repeated(level("P"), count) + [0])
        },
        Limit("properties that an archive describes", 10_000, "at most 10000 entries") { count in
            let properties = (0..<count).flatMap { number -> [UInt8] in
                let key = Array("\(number)".utf8)
                return [UInt8(key.count)] + key + [0, bool]
            }
            try openArchive(describing: [1, 1] + level("M") + variable(count) + properties)
        },
        Limit("levels of elements that an archive describes", 64, "at most 64 levels of elements") { count in
            let type = repeated([array], count - 1) + [bool]
            try openArchive(describing: [1, 1] + level("M") + [1, 1, UInt8(ascii: "p"), 0] + type)
        },
        Limit("schemas that an archive describes", 10_000, "at most 10000 entries") { count in
            try openArchive(describing: variable(count) + repeated([1] + level("M") + [0], count))
        },
        Limit("levels of elements that are archived", 64, "at most 64 levels of elements") { count in
            let type = (1..<count).reduce(PropertySchema.bool) { element, _ in .array(of: element) }
            let schema = ModelSchema("M", ["p": type])
            let registry = try SchemaRegistry.of(schema)
            let bytes = try ModelArchiver().archive(DynamicModel(schema: schema, registry: registry))
            // What could not be opened is not written.
            #expect(throws: Never.self) { try ModelUnarchiver(registry: registry).unarchive(schema, from: bytes) }
        },
        // Each of these models takes three bytes of the archive, and 64 bytes and 17 for each property of memory: 379 of
        // them the 64 MB, and 512 bytes for each byte of the archive, that are allowed. An archive of 380 has 1,080 bytes.
        Limit("memory for the models of an archive", 379, "models of at most 64552960 bytes") { count in
            let small = ModelSchema("M", [:])
            let old = try SchemaRegistry.of(small)
            let bytes = try ModelArchiver().archive((0..<count).map { _ in DynamicModel(schema: small, registry: old) })
            let new = SchemaRegistry()
            try new.load(Array(document("M", properties: 10_000).utf8), name: "M.json")
            let models = try ModelUnarchiver(registry: new).unarchive(arrayOf: new.schema(named: "M"), from: bytes)
            #expect(models.count == count)
            #expect(count * (64 + 10_000 * 17) <= 64_000_000 + 512 * bytes.count)
        },
        Limit("memory for the models that steps make", 376, "models of at most") { count in
            var holder = ModelSchema("Holder", ["all": .array(of: .model("M"))])
            let bytes = try ModelArchiver().archive(
                DynamicModel(schema: holder, registry: .of(ModelSchema("M", [:]), holder)))
            holder.version = 2
            holder.upgrades = [
                SchemaUpgrade(from: 1) { stored in
                    stored["all"] = .array((0..<count).map { _ in .model(FormerModel("M", version: 1)) })
                }
            ]
            let new = SchemaRegistry()
            try new.load(Array(document("M", properties: 10_000).utf8), name: "M.json")
            try new.register(holder)
            let model = try ModelUnarchiver(registry: new).unarchive(holder, from: bytes)
            #expect(model.models("all").count == count)
            #expect((count + 1) * (64 + 10_000 * 17) > 64_000_000 + 512 * bytes.count)
        },
    ]

    // The numbers of kinds in an archive.
    private static let (bool, array) = (UInt8(1), UInt8(14))

    private static func level(_ name: Character) -> [UInt8] { [1, name.asciiValue ?? 0, 1] }

    private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        Array(repeatElement(bytes, count: count).joined())
    }

    /// A number of three bytes.
    private static func variable(_ number: Int) -> [UInt8] {
        [UInt8(number & 0x7F) | 0x80, UInt8(number >> 7 & 0x7F) | 0x80, UInt8(number >> 14)]
    }

    /// Opens an archive without models that describes schemas in these bytes.
    private static func openArchive(describing schemas: [UInt8]) throws {
        let schema = ModelSchema("M", ["p": .bool])
        var parts = ArchiveParts(try ModelArchiver().archive([]))
        #expect(parts.schemas == [0])
        parts.schemas = schemas
        #expect(try ModelUnarchiver(registry: .of(schema)).unarchive(arrayOf: schema, from: parts.archive) == [])
    }
}
