import PalliumJSON

/// What can be wrong with the mapping to JSON and with clusters.
extension SchemaCompiler {
    /// Finds key paths that are malformed, and paths that cannot both be written.
    mutating func checkMapping(of schema: ModelSchema) {
        var paths = PathTree()
        let chain = lineage(of: schema)
        var properties: [(key: String, schema: PropertySchema)] = []
        var positions: [UTF8Key: Int] = [:]
        for property in chain.flatMap(\.properties) {
            if let position = positions[UTF8Key(property.key)] {
                properties[position].schema = property.schema
            } else {
                positions[UTF8Key(property.key)] = properties.count
                properties.append((property.key, property.schema))
            }
        }
        for (key, property) in properties where property.storage != .notStored && !key.isEmpty {
            let mapping = ResolvedMapping(property, key: key, keys: schema.keys)
            for text in mapping.texts {
                do throws(JSONKeyPath.Malformed) {
                    let path = try JSONKeyPath(text)
                    guard property.access != .readOnly, mapping.isWritten(text) else { continue }
                    guard let members = path.members else {
                        report(
                            schema, key, "the key path \(text) steps into an array, which cannot be written",
                            fix: "make the property readOnly")
                        continue
                    }
                    if let other = paths.insert(members, owner: key) {
                        report(
                            schema, key, "would be written over \(other): both claim \(text)",
                            fix: "change a key path, or make one of them readOnly")
                    }
                } catch {
                    report(schema, key, error.description)
                }
            }
            if case .allOf = property.json, property.transformers.isEmpty, !Self.takesParts(property.kind) {
                report(
                    schema, key, "combines several paths, which needs a transformer from an object",
                    fix: "add a transformer, or use firstOf to take one of them")
            }
            switch property.json {
            case .firstOf(let paths) where paths.isEmpty: report(schema, key, "maps to no path", fix: "name one")
            case .allOf(let paths) where paths.isEmpty: report(schema, key, "maps to no path", fix: "name one")
            default: break
            }
        }
        for profile in schema.profiles {
            for (key, mapping) in profile.mappings.sorted(by: { UTF8Text.precedes($0.key, $1.key) }) {
                for text in ResolvedMapping(PropertySchema(.json).json(mapping), key: key, keys: schema.keys).texts {
                    do { _ = try JSONKeyPath(text) } catch {
                        report(schema, key, "profile \(profile.name): \(error.description)")
                    }
                }
            }
        }
        for text in schema.ignored {
            do { _ = try JSONKeyPath(text) } catch { report(schema, nil, "ignored: \(error.description)") }
        }
    }

    /// Whether a kind can be read from an object of parts without a transformer (conformance C156).
    private static func takesParts(_ kind: PropertyKind) -> Bool {
        switch kind {
        case .json, .dictionary, .model, .custom: true
        default: false
        }
    }

    /// Checks the references, texts and rules of a cluster.
    mutating func checkCluster(of schema: ModelSchema) {
        guard let cluster = schema.cluster else { return }
        for reference in cluster.references {
            guard let model = self.schema(reference) else {
                report(
                    schema, nil, "the cluster names \(reference), which is not registered",
                    fix: nearestSchema(to: reference) ?? "register it in the same call")
                continue
            }
            if hasKnownAncestors(model), !lineage(of: model).contains(where: { UTF8Text.equal($0.name, schema.name) }) {
                report(
                    schema, nil, "the cluster names \(model.name), which does not descend from \(schema.name)",
                    fix: "let it extend \(schema.name)")
            }
        }
        switch cluster {
        case .discriminator(let path, let models, _):
            checkPath(path, of: schema)
            var seen: Set<UTF8Key> = []
            for entry in models where !seen.insert(UTF8Key(entry.text)).inserted {
                report(schema, nil, "the cluster lists \(ModelError.quote(entry.text)) twice", fix: "keep one")
            }
            if models.isEmpty { report(schema, nil, "the cluster lists no models") }
        case .rules(let rules, _):
            var rulesByFirstCondition: [ModelCluster.Condition: [Int]] = [:]
            for (index, rule) in rules.enumerated() {
                if rule.conditions.isEmpty { report(schema, nil, "rule \(index + 1) of the cluster has no condition") }
                for condition in rule.conditions { checkPath(condition.path, of: schema) }
                // A rule whose conditions include all those of an earlier one never gets its turn.
                let conditions = Set(rule.conditions)
                let candidates = rule.conditions.flatMap { rulesByFirstCondition[$0] ?? [] }
                if let first = rule.conditions.first { rulesByFirstCondition[first, default: []].append(index) }
                if let earlier = candidates.filter({ conditions.isSuperset(of: rules[$0].conditions) }).min() {
                    report(
                        schema, nil,
                        "rule \(index + 1) of the cluster can never match: rule \(earlier + 1) matches first",
                        fix: "put the stricter rule first")
                }
                if rule.contradicts { report(schema, nil, "rule \(index + 1) of the cluster contradicts itself") }
            }
        case .resolver: break
        }
    }

    private mutating func checkPath(_ text: String, of schema: ModelSchema) {
        do { _ = try JSONKeyPath(text) } catch { report(schema, nil, "cluster: \(error.description)") }
    }
}

extension ModelCluster.Condition {
    /// The key path that the condition asks about.
    package var path: String {
        switch self {
        case .present(let path), .equals(let path, _), .kind(let path, _): path
        }
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

extension JSONValue {
    /// Which of the six kinds the value is.
    package var kind: ModelCluster.JSONKind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

/// The key paths a property really has.
package struct ResolvedMapping: Sendable {
    /// How several paths work together.
    package enum Combination: Sendable { case single, firstOf, allOf }

    package let texts: [String]
    package let combination: Combination

    package init(_ property: PropertySchema, key: String, keys: KeyStrategy) {
        switch property.json {
        case .ownKey:
            combination = .single
            // A key is a name, not a path: dots in it have no meaning.
            texts = keys.memberName(for: key).map { [Self.escape($0)] } ?? []
        case .path(let path):
            combination = .single
            texts = [path]
        case .firstOf(let paths):
            combination = .firstOf
            texts = paths
        case .allOf(let paths):
            combination = .allOf
            texts = paths
        case .none:
            combination = .single
            texts = []
        }
    }

    /// Of several paths, the first is written by `firstOf`, all by `allOf`.
    package func isWritten(_ text: String) -> Bool { combination != .firstOf || texts.first == text }

    private static func escape(_ name: String) -> String {
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\\") {
                bytes.append(UInt8(ascii: "\\"))
            }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The paths that are written, to find two that cannot both be.
private struct PathTree {
    private struct Node {
        var owner: String?
        var children: [UTF8Key: Int] = [:]
    }

    private var nodes = [Node()]

    /// Adds a path; answers the owner of a path that is equal, a beginning or a continuation of it.
    mutating func insert(_ members: [String], owner: String) -> String? {
        var current = 0
        for member in members {
            if let other = nodes[current].owner { return other }
            if let next = nodes[current].children[UTF8Key(member)] {
                current = next
            } else {
                nodes.append(Node())
                nodes[current].children[UTF8Key(member)] = nodes.count - 1
                current = nodes.count - 1
            }
        }
        if let other = nodes[current].owner { return other }
        if !nodes[current].children.isEmpty { return anyOwner(below: current) }
        nodes[current].owner = owner
        return nil
    }

    private func anyOwner(below start: Int) -> String {
        var pending = [start]
        while let node = pending.popLast() {
            if let owner = nodes[node].owner { return owner }
            pending += nodes[node].children.values
        }
        return "another property"
    }
}
