public import PalliumCore
import PalliumJSON

// Safety: the tables belong to programs that the root holds.

/// Converts between JSON and models of one schema and everything the schema refers to.
///
///     let adapter = JSONAdapter(Issue.self)
///     let issue = try adapter.model(from: data)
///     let json = try adapter.data(from: issue)
///
/// An adapter compiles the schemas once, when it is made; keep it. It captures what was registered at that time, can be
/// used from any thread, and works in one pass over the bytes. Nothing is stored in a model before everything in its
/// object was accepted.
public struct JSONAdapter<Model: DynamicModel>: Sendable {
    /// How the adapter reads and writes.
    public let options: JSONAdapterOptions
    /// The schema of the models.
    public var schema: ModelSchema { layout.schema }

    let layout: ModelLayout
    let profile: String?
    /// Keeps the layouts, which the programs lead to.
    private let registry: SchemaRegistry
    let plans: JSONPlanSet
    /// Describes the models as the value of a property, which is how the decoder stores them.
    let root: RootValue

    /// Makes an adapter for the schema that is registered for a class.
    ///
    /// Traps when no schema is registered for the class, there is no such profile, or an option names a transformer that
    /// does not exist: those are mistakes of the program. `init(schema:)` throws instead.
    ///
    /// A profile is the ``JSONProfile`` of the schema, and of those it refers to, that says where properties live in JSON;
    /// nil stands for the schema's own mapping.
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

    init(
        _ layout: ModelLayout, profile: String? = nil, registry: SchemaRegistry, options: JSONAdapterOptions
    ) throws(ModelError) {
        self.layout = layout
        self.profile = profile
        self.registry = registry
        self.options = options
        plans = try JSONPlanSet.shared(layout, registry: registry, profile: profile, options: options)
        root = RootValue(plans.root)
    }

    private init<Other>(_ other: JSONAdapter<Other>) {
        layout = other.layout
        profile = other.profile
        registry = other.registry
        options = other.options
        plans = other.plans
        root = other.root
    }

    /// The adapter without the class of the models.
    var untyped: JSONAdapter<DynamicModel> { JSONAdapter<DynamicModel>(self) }
}

extension JSONAdapter where Model == DynamicModel {
    /// Makes an adapter for a schema that may be known at run time only; its models have the class the schema is bound
    /// to, or are plain ``DynamicModel``s.
    ///
    /// - Throws: ``ModelError`` when the schema is not registered, there is no such profile, or an option names a
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
