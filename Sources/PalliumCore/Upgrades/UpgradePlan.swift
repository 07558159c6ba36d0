import PalliumJSON

/// The upgrade steps from the versions of an archive to those of a layout: the steps of each ancestor, the oldest one's
/// first.
///
/// Each level has its own version, so a changed parent needs steps only once, not in every descendant.
package struct UpgradePlan {
    private let steps: [(schema: String, step: SchemaUpgrade)]
    private let hooks: [(key: String, hook: StoredValueHook)]
    private let transformers: TransformerRegistry

    /// - Parameters:
    ///   - levels: The schema that the values were stored with, then its parent, and so on.
    ///   - isDirect: Whether the values fit into the slots without steps.
    /// - Throws: ``ModelError`` with both versions if a level is newer than the layout's, or older than its steps.
    /// - Returns: nil if there is nothing to do.
    package init?(_ levels: [StoredModel.Level], _ layout: ModelLayout, isDirect: Bool) throws(ModelError) {
        var steps: [(schema: String, step: SchemaUpgrade)] = []
        for schema in layout.lineage.map(\.schema) {
            // A parent that the archive does not have was inserted later; its properties are new.
            guard let stored = levels.first(where: { schema.isCalled($0.name, atVersion: $0.version) }) else {
                continue
            }
            steps.insert(contentsOf: try schema.steps(from: stored.version).map { (schema.name, $0) }, at: 0)
        }
        hooks = layout.properties.compactMap { property in property.schema.storedValueHook.map { (property.key, $0) } }
        if steps.isEmpty, hooks.isEmpty, isDirect { return nil }
        self.steps = steps
        transformers = layout.transformers
    }

    /// Whether a closure sets the value of a property.
    package func hasHook(_ key: String) -> Bool { hooks.contains { UTF8Text.equal($0.key, key) } }

    /// Upgrades the values to the present versions.
    ///
    /// - Throws: ``ModelError`` if a step fails.
    package func apply(to model: inout StoredModel) throws(ModelError) {
        for (schema, step) in steps {
            do throws(ModelError) { try step.apply(to: &model, transformers) } catch { throw error.inSchema(schema) }
        }
        guard !hooks.isEmpty else { return }
        // Every hook sees the result of the steps, not of other hooks.
        let upgraded = model
        for (key, hook) in hooks {
            do { model[key] = try hook.run(upgraded) } catch let error as ModelError {
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

extension ModelLayout {
    /// The schema and its ancestors, with their present versions.
    package var levels: [StoredModel.Level] {
        lineage.map { StoredModel.Level(name: $0.schema.name, version: $0.schema.version) }
    }
}
