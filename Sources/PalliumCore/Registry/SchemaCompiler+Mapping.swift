import PalliumJSON

/// Checks the mapping to JSON, and clusters.
extension SchemaCompiler {
    /// Finds malformed key paths, and paths that cannot both be written. Checks the schema's own mapping and its
    /// profiles.
    mutating func checkMapping(of schema: ModelSchema) {
        let chain = lineage(of: schema)
        var properties = mappedProperties(of: chain)
        // Inherited properties were checked with their own schema. Here they only claim their paths.
        let isOwn = { (property: MappedProperty) in property.owner == chain.count - 1 }
        properties = properties.filter { !isOwn($0) } + properties.filter(isOwn)
        var paths = PathTree()
        for property in properties {
            if isOwn(property) {
                check(property.schema.json, property, of: schema, &paths)
            } else {
                property.claim(in: &paths)
            }
        }
        let profiles = ProfileMapping.all(of: chain)
        for profile in profiles {
            var paths = PathTree()
            for property in properties where profile.mappings[UTF8Key(property.key)] == nil {
                property.claim(in: &paths)
            }
            for property in properties {
                guard let mapping = profile.mappings[UTF8Key(property.key)] else { continue }
                check(mapping, property, of: schema, &paths, profile: profile.name)
            }
        }
        for property in properties where isOwn(property) { checkModifiers(of: schema, property, profiles: profiles) }
        var names: Set<UTF8Key> = []
        for profile in schema.profiles where !names.insert(UTF8Key(profile.name)).inserted {
            report(
                schema, nil, "has the profile \(ModelError.quote(profile.name)) twice", fix: "keep one",
                in: ["profiles"])
        }
        for text in schema.ignored {
            do { _ = try JSONKeyPath(text) } catch {
                report(schema, nil, "ignored: \(error.description)", in: ["ignored"])
            }
        }
    }

    /// Returns the properties of a line of schemas, root first. A redeclared property is returned as it was declared
    /// last.
    private func mappedProperties(of chain: [ModelSchema]) -> [MappedProperty] {
        var properties: [MappedProperty] = []
        var positions: [UTF8Key: Int] = [:]
        for (owner, schema) in chain.enumerated() {
            for property in schema.properties {
                let mapped = MappedProperty(
                    key: property.key, schema: property.schema, keys: schema.keys, owner: owner)
                if let position = positions[UTF8Key(property.key)] {
                    properties[position] = mapped
                } else {
                    positions[UTF8Key(property.key)] = properties.count
                    properties.append(mapped)
                }
            }
        }
        return properties.filter { !$0.key.isEmpty }
    }

    private mutating func check(
        _ mapping: PropertySchema.JSONMapping, _ property: MappedProperty, of schema: ModelSchema,
        _ paths: inout PathTree,
        profile: String? = nil
    ) {
        guard property.schema.storage != .notStored else { return }
        let key = property.key
        let prefix = profile.map { "profile \($0): " } ?? ""
        let field = profile.map { ["profiles", $0, key] } ?? ["json"]
        let resolved = property.resolved(mapping)
        var seen: Set<UTF8Key> = []
        for path in resolved.paths {
            let text = path.description
            guard seen.insert(UTF8Key(text)).inserted else {
                report(schema, key, "\(prefix)names the path \(text) twice", fix: "keep one", in: field)
                continue
            }
            guard property.schema.access != .readOnly,
                resolved.combination != .firstOf || UTF8Text.equal(resolved.texts[0], text)
            else { continue }
            guard let members = path.members else {
                report(
                    schema, key, "\(prefix)the key path \(text) steps into an array, which cannot be written",
                    fix: "make the property readOnly", in: field)
                continue
            }
            if let other = paths.insert(members, owner: key) {
                report(
                    schema, key, "\(prefix)would be written over \(other): both claim \(text)",
                    fix: "change a key path, or make one of them readOnly", in: field)
            }
        }
        for mistake in resolved.mistakes { report(schema, key, prefix + mistake.description, in: field) }
        switch mapping {
        case .firstOf(let paths) where paths.isEmpty, .allOf(let paths) where paths.isEmpty:
            report(schema, key, "\(prefix)maps to no path", fix: "name one", in: field)
        case .allOf where property.schema.transformers.isEmpty && !Self.takesParts(property.schema.kind):
            report(
                schema, key, "\(prefix)combines several paths, which needs a transformer from an object",
                fix: "add a transformer, or use firstOf to take one of them", in: field)
        default:
            if resolved.texts.isEmpty, property.schema.isRequired {
                let nothing = profile == nil ? "nothing in JSON maps it" : "the profile does not map it"
                report(
                    schema, key, "\(prefix)is required, but \(nothing)", fix: "map it, or make it nullable", in: field)
            }
        }
    }

    /// Whether a kind can combine the values of several paths without a transformer (conformance C156).
    private static func takesParts(_ kind: PropertyKind) -> Bool {
        switch kind {
        case .json, .dictionary, .model, .custom: true
        default: false
        }
    }

    /// Checks the references, texts and rules of a cluster.
    mutating func checkCluster(of schema: ModelSchema) {
        if schema.isOpen, schema.cluster?.references.isEmpty ?? true {
            report(
                schema, nil, "is open, but its cluster names no schemas that could be registered later",
                fix: "drop isOpen", in: ["cluster", "open"])
        }
        guard let cluster = schema.cluster else { return }
        for reference in cluster.references {
            guard let model = self.schema(reference) else {
                if schema.isOpen { continue }
                report(
                    schema, nil, "the cluster names \(reference), which is not registered",
                    fix: nearestSchema(to: reference) ?? "register it in the same call", in: ["cluster"])
                continue
            }
            if hasKnownAncestors(model), !lineage(of: model).contains(where: { UTF8Text.equal($0.name, schema.name) }) {
                report(
                    schema, nil, "the cluster names \(model.name), which does not descend from \(schema.name)",
                    fix: "let it extend \(schema.name)", in: ["cluster"])
            }
        }
        switch cluster {
        case .discriminator(let path, let models, _):
            checkPath(path, of: schema)
            var tags: [UTF8Key: JSONValue] = [:]
            for entry in models {
                let found = entry.tag.summary
                if !entry.tag.isTag {
                    report(
                        schema, nil, "the cluster lists \(found) as a discriminator",
                        fix: "list texts, numbers and Booleans", in: ["cluster", "models"])
                } else if let other = tags.updateValue(entry.tag, forKey: UTF8Key(entry.tag.tagText)) {
                    let pair = other == entry.tag ? "\(found) twice" : "both \(other.summary) and \(found)"
                    report(schema, nil, "the cluster lists \(pair)", fix: "keep one", in: ["cluster", "models"])
                }
            }
            if models.isEmpty { report(schema, nil, "the cluster lists no models", in: ["cluster", "models"]) }
        case .rules(let rules, _):
            let uses = Dictionary(rules.flatMap(\.conditions).map { ($0, 1) }, uniquingKeysWith: +)
            // Few rules share their rarest condition, so few are compared.
            var rulesByRarestCondition: [ModelCluster.Condition: [Int]] = [:]
            for (index, rule) in rules.enumerated() {
                if rule.conditions.isEmpty {
                    report(
                        schema, nil, "rule \(index + 1) of the cluster has no condition",
                        in: ["cluster", "rules", "\(index)"])
                }
                for condition in rule.conditions { checkPath(condition.path, of: schema) }
                // A rule never matches if its conditions include all those of an earlier rule.
                let conditions = Set(rule.conditions)
                let candidates = conditions.flatMap { rulesByRarestCondition[$0] ?? [] }
                if let earlier = candidates.filter({ conditions.isSuperset(of: rules[$0].conditions) }).min() {
                    report(
                        schema, nil,
                        "rule \(index + 1) of the cluster can never match: rule \(earlier + 1) matches first",
                        fix: "put the stricter rule first", in: ["cluster", "rules", "\(index)"])
                } else if let rarest = conditions.min(by: { uses[$0, default: 0] < uses[$1, default: 0] }) {
                    rulesByRarestCondition[rarest, default: []].append(index)
                }
                if rule.contradicts {
                    report(
                        schema, nil, "rule \(index + 1) of the cluster contradicts itself",
                        in: ["cluster", "rules", "\(index)"])
                }
            }
        case .resolver: break
        }
    }

    /// Checks that new schemas which an open cluster names descend from its schema.
    mutating func checkOpenClusters() {
        for base in openClusters {
            for reference in base.cluster?.references ?? [] {
                guard let model = self.schema(reference), added[UTF8Key(model.name)] == model,
                    hasKnownAncestors(model),
                    !lineage(of: model).contains(where: { UTF8Text.equal($0.name, base.name) })
                else { continue }
                report(
                    model, nil, "the open cluster of \(base.name) names it, but it does not descend from \(base.name)",
                    fix: "let it extend \(base.name), or choose another name", in: ["extends"])
            }
        }
    }

    private mutating func checkPath(_ text: String, of schema: ModelSchema) {
        do { _ = try JSONKeyPath(text) } catch { report(schema, nil, "cluster: \(error.description)", in: ["cluster"]) }
    }
}

extension ModelCluster.Rule {
    /// Whether no object can satisfy all conditions: two values, or a value and another kind, at one path.
    fileprivate var contradicts: Bool {
        for (index, first) in conditions.enumerated() {
            for second in conditions[..<index] where UTF8Text.equal(first.path, second.path) {
                switch (first, second) {
                case (.equals(_, let left), .equals(_, let right)): if left != right { return true }
                case (.equals(_, let value), .kind(_, let kind)), (.kind(_, let kind), .equals(_, let value)):
                    if value.kind != kind { return true }
                case (.kind(_, let left), .kind(_, let right)): if left != right { return true }
                default: break
                }
            }
        }
        return false
    }
}

/// A property with everything that decides its key paths.
struct MappedProperty {
    let key: String
    let schema: PropertySchema
    /// The key strategy of the schema that declares the property.
    let keys: ModelSchema.KeyStrategy
    /// The position of the schema that declares it, counted from the root.
    let owner: Int

    /// Returns the key paths by the property's own mapping, or by the mapping of a profile.
    func resolved(_ mapping: PropertySchema.JSONMapping? = nil) -> ResolvedMapping {
        ResolvedMapping(schema, mapping, key: key, keys: keys)
    }

    fileprivate func claim(in paths: inout PathTree) {
        guard schema.storage != .notStored, schema.access != .readOnly else { return }
        let mapping = resolved()
        for members in mapping.combination.written(of: mapping.paths).compactMap(\.members) {
            _ = paths.insert(members, owner: key)
        }
    }
}

/// A tree of the paths that are written, which finds two that cannot both be written.
private struct PathTree {
    private struct Node {
        /// The owner of the first path through this node.
        let owner: String
        /// Whether that path ends here.
        var isEnd = false
        var children: [UTF8Key: Int] = [:]
    }

    private var nodes = [Node(owner: "")]

    /// Adds a path. If an existing path is equal, a beginning or a continuation of it, returns that path's owner.
    mutating func insert(_ members: [String], owner: String) -> String? {
        var current = 0
        for member in members {
            if nodes[current].isEnd { return nodes[current].owner }
            if let next = nodes[current].children[UTF8Key(member)] {
                current = next
            } else {
                nodes.append(Node(owner: owner))
                nodes[current].children[UTF8Key(member)] = nodes.count - 1
                current = nodes.count - 1
            }
        }
        if nodes[current].isEnd || !nodes[current].children.isEmpty { return nodes[current].owner }
        nodes[current].isEnd = true
        return nil
    }
}
