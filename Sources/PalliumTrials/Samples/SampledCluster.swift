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

/// Finds the objects by which clusters choose models.
struct SampledCluster {
    /// A model and the conditions that lead to it.
    struct Route {
        let leaf: ModelLayout
        var conditions: [SampledBranch.Condition]
    }

    let registry: SchemaRegistry
    let clusters: DocumentClusters

    init(registry: SchemaRegistry) {
        self.registry = registry
        clusters = DocumentClusters(registry)
    }

    /// Returns the discriminator of a model's own cluster; nil for other clusters.
    func discriminator(of layout: ModelLayout) -> Discriminator? { try? clusters.discriminator(of: layout) }

    /// Whether an adapter of a declared model and one of a leaf read an object as the leaf.
    func reads(_ object: JSONObject, of declared: ModelLayout, as leaf: ModelLayout) -> Bool {
        (try? clusters.model(for: object, as: declared)) === leaf
            && leaf.lineage.compactMap(discriminator).allSatisfy { discriminator in
                guard discriminator.path.members != nil, let tag = discriminator.path.value(in: object), tag.isTag
                else { return true }
                return discriminator.choice(tag).map(leaf.isDescendant) ?? false
            }
    }

    /// The paths that clusters of a model and its ancestors read.
    func paths(of leaf: ModelLayout) -> [JSONKeyPath] {
        leaf.lineage.compactMap { try? clusters.cluster(of: $0) }.flatMap(\.paths)
    }

    // MARK: Finding

    /// The longest list of routes; clusters that lead to more are covered in part.
    private static let maximumRoutes = 1000

    /// Returns the ways in which an object of a declared model can look.
    func routes(from declared: ModelLayout) -> [Route] {
        var routes: [Route] = []
        find(from: declared, conditions: [], &routes)
        return routes.map(completing)
    }

    /// Recursion is bounded by the number of ancestors, because a cluster chooses descendants.
    private func find(
        from current: ModelLayout, conditions: [SampledBranch.Condition], _ routes: inout [Route]
    ) {
        guard routes.count < Self.maximumRoutes else { return }
        guard let cluster = try? clusters.cluster(of: current) else {
            return routes.append(Route(leaf: current, conditions: conditions))
        }
        func go(to next: ModelLayout?, _ added: [SampledBranch.Condition]) {
            guard let next else { return }
            if next === current {
                routes.append(Route(leaf: current, conditions: conditions + added))
            } else {
                find(from: next, conditions: conditions + added, &routes)
            }
        }
        if let discriminator = cluster.discriminator {
            let path = discriminator.path
            for tag in discriminator.tags {
                go(to: discriminator.model(tag), [SampledBranch.Condition(path: path, value: tag)])
            }
            for value: JSONValue? in [discriminator.unlisted, Optional.none, .null] {
                go(to: discriminator.fallback, [SampledBranch.Condition(path: path, value: value)])
            }
        } else if let rules = cluster.rules {
            for rule in rules.rules { go(to: rule.model, rule.conditions.map(Self.condition)) }
            // Whether no rule matches is tried with the objects that are made.
            go(to: rules.fallback, [])
        } else {
            var pending = [current]
            while let next = pending.popLast(), routes.count < Self.maximumRoutes {
                routes.append(Route(leaf: next, conditions: conditions))
                pending += registry.children(of: next)
            }
        }
    }

    private static func condition(_ condition: ClusterRules.Condition) -> SampledBranch.Condition {
        var isAny = true
        if case .equals = condition.condition { isAny = false }
        return SampledBranch.Condition(path: condition.path, value: condition.example, isAny: isAny)
    }

    /// Adds the discriminators of clusters that are not asked, but whose member a property may read.
    private func completing(_ route: Route) -> Route {
        var route = route
        for discriminator in route.leaf.lineage.compactMap(discriminator)
        where !route.conditions.contains(where: { $0.path.steps == discriminator.path.steps }) {
            // Without a tag of its own, the first one of an ancestor.
            var tag = discriminator.firstTag(of: route.leaf)
            if tag == nil, let named = discriminator.fallback, route.leaf.isDescendant(of: named) {
                tag = discriminator.unlisted
            }
            if let tag { route.conditions.append(SampledBranch.Condition(path: discriminator.path, value: tag)) }
        }
        return route
    }
}

extension Discriminator {
    /// A tag that the cluster does not list.
    var unlisted: JSONValue {
        var text = "unlisted"
        while model(.string(text)) != nil { text += "_" }
        return .string(text)
    }
}
