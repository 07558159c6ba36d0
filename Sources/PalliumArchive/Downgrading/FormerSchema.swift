import PalliumCore
import PalliumJSON

/// A schema as it was at an earlier version, as far as its steps and the values tell.
struct FormerSchema {
    private struct Property {
        let key: String
        let isSensitive: Bool
        let isConditional: Bool
        /// The present type, as long as it holds every value; nil for a key of a step.
        var type: ArchivedType?
        /// The type that the values themselves have.
        var found: ArchivedType?
    }

    let levels: [StoredModel.Level]
    private var properties: [Property] = []
    private var positions: [UTF8Key: Int] = [:]
    /// Whether keys of steps may have secret values. No step tells whether they had.
    let hasSensitiveProperties: Bool

    /// Makes the schema of models that a step makes.
    init(_ levels: [StoredModel.Level], hasSensitiveProperties: Bool) {
        self.levels = levels
        self.hasSensitiveProperties = hasSensitiveProperties
    }

    /// Makes the former schema of the models of a layout.
    init(_ schema: ArchivedSchema, _ layout: ModelLayout, _ plan: DowngradePlan?) {
        levels = plan?.levels ?? schema.levels
        hasSensitiveProperties = schema.properties.contains(where: \.isSensitive)
        for property in schema.properties {
            guard let key = plan == nil ? property.key : plan?.formerKey(of: property.key) else { continue }
            let archiving = layout.index(of: property.key).map { layout.properties[$0].schema.archiving }
            add(
                Property(
                    key: key, isSensitive: property.isSensitive, isConditional: archiving == .conditional,
                    type: property.type))
        }
    }

    private mutating func add(_ property: Property) {
        positions[UTF8Key(property.key)] = properties.count
        properties.append(property)
    }

    /// Makes room for the values of a model.
    ///
    /// - Throws: ``ModelError`` if steps make more keys than an archive can have.
    mutating func take(_ model: StoredModel) throws(ModelError) {
        for key in model.keys {
            guard let value = model[key] else { continue }
            let position = positions[UTF8Key(key)] ?? properties.count
            if position == properties.count {
                guard position < ArchivedSchema.maximumProperties else {
                    throw ModelError(
                        .limitExceeded, expected: "at most \(ArchivedSchema.maximumProperties.counted("key"))",
                        found: "more",
                        schema: levels[0].name)
                }
                add(Property(key: key, isSensitive: hasSensitiveProperties, isConditional: false))
            }
            if let type = properties[position].type, !type.holds(value) { properties[position].type = nil }
            let (found, type) = (properties[position].found, ArchivedType(of: value))
            let joined = ArchivedType.join(found, type)
            // A model that becomes JSON would have its present form.
            guard joined?.holdsModels == true || !(found?.holdsModels ?? false) && !(type?.holdsModels ?? false) else {
                throw ModelError(
                    .upgradeFailed, expected: "models or other values", found: "both in several models",
                    schema: levels[0].name, property: key
                ).under(key: key)
            }
            properties[position].found = joined
        }
    }

    /// The schema that the archive describes.
    var archived: ArchivedSchema {
        ArchivedSchema(
            levels: levels,
            properties: properties.map {
                ArchivedProperty(
                    key: $0.key, type: $0.type ?? ArchivedType.complete($0.found), isSensitive: $0.isSensitive)
            })
    }

    /// Whether the values of a property stand in the index.
    func isConditional(_ position: Int) -> Bool { properties[position].isConditional }
}
