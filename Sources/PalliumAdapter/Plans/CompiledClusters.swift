import PalliumCore
import PalliumJSON

/// The clusters of a registry, compiled once for the plans of all their models.
final class CompiledClusters {
    private let registry: SchemaRegistry
    private var discriminators: [ObjectIdentifier: Discriminator] = [:]
    private var rules: [ObjectIdentifier: ClusterRules] = [:]
    private var lookedAt: [ObjectIdentifier: DecodingNode] = [:]

    init(_ registry: SchemaRegistry) { self.registry = registry }

    /// Returns the discriminator of a layout's own schema; nil if it has none.
    func discriminator(of owner: ModelLayout) throws(ModelError) -> Discriminator? {
        if let compiled = discriminators[ObjectIdentifier(owner)] { return compiled }
        guard case .discriminator(let path, let entries, let fallback) = owner.cluster(in: registry) else { return nil }
        var models: [(tag: JSONValue, model: ModelLayout)] = []
        for entry in entries { models.append((entry.tag, try registry.layout(entry.model))) }
        let compiled = Discriminator(
            owner: owner, path: try Self.path(path), models: models, fallback: try layout(fallback))
        discriminators[ObjectIdentifier(owner)] = compiled
        return compiled
    }

    /// Returns the rules of the cluster of a layout's own schema; nil if it has none.
    func rules(of owner: ModelLayout) throws(ModelError) -> ClusterRules? {
        if let compiled = rules[ObjectIdentifier(owner)] { return compiled }
        guard case .rules(let all, let fallback) = owner.cluster(in: registry) else { return nil }
        var rules: [ClusterRules.Rule] = []
        for rule in all {
            var conditions: [ClusterRules.Condition] = []
            for condition in rule.conditions { conditions.append((try Self.path(condition.path), condition)) }
            rules.append((conditions, try registry.layout(rule.model)))
        }
        let compiled = ClusterRules(owner: owner, rules: rules, fallback: try layout(fallback))
        self.rules[ObjectIdentifier(owner)] = compiled
        return compiled
    }

    /// Returns the members that rules of a layout and its ancestors read; nil if there are none. They are never unknown,
    /// even if no property maps them.
    func membersLookedAt(by layout: ModelLayout) throws(ModelError) -> DecodingNode? {
        var owners: [ClusterRules] = []
        for ancestor in layout.lineage {
            if let rules = try rules(of: ancestor) { owners.append(rules) }
        }
        guard let nearest = owners.first.map({ ObjectIdentifier($0.owner) }) else { return nil }
        if let made = lookedAt[nearest] { return made }
        let tree = MemberTree()
        for condition in owners.flatMap(\.rules).flatMap(\.conditions) {
            if let members = condition.path.members { tree.ignore(members) }
        }
        let made = tree.decodingNode(values: [], capturing: [])
        lookedAt[nearest] = made
        return made
    }

    private func layout(_ reference: ModelReference?) throws(ModelError) -> ModelLayout? {
        try reference.map { reference throws(ModelError) in try registry.layout(reference) }
    }

    private static func path(_ text: String) throws(ModelError) -> JSONKeyPath {
        do { return try JSONKeyPath(text) } catch {
            // Registration refuses malformed paths.
            throw ModelError(.unknownKey, expected: "a key path", found: error.description)
        }
    }
}

/// The rules of a cluster, compiled.
final class ClusterRules {
    typealias Condition = (path: JSONKeyPath, condition: ModelCluster.Condition)
    typealias Rule = (conditions: [Condition], model: ModelLayout)

    /// The layout that declares them.
    let owner: ModelLayout
    let rules: [Rule]
    /// The model of objects that no rule matches.
    let fallback: ModelLayout?
    /// The number of the first rule for each model.
    private let firstRules: [ObjectIdentifier: Int]

    init(owner: ModelLayout, rules: [Rule], fallback: ModelLayout?) {
        self.owner = owner
        self.rules = rules
        self.fallback = fallback
        firstRules = Dictionary(rules.enumerated().map { (ObjectIdentifier($1.model), $0) }) { first, _ in first }
    }

    /// Returns the first rule that names a layout; without one, the first that leads to it.
    func rule(leadingTo layout: ModelLayout) -> Rule? {
        if let number = firstRules[ObjectIdentifier(layout)], owner.leads(by: layout, to: layout) {
            return rules[number]
        }
        let numbers = layout.lineage.filter { owner.leads(by: $0, to: layout) }
        return numbers.compactMap { firstRules[ObjectIdentifier($0)] }.min().map { rules[$0] }
    }
}
