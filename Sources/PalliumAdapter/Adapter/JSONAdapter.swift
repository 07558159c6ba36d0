public import PalliumCore
import PalliumJSON

// The adapter and its initialisers.
//
// Safety: the tables belong to plans that the root holds.

/// Converts between JSON and models of one schema and everything the schema refers to.
///
///     let adapter = JSONAdapter(Issue.self)
///     let issue = try adapter.model(from: data)
///     let json = try adapter.data(from: issue)
///
/// Make an adapter once and keep it: it compiles the schemas when it is made, and does not see schemas registered
/// later. It can be used from any thread and decodes in one pass over the bytes. A model is complete and validated
/// before your code sees it.
///
/// Adapters of a registry share what they compile: each schema is compiled once for the default options, and once for
/// each profile and each choice of ``JSONAdapterOptions/leniency`` and ``JSONAdapterOptions/transformersByKind``. What
/// was compiled for such a choice is released with the last adapter that has it.
public struct JSONAdapter<Model: DynamicModel>: Sendable {
    /// The options for reading and writing.
    public let options: JSONAdapterOptions
    /// The schema of the models.
    public var schema: ModelSchema { layout.schema }

    /// The labels of all properties that the schema, its descendants and the schemas that they refer to have, in the
    /// order of their UTF-8 bytes. O(*n*) in the number of properties.
    public var labels: [String] { plans.labels }

    package let layout: ModelLayout
    let format: DocumentFormat
    var profile: String? { format.profile }
    /// Keeps the layouts alive, which the plans refer to.
    private let registry: SchemaRegistry
    package let plans: JSONPlanSet
    /// The compiled selections of calls that write.
    let projections: ProjectionCache
    /// Describes the models as values of a property, which is how the decoder stores them.
    package let root: RootValue

    /// Makes an adapter for the schema of a class.
    ///
    /// Traps if no schema is registered for the class, if the profile does not exist, or if an option names a
    /// transformer that does not exist: those are programming mistakes. `init(schema:)` throws instead.
    ///
    /// A ``ModelSchema/Profile`` is another mapping of the schema and of those it refers to; nil selects the schema's
    /// own mapping.
    public init(
        _ modelClass: Model.Type, profile: String? = nil, registry: SchemaRegistry = .shared,
        options: JSONAdapterOptions = JSONAdapterOptions()
    ) {
        guard let layout = registry.layout(for: modelClass) else {
            trap(
                "no schema is registered for the class \(modelClass); register one before making an adapter")
        }
        do {
            try self.init(layout, format: DocumentFormat(profile: profile), registry: registry, options: options)
        } catch { trap("\(error)") }
    }

    package init(
        _ layout: ModelLayout, format: DocumentFormat = DocumentFormat(), registry: SchemaRegistry,
        options: JSONAdapterOptions
    ) throws(ModelError) {
        self.layout = layout
        self.format = format
        self.registry = registry
        self.options = options
        plans = try JSONPlanSet(layout, registry: registry, format: format, options: options)
        projections = ProjectionCache(plans)
        root = RootValue(plans.root)
    }

    /// Makes an adapter for models of another class, or with other plans.
    private init<Other>(_ other: JSONAdapter<Other>, plans: JSONPlanSet) {
        layout = other.layout
        format = other.format
        registry = other.registry
        options = other.options
        projections = other.projections
        self.plans = plans
        root = RootValue(plans.root)
    }

    /// Returns the adapter with other options.
    ///
    ///     let skipping = adapter.with { $0.elements = .skip }
    ///
    /// Traps if an option names a kind or a transformer that does not exist or does not fit, which is a programming
    /// mistake. For options that come from outside, make an adapter by ``init(schema:profile:registry:options:)``.
    public func with(_ change: (inout JSONAdapterOptions) -> Void) -> JSONAdapter {
        var options = options
        change(&options)
        do {
            let adapter = try JSONAdapter(layout, format: format, registry: registry, options: options)
            return try plans.projection.map { projection throws(ModelError) in
                try adapter.projected(to: projection.to)
            } ?? adapter
        } catch { trap("\(error)") }
    }

    /// Returns an adapter that reads and writes only some properties.
    ///
    ///     let rows = try adapter.projected(to: ["number", "author.login"])
    ///
    /// It skips the other members of a document, and checks no more than their syntax. Properties that are not selected
    /// stay unset, also required ones and those with a default. Code for whole models does not run, and rules about
    /// several properties do only if all of them are selected. The article <doc:Projections> says more.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` for a key that no model at its level can have, and for a
    ///   selection by a closure.
    /// - Complexity: O(*n*) in the number of properties of the schemas that the selection reaches.
    public func projected(to selection: PropertySelection) throws(ModelError) -> JSONAdapter {
        guard selection.tree != nil, let projection = try projection(only: selection, except: nil) else {
            throw ModelError(
                .unknownKey, expected: "a selection by keys", found: "one by a closure", schema: schema.name)
        }
        return try projected(to: projection)
    }

    private func projected(to projection: Projection) throws(ModelError) -> JSONAdapter {
        JSONAdapter(self, plans: try projections.plans(for: projection))
    }

    /// The adapter for plain ``DynamicModel``s.
    package var untyped: JSONAdapter<DynamicModel> { JSONAdapter<DynamicModel>(self, plans: plans) }
}

extension JSONAdapter where Model == DynamicModel {
    /// Makes an adapter for a schema, which may be known at run time only.
    ///
    /// The models have the class that the schema is bound to, or are plain ``DynamicModel``s.
    ///
    /// - Throws: ``ModelError`` if the schema is not registered, the profile does not exist, or an option names a
    ///   transformer or kind that does not exist.
    public init(
        schema: ModelSchema, profile: String? = nil, registry: SchemaRegistry = .shared,
        options: JSONAdapterOptions = JSONAdapterOptions()
    ) throws(ModelError) {
        let layout = try registry.layout(named: schema.name)
        guard layout.schema == schema else {
            throw ModelError(
                .unknownSchema, expected: "a registered schema", found: "another schema of the name \(schema.name)")
        }
        try self.init(layout, format: DocumentFormat(profile: profile), registry: registry, options: options)
    }
}
