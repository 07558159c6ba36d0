import PalliumCore
import PalliumJSON

/// Upgrades a document: turns members into stored values, runs the steps, and writes changed values back.
struct DocumentUpgrade {
    /// The paths of a key's value in the document.
    private struct Mapping {
        let paths: [JSONKeyPath]
        /// The property, and the same with the paths that no former key had; nil for a key without a property.
        var property: (whole: DocumentShape.Property, readable: DocumentShape.Property)?
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
            add(key, Mapping(paths: [path]))
        }
        for property in DocumentShape(layout, profile: profile).properties {
            var readable = property
            readable.paths.removeAll { path in taken.contains { path.steps.starts(with: $0.steps) } }
            add(property.descriptor.key, Mapping(paths: property.paths, property: (property, readable)))
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

    /// Nothing after a null or another value on a path is a value.
    private func value(at mapping: Mapping, in document: JSONObject) -> JSONValue? {
        guard var property = mapping.property?.readable else { return mapping.paths[0].value(in: document) }
        if property.combination == .allOf { property.paths.removeAll { $0.value(in: document) == nil } }
        guard case .value(let value, let path) = property.content(in: document) else { return nil }
        return path.map { $0.value(in: document) } ?? value
    }

    /// Sets the value of a key whose former value was removed.
    private func set(
        _ value: JSONValue, forKey key: String, in result: inout JSONObject, _ document: JSONObject
    ) throws(ModelError) {
        let mapping = mappings[UTF8Key(key)]
        guard let (property, readable) = mapping?.property else {
            let path = mapping?.paths[0] ?? JSONKeyPath(member: key)
            // A value without a property must not become the value of another property.
            let isTaken = keys[UTF8Key(path.tokens[0])]?.contains { mappings[UTF8Key($0)]?.property != nil } ?? false
            if !isTaken { try result.set(value, at: path) }
            return
        }
        guard property.combination == .allOf else {
            // The path where it was, or where it would be written.
            let path = readable.path(in: document) ?? property.paths.first { $0.members != nil }
            if let path = path ?? property.paths.first { try result.set(value, at: path) }
            return
        }
        guard value.isNull || value.objectValue != nil else {
            let members = property.paths.map { ModelError.quote($0.description) }.joined(separator: ", ")
            throw ModelError(.upgradeFailed, expected: "an object with the members \(members)", found: value.summary)
        }
        for part in property.parts(of: value) { try result.set(part.value, at: part.path) }
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
