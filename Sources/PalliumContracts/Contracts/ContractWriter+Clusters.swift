import PalliumCore
import PalliumJSON

/// Describes the choices of clusters.
extension ContractWriter {
    /// How many rules of a cluster are described, since each is nested in the one before.
    private static let maximumRules = 100

    /// Describes the objects of a schema with a cluster, of which each is described by the model that it is read as.
    mutating func choice(of layout: ModelLayout) -> JSONObject {
        var result = heading(of: layout)
        let chosen: JSONObject
        switch layout.cluster(in: registry) {
        case .discriminator(let path, let entries, let fallback):
            let choices = discriminated(entries, layout)
            let rest = fallback.flatMap { target($0, layout) }
            chosen =
                notation == .jsonSchema
                ? conditional(path, choices, rest)
                : union(path, choices, rest)
        case .rules(let rules, let fallback):
            chosen = self.chosen(by: rules, fallback, layout)
        case .resolver, nil:
            chosen = union((descendants(of: layout).map { reference(to: $0) }) + [reference(to: layout, .own)])
        }
        if notation == .jsonSchema { result["type"] = "object" }
        for (name, value) in chosen { result[name] = value }
        return result
    }

    /// The model that a cluster chooses, by the tags that choose it.
    private typealias Choice = (tags: [JSONValue], model: JSONObject)

    private mutating func discriminated(_ entries: [ModelCluster.Entry], _ layout: ModelLayout) -> [Choice] {
        var choices: [Choice] = []
        var positions: [ObjectIdentifier: Int] = [:]
        for entry in entries {
            guard let model = try? registry.layout(entry.model) else { continue }
            if let position = positions[ObjectIdentifier(model)] {
                choices[position].tags.append(entry.tag)
            } else {
                positions[ObjectIdentifier(model)] = choices.count
                choices.append(([entry.tag], reference(to: model, model === layout ? .own : .chosen)))
            }
        }
        return choices
    }

    private mutating func target(_ reference: ModelReference, _ layout: ModelLayout) -> JSONObject? {
        guard let model = try? registry.layout(reference) else { return nil }
        return self.reference(to: model, model === layout ? .own : .chosen)
    }

    /// Describes a choice by conditions, one for each model.
    private func conditional(_ text: String, _ choices: [Choice], _ rest: JSONObject?) -> JSONObject {
        guard let path = try? JSONKeyPath(text), ContractMembers.canDescribe(path) else {
            return union(choices.map(\.model) + (rest.map { [$0] } ?? []))
        }
        func isOne(of tags: [JSONValue]) -> JSONObject {
            let value: JSONObject = tags.count == 1 ? ["const": tags[0]] : ["enum": .array(tags)]
            // The path was found to be short enough.
            return PathCondition.value(at: path, value) ?? [:]
        }
        var conditions: [JSONValue] = choices.map {
            ["if": .object(isOne(of: $0.tags)), "then": .object($0.model)]
        }
        let isListed = isOne(of: choices.flatMap(\.tags))
        guard let rest else {
            var result = isListed
            result["allOf"] = .array(conditions)
            return result
        }
        conditions.append(["if": .object(isListed), "else": .object(rest)])
        // Other types are refused, even if there is a default.
        if let isThere = PathCondition.value(at: path, [:]),
            let isTag = PathCondition.value(at: path, ["type": ["string", "number", "boolean", "null"]])
        {
            conditions.append(["anyOf": [.object(PathCondition.not(isThere)), .object(isTag)]])
        }
        return ["allOf": .array(conditions)]
    }

    /// Describes a choice for generators, which know discriminators that are members, and for language models.
    private func union(_ text: String, _ choices: [Choice], _ rest: JSONObject?) -> JSONObject {
        // A language model would use the default for everything.
        if notation == .strict { return union(choices.map(\.model)) }
        var known = union(choices.map(\.model))
        if let members = (try? JSONKeyPath(text))?.members, members.count == 1 {
            var mapping = JSONObject()
            for choice in choices {
                for tag in choice.tags { mapping[tag.tagText] = choice.model["$ref"] }
            }
            known = [
                "oneOf": .array(choices.map { .object($0.model) }),
                "discriminator": ["propertyName": .string(members[0]), "mapping": .object(mapping)],
            ]
        }
        guard let rest, !choices.contains(where: { $0.model == rest }) else { return known }
        return ["anyOf": [.object(known), .object(rest)]]
    }

    private func union(_ models: [JSONObject]) -> JSONObject {
        var different: [JSONValue] = []
        var visited: Set<JSONValue> = []
        for model in models where visited.insert(.object(model)).inserted { different.append(.object(model)) }
        return ["anyOf": .array(different)]
    }

    private mutating func chosen(
        by rules: [ModelCluster.Rule], _ fallback: ModelReference?, _ layout: ModelLayout
    ) -> JSONObject {
        let rest = fallback.flatMap { target($0, layout) }
        let models = rules.compactMap { target($0.model, layout) }
        guard notation == .jsonSchema, models.count == rules.count, rules.count <= Self.maximumRules else {
            return union(models + (rest.map { [$0] } ?? []))
        }
        var result: JSONObject = rest ?? ["not": [:]]
        for (rule, model) in zip(rules, models).reversed() {
            let conditions = rule.conditions.compactMap(Self.describe)
            // A condition that cannot be described leaves the rest open.
            guard conditions.count == rule.conditions.count else { return union(models + (rest.map { [$0] } ?? [])) }
            result = [
                "if": .object(ContractMembers.all(conditions)), "then": .object(model), "else": .object(result),
            ]
        }
        return result
    }

    private static func describe(_ condition: ModelCluster.Condition) -> JSONObject? {
        guard let path = try? JSONKeyPath(condition.path) else { return nil }
        return switch condition {
        case .present: PathCondition.value(at: path, [:])
        case .equals(_, let value): PathCondition.value(at: path, ["const": value])
        case .kind(_, .bool): PathCondition.value(at: path, ["type": "boolean"])
        case .kind(_, let kind): PathCondition.value(at: path, ["type": .string(kind.rawValue)])
        }
    }

    private func descendants(of layout: ModelLayout) -> [ModelLayout] {
        registry.descendants(of: layout).sorted { UTF8Text.precedes($0.schema.name, $1.schema.name) }
    }

    // MARK: The chosen models

    /// Adds the tags by which the clusters of a layout and its ancestors know it.
    ///
    /// An adapter for a chosen model refuses a document that the cluster would read as another one. The discriminator may
    /// be absent there. It is always written.
    mutating func limitDiscriminators(of layout: ModelLayout, in members: ContractMembers) {
        var count = 0
        for owner in layout.lineage {
            guard let discriminator = discriminator(of: owner) else { continue }
            count += 1
            // The tags that choose exactly this schema, and those that choose it or an ancestor.
            let exact = discriminator.tagsByModel[ObjectIdentifier(layout)] ?? []
            let own = layout.lineage.compactMap { discriminator.tagsByModel[ObjectIdentifier($0)] }
            let limit: DiscriminatorLimit
            if notation != .jsonSchema, !exact.isEmpty {
                limit = DiscriminatorLimit(tags: .only(exact), isRequired: true)
            } else if let fallback = discriminator.fallback, layout.isDescendant(of: fallback) {
                guard discriminator.tags.count <= DiscriminatorLimit.maximumTags else { continue }
                let others = discriminator.tags.filter { tag in !own.contains { $0.contains(tag) } }
                limit = DiscriminatorLimit(tags: .allBut(others), isRequired: false)
            } else {
                guard own.reduce(0, { $0 + $1.count }) <= DiscriminatorLimit.maximumTags else { continue }
                limit = DiscriminatorLimit(
                    tags: .only(own.flatMap { $0 }), isRequired: !exact.isEmpty && count == 1 && direction == .output)
            }
            members.add(limit, at: discriminator.path)
        }
    }

    /// Returns the discriminator of a layout's own cluster; nil if it has none that is a member.
    private mutating func discriminator(of owner: ModelLayout) -> Discriminator? {
        if let known = discriminators[ObjectIdentifier(owner)] { return known }
        guard case .discriminator(let text, let entries, let fallback) = owner.cluster(in: registry),
            let path = try? JSONKeyPath(text), path.members != nil, ContractMembers.canDescribe(path)
        else { return nil }
        var result = Discriminator(path: path, fallback: fallback.flatMap { try? registry.layout($0) })
        for entry in entries {
            guard let model = try? registry.layout(entry.model) else { continue }
            result.tagsByModel[ObjectIdentifier(model), default: []].append(entry.tag)
            result.tags.append(entry.tag)
        }
        discriminators[ObjectIdentifier(owner)] = result
        return result
    }
}
