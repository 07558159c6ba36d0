import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Reads rules about several properties, in the forms in which contracts are written.
extension ContractReader {
    /// Reads a part of `allOf` that is a condition or `oneOf`.
    mutating func readRule(_ element: LocatedJSON, _ model: inout Model) {
        guard let keywords = keywords(of: element) else { return }
        if keywords["if"] != nil {
            guard refuseOthers(than: ["if", "then"], in: keywords, "with if"), let condition = keywords["if"],
                let consequence = keywords["then"]
            else { return report(keywords.offset, "if: there is no then beside it") }
            var values: [String: JSONValue] = [:]
            var keys: [String] = []
            for part in parts(of: condition) {
                guard let (key, value) = constant(part, model) else { return }
                guard values.updateValue(value, forKey: key) == nil else {
                    return report(part.offset, "if: names \(ModelError.quote(key)) twice")
                }
            }
            for part in parts(of: consequence) {
                guard let key = presentKey(part, model) else { return }
                keys.append(key)
            }
            model.schema.rules.append(.required(keys, when: values))
            return
        }
        guard refuseOthers(than: ["oneOf"], in: keywords, "in allOf"), let choices = keywords["oneOf"] else { return }
        guard case .array(let elements) = choices.content, elements.count > 1 else {
            return report(choices.offset, "oneOf: expected at least two schemas but found \(choices.summary)")
        }
        var keys: [String] = []
        for element in elements {
            guard let key = presentKey(element, model) else { return }
            keys.append(key)
        }
        model.schema.rules.append(.exactlyOneOf(keys))
    }

    private func parts(of schema: LocatedJSON) -> [LocatedJSON] {
        guard let parts = schema.only("allOf")?.elements, !parts.isEmpty else { return [schema] }
        return parts
    }

    /// Reads `{"required": [KEY], "properties": {KEY: {"const": VALUE}}}`.
    private mutating func constant(_ schema: LocatedJSON, _ model: Model) -> (String, JSONValue)? {
        if let (key, described) = single(schema), let constant = described?.only("const"),
            let value = model.values[UTF8Key(key)],
            // An absent member would be the value, and the condition says that it is there.
            value.property.defaultValue != .json(constant.value)
        {
            switch (value.property.kind, constant.content) {
            case (.bool, .bool), (.integer, .number), (.unsigned, .number), (.string, .string), (.enumeration, .string),
                (.enumeration, .number):
                return (key, constant.value)
            default: break
            }
        }
        report(
            schema.offset, "if: a condition compares a property with a value of its type, which is not its default",
            fix: "write {\"required\": [KEY], \"properties\": {KEY: {\"const\": VALUE}}}")
        return nil
    }

    /// Reads `{"required": [KEY], "properties": {KEY: {"not": {"type": "null"}}}}`.
    private mutating func presentKey(_ schema: LocatedJSON, _ model: Model) -> String? {
        if let (key, described) = single(schema), let value = model.values[UTF8Key(key)],
            value.property.defaultValue == nil
        {
            guard let described else {
                if !value.acceptsNull { return key }
                report(
                    schema.offset, "\(ModelError.quote(key)) may be null, and null is no value here",
                    fix: "add \"properties\": {KEY: {\"not\": {\"type\": \"null\"}}}")
                return nil
            }
            if let other = described.only("not"), Self.isNull(other) { return key }
        }
        report(
            schema.offset, "expected that a property without a default is there and not null",
            fix: "write {\"required\": [KEY], \"properties\": {KEY: {\"not\": {\"type\": \"null\"}}}}")
        return nil
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
