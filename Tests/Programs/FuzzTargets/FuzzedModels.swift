import Foundation
import Pallium

/// Schemas with every kind of property and every way to reach it.
enum FuzzedModels {
    private static let states = EnumerationSchema(
        cases: [.init(.text("open"), aliases: [.text("opened")]), .init(.text("closed"))], unknown: .keep)

    static let registry: SchemaRegistry = {
        let registry = SchemaRegistry()
        do {
            try registry.register(
                ModelSchema(
                    "Everything",
                    [
                        "b": .bool, "i": .integer, "i8": .integer(as: Int8.self), "u": .unsigned, "d": .double,
                        "m": .decimal, "s": .string, "t": .date.transformer(ISO8601DateTransformerName), "l": .url,
                        "id": .uuid, "length": .duration, "x": .data, "e": .enumeration(states),
                        "n": .model("Everything"),
                        "c": .model("Shape"), "a": .array(of: .model("Everything")), "z": .set(of: .string),
                        "k": .dictionary(of: .integer), "j": .jsonValue, "p": .string.json("q.r"),
                        "f": .integer.json(firstOf: ["f1", "f2.v"]), "w": .string.default("w"),
                        "g": .array(of: .array(of: .double)),
                    ]),
                ModelSchema(
                    "Shape", ["type": .string.required],
                    cluster: .discriminator("type", ["circle": "Circle", "box": "Box"])),
                ModelSchema("Circle", ["radius": .double.required], extends: "Shape"),
                ModelSchema("Box", ["sides": .array(of: .double).required], extends: "Shape"))
        } catch { preconditionFailure("the schemas are wrong: \(error)") }
        return registry
    }()

    /// Adapters that ignore, keep and refuse unknown members.
    static let adapters: [JSONAdapter<DynamicModel>] = JSONAdapterOptions.UnknownMembers.allCases.map {
        var options = JSONAdapterOptions()
        options.unknownMembers = $0
        return adapter(options)
    }

    /// An adapter of every default.
    static let plain = adapter(JSONAdapterOptions())

    /// An adapter for a schema with one property.
    static func holder(_ property: PropertySchema) -> JSONAdapter<DynamicModel> {
        let registry = SchemaRegistry()
        do {
            try registry.register(ModelSchema("Holder", ["value": property]))
            return try JSONAdapter(schema: registry.schema(named: "Holder"), registry: registry)
        } catch { preconditionFailure("the schema is wrong: \(error)") }
    }

    private static func adapter(_ options: JSONAdapterOptions) -> JSONAdapter<DynamicModel> {
        do {
            return try JSONAdapter(schema: registry.schema(named: "Everything"), registry: registry, options: options)
        } catch { preconditionFailure("the schemas are wrong: \(error)") }
    }
}
