import PalliumCore
import TestSupport

/// Models that merge in every way there is.
enum MergingFixtures {
    static let label = ModelSchema(
        "Label", ["id": .integer.required, "name": .string, "color": .string], identity: ["id"])

    static let person = ModelSchema(
        "Person", ["id": .integer, "name": .string, "friend": .model("Person").merge(.recurse)], identity: ["id"])

    static let note = ModelSchema("Note", ["text": .string, "stars": .integer.default(0)])

    static let task = ModelSchema(
        "Task",
        [
            "title": .string, "number": .integer.required, "updated": .integer,
            "rank": .integer.merge(.newest(by: "updated")),
            "owner": .model("Person").merge(.recurse), "note": .model("Note").merge(.recurse),
            "reviewer": .model("Person"),
            "labels": .array(of: .model("Label")).merge(.byIdentifier(missing: .remove)),
            "watchers": .array(of: .model("Person")).merge(.byIdentifier("id", missing: .keep)),
            "tags": .set(of: .string).merge(.union), "log": .array(of: .string).merge(.append),
            "views": .integer.merge(.max), "first": .integer.merge(.min), "secret": .string.merge(.keep),
            "nick": .string.merge(.skipNull), "state": .string.merge(.replace),
            "settings": .dictionary(of: .integer).merge(.union),
        ])

    static func registry() throws -> SchemaRegistry { try .of(label, person, note, task) }
}

extension SchemaRegistry {
    /// A model of a schema, from values.
    func make(_ schema: String, _ values: [String: (any PropertyValue)?]) throws -> DynamicModel {
        let model = DynamicModel(schema: try self.schema(named: schema), registry: self)
        for (key, value) in values { try model.setValue(value, forKey: key) }
        return model
    }
}
