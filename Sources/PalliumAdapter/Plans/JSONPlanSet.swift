package import PalliumCore
import PalliumJSON

/// The plans of a layout and of all layouts that its models can hold.
///
/// A set is built once, when an adapter is made; later registrations do not change it. The registry caches it for the
/// next adapter. To avoid a cycle the set does not hold the registry; adapters do.
package final class JSONPlanSet: @unchecked Sendable {
    // @unchecked: plans are written while the set is built, by one thread, and only read once `init` has returned.
    package let root: JSONPlan
    /// The plans for whole models, unless another set has them.
    private var plans: [ObjectIdentifier: JSONPlan] = [:]
    /// The plans for models of which a part is selected, by the numbers of projections.
    private let projected: [[ObjectIdentifier: JSONPlan]]
    /// What this set selects of all models, and the set for whole models; nil if this is the one.
    let projection: (from: JSONPlanSet, to: Projection)?
    /// Where documents have values with labels; nil if no property has one.
    private var ownPlaces: LabelledPlaces?
    /// Whether some plans are for models of which a part is selected.
    var hasSelections: Bool { !projected.isEmpty }

    /// Compiles the plans for a layout.
    ///
    /// - Throws: ``ModelError`` if the profile does not exist, or if an option names a transformer or kind that does
    ///   not exist or does not fit.
    init(
        _ layout: ModelLayout, registry: SchemaRegistry, form: JSONForm, options: JSONAdapterOptions
    ) throws(ModelError) {
        var builder = JSONPlanBuilder(registry: registry, form: form, options: options)
        root = try builder.plan(for: layout)
        plans = try builder.finish()
        projected = builder.references.isEmpty ? [] : [builder.references]
        projection = nil
        ownPlaces = LabelledPlaces(self)
    }

    /// Derives the plans for a projection of whole models.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` for a key that no model at its level can have.
    init(_ whole: JSONPlanSet, to projection: Projection) throws(ModelError) {
        var builder = ProjectionBuilder(whole)
        root = try builder.build(projection)
        projected = builder.plans
        self.projection = (whole, projection)
    }

    /// Where documents have values with labels; nil if no property has one.
    package var labelledPlaces: LabelledPlaces? { whole.ownPlaces }

    /// The labels of all properties, in the order of their bytes.
    var labels: [String] {
        Set(whole.plans.values.flatMap { $0.layout.properties.flatMap(\.schema.labels) }.map { UTF8Key($0) })
            .map(\.text).sorted(by: UTF8Text.precedes)
    }

    /// The set for whole models.
    var whole: JSONPlanSet { projection?.from ?? self }

    /// Returns the plan of a layout for whole models; nil if no model of the root can hold one.
    package func plan(for layout: ModelLayout) -> JSONPlan? { whole.plans[ObjectIdentifier(layout)] }

    /// Returns the plan of a layout that has the same projection as another plan; nil if there is none.
    package func plan(for layout: ModelLayout, like other: JSONPlan) -> JSONPlan? {
        other.selection.map { projected[$0.projection][ObjectIdentifier(layout)] } ?? plan(for: layout)
    }

    /// The layouts of the plans for whole models.
    var layouts: [ModelLayout] { whole.plans.values.map(\.layout) }

    /// The plans of a layout and its descendants, for whole models; of nil, all plans.
    func plans(below layout: ModelLayout?) -> [JSONPlan] {
        plans.values.filter { plan in layout.map { plan.layout.isDescendant(of: $0) } ?? true }
    }

    /// Returns the properties with a key, of a layout and its descendants.
    func properties(called key: String, below layout: ModelLayout) -> [ValueDescriptor] {
        let descendants = plans.values.map(\.layout).filter { $0 !== layout && $0.isDescendant(of: layout) }
            .sorted { UTF8Text.precedes($0.schema.name, $1.schema.name) }
        return ([layout] + descendants).compactMap { layout in
            layout.index(of: key).map { layout.properties[$0].descriptor }
        }
    }

    /// The options that change plans; adapters with equal options share the set.
    private struct Key: Hashable {
        let form: JSONForm
        let leniency: Int
        let transformersByKind: [UTF8Key: TransformerName]

        init(form: JSONForm, options: JSONAdapterOptions) {
            self.form = form
            leniency = options.leniency.rawValue
            transformersByKind = Dictionary(
                uniqueKeysWithValues: options.transformersByKind.map { (UTF8Key($0.key), $0.value) })
        }
    }

    /// Returns the shared set for a layout of the registry, compiled at the first request.
    static func shared(
        _ layout: ModelLayout, registry: SchemaRegistry, form: JSONForm, options: JSONAdapterOptions
    ) throws(ModelError) -> JSONPlanSet {
        let key = CompilationKey(layout, options: Key(form: form, options: options))
        return try registry.compiled.product(for: key) { () throws(ModelError) in
            try JSONPlanSet(layout, registry: registry, form: form, options: options)
        }
    }
}
