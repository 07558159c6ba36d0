import Foundation
import Pallium

/// A value of a property in plain Swift, which no code of the library compares.
indirect enum PlainValue {
    case bool(Bool)
    case integer(Int)
    case unsigned(UInt)
    case double(Double)
    case text(String)
    case date(Double)
    case url(String)
    case uuid(UUID)
    case decimal(Decimal)
    case list([PlainValue])
    case set([PlainValue])
    case table([String: Int])
    case model(PlainModel)
    case reference(PlainIdentity)
}

/// What a property may hold, as conditions see it.
indirect enum PlainKind: Sendable {
    case bool, unsigned, double, text, date, url, uuid, decimal
    case integer(ClosedRange<Int>)
    /// The cases; nil where others are kept.
    case cases([String]?)
    case list(PlainKind), set(PlainKind), table
    case model(String), reference(String)
}

/// Names a row: the schema that declares the identity, and the values as text, compared by their bytes.
struct PlainIdentity: Hashable, CustomStringConvertible {
    let table: String
    let values: [[UInt8]]

    init(_ table: String, _ values: [PlainValue]) {
        self.table = table
        self.values = values.map { Array($0.picture.utf8) }
        parts = values
    }

    let parts: [PlainValue]

    static func == (left: Self, right: Self) -> Bool { left.table == right.table && left.values == right.values }

    func hash(into hasher: inout Hasher) {
        hasher.combine(table)
        hasher.combine(values)
    }

    var description: String { "\(table)\(parts.map(\.picture))" }
}

/// A model: what each property holds. A key that is missing is unset, nil is null.
struct PlainModel {
    var schema: String
    var values: [String: PlainValue?] = [:]

    /// Whether nothing has a value but the properties of the identity.
    func isStub(_ identityCount: Int) -> Bool { values.values.compactMap(\.self).count == identityCount }

    /// The value of a property; nil if it has none.
    subscript(key: String) -> PlainValue? { values[key] ?? nil }

    var picture: String {
        let members = values.keys.sorted().map { key in "\(key): \(values[key]??.picture ?? "null")" }
        return "\(schema)(\(members.joined(separator: ", ")))"
    }
}

extension PlainValue {
    /// A text that is the same for the same values only: texts are written by their scalars.
    var picture: String {
        switch self {
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .double(let value): "\(value)"
        case .text(let value), .url(let value): value.utf8.count > 200 ? "\(value.utf8.count)×" : Self.escaped(value)
        case .date(let value): "date \(value)"
        case .uuid(let value): value.uuidString
        case .decimal(let value): "decimal \(value)"
        case .list(let values): "[\(values.map(\.picture).joined(separator: ", "))]"
        case .set(let values): "{\(values.map(\.picture).sorted().joined(separator: ", "))}"
        case .table(let values):
            "[\(values.keys.sorted().map { "\(Self.escaped($0)): \(values[$0] ?? 0)" }.joined(separator: ", "))]"
        case .model(let model): model.picture
        case .reference(let identity): "→\(identity)"
        }
    }

    private static func escaped(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
    }

    /// Whether a value is below another one of its kind (-1), equal (0) or above; nil if they are of different kinds.
    func compared(to other: PlainValue) -> Int? {
        func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
            left < right ? -1 : left == right ? 0 : 1
        }
        func bytes(_ left: String, _ right: String) -> Int {
            left.utf8.elementsEqual(right.utf8) ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        }
        switch (self, other) {
        case (.bool(let left), .bool(let right)): return order(left ? 1 : 0, right ? 1 : 0)
        case (.integer(let left), .integer(let right)): return order(left, right)
        case (.unsigned(let left), .unsigned(let right)): return order(left, right)
        case (.decimal(let left), .decimal(let right)): return order(left, right)
        case (.double(let left), .double(let right)), (.date(let left), .date(let right)): return order(left, right)
        case (.text(let left), .text(let right)), (.url(let left), .url(let right)): return bytes(left, right)
        case (.uuid(let left), .uuid(let right)): return bytes(left.uuidString, right.uuidString)
        default: return nil
        }
    }

    /// The value as Swift has it, for a condition or a property without models.
    var property: (any PropertyValue & Sendable)? {
        switch self {
        case .bool(let value): value
        case .integer(let value): value
        case .unsigned(let value): value
        case .double(let value): value
        case .text(let value): value
        case .date(let value): Date(timeIntervalSinceReferenceDate: value)
        case .url(let value): URL(string: value)
        case .uuid(let value): value
        case .decimal(let value): value
        case .list(let values):
            switch values.first {
            case .integer: values.compactMap { if case .integer(let value) = $0 { value } else { nil } }
            case .double: values.compactMap { if case .double(let value) = $0 { value } else { nil } }
            case .decimal: values.compactMap { if case .decimal(let value) = $0 { value } else { nil } }
            case .date:
                values.compactMap { value -> Date? in
                    if case .date(let seconds) = value { Date(timeIntervalSinceReferenceDate: seconds) } else { nil }
                }
            default: values.compactMap { if case .text(let value) = $0 { value } else { nil } }
            }
        case .set(let values):
            if case .integer = values.first {
                Set(values.compactMap { if case .integer(let value) = $0 { value } else { nil } })
            } else {
                Set(values.compactMap { if case .text(let value) = $0 { value } else { nil } })
            }
        case .table(let values): values
        case .model, .reference: nil
        }
    }
}
