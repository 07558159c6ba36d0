import PalliumCore
import PalliumJSON

/// What the models of a layout write for the clusters of its ancestors, so that these read them back as what they are.
///
/// A cluster that looks at plain members is told by constants: the text of a discriminator, what a rule compares with.
/// Properties that stand in the same place come first; a constant is for models in which they are unset.
struct ClusterMembers {
    /// Whether a cluster reads a layout from what its models write.
    enum Verdict {
        case always, never
        /// That depends on the values: the cluster is asked about the written object.
        case asked
    }

    /// A member that is written though no property holds it.
    struct Constant {
        let members: [String]
        let value: JSONValue
    }

    /// A cluster that can be told by the text of a plain member.
    private struct Discriminator {
        let owner: ModelLayout
        let members: [String]
        let entries: [(text: String, model: ModelLayout)]
        let fallback: ModelLayout?

        func choice(_ text: String?) -> ModelLayout? {
            guard let text else { return fallback }
            return entries.first { UTF8Text.equal($0.text, text) }?.model ?? fallback
        }
    }

    private let layout: ModelLayout
    private let registry: SchemaRegistry
    private(set) var constants: [Constant] = []
    /// The members that rules look at, which are known though no property maps them.
    private(set) var lookedAt: [[String]] = []
    private var discriminators: [Discriminator] = []
    /// The layout and its ancestors that have a cluster, the nearest first.
    private let owners: [ModelLayout]

    init(_ layout: ModelLayout, registry: SchemaRegistry) throws(ModelError) {
        self.layout = layout
        self.registry = registry
        var owners: [ModelLayout] = []
        var current: ModelLayout? = layout
        while let ancestor = current {
            if ancestor.schema.cluster != nil { owners.append(ancestor) }
            current = ancestor.parent
        }
        self.owners = owners
        for owner in owners {
            switch owner.cluster(in: registry) {
            case .discriminator(let path, let entries, let fallback): try tell(owner, path, entries, fallback)
            case .rules(let rules, _): try tell(owner, rules)
            case .resolver, nil: break
            }
        }
    }

    private mutating func tell(
        _ owner: ModelLayout, _ path: String, _ entries: [ModelCluster.Entry], _ fallback: ModelReference?
    ) throws(ModelError) {
        guard let members = (try? JSONKeyPath(path))?.members else { return }
        var known: [(text: String, model: ModelLayout)] = []
        for entry in entries { known.append((entry.text, try registry.layout(entry.model))) }
        let discriminator = Discriminator(
            owner: owner, members: members, entries: known,
            fallback: try fallback.map { reference throws(ModelError) in try registry.layout(reference) })
        // Clusters further inside that look at the same member have to read the layout from the text, too.
        let inner = discriminators.filter { Self.areEqual($0.members, members) }
        discriminators.append(discriminator)
        if constant(at: members) != nil { return }
        let fitting = known.filter { entry in
            owner.leads(by: entry.model, to: layout)
                && inner.allSatisfy { other in
                    other.choice(entry.text).map { other.owner.leads(by: $0, to: layout) } ?? false
                }
        }
        if let entry = fitting.first(where: { $0.model === layout }) ?? fitting.first {
            constants.append(Constant(members: members, value: .string(entry.text)))
        }
    }

    /// Rules that look at plain members are told what they compare with.
    private mutating func tell(_ owner: ModelLayout, _ rules: [ModelCluster.Rule]) throws(ModelError) {
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

    /// What the clusters of the ancestors make of the layout's models, by the layout that has the cluster; those that
    /// always read them back are left out.
    ///
    /// - Parameter writes: Whether a constant is written where it should stand: no property takes its place.
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
        // A cluster chooses itself or a descendant, so this ends.
        while current.schema.cluster != nil {
            guard let discriminator = discriminators.first(where: { $0.owner === current }),
                writes(discriminator.members)
            else {
                return .asked
            }
            let text: String?
            switch constant(at: discriminator.members) {
            case .string(let constant): text = constant
            case nil: text = nil
            // What a rule compares with: a number, for example.
            default: return .asked
            }
            guard let chosen = discriminator.choice(text), layout.isDescendant(of: chosen) else { return .never }
            if chosen === current { break }
            current = chosen
        }
        return current === layout ? .always : .never
    }
}
