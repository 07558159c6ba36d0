import PalliumJSON

extension SchemaRegistry {
    /// Returns the layout that a reference names.
    package func layout(_ reference: ModelReference) throws(ModelError) -> ModelLayout {
        switch reference {
        case .named(let name): return try layout(named: name)
        case .modelClass(let type):
            if let layout = layout(for: type) { return layout }
            throw ModelError(.unknownSchema, expected: "a schema registered for the class \(type)", found: "none")
        }
    }
}

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
}
