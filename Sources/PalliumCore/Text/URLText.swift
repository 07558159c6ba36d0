/// Recognises plain URLs, which every Foundation accepts unchanged.
///
///     http[s]://  host  [:port]  [/path]  [?query]  [#fragment]
///
/// For a text in this set, `URL(string: text, encodingInvalidCharacters: false)` succeeds, and its `absoluteString` is
/// the text again. So a reader may keep the text, and make the `URL`, which costs several times as much as the rest,
/// only when it is needed. The set is smaller than RFC 3986 on purpose: lower case scheme, no user, a host of letters,
/// digits, dots and dashes, one to five digits after the colon, only ASCII. Foundation decides about all other texts.
///
/// Safety: words of eight bytes are read only at indices up to `count - 8`; every other byte at an index below the
/// count.
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
        let front = unsafe ByteLanes.load(start)
        var index: Int
        if front == 0x2F2F_3A73_7074_7468 {
            index = 8
        } else if front & 0x00FF_FFFF_FFFF_FFFF == 0x002F_2F3A_7074_7468 {
            index = 7
        } else {
            return false
        }
        let hostIndex = index
        while true {
            let refusals = unsafe hostRefusals(word(start, at: index, count: count)) & ByteLanes.highBits
            if refusals != 0 {
                index &+= refusals.trailingZeroBitCount &>> 3
                break
            }
            index &+= 8
        }
        guard index > hostIndex else {
            return false
        }
        if index >= count {
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
        var index = first
        // Most URLs have no escape and no fragment.
        while count &- index >= 8 {
            var refusal: UInt8 = 0
            for offset in 0..<8 { unsafe refusal |= restRefusals[Int(start[index &+ offset])] }
            if refusal != 0 { break }
            index &+= 8
        }
        var isFragment = false
        while index < count {
            let byte = unsafe start[index]
            if unsafe restRefusals[Int(byte)] == 0 {
                index &+= 1
            } else if byte == UInt8(ascii: "%") {
                guard count &- index >= 3, unsafe HexadecimalDigits.contains(start[index &+ 1]),
                    unsafe HexadecimalDigits.contains(start[index &+ 2])
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

    /// Whether the byte is allowed unescaped in a path, query or fragment. The percent sign and number sign are not.
    static func isPlainRest(_ byte: UInt8) -> Bool {
        unsafe restRefusals[Int(byte)] == 0
    }

    /// Returns the eight bytes from `index` on. After the end of the text, lanes are zero, which no host has.
    ///
    /// - Parameters:
    ///   - index: 0…count.
    ///   - count: at least 8.
    @inline(__always)
    private static func word(_ start: UnsafePointer<UInt8>, at index: Int, count: Int) -> UInt64 {
        let excess = index &+ 8 &- count
        if excess <= 0 {
            return unsafe ByteLanes.load(start + index)
        }
        // The last eight bytes, less those before `index`. They are shifted out in two steps, since one shift by all
        // 64 bits would be a shift by none.
        let halfShift = UInt64(truncatingIfNeeded: excess &* 4)
        let last = unsafe ByteLanes.load(start + (count &- 8)) &>> halfShift
        return last &>> halfShift
    }

    /// Flags the lanes, by their highest bit, whose bytes are no letter, digit, dot or dash.
    @inline(__always)
    private static func hostRefusals(_ word: UInt64) -> UInt64 {
        let folded = word | ByteLanes.repeating(0x20)
        let isLetter = ByteLanes.atLeast(0x61, folded) & ~ByteLanes.atLeast(0x7B, folded)
        let isDigit = ByteLanes.atLeast(0x30, word) & ~ByteLanes.atLeast(0x3A, word)
        let isDashOrDot = ByteLanes.atLeast(0x2D, word) & ~ByteLanes.atLeast(0x2F, word)
        // Bytes that are not ASCII are refused, too. They may carry into later lanes and make those wrong, but never into
        // earlier ones. So the lowest refusal, the only one that callers use, is right.
        return ~(isLetter | isDigit | isDashOrDot) | word
    }

    /// One for each byte that needs an escape in a path, query or fragment, and for `%` and `#`; zero for others.
    ///
    /// Bytes without an escape are those of RFC 3986: unreserved, sub-delims and `: @ / ?`.
    ///
    /// Safety: the table has 256 entries, is filled before anybody reads it, and is never freed.
    nonisolated(unsafe) private static let restRefusals: UnsafePointer<UInt8> = {
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        unsafe table.initialize(repeating: 1, count: 256)
        let marks = "-._~!$&'()*+,;=:@/?"
        for byte in [0x30...0x39, 0x41...0x5A, 0x61...0x7A].joined() { unsafe table[byte] = 0 }
        for byte in marks.utf8 { unsafe table[Int(byte)] = 0 }
        return unsafe UnsafePointer(table)
    }()
}
