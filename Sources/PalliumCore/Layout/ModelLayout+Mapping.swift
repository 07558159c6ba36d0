package import PalliumJSON

extension ModelLayout {
    /// Returns the schema's cluster; for an open cluster with the descendants registered so far.
    package func cluster(in registry: SchemaRegistry) -> ModelCluster? {
        guard schema.isOpen else { return schema.cluster }
        return schema.cluster?.limited { (try? registry.layout($0)) != nil }
    }

    /// The rules of each property, those that parents declare first. A redeclared property keeps what it inherits.
    package var declaredRules: [UTF8Key: [PropertySchema.Rule]] {
        var rules: [UTF8Key: [PropertySchema.Rule]] = [:]
        for property in lineage.reversed().flatMap(\.schema.properties) {
            for rule in property.schema.rules where rules[UTF8Key(property.key)]?.contains(rule) != true {
                rules[UTF8Key(property.key), default: []].append(rule)
            }
        }
        return rules
    }
}
