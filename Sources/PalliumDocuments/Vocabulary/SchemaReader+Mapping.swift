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
        guard let members = knownMembers(of: value, in: SchemaVocabulary.upgrade) else { return nil }
        var step = SchemaUpgrade(from: 0)
        read(members, SchemaVocabulary.upgrade, into: &step)
        if members["from"] == nil {
            problems.report(
                at: value.offset, "upgrades: the step does not say from which version", fix: "add the member \"from\"")
        }
        // Steps are for archives, whose values are no JSON that could stay unchanged.
        if isOpaque { step.transformed = step.transformed.filter { !isAnyOpaque($0.value) } }
        return step
    }

    /// Reads a list of keys; one key alone is none.
    mutating func keys(_ value: LocatedJSON, _ member: String) -> [String] {
        if value.elements != nil { return names(value, member, expected: "a key") }
        mismatch(value, member, "a list of keys")
        return []
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
                problems.report(
                    at: entry.nameOffset,
                    "\(member): \(ModelError.quote(entry.name)) differs from another key in its spelling only",
                    fix: "spell accents in one way")
            }
        }
        return result
    }
}
