import PalliumCore
import PalliumJSON

/// Reads clusters, which choose the schema of an object.
extension SchemaReader {
    /// Reads a cluster; nil also if a part of it is wrong, because the rest would only seem to be incomplete.
    mutating func readCluster(_ value: LocatedJSON, isOpen: inout Bool) -> ModelCluster? {
        let problemsBefore = problems.count
        let cluster = readClusterParts(value, &isOpen)
        return problems.count == problemsBefore ? cluster : nil
    }

    private mutating func readClusterParts(_ value: LocatedJSON, _ isOpen: inout Bool) -> ModelCluster? {
        let known = ["discriminator", "models", "rules", "default", "open"]
        guard let members = knownMembers(of: value, "a cluster", known) else { return nil }
        isOpen = members["open"].map { flag($0, "open") } ?? false
        let fallback = members["default"].flatMap { reference($0, "default") }
        switch (members["discriminator"], members["rules"]) {
        case (let discriminator?, nil):
            let path = text(discriminator, "discriminator", expected: "a key path")
            guard let models = members["models"] else {
                problems.report(
                    at: value.offset, "cluster: the discriminator has no models", fix: "add the member \"models\"")
                return nil
            }
            let entries = readModels(models)
            return path.map { .discriminator(path: $0, models: entries, default: fallback) }
        case (nil, let rules?):
            if let models = members["models"] {
                problems.report(at: models.offset, "models: rules name their models themselves", fix: "leave it out")
            }
            guard case .array(let elements) = rules.content else {
                mismatch(rules, "rules", "a list of rules")
                return nil
            }
            if elements.isEmpty {
                problems.report(at: rules.offset, "rules: the list is empty", fix: "leave it out")
                return nil
            }
            return .rules(elements.compactMap { readRule($0) }, default: fallback)
        default:
            problems.report(
                at: value.offset, "cluster: expected one of \"discriminator\" and \"rules\"", fix: "name one of them")
            return nil
        }
    }

    private mutating func readModels(_ value: LocatedJSON) -> [ModelCluster.Entry] {
        if case .array(let elements) = value.content {
            if elements.isEmpty { problems.report(at: value.offset, "models: the cluster lists no models") }
            return elements.compactMap { readEntry($0) }
        }
        let expected = "an object of schemas by text, or a list of tags and schemas,"
        guard let members = entries(of: value, "models", expected: expected) else { return [] }
        if members.isEmpty { problems.report(at: value.offset, "models: the cluster lists no models") }
        return members.compactMap { member in
            reference(member.value, "models").map { ModelCluster.Entry(.string(member.name), $0) }
        }
    }

    /// Reads a tag of any kind and its schema.
    private mutating func readEntry(_ value: LocatedJSON) -> ModelCluster.Entry? {
        guard let members = knownMembers(of: value, "an entry", ["tag", "model"]) else { return nil }
        guard let tag = members["tag"], let model = members["model"] else {
            let missing = members["tag"] == nil ? "tag" : "model"
            problems.report(
                at: value.offset, "models: the entry has no \(missing)", fix: "add the member \"\(missing)\"")
            return nil
        }
        if !tag.value.isTag { mismatch(tag, "tag", "a text, a number or a Boolean") }
        return reference(model, "model").map { ModelCluster.Entry(tag.value, $0) }
    }

    private mutating func readRule(_ value: LocatedJSON) -> ModelCluster.Rule? {
        guard let members = knownMembers(of: value, "a rule", ["present", "equals", "kind", "model"]) else {
            return nil
        }
        var conditions: [ModelCluster.Condition] = []
        let problemsBefore = problems.count
        if let path = members["present"].flatMap({ text($0, "present", expected: "a key path") }) {
            conditions.append(.present(path))
        }
        if let equals = members["equals"], let (path, value) = single(equals, "equals", "a value by its key path") {
            conditions.append(.equals(path, value.value))
        }
        if let kind = members["kind"], let (path, value) = single(kind, "kind", "a kind by its key path"),
            let kind = choice(value, "kind", ModelCluster.JSONKind.allCases)
        {
            conditions.append(.kind(path, kind))
        }
        if conditions.count != 1, problems.count == problemsBefore {
            problems.report(at: value.offset, "rules: a rule has one of \"present\", \"equals\" and \"kind\"")
        }
        guard let model = members["model"] else {
            problems.report(at: value.offset, "rules: the rule chooses no model", fix: "add the member \"model\"")
            return nil
        }
        return reference(model, "model").map { ModelCluster.Rule(conditions, $0) }
    }

    /// Reads the only member of an object.
    private mutating func single(
        _ value: LocatedJSON, _ member: String, _ expected: String
    ) -> (path: String, value: LocatedJSON)? {
        guard case .object(let members) = value.content, let first = members.first, members.count == 1 else {
            mismatch(value, member, "an object with one member, \(expected)")
            return nil
        }
        return (first.name, first.value)
    }
}
