import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Reads rules about several properties, in the forms in which contracts are written.
extension ContractReader {
    /// Reads the conditions and choices of an object; others are losses.
    mutating func readRules(_ facets: ContractFacets, _ model: inout Model) {
        for condition in facets.conditions {
            if let rule = rule(condition.schema, model) {
                model.schema.rules.append(rule)
            } else {
                lose(condition.offset, "if", "cannot be checked")
            }
        }
        for union in facets.unions {
            let keys = union.alternatives.compactMap { presentKey($0, model) }
            if union.keyword == "oneOf", keys.count == union.alternatives.count, keys.count > 1,
                Set(keys.map { UTF8Key($0) }).count == keys.count
            {
                model.schema.rules.append(.exactlyOneOf(keys))
            } else {
                lose(union.offset, union.keyword, "cannot be checked")
            }
        }
    }

    /// Reads `if` and `then`: a property has a value if others have certain ones.
    private func rule(_ schema: LocatedJSON, _ model: Model) -> ModelSchema.Rule? {
        guard schema["else"] == nil, let condition = schema["if"], let consequence = schema["then"] else { return nil }
        var values: [String: JSONValue] = [:]
        var keys: [String] = []
        for part in parts(of: condition) {
            guard let (key, value) = constant(part, model), values.updateValue(value, forKey: key) == nil else {
                return nil
            }
        }
        for part in parts(of: consequence) {
            guard let key = presentKey(part, model) else { return nil }
            keys.append(key)
        }
        return .required(keys, when: values)
    }

    private func parts(of schema: LocatedJSON) -> [LocatedJSON] {
        guard let parts = schema.only("allOf")?.elements, !parts.isEmpty else { return [schema] }
        return parts
    }

    /// Reads `{"required": [KEY], "properties": {KEY: {"const": VALUE}}}`.
    private func constant(_ schema: LocatedJSON, _ model: Model) -> (String, JSONValue)? {
        guard let (key, described) = single(schema), let constant = described?.only("const"),
            let value = model.values[UTF8Key(key)],
            // An absent member would be the value, and the condition says that it is there.
            value.property.defaultValue != .json(constant.value)
        else { return nil }
        switch (value.property.kind, constant.content) {
        case (.bool, .bool), (.integer, .number), (.unsigned, .number), (.string, .string), (.enumeration, .string),
            (.enumeration, .number):
            return (key, constant.value)
        default: return nil
        }
    }

    /// Reads `{"required": [KEY], "properties": {KEY: {"not": {"type": "null"}}}}`.
    private func presentKey(_ schema: LocatedJSON, _ model: Model) -> String? {
        guard let (key, described) = single(schema), let value = model.values[UTF8Key(key)],
            value.property.defaultValue == nil
        else { return nil }
        // Null is no value here.
        guard let described else { return value.acceptsNull ? nil : key }
        return described.only("not").map(Self.isNull) == true ? key : nil
    }

    /// Reads a schema about one member: its name, and what is said about it.
    private func single(_ schema: LocatedJSON) -> (key: String, described: LocatedJSON?)? {
        guard case .object(let members) = schema.content, members.count <= 2,
            let names = schema["required"]?.elements, names.count == 1, let key = names[0].text
        else { return nil }
        guard members.count == 2 else { return (key, nil) }
        return schema["properties"]?.only(key).map { (key, $0) }
    }
}
