import PalliumJSON

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
