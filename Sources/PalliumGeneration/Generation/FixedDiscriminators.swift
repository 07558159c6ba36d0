import PalliumCore
import PalliumJSON

/// The values that discriminators have in each class: those for which the clusters of its ancestors choose it.
struct FixedDiscriminators {
    /// The tags of a cluster by the schemas that they choose.
    private struct Tags {
        let path: UTF8Key
        var byModel: [UTF8Key: [JSONValue]] = [:]

        init?(_ cluster: ModelCluster?) {
            guard case .discriminator(let path, let entries, let fallback)? = cluster else { return nil }
            self.path = UTF8Key(path)
            for entry in entries { byModel[UTF8Key(entry.model.description), default: []].append(entry.tag) }
            // Any other value chooses it.
            if let fallback { byModel[UTF8Key(fallback.description), default: []] += [.null, .null] }
        }
    }

    private let set: SchemaSet
    /// The only tag for each schema, by the path of the discriminator.
    private var tags: [[UTF8Key: JSONValue]?]
    /// The names of cases, by the schema and the key of the property that declares them.
    private var caseNames: [Int: [UTF8Key: [EnumerationSchema.RawValue: String]]] = [:]

    /// - Complexity: O(*n*) in the number of schemas, ancestors included, and of the entries of clusters.
    init(_ set: SchemaSet) {
        self.set = set
        tags = Array(repeating: nil, count: set.schemas.count)
        let clusters = set.schemas.map { Tags($0.cluster) }
        for index in set.schemas.indices {
            let lineage = set.lineage(of: index)
            for (depth, descendant) in lineage.enumerated() where tags[descendant] == nil {
                var fixed = depth > 0 ? tags[lineage[depth - 1]] ?? [:] : [:]
                for case let cluster? in lineage.prefix(depth).map({ clusters[$0] }) {
                    guard let found = cluster.byModel[UTF8Key(set.schemas[descendant].name)] else { continue }
                    fixed[cluster.path] = found.count == 1 ? found[0] : nil
                }
                tags[descendant] = fixed
            }
        }
    }

    /// Returns the values that the initialiser of a class sets itself, as source code by key.
    ///
    /// - Complexity: O(*n*) in the number of members.
    mutating func values(of members: [ClassPlan.Member], in index: Int) -> [UTF8Key: String] {
        guard let fixed = tags[index], !fixed.isEmpty else { return [:] }
        var values: [UTF8Key: String] = [:]
        for member in members {
            guard let path = member.path, let tag = fixed[UTF8Key(path)] else { continue }
            values[UTF8Key(member.key)] = source(of: tag, for: member)
        }
        // Without another parameter, it would be the initialiser of an empty model.
        return members.allSatisfy { !$0.property.isRequired || values[UTF8Key($0.key)] != nil } ? [:] : values
    }

    private mutating func source(of tag: JSONValue, for member: ClassPlan.Member) -> String? {
        guard member.property.transformers.isEmpty, let type = member.type else { return nil }
        switch (member.property.kind, tag) {
        case (.string, .string(let text)): return SourceText.literal(text)
        case (.bool, .bool(let flag)): return "\(flag)"
        case (.integer(.bits64), .number(let number)): return number.int64.map { "\($0)" }
        case (.enumeration, _):
            guard let raw = EnumerationSchema.RawValue(tag), let name = caseName(of: raw, for: member) else {
                return nil
            }
            return "\(type.name).\(SwiftName.escaped(name))"
        default: return nil
        }
    }

    private mutating func caseName(of raw: EnumerationSchema.RawValue, for member: ClassPlan.Member) -> String? {
        let key = UTF8Key(member.key)
        if let names = caseNames[member.owner]?[key] { return names[raw] }
        guard case .enumeration(let cases)? = set.property(member.key, of: member.owner)?.kind else { return nil }
        let names = Dictionary(
            zip(cases.cases.map(\.rawValue), EnumerationText.names(of: cases)), uniquingKeysWith: { first, _ in first })
        caseNames[member.owner, default: [:]][key] = names
        return names[raw]
    }
}
