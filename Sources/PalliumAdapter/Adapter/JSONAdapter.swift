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
public struct JSONAdapter<Model: DynamicModel>: Sendable {
    /// The options for reading and writing.
    public let options: JSONAdapterOptions
    /// The schema of the models.
    public var schema: ModelSchema { layout.schema }

    package let layout: ModelLayout
    let profile: String?
    /// Keeps the layouts alive, which the plans refer to.
    private let registry: SchemaRegistry
    package let plans: JSONPlanSet
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
            stop(
                "no schema is registered for the class \(modelClass); register one before making an adapter")
        }
        do {
            try self.init(layout, profile: profile, registry: registry, options: options)
        } catch { stop("\(error)") }
    }

    package init(
        _ layout: ModelLayout, profile: String? = nil, registry: SchemaRegistry, options: JSONAdapterOptions
    ) throws(ModelError) {
        self.layout = layout
        self.profile = profile
        self.registry = registry
        self.options = options
        plans = try JSONPlanSet.shared(layout, registry: registry, profile: profile, options: options)
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
            return try JSONAdapter(layout, profile: profile, registry: registry, options: options)
        } catch { stop("\(error)") }
    }

    private init<Other>(_ other: JSONAdapter<Other>) {
        layout = other.layout
        profile = other.profile
        registry = other.registry
        options = other.options
        plans = other.plans
        root = other.root
    }

    /// The adapter for plain ``DynamicModel``s.
    package var untyped: JSONAdapter<DynamicModel> { JSONAdapter<DynamicModel>(self) }
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
        try self.init(layout, profile: profile, registry: registry, options: options)
    }
}
