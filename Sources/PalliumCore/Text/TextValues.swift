package import Foundation

// The codecs of bytes, for texts that are Swift strings.

// Safety: parsers see the bytes of a text only while it lends them; writers get the room of their longest text.
extension UUIDText {
    /// The UUID that the whole text names, or nil.
    static func value(in text: String) -> UUID? { unsafe read(text, parse) }
}

extension DecimalText {
    /// The number that a text of digits and at most one full stop holds, with as many digits behind it as the text has,
    /// or nil where no `Decimal` holds it so.
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
        // Decimals drop the zeros at their end wherever they are calculated; brought to the power of ten of another
        // number, they keep them.
        var scaled = value
        var unit = Decimal(sign: .plus, exponent: -scale, significand: 1)
        guard unsafe NSDecimalNormalize(&scaled, &unit, .plain) == .noError, scaled.exponent == -scale, scaled == value
        else { return nil }
        return scaled
    }

    /// The number with all digits behind the full stop that it carries, or nil for NaN.
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

extension Base64Text {
    /// The bytes that the whole text stands for, or nil.
    static func value(in text: String) -> Data? { unsafe read(text, decode) }
}

extension DecimalText {
    /// The number that the whole text holds, or nil.
    static func value(in text: String) -> Decimal? { unsafe read(text, parse) }
}

extension IntegerText {
    /// The number that the whole text holds, or nil.
    static func value(in text: String) -> Int64? { unsafe read(text, parse) }
}

extension ISO8601Text {
    /// Seconds since 2001-01-01T00:00:00Z, or nil.
    static func seconds(in text: String) -> Double? { unsafe read(text, parse) }

    /// The moment as text, or nil outside of the years 0…9999.
    package static func text(of seconds: Double) -> String? {
        unsafe made(inRoomFor: maximumWrittenByteCount) { unsafe Self.write(seconds, into: $0) }
    }
}

extension DateOnlyText {
    /// Seconds since 2001-01-01T00:00:00Z to the midnight with which the day begins, or nil.
    static func seconds(in text: String) -> Double? { unsafe read(text, parse) }

    /// The day as text, or nil outside of the years 0…9999.
    package static func text(of seconds: Double) -> String? {
        unsafe made(inRoomFor: byteCount) { unsafe Self.write(seconds, into: $0) }
    }
}

/// Hands the bytes of the text to a parser, which sees them only during the call.
private func read<Value>(_ text: String, _ parse: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
    var text = text
    return text.withUTF8(parse)
}

/// The text that a writer makes in `capacity` bytes of room, or nil where it refuses; no text is empty.
private func made(inRoomFor capacity: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int?) -> String? {
    let text = unsafe String(unsafeUninitializedCapacity: capacity) { room in unsafe room.baseAddress.flatMap(body) ?? 0
    }
    return text.utf8.isEmpty ? nil : text
}
