import PalliumJSON

extension ModelSchema {
    /// Returns the step before which the schema had its name of a version; nil if that is the present name.
    package func renaming(after version: Int) -> SchemaUpgrade? {
        upgrades.filter { $0.from >= version && $0.oldSchemaName != nil }.min { $0.from < $1.from }
    }

    /// Whether a name and a version mean this schema, which may have had another name then.
    package func isCalled(_ name: String, atVersion version: Int) -> Bool {
        UTF8Text.equal(renaming(after: version)?.oldSchemaName ?? self.name, name)
    }

    /// Returns the steps from a version to the present one.
    ///
    /// - Throws: ``ModelError`` with both versions if the schema does not have the version, or no steps from it.
    package func steps(from stored: Int) throws(ModelError) -> [SchemaUpgrade] {
        guard stored <= version else {
            throw ModelError(
                .newerVersion, expected: "\(name) of at most version \(version)", found: "version \(stored)",
                schema: name)
        }
        let steps = upgrades.filter { $0.from >= stored }.sorted { $0.from < $1.from }
        // Registration ensures that there are no gaps behind the first step.
        guard stored >= 1, steps.count == version - stored else {
            throw ModelError(
                .olderVersion, expected: "\(name) of version \(upgrades.map(\.from).min() ?? version) or later",
                found: "version \(stored), for which the schema declares no upgrade", schema: name)
        }
        return steps
    }
}

extension SchemaUpgrade {
    /// The keys that are gone after the step.
    package var formerKeys: [String] { renamed.keys + removed }

    /// The keys that the step reads or makes.
    package var keys: [String] { formerKeys + renamed.values + defaults.keys + transformed.keys }

    /// Runs the step: renames, transforms, converts, adds defaults, removes.
    ///
    /// - Parameter runsCode: Whether the code of the step runs.
    package func apply(
        to model: inout FormerModel, _ transformers: TransformerRegistry, runsCode: Bool
    ) throws(ModelError) {
        try rename(in: &model)
        for (key, names) in transformed.sorted(by: { UTF8Text.precedes($0.key, $1.key) }) {
            do throws(ModelError) { try transform(key, names, of: &model, transformers) } catch {
                throw error.under(key: key)
            }
        }
        if runsCode, let conversion { try run(conversion, on: &model) }
        for (key, value) in defaults.sorted(by: { UTF8Text.precedes($0.key, $1.key) }) where model[key] == nil {
            model[key] = FormerModel.Value(json: value)
        }
        for key in removed where !renamed.values.contains(where: { UTF8Text.equal($0, key) }) { model[key] = nil }
    }

    /// Runs your code.
    private func run(_ conversion: UpgradeConversion, on model: inout FormerModel) throws(ModelError) {
        let hidesValues = model.hasSensitiveValues
        do { try conversion.content(&model) } catch {
            // Nobody knows which values the error tells.
            if !hidesValues, let error = error as? ModelError { throw error }
            throw ModelError(
                .upgradeFailed, expected: "a stored model that the upgrade from version \(from) accepts",
                found: "another", schema: model.schema, underlying: hidesValues ? nil : error)
        }
    }

    /// Renames keys, all at once, so that two keys can be swapped. Swift dictionaries have no order; sorted keys make
    /// the result, and the first problem, the same in every run.
    private func rename(in model: inout FormerModel) throws(ModelError) {
        let keys = renamed.sorted { UTF8Text.precedes($0.key, $1.key) }
        let values = keys.map { (from: $0.key, to: $0.value, entry: model.entry(forKey: $0.key)) }
        for value in values { model[value.from] = nil }
        for (old, new, entry) in values {
            guard let entry else { continue }
            if model[new] != nil, !removed.contains(where: { UTF8Text.equal($0, new) }) {
                throw ModelError(
                    .upgradeFailed, expected: "no value \(ModelError.quote(new)) beside \(ModelError.quote(old))",
                    found: "one; remove it in the upgrade from version \(from)", schema: model.schema, property: new
                ).under(key: old)
            }
            model.set(entry, forKey: new)
        }
    }

    /// Converts the value of a key.
    private func transform(
        _ key: String, _ names: [TransformerName], of model: inout FormerModel, _ transformers: TransformerRegistry
    ) throws(ModelError) {
        guard let entry = model.entry(forKey: key), let first = names.first else { return }
        let context = Transformer.Context(schema: model.schema, property: key)
        let inputType = try transformers.transformer(named: first).inputType
        var current = try entry.value.input(for: inputType, datesAreNumbers: model.datesAreNumbers)
        for name in names { current = try transformers.transformer(named: name).convert(current, context: context) }
        guard let current else {
            model[key] = .null
            return
        }
        guard let stored = FormerModel.Value(current) else {
            throw ModelError(
                .notConvertible, expected: "a transformer that gives a value of the library's kinds",
                found: "one that gives a \(type(of: current))", schema: model.schema, property: key)
        }
        model.set(FormerModel.Entry(stored, isSensitive: entry.isSensitive), forKey: key)
    }
}
