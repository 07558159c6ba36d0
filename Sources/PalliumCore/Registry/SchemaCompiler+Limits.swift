import PalliumJSON

/// Checks the size of schemas, before anything that takes longer for a larger one.
extension SchemaCompiler {
    /// Returns whether a schema keeps the limits, and reports those that it exceeds.
    mutating func checkLimits(of schema: ModelSchema) -> Bool {
        let before = problems.count
        let chain = lineage(of: schema)
        check(
            chain.reduce(0) { $0 + $1.properties.count }, SchemaLimits.properties, "property", "properties", of: schema,
            in: ["properties"])
        check(
            chain.reduce(0) { $0 + $1.profiles.count }, SchemaLimits.profiles, "profile", of: schema, in: ["profiles"])
        check(schema.ignored.count, SchemaLimits.ignoredMembers, "ignored member", of: schema, in: ["ignored"])
        check(schema.rules.count, SchemaLimits.rules, "rule", of: schema, in: ["rules"])
        check(schema.upgrades.count, SchemaLimits.upgrades, "upgrade", of: schema, in: ["upgrades"])
        switch schema.cluster {
        case .discriminator(_, let models, _):
            check(models.count, SchemaLimits.casesOfCluster, "discriminator", of: schema, in: ["cluster"])
        case .rules(let rules, _):
            check(
                rules.count, SchemaLimits.casesOfCluster, "rule of the cluster", "rules of the cluster", of: schema,
                in: ["cluster"])
            if let largest = rules.map(\.conditions.count).max() {
                check(
                    largest, SchemaLimits.conditionsOfRule, "condition in a rule of the cluster",
                    "conditions in a rule of the cluster", of: schema, in: ["cluster"])
            }
        case .resolver, nil: break
        }
        // A schema with too many properties is not looked at further.
        if problems.count > before { return false }
        for property in schema.properties { check(property, of: schema) }
        return problems.count == before
    }

    private mutating func check(_ property: ModelSchema.Property, of schema: ModelSchema) {
        let key = property.key
        let mappings = schema.profiles.compactMap { $0.mappings[key] } + [property.schema.json]
        check(
            mappings.map(\.texts.count).max() ?? 0, SchemaLimits.pathsOfProperty, "key path", of: schema, key,
            in: ["json"])
        check(property.schema.labels.count, SchemaLimits.labels, "label", of: schema, key, in: ["labels"])
        var element: PropertySchema? = property.schema
        var levels = 0
        while let current = element, levels <= SchemaLimits.levelsOfElements {
            if case .enumeration(let enumeration) = current.kind {
                let cases = enumeration.cases.reduce(0) { $0 + 1 + $1.aliases.count }
                check(cases, SchemaLimits.cases, "case", of: schema, key, in: ["cases"])
            }
            element = current.kind.element
            if element != nil { levels += 1 }
        }
        check(
            levels, SchemaLimits.levelsOfElements, "level of elements", "levels of elements", of: schema, key,
            in: ["of"])
    }

    private mutating func check(
        _ count: Int, _ limit: Int, _ noun: String, _ plural: String? = nil, of schema: ModelSchema,
        _ key: String? = nil, in members: [String] = []
    ) {
        guard count > limit else { return }
        report(
            schema, key, "has more than \(plural.map { limit.counted(noun, $0) } ?? limit.counted(noun))", in: members)
    }
}
