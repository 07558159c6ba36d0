import PalliumCore
import PalliumJSON

/// The members that models of a layout write so that the clusters of its ancestors read them back.
///
/// Constants satisfy a cluster that reads plain members: the text of a discriminator, or the value that a rule compares
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

    /// A cluster whose discriminator is a plain member.
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
    /// The members that rules read; they are never unknown, even if no property maps them.
    private(set) var lookedAt: [[String]] = []
    private var discriminators: [Discriminator] = []
    /// The layout and its ancestors that have a cluster, the nearest first.
    private let owners: [ModelLayout]

    init(_ layout: ModelLayout, registry: SchemaRegistry) throws(ModelError) {
        self.layout = layout
        self.registry = registry
        owners = layout.lineage.filter { $0.schema.cluster != nil }
        for owner in owners {
            switch owner.cluster(in: registry) {
            case .discriminator(let path, let entries, let fallback): try addConstants(owner, path, entries, fallback)
            case .rules(let rules, _): try addConstants(owner, rules)
            case .resolver, nil: break
            }
        }
    }

    private mutating func addConstants(
        _ owner: ModelLayout, _ path: String, _ entries: [ModelCluster.Entry], _ fallback: ModelReference?
    ) throws(ModelError) {
        guard let members = (try? JSONKeyPath(path))?.members else { return }
        var known: [(text: String, model: ModelLayout)] = []
        for entry in entries { known.append((entry.text, try registry.layout(entry.model))) }
        let discriminator = Discriminator(
            owner: owner, members: members, entries: known,
            fallback: try fallback.map { reference throws(ModelError) in try registry.layout(reference) })
        // Inner clusters with the same member must read the layout from the text, too.
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
            guard let discriminator = discriminators.first(where: { $0.owner === current }),
                writes(discriminator.members)
            else {
                return .asked
            }
            let text: String?
            switch constant(at: discriminator.members) {
            case .string(let constant): text = constant
            case nil: text = nil
            // A rule may compare with something else, a number for example.
            default: return .asked
            }
            guard let chosen = discriminator.choice(text), layout.isDescendant(of: chosen) else { return .never }
            if chosen === current { break }
            current = chosen
        }
        return current === layout ? .always : .never
    }
}
