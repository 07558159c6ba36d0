/// Validates UTF-8 strictly (RFC 3629 §4): no overlong forms, no surrogates, nothing above U+10FFFF, nothing cut short.
///
/// Invariant: reads only in `[pointer, end)`.
enum UTF8Validation {
    /// Returns the length of the well-formed sequence at `pointer`; 0 when there is none. The sequence starts with a
    /// non-ASCII byte, and `pointer` is before `end`.
    @inline(__always)
    static func lengthOfSequence(_ pointer: ByteAddress, _ end: ByteAddress) -> Int {
        let lead = unsafe pointer.byte
        let available = end - pointer
        if lead < 0xE0 {
            guard lead >= 0xC2, available >= 2, unsafe isContinuation(pointer[1]) else { return 0 }
            return 2
        }
        if lead < 0xF0 {
            guard available >= 3, unsafe isContinuation(pointer[1]), unsafe isContinuation(pointer[2]) else { return 0 }
            if lead == 0xE0 { return unsafe pointer[1] >= 0xA0 ? 3 : 0 }
            if lead == 0xED { return unsafe pointer[1] < 0xA0 ? 3 : 0 }
            return 3
        }
        guard lead < 0xF5, available >= 4, unsafe isContinuation(pointer[1]), unsafe isContinuation(pointer[2]),
            unsafe isContinuation(pointer[3])
        else { return 0 }
        if lead == 0xF0 { return unsafe pointer[1] >= 0x90 ? 4 : 0 }
        if lead == 0xF4 { return unsafe pointer[1] < 0x90 ? 4 : 0 }
        return 4
    }

    @inline(__always)
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
