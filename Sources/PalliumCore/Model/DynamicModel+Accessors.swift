import PalliumJSON

// Implements accessors: finds their slots and checks their types.
extension DynamicModel {
    /// The schema that describes the model.
    public final var schema: ModelSchema { layout.schema }

    /// Returns the value of the property that has the accessor's own name.
    ///
    ///     var title: String? { value() }
    ///     var summary: String? { value("description") }
    ///
    /// An accessor whose type does not fit the schema traps at its first use, whatever the data, and the message says
    /// how to correct it. A non-optional accessor of a nullable property is one example. Reading a required property
    /// traps if your code made the model and never set the property.
    @inlinable @inline(__always)
    public final func value<Value: PropertyValue>(_ key: StaticString = #function) -> Value {
        // A slot does not keep its model alive.
        withExtendedLifetime(self) { Value._load(slotForReading(key, Value.self)) }
    }

    /// Sets the property that has the accessor's own name; nil stores null.
    ///
    ///     var title: String? { get { value() } set { set(newValue) } }
    ///
    /// Traps when the schema refuses the value; `setValue(_:forKey:)` throws instead.
    public final func set<Value: PropertyValue>(_ newValue: Value, _ key: StaticString = #function) {
        do {
            let slot = slotForWriting(key, Value.self)
            try change(slot) { () throws(ModelError) in try newValue._store(slot) }
        } catch {
            trap("\(error.under(key: "\(key)"))")
        }
    }

    /// Returns the slot for an accessor.
    @inlinable @inline(__always)
    final func slotForReading<Value: PropertyValue>(_ key: StaticString, _ type: Value.Type) -> PropertySlot {
        if let slot = firstSlot(ofAccessor: key, ObjectIdentifier(type)) { return slot }
        // Only the first use needs the conformance, which costs a look-up for optionals.
        return resolveReadSlot(key, type)
    }

    /// Returns the slot for an accessor that sets a property.
    private final func slotForWriting<Value: PropertyValue>(_ key: StaticString, _ type: Value.Type) -> PropertySlot {
        if let slot = firstSlot(ofAccessor: key, ObjectIdentifier(type)) { return slot }
        return resolveSlot(key, type, isRead: false)
    }

    /// Returns the slot for an accessor that reads an observed model, is used for the first time, or has another's bucket.
    ///
    /// `releasenone`: it releases nothing that a caller could refer to. Callers then need not count a reference to the
    /// model during the call, which costs more than the call.
    @usableFromInline @_effects(releasenone) @inline(never)
    final func resolveReadSlot(_ key: StaticString, _ type: any PropertyValue.Type) -> PropertySlot {
        if let slot = secondSlot(ofAccessor: key, ObjectIdentifier(type)) {
            didRead(number(of: slot))
            return slot
        }
        return resolveSlot(key, type, isRead: true)
    }

    /// Returns the slot for an accessor that has not the first bucket of its hash. The first use enters it in the table.
    private final func resolveSlot(
        _ key: StaticString, _ type: any PropertyValue.Type, isRead: Bool
    ) -> PropertySlot {
        if let slot = knownSlot(ofAccessor: key, ObjectIdentifier(type)) {
            if isRead { didRead(number(of: slot)) }
            return slot
        }
        let index: Int
        do throws(SchemaError) { index = try layout.slot(ofAccessor: "\(key)", type) } catch {
            guard let probe = companion?.accessorProbe else { trap("\(error)") }
            return probe.slot(for: type, insteadOf: error.problems)
        }
        enter(index, ofAccessor: key, ObjectIdentifier(type))
        if isRead { didRead(index) }
        return slot(at: index)
    }
}

extension DynamicModel: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .model(.modelClass(Self.self)) }

    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        guard let model = descriptor.model else { return false }
        if use == .store { return true }
        // The slot holds an instance of the schema's class, so a superclass can read it.
        return model.modelClass is Self.Type
            && (descriptor.kind == .model || descriptor.kind == .weakModel && use == .readOptional)
    }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: _Storage.Slot) -> Self {
        slot.requireValue()
        return slot.model(of: Self.self)
    }

    /// Reads a slot; returns nil when it holds no value of the type.
    public static func _loadIfPresent(_ slot: _Storage.Slot) -> Self? {
        guard slot.hasValue else { return nil }
        if slot.description.kind == .weakModel {
            return slot.weakModel.map { $0.known(as: Self.self) }
        }
        return _load(slot)
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        let descriptor = slot.description
        guard fits(descriptor) else {
            throw ModelError(
                .typeMismatch, descriptor, expected: descriptor.expectation,
                found: "a model of \(schema.name) (\(type(of: self)))")
        }
        if descriptor.kind == .weakModel {
            slot.replace(with: WeakModelBox(self))
        } else {
            slot.replace(with: self as DynamicModel)
        }
    }

    /// Whether the class is `other` or inherits from it. Swift cannot test this for two classes known only at run time.
    static func isSubclass(of other: DynamicModel.Type) -> Bool {
        var type: AnyClass? = self
        while let current = type {
            if current == other { return true }
            type = _getSuperclass(current)
        }
        return false
    }
}
