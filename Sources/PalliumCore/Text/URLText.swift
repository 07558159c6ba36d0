package import PalliumJSON

/// Recognises plain URLs, which every Foundation accepts unchanged.
///
///     http[s]://  host  [:port]  [/path]  [?query]  [#fragment]
///
/// For a text in this set, `URL(string: text, encodingInvalidCharacters: false)` succeeds, and its `absoluteString` is
/// the text again. So a reader may keep the text, and make the `URL`, which costs several times as much as the rest,
/// only when it is needed. The set is smaller than RFC 3986 on purpose: lower case scheme, no user, a host of letters,
/// digits, dots and dashes, one to five digits after the colon, only ASCII. Foundation decides about all other texts.
package enum URLText {
    /// The largest number of bytes of a plain URL. Foundation reads longer ones.
    package static let maximumPlainByteCount = 8192

    /// The text of bytes that belong to the plain set; nil for others.
    @inline(__always)
    package static func plainText(_ bytes: BorrowedBytes) -> String? {
        // Safety: plain text is ASCII.
        bytes.isPlainURL ? unsafe bytes.text(isASCII: true) : nil
    }

    /// Path, query and fragment. They may hold the same bytes, apart from the one number sign before the fragment.
    @inline(__always)
    fileprivate static func isPlainRest(_ bytes: BorrowedBytes, from first: Int) -> Bool {
        // Most URLs have no escape and no fragment.
        var index = first
        while bytes.count &- index > 8, needNoEscape(bytes, at: index) { index &+= 8 }
        // The last eight bytes may begin in the scheme or the host, which need no escape either.
        if bytes.count &- index <= 8, needNoEscape(bytes, at: bytes.count &- 8) { return true }
        return isEscapedRest(bytes, from: index)
    }

    /// Whether eight bytes are allowed unescaped in a path, query or fragment.
    @inline(__always)
    private static func needNoEscape(_ bytes: BorrowedBytes, at index: Int) -> Bool {
        var kind: UInt8 = 0
        bytes.forEachOfEight(at: index) { kind |= kinds[$0] }
        return kind & Kind.escaped == 0
    }

    @inline(never)
    private static func isEscapedRest(_ bytes: BorrowedBytes, from first: Int) -> Bool {
        var index = first
        var isFragment = false
        while let byte = bytes.byte(at: index) {
            if isPlainRest(byte) {
                index &+= 1
            } else if byte == UInt8(ascii: "%") {
                guard bytes.count &- index >= 3, isHexadecimalDigit(bytes[index &+ 1]),
                    isHexadecimalDigit(bytes[index &+ 2])
                else {
                    return false
                }
                index &+= 3
            } else if byte == UInt8(ascii: "#"), !isFragment {
                isFragment = true
                index &+= 1
            } else {
                return false
            }
        }
        return true
    }

    /// Whether the byte is one of `0…9`, `A…F`, `a…f`.
    @inline(__always)
    static func isHexadecimalDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 || (byte | 0x20) &- 0x61 <= 5 }

    /// Whether the byte is allowed unescaped in a path, query or fragment. The percent sign and number sign are not.
    static func isPlainRest(_ byte: UInt8) -> Bool {
        kinds[byte] & Kind.escaped == 0
    }

    fileprivate enum Kind {
        /// The byte needs an escape in a path, query or fragment, or is `%` or `#`.
        static let escaped: UInt8 = 1
        /// The byte cannot stand in a host.
        static let noHost: UInt8 = 2
    }

    /// The kind of each byte, as a digit; sixteen bytes in a row. The other bits of a digit mean nothing.
    ///
    /// Bytes without an escape are those of RFC 3986: unreserved, sub-delims and `: @ / ?`.
    @inline(__always)
    fileprivate static var kinds: ByteTable {
        ByteTable(
            """
            3333333333333333\
            3333333333333333\
            3233232222222002\
            0000000000223232\
            2000000000000000\
            0000000000033332\
            3000000000000000\
            0000000000033323\
            3333333333333333\
            3333333333333333\
            3333333333333333\
            3333333333333333\
            3333333333333333\
            3333333333333333\
            3333333333333333\
            3333333333333333
            """)
    }
}

extension BorrowedBytes {
    /// Whether the text belongs to the plain set of ``URLText``.
    ///
    /// Complexity: linear in the count, about a third of a nanosecond per byte.
    package var isPlainURL: Bool {
        guard count >= 8, count <= URLText.maximumPlainByteCount else {
            return false
        }
        // The first eight bytes are `http://` and one more, or `https://`. As numbers, the first byte is lowest.
        let front = word(at: 0)
        let hostIndex: Int
        if front == 0x2F2F_3A73_7074_7468 {
            hostIndex = 8
        } else if front & 0x00FF_FFFF_FFFF_FFFF == 0x002F_2F3A_7074_7468 {
            hostIndex = 7
        } else {
            return false
        }
        var index = end(from: hostIndex) { URLText.kinds[$0] & URLText.Kind.noHost == 0 }
        guard index > hostIndex else {
            return false
        }
        if index == count {
            return true
        }
        if self[index] == UInt8(ascii: ":") {
            let portIndex = index &+ 1
            index = end(from: portIndex) { $0 &- 0x30 <= 9 }
            guard index > portIndex, index &- portIndex <= 5 else {
                return false
            }
            if index == count {
                return true
            }
        }
        switch self[index] {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"):
            return URLText.isPlainRest(self, from: index)
        default:
            return false
        }
    }
}
