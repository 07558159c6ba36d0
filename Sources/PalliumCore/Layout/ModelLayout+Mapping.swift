package import PalliumJSON

extension ModelLayout {
    /// Returns the schema's cluster; for an open cluster with the descendants registered so far.
    package func cluster(in registry: SchemaRegistry) -> ModelCluster? {
        guard schema.isOpen else { return schema.cluster }
        return schema.cluster?.limited { (try? registry.layout($0)) != nil }
    }

    /// Returns the mappings of all properties, by a profile for schemas that have it.
    package func mappings(profile name: String?) -> [ResolvedMapping] {
        let profile = name.flatMap { name in profiles.first { UTF8Text.equal($0.name, name) } }
        return properties.map { property in
            ResolvedMapping(
                property.schema, profile?.mappings[UTF8Key(property.key)], key: property.key, keys: property.keys)
        }
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
