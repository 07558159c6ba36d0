import Foundation
import Pallium
import RunSupport

/// Graphs of models by chance: every kind, every state, shared models, cycles.
struct GeneratedGraph {
    static let schema = ModelSchema(
        "Thing",
        [
            "bool": .bool, "integer": .integer, "small": .integer(as: Int16.self), "unsigned": .unsigned,
            "double": .double,
            "decimal": .decimal, "string": .string, "date": .date, "url": .url, "uuid": .uuid, "data": .data,
            "length": .duration,
            "case": .enumeration(EnumerationSchema(cases: [.init(.text("a")), .init(.text("b"))], unknown: .keep)),
            "json": .jsonValue, "texts": .array(of: .string.nullable), "tags": .set(of: .integer),
            "map": .dictionary(of: .double), "size": .integer.default(3), "next": .model("Thing"),
            "list": .array(of: .model("Thing").nullable), "links": .dictionary(of: .model("Thing")),
            "parent": .model("Thing").weak,
        ])

    let registry: SchemaRegistry
    let models: [DynamicModel]

    /// A graph of some models; the first reach the others or not.
    init(seed: UInt64, count: Int) throws {
        registry = SchemaRegistry()
        try registry.register(Self.schema)
        var bits = SeededGenerator(seed: seed)
        let registry = registry
        let models = (0..<count).map { _ in DynamicModel(schema: Self.schema, registry: registry) }
        for model in models { try Self.fill(model, models, &bits) }
        self.models = models
    }

    /// Breaks the cycles.
    func release() {
        for model in models { for key in ["next", "list", "links"] { try? model.unset(key) } }
    }

    private static func fill(_ model: DynamicModel, _ models: [DynamicModel], _ bits: inout SeededGenerator) throws {
        func text(_ bits: inout SeededGenerator) -> String {
            let pieces = ["a", "é", "日本", "\0", "\"", "long enough for a heap "]
            return (0..<Int.random(in: 0...4, using: &bits)).map { _ in pieces[Int.random(in: 0..<6, using: &bits)] }
                .joined()
        }
        func any(_ bits: inout SeededGenerator) -> DynamicModel {
            models[Int.random(in: 0..<models.count, using: &bits)]
        }
        for property in schema.properties {
            let choice = Int.random(in: 0..<6, using: &bits)
            if choice == 0 { continue }
            if choice == 1 {
                if property.key != "size" { try model.setValue(nil, forKey: property.key) }
                continue
            }
            let value: any PropertyValue =
                switch property.key {
                case "bool": Bool.random(using: &bits)
                case "integer": Int(truncatingIfNeeded: bits.next() >> UInt64.random(in: 0..<64, using: &bits))
                case "small": Int16(truncatingIfNeeded: bits.next())
                case "unsigned": UInt(truncatingIfNeeded: bits.next())
                case "double": Double(Int64(truncatingIfNeeded: bits.next())) / 1024
                case "decimal": Decimal(Int64(truncatingIfNeeded: bits.next())) / 1000
                case "date": Date(timeIntervalSinceReferenceDate: Double(Int32(truncatingIfNeeded: bits.next())))
                case "length":
                    Duration(secondsComponent: Int64(truncatingIfNeeded: bits.next()), attosecondsComponent: 0)
                case "url": URL(string: "https://example.org/\(bits.next())") ?? URL(fileURLWithPath: "/")
                case "uuid":
                    UUID(
                        uuid: (
                            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(truncatingIfNeeded: bits.next())
                        ))
                case "data": Data((0..<Int.random(in: 0...40, using: &bits)).map { UInt8($0) })
                case "case": ["a", "b", "c"][Int.random(in: 0..<3, using: &bits)]
                case "json": JSONValue.array([.string(text(&bits)), .null, ["x": .bool(true)]])
                case "texts": (0..<Int.random(in: 0...3, using: &bits)).map { $0 == 1 ? nil : text(&bits) } as [String?]
                case "tags": (0..<Int.random(in: 0...5, using: &bits)).map { $0 * $0 }
                case "map": ["a" + text(&bits): 0.5, "b": -1]
                case "size": 4
                case "next", "parent": any(&bits)
                case "list":
                    (0..<Int.random(in: 0...3, using: &bits)).map { $0 == 1 ? nil : any(&bits) } as [DynamicModel?]
                case "links": [text(&bits): any(&bits)]
                default: text(&bits)
                }
            try model.setValue(value, forKey: property.key)
        }
    }
}
