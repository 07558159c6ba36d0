import Foundation
import PalliumJSON

// Reads and sets properties by key and key path.
//
// Safety: descriptors live as long as their model. A slot with a value holds the type of its kind.
extension DynamicModel {
    /// Returns the value of a property by key, in its natural Swift type; nil for unset and null.
    ///
    /// The natural types are `Int` for `integer`, `UInt` for `unsigned`, and the type of that width for other integers.
    /// An enumeration has its Swift type, or `String` or `Int` if it has none. Arrays and sets are arrays, dictionaries
    /// are `[String: …]`. A model has its registered class, or is a ``DynamicModel``.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` when the schema has no such property.
    public final func value(forKey key: String) throws(ModelError) -> (any PropertyValue)? {
        guard let index = index(of: key) else { throw layout.unknownKeyError(key) }
        didRead(index)
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
        } catch { throw error.under(layout.properties[index]) }
    }

    /// Returns the value at a path such as `"assignee.login"` or `"labels[0]"`; nil where the path ends early.
    ///
    /// The syntax is that of key paths in JSON; the names are property keys, and keys of dictionary properties.
    ///
    /// - Throws: ``ModelError`` when the path is malformed, names a key that a schema does not have, or steps into a
    ///   value that is neither a model nor a collection. Where a model is missing, its declared schema and the
    ///   descendants of that decide.
    public final func value(forKeyPath path: String) throws(ModelError) -> (any PropertyValue)? {
        let steps: [JSONKeyPath.Step]
        do { steps = try JSONKeyPath(path).steps } catch {
            throw ModelError(.unknownKey, expected: "a key path", found: error.description, schema: schema.name)
        }
        guard case .member(let first) = steps[0], let index = layout.index(of: first) else {
            throw layout.unknownKeyError(inPath: steps[...])
        }
        didRead(index)
        var slot = slot(at: index)
        for number in steps.indices.dropFirst() {
            guard slot.hasValue, let next = try slot.part(steps[number...]) else {
                try slot.description.checkParts(steps[number...])
                return nil
            }
            slot = next
        }
        return slot.naturalValue
    }

    /// A property by key, for keys that are known to be right.
    ///
    /// Traps when the schema has no such property or refuses the value. For keys and values from outside your code, use
    /// ``value(forKey:)`` and ``setValue(_:forKey:)``.
    public final subscript(key: String) -> (any PropertyValue)? {
        get {
            do { return try value(forKey: key) } catch { trap("\(error)") }
        }
        set {
            do { try setValue(newValue, forKey: key) } catch { trap("\(error)") }
        }
    }

    /// A property by key as this type: `model["title", as: String.self]`; nil for unset and null.
    @inlinable @inline(__always)
    public final subscript<Value: PropertyValue>(key: String, as type: Value.Type) -> Value? {
        withExtendedLifetime(self) { Value._loadIfPresent(slotForReading(forKey: key, type)) }
    }

    /// Returns the slot of a property that optionals of a type can read. Public for inlining only; `releasenone` as for
    /// accessors.
    @usableFromInline @_effects(releasenone)
    final func slotForReading(forKey key: String, _ type: any PropertyValue.Type) -> PropertySlot {
        guard let index = index(of: key) else {
            return probeSlot(layout.unknownKeyError(key).description, key, type)
        }
        didRead(index)
        let slot = slot(at: index)
        // The common case, the same type as at the last access, compares one word.
        let fits = slot.withDescription { $0.optionalFits(type) }
        if fits { return slot }
        let descriptor = slot.description
        return probeSlot("\(descriptor.path) holds \(descriptor.expectation), not \(type)", key, type)
    }

    /// Ends the program with a mistake in a subscript, unless accessors are being verified.
    private final func probeSlot(_ mistake: String, _ key: String, _ type: any PropertyValue.Type) -> PropertySlot {
        guard let probe = companion?.accessorProbe else { trap(mistake) }
        let problem = SchemaError.Problem(schema: schema.name, property: key, message: mistake)
        return probe.slot(for: type.optionalType, insteadOf: [problem])
    }

    /// Returns the index of the property with a key, without counting references.
    @inline(__always)
    final func index(of key: String) -> Int? { keyTable.with { $0.find(key) } }

    /// Unsets a property: it has neither a value nor null then.
    ///
    /// - Throws: ``ModelError`` when the schema has no such property.
    public final func unset(_ key: String) throws(ModelError) {
        guard let index = index(of: key) else { throw layout.unknownKeyError(key) }
        let slot = slot(at: index)
        change(slot) { slot.clear() }
    }

    /// Returns whether a property is unset, null, or has a value, given or defaulted. A weak reference is null once its
    /// model is released.
    ///
    /// - Throws: ``ModelError`` when the schema has no such property.
    public final func state(of key: String) throws(ModelError) -> PropertyState {
        guard let index = index(of: key) else { throw layout.unknownKeyError(key) }
        didRead(index)
        return slot(at: index).propertyState
    }
}

extension PropertySlot {
    var propertyState: PropertyState {
        let state = slotState
        if state.isUnset { return .unset }
        // A weak reference whose model was released reads as nil.
        if state.isNull || description.kind == .weakModel && naturalValue == nil { return .null }
        return state.isDefaulted ? .defaulted : .value
    }
}

extension PropertySlot {
    /// The value in its natural Swift type; nil for unset and null, and for a weak reference whose model was released.
    package var naturalValue: (any PropertyValue)? {
        guard hasValue else { return nil }
        // Types that the compiler knows need no look-up of metadata, which takes most of the time.
        switch withDescription({ $0.basicKind }) {
        case .integer: return load(Int.self)
        case .string: return load(String.self)
        case .bool: return load(UInt64.self) != 0
        case .double: return load(Double.self)
        case .date: return Date(timeIntervalSinceReferenceDate: load(Double.self))
        default: break
        }
        let type = withDescription { $0.naturalType }
        return loadOptional(type)
    }

    private func loadOptional<Value: PropertyValue>(_ type: Value.Type) -> (any PropertyValue)? {
        Value._loadIfPresent(self)
    }

    /// Stores a value of any type that the descriptor accepts.
    package func store(_ value: (any PropertyValue)?) throws(ModelError) {
        guard let value else { return try storeNil() }
        let descriptor = description
        guard descriptor.accepts(type(of: value)) else {
            throw ModelError(
                .typeMismatch, descriptor, expected: descriptor.expectation,
                found: "a value of the type \(type(of: value))")
        }
        try value._store(self)
    }

    /// Returns the slot of the property of a model, or the element of a collection, that the first step names.
    fileprivate func part(_ steps: ArraySlice<JSONKeyPath.Step>) throws(ModelError) -> PropertySlot? {
        let descriptor = description
        switch (descriptor.kind, steps[steps.startIndex]) {
        case (.model, .member(let key)), (.weakModel, .member(let key)):
            guard let model = DynamicModel._loadIfPresent(self) else { return nil }
            guard let index = model.layout.index(of: key) else {
                throw model.layout.unknownKeyError(inPath: steps)
            }
            model.didRead(index)
            return model.slot(at: index)
        case (.array, .element(let index)), (.set, .element(let index)):
            let list = list
            return index < list.count ? list.slot(at: index) : nil
        case (.dictionary, .member(let key)):
            let list = dictionary
            return list.index(of: key).map { list.slot(at: $0) }
        default: throw descriptor.lackOfParts
        }
    }
}

extension ValueDescriptor {
    fileprivate var lackOfParts: ModelError {
        ModelError(.unknownKey, self, expected: "a value with parts", found: expectation)
    }

    /// Checks the steps of a key path after a missing value.
    fileprivate func checkParts(_ steps: ArraySlice<JSONKeyPath.Step>) throws(ModelError) {
        var descriptor = self
        for number in steps.indices {
            switch (descriptor.kind, steps[number]) {
            case (.model, .member(let key)), (.weakModel, .member(let key)):
                guard let layout = descriptor.model else { return }
                guard let index = layout.index(of: key) else {
                    // The model could be of a descendant. What such a property holds is not looked into.
                    let descendants = layout.registry.descendants(of: layout)
                    if descendants.contains(where: { $0.index(of: key) != nil }) { return }
                    throw layout.unknownKeyError(inPath: steps[number...])
                }
                descriptor = layout.properties[index].descriptor
            case (.array, .element), (.set, .element), (.dictionary, .member):
                guard let element = descriptor.element else { return }
                descriptor = element
            default: throw descriptor.lackOfParts
            }
        }
    }
}
