import PalliumCore
import PalliumJSON

/// Rewrites archives for readers of earlier versions: the upgrade steps run backwards on the stored values.
///
/// Safety: the archive is borrowed for the call, and what is read of it is copied. The caller owns the new memory.
struct ArchiveDowngrade {
    private let layouts: [ModelLayout]
    private let targets: [UTF8Key: Int]
    /// The layouts with a target, in the order of their names.
    private let targeted: [ModelLayout]
    private let plans: [DowngradePlan?]

    /// - Parameters:
    ///   - layouts: The layouts of the archive's schemas, in their order.
    ///   - targets: The versions of the readers, by the names of their schemas.
    /// - Throws: ``ModelError`` if there is no schema or version of a target, or with the code `notReversible` and
    ///   every reason why steps of the archive's schemas cannot run backwards.
    /// - Returns: nil if there is nothing to do.
    init?(_ layouts: [ModelLayout], _ targets: [UTF8Key: Int]) throws(ModelError) {
        var targeted: [ModelLayout] = []
        if let first = layouts.first {
            for (name, version) in targets.sorted(by: { UTF8Text.precedes($0.key.text, $1.key.text) }) {
                let layout = try first.registry.layout(named: name.text)
                _ = try layout.schema.steps(from: version)
                targeted.append(layout)
            }
        }
        var plans: [DowngradePlan?] = []
        var problems: [ModelError] = []
        for layout in layouts {
            do throws(ModelError) { plans.append(try DowngradePlan(layout.levels, layout, targets: targets)) } catch {
                // Schemas with a common ancestor have its problems in common.
                problems += error.problems.filter { !problems.contains($0) }
            }
        }
        guard problems.isEmpty else { throw ModelError(problems) }
        guard plans.contains(where: { $0 != nil }) else { return nil }
        self.layouts = layouts
        self.targets = targets
        self.targeted = targeted
        self.plans = plans
    }

    /// Returns the bytes for the readers; the caller frees them with `free`.
    ///
    /// - Parameter archive: An archive that was just written.
    func archive(
        _ archive: UnsafeRawBufferPointer
    ) throws(ModelError) -> (memory: UnsafeMutableRawPointer, count: Int) {
        let graph = try unsafe StoredGraph(archive)
        // Steps see the models that they reach with all values. These refer back to the records until they are closed.
        defer { graph.records.close() }
        for entry in graph.conditional { graph.records.add(entry) }
        let former = try FormerGraph(graph, layouts, plans, plan: { model throws(ModelError) in try plan(for: model) })
        return try unsafe FormerGraphWriter.archive(former, capacity: archive.count)
    }

    /// Returns the steps for a model that a step makes.
    private func plan(for model: StoredModel) throws(ModelError) -> DowngradePlan? {
        for layout in targeted where layout.schema.isCalled(model.schema, atVersion: model.version) {
            if let plan = try DowngradePlan(model.levels, layout, targets: targets) { return plan }
        }
        return nil
    }
}
