package import PalliumJSON

/// The key paths a property really has.
package struct ResolvedMapping: Sendable {
    /// How several paths work together.
    package enum Combination: Sendable { case single, firstOf, allOf }

    package let texts: [String]
    package let combination: Combination

    /// - Parameters:
    ///   - mapping: The mapping that a profile gives the property instead of its own.
    ///   - keys: The key strategy of the schema that declares the property.
    package init(_ property: PropertySchema, _ mapping: JSONMapping? = nil, key: String, keys: KeyStrategy) {
        switch mapping ?? property.json {
        case .ownKey:
            combination = .single
            // A key is a name, not a path: dots in it have no meaning.
            texts = keys.memberName(for: key).map { [JSONKeyPath.escape($0)] } ?? []
        case .path(let path):
            combination = .single
            texts = [path]
        case .firstOf(let paths):
            combination = .firstOf
            texts = paths
        case .allOf(let paths):
            combination = .allOf
            texts = paths
        case .none:
            combination = .single
            texts = []
        }
    }

    /// Of several paths, the first is written by `firstOf`, all by `allOf`.
    package func isWritten(_ text: String) -> Bool { combination != .firstOf || texts.first == text }

    /// The members that are written, for paths that can be.
    func written(_ property: PropertySchema) -> [[String]] {
        property.access == .readOnly
            ? [] : texts.filter(isWritten).compactMap { (try? JSONKeyPath($0))?.members }
    }
}

/// What a profile changes about the mapping of a schema, inherited changes included.
package struct ProfileMapping {
    package let name: String
    package var mappings: [UTF8Key: JSONMapping] = [:]

    /// The profiles of a schema and its ancestors, which come root first: a descendant's changes go before its parent's.
    package static func all(of lineage: [ModelSchema]) -> [ProfileMapping] {
        var profiles: [ProfileMapping] = []
        var positions: [UTF8Key: Int] = [:]
        for profile in lineage.flatMap(\.profiles) {
            let position = positions[UTF8Key(profile.name)] ?? profiles.count
            if position == profiles.count {
                positions[UTF8Key(profile.name)] = position
                profiles.append(ProfileMapping(name: profile.name))
            }
            for (key, mapping) in profile.mappings { profiles[position].mappings[UTF8Key(key)] = mapping }
        }
        return profiles
    }
}
