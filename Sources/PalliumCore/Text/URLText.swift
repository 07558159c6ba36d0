import PalliumJSON

/// Recognises plain URLs, which every Foundation accepts unchanged.
///
///     http[s]://  host  [:port]  [/path]  [?query]  [#fragment]
///
/// For a text in this set, `URL(string: text, encodingInvalidCharacters: false)` succeeds, and its `absoluteString` is
/// the text again. So a reader may keep the text, and make the `URL`, which costs several times as much as the rest,
/// only when it is needed. The set is smaller than RFC 3986 on purpose: lower case scheme, no user, a host of letters,
/// digits, dots and dashes, one to five digits after the colon, only ASCII. Foundation decides about all other texts.
///
/// Safety: eight bytes are read at once only at indices up to `count - 8`, every other byte at an index below the count.
/// The table has an entry for each byte.
package enum URLText {
    /// The largest number of bytes of a plain URL. Foundation reads longer ones.
    package static let maximumPlainByteCount = 8192

    /// Whether the text belongs to the plain set.
    ///
    /// Complexity: linear in the count, about a third of a nanosecond per byte.
    package static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = bytes.count
        guard count >= 8, count <= maximumPlainByteCount, let start = bytes.baseAddress else {
            return false
        }
        // The first eight bytes are `http://` and one more, or `https://`. As numbers, the first byte is lowest.
        let front = unsafe EightBytes.load(start)
        let hostIndex: Int
        if front == 0x2F2F_3A73_7074_7468 {
            hostIndex = 8
        } else if front & 0x00FF_FFFF_FFFF_FFFF == 0x002F_2F3A_7074_7468 {
            hostIndex = 7
        } else {
            return false
        }
        var index = hostIndex
        while index < count, unsafe kinds[Int(start[index])] & Kind.noHost == 0 { index &+= 1 }
        guard index > hostIndex else {
            return false
        }
        if index == count {
            return true
        }
        if unsafe start[index] == UInt8(ascii: ":") {
            let portIndex = index &+ 1
            index = portIndex
            while index < count, unsafe start[index] &- 0x30 <= 9 {
                index &+= 1
            }
            guard index > portIndex, index &- portIndex <= 5 else {
                return false
            }
            if index == count {
                return true
            }
        }
        switch unsafe start[index] {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"):
            return unsafe isPlainRest(start, from: index, count: count)
        default:
            return false
        }
    }

    /// Path, query and fragment. They may hold the same bytes, apart from the one number sign before the fragment.
    @inline(__always)
    private static func isPlainRest(_ start: UnsafePointer<UInt8>, from first: Int, count: Int) -> Bool {
        // Most URLs have no escape and no fragment.
        var index = first
        while count &- index > 8, unsafe needNoEscape(start + index) { index &+= 8 }
        // The last eight bytes may begin in the scheme or the host, which need no escape either.
        if count &- index <= 8, unsafe needNoEscape(start + (count &- 8)) { return true }
        return unsafe isEscapedRest(start, from: index, count: count)
    }

    /// Whether eight bytes are allowed unescaped in a path, query or fragment.
    @inline(__always)
    private static func needNoEscape(_ start: UnsafePointer<UInt8>) -> Bool {
        var kind: UInt8 = 0
        for offset in 0..<8 { unsafe kind |= kinds[Int(start[offset])] }
        return kind & Kind.escaped == 0
    }

    @inline(never)
    private static func isEscapedRest(_ start: UnsafePointer<UInt8>, from first: Int, count: Int) -> Bool {
        var index = first
        var isFragment = false
        while index < count {
            let byte = unsafe start[index]
            if isPlainRest(byte) {
                index &+= 1
            } else if byte == UInt8(ascii: "%") {
                guard count &- index >= 3, unsafe isHexadecimalDigit(start[index &+ 1]),
                    unsafe isHexadecimalDigit(start[index &+ 2])
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
        unsafe kinds[Int(byte)] & Kind.escaped == 0
    }

    private enum Kind {
        /// The byte needs an escape in a path, query or fragment, or is `%` or `#`.
        static let escaped: UInt8 = 1
        /// The byte cannot stand in a host.
        static let noHost: UInt8 = 2
    }

    /// The kind of each byte, as a digit; sixteen bytes in a row. The other bits of a digit mean nothing.
    ///
    /// Bytes without an escape are those of RFC 3986: unreserved, sub-delims and `: @ / ?`.
    @inline(__always)
    private static var kinds: UnsafePointer<UInt8> {
        let digits: StaticString = """
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
            """
        return unsafe digits.utf8Start
    }
}
