package import Foundation

/// The two readings of texts that are not plain. Complexity: linear in the length of the text.
///
/// Safety: every byte is read at an index below the count; the two behind a percent sign after three were seen to be
/// left.
extension URLText {
    /// Reads a URL or relative reference by RFC 3986, refusing whatever it would have to be repaired for: spaces,
    /// characters outside of ASCII, braces, a percent sign without two digits, the empty text.
    ///
    /// This is the reading under which "not a valid URL" is none (conformance row C258).
    package static func strict(_ text: String) -> URL? {
        URL(string: text, encodingInvalidCharacters: false)
    }

    /// Reads like ``strict(_:)`` but repairs: what RFC 3986 forbids in a user, path, query or fragment is
    /// percent-encoded as UTF-8, and a host outside of ASCII takes its IDNA form.
    ///
    /// Only the host is left to Foundation's own repair, because that encodes the percent signs of correct escapes
    /// again as soon as the same part holds one forbidden character: `/%20 y` would become `/%2520%20y`. For the
    /// same reason a percent sign without two hexadecimal digits is refused: what it meant is a guess.
    ///
    /// - Returns: nil for the empty text, a stray percent sign, a host that mixes escapes with characters outside of
    ///   ASCII, or where repair does not help, as in `http://[::1` or a host with a space.
    package static func percentEncoded(_ text: String) -> URL? {
        var text = text
        return text.withUTF8(unsafe repaired).flatMap { URL(string: $0, encodingInvalidCharacters: true) }
    }

    /// The text with everything outside of the host percent-encoded where needed.
    private static func repaired(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        let (user, host) = unsafe authority(bytes)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isFragment = false
        var hostHasEscape = false
        var hostHasOther = false
        for index in 0..<bytes.count {
            let byte = unsafe bytes[index]
            if byte == UInt8(ascii: "%") {
                guard bytes.count - index >= 3, unsafe HexadecimalDigits.contains(bytes[index + 1]),
                    unsafe HexadecimalDigits.contains(bytes[index + 2])
                else {
                    return nil
                }
            }
            if host.contains(index) {
                hostHasEscape = hostHasEscape || byte == UInt8(ascii: "%")
                hostHasOther = hostHasOther || byte >= 0x80
                result.append(byte)
            } else if byte == UInt8(ascii: "%") {
                result.append(byte)
            } else if isPlainRest(byte), byte != UInt8(ascii: "@") || !user.contains(index) {
                result.append(byte)
            } else if byte == UInt8(ascii: "#"), !isFragment {
                isFragment = true
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(upperCaseDigit(byte >> 4))
                result.append(upperCaseDigit(byte & 0x0F))
            }
        }
        return hostHasEscape && hostHasOther ? nil : String(decoding: result, as: UTF8.self)
    }

    /// Where user with password (without the `@` that ends them) and host with port are, by the division of RFC 3986,
    /// appendix B; both empty where there is no authority.
    private static func authority(_ bytes: UnsafeBufferPointer<UInt8>) -> (user: Range<Int>, host: Range<Int>) {
        func isDelimiter(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }
        let schemeEnd = unsafe bytes.firstIndex { $0 == UInt8(ascii: ":") || isDelimiter($0) } ?? bytes.count
        let hasScheme =
            unsafe schemeEnd < bytes.count && bytes[schemeEnd] == UInt8(ascii: ":")
            && bytes[..<schemeEnd].allSatisfy(isSchemeByte)
        var start = hasScheme ? schemeEnd + 1 : 0
        guard bytes.count - start >= 2, unsafe bytes[start] == UInt8(ascii: "/"),
            unsafe bytes[start + 1] == UInt8(ascii: "/")
        else {
            return (0..<0, 0..<0)
        }
        start += 2
        let end = unsafe bytes[start...].firstIndex(where: isDelimiter) ?? bytes.count
        guard let userEnd = unsafe bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else {
            return (start..<start, start..<end)
        }
        return (start..<userEnd, (userEnd + 1)..<end)
    }

    /// Letter, digit, or one of `+ - .`; whether there are any and which comes first, Foundation judges.
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 <= 9 || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }

    private static func upperCaseDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? value + 0x30 : value - 10 + UInt8(ascii: "A")
    }
}
