import PalliumCore

/// Finds schemas that the cluster of an ancestor never chooses.
struct VariantWarnings {
    let registry: SchemaRegistry
    /// The layouts that each cluster chooses, and those between them and the cluster, by the layout of the cluster.
    private var chosen: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]

    init(registry: SchemaRegistry) { self.registry = registry }

    mutating func warnings(about layout: ModelLayout) -> [SchemaError.Problem] {
        guard let owner = layout.lineage.dropFirst().first(where: { $0.schema.cluster != nil }),
            let cluster = owner.schema.cluster
        else { return [] }
        // A function in Swift may choose any descendant.
        if case .resolver = cluster { return [] }
        let known = chosen[ObjectIdentifier(owner)] ?? layouts(chosenBy: cluster)
        chosen[ObjectIdentifier(owner)] = known
        if known.contains(ObjectIdentifier(layout)) { return [] }
        let name = owner.schema.name
        return [
            SchemaError.Problem(
                message: "extends \(name), but the cluster of \(name) never chooses it",
                fix: "name it in the cluster, or extend another schema", members: ["extends"])
        ]
    }

    private func layouts(chosenBy cluster: ModelCluster) -> Set<ObjectIdentifier> {
        Set(
            cluster.references.compactMap { try? registry.layout($0) }.flatMap(\.lineage)
                .map { ObjectIdentifier($0) })
    }
}
