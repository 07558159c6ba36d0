import Pallium
import PalliumTrials
import TestSupport
import Testing

/// Samples of densely connected schemas stay small and still take every choice.
@Suite struct SampleSizeTests {
    private static let count = 16
    /// A document has about 16 kB beyond what its schema requires.
    private static let maximumBytes = 24_000

    /// Schemas that all refer to each other.
    private func linkedSchemas() -> [ModelSchema] {
        (0..<Self.count).map { number in
            let links = (0..<Self.count).filter { $0 != number }.map {
                ModelSchema.Property("m\($0)", .model("M\($0)"))
            }
            let own = [
                ModelSchema.Property("id", .integer.required), ModelSchema.Property("name", .string),
                ModelSchema.Property("state", .enumeration("open", "closed", "merged")),
                ModelSchema.Property("shape", .model("Shape")),
            ]
            return ModelSchema.named("M\(number)", properties: own + links)
        }
    }

    private func registry() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.register(
            linkedSchemas() + [
                ModelSchema(
                    "Shape", ["kind": .string.required],
                    cluster: .discriminator("kind", ["circle": "Circle", "square": "Square"])),
                ModelSchema("Circle", ["radius": .double.required], extends: "Shape"),
                ModelSchema("Square", ["side": .double.required], extends: "Shape"),
            ])
        return registry
    }

    private func documents(of name: String, _ registry: SchemaRegistry) throws -> [JSONValue] {
        var samples = try SampleDocuments(of: registry.schema(named: name), registry: registry)
        var documents: [JSONValue] = []
        while !samples.isComplete, documents.count < 1000 { documents.append(samples.next()) }
        return documents
    }

    @Test func linkedSchemasHaveFewAndSmallDocuments() throws {
        let registry = try registry()
        for number in 0..<Self.count {
            let sizes = try documents(of: "M\(number)", registry).map { try $0.text().utf8.count }
            #expect(sizes.count <= 30)
            #expect(sizes.allSatisfy { $0 <= Self.maximumBytes }, "\(sizes)")
        }
    }

    /// Notes what the objects of linked schemas hold: each key without a value, with null, or with a value, and texts.
    private func note(_ object: JSONObject, of name: String, _ seen: inout Set<String>) {
        if let kind = object["kind"]?.stringValue { seen.insert("\(name) \(kind)") }
        if name == "Shape" { return }
        let keys = (0..<Self.count).map { "m\($0)" } + ["name", "state", "shape"]
        for key in keys where key != name.lowercased() {
            guard let value = object[key], !value.isNull else {
                seen.insert("\(name).\(key) without a value")
                continue
            }
            seen.insert("\(name).\(key) with a value")
            if key == "state", let text = value.stringValue { seen.insert("\(name) \(text)") }
            if let inner = value.objectValue { note(inner, of: key == "shape" ? "Shape" : key.uppercased(), &seen) }
        }
    }

    @Test func everyChoiceOfLinkedSchemasOccursOnce() throws {
        var seen: Set<String> = []
        for document in try documents(of: "M0", registry()) {
            note(try #require(document.objectValue), of: "M0", &seen)
        }
        var wanted: Set<String> = ["Shape circle", "Shape square"]
        for number in 0..<Self.count {
            wanted.formUnion(["open", "closed", "merged"].map { "M\(number) \($0)" })
            for key in (0..<Self.count).filter({ $0 != number }).map({ "m\($0)" }) + ["name", "state", "shape"] {
                wanted.formUnion(["with", "without"].map { "M\(number).\(key) \($0) a value" })
            }
        }
        #expect(wanted.subtracting(seen).sorted() == [])
    }

    @Test func longTextsOfNestedModelsOccurInSmallDocuments() throws {
        let registry = SchemaRegistry()
        let lengths = (0..<40).map { ModelSchema.Property("text\($0)", .string.rules(.maxLength(5000))) }
        try registry.register(
            ModelSchema.named("Inner", properties: lengths),
            ModelSchema("Outer", ["inner": .model("Inner"), "others": .array(of: .model("Inner"))]))
        let documents = try documents(of: "Outer", registry)
        #expect(try documents.allSatisfy { try $0.text().utf8.count < 40_000 })
        var longest: Set<String> = []
        for document in documents {
            let inner = [document["inner"]] + (document["others"]?.arrayValue ?? [])
            for (key, value) in inner.compactMap({ $0?.objectValue }).joined()
            where value.stringValue?.unicodeScalars.count == 5000 {
                longest.insert(key)
            }
        }
        #expect(longest.count == 40)
    }
}
