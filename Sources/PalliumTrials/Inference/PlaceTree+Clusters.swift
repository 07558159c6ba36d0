import PalliumCore
import PalliumJSON

/// A model whose members depend on the value of one of them.
struct InferredCluster {
    /// The name of the member that decides.
    let discriminator: String
    /// Whether its values are integers.
    let isNumeric: Bool
    let variants: [VariantEvidence.Variant]
    /// The members that only some variants have.
    let ownMembers: Set<UTF8Key>
    /// The members that hold another model in each variant.
    let parts: Set<UTF8Key>
}

/// Decides which models are clusters.
extension PlaceTree {
    /// The number of members that a discriminator must explain.
    private static let minimumExplained = 2

    /// How the variants have one member.
    private struct Presence {
        /// Whether some objects have the member and others do not.
        var isVariable = false
        /// Whether of each variant all objects have the member, or none.
        var dependsOnVariant = false
        /// Whether that is more than chance: all of several objects have it.
        var isShown = false

        init(_ counts: [(count: Int, objects: Int)]) {
            isVariable = counts.contains { $0.count < $0.objects }
            dependsOnVariant = isVariable && counts.allSatisfy { $0.count == 0 || $0.count == $0.objects }
            isShown = dependsOnVariant && counts.contains { $0.count > 1 }
        }
    }

    /// Returns the variants of the model at a place; nil if no member tells them apart clearly.
    ///
    /// The values explain a member that only some objects have if all or no objects of each value have it. They must
    /// explain at least half of these members, and at least two.
    func cluster(of place: Int) -> InferredCluster? {
        guard let evidence = places[place].variants, evidence.objects == places[place].objects,
            evidence.variants.count > 1, evidence.variants.count * 2 <= evidence.objects,
            let position = places[place].members.position(of: evidence.name)
        else { return nil }
        let tags = places[current(places[place].members[position].place)].values
        let isNumeric = tags.shapes == .number
        guard tags.shapes == .text || isNumeric && tags.scalar(of: nil, isSingle: false)?.kind.name == "integer" else {
            return nil
        }
        var ownMembers: Set<UTF8Key> = []
        var parts: Set<UTF8Key> = []
        var variable = 0
        var explained = 0
        for member in places[place].members {
            let key = UTF8Key(member.name)
            let presence = Presence(evidence.variants.map { ($0.members[key]?.count ?? 0, $0.objects) })
            if presence.isVariable { variable += 1 }
            if presence.isShown { explained += 1 }
            if presence.dependsOnVariant { ownMembers.insert(key) }
            let inner = current(member.place)
            guard inner != place, places[inner].isModel else { continue }
            let found = innerPresences(of: key, at: inner, evidence.variants)
            let shown = found.count(where: \.isShown)
            guard shown >= Self.minimumExplained, shown * 2 >= found.count(where: \.isVariable) else { continue }
            parts.insert(key)
            variable += found.count(where: \.isVariable)
            explained += shown
        }
        guard explained >= Self.minimumExplained, explained * 2 >= variable else { return nil }
        return InferredCluster(
            discriminator: evidence.name, isNumeric: isNumeric, variants: evidence.variants, ownMembers: ownMembers,
            parts: parts)
    }

    /// Returns how the variants have the members of the objects in a member; none if there are too many.
    private func innerPresences(
        of key: UTF8Key, at place: Int, _ variants: [VariantEvidence.Variant]
    ) -> [Presence] {
        let parts = variants.compactMap { $0.parts[key] }
        if parts.contains(where: \.isWide) { return [] }
        return places[place].members.map { member in
            Presence(parts.map { ($0.members[UTF8Key(member.name)]?.count ?? 0, $0.objects) })
        }
    }
}
