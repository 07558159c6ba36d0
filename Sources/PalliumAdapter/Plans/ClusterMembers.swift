import PalliumCore
import PalliumJSON

/// The members that models of a layout write so that the clusters of its ancestors read them back.
///
/// Constants satisfy a cluster that reads plain members: the tag of a discriminator, or the value that a rule compares
/// with. A property at the same path takes precedence; the constant is then written only if the property is unset.
struct ClusterMembers {
    /// Whether a cluster reads a layout back from what its models write.
    enum Readability {
        case always, never
        /// It depends on the values: the cluster is asked about the written object.
        case asked
    }

    /// A member that is written although no property holds it.
    struct Constant {
        let path: JSONKeyPath
        let value: JSONValue
        var members: [String] { path.leadingMembers }
    }

    private let layout: ModelLayout
    private(set) var constants: [Constant] = []
    /// The discriminators that are plain members.
    private var discriminators: [Discriminator] = []
    /// The layout and its ancestors that have a cluster, the nearest first.
    private let owners: [ModelLayout]

    init(_ layout: ModelLayout, _ clusters: DocumentClusters) throws(ModelError) {
        self.layout = layout
        owners = layout.lineage.filter { $0.schema.cluster != nil }
        for owner in owners {
            let cluster = try clusters.cluster(of: owner)
            if let discriminator = cluster?.discriminator { addConstants(discriminator) }
            if let rule = cluster?.rules?.rule(leadingTo: layout) { addConstants(rule) }
        }
    }

    private mutating func addConstants(_ discriminator: Discriminator) {
        guard discriminator.path.members != nil else { return }
        // Inner clusters with the same member must read the layout from the text, too.
        discriminators.append(discriminator)
        let readers = discriminators.filter { $0.path.steps == discriminator.path.steps }
        if constant(at: discriminator.path) != nil { return }
        let fitting: [JSONValue]
        if readers.count == 1 {
            // The first tag of each model says as much as all of them.
            fitting = discriminator.positions(leadingTo: layout).compactMap(\.first).map { discriminator.tags[$0] }
        } else {
            // Of the shortest list of tags that are possible, so that many tags of many models do not multiply.
            let lists = readers.filter { $0 === discriminator || !$0.fallsBack(to: layout) }
                .map { reader in (reader, reader.positions(leadingTo: layout)) }
            let shortest = lists.min { $0.1.reduce(0) { $0 + $1.count } < $1.1.reduce(0) { $0 + $1.count } }
            let candidates = shortest.map { reader, positions in positions.joined().map { reader.tags[$0] } } ?? []
            fitting = candidates.filter { tag in
                readers.allSatisfy { reader in
                    reader.choice(tag).map { reader.owner.leads(by: $0, to: layout) } ?? false
                }
            }
        }
        if let tag = discriminator.first(of: fitting, naming: layout) {
            constants.append(Constant(path: discriminator.path, value: tag))
        }
    }

    /// Adds the constants for a rule that compares plain members.
    private mutating func addConstants(_ rule: ClusterRules.Rule) {
        for condition in rule.conditions {
            let value: JSONValue
            switch condition.condition {
            case .equals(_, let compared): value = compared
            case .kind(_, .null): value = .null
            case .present, .kind: continue
            }
            guard condition.path.members != nil, constant(at: condition.path) == nil else { continue }
            constants.append(Constant(path: condition.path, value: value))
        }
    }

    private func constant(at path: JSONKeyPath) -> JSONValue? {
        constants.first { $0.path.steps == path.steps }?.value
    }

    /// Returns the clusters of ancestors that do not always read the layout's models back, by their layouts.
    ///
    /// - Parameter writes: Whether a constant can be written at a path, because no property is written there.
    func readabilities(writing writes: ([String]) -> Bool) -> [ObjectIdentifier: Readability] {
        var readabilities: [ObjectIdentifier: Readability] = [:]
        for owner in owners {
            let readability = self.readability(of: owner, writes)
            if readability != .always { readabilities[ObjectIdentifier(owner)] = readability }
        }
        return readabilities
    }

    private func readability(of owner: ModelLayout, _ writes: ([String]) -> Bool) -> Readability {
        var current = owner
        // A cluster chooses itself or a descendant, so the loop ends.
        while current.schema.cluster != nil {
            guard let discriminator = discriminators.first(where: { $0.owner === current }),
                writes(discriminator.path.leadingMembers)
            else { return .asked }
            let constant = constant(at: discriminator.path)
            // A rule may compare with something else, a list for example.
            if let constant, !constant.isTag { return .asked }
            guard let chosen = discriminator.choice(constant), layout.isDescendant(of: chosen) else { return .never }
            if chosen === current { break }
            current = chosen
        }
        return current === layout ? .always : .never
    }
}
