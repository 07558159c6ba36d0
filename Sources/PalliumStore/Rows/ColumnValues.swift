import Foundation
import PalliumCore
import PalliumJSON

// Values of properties in columns.
//
// Safety: a slot with a value holds the type of its kind.
extension PropertySlot {
    /// The value as a column holds it, and as SQLite reads it in a document; null if there is none.
    ///
    /// A date is the number of seconds since 2001, a number that SQLite does not have an ``OrderedNumber``; other kinds are
    /// as in JSON. For kinds that have columns.
    var columnValue: SQLiteValue {
        guard hasValue else { return .null }
        let description = description
        switch description.kind {
        case .bool: return SQLiteValue(load(Bool.self))
        case .integer: return .integer(load(Int64.self))
        case .date: return .real(load(Double.self))
        case .string: return .text(load(String.self))
        default:
            switch description.traits.write(self) {
            case .string(let text): return .text(text)
            case .number(let number):
                if description.property.kind.hasOrderedText {
                    return DecimalText.value(in: number.text).map { .text(OrderedNumber($0).text) } ?? .null
                }
                // A great number is not the integer with the digits that it is written with.
                if description.isReal { return .real(number.double) }
                return number.int64.map { .integer($0) } ?? .real(number.double)
            case .bool(let value): return SQLiteValue(value)
            case .null, .array, .object, nil: return .null
            }
        }
    }
}

extension SQLiteValue {
    /// Returns an expression of a value in JSON as a column of a type has it: SQLite reads digits without a point as an
    /// integer.
    static func expression(of json: String, inColumnOf type: String) -> String {
        type == "REAL" ? "CAST(\(json) AS REAL)" : json
    }
}

extension ValueDescriptor {
    /// The type of the column of a property.
    var columnType: String {
        switch property.kind {
        case let kind where kind.hasOrderedText: "TEXT"
        case .bool, .integer, .unsigned: "INTEGER"
        case .double, .float, .date: "REAL"
        case .enumeration(let schema): schema.isNumeric ? "INTEGER" : "TEXT"
        default: "TEXT"
        }
    }

    /// Returns a value of a column as JSON, by the rules of the kind; the reverse of `columnValue`.
    func json(ofColumn value: SQLiteValue) throws(ModelError) -> JSONValue {
        switch (property.kind, value) {
        case (.bool, .integer(let value)): return .bool(value != 0)
        case (.date, .real(let number)), (.double, .real(let number)):
            return try PropertySlot.withTemporary(for: self) { slot throws(ModelError) in
                try slot.store(
                    kind == .date ? Date(timeIntervalSinceReferenceDate: number) : number as any PropertyValue)
                return try slot.naturalJSON()
            }
        case (_, .text(let text)) where hasOrderedText:
            let literal = OrderedNumber.value(of: text).flatMap { DecimalText.write($0) }
            return literal.flatMap { JSONNumber(text: $0) }.map { .number($0) } ?? .null
        default: return value.json
        }
    }

    /// Whether SQLite compares the values as floating-point numbers.
    fileprivate var isReal: Bool { columnType == "REAL" }

    /// Whether columns hold an ``OrderedNumber``, which no expression of SQL makes from a document.
    var hasOrderedText: Bool { property.kind.hasOrderedText || element?.hasOrderedText == true }

    /// Returns a value of a condition as the column of the property holds it.
    ///
    /// - Throws: ``ModelError`` when the property cannot have the value, or SQLite does not: a number that is not finite.
    func columnValue(of value: (any PropertyValue)?) throws(ModelError) -> SQLiteValue {
        guard let value else { return .null }
        do throws(ModelError) {
            return try PropertySlot.withTemporary(for: self) { slot throws(ModelError) in
                try slot.store(value)
                let stored = slot.columnValue
                // A number that is not finite is in no document, so that it is null, or a date.
                let isFinite = if case .real(let number) = stored { number.isFinite } else { stored != .null }
                guard isFinite || !slot.hasValue else {
                    throw ModelError(
                        .notConvertible, self, expected: "a number that SQLite has", found: "one that is not finite")
                }
                return stored
            }
        } catch { throw error.inSchema(schema, property: key) }
    }
}
