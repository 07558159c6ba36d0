public import Foundation
import PalliumCore

/// A value of an attribute of a record: the types that attributes of Core Data have.
///
/// Bools, integers, floating point, decimals, text, dates, data, UUIDs and URLs of a model are these values. A duration and
/// the case of an enumeration are their text or number. Arrays, sets and dictionaries without models, JSON and values of your
/// own types are JSON text, unless a ``RecordMapping`` names a transformer.
public enum RecordValue: Sendable, Hashable {
    /// A truth value.
    case bool(Bool)
    /// An integer, of any width.
    case integer(Int64)
    /// A number with a binary fraction.
    case double(Double)
    /// A number with a decimal fraction.
    case decimal(Decimal)
    /// A text.
    case string(String)
    /// A point in time.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// A UUID.
    case uuid(UUID)
    /// A URL.
    case url(URL)
}

extension RecordValue {
    /// Nil for a value of another type, and for an integer above those of 64 bits with a sign.
    init?(_ value: any PropertyValue) {
        switch value {
        case let value as Bool: self = .bool(value)
        case let value as Double: self = .double(value)
        case let value as Float: self = .double(Double(value))
        case let value as Decimal: self = .decimal(value)
        case let value as String: self = .string(value)
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as UUID: self = .uuid(value)
        case let value as URL: self = .url(value)
        case let value as any FixedWidthInteger:
            guard let integer = Int64(exactly: value) else { return nil }
            self = .integer(integer)
        default: return nil
        }
    }

    /// The value as a transformer gets it and a slot takes it.
    var propertyValue: any PropertyValue {
        switch self {
        case .bool(let value): value
        case .integer(let value): value
        case .double(let value): value
        case .decimal(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .url(let value): value
        }
    }

    /// Whether a record holds the value. An owner may keep URLs and UUIDs as text.
    func isHeld(as other: RecordValue?) -> Bool {
        guard case .string(let text)? = other else { return self == other }
        switch self {
        case .url(let url): return url.absoluteString == text
        case .uuid(let uuid): return uuid.uuidString == text
        default: return self == other
        }
    }
}
