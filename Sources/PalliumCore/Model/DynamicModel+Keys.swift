import PalliumJSON

// Safety: descriptions live as long as the model that is asked; slots with a value hold what their kinds say.
extension DynamicModel {
    /// The value of a property by key, in its natural Swift type; nil for unset and null.
    ///
    /// Natural types are `Int` for `integer`, `UInt` for `unsigned`, the type of that width for other integers, the Swift
    /// type of an enumeration where the schema came from one and `String` or `Int` otherwise, arrays for arrays and sets,
    /// `[String: …]` for dictionaries, ``DynamicModel`` (the registered class) for models.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` when the schema has no such property.
    public final func value(forKey key: String) throws(ModelError) -> (any PropertyValue)? {
        guard let index = index(of: key) else { throw layout.unknownKeyError(key) }
        return naturalValue(at: index)
    }

    package final func naturalValue(at index: Int) -> (any PropertyValue)? {
        slot(at: index).naturalValue
    }

    /// Sets a property by key; nil stores null.
    ///
    /// - Throws: ``ModelError`` when the schema has no such property, the value is of another kind or out of range, or
    ///   null is not allowed. The model is then unchanged.
    public final func setValue(_ value: (any PropertyValue)?, forKey key: String) throws(ModelError) {
        guard let index = index(of: key) else { throw layout.unknownKeyError(key) }
        let slot = slot(at: index)
        do throws(ModelError) {
            try change(slot) { () throws(ModelError) in try slot.store(value) }
        } catch { throw error.under(key: key) }
    }

    /// The value at a path of keys and element numbers: `"assignee.login"`, `"labels[0]"`; nil where the path ends early.
    ///
    /// The syntax is that of ``JSONKeyPath``; the names are property keys, and keys of dictionary properties.
    ///
    /// - Throws: ``ModelError`` when the path is malformed, names a key that a schema does not have, or walks into a
    ///   value that has no parts.
    public final func value(forKeyPath path: String) throws(ModelError) -> (any PropertyValue)? {
        let steps: [JSONKeyPath.Step]
        do { steps = try JSONKeyPath(path).steps } catch {
            throw ModelError(.unknownKey, expected: "a key path", found: error.description, schema: schema.name)
        }
        guard case .member(let first) = steps[0], let index = layout.index(of: first) else {
            throw layout.unknownKeyError(path)
        }
        var slot = slot(at: index)
        for step in steps.dropFirst() {
            guard slot.hasValue else { return nil }
            guard let next = try slot.part(step) else { return nil }
            slot = next
        }
        return slot.naturalValue
    }

    /// A property by key, for keys that the program knows to be right.
    ///
    /// Traps when the schema has no such property or refuses the value: use ``value(forKey:)`` and
    /// ``setValue(_:forKey:)`` for keys and values that come from elsewhere.
    public final subscript(key: String) -> (any PropertyValue)? {
        get {
            do { return try value(forKey: key) } catch { stop("\(error)") }
        }
        set {
            do { try setValue(newValue, forKey: key) } catch { stop("\(error)") }
        }
    }

    /// A property by key as a type the program knows to be right: `model["title", as: String.self]`; nil for unset and
    /// null.
    @inlinable @inline(__always)
    public final subscript<Value: PropertyValue>(key: String, as type: Value.Type) -> Value? {
        withExtendedLifetime(self) { Value._loadIfPresent(_slot(forKey: key, type)) }
    }

    /// The slot of a property that optionals of a type can read. Public for inlining only; `releasenone` as for accessors.
    @usableFromInline @_effects(releasenone)
    final func _slot(forKey key: String, _ type: any PropertyValue.Type) -> PropertySlot {
        guard let index = index(of: key) else {
            return probeSlot(layout.unknownKeyError(key).description, key, type)
        }
        let slot = slot(at: index)
        // Whoever asks for the same type again, which is the rule, is answered by a word.
        let fits = unsafe slot.descriptor._withUnsafeGuaranteedRef { $0.optionalFits(type) }
        if fits { return slot }
        let descriptor = slot.description
        return probeSlot("\(descriptor.path) holds \(descriptor.expectation), not \(type)", key, type)
    }

    /// Ends the program with a mistake in a subscript, unless accessors are being verified.
    private final func probeSlot(_ mistake: String, _ key: String, _ type: any PropertyValue.Type) -> PropertySlot {
        guard let probe = companion?.accessorProbe else { stop(mistake) }
        let problem = SchemaError.Problem(schema: schema.name, property: key, message: mistake)
        return probe.slot(for: type.optionalType, insteadOf: [problem])
    }

    /// The number of the property with a key, found without counting references.
    @inline(__always)
    final func index(of key: String) -> Int? { unsafe table.pointee.keys._withUnsafeGuaranteedRef { $0.find(key) } }

    /// Removes the value of a property: neither a value nor null.
    ///
    /// - Throws: ``ModelError`` when the schema has no such property.
    public final func unset(_ key: String) throws(ModelError) {
        guard let index = index(of: key) else { throw layout.unknownKeyError(key) }
        let slot = slot(at: index)
        change(slot) { slot.clear() }
    }

    /// Whether a property is unset, null, or holds a value, given or defaulted. A weak reference is null once its model
    /// is gone.
    ///
    /// - Throws: ``ModelError`` when the schema has no such property.
    public final func state(of key: String) throws(ModelError) -> PropertyState {
        guard let index = index(of: key) else { throw layout.unknownKeyError(key) }
        return slot(at: index).propertyState
    }
}

extension PropertySlot {
    var propertyState: PropertyState {
        let state = slotState
        if state.isUnset { return .unset }
        // A weak reference whose model is gone reads as nil.
        if state.isNull || description.kind == .weakModel && naturalValue == nil { return .null }
        return state.isDefaulted ? .defaulted : .value
    }
}

extension PropertySlot {
    /// The value in its natural Swift type; nil for unset and null, and for a weak model that is gone.
    package var naturalValue: (any PropertyValue)? {
        guard hasValue else { return nil }
        let type = unsafe descriptor._withUnsafeGuaranteedRef { $0.naturalType }
        return loadOptional(type)
    }

    private func loadOptional<Value: PropertyValue>(_ type: Value.Type) -> (any PropertyValue)? {
        Value._loadIfPresent(self)
    }

    /// Stores a value of any type that the description accepts.
    package func store(_ value: (any PropertyValue)?) throws(ModelError) {
        guard let value else { return try storeNull() }
        let descriptor = description
        guard descriptor.accepts(type(of: value)) else {
            throw ModelError(
                .typeMismatch, descriptor, expected: descriptor.expectation,
                found: "a value of the type \(type(of: value))")
        }
        try value._store(self)
    }

    /// The slot of a part of the value: a property of a model, an element of a collection.
    func part(_ step: JSONKeyPath.Step) throws(ModelError) -> PropertySlot? {
        let descriptor = description
        switch (descriptor.kind, step) {
        case (.model, .member(let key)), (.weakModel, .member(let key)):
            guard let model = DynamicModel._loadIfPresent(self) else { return nil }
            guard let index = model.layout.index(of: key) else { throw model.layout.unknownKeyError(key) }
            return model.slot(at: index)
        case (.array, .element(let index)), (.set, .element(let index)):
            let list = unsafe SlotOperations.box(SlotList.self, pointer)
            return index < list.count ? list.slot(at: index) : nil
        case (.dictionary, .member(let key)):
            let list = unsafe SlotOperations.box(SlotDictionary.self, pointer)
            return list.index(of: key).map { list.slot(at: $0) }
        default:
            throw ModelError(
                .unknownKey, descriptor, expected: "a value with parts", found: descriptor.expectation)
        }
    }
}
