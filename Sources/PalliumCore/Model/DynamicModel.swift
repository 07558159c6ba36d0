import PalliumJSON

/// A model, whose properties are stored in typed slots that a schema describes.
///
/// Subclasses declare accessors, whose names are the keys:
///
///     final class Issue: DynamicModel {
///         var number: Int { value() }
///         var title: String? { get { value() } set { set(newValue) } }
///     }
///
/// A model of a schema without a class is a plain `DynamicModel`; its properties are read and set by key.
///
/// A model belongs to one isolation region: it is not `Sendable`, and functions that make models return them `sending`.
@safe
open class DynamicModel {
    /// The compiled schema, as plain bytes.
    @usableFromInline package final let rawLayout: UnsafePointer<RawLayout>
    /// The slots, behind their states; see `ModelStorage` for the picture.
    ///
    /// Safety: they stand in the model's own block or in one that `deinit` frees. Callers never use them after a call.
    @usableFromInline package final let slots: UnsafeMutableRawPointer
    /// State that only some models have. Reading it never overlaps with writing it: both are single loads and stores.
    @safe @exclusivity(unchecked) package final var companion: ModelCompanion?

    /// Makes a model from empty slots. Only the library calls it.
    ///
    /// A subclass with stored properties that needs a designated initialiser passes the storage on.
    public required init(storage: consuming ModelStorage) {
        unsafe rawLayout = storage.rawLayout
        unsafe slots = storage.take()
    }

    /// Makes a model of the schema that is registered for the class in a registry, with its defaults.
    ///
    /// Traps when no schema is registered for the class, which is a mistake in your code.
    public convenience init(registry: SchemaRegistry = .shared) {
        // The registry keeps the layout until the model does.
        defer { withExtendedLifetime(registry) {} }
        guard let layout = registry.layout(for: Self.self) else {
            trap(
                "no schema is registered for the class \(Self.self); register one before the first \(Self.self)()")
        }
        self.init(storage: layout.makeStorage())
        takeDefaults()
    }

    /// Makes a model of a schema, with its defaults, as an instance of the schema's class.
    ///
    ///     let model = DynamicModel(schema: try registry.schema(named: "Issue"), registry: registry)
    ///     model is Issue  // true
    ///
    /// Traps when the schema is not registered, or when its class is not the one that the initialiser is called on or a
    /// subclass of it. ``SchemaRegistry/schema(named:)`` returns only registered schemas.
    public convenience init(schema: ModelSchema, registry: SchemaRegistry = .shared) {
        // The registry keeps the layout until the model does.
        defer { withExtendedLifetime(registry) {} }
        guard let layout = registry.layout(for: schema) else {
            trap("the schema \(schema.name) is not registered; register it before making models")
        }
        guard layout.modelClass.isSubclass(of: Self.self) else {
            trap("the schema \(schema.name) describes the class \(layout.modelClass), not \(Self.self)")
        }
        self.init(returning: layout.makeEmptyModel())
        takeDefaults()
    }

    deinit {
        // Nobody uses the slots after this.
        unsafe releaseSlots()
    }

    /// Runs after the model was decoded from JSON or an archive, and validated. It does not run after a copy.
    ///
    /// Override it to compute values from several properties. An error refuses the model. Does nothing by itself.
    open func didDecode() throws {}

    /// Checks rules for several properties. Does nothing by itself.
    ///
    /// Runs at the end of ``validate()`` and of decoding, when every property is set and was checked.
    open func validateModel() throws {}
}

/// Lets an initialiser return an instance of a subclass, which only initialisers of a protocol can do.
protocol MadeBySchema {}

extension DynamicModel: MadeBySchema {}

extension MadeBySchema {
    /// Returns a model that was made for the class, or for a subclass of it.
    init(returning model: DynamicModel) {
        // Safe: every caller has compared the model's class with `Self`.
        self = model as! Self
    }
}
