import Foundation
import PalliumJSON

extension ModelError {
    /// Describes a value for errors. A scalar is described by its content, in at most 64 characters, another value by
    /// its type.
    ///
    /// `String(describing:)` is not used: `Date` traps there when its number is not finite or very large, and
    /// collections may be large and hold dates.
    package static func describe(_ value: (any PropertyValue)?) -> String {
        guard let value = Erased.value(value) else { return "null" }
        switch value {
        case let date as Date: return "the date \(date.timeIntervalSinceReferenceDate) seconds from the start of 2001"
        case let data as Data: return "\(data.count.counted("byte"))"
        case let number as Double where !number.isFinite: return "the number \(number)"
        case let number as Float where !number.isFinite: return "the number \(number)"
        case let number as Decimal where number.isNaN: return "the number NaN"
        default:
            if let text = Swift.type(of: value)._naturalKind?.traits.text?.text(value) { return quote(text) }
            return JSONValue(scalarFor: value)?.summary ?? "a value of the type \(Swift.type(of: value))"
        }
    }
}

extension JSONValue {
    /// Creates the JSON form of a scalar, or of the raw value of an enumeration.
    init?(scalarFor value: any PropertyValue) {
        let raw = (value as? any RawRepresentable)?.rawValue as? any PropertyValue
        self.init(scalar: raw ?? value)
    }
}
