import PalliumCore
import PalliumJSON

/// Finds clusters that choose schemas in a way that is probably not meant.
enum ClusterWarnings {
    typealias Message = (text: String, fix: String)

    /// The rules of a cluster that are compared with one another, which takes quadratic time.
    static let comparedRules = 200

    static func messages(about schema: ModelSchema) -> [Message] {
        switch schema.cluster {
        case .discriminator(let path, _, nil): [withoutDefault("whose \(path) is not listed")]
        case .rules(let rules, let fallback):
            overlaps(of: Array(rules.prefix(comparedRules)))
                + (fallback == nil ? [withoutDefault("that no rule matches")] : [])
        default: []
        }
    }

    private static func withoutDefault(_ objects: String) -> Message {
        (
            "the cluster has no default, so an object \(objects) is an error",
            "add the member \"default\", if new kinds of objects may come"
        )
    }

    /// Finds pairs of rules that can match the same object, of which the first then decides.
    private static func overlaps(of rules: [ModelCluster.Rule]) -> [Message] {
        var messages: [Message] = []
        for (index, rule) in rules.enumerated() {
            for (earlier, other) in rules[..<index].enumerated() where other.model != rule.model {
                guard let document = sharedDocument(other.conditions + rule.conditions) else { continue }
                messages.append(
                    (
                        "rules \(earlier + 1) and \(index + 1) of the cluster both match \(document)",
                        "put the rule first that should decide, or make it stricter"
                    ))
            }
        }
        return messages
    }

    /// Returns the text of a small document that meets all conditions; nil if there is none.
    private static func sharedDocument(_ conditions: [ModelCluster.Condition]) -> String? {
        var document = JSONValue.object([:])
        func isMet(_ condition: ModelCluster.Condition, at path: JSONKeyPath) -> Bool {
            if case .object(let object) = document { condition.holds(for: object, at: path) } else { false }
        }
        // The conditions that say most come first: a value, then a kind, then that there is one.
        for condition in conditions.sorted(by: { strength(of: $0) > strength(of: $1) }) {
            guard let path = try? JSONKeyPath(condition.path), !path.steps.isEmpty else { return nil }
            if isMet(condition, at: path) { continue }
            guard let changed = document.setting(example(of: condition), at: path.steps[...]) else { return nil }
            document = changed
        }
        // A later condition may have changed what an earlier one needs.
        guard
            conditions.allSatisfy({ condition in
                (try? JSONKeyPath(condition.path)).map { isMet(condition, at: $0) } ?? false
            })
        else { return nil }
        return (try? document.text()).map { ModelError.shorten($0, to: 200) }
    }

    private static func strength(of condition: ModelCluster.Condition) -> Int {
        switch condition {
        case .equals: 2
        case .kind: 1
        case .present: 0
        }
    }

    private static func example(of condition: ModelCluster.Condition) -> JSONValue {
        switch condition {
        case .present: true
        case .equals(_, let value): value
        case .kind(_, let kind):
            switch kind {
            case .null: nil
            case .bool: true
            case .number: 1
            case .string: ""
            case .array: []
            case .object: [:]
            }
        }
    }
}

extension JSONValue {
    /// Returns the value with another one at a path; nil if a value of another kind is in the way.
    ///
    /// Recursion is as deep as the path, which the length of a schema document bounds.
    fileprivate func setting(_ value: JSONValue, at steps: ArraySlice<JSONKeyPath.Step>) -> JSONValue? {
        guard let step = steps.first else { return value }
        let rest = steps.dropFirst()
        switch (step, self) {
        case (.member(let name), .object(var members)):
            let child = members[name] ?? Self.container(for: rest.first)
            guard let changed = child.setting(value, at: rest) else { return nil }
            members[name] = changed
            return .object(members)
        case (.element(let index), .array(var elements)):
            // A document with more elements is not small.
            guard index < 16 else { return nil }
            while elements.count <= index { elements.append(.null) }
            let child = elements[index] == .null ? Self.container(for: rest.first) : elements[index]
            guard let changed = child.setting(value, at: rest) else { return nil }
            elements[index] = changed
            return .array(elements)
        default: return nil
        }
    }

    /// An empty value into which a step can lead.
    private static func container(for step: JSONKeyPath.Step?) -> JSONValue {
        switch step {
        case .member: [:]
        case .element: []
        case nil: nil
        }
    }
}
