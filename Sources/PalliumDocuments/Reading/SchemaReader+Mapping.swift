import PalliumCore
import PalliumJSON

/// Reads key paths, alternative mappings, and steps between versions.
extension SchemaReader {
    /// Reads the mapping of a property: a path, null for none, the names of nested members, the first of several paths,
    /// or all of several.
    mutating func readMapping(_ value: LocatedJSON, _ member: String) -> PropertySchema.JSONMapping? {
        switch value.content {
        case .null: return PropertySchema.JSONMapping.none
        case .string(let path): return .path(path)
        case .array(let names) where !names.isEmpty && names.allSatisfy({ $0.text != nil }):
            return .path(names.compactMap(\.text).map(JSONKeyPath.escape).joined(separator: "."))
        case .object: break
        default:
            mismatch(value, member, "a key path, a list of names, null, {\"firstOf\": paths} or {\"allOf\": paths}")
            return nil
        }
        guard let members = knownMembers(of: value, "several paths", ["firstOf", "allOf"]) else { return nil }
        switch (members["firstOf"], members["allOf"]) {
        case (let paths?, nil):
            return .firstOf(list(paths, "firstOf", expected: "a list of key paths", canBeEmpty: false))
        case (nil, let paths?): return .allOf(list(paths, "allOf", expected: "a list of key paths", canBeEmpty: false))
        default:
            mismatch(value, member, "one of \"firstOf\" and \"allOf\"")
            return nil
        }
    }

    /// Reads the profiles: mappings by key, by the name of the profile.
    mutating func readProfiles(_ value: LocatedJSON) -> [ModelSchema.Profile] {
        var profiles: [ModelSchema.Profile] = []
        for profile in entries(of: value, "profiles", expected: "an object of profiles by name") ?? [] {
            checkName(profile.name, at: profile.nameOffset, "profiles")
            let mappings = dictionary(profile.value, "profiles", expected: "an object of key paths by key") {
                $0.readMapping($1, "profiles")
            }
            profiles.append(ModelSchema.Profile(profile.name, mappings))
        }
        return profiles
    }

    mutating func readUpgrades(_ value: LocatedJSON) -> [SchemaUpgrade] {
        guard case .array(let elements) = value.content else {
            mismatch(value, "upgrades", "a list of steps")
            return []
        }
        return elements.compactMap { readUpgrade($0) }
    }

    private mutating func readUpgrade(_ value: LocatedJSON) -> SchemaUpgrade? {
        let known = ["from", "rename", "remove", "default", "transform", "renameSchema", "when"]
        guard let members = knownMembers(of: value, "an upgrade", known) else { return nil }
        var step = SchemaUpgrade(from: 0)
        if let from = members["from"] {
            step.from = version(from, "from") ?? 0
        } else {
            report(value.offset, "upgrades: the step does not say from which version", fix: "add the member \"from\"")
        }
        if let rename = members["rename"] {
            step.renamed = dictionary(rename, "rename", expected: "an object of new keys by old ones") {
                $0.name($1, "rename", expected: "the new key")
            }
        }
        if let remove = members["remove"] {
            if case .array = remove.content {
                step.removed = names(remove, "remove", expected: "a key")
            } else {
                mismatch(remove, "remove", "a list of keys")
            }
        }
        if let defaults = members["default"] {
            step.defaults = dictionary(defaults, "default", expected: "an object of values by key") { $1.value }
        }
        if let transform = members["transform"] {
            step.transformed = dictionary(transform, "transform", expected: "an object of transformers by key") {
                $0.transformers($1, "transform")
            }
            // Steps are for archives, whose values are no JSON that could stay unchanged.
            if isOpaque { step.transformed = step.transformed.filter { !isAnyOpaque($0.value) } }
        }
        step.oldSchemaName = members["renameSchema"].flatMap {
            name($0, "renameSchema", expected: "the name of the schema before this step")
        }
        if let when = members["when"] {
            step.when = dictionary(when, "when", expected: "an object of stored values by key") { $1.value }
        }
        return step
    }

    /// Reads values by key. Swift dictionaries take two spellings of é for one key, which would lose one silently.
    mutating func dictionary<Value>(
        _ value: LocatedJSON, _ member: String, expected: String,
        _ read: (inout SchemaReader, LocatedJSON) -> Value?
    ) -> [String: Value] {
        var result: [String: Value] = [:]
        for entry in entries(of: value, member, expected: expected) ?? [] {
            guard checkName(entry.name, at: entry.nameOffset, member), let value = read(&self, entry.value) else {
                continue
            }
            if result.updateValue(value, forKey: entry.name) != nil {
                report(
                    entry.nameOffset,
                    "\(member): \(ModelError.quote(entry.name)) differs from another key in its spelling only",
                    fix: "spell accents in one way")
            }
        }
        return result
    }
}
