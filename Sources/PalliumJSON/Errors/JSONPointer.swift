/// A path into a JSON value (RFC 6901): `/labels/0`.
///
/// Inside a token, `~1` is written for `/` and `~0` for `~`. The empty pointer is the whole value.
public struct JSONPointer: Sendable {
    /// The unescaped tokens, from the root downwards. The value it is applied to decides whether a token is a name or a
    /// position.
    public private(set) var tokens: [String]

    /// The pointer to the whole value.

    /// The pointer with these unescaped tokens.
    public init(tokens: [String] = []) { self.tokens = tokens }

    /// Parses the text of a pointer. Nil when the text is not empty and does not begin with `/`, or when a `~` is not
    /// followed by `0` or `1`.
    public init?(_ text: String) {
        var tokens: [String] = []
        var token: [UInt8] = []
        var isEscape = false
        for (position, byte) in text.utf8.enumerated() {
            if position == 0 {
                guard byte == UInt8(ascii: "/") else { return nil }
            } else if isEscape {
                guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
                token.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
                isEscape = false
            } else if byte == UInt8(ascii: "/") {
                tokens.append(String(decoding: token, as: UTF8.self))
                token.removeAll(keepingCapacity: true)
            } else if byte == UInt8(ascii: "~") {
                isEscape = true
            } else {
                token.append(byte)
            }
        }
        if isEscape { return nil }
        if !text.utf8.isEmpty { tokens.append(String(decoding: token, as: UTF8.self)) }
        self.tokens = tokens
    }

    /// Returns the pointer to the member of this name. O(number of tokens).
    package func appending(_ key: String) -> JSONPointer { JSONPointer(tokens: tokens + [key]) }

    /// Returns the pointer to the element at this position. O(number of tokens).
    package func appending(_ position: Int) -> JSONPointer { appending(String(position)) }

    /// Adds a token at the end.
    package mutating func append(_ key: String) { tokens.append(key) }

    /// Returns the array position a token means: digits without leading zeros (RFC 6901 §4). Nil for any other token,
    /// including `-`.
    package static func arrayPosition(_ token: String) -> Int? {
        let bytes = token.utf8
        guard let first = bytes.first, bytes.count <= 18, first != UInt8(ascii: "0") || bytes.count == 1 else {
            return nil
        }
        var position = 0
        for byte in bytes {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            position = position * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return position
    }
}

extension JSONPointer: Hashable {
    /// Whether all tokens have the same bytes.
    public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
        left.tokens.elementsEqual(right.tokens) { UTF8Text.equal($0, $1) }
    }

    /// Hashes the bytes of the tokens.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tokens.count)
        for token in tokens { UTF8Text.hash(token, into: &hasher) }
    }
}

extension JSONPointer: ExpressibleByArrayLiteral {
    /// The pointer with these unescaped tokens: `["labels", "0"]`.
    public init(arrayLiteral tokens: String...) { self.tokens = tokens }
}

extension JSONPointer: CustomStringConvertible {
    /// The text of RFC 6901: `""` for the whole value, otherwise each token after a `/`.
    public var description: String {
        var text: [UInt8] = []
        for token in tokens {
            text.append(UInt8(ascii: "/"))
            for byte in token.utf8 {
                switch byte {
                case UInt8(ascii: "~"): text += [UInt8(ascii: "~"), UInt8(ascii: "0")]
                case UInt8(ascii: "/"): text += [UInt8(ascii: "~"), UInt8(ascii: "1")]
                default: text.append(byte)
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
