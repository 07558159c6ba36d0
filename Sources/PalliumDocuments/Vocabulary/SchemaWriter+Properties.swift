import PalliumCore
import PalliumJSON

/// Writes properties, their kinds and their mapping.
extension SchemaWriter {
    mutating func write(_ property: PropertySchema) -> JSONValue {
        let object = object(of: property, SchemaVocabulary.property)
        if !property.validators.isEmpty {
            problems.report(
                "has a validator, which is Swift code", fix: "keep the schema in code, or move it into the class")
        }
        if property.storedValueHook != nil {
            problems.report(
                "has an unarchived hook, which is Swift code", fix: "keep the schema in code, or write an upgrade")
        }
        return .object(object)
    }

    mutating func write(_ kind: PropertyKind) -> JSONValue {
        if case .custom(let custom) = kind, registry.customKind(named: custom.name) != custom {
            problems.report(
                "has the custom kind \(ModelError.quote(custom.name)), which is not registered",
                fix: "register it, and before the document is loaded as well")
        }
        return .string(kind.name)
    }

    mutating func writeElement(of kind: PropertyKind) -> JSONValue? {
        guard let element = kind.element else { return nil }
        guard level < Self.maximumElementLevels else {
            problems.report("has more than \(Self.maximumElementLevels.counted("level")) of elements")
            return nil
        }
        level += 1
        defer { level -= 1 }
        return write(element)
    }

    mutating func writeModel(of kind: PropertyKind) -> JSONValue? {
        if case .model(let reference) = kind { name(of: reference) } else { nil }
    }

    mutating func writeCases(of kind: PropertyKind) -> JSONValue? {
        guard case .enumeration(let enumeration) = kind else { return nil }
        if enumeration.cases.allSatisfy(\.aliases.isEmpty) { return .array(enumeration.cases.map(\.rawValue.json)) }
        // The name of a case is the text that it is written as.
        var cases = JSONObject()
        for item in enumeration.cases {
            let texts = ([item.rawValue] + item.aliases).map(\.json)
            if texts.contains(where: { $0.stringValue == nil }) {
                problems.report(
                    "has numbers as cases with several spellings", fix: "only texts can have them in a document")
            } else if cases.updateValue(.array(texts), forKey: item.rawValue.description) != nil {
                problems.reportRepetition(of: "the case \(ModelError.quote(item.rawValue.description))")
            }
        }
        return .object(cases)
    }

    static func writeUnknownPolicy(of kind: PropertyKind) -> JSONValue? {
        guard case .enumeration(let enumeration) = kind else { return nil }
        return switch enumeration.unknown {
        case .fail: nil
        case .keep: "keep"
        case .fallback(let raw): ["fallback": raw.json]
        }
    }

    mutating func writeTransformers(of property: PropertySchema) -> JSONValue? {
        if !property.hasInlineTransformer { return Self.oneOrList(property.transformers.map(\.description)) }
        problems.report("has a transformer without a name, which is Swift code", fix: "register it and use its name")
        return nil
    }

    mutating func writeLimit(of name: String, in property: PropertySchema) -> JSONValue? {
        let limits = property.rules.filter { $0.name == name }.map(\.limit)
        if limits.count > 1 { problems.reportRepetition(of: "the rule \(name)") }
        return limits.last
    }

    mutating func writeDefault(of property: PropertySchema) -> JSONValue? {
        do throws(ModelError) {
            return try DefaultValueText(
                schema: problems.schema ?? "", key: problems.property ?? "", transformers: registry.transformers
            ).json(of: property)
        } catch {
            problems.report("has a default value that cannot be written: \(error)", fix: "give it as .default(json:)")
            return nil
        }
    }

    /// Writes a mapping; nil for a property under its own key, which documents omit.
    static func write(_ mapping: PropertySchema.JSONMapping) -> JSONValue? {
        switch mapping {
        case .ownKey: nil
        case .path(let path): write(path)
        case .firstOf(let paths): ["firstOf": list(paths)]
        case .allOf(let paths): ["allOf": list(paths)]
        case .none: .null
        }
    }

    /// A path with an empty name is written as a list of names.
    private static func write(_ path: String) -> JSONValue {
        let names = JSONKeyPath.members(in: path).flatMap { $0.contains("") ? $0 : nil }
        return names.map { list($0) } ?? .string(path)
    }

    mutating func write(_ policy: MergePolicy?) -> JSONValue? {
        guard let policy else { return nil }
        if policy == MergePolicy(policy.name) { return .string(policy.name) }
        return .object(object(of: policy, SchemaVocabulary.mergePolicy))
    }
}
