public import Foundation
public import PalliumJSON

/// A value of a stored model: what an archive or a document says, without any schema.
///
/// Upgrades work on stored values, never on the models of today.
public indirect enum StoredValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    /// The text of a URL.
    case url(String)
    case uuid(UUID)
    case data(Data)
    /// The raw text or number of an enumeration case.
    case enumeration(EnumerationRawValue)
    /// A JSON value, or a value of a custom kind as its transformer writes it.
    case json(JSONValue)
    /// The elements of an array or a set.
    case array([StoredValue])
    /// The elements of a dictionary and their keys, in order.
    case dictionary([Entry])
    /// A reference to another stored model. It can be moved to another property, but not looked into.
    case model(StoredReference)

    /// An element of a dictionary.
    public struct Entry: Sendable, Hashable {
        /// The key.
        public var key: String
        /// The element.
        public var value: StoredValue

        /// Pairs a key with an element.
        public init(_ key: String, _ value: StoredValue) {
            self.key = key
            self.value = value
        }
    }
}

/// A reference to a stored model.
public struct StoredReference: Sendable, Hashable {
    /// The number of the object.
    package let number: Int

    package init(_ number: Int) { self.number = number }
}

/// A model as it was stored: values by key, of which upgrades make those of the present schema.
///
///     SchemaUpgrade(from: 2) { person in
///         let parts = (person["name"]?.text ?? "").split(separator: " ", maxSplits: 1)
///         person["firstName"] = parts.first.map { .string(String($0)) }
///         person["lastName"] = parts.last.map { .string(String($0)) }
///         person["name"] = nil
///     }
public struct StoredModel: Sendable {
    /// The name of the schema that the model was stored with.
    public let schema: String
    /// The version of the schema that the model was stored with.
    public let version: Int
    /// The keys, in the order in which they were stored.
    public private(set) var keys: [String] = []
    private var values: [UTF8Key: (value: StoredValue, isDefaulted: Bool)] = [:]

    package init(schema: String, version: Int) {
        self.schema = schema
        self.version = version
    }

    /// The value with a key; nil is no value at all, `.null` an explicit null. Keys are compared as bytes.
    public subscript(key: String) -> StoredValue? {
        get { values[UTF8Key(key)]?.value }
        set { set(newValue, isDefaulted: false, forKey: key) }
    }

    package func entry(forKey key: String) -> (value: StoredValue, isDefaulted: Bool)? { values[UTF8Key(key)] }

    /// Whether a value was taken from the default of the schema.
    package func isDefaulted(_ key: String) -> Bool { values[UTF8Key(key)]?.isDefaulted == true }

    package mutating func set(_ value: StoredValue?, isDefaulted: Bool, forKey key: String) {
        let position = UTF8Key(key)
        if let value {
            if values.updateValue((value, isDefaulted), forKey: position) == nil { keys.append(key) }
        } else if values.removeValue(forKey: position) != nil {
            keys.removeAll { UTF8Text.equal($0, key) }
        }
    }

}

extension StoredValue {
    /// The text of a string, a URL or an enumeration case of text.
    public var text: String? {
        switch self {
        case .string(let text), .url(let text), .enumeration(.text(let text)): text
        case .json(let json): json.stringValue
        default: nil
        }
    }

    /// The integer, whatever kind of integer it is.
    public var integer: Int64? {
        switch self {
        case .integer(let value), .enumeration(.number(let value)): value
        case .unsigned(let value): Int64(exactly: value)
        case .json(let json): json.numberValue?.int64
        default: nil
        }
    }
}
