import PalliumJSON

/// The kinds of properties, with which a description begins. `.duration` is in `DurationKind.swift`.
extension PropertySchema {
    /// `true` or `false`.
    public static var bool: PropertySchema { PropertySchema(.bool) }
    /// A 64-bit signed integer; accessors `Int` and `Int64`.
    public static var integer: PropertySchema { PropertySchema(.integer(.bits64)) }
    /// A 64-bit unsigned integer; accessors `UInt` and `UInt64`.
    public static var unsigned: PropertySchema { PropertySchema(.unsigned(.bits64)) }
    /// A double. JSON has no infinity and no NaN.
    public static var double: PropertySchema { PropertySchema(.double) }
    /// A single-precision number.
    public static var float: PropertySchema { PropertySchema(.float) }
    /// An exact decimal number.
    public static var decimal: PropertySchema { PropertySchema(.decimal) }
    /// Text.
    public static var string: PropertySchema { PropertySchema(.string) }
    /// A point in time. ISO 8601 text in JSON unless a transformer converts it.
    public static var date: PropertySchema { PropertySchema(.date) }
    /// A URL. It is checked when decoded and created at the first access.
    public static var url: PropertySchema { PropertySchema(.url) }
    /// A UUID.
    public static var uuid: PropertySchema { PropertySchema(.uuid) }
    /// Bytes; Base64 text in JSON.
    public static var data: PropertySchema { PropertySchema(.data) }
    /// Any JSON value. In schema documents the kind is called `json`.
    public static var jsonValue: PropertySchema { PropertySchema(.json) }

    /// An integer with the width and sign of a Swift type of at most 64 bits. A value out of range is an error.
    ///
    /// Traps for wider types, which can only be property values by a conformance of your own.
    public static func integer<Value: FixedWidthInteger & PropertyValue>(as type: Value.Type) -> PropertySchema {
        guard let width = PropertyKind.IntegerWidth(rawValue: Value.bitWidth) else {
            trap("integers of \(Value.bitWidth) bits (\(Value.self)) are no kind of property; use at most 64 bits")
        }
        return PropertySchema(Value.isSigned ? .integer(width) : .unsigned(width))
    }

    /// A case of a Swift enumeration.
    ///
    ///     "state": .enumeration(State.self, unknown: .keep, default: .open)
    ///
    /// - Parameter value: The case of a property that was not given. ``default(_:)-(Value)`` cannot infer the type of a
    ///   case.
    public static func enumeration<Value: PropertyEnumeration>(
        _ type: Value.Type, unknown: EnumerationSchema.UnknownCasePolicy<Value> = .fail, default value: Value? = nil
    ) -> PropertySchema {
        let property = PropertySchema(.enumeration(EnumerationSchema(type, unknown: unknown)))
        return value.map { property.default($0) } ?? property
    }

    /// A case of an enumeration of texts, without a Swift type.
    ///
    ///     "state": .enumeration("open", "closed", unknown: .fallback("open"))
    @_disfavoredOverload  // As the initialisers of `ModelSchema`: mistakes in long literals stay cheap.
    public static func enumeration(
        _ first: String, _ others: String..., unknown: EnumerationSchema.UnknownCasePolicy<String> = .fail
    ) -> PropertySchema {
        let cases = ([first] + others).map { EnumerationSchema.Case(.text($0)) }
        return .enumeration(EnumerationSchema(cases: cases, unknown: unknown.map { .text($0) }))
    }

    /// A case of an enumeration described by its texts or numbers.
    public static func enumeration(_ schema: EnumerationSchema) -> PropertySchema {
        PropertySchema(.enumeration(schema))
    }

    /// A model of the schema registered for a class.
    public static func model(_ type: DynamicModel.Type) -> PropertySchema { PropertySchema(.model(.modelClass(type))) }

    /// A model of a schema by name.
    public static func model(_ name: String) -> PropertySchema { PropertySchema(.model(.named(name))) }

    /// An array; `element` may carry modifiers of its own, such as `nullable` or a transformer.
    public static func array(of element: PropertySchema) -> PropertySchema { PropertySchema(.array(element)) }

    /// A set. It keeps the order of insertion; equality ignores order.
    public static func set(of element: PropertySchema) -> PropertySchema { PropertySchema(.set(element)) }

    /// A dictionary with text keys.
    public static func dictionary(of element: PropertySchema) -> PropertySchema { PropertySchema(.dictionary(element)) }

    /// A value of a Swift type, converted by a named transformer.
    ///
    ///     "place": .custom(Point.self, transformer: "Point"),
    ///     "cursor": .custom(Point.self).local.archive(.excluded),
    ///
    /// A property that is neither in JSON nor archived needs no transformer. A type that has a kind of its own, such as
    /// `Date` or an enumeration, is refused when the schema is registered.
    public static func custom<Value: PropertyValue & Hashable & Sendable>(
        _ type: Value.Type, name: String? = nil, transformer: TransformerName? = nil
    ) -> PropertySchema {
        PropertySchema(.custom(PropertyKind.Custom(type, name: name, transformer: transformer)))
    }
}
