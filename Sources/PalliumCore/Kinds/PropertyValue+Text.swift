public import Foundation
public import PalliumJSON

// Stores and reads text, URLs, dates, UUIDs, data and JSON values.
//
// Safety: a slot with a value holds the type of its kind and state: the text of a URL or, boxed, the URL; the box of a
// JSON value.
extension String: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .string }

    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        if case .enumeration(let schema) = descriptor.property.kind {
            return schema.cases.allSatisfy {
                if case .text = $0.rawValue { true } else { false }
            }
        }
        return descriptor.kind == .string
    }

    /// Reads a slot that holds a value.
    @inlinable @inline(__always)
    public static func _load(_ slot: _Storage.Slot) -> String {
        slot.requireValue()
        if !slot.slotState.isEnumeration { return slot.load(String.self) }
        return slot._enumerationText
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        if slot.description.kind == .string {
            slot.replace(with: self)
        } else {
            try slot.storeEnumeration(.text(self))
        }
    }
}

extension PropertySlot {
    @usableFromInline package var _enumerationText: String {
        @_effects(releasenone) get { enumerationRawValue.description }
    }
}

extension URL: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .url }

    /// Reads the URL, which the first call makes and keeps in the slot.
    public static func _load(_ slot: _Storage.Slot) -> URL {
        slot.requireValue()
        return slot.makeURL()
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        slot.replace(with: URLBox(self), state: .boxedValue)
    }
}

extension PropertySlot {
    /// Returns the URL of a slot with a value. A URL made from text is kept.
    @discardableResult
    package func makeURL() -> URL {
        let state = slotState
        if state.isBoxed { return boxedURL }
        let text = urlText
        guard let url = URLText.strict(text) else {
            // The decoder keeps text only if every Foundation accepts it as a URL.
            preconditionFailure("\(description.path) holds text that Foundation refuses as a URL: \(text)")
        }
        replace(
            with: URLBox(url, text: text), state: state.isDefaulted ? SlotState.boxedValue.asDefaulted : .boxedValue)
        return url
    }
}

extension Date: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .date }

    /// Reads a slot that holds a value.
    @inlinable @inline(__always)
    public static func _load(_ slot: _Storage.Slot) -> Date {
        slot.requireValue()
        return Date(timeIntervalSinceReferenceDate: slot.load(Double.self))
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        slot.replace(with: SpelledDate(self))
    }
}

extension SpelledDate {
    package init(_ date: Date) { self.init(seconds: date.timeIntervalSinceReferenceDate) }

    package var date: Date { Date(timeIntervalSinceReferenceDate: seconds) }
}

extension UUID: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .uuid }
}

extension Data: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .data }
}

extension JSONValue: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .json }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: _Storage.Slot) -> JSONValue {
        slot.requireValue()
        return slot.json
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        if case .null = self {
            try slot.storeNull()
        } else {
            slot.replace(with: JSONBox(self))
        }
    }
}
