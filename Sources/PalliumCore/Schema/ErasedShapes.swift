// Inspects values and types that are known only as `any PropertyValue`.

/// Optionals.
protocol OptionalShape {
    static var wrappedType: any PropertyValue.Type { get }
    var wrappedValue: (any PropertyValue)? { get }
}

extension Optional: OptionalShape where Wrapped: PropertyValue {
    static var wrappedType: any PropertyValue.Type { Wrapped.self }
    var wrappedValue: (any PropertyValue)? { self }
}

/// Arrays, sets and dictionaries.
protocol CollectionShape {
    static var elementType: any PropertyValue.Type { get }
    /// Returns the kind of property that holds such collections of these elements.
    static func kind(of element: PropertySchema) -> PropertyKind
}

/// Arrays.
protocol ArrayShape: CollectionShape {
    var erasedElements: [(any PropertyValue)?] { get }
}

extension Array: ArrayShape, CollectionShape where Element: PropertyValue {
    static var elementType: any PropertyValue.Type { Element.self }
    var erasedElements: [(any PropertyValue)?] { map { Erased.value($0) } }
    static func kind(of element: PropertySchema) -> PropertyKind { .array(element) }
}

extension Set: CollectionShape where Element: PropertyValue {
    static var elementType: any PropertyValue.Type { Element.self }
    static func kind(of element: PropertySchema) -> PropertyKind { .set(element) }
}

extension Dictionary: CollectionShape where Key == String, Value: PropertyValue {
    static var elementType: any PropertyValue.Type { Value.self }
    static func kind(of element: PropertySchema) -> PropertyKind { .dictionary(element) }
}

/// Removes optionals from values and types.
package enum Erased {
    /// Returns the value without optionals around it; nil inside any number of optionals is nil.
    package static func value(_ value: (any PropertyValue)?) -> (any PropertyValue)? {
        var value = value
        while let optional = value as? any OptionalShape { value = optional.wrappedValue }
        return value
    }

    /// Returns the type without optionals around it.
    static func type(_ type: any PropertyValue.Type) -> any PropertyValue.Type {
        var type = type
        while let optional = type as? any OptionalShape.Type { type = optional.wrappedType }
        return type
    }
}
