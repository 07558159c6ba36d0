// What has to be known of a value or type when only `any PropertyValue` is at hand.

/// Optionals.
protocol OptionalShape {
    static var wrappedType: any PropertyValue.Type { get }
    var wrappedValue: (any PropertyValue)? { get }
}

extension Optional: OptionalShape where Wrapped: PropertyValue {
    static var wrappedType: any PropertyValue.Type { Wrapped.self }
    var wrappedValue: (any PropertyValue)? { self }
}

/// Arrays.
protocol ArrayShape {
    static var elementType: any PropertyValue.Type { get }
    var erasedElements: [(any PropertyValue)?] { get }
}

extension Array: ArrayShape where Element: PropertyValue {
    static var elementType: any PropertyValue.Type { Element.self }
    var erasedElements: [(any PropertyValue)?] { map { Erased.value($0) } }
}

/// Arrays, sets and dictionaries.
protocol CollectionShape {
    static var elementType: any PropertyValue.Type { get }
    /// The kind of property that holds such collections of some elements.
    static func kind(of element: PropertySchema) -> PropertyKind
}

extension Array: CollectionShape where Element: PropertyValue {
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

/// Taking optionals off values and types.
package enum Erased {
    /// The value itself, or what is in it if it is an optional: nil inside of any number of optionals is nil.
    package static func value(_ value: (any PropertyValue)?) -> (any PropertyValue)? {
        var value = value
        while let optional = value as? any OptionalShape { value = optional.wrappedValue }
        return value
    }

    /// The type itself, or what is in it if it is an optional.
    static func type(_ type: any PropertyValue.Type) -> any PropertyValue.Type {
        var type = type
        while let optional = type as? any OptionalShape.Type { type = optional.wrappedType }
        return type
    }
}
