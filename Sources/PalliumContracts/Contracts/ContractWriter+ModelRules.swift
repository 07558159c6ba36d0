import PalliumCore
import PalliumJSON

/// Describes the rules about several properties.
extension ContractWriter {
    /// Returns a description that objects have exactly if they keep a rule; nil if the notation has none.
    func condition(for rule: ModelSchema.Rule, of shape: DocumentShape) -> JSONObject? {
        guard notation == .jsonSchema else { return nil }
        switch rule {
        case .required(let keys, let values):
            var conditions: [JSONObject] = []
            for (key, value) in values.sorted(by: { UTF8Text.precedes($0.key, $1.key) }) {
                guard let property = shape[key], let condition = condition(for: property, toBe: value) else {
                    return nil
                }
                conditions.append(condition)
            }
            var required: [JSONObject] = []
            for key in keys {
                guard let property = shape[key], let condition = hasValue(property) else { return nil }
                required.append(condition)
            }
            return [
                "if": .object(ContractMembers.all(conditions)), "then": .object(ContractMembers.all(required)),
            ]
        case .exactlyOneOf(let keys):
            var choices: [JSONValue] = []
            for key in keys {
                guard let property = shape[key], let condition = hasValue(property) else { return nil }
                choices.append(.object(condition))
            }
            return ["oneOf": .array(choices)]
        case .before, .notAfter: return nil
        }
    }

    /// Describes the objects in which a property has a value, by its default or because it is not null; nil if that
    /// cannot be said.
    private func hasValue(_ property: DocumentShape.Property) -> JSONObject? {
        // A transformer may convert to null.
        guard property.schema.transformers.isEmpty, property.combination != .allOf else { return nil }
        if direction == .output, !isMapped(property) { return nil }
        let hasDefault = property.schema.defaultValue != nil
        if hasDefault, !property.schema.isNullableByDeclaration { return [:] }
        guard isMapped(property) else { return hasDefault ? [:] : ["not": [:]] }
        var earlier: [JSONObject] = []
        var choices: [JSONObject] = []
        for path in property.paths {
            guard let isNotNull = PathCondition.isNotNull(path), let isPresent = PathCondition.isPresent(path),
                choices.count < ContractMembers.maximumSteps
            else { return nil }
            choices.append(ContractMembers.all(earlier + [isNotNull]))
            earlier.append(PathCondition.not(isPresent))
        }
        if hasDefault { choices.append(ContractMembers.all(earlier)) }
        return PathCondition.any(choices)
    }

    /// Describes the objects in which a property has a value that a rule names; nil if that cannot be said.
    private func condition(for property: DocumentShape.Property, toBe value: JSONValue) -> JSONObject? {
        guard let hasValue = hasValue(property) else { return nil }
        if value.isNull { return PathCondition.not(hasValue) }
        guard property.paths.count == 1, isMapped(property), let same = Self.spellings(of: value, for: property.schema)
        else { return nil }
        guard let isThere = PathCondition.value(at: property.paths[0], same) else { return nil }
        guard let standard = property.schema.defaultValue else { return isThere }
        // Absent and null stand for the default, which may be the value.
        guard case .json(let json) = standard, !property.schema.isNullableByDeclaration,
            let isNotNull = PathCondition.isNotNull(property.paths[0])
        else { return nil }
        return json == value ? PathCondition.any([isThere, PathCondition.not(isNotNull)]) : isThere
    }

    /// Describes all JSON that is read as one value; nil for kinds in which a value has several spellings.
    private static func spellings(of value: JSONValue, for property: PropertySchema) -> JSONObject? {
        switch property.kind {
        case .bool, .integer, .unsigned, .string: return ["const": value]
        case .enumeration(let enumeration):
            func spellings(_ item: EnumerationSchema.Case) -> [JSONValue] {
                ([item.rawValue] + item.aliases).map(\.json)
            }
            guard let named = enumeration.cases.first(where: { spellings($0).contains(value) }) else {
                return ["const": value]
            }
            if case .fallback(let raw) = enumeration.unknown, raw == named.rawValue {
                let others = enumeration.cases.filter { $0.rawValue != raw }.flatMap(spellings)
                return ["type": ["string", "integer"], "not": ["enum": .array(others)]]
            }
            let values = spellings(named)
            return values.count == 1 ? ["const": values[0]] : ["enum": .array(values)]
        default: return nil
        }
    }
}

extension ModelSchema.Rule {
    /// The rule in words.
    var sentence: String { sentence { _ in false } }

    /// Returns the rule in words, without the values of secret properties.
    func sentence(isSensitive: (String) -> Bool) -> String {
        func listed(_ keys: [String]) -> String { keys.joined(separator: ", ") }
        return switch self {
        case .required(let keys, let values):
            "When "
                + values.sorted { UTF8Text.precedes($0.key, $1.key) }.map {
                    "\($0.key) is \(isSensitive($0.key) ? MaskedValue.found : $0.value.description)"
                }
                .joined(separator: " and ") + ", these have a value: \(listed(keys))."
        case .exactlyOneOf(let keys): "Exactly one of these has a value: \(listed(keys))."
        case .before(let first, let second): "\(first) is before \(second)."
        case .notAfter(let first, let second): "\(first) is not after \(second)."
        }
    }
}
