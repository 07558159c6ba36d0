package import PalliumJSON

/// The clusters of a registry's schemas. Each is compiled once, when it is first asked for.
package final class DocumentClusters: Sendable {
    private let registry: SchemaRegistry
    private let profile: String?
    private let compiled = Lock([ObjectIdentifier: DocumentCluster]())

    /// - Parameter profile: The alternative mapping of the documents.
    package init(_ registry: SchemaRegistry, profile: String? = nil) {
        self.registry = registry
        self.profile = profile
    }

    /// Returns the cluster of a layout's own schema; nil if it has none.
    ///
    /// - Throws: ``ModelError`` if it names a schema that is not registered any more.
    package func cluster(of owner: ModelLayout) throws(ModelError) -> DocumentCluster? {
        guard owner.schema.cluster != nil else { return nil }
        return try compiled.withLock { compiled throws(ModelError) in
            if let cluster = compiled[ObjectIdentifier(owner)] { return cluster }
            let cluster = try compile(owner)
            compiled[ObjectIdentifier(owner)] = cluster
            return cluster
        }
    }

    /// Returns the discriminator of a layout's own schema; nil if it has none.
    package func discriminator(of owner: ModelLayout) throws(ModelError) -> Discriminator? {
        try cluster(of: owner)?.discriminator
    }

    /// Returns the model that an object of a declared one is read as.
    ///
    /// - Throws: ``ModelError`` if a cluster chooses none.
    package func model(for object: JSONObject, as declared: ModelLayout) throws(ModelError) -> ModelLayout {
        var current = declared
        // A cluster chooses itself or a descendant, so the loop ends.
        while let next = try cluster(of: current)?.model(for: object), next !== current { current = next }
        return current
    }

    private func compile(_ owner: ModelLayout) throws(ModelError) -> DocumentCluster? {
        let family = [owner] + registry.descendants(of: owner)
        switch owner.cluster(in: registry) {
        case .discriminator(let path, let entries, let fallback):
            var models: [(tag: JSONValue, model: ModelLayout)] = []
            for entry in entries { models.append((entry.tag, try registry.layout(entry.model))) }
            let discriminator = Discriminator(
                owner: owner, path: try JSONKeyPath(registered: path), models: models, fallback: try layout(fallback))
            let hidesTags = family.contains { model in
                model.properties.contains(where: \.descriptor.isSensitive)
                    && DocumentShape(model, profile: profile).isLabelled(at: discriminator.path)
            }
            return DocumentCluster(owner, .discriminator(discriminator), hidesTags: hidesTags)
        case .rules(let all, let fallback):
            var rules: [ClusterRules.Rule] = []
            for rule in all {
                var conditions: [ClusterRules.Condition] = []
                for condition in rule.conditions { conditions.append(try ClusterRules.Condition(condition)) }
                rules.append((conditions, try registry.layout(rule.model)))
            }
            return DocumentCluster(
                owner, .rules(ClusterRules(owner: owner, rules: rules, fallback: try layout(fallback))))
        case .resolver(let resolver):
            // A class means the schema that is bound to it, not those that inherit it.
            let bound = family.compactMap { model in model.schema.modelClass.map { (ObjectIdentifier($0), model) } }
            return DocumentCluster(
                owner,
                .resolver(
                    resolver, byName: Dictionary(family.map { (UTF8Key($0.schema.name), $0) }) { first, _ in first },
                    byClass: Dictionary(bound) { first, _ in first }))
        case nil: return nil
        }
    }

    private func layout(_ reference: ModelReference?) throws(ModelError) -> ModelLayout? {
        try reference.map { reference throws(ModelError) in try registry.layout(reference) }
    }
}

extension JSONKeyPath {
    /// Parses a path of a registered schema. Registration refuses malformed ones.
    init(registered text: String) throws(ModelError) {
        do { try self.init(text) } catch {
            throw ModelError(.unknownKey, expected: "a key path", found: error.description)
        }
    }
}
