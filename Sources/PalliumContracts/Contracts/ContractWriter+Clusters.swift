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
        // A registered cluster can be compiled.
        let cluster = try? clusters.cluster(of: layout)
        if let discriminator = cluster?.discriminator {
            let choices = discriminator.choices.map { ($0.tags, target($0.model, layout)) }
            let rest = discriminator.fallback.map { target($0, layout) }
            chosen =
                notation == .jsonSchema
                ? conditional(discriminator.path, choices, rest)
                : union(discriminator.path, choices, rest)
        } else if let rules = cluster?.rules {
            chosen = self.chosen(by: rules, layout)
        } else {
            chosen = union((descendants(of: layout).map { reference(to: $0) }) + [reference(to: layout, .own)])
        }
        if notation == .jsonSchema { result["type"] = "object" }
        for (name, value) in chosen { result[name] = value }
        return result
    }

    /// The model that a cluster chooses, by the tags that choose it.
    private typealias Choice = (tags: [JSONValue], model: JSONObject)

    private mutating func target(_ model: ModelLayout, _ layout: ModelLayout) -> JSONObject {
        reference(to: model, model === layout ? .own : .chosen)
    }

    /// Describes a choice by conditions, one for each model.
    private func conditional(_ path: JSONKeyPath, _ choices: [Choice], _ rest: JSONObject?) -> JSONObject {
        guard ContractMembers.canDescribe(path) else {
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
    private func union(_ path: JSONKeyPath, _ choices: [Choice], _ rest: JSONObject?) -> JSONObject {
        // A language model would use the default for everything.
        if notation == .strict { return union(choices.map(\.model)) }
        var known = union(choices.map(\.model))
        if let members = path.members, members.count == 1 {
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

    private mutating func chosen(by cluster: ClusterRules, _ layout: ModelLayout) -> JSONObject {
        let rest = cluster.fallback.map { target($0, layout) }
        let models = cluster.rules.map { target($0.model, layout) }
        guard notation == .jsonSchema, models.count <= Self.maximumRules else {
            return union(models + (rest.map { [$0] } ?? []))
        }
        var result: JSONObject = rest ?? ["not": [:]]
        for (rule, model) in zip(cluster.rules, models).reversed() {
            let conditions = rule.conditions.compactMap(Self.describe)
            // A condition that cannot be described leaves the rest open.
            guard conditions.count == rule.conditions.count else { return union(models + (rest.map { [$0] } ?? [])) }
            result = [
                "if": .object(ContractMembers.all(conditions)), "then": .object(model), "else": .object(result),
            ]
        }
        return result
    }

    private static func describe(_ condition: ClusterRules.Condition) -> JSONObject? {
        switch condition.condition {
        case .present: PathCondition.value(at: condition.path, [:])
        case .equals(_, let value): PathCondition.value(at: condition.path, ["const": value])
        case .kind(_, .bool): PathCondition.value(at: condition.path, ["type": "boolean"])
        case .kind(_, let kind): PathCondition.value(at: condition.path, ["type": .string(kind.rawValue)])
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
    func limitDiscriminators(of layout: ModelLayout, in members: ContractMembers) {
        var count = 0
        for owner in layout.lineage {
            guard let discriminator = try? clusters.discriminator(of: owner), discriminator.path.members != nil,
                ContractMembers.canDescribe(discriminator.path)
            else { continue }
            count += 1
            // The tags that choose exactly this schema, and those that choose it or an ancestor.
            let exact = Array(discriminator.tags(of: layout))
            // One more than are listed, since an ancestor may have very many.
            let own = Array(
                layout.lineage.lazy.flatMap { discriminator.tags(of: $0) }.prefix(DiscriminatorLimit.maximumTags + 1))
            let limit: DiscriminatorLimit
            if notation != .jsonSchema, !exact.isEmpty {
                limit = DiscriminatorLimit(tags: .only(exact), isRequired: true)
            } else if let fallback = discriminator.fallback, layout.isDescendant(of: fallback) {
                guard discriminator.tags.count <= DiscriminatorLimit.maximumTags else { continue }
                let others = discriminator.tags.filter { !own.contains($0) }
                limit = DiscriminatorLimit(tags: .allBut(others), isRequired: false)
            } else {
                guard own.count <= DiscriminatorLimit.maximumTags else { continue }
                limit = DiscriminatorLimit(
                    tags: .only(own), isRequired: !exact.isEmpty && count == 1 && direction == .output)
            }
            members.add(limit, at: discriminator.path)
        }
    }
}
