package import PalliumJSON

extension SchemaRegistry {
    /// Returns the layout of a schema.
    ///
    /// - Throws: ``SchemaError`` if it is not registered.
    package func registeredLayout(_ schema: ModelSchema) throws(SchemaError) -> ModelLayout {
        if let layout = layout(for: schema) { return layout }
        throw SchemaError([
            SchemaError.Problem(schema: schema.name, message: "is not registered", fix: "register it before")
        ])
    }

    /// Returns the layout that a reference names.
    package func layout(_ reference: ModelReference) throws(ModelError) -> ModelLayout {
        switch reference {
        case .named(let name): return try layout(named: name)
        case .modelClass(let type):
            if let layout = layout(for: type) { return layout }
            throw ModelError(.unknownSchema, expected: "a schema registered for the class \(type)", found: "none")
        }
    }

    /// Returns layouts and all that they refer to: parents, the models that clusters choose, and those in properties.
    ///
    /// - Complexity: O(*n*) in the number of properties, inherited ones included.
    package func layouts(neededBy roots: [ModelLayout]) -> [ModelLayout] {
        var found: [ModelLayout] = []
        var visited: Set<ObjectIdentifier> = []
        func add(_ layouts: [ModelLayout]) {
            found += layouts.filter { visited.insert(ObjectIdentifier($0)).inserted }
        }
        add(roots)
        // Layouts are added while others are read, so this is no loop over a list.
        var next = 0
        while next < found.count {
            let layout = found[next]
            next += 1
            let cluster = layout.cluster(in: self)
            add(layout.parent.map { [$0] } ?? [])
            add(cluster?.references.compactMap { try? self.layout($0) } ?? [])
            // A function in Swift may choose any descendant.
            if case .resolver? = cluster { add(descendants(of: layout)) }
            add(layout.properties.compactMap(\.descriptor.innermost.model))
        }
        return found
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
