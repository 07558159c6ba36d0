import PalliumJSON

/// The upgrade steps from the versions of an archive to those of a layout: the steps of each ancestor, the oldest one's
/// first.
///
/// Each level has its own version, so a changed parent needs steps only once, not in every descendant.
package struct UpgradePlan {
    package typealias Step = (schema: ModelSchema, step: SchemaUpgrade)

    package let steps: [Step]
    private let hooks: [(key: String, hook: StoredValueHook)]
    private let transformers: TransformerRegistry
    /// Whether your code may read any key.
    private let readsAnyKey: Bool
    /// The keys of the properties, and those of the properties with a label.
    private let keys: KeyTable
    private let labelled: Set<UTF8Key>

    /// - Parameters:
    ///   - levels: The schema that the values were stored with, then its parent, and so on.
    ///   - isDirect: Whether the values fit into the slots without steps.
    /// - Throws: ``ModelError`` with both versions if a level is newer than the layout's, or older than its steps.
    /// - Returns: nil if there is nothing to do.
    package init?(_ levels: [FormerModel.Level], _ layout: ModelLayout, isDirect: Bool) throws(ModelError) {
        var steps: [Step] = []
        for schema in layout.lineage.map(\.schema) {
            // A parent that the archive does not have was inserted later; its properties are new.
            guard let stored = levels.first(where: { schema.isCalled($0.name, atVersion: $0.version) }) else {
                continue
            }
            steps.insert(contentsOf: try schema.steps(from: stored.version).map { (schema, $0) }, at: 0)
        }
        let hooks = layout.properties.compactMap { property in
            property.schema.storedValueHook.map { (property.key, $0) }
        }
        if steps.isEmpty, hooks.isEmpty, isDirect { return nil }
        self.steps = steps
        readsAnyKey = !hooks.isEmpty || steps.contains { $0.step.conversion != nil }
        self.hooks = hooks
        transformers = layout.transformers
        keys = layout.keyTable
        labelled = Set(layout.properties.filter(\.schema.isSensitive).map { UTF8Key($0.key) })
    }

    /// Whether a closure sets the value of a property.
    package func hasHook(_ key: String) -> Bool { hooks.contains { UTF8Text.equal($0.key, key) } }

    /// Upgrades the values to the present versions: runs the steps, then the hooks.
    ///
    /// - Throws: ``ModelError`` if a step fails. It does not tell values that come from a property with a label, or that
    ///   would become the value of one.
    package func apply(to model: inout FormerModel) throws(ModelError) {
        try runSteps(on: &model)
        try runHooks(on: &model)
    }

    /// Runs the steps without the hooks.
    ///
    /// - Parameter runsCode: Whether the code of the steps runs.
    package func runSteps(on model: inout FormerModel, runsCode: Bool = true) throws(ModelError) {
        if !labelled.isEmpty { model.hideValues { isLabelled($0, before: steps[...]) } }
        for (position, (schema, step)) in steps.enumerated() {
            // Nobody knows which values your code reads.
            let before = step.conversion != nil && model.hasSensitiveValues ? model : nil
            do throws(ModelError) {
                if !readsAnyKey {
                    try step.checkSpelling(in: model) { key in
                        keys.find(key) != nil
                            || steps[position...].contains { $0.step.keys.contains { UTF8Text.equal($0, key) } }
                    }
                }
                try step.apply(to: &model, transformers, runsCode: runsCode)
            } catch {
                throw masked(error, model, before: steps[(position + 1)...]).inSchema(schema.name)
            }
            if let before {
                let after = model
                model.hideValues { before.isSensitive($0) || after[$0] != before[$0] }
            }
        }
    }

    /// Returns the key that a value had before the steps renamed it.
    package func formerKey(of key: String) -> String {
        steps.reversed().reduce(key) { key, entry in
            entry.step.renamed.first { UTF8Text.equal($0.value, key) }?.key ?? key
        }
    }

    private func runHooks(on model: inout FormerModel) throws(ModelError) {
        guard !hooks.isEmpty else { return }
        // Every hook sees the result of the steps, not of other hooks.
        let upgraded = model
        for (key, hook) in hooks {
            do { model[key] = try hook.content(upgraded) } catch let error as ModelError {
                throw error.under(key: key)
            } catch {
                throw ModelError(
                    .upgradeFailed, expected: "a stored value that the hook accepts", found: "another",
                    schema: upgraded.schema, property: key, underlying: error
                ).under(key: key)
            }
        }
    }
}

extension UpgradePlan {
    /// Whether the value of a key becomes, by some steps, that of a property with a label. It counts as one if it becomes
    /// that of no property: no step tells whether a former key had a label.
    private func isLabelled(_ key: String, before steps: ArraySlice<Step>) -> Bool {
        let last = steps.reduce(key) { key, entry in entry.step.renamed[key] ?? key }
        return labelled.contains(UTF8Key(last)) || !labelled.isEmpty && keys.find(last) == nil
    }

    private func masked(
        _ error: ModelError, _ model: FormerModel, before steps: ArraySlice<Step>
    ) -> ModelError {
        error.maskingEach { problem in
            guard let key = problem.wholePointer?.tokens.first else { return nil }
            return model.isSensitive(key) || isLabelled(key, before: steps) ? 1 : nil
        }
    }
}

extension ModelLayout {
    /// The schema and its ancestors, with their present versions.
    package var levels: [FormerModel.Level] {
        lineage.map { FormerModel.Level(name: $0.schema.name, version: $0.schema.version) }
    }
}
