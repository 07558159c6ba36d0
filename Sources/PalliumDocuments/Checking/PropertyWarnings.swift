import PalliumCore
import PalliumJSON

/// Finds properties that no document can fill as the schema seems to mean.
enum PropertyWarnings {
    static func warnings(about layout: ModelLayout, transformers: TransformerRegistry) -> [SchemaError.Problem] {
        layout.schema.properties.flatMap { contradictions(in: $0.schema, key: $0.key) }
            + layout.schema.rules.flatMap { impossibleConditions(of: $0, layout, transformers) } + unread(layout)
            + unwritten(layout)
    }

    // MARK: Limits

    /// Finds limits of a property, or of the elements of its collection, that no value keeps.
    private static func contradictions(in property: PropertySchema, key: String) -> [SchemaError.Problem] {
        var warnings: [SchemaError.Problem] = []
        var current: PropertySchema? = property
        var members: [String] = []
        while let rules = current?.rules {
            let pairs = rules.flatMap { low in rules.map { (low, $0) } }
            if let (low, high) = pairs.first(where: { contradict($0, $1) }) {
                warnings.append(
                    SchemaError.Problem(
                        property: key, message: "no value keeps both \(low) and \(high)",
                        fix: "change one of the limits", members: members + [low.name]))
            }
            current = current?.kind.element
            members.append("of")
        }
        return warnings
    }

    /// Whether a lower limit is above an upper one. Each property has a rule of a name once, so there are few pairs.
    private static func contradict(_ low: PropertySchema.Rule, _ high: PropertySchema.Rule) -> Bool {
        switch (low, high) {
        case (.minimum(let low), .maximum(let high)): low.double > high.double
        case (.minimum(let low), .exclusiveMaximum(let high)), (.exclusiveMinimum(let low), .maximum(let high)),
            (.exclusiveMinimum(let low), .exclusiveMaximum(let high)):
            low.double > high.double || low == high
        case (.minLength(let low), .maxLength(let high)), (.minCount(let low), .maxCount(let high)): low > high
        default: false
        }
    }

    // MARK: Conditions

    /// Finds conditions of a rule that never hold, because the property cannot have the value.
    private static func impossibleConditions(
        of rule: ModelSchema.Rule, _ layout: ModelLayout, _ transformers: TransformerRegistry
    ) -> [SchemaError.Problem] {
        guard case .required(_, let conditions) = rule else { return [] }
        return conditions.sorted { UTF8Text.precedes($0.key, $1.key) }.compactMap { key, value in
            guard let slot = layout.index(of: key) else { return nil }
            let descriptor = layout.properties[slot].descriptor
            let trial = ValueTrial(descriptor: descriptor, rules: layout.rules(at: slot), transformers: transformers)
            let isPossible = value == .null ? descriptor.isNullable : trial.accepts(value)
            if isPossible { return nil }
            return SchemaError.Problem(
                message: "the rule required asks whether \(ModelError.shorten(key, to: 64)) is "
                    + "\(value.summary), which it never is",
                fix: "name a value that the property can have", members: ["rules"])
        }
    }

    // MARK: Directions

    /// Finds required properties that are read and never written, so that no adapter reads what it has written.
    private static func unwritten(_ layout: ModelLayout) -> [SchemaError.Problem] {
        let shape = DocumentShape(layout)
        // A cluster writes the values by which it chooses.
        let written = Set(
            shape.properties.flatMap(\.writtenPaths).map { UTF8Key($0.description) }
                + layout.lineage.flatMap { $0.schema.cluster?.paths ?? [] }.map { UTF8Key($0) })
        return layout.schema.properties.compactMap { property in
            guard property.schema.isRequired, property.schema.access == .readOnly,
                shape[property.key]?.paths.contains(where: { written.contains(UTF8Key($0.description)) }) == false
            else { return nil }
            return SchemaError.Problem(
                property: property.key, message: "is required and never written, so what is written cannot be read",
                fix: "drop readOnly, or say only which direction of documents has it", members: ["readOnly"])
        }
    }

    // MARK: Identity

    /// Finds properties of the identity that no document has.
    private static func unread(_ layout: ModelLayout) -> [SchemaError.Problem] {
        if layout.schema.identity.isEmpty { return [] }
        let shapes = [DocumentShape(layout)] + layout.profiles.map { DocumentShape(layout, profile: $0.name) }
        return layout.schema.identity.compactMap { key in
            guard let index = layout.index(of: key) else { return nil }
            let property = layout.properties[index]
            let isMapped = shapes.contains { !$0.properties[index].paths.isEmpty }
            if isMapped, property.schema.access != .writeOnly { return nil }
            return SchemaError.Problem(
                property: key, message: "the identity has \(ModelError.shorten(key, to: 64)), which no document has",
                fix: "map it to JSON, or choose another key", members: [isMapped ? "writeOnly" : "json"])
        }
    }
}
