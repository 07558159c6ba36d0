import PalliumCore
import PalliumJSON

/// Writes rules about several properties, clusters, alternative mappings, and steps between versions. Members without an order are sorted by the bytes
/// of their names, so that a schema always makes the same document.
extension SchemaWriter {
    static func write(_ rules: [ModelSchema.Rule], _ messages: [ModelSchema.Rule: String]) -> JSONValue? {
        rules.isEmpty ? nil : .array(rules.map { write($0, message: messages[$0]) })
    }

    private static func write(_ rule: ModelSchema.Rule, message: String?) -> JSONValue {
        var object = JSONObject()
        switch rule {
        case .required(let keys, let conditions):
            object["required"] = list(keys)
            object["when"] = self.object(conditions) { $0 } ?? [:]
        case .exactlyOneOf(let keys): object["exactlyOneOf"] = list(keys)
        case .before(let first, let second): object["before"] = list([first, second])
        case .notAfter(let first, let second): object["notAfter"] = list([first, second])
        }
        object["message"] = message.map { .string($0) }
        return .object(object)
    }

    mutating func write(_ cluster: ModelCluster, isOpen: Bool) -> JSONValue? {
        var object = JSONObject()
        switch cluster {
        case .discriminator(let path, let entries, let fallback):
            object["discriminator"] = .string(path)
            var visited: Set<JSONValue> = []
            for entry in entries where !visited.insert(entry.tag).inserted {
                problems.report("the cluster lists \(entry.tag.summary) twice", fix: "keep one")
            }
            let models = entries.map { (key: $0.tag.tagText, value: name(of: $0.model)) }
            object["models"] =
                entries.allSatisfy { $0.tag.kind == .string }
                ? .object(JSONObject(models))
                : .array(zip(entries, models).map { ["tag": $0.tag, "model": $1.value] })
            object["default"] = fallback.map { name(of: $0) }
        case .rules(let rules, let fallback):
            object["rules"] = .array(rules.map { write($0) })
            object["default"] = fallback.map { name(of: $0) }
        case .resolver:
            problems.report("has a cluster that is resolved by Swift code", fix: "use a discriminator or rules")
            return nil
        }
        if isOpen { object["open"] = true }
        return .object(object)
    }

    private mutating func write(_ rule: ModelCluster.Rule) -> JSONValue {
        var object = JSONObject()
        if rule.conditions.count != 1 {
            problems.report(
                "has a cluster rule with \(rule.conditions.count.counted("condition"))",
                fix: "a rule in a document has one")
        }
        switch rule.conditions.first {
        case .present(let path): object["present"] = .string(path)
        case .equals(let path, let value): object["equals"] = .object([path: value])
        case .kind(let path, let kind): object["kind"] = .object([path: .string(kind.rawValue)])
        case nil: break
        }
        object["model"] = name(of: rule.model)
        return .object(object)
    }

    mutating func write(_ profiles: [ModelSchema.Profile]) -> JSONValue? {
        var object = JSONObject()
        for profile in profiles {
            var mappings = JSONObject()
            for (key, mapping) in Self.sorted(profile.mappings) {
                mappings[key] = Self.write(mapping)
                if mappings.position(of: key) == nil {
                    problems.report(
                        "the profile \(ModelError.quote(profile.name)) maps \(key) to its own key",
                        fix: "name the key path")
                }
            }
            if object.updateValue(.object(mappings), forKey: profile.name) != nil {
                problems.reportRepetition(of: "the profile \(ModelError.quote(profile.name))")
            }
        }
        return object.isEmpty ? nil : .object(object)
    }

    mutating func write(_ steps: [SchemaUpgrade]) -> JSONValue? {
        steps.isEmpty ? nil : .array(steps.map { .object(object(of: $0, SchemaVocabulary.upgrade)) })
    }

    static func object<Value>(_ values: [String: Value], _ write: (Value) -> JSONValue) -> JSONValue? {
        values.isEmpty ? nil : .object(JSONObject(sorted(values).map { ($0.key, write($0.value)) }))
    }

    private static func sorted<Value>(_ values: [String: Value]) -> [(key: String, value: Value)] {
        values.sorted { UTF8Text.precedes($0.key, $1.key) }
    }
}
