package import PalliumCore
import PalliumJSON

/// The plans of an adapter: that of its root, and those of all models that the root can hold.
///
/// The table of plans is shared with other adapters. A projection has plans of its own, derived from those for whole
/// models.
package final class JSONPlanSet: Sendable {
    package let root: JSONPlan
    /// Holds the plans for whole models.
    private let table: JSONPlanTable
    /// The plans for models of which a part is selected, by the numbers of projections.
    private let projected: [[ObjectIdentifier: JSONPlan]]
    /// What this set selects of all models, and the set for whole models; nil if this is the one.
    let projection: (from: JSONPlanSet, to: Projection)?
    /// Whether some plans are for models of which a part is selected.
    package let hasSelections: Bool
    /// The layouts of the plans for whole models, once somebody has asked for another layout than that of the root.
    private let reached = Lock<Set<ObjectIdentifier>?>(nil)

    /// Makes the set of a layout, whose plans are compiled unless another adapter has them.
    ///
    /// - Throws: ``ModelError`` if the profile does not exist, or if an option names a transformer or kind that does
    ///   not exist or does not fit.
    init(
        _ layout: ModelLayout, registry: SchemaRegistry, format: DocumentFormat, options: JSONAdapterOptions
    ) throws(ModelError) {
        (root, table) = try JSONPlanTable.plan(for: layout, in: registry, JSONPlanOptions(format: format, options))
        projected = []
        projection = nil
        // The stored format refers to models by their identity.
        hasSelections = format == .stored
    }

    /// Derives the plans for a projection of whole models.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` for a key that no model at its level can have.
    init(_ whole: JSONPlanSet, to projection: Projection) throws(ModelError) {
        var builder = ProjectionBuilder(whole)
        root = try builder.build(projection)
        table = whole.table
        projected = builder.plans
        self.projection = (whole, projection)
        hasSelections = true
    }

    /// Where documents have values with labels; nil if no property has one.
    package var labelledPaths: LabelledPaths? { table.labelledPaths(of: root) }

    /// The labels of all properties, in the order of their bytes.
    var labels: [String] {
        Set(layouts.flatMap { $0.properties.flatMap(\.schema.labels) }.map { UTF8Key($0) })
            .map(\.text).sorted(by: UTF8Text.precedes)
    }

    /// Returns the plan of a layout for whole models; nil if no adapter has needed it.
    package func plan(for layout: ModelLayout) -> JSONPlan? { table.existingPlan(for: layout) }

    /// Returns the plan of a layout that has the same projection as another plan; nil if no model of the root can hold one.
    package func plan(for layout: ModelLayout, like other: JSONPlan) -> JSONPlan? {
        if let plan = other.plan(for: layout) { return plan }
        if let selection = other.selection {
            return projected.isEmpty ? nil : projected[selection.projection][ObjectIdentifier(layout)]
        }
        let isReached = reached.withLock { reached in
            let layouts = reached ?? Set(layouts.map { ObjectIdentifier($0) })
            reached = layouts
            return layouts.contains(ObjectIdentifier(layout))
        }
        return isReached ? plan(for: layout) : nil
    }

    /// The layouts of the plans for whole models.
    ///
    /// - Complexity: O(*n*) in the number of properties.
    var layouts: [ModelLayout] {
        var layouts: [ModelLayout] = []
        _ = (projection?.from.root ?? root).firstReached { plan in
            layouts.append(plan.layout)
            return false
        }
        return layouts
    }

    /// Returns the properties with a key, of a layout and its descendants.
    func properties(called key: String, below layout: ModelLayout) -> [ValueDescriptor] {
        let descendants = (plan(for: layout)?.descendants ?? []).map(\.layout)
            .sorted { UTF8Text.precedes($0.schema.name, $1.schema.name) }
        return ([layout] + descendants).compactMap { layout in
            layout.index(of: key).map { layout.properties[$0].descriptor }
        }
    }
}
