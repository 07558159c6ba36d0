package import PalliumJSON

/// The kinds of values a property can hold.
///
/// Kinds are never converted silently: 1.5 is no integer, "5" is no number and 1 is no bool.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PropertyKind: Sendable, Hashable {
    case bool
    /// A signed integer of at most this many bits; out of range is an error.
    case integer(IntegerWidth)
    /// An unsigned integer of at most this many bits.
    case unsigned(IntegerWidth)
    case double
    case float
    /// An exact decimal number of up to 38 digits.
    case decimal
    case string
    case date
    /// A length of time, exact to 10⁻¹⁸ seconds.
    case duration
    case url
    case uuid
    case data
    case enumeration(EnumerationSchema)
    case model(ModelReference)
    indirect case array(PropertySchema)
    /// Keeps the order of insertion; equality ignores order.
    indirect case set(PropertySchema)
    /// Text keys, compared as bytes. Keeps the order of insertion.
    indirect case dictionary(PropertySchema)
    /// Any JSON value.
    case json
    /// A Swift type of your own, by its name.
    case custom(Custom)

    /// The number of bits of an integer property.
    public enum IntegerWidth: Int, Sendable, Hashable, CaseIterable {
        case bits8 = 8
        case bits16 = 16
        case bits32 = 32
        case bits64 = 64
    }

    /// The kind's name in schema documents, for example `"integer"`; a custom kind has its own name.
    public var name: String {
        if case .custom(let custom) = self { custom.name } else { traits.name }
    }

    /// Whether a store can hold values in a column of their own, in which they have their order.
    package var hasColumn: Bool {
        switch self {
        case .bool, .integer, .unsigned, .double, .float, .decimal, .string, .date, .url, .uuid, .enumeration: true
        case .duration, .data, .model, .array, .set, .dictionary, .json, .custom: false
        }
    }

    /// Whether a column holds texts whose order is that of the values, because SQLite has no such numbers.
    package var hasOrderedText: Bool {
        switch self {
        case .decimal: true
        case .unsigned(let width): width == .bits64
        default: false
        }
    }

    /// The schema of the elements of an array, set or dictionary.
    public var element: PropertySchema? {
        switch self {
        case .array(let element), .set(let element), .dictionary(let element): element
        default: nil
        }
    }

    /// The kind of the elements of nested collections; itself for other kinds.
    package var innermost: PropertyKind { element?.kind.innermost ?? self }
}

extension PropertyKind {
    /// A Swift type of your own, and the transformer that reads and writes it.
    public struct Custom: Sendable, Hashable {
        /// The name in schema documents and error messages.
        public let name: String
        /// The transformer between JSON and the type, by name. If it is nil, values are not archived, and are in JSON only
        /// by a transformer of the property.
        package let transformer: TransformerName?
        /// The Swift type.
        package let type: any (PropertyValue & Hashable & Sendable).Type

        /// Describes a Swift type as a kind.
        ///
        /// Without a transformer, properties of the kind are not archived, and are in JSON only by a transformer of their
        /// own. Registration checks that.
        public init<Value: PropertyValue & Hashable & Sendable>(
            _ type: Value.Type, name: String? = nil, transformer: TransformerName? = nil
        ) {
            self.type = type
            self.name = name ?? "\(type)"
            self.transformer = transformer
        }

        /// Whether the two are equal.
        public static func == (left: Custom, right: Custom) -> Bool {
            UTF8Text.equal(left.name, right.name) && left.transformer == right.transformer && left.type == right.type
        }

        /// Hashes what `==` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(UTF8Key(name))
            hasher.combine(ObjectIdentifier(type))
        }
    }
}

/// A reference to a schema, by name or by class.
///
/// A class means the schema that is registered for it.
public enum ModelReference: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    case named(String)
    case modelClass(DynamicModel.Type)

    /// Makes the value from the text of a literal.
    public init(stringLiteral name: String) { self = .named(name) }

    /// Whether the two are equal.
    public static func == (left: ModelReference, right: ModelReference) -> Bool {
        switch (left, right) {
        case (.named(let left), .named(let right)): UTF8Text.equal(left, right)
        case (.modelClass(let left), .modelClass(let right)): left == right
        default: false
        }
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .named(let name): hasher.combine(UTF8Key(name))
        case .modelClass(let type): hasher.combine(ObjectIdentifier(type))
        }
    }

    /// The name of the schema or class.
    public var description: String {
        switch self {
        case .named(let name): name
        case .modelClass(let type): "\(type)"
        }
    }
}

extension PropertyKind {
    /// The kinds that need nothing besides their name.
    static let plain: [PropertyKind] =
        [.bool, .double, .float, .decimal, .string, .date, .duration, .url, .uuid, .data, .json]
        + IntegerWidth.allCases.reversed().flatMap { [.integer($0), .unsigned($0)] }

    /// All that the library knows about the kind, besides what the schema says.
    package var traits: KindTraits {
        switch self {
        case .bool: .bool
        case .integer(let width): .integer(width)
        case .unsigned(let width): .unsigned(width)
        case .double: .double
        case .float: .float
        case .decimal: .decimal
        case .string: .string
        case .date: .date
        case .duration: .duration
        case .url: .url
        case .uuid: .uuid
        case .data: .data
        case .enumeration: .enumeration
        case .model: .model
        case .array: .array
        case .set: .set
        case .dictionary: .dictionary
        case .json: .json
        case .custom: .custom
        }
    }

    /// The kinds that need nothing besides their name, by their names in schema documents.
    package static let plainKinds: [UTF8Key: PropertyKind] = {
        // Other names of `integer` and `unsigned`.
        let aliases = [(UTF8Key("int64"), PropertyKind.integer(.bits64)), (UTF8Key("uint64"), .unsigned(.bits64))]
        return Dictionary(uniqueKeysWithValues: plain.map { (UTF8Key($0.name), $0) } + aliases)
    }()

    /// The names of the kinds of the library.
    package static let predefinedNames = Set(plainKinds.keys)
        .union(["enumeration", "model", "array", "set", "dictionary"].map { UTF8Key($0) })
}
