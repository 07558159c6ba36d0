import PalliumCore
import PalliumJSON

/// Writes properties, their kinds and their mapping.
extension SchemaWriter {
    /// Writes a property; `level` is the nesting of element types.
    mutating func write(_ property: PropertySchema, level: Int) -> JSONValue {
        var object = JSONObject()
        writeKind(property.kind, level: level, to: &object)
        if property.isRequired { object["required"] = true }
        if let nullability = property.nullability { object["nullable"] = .bool(nullability == .allowed) }
        if property.isWeak { object["weak"] = true }
        if property.isSensitive { object["labels"] = Self.list(property.labels) }
        switch property.access {
        case .readWrite: break
        case .readOnly: object["readOnly"] = true
        case .writeOnly: object["writeOnly"] = true
        }
        object["only"] = property.only.map { .string($0.rawValue) }
        object["default"] = writeDefault(of: property)
        if property.json != .ownKey { object["json"] = write(property.json) }
        if property.hasInlineTransformer {
            report("has a transformer without a name, which is Swift code", fix: "register it and use its name")
        } else {
            object["transformer"] = Self.oneOrList(property.transformers.map(\.description))
        }
        object["nil"] = property.nilPolicy.map { .string($0.rawValue) }
        if property.storage != .permanent { object["storage"] = .string(property.storage.rawValue) }
        object["archive"] = property.archive.map { .string($0.rawValue) }
        object["index"] = property.index.map { .string($0.rawValue) }
        object["inverse"] = property.inverse.map { .string($0) }
        object["merge"] = property.merge.map { Self.write($0) }
        for rule in property.rules where object.updateValue(rule.limit, forKey: rule.name) != nil {
            report("the rule \(rule.name) occurs twice", fix: "keep one")
        }
        object["messages"] = Self.object(property.messages) { .string($0) }
        if !property.documentation.isEmpty { object["doc"] = .string(property.documentation) }
        if !property.validators.isEmpty {
            report("has a validator, which is Swift code", fix: "keep the schema in code, or move it into the class")
        }
        if property.storedValueHook != nil {
            report("has an unarchived hook, which is Swift code", fix: "keep the schema in code, or write an upgrade")
        }
        return .object(object)
    }

    private mutating func writeKind(_ kind: PropertyKind, level: Int, to object: inout JSONObject) {
        object["kind"] = .string(kind.name)
        switch kind {
        case .array(let element), .set(let element), .dictionary(let element):
            if level < Self.maximumElementLevels {
                object["of"] = write(element, level: level + 1)
            } else {
                report("has more than \(Self.maximumElementLevels.counted("level")) of elements")
            }
        case .model(let reference): object["model"] = name(of: reference)
        case .enumeration(let enumeration): writeEnumeration(enumeration, to: &object)
        case .custom(let custom):
            if registry.customKind(named: custom.name) != custom {
                report(
                    "has the custom kind \(ModelError.quote(custom.name)), which is not registered",
                    fix: "register it, and before the document is loaded as well")
            }
        default: break
        }
    }

    private mutating func writeEnumeration(_ enumeration: EnumerationSchema, to object: inout JSONObject) {
        if enumeration.cases.allSatisfy(\.aliases.isEmpty) {
            object["cases"] = .array(enumeration.cases.map(\.rawValue.json))
        } else {
            // The name of a case is the text that it is written as.
            var cases = JSONObject()
            for item in enumeration.cases {
                let texts = ([item.rawValue] + item.aliases).map(\.json)
                if texts.contains(where: { $0.stringValue == nil }) {
                    report("has numbers as cases with several spellings", fix: "only texts can have them in a document")
                } else if cases.updateValue(.array(texts), forKey: item.rawValue.description) != nil {
                    report("the case \(ModelError.quote(item.rawValue.description)) occurs twice", fix: "keep one")
                }
            }
            object["cases"] = .object(cases)
        }
        switch enumeration.unknown {
        case .fail: break
        case .keep: object["unknown"] = "keep"
        case .fallback(let raw): object["unknown"] = ["fallback": raw.json]
        }
    }

    private mutating func writeDefault(of property: PropertySchema) -> JSONValue? {
        do throws(ModelError) {
            return try DefaultValueText(
                schema: schemaName, key: propertyKey ?? "", transformers: registry.transformers
            ).json(of: property)
        } catch {
            report("has a default value that cannot be written: \(error)", fix: "give it as .default(json:)")
            return nil
        }
    }

    /// Writes a mapping; nil for a property under its own key, which documents omit.
    mutating func write(_ mapping: PropertySchema.JSONMapping) -> JSONValue? {
        switch mapping {
        case .ownKey: nil
        case .path(let path): Self.write(path)
        case .firstOf(let paths): ["firstOf": Self.list(paths)]
        case .allOf(let paths): ["allOf": Self.list(paths)]
        case .none: .null
        }
    }

    /// A path with an empty name is written as a list of names.
    private static func write(_ path: String) -> JSONValue {
        let names = JSONKeyPath.members(in: path).flatMap { $0.contains("") ? $0 : nil }
        return names.map { list($0) } ?? .string(path)
    }

    private static func write(_ policy: MergePolicy) -> JSONValue {
        if policy == MergePolicy(policy.name) { return .string(policy.name) }
        var object: JSONObject = ["policy": .string(policy.name)]
        object["by"] = policy.by.map { .string($0) }
        object["missing"] = policy.missing.map { .string($0.rawValue) }
        object["identifiers"] = policy.identifiers.map { .string($0.rawValue) }
        return .object(object)
    }
}
