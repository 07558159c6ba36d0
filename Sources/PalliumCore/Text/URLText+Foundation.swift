package import Foundation
import PalliumJSON

/// Makes a `URL` of text that ``BorrowedBytes/isPlainURL`` refused, strictly or with repair. Complexity: linear in the length of the text.
extension URLText {
    /// Reads a URL or relative reference by RFC 3986, without repair.
    ///
    /// Spaces, characters outside ASCII, braces, a percent sign without two digits and the empty text are refused.
    /// The text "not a valid URL" is refused, too (conformance row C258).
    package static func strict(_ text: String) -> URL? {
        URL(string: text, encodingInvalidCharacters: false)
    }

    /// Reads a URL like ``strict(_:)``, but repairs it.
    ///
    /// Characters that RFC 3986 forbids in a user, path, query or fragment are percent-encoded as UTF-8, and a host
    /// outside ASCII gets its IDNA form.
    ///
    /// Foundation repairs only the host. Elsewhere it would encode the percent signs of correct escapes again if the
    /// same part contains a forbidden character: `/%20 y` would become `/%2520%20y`. For the same reason a percent sign
    /// without two hexadecimal digits is refused, since its meaning is a guess.
    ///
    /// - Returns: nil for the empty text, a stray percent sign, a host that mixes escapes with characters outside
    ///   ASCII, and where repair does not help, as in `http://[::1` or a host with a space.
    package static func percentEncoded(_ text: String) -> URL? {
        text.withBorrowedBytes(repaired).flatMap { URL(string: $0, encodingInvalidCharacters: true) }
    }

    /// Returns the text with everything outside the host percent-encoded where needed.
    private static func repaired(_ bytes: BorrowedBytes) -> String? {
        let (user, host) = authority(bytes)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isFragment = false
        var hostHasEscape = false
        var hostHasOther = false
        for index in 0..<bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard bytes.count - index >= 3, isHexadecimalDigit(bytes[index + 1]),
                    isHexadecimalDigit(bytes[index + 2])
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

    /// Returns the ranges of the user with password, without the `@`, and of the host with port.
    ///
    /// The text is divided by RFC 3986, appendix B. Both ranges are empty if there is no authority.
    private static func authority(_ bytes: BorrowedBytes) -> (user: Range<Int>, host: Range<Int>) {
        func isDelimiter(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }
        let schemeEnd = bytes.firstIndex { $0 == UInt8(ascii: ":") || isDelimiter($0) } ?? bytes.count
        let hasScheme =
            schemeEnd < bytes.count && bytes[schemeEnd] == UInt8(ascii: ":")
            && bytes[..<schemeEnd].allSatisfy(isSchemeByte)
        var start = hasScheme ? schemeEnd + 1 : 0
        guard bytes.count - start >= 2, bytes[start] == UInt8(ascii: "/"),
            bytes[start + 1] == UInt8(ascii: "/")
        else {
            return (0..<0, 0..<0)
        }
        start += 2
        let end = bytes[start...].firstIndex(where: isDelimiter) ?? bytes.count
        guard let userEnd = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else {
            return (start..<start, start..<end)
        }
        return (start..<userEnd, (userEnd + 1)..<end)
    }

    /// Whether a byte is a letter, a digit, or one of `+ - .`. Foundation checks their number and order.
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 <= 9 || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }

    private static func upperCaseDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? value + 0x30 : value - 10 + UInt8(ascii: "A")
    }
}
