import Foundation
import PalliumJSON

/// The formats of text that every registry has, with the names that JSON Schema gives them.
///
/// Safety: bytes are read inside the closure that lends them.
enum PredefinedFormats {
    /// The formats by name; each is made at its first use.
    static let byName: [UTF8Key: @Sendable () -> FormatRegistry.Format] = [
        UTF8Key("email"): { isEmail }, UTF8Key("hostname"): { isHostname }, UTF8Key("ipv4"): { isIPv4 },
        UTF8Key("ipv6"): { isIPv6 }, UTF8Key("uri"): { isURI }, UTF8Key("uuid"): { isUUID },
        UTF8Key("date"): { isDate },
        UTF8Key("time"): { isTime }, UTF8Key("date-time"): { isDateTime },
    ]

    /// WHATWG HTML, section "Valid email address".
    private static let isEmail = matching("^[a-zA-Z0-9.!#$%&'*+\\/=?^_`{|}~\\-]+@\(label)(?:\\.\(label))*$")

    /// RFC 9562, section 4.
    private static let isUUID = matching("^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")

    /// RFC 791: four numbers from 0 to 255 without leading zeros.
    private static let isIPv4 = matching("^(?:\(byte)\\.){3}\(byte)$")

    /// RFC 3986, section 2 and 3: a scheme, and characters that URIs have, with complete escapes.
    private static let isURI = matching(
        "^[a-zA-Z][a-zA-Z0-9+.\\-]*:(?:[a-zA-Z0-9._~:\\/?#\\[\\]@!$&'()*+,;=\\-]|%[0-9a-fA-F]{2})*$")

    /// A label of a host name: RFC 1123, section 2.1.
    private static let label = "[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?"
    private static let byte = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
    private static let time =
        "(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[Zz]|[+\\-](?:[01][0-9]|2[0-3]):[0-5][0-9])"

    /// Returns the test of a pattern that is known to be right, because a test makes every predefined format.
    private static func matching(_ text: String) -> FormatRegistry.Format {
        do throws(PatternError) {
            let pattern = try Pattern(text)
            return { pattern.matches($0) }
        } catch { trap("\(text) is no pattern: \(error)") }
    }

    /// A day such as `2026-02-28`, which the calendar has.
    private static let isDate: FormatRegistry.Format = { text in
        text.withBorrowedBytes { $0.count == 10 && DateOnlyText.parse($0) != nil }
    }

    /// A day, a `T` and a time with a zone: RFC 3339, section 5.6.
    private static let isDateTime: FormatRegistry.Format = { text in
        text.utf8.dropFirst(10).first.map { $0 | 0x20 == UInt8(ascii: "t") } == true
            && isDate(String(decoding: text.utf8.prefix(10), as: UTF8.self))
            && isTime(String(decoding: text.utf8.dropFirst(11), as: UTF8.self))
    }

    /// A time with a zone: RFC 3339, section 5.6. A leap second ends a day of UTC (section 5.7).
    private static let isTime: FormatRegistry.Format = { text in
        guard hasFormOfTime(text) else { return false }
        let bytes = Array(text.utf8)
        guard bytes[6] == UInt8(ascii: "6") else { return true }
        func minutes(at index: Int) -> Int {
            func number(_ index: Int) -> Int { Int(bytes[index] & 15) * 10 + Int(bytes[index + 1] & 15) }
            return number(index) * 60 + number(index + 3)
        }
        let sign = bytes[bytes.count - 6]
        let isLocal = bytes.last.map { $0 | 0x20 != UInt8(ascii: "z") } == true
        let offset = isLocal ? minutes(at: bytes.count - 5) * (sign == UInt8(ascii: "-") ? -1 : 1) : 0
        return (minutes(at: 0) - offset + 1440) % 1440 == 1439
    }

    private static let hasFormOfTime = matching("^\(time)$")

    /// Labels with dots between them, at most 253 bytes.
    private static let isHostname: FormatRegistry.Format = { text in
        text.utf8.count <= 253 && isListOfLabels(text)
    }

    private static let isListOfLabels = matching("^\(label)(?:\\.\(label))*$")

    /// RFC 4291, section 2.2: eight groups of hexadecimal digits, `::` for some of them, an IPv4 address at the end.
    private static let isIPv6: FormatRegistry.Format = { text in
        guard text.utf8.count <= 45 else { return false }
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return false }
        var count = 0
        for (position, half) in halves.enumerated() where !half.isEmpty {
            let groups = half.split(separator: ":", omittingEmptySubsequences: false)
            for (index, group) in groups.enumerated() {
                if isGroup(String(group)) {
                    count += 1
                } else if index == groups.count - 1, position == halves.count - 1, isIPv4(String(group)) {
                    count += 2
                } else {
                    return false
                }
            }
        }
        // `::` stands for at least one group.
        return halves.count == 2 ? count < 8 : count == 8
    }

    private static let isGroup = matching("^[0-9a-fA-F]{1,4}$")
}
