import PalliumCore
import PalliumJSON

/// The members that models of a layout write so that the clusters of its ancestors read them back.
///
/// Constants satisfy a cluster that reads plain members: the tag of a discriminator, or the value that a rule compares
/// with. A property at the same path takes precedence; the constant is then written only if the property is unset.
struct ClusterMembers {
    /// Whether a cluster reads a layout back from what its models write.
    enum Verdict {
        case always, never
        /// It depends on the values: the cluster is asked about the written object.
        case asked
    }

    /// A member that is written although no property holds it.
    struct Constant {
        let members: [String]
        let value: JSONValue
    }

    private let layout: ModelLayout
    private let registry: SchemaRegistry
    private(set) var constants: [Constant] = []
    /// The members that rules read; they are never unknown, even if no property maps them.
    private(set) var lookedAt: [[String]] = []
    /// Those that are plain members.
    private var discriminators: [(discriminator: Discriminator, members: [String])] = []
    /// The layout and its ancestors that have a cluster, the nearest first.
    private let owners: [ModelLayout]

    init(_ layout: ModelLayout, registry: SchemaRegistry) throws(ModelError) {
        self.layout = layout
        self.registry = registry
        owners = layout.lineage.filter { $0.schema.cluster != nil }
        for owner in owners {
            switch owner.cluster(in: registry) {
            case .discriminator:
                if let discriminator = try Discriminator(owner, registry: registry) { addConstants(discriminator) }
            case .rules(let rules, _): try addConstants(owner, rules)
            case .resolver, nil: break
            }
        }
    }

    private mutating func addConstants(_ discriminator: Discriminator) {
        guard let members = discriminator.path.members else { return }
        // Inner clusters with the same member must read the layout from the text, too.
        discriminators.append((discriminator, members))
        let readers = discriminators.filter { Self.areEqual($0.members, members) }.map(\.discriminator)
        if constant(at: members) != nil { return }
        let fitting = discriminator.tags.filter { tag in
            readers.allSatisfy { reader in
                reader.choice(tag).map { reader.owner.leads(by: $0, to: layout) } ?? false
            }
        }
        if let tag = fitting.first(where: { discriminator.model($0) === layout }) ?? fitting.first {
            constants.append(Constant(members: members, value: tag))
        }
    }

    /// Adds the constants for rules that compare plain members.
    private mutating func addConstants(_ owner: ModelLayout, _ rules: [ModelCluster.Rule]) throws(ModelError) {
        for condition in rules.flatMap(\.conditions) {
            if let members = (try? JSONKeyPath(condition.path))?.members { lookedAt.append(members) }
        }
        var leading: [(rule: ModelCluster.Rule, model: ModelLayout)] = []
        for rule in rules {
            let model = try registry.layout(rule.model)
            if owner.leads(by: model, to: layout) { leading.append((rule, model)) }
        }
        guard let chosen = leading.first(where: { $0.model === layout }) ?? leading.first else { return }
        for condition in chosen.rule.conditions {
            let value: JSONValue
            switch condition {
            case .equals(_, let compared): value = compared
            case .kind(_, .null): value = .null
            case .present, .kind: continue
            }
            guard let members = (try? JSONKeyPath(condition.path))?.members, constant(at: members) == nil else {
                continue
            }
            constants.append(Constant(members: members, value: value))
        }
    }

    private func constant(at members: [String]) -> JSONValue? {
        constants.first { Self.areEqual($0.members, members) }?.value
    }

    private static func areEqual(_ left: [String], _ right: [String]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { UTF8Text.equal($0, $1) }
    }

    /// Returns the clusters of ancestors that do not always read the layout's models back, by their layouts.
    ///
    /// - Parameter writes: Whether a constant can be written at a path, because no property is written there.
    func verdicts(writing writes: ([String]) -> Bool) -> [ObjectIdentifier: Verdict] {
        var verdicts: [ObjectIdentifier: Verdict] = [:]
        for owner in owners {
            let verdict = verdict(of: owner, writes)
            if verdict != .always { verdicts[ObjectIdentifier(owner)] = verdict }
        }
        return verdicts
    }

    private func verdict(of owner: ModelLayout, _ writes: ([String]) -> Bool) -> Verdict {
        var current = owner
        // A cluster chooses itself or a descendant, so the loop ends.
        while current.schema.cluster != nil {
            guard let (discriminator, members) = discriminators.first(where: { $0.discriminator.owner === current }),
                writes(members)
            else {
                return .asked
            }
            let constant = constant(at: members)
            // A rule may compare with something else, a list for example.
            if let constant, !constant.isTag { return .asked }
            guard let chosen = discriminator.choice(constant), layout.isDescendant(of: chosen) else { return .never }
            if chosen === current { break }
            current = chosen
        }
        return current === layout ? .always : .never
    }
}
