import PalliumJSON

/// A model: an instance of a class whose properties live in typed slots that a schema describes.
///
/// Subclasses declare accessors whose own name is the key:
///
///     final class Issue: DynamicModel {
///         var number: Int { value() }
///         var title: String? { get { value() } set { set(newValue) } }
///     }
///
/// Models of schemas without a class are plain `DynamicModel`s and are used by key.
///
/// A model belongs to one isolation region; it is not `Sendable`, and functions that make models return them `sending`.
@safe
open class DynamicModel {
    /// The compiled schema, as plain bytes.
    @usableFromInline package final let table: UnsafePointer<RawLayout>
    /// The slots and their states; see `RawLayout` for the picture.
    ///
    /// Safety: allocated by `ModelStorage` for this table, freed in `deinit`, never handed out beyond a call.
    @usableFromInline package final let slots: UnsafeMutableRawPointer
    /// What only some models have. Reading it never overlaps with writing it: both are single loads and stores.
    @safe @exclusivity(unchecked) package final var companion: ModelCompanion?

    /// Makes a model from empty slots. Called by the library; a subclass with stored properties of its own that needs a
    /// designated initialiser passes the storage on.
    public required init(storage: consuming ModelStorage) {
        unsafe table = storage.table
        unsafe slots = storage.take()
    }

    /// Makes a model of the schema that is registered for the class in ``SchemaRegistry/shared``, with its defaults.
    ///
    /// Traps when no schema is registered for the class: that is a mistake of the program, not of data.
    public convenience init() { self.init(registry: .shared) }

    /// Makes a model of the schema that is registered for the class in a registry, with its defaults.
    ///
    /// Traps when no schema is registered for the class.
    public convenience init(registry: SchemaRegistry) {
        // It holds the layout until the model does.
        defer { withExtendedLifetime(registry) {} }
        guard let layout = registry.layout(for: Self.self) else {
            stop(
                "no schema is registered for the class \(Self.self); register one before the first \(Self.self)()")
        }
        unsafe self.init(storage: ModelStorage(layout.table))
        takeDefaults()
    }

    /// Makes a model of a schema, with its defaults. It is an instance of the class that the schema is bound to.
    ///
    ///     let model = DynamicModel(schema: try registry.schema(named: "Issue"), registry: registry)
    ///     model is Issue  // true
    ///
    /// Traps when the schema is not registered (``SchemaRegistry/schema(named:)`` answers registered ones only), or when
    /// its class is neither the one that the initialiser is called on nor a subclass of it.
    public convenience init(schema: ModelSchema, registry: SchemaRegistry = .shared) {
        // It holds the layout until the model does.
        defer { withExtendedLifetime(registry) {} }
        guard let layout = registry.layout(for: schema) else {
            stop("the schema \(schema.name) is not registered; register it before making models")
        }
        guard layout.modelClass.isSubclass(of: Self.self) else {
            stop("the schema \(schema.name) describes the class \(layout.modelClass), not \(Self.self)")
        }
        self.init(made: layout.makeEmptyModel())
        takeDefaults()
    }

    deinit {
        let table = unsafe table
        let states = unsafe slots + table.pointee.stateOffset
        for number in unsafe 0..<table.pointee.managedCount {
            let index = unsafe Int(table.pointee.managed[number])
            let state = unsafe SlotState(rawValue: states.load(fromByteOffset: index, as: UInt8.self))
            guard state.hasValue else { continue }
            let kind = unsafe table.pointee.kinds[index]
            let pointer = unsafe slots + index &* 16
            if kind.mayHoldModels {
                unsafe ReleaseQueue.release(Unmanaged<AnyObject>.fromOpaque(pointer.load(as: UnsafeRawPointer.self)))
            } else {
                unsafe SlotOperations.destroy(pointer, kind: kind, state: state)
            }
        }
        unsafe SlotMemory.deallocate(slots)
        // Last, because the table may go with it. What waits in the release queue needs no table of this model.
        if let registry = unsafe table.pointee.registry { unsafe registry.release() }
    }

    /// Runs once a model came from JSON or an archive, after its validators; not after a copy. Does nothing by itself.
    ///
    /// Override it to compute what is derived from several properties. Throwing refuses the model.
    open func didDecode() throws {}

    /// Checks rules that concern several properties. Does nothing by itself.
    ///
    /// Runs at the end of ``validate()`` and of decoding, when every property is set and checked by itself.
    open func validateModel() throws {}
}

/// Lets an initialiser return an instance of a subclass, which only one of a protocol can.
protocol MadeBySchema {}

extension DynamicModel: MadeBySchema {}

extension MadeBySchema {
    /// Takes a model that was made for the class, or for a subclass of it.
    init(made model: DynamicModel) {
        // Safe: whoever calls this has compared the model's class with `Self`.
        self = model as! Self
    }
}
