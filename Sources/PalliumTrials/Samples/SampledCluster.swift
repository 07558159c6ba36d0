import PalliumCore
import PalliumJSON

/// One way in which a cluster chooses a model.
struct SampledBranch {
    /// A value that an object must have at a path; nil for none.
    struct Condition {
        let path: JSONKeyPath
        let value: JSONValue?
        /// Whether any value of a property at the path will do.
        var isAny = false
    }

    /// The number of the chosen model.
    let leaf: Int
    let conditions: [Condition]
}

/// Chooses models by clusters as an adapter does, and finds the objects that they choose by.
struct SampledCluster {
    /// The discriminators of a cluster, so that a cluster with thousands of them is not searched for each object.
    private struct Tags {
        /// The model of each tag.
        var models: [JSONValue: ModelReference] = [:]
        /// The first tag of each model, and its position.
        var firsts: [ObjectIdentifier: (position: Int, tag: JSONValue)] = [:]
        let unlisted: JSONValue
    }

    /// A model and the conditions that lead to it.
    struct Route {
        let leaf: ModelLayout
        var conditions: [SampledBranch.Condition]
    }

    let registry: SchemaRegistry
    /// The discriminators of the clusters that were learned.
    private var tags: [ObjectIdentifier: Tags] = [:]

    init(registry: SchemaRegistry) { self.registry = registry }

    /// Learns the discriminators of a model's cluster and its ancestors' clusters.
    private mutating func learn(_ layout: ModelLayout) {
        for ancestor in layout.lineage where tags[ObjectIdentifier(ancestor)] == nil {
            guard case .discriminator(_, let models, _)? = ancestor.cluster(in: registry) else { continue }
            var learned = Tags(unlisted: Self.unlisted(in: models))
            for (position, entry) in models.enumerated() {
                if learned.models[entry.tag] == nil { learned.models[entry.tag] = entry.model }
                guard let model = self.layout(entry.model), learned.firsts[ObjectIdentifier(model)] == nil else {
                    continue
                }
                learned.firsts[ObjectIdentifier(model)] = (position, entry.tag)
            }
            tags[ObjectIdentifier(ancestor)] = learned
        }
    }

    /// Returns the model that the cluster of a layout names for a discriminator; nil if it lists none.
    private func listed(
        _ tag: JSONValue, by layout: ModelLayout, _ models: [ModelCluster.Entry]
    ) -> ModelReference? {
        if let learned = tags[ObjectIdentifier(layout)] { return learned.models[tag] }
        return models.first { $0.tag == tag }?.model
    }

    private func layout(_ reference: ModelReference) -> ModelLayout? { try? registry.layout(reference) }

    // MARK: Choosing

    /// Returns the model that an object of a declared model is read as; nil if none is.
    func choice(for object: JSONObject, as declared: ModelLayout) -> ModelLayout? {
        var current = declared
        // A cluster chooses itself or a descendant, so the loop ends.
        while let cluster = current.cluster(in: registry) {
            guard let next = choice(of: cluster, current, for: object), next.isDescendant(of: current) else {
                return nil
            }
            if next === current { break }
            current = next
        }
        return current
    }

    private func choice(of cluster: ModelCluster, _ owner: ModelLayout, for object: JSONObject) -> ModelLayout? {
        switch cluster {
        case .discriminator(let path, let models, let fallback):
            guard let path = try? JSONKeyPath(path) else { return nil }
            guard let value = path.value(in: object), !value.isNull else { return fallback.flatMap(layout) }
            return value.isTag ? (listed(value, by: owner, models) ?? fallback).flatMap(layout) : nil
        case .rules(let rules, let fallback):
            let rule = rules.first {
                $0.conditions.allSatisfy { condition in
                    (try? JSONKeyPath(condition.path)).map { condition.holds(for: object, at: $0) } ?? false
                }
            }
            return (rule?.model ?? fallback).flatMap(layout)
        case .resolver(let resolver):
            return (try? resolver.resolve(object)).flatMap { $0 }.flatMap(layout)
        }
    }

    /// Whether the discriminators in an object name the model that it is read as, or an ancestor of that.
    func discriminatorsFit(_ object: JSONObject, _ leaf: ModelLayout) -> Bool {
        for ancestor in leaf.lineage {
            guard case .discriminator(let path, let models, let fallback)? = ancestor.cluster(in: registry),
                let path = try? JSONKeyPath(path), path.members != nil,
                let tag = path.value(in: object), tag.isTag
            else { continue }
            let named = (listed(tag, by: ancestor, models) ?? fallback).flatMap(layout)
            guard let named, leaf.isDescendant(of: named) else { return false }
        }
        return true
    }

    /// The paths that clusters of a model and its ancestors read.
    func paths(of leaf: ModelLayout) -> [JSONKeyPath] {
        leaf.lineage.compactMap { $0.cluster(in: registry) }.flatMap(\.paths).compactMap { try? JSONKeyPath($0) }
    }

    // MARK: Finding

    /// The longest list of routes; clusters that lead to more are covered in part.
    private static let maximumRoutes = 1000

    /// Returns the ways in which an object of a declared model can look.
    mutating func routes(from declared: ModelLayout) -> [Route] {
        var routes: [Route] = []
        find(from: declared, conditions: [], &routes)
        for route in routes { learn(route.leaf) }
        return routes.map(completing)
    }

    /// Recursion is bounded by the number of ancestors, because a cluster chooses descendants.
    private func find(
        from current: ModelLayout, conditions: [SampledBranch.Condition], _ routes: inout [Route]
    ) {
        guard routes.count < Self.maximumRoutes else { return }
        guard let cluster = current.cluster(in: registry) else {
            return routes.append(Route(leaf: current, conditions: conditions))
        }
        func go(to reference: ModelReference?, _ added: [SampledBranch.Condition]) {
            guard let next = reference.flatMap(layout) else { return }
            if next === current {
                routes.append(Route(leaf: current, conditions: conditions + added))
            } else {
                find(from: next, conditions: conditions + added, &routes)
            }
        }
        switch cluster {
        case .discriminator(let path, let models, let fallback):
            guard let path = try? JSONKeyPath(path) else { return }
            for entry in models {
                go(to: entry.model, [SampledBranch.Condition(path: path, value: entry.tag)])
            }
            guard fallback != nil else { return }
            go(to: fallback, [SampledBranch.Condition(path: path, value: Self.unlisted(in: models))])
            go(to: fallback, [SampledBranch.Condition(path: path, value: nil)])
            go(to: fallback, [SampledBranch.Condition(path: path, value: .null)])
        case .rules(let rules, let fallback):
            for rule in rules { go(to: rule.model, rule.conditions.compactMap(Self.condition)) }
            // Whether no rule matches is tried with the objects that are made.
            go(to: fallback, [])
        case .resolver:
            var pending = [current]
            while let next = pending.popLast(), routes.count < Self.maximumRoutes {
                routes.append(Route(leaf: next, conditions: conditions))
                pending += registry.children(of: next)
            }
        }
    }

    /// A discriminator that a cluster does not list.
    static func unlisted(in models: [ModelCluster.Entry]) -> JSONValue {
        var text = "unlisted"
        while models.contains(where: { $0.tag == .string(text) }) { text += "_" }
        return .string(text)
    }

    private static func condition(_ condition: ModelCluster.Condition) -> SampledBranch.Condition? {
        guard let path = try? JSONKeyPath(condition.path) else { return nil }
        switch condition {
        case .present: return SampledBranch.Condition(path: path, value: true, isAny: true)
        case .equals(_, let value): return SampledBranch.Condition(path: path, value: value)
        case .kind(_, let kind):
            let value: JSONValue =
                switch kind {
                case .null: nil
                case .bool: true
                case .number: 7
                case .string: "text"
                case .array: []
                case .object: [:]
                }
            return SampledBranch.Condition(path: path, value: value, isAny: true)
        }
    }

    /// Adds the discriminators of clusters that are not asked, but whose member a property may read.
    private func completing(_ route: Route) -> Route {
        var route = route
        for ancestor in route.leaf.lineage {
            guard let tags = tags[ObjectIdentifier(ancestor)],
                case .discriminator(let text, _, let fallback)? = ancestor.cluster(in: registry),
                let path = try? JSONKeyPath(text), !route.conditions.contains(where: { $0.path.steps == path.steps })
            else { continue }
            let own = tags.firsts[ObjectIdentifier(route.leaf)]
            // Without a tag of its own, the first one of an ancestor.
            let fitting =
                own
                ?? route.leaf.lineage.compactMap { tags.firsts[ObjectIdentifier($0)] }
                .min { $0.position < $1.position }
            if let fitting {
                route.conditions.append(SampledBranch.Condition(path: path, value: fitting.tag))
            } else if let named = fallback.flatMap(layout), route.leaf.isDescendant(of: named) {
                route.conditions.append(SampledBranch.Condition(path: path, value: tags.unlisted))
            }
        }
        return route
    }
}
