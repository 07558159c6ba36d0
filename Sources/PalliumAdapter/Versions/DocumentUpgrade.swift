package import PalliumCore
package import PalliumJSON

/// Upgrades a document: turns members into stored values, runs the steps, and writes changed values back.
struct DocumentUpgrade {
    /// The paths of a key's value in the document.
    private struct Mapping {
        let paths: [JSONKeyPath]
        /// The paths that no former key had.
        let readable: [JSONKeyPath]
        let combination: ResolvedMapping.Combination
        let isProperty: Bool
    }

    private let layout: ModelLayout
    private let plan: UpgradePlan
    private let version: Int
    /// The paths of each key that the schema has or a step names.
    private var mappings: [UTF8Key: Mapping] = [:]
    /// The keys whose values are in a member or below it.
    private var keys: [UTF8Key: [String]] = [:]

    /// Makes an upgrade of documents; nil if there are no steps.
    init?(_ layout: ModelLayout, profile: String?, _ steps: [SchemaUpgrade]) {
        if steps.isEmpty { return nil }
        self.layout = layout
        plan = UpgradePlan(steps, layout)
        version = steps[0].from
        var former: Set<UTF8Key> = []
        var named: [String] = []
        for step in steps {
            let gone = step.renamed.keys + step.removed
            former.formUnion(gone.map { UTF8Key($0) })
            named += gone + step.renamed.values + step.defaults.keys + step.transformed.keys
        }
        // If a former key and a present one have the same path, it belonged to the former one.
        var taken: [JSONKeyPath] = []
        for key in named.sorted(by: UTF8Text.precedes)
        where layout.index(of: key) == nil && mappings[UTF8Key(key)] == nil {
            let path = JSONKeyPath(member: layout.schema.keys.memberName(for: key) ?? key)
            if former.contains(UTF8Key(key)) { taken.append(path) }
            add(key, Mapping(paths: [path], readable: [path], combination: .single, isProperty: false))
        }
        for (property, mapping) in zip(layout.properties, layout.mappings(profile: profile)) {
            // Weak references are not in JSON.
            let paths = property.schema.isWeak ? [] : mapping.paths
            let readable = paths.filter { path in !taken.contains { path.steps.starts(with: $0.steps) } }
            add(
                property.key,
                Mapping(paths: paths, readable: readable, combination: mapping.combination, isProperty: true))
        }
    }

    private mutating func add(_ key: String, _ mapping: Mapping) {
        mappings[UTF8Key(key)] = mapping
        for path in mapping.paths { keys[UTF8Key(path.tokens[0]), default: []].append(key) }
    }

    /// Returns the document in the present version, and the paths of values that no error may tell, although they are not
    /// those of properties with labels.
    func upgraded(_ document: JSONObject) throws(ModelError) -> (document: JSONObject, hidden: [JSONKeyPath]) {
        let stored = values(in: document)
        var model = stored
        try plan.apply(to: &model)
        var hidden: [JSONKeyPath] = []
        var result = document
        for key in stored.keys where model[key] != stored[key] {
            for path in mappings[UTF8Key(key)]?.paths ?? [JSONKeyPath(member: key)] {
                try result.set(nil, at: path)
            }
        }
        for key in model.keys where model[key] != stored[key] {
            guard let value = model[key] else { continue }
            if model.isSensitive(key) { hidden += mappings[UTF8Key(key)]?.paths ?? [] }
            do throws(ModelError) { try set(value.json, forKey: key, in: &result, document) } catch {
                throw error.under(property: key, isSensitive: model.isSensitive(key))
            }
        }
        return (result, hidden)
    }

    /// The stored values of a document, in its order.
    private func values(in document: JSONObject) -> StoredModel {
        var model = StoredModel(layout.schema.name, version: version)
        for (name, value) in document {
            for key in keys[UTF8Key(name)] ?? [] where model[key] == nil {
                model[key] = mappings[UTF8Key(key)].flatMap { self.value(at: $0, in: document) }.map(
                    StoredModel.Value.init(json:))
            }
            // Steps in code can read unmapped members by their names.
            if keys[UTF8Key(name)] == nil, mappings[UTF8Key(name)] == nil {
                model[name] = StoredModel.Value(json: value)
            }
        }
        return model
    }

    private func value(at mapping: Mapping, in document: JSONObject) -> JSONValue? {
        guard mapping.combination == .allOf else { return leading(mapping.readable, in: document)?.value }
        var parts = JSONObject()
        for path in mapping.readable {
            guard let value = path.value(in: document) else { continue }
            parts.updateValue(value, forKey: path.description)
        }
        if parts.isEmpty { return nil }
        return parts.contains { !$0.value.isNull } ? .object(parts) : .null
    }

    /// The path that the adapter would read: the first one that does not end early.
    private func leading(_ paths: [JSONKeyPath], in document: JSONObject) -> (path: JSONKeyPath, value: JSONValue?)? {
        for path in paths {
            switch path.end(in: document) {
            case .value(let value): return (path, value)
            case .blocked: return (path, nil)
            case .missing: break
            }
        }
        return nil
    }

    /// Sets the value of a key whose former value was removed.
    private func set(
        _ value: JSONValue, forKey key: String, in result: inout JSONObject, _ document: JSONObject
    ) throws(ModelError) {
        guard let mapping = mappings[UTF8Key(key)], mapping.isProperty else {
            let path = mappings[UTF8Key(key)]?.paths[0] ?? JSONKeyPath(member: key)
            // A value without a property must not become the value of another property.
            let isTaken = keys[UTF8Key(path.tokens[0])]?.contains { mappings[UTF8Key($0)]?.isProperty == true } ?? false
            if !isTaken { try result.set(value, at: path) }
            return
        }
        guard mapping.combination == .allOf else {
            // The path where it was, or where it would be written.
            let path = leading(mapping.readable, in: document)?.path ?? mapping.paths.first { $0.members != nil }
            if let path = path ?? mapping.paths.first { try result.set(value, at: path) }
            return
        }
        for path in mapping.paths {
            switch value {
            case .object(let parts):
                if let part = parts[path.description] { try result.set(part, at: path) }
            case .null: try result.set(.null, at: path)
            default:
                let members = mapping.paths.map { ModelError.quote($0.description) }.joined(separator: ", ")
                throw ModelError(
                    .upgradeFailed, expected: "an object with the members \(members)", found: value.summary)
            }
        }
    }
}

extension ModelError {
    /// Returns the error without the values at some paths, and those that lead to them.
    func masked(below paths: [JSONKeyPath]) -> ModelError {
        maskingEach { problem in
            let tokens = problem.wholePointer?.tokens ?? []
            return paths.map(\.tokens).first { zip($0, tokens).allSatisfy { UTF8Text.equal($0, $1) } }
                .map { min($0.count, tokens.count) }
        }
    }
}

extension JSONObject {
    /// Sets the value at a path, or removes it with nil.
    ///
    /// Recursion is bounded by the length of the path, which the schema says. An element of an array is not removed,
    /// which would move the others, but becomes null.
    ///
    /// - Throws: ``ModelError`` with the code `upgradeFailed` if a value on the path is neither object nor array.
    package mutating func set(_ value: JSONValue?, at path: JSONKeyPath) throws(ModelError) {
        var changed = JSONValue.object(self)
        try changed.set(value, at: path.steps[...])
        if case .object(let members) = changed { self = members }
    }
}

extension JSONValue {
    fileprivate mutating func set(_ value: JSONValue?, at path: ArraySlice<JSONKeyPath.Step>) throws(ModelError) {
        guard let step = path.first else {
            self = value ?? .null
            return
        }
        switch (step, self) {
        case (.member(let name), .object(var members)):
            if value == nil, members.position(of: name) == nil { return }
            if value == nil, path.count == 1 {
                members.removeValue(forKey: name)
            } else {
                var inner = members[name] ?? .null
                try inner.set(value, at: path.dropFirst())
                members.updateValue(inner, forKey: name)
            }
            self = .object(members)
        case (.member, .null) where value != nil:
            self = .object(JSONObject())
            try set(value, at: path)
        case (.element(let index), .array(var elements)) where index < elements.count:
            try elements[index].set(value, at: path.dropFirst())
            self = .array(elements)
        case (_, _) where value == nil: return
        case (.member, _):
            throw ModelError(.upgradeFailed, expected: "an object on a key path", found: summary)
        case (.element(let index), _):
            throw ModelError(
                .upgradeFailed, expected: "an array with an element \(index) on a key path", found: summary)
        }
    }
}
