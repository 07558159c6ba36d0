package import PalliumJSON

/// The key paths of a property after key strategy and profile were applied.
package struct ResolvedMapping: Sendable {
    /// The ways to combine several paths.
    package enum Combination: Sendable {
        case single, firstOf, allOf

        /// Those of some paths that are written: the first of `firstOf`, otherwise all.
        package func written(of paths: [JSONKeyPath]) -> [JSONKeyPath] {
            self == .firstOf ? Array(paths.prefix(1)) : paths
        }
    }

    package let combination: Combination
    /// The paths as written.
    package let texts: [String]
    /// The paths without malformed ones, which registration refuses.
    package private(set) var paths: [JSONKeyPath] = []
    /// The mistakes in malformed paths.
    private(set) var mistakes: [JSONKeyPath.Malformed] = []

    /// - Parameters:
    ///   - mapping: The mapping that a profile gives the property instead of its own.
    ///   - keys: The key strategy of the schema that declares the property.
    package init(
        _ property: PropertySchema, _ mapping: PropertySchema.JSONMapping? = nil, key: String,
        keys: ModelSchema.KeyStrategy
    ) {
        let mapping = mapping ?? property.json
        combination =
            switch mapping {
            case .firstOf: .firstOf
            case .allOf: .allOf
            case .ownKey, .path, .none: .single
            }
        if mapping == .ownKey {
            // A key is a name, not a path: dots in it have no meaning.
            paths = keys.memberName(for: key).map { [JSONKeyPath(steps: [.member($0)])] } ?? []
            texts = paths.map(\.description)
            return
        }
        texts = mapping.texts
        for text in texts {
            do throws(JSONKeyPath.Malformed) { paths.append(try JSONKeyPath(text)) } catch { mistakes.append(error) }
        }
    }
}

/// The changes of a profile to the mapping of a schema, including inherited changes.
package struct ProfileMapping {
    package let name: String
    package var mappings: [UTF8Key: PropertySchema.JSONMapping] = [:]

    /// Returns the profiles of a schema and its ancestors. `lineage` begins at the root; a descendant's changes
    /// override its parent's.
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
