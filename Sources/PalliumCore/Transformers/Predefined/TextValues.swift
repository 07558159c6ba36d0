import Foundation

// The codecs of bytes, for texts that are Swift strings.

// Safety: parsers see the bytes of a text only while it lends them; writers get the room of their longest text.
extension UUIDText {
    /// The UUID that the whole text names, or nil.
    static func value(in text: String) -> UUID? { unsafe read(text, parse) }
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
    static func text(of seconds: Double) -> String? {
        unsafe made(inRoomFor: maximumWrittenByteCount) { unsafe Self.write(seconds, into: $0) }
    }
}

extension DateOnlyText {
    /// Seconds since 2001-01-01T00:00:00Z to the midnight with which the day begins, or nil.
    static func seconds(in text: String) -> Double? { unsafe read(text, parse) }

    /// The day as text, or nil outside of the years 0…9999.
    static func text(of seconds: Double) -> String? {
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
