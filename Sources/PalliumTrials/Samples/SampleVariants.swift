package import PalliumCore
import PalliumDocuments
package import PalliumJSON

/// Other values for properties of the objects of one model.
package struct SampleVariants {
    /// The values of properties by their keys: one for each path in order, nil for none there.
    package typealias Assignment = [UTF8Key: [JSONValue?]]

    let schema: String
    /// Makes assignments from some values of each property. The first one is that of the valid object.
    let assignments: ([UTF8Key: [JSONValue]]) -> [Assignment]

    package init(of schema: String, _ assignments: @escaping ([UTF8Key: [JSONValue]]) -> [Assignment]) {
        self.schema = schema
        self.assignments = assignments
    }

    private static let maximumValues = 16

    /// Changes a valid object of a model. What is made need not be valid.
    func objects(changing object: JSONObject, of leaf: Int, _ maker: inout SampleMaker) -> [JSONObject] {
        guard maker.models[leaf].layout.lineage.contains(where: { UTF8Text.equal($0.schema.name, schema) }) else {
            return []
        }
        let properties = maker.models[leaf].properties
        var known: [UTF8Key: [JSONValue]] = [:]
        for property in properties {
            maker.begin()
            var values = [property.place.value(in: object)].compactMap { $0 }
            let choices = property.choices.filter(\.isValue).prefix(Self.maximumValues)
            // The objects of a model are one choice, and differ.
            for choice in property.content?.models.isEmpty == false ? choices + choices + choices : choices {
                if let value = maker.value(property, choice), !values.contains(value) { values.append(value) }
            }
            known[UTF8Key(property.key)] = values
        }
        return assignments(known).map { assignment in
            var changed = object
            for property in properties {
                guard let values = assignment[UTF8Key(property.key)] else { continue }
                property.place.remove(from: &changed)
                for (path, value) in values.prefix(property.paths.count).enumerated() {
                    if let value { property.place.place(value, at: path, in: &changed) }
                }
            }
            return changed
        }
    }
}

extension SampleDocuments {
    /// The properties, by schema and key, that have a choice which no document took, because no attempt succeeded.
    package var untakenChoices: [SchemaError.Problem] {
        let root = maker.models[0].layout
        return maker.models.flatMap { model in
            model.properties.filter { !$0.untaken.isEmpty }.flatMap { property in
                model.layout.lineage.filter { $0.isDescendant(of: root) }.map { layout in
                    SchemaError.Problem(
                        schema: layout.schema.name, property: property.key, message: "has more values")
                }
            }
        }
    }

    /// Makes documents in which the objects of a model are changed, one object in each.
    package func documents(changedBy variants: [SampleVariants]) -> [JSONValue] {
        if variants.isEmpty { return [] }
        var mistakes = SampleMistakes(maker: maker, variants: variants)
        return mistakes.all().map(\.document)
    }
}
