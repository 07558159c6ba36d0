import PalliumCore
import PalliumJSON

/// Finds clusters that choose schemas in a way that is probably not meant.
enum ClusterWarnings {
    /// The rules of a cluster that are compared with one another, which takes quadratic time.
    static let comparedRules = 200

    static func warnings(about schema: ModelSchema) -> [SchemaError.Problem] {
        switch schema.cluster {
        case .discriminator(let path, let models, let fallback):
            mixedKinds(of: models.map(\.tag))
                + (fallback == nil ? [withoutDefault("whose \(path) is not listed")] : [])
        case .rules(let rules, let fallback):
            overlaps(of: Array(rules.prefix(comparedRules)))
                + (fallback == nil ? [withoutDefault("that no rule matches")] : [])
        default: []
        }
    }

    private static func withoutDefault(_ objects: String) -> SchemaError.Problem {
        SchemaError.Problem(
            message: "the cluster has no default, so an object \(objects) is an error",
            fix: "add the member \"default\", if new kinds of objects may come", members: ["cluster"])
    }

    private static func mixedKinds(of tags: [JSONValue]) -> [SchemaError.Problem] {
        guard let first = tags.first, let other = tags.first(where: { $0.kind != first.kind }) else { return [] }
        return [
            SchemaError.Problem(
                message: "the cluster lists tags of several kinds, such as \(first.summary) and \(other.summary)",
                fix: "list all of one kind, if the documents have one", members: ["cluster", "models"])
        ]
    }

    /// Finds pairs of rules that can match the same object, of which the first then decides.
    private static func overlaps(of rules: [ModelCluster.Rule]) -> [SchemaError.Problem] {
        var messages: [SchemaError.Problem] = []
        for (index, rule) in rules.enumerated() {
            let wider = rules[..<index].firstIndex { other in
                other.conditions.allSatisfy { condition in rule.conditions.contains { implies($0, condition) } }
            }
            if let wider, rules[wider].model != rule.model {
                messages.append(
                    SchemaError.Problem(
                        message: "rule \(index + 1) of the cluster is never reached, as rule \(wider + 1) matches all "
                            + "that it matches", fix: "put it before that rule",
                        members: ["cluster", "rules", "\(index)"]))
                continue
            }
            for (earlier, other) in rules[..<index].enumerated() where other.model != rule.model {
                guard let document = sharedDocument(other.conditions + rule.conditions) else { continue }
                messages.append(
                    SchemaError.Problem(
                        message: "rules \(earlier + 1) and \(index + 1) of the cluster both match \(document)",
                        fix: "put the rule first that should decide, or make it stricter",
                        members: ["cluster", "rules", "\(index)"]))
            }
        }
        return messages
    }

    /// Whether an object that meets a condition certainly meets another one.
    private static func implies(_ condition: ModelCluster.Condition, _ other: ModelCluster.Condition) -> Bool {
        guard UTF8Text.equal(condition.path, other.path) else { return false }
        return switch (condition, other) {
        case (_, .present): true
        case (.equals(_, let value), .equals(_, let otherValue)): value == otherValue
        case (.equals(_, let value), .kind(_, let kind)): value.kind == kind
        case (.kind(_, let kind), .kind(_, let otherKind)): kind == otherKind
        default: false
        }
    }

    /// Returns the text of a small document that meets all conditions; nil if there is none.
    private static func sharedDocument(_ conditions: [ModelCluster.Condition]) -> String? {
        var document = JSONObject()
        // The conditions that say most come first: a value, then a kind, then that there is one.
        let ordered = conditions.sorted { strength(of: $0) > strength(of: $1) }.compactMap {
            try? ClusterRules.Condition($0)
        }
        for condition in ordered where !condition.holds(for: document) {
            document.place(condition.example, at: condition.path)
        }
        // A later condition may have changed what an earlier one needs.
        let isShared = ordered.count == conditions.count && ordered.allSatisfy { $0.holds(for: document) }
        guard isShared else { return nil }
        return (try? JSONValue.object(document).text()).map { ModelError.shorten($0, to: 200) }
    }

    private static func strength(of condition: ModelCluster.Condition) -> Int {
        switch condition {
        case .equals: 2
        case .kind: 1
        case .present: 0
        }
    }
}
