package import PalliumJSON

/// The upgrade steps from stored versions back to earlier ones, the reverse of ``UpgradePlan``: the steps of each
/// ancestor, those of the schema itself first.
package struct DowngradePlan {
    /// The schema and its ancestors, with the names and versions that readers know.
    package let levels: [StoredModel.Level]
    /// The steps, in the order in which they run backwards.
    private let steps: [DowngradeStep]

    /// - Parameters:
    ///   - levels: The schema that the values were stored with, then its parent, and so on.
    ///   - targets: The versions to go back to, by the present names of their schemas.
    /// - Throws: ``ModelError`` if there are no steps to a version, or with the code `notReversible` and every reason
    ///   why steps cannot run backwards.
    /// - Returns: nil if there is nothing to do.
    package init?(
        _ levels: [StoredModel.Level], _ layout: ModelLayout, targets: [UTF8Key: Int]
    ) throws(ModelError) {
        var formerLevels: [StoredModel.Level] = []
        var steps: [DowngradeStep] = []
        var obstacles: [ModelError] = []
        let schemas = layout.lineage.map(\.schema)
        for level in levels {
            guard let schema = schemas.first(where: { $0.isCalled(level.name, atVersion: level.version) }),
                let target = targets[UTF8Key(schema.name)], target < level.version
            else {
                formerLevels.append(level)
                continue
            }
            formerLevels.append(
                StoredModel.Level(name: schema.renaming(after: target)?.oldSchemaName ?? schema.name, version: target))
            for step in try schema.steps(from: target).reversed() where step.from < level.version {
                do throws(ModelError) {
                    steps.append(try DowngradeStep(step, of: schema.name, layout.transformers))
                } catch { obstacles += error.problems }
            }
        }
        guard obstacles.isEmpty else { throw ModelError(obstacles) }
        guard !steps.isEmpty else { return nil }
        self.levels = formerLevels
        self.steps = steps
    }

    /// Brings the values back to the earlier versions.
    ///
    /// - Throws: ``ModelError`` if a step fails.
    package func apply(to model: inout StoredModel) throws(ModelError) {
        for step in steps {
            do throws(ModelError) { try step.apply(to: &model) } catch { throw error.inSchema(step.schema) }
        }
    }

    /// Returns the key that the values of a property had; nil for a property that the earlier version did not have.
    package func formerKey(of key: String) -> String? {
        var key: String? = key
        for step in steps { key = key.flatMap { step.formerKey(of: $0) } }
        return key
    }
}
