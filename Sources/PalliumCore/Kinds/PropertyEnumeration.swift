import PalliumJSON

/// A Swift enumeration whose cases are texts or integers in JSON.
///
///     enum State: String, PropertyEnumeration { case open, closed }
///
/// A property of the kind ``PropertySchema/enumeration(_:unknown:default:)`` stores the case. Its accessor has the
/// type, or an optional of it.
///
/// A schema document has its own list of cases, which may grow beyond the type's. Then the document's policy for
/// unknown cases decides: with a fallback, the accessor returns that case; otherwise the accessor must be optional and
/// returns nil. A non-optional accessor does not fit (``SchemaRegistry/verifyAccessors(of:_:samples:)``).
public protocol PropertyEnumeration: PropertyValue, RawRepresentable, CaseIterable, Hashable, Sendable
where RawValue: PropertyEnumerationRawValue {}

/// The raw types an enumeration can have: `String` and the integer types.
public protocol PropertyEnumerationRawValue: Sendable {
    /// The raw value, erased.
    var _enumerationRawValue: EnumerationSchema.RawValue { get }

    /// The raw value of this type; nil when the erased one does not fit.
    init?(_enumerationRawValue: EnumerationSchema.RawValue)
}

extension String: PropertyEnumerationRawValue {
    /// The raw value, erased.
    public var _enumerationRawValue: EnumerationSchema.RawValue { .text(self) }

    /// The raw value of this type; nil when the erased one does not fit.
    public init?(_enumerationRawValue raw: EnumerationSchema.RawValue) {
        guard case .text(let text) = raw else { return nil }
        self = text
    }
}

extension FixedWidthInteger where Self: PropertyEnumerationRawValue {
    // Raw values above Int64.max are assumed not to exist; they could not be distinguished from others.
    /// The raw value, erased.
    public var _enumerationRawValue: EnumerationSchema.RawValue { .number(Int64(truncatingIfNeeded: self)) }

    /// The raw value of this type; nil when the erased one does not fit.
    public init?(_enumerationRawValue raw: EnumerationSchema.RawValue) {
        guard case .number(let number) = raw, let value = Self(exactly: number) else { return nil }
        self = value
    }
}

extension Int: PropertyEnumerationRawValue {}
extension Int8: PropertyEnumerationRawValue {}
extension Int16: PropertyEnumerationRawValue {}
extension Int32: PropertyEnumerationRawValue {}
extension Int64: PropertyEnumerationRawValue {}
extension UInt: PropertyEnumerationRawValue {}
extension UInt8: PropertyEnumerationRawValue {}
extension UInt16: PropertyEnumerationRawValue {}
extension UInt32: PropertyEnumerationRawValue {}

extension PropertyEnumeration {
    package var _rawEnumerationValue: EnumerationSchema.RawValue { rawValue._enumerationRawValue }

    package init?(raw: EnumerationSchema.RawValue) {
        guard let rawValue = RawValue(_enumerationRawValue: raw) else { return nil }
        self.init(rawValue: rawValue)
    }

    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .enumeration(EnumerationSchema(Self.self)) }

    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        guard let schema = descriptor.enumeration?.schema else { return false }
        if schema.type is TypedEnumeration<Self> { return use != .read || schema.unknown != .keep }
        // A schema from a document has no Swift type and may have cases that this type lacks. They read as nil or, if
        // the schema has a fallback, as that. Without a common case it is another enumeration.
        func has(_ raw: EnumerationSchema.RawValue) -> Bool { Self(raw: raw) != nil }
        guard use == .read else { return schema.cases.contains { has($0.rawValue) } }
        return switch schema.unknown {
        case .fail: schema.cases.allSatisfy { has($0.rawValue) }
        case .keep: false
        case .fallback(let raw): has(raw)
        }
    }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: _Storage.Slot) -> Self {
        slot.requireValue()
        guard let value = _loadIfPresent(slot) else {
            // An invariant: the cases were checked when the accessor was resolved.
            preconditionFailure("\(slot.description.path) holds an unknown case, which only an optional accessor fits")
        }
        return value
    }

    /// Reads a slot; returns nil when it holds no value of the type.
    public static func _loadIfPresent(_ slot: _Storage.Slot) -> Self? {
        guard slot.hasValue, let enumeration = slot.description.enumeration else { return nil }
        if !slot.slotState.isBoxed, let typed = enumeration.schema.type as? TypedEnumeration<Self> {
            return typed.cases[slot.load(Int.self)]
        }
        if let value = Self(raw: slot.enumerationRawValue) { return value }
        guard case .fallback(let raw) = enumeration.schema.unknown else { return nil }
        return Self(raw: raw)
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        try slot.storeEnumeration(_rawEnumerationValue)
    }
}

extension PropertySlot {
    /// The raw value of the case in an enumeration slot.
    package var enumerationRawValue: EnumerationSchema.RawValue {
        if slotState.isBoxed { return unknownCase }
        // The descriptor of an enumeration slot always has its cases, and stored numbers come from them.
        return description.enumeration!.schema.cases[load(Int.self)].rawValue
    }

    /// Stores the case of a raw value, or applies the schema's policy for unknown cases.
    package func storeEnumeration(_ raw: EnumerationSchema.RawValue) throws(ModelError) {
        let descriptor = description
        guard let enumeration = descriptor.enumeration else {
            throw ModelError(.typeMismatch, descriptor, expected: descriptor.expectation, found: "an enumeration case")
        }
        if let number = enumeration.caseNumber(for: raw) {
            replace(with: number, state: .enumerationCase)
            return
        }
        switch enumeration.schema.unknown {
        case .keep where enumeration.schema.canKeep(raw): replace(with: UnknownCaseBox(raw), state: .unknownCase)
        case .fail, .keep:
            let error = ModelError(.unknownCase, descriptor, expected: descriptor.expectation, found: raw.summary)
                .finding(descriptor.isSensitive ? nil : raw.json)
            guard case .text(let text) = raw, !descriptor.isSensitive else { throw error }
            throw error.suggesting(enumeration.nearestText(to: text))
        case .fallback: replace(with: enumeration.fallbackNumber, state: .enumerationCase)
        }
    }
}
