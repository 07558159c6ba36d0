package import Foundation
import PalliumJSON

// Reads and writes values as Swift strings, by the codecs for bytes.

extension DecimalText {
    /// Returns the number of a text and keeps the number of digits after the full stop.
    ///
    /// Nil where no `Decimal` has that form.
    package static func scaledValue(in text: String) -> Decimal? {
        let bytes = text.utf8
        guard bytes.allSatisfy({ $0 | 0x20 != UInt8(ascii: "e") }), let value = value(in: text) else { return nil }
        guard let point = bytes.firstIndex(of: UInt8(ascii: ".")) else { return value }
        let scale = bytes.distance(from: point, to: bytes.endIndex) - 1
        let significant = bytes.lazy.filter { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }
            .drop { $0 == UInt8(ascii: "0") }
        guard scale <= 128, significant.count <= 38 else { return nil }
        // There is no negative zero: its bits would be those of NaN.
        if value.isZero { return Decimal(string: text.filter { $0 != "-" }) }
        // Calculations drop the zeros at the end of decimals. Changing the power of ten to that of another number keeps
        // them.
        var scaled = value
        var unit = Decimal(sign: .plus, exponent: -scale, significand: 1)
        // Safety: the function uses both numbers only while it runs.
        guard unsafe NSDecimalNormalize(&scaled, &unit, .plain) == .noError, scaled.exponent == -scale, scaled == value
        else { return nil }
        return scaled
    }

    /// Returns the number with all digits that it has after the full stop; nil for NaN.
    package static func scaledText(of value: Decimal) -> String? {
        guard !value.isNaN else { return nil }
        guard value.exponent < 0 else { return write(value) }
        // The significand is a whole number, written without a full stop.
        let digits = value.significand.magnitude.description
        let scale = -value.exponent
        let padded = String(repeating: "0", count: max(0, scale + 1 - digits.utf8.count)) + digits
        let sign = value.sign == .minus && !value.isZero ? "-" : ""
        return "\(sign)\(padded.dropLast(scale)).\(padded.suffix(scale))"
    }
}

extension DecimalText {
    /// Returns the number of the whole text, or nil.
    package static func value(in text: String) -> Decimal? { text.withBorrowedBytes(parse) }
}

extension ISO8601Text {
    /// Returns the moment of a text, or nil.
    static func date(in text: String) -> SpelledDate? { text.withBorrowedBytes(parse) }

    /// Returns the moment as text, or nil outside the years 0…9999.
    package static func text(of date: SpelledDate) -> String? {
        String(inRoomFor: maximumWrittenByteCount) { Self.write(date, into: $0) }
    }
}

extension DateOnlyText {
    /// Returns seconds since 2001-01-01T00:00:00Z to the midnight at the start of the day, or nil.
    static func seconds(in text: String) -> Double? { text.withBorrowedBytes(parse) }

    /// Returns the day as text, or nil outside the years 0…9999.
    package static func text(of seconds: Double) -> String? {
        String(inRoomFor: byteCount) { Self.write(seconds, into: $0) }
    }
}
