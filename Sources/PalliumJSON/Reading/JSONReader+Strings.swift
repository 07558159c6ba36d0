/// Reads strings: finds their end, checks their bytes, decodes their escapes.
///
///     "plain text, eight bytes at a time \n more text"
///      └── run ──────────────────────────┘└┘└─ run ─┘
///
/// A string without escapes is never copied; one with escapes is assembled in `scratch`. Invariant: `scratch` has room
/// for `scratchCapacity` bytes, and every write follows a call of `reserveScratch`.
extension JSONReader {
    /// Reads the next string, checked and unescaped. The text is valid until the next call.
    package mutating func readText() throws(JSONSyntaxError) -> JSONText {
        guard startsWith(UInt8(ascii: "\"")) else { throw unexpected(.string) }
        cursor += 1
        return try unsafe readStringBody(limit: options.maximumStringBytes, tooLong: .stringTooLong)
    }

    /// Reads the next string as a `String`.
    package mutating func readString() throws(JSONSyntaxError) -> String { try unsafe readText().string }

    /// Reads from just after the opening quotation mark to just after the closing one.
    @inline(__always)
    mutating func readStringBody(
        limit: Int, tooLong: JSONSyntaxError.Code
    ) throws(JSONSyntaxError) -> JSONText {
        let start = cursor
        var isASCII = true
        let stop = try passPlainText(start, &isASCII)
        guard unsafe stop.byte == UInt8(ascii: "\"") else {
            return try unsafe unescape(from: start, firstEscape: stop, isASCII: isASCII, limit: limit, tooLong: tooLong)
        }
        let count = stop - start
        guard count <= limit else { throw failure(tooLong, at: start, limit: limit) }
        cursor = stop + 1
        return unsafe JSONText(start: start.pointer, count: count, isASCII: isASCII)
    }

    /// Returns the first quotation mark or backslash from `start` on, and checks everything before it. Throws when the
    /// text ends before one is found.
    @inline(__always)
    mutating func passPlainText(
        _ start: ByteAddress, _ isASCII: inout Bool
    ) throws(JSONSyntaxError) -> ByteAddress {
        var pointer = start
        while end - pointer >= 16 {
            // Two words in each round: the processor works on both at once.
            var flags = unsafe EightBytes.flagsOfSpecialBytes(pointer.word)
            let nextFlags = unsafe EightBytes.flagsOfSpecialBytes((pointer + 8).word)
            if flags | nextFlags == 0 {
                pointer += 16
                continue
            }
            if flags == 0 {
                flags = nextFlags
                pointer += 8
            }
            pointer += EightBytes.firstFlag(flags)
            let byte = unsafe pointer.byte
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return pointer }
            isASCII = false
            pointer = try passNonASCII(pointer)
        }
        return try passPlainTextNearEnd(pointer, &isASCII)
    }

    /// Does the work of `passPlainText` for the last few bytes of the document.
    @inline(never)
    private mutating func passPlainTextNearEnd(
        _ start: ByteAddress, _ isASCII: inout Bool
    ) throws(JSONSyntaxError) -> ByteAddress {
        var pointer = start
        while pointer < end {
            let byte = unsafe pointer.byte
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return pointer }
            if byte >= 0x20, byte < 0x80 {
                pointer += 1
            } else {
                isASCII = false
                pointer = try passNonASCII(pointer)
            }
        }
        throw unexpected(.closingQuote, at: end)
    }

    /// Checks the run of non-ASCII characters at `start` and returns its end. Throws `controlCharacter` when there is
    /// a byte below 0x20 instead.
    @inline(never)
    private mutating func passNonASCII(_ start: ByteAddress) throws(JSONSyntaxError) -> ByteAddress {
        var pointer = start
        if unsafe pointer.byte < 0x20 { throw unexpected(.escape, at: pointer, .controlCharacter) }
        while pointer < end, unsafe pointer.byte >= 0x80 {
            let length = UTF8Validation.lengthOfSequence(pointer, end)
            guard length > 0 else { throw unexpected(.none, at: pointer, .invalidUTF8) }
            pointer += length
        }
        return pointer
    }

    // MARK: Escapes

    @inline(never)
    private mutating func unescape(
        from start: ByteAddress, firstEscape: ByteAddress, isASCII: Bool, limit: Int,
        tooLong: JSONSyntaxError.Code
    ) throws(JSONSyntaxError) -> JSONText {
        var isASCII = isASCII
        var count = 0
        var run = start
        var stop = firstEscape
        while true {
            let runCount = stop - run
            guard runCount <= limit - count else { throw failure(tooLong, at: start, limit: limit) }
            // Sixteen more for a short run, of which four are for the longest character an escape can stand for.
            let target = unsafe reserveScratch(count: count, additional: runCount + 16)
            if runCount <= 16, end - run >= 16 {
                // Copies what follows the run, too, which is overwritten: one load and one store for most runs.
                let bytes = unsafe UnsafeRawPointer(run.pointer).loadUnaligned(as: (UInt64, UInt64).self)
                unsafe UnsafeMutableRawPointer(target + count).storeBytes(of: bytes, as: (UInt64, UInt64).self)
            } else {
                unsafe (target + count).update(from: run.pointer, count: runCount)
            }
            count += runCount
            if unsafe stop.byte == UInt8(ascii: "\"") { break }
            run = stop
            let scalar = try decodeEscape(&run)
            if scalar >= 0x80 { isASCII = false }
            unsafe count += Self.writeUTF8(scalar, to: target + count)
            guard count <= limit else { throw failure(tooLong, at: start, limit: limit) }
            stop = try passPlainText(run, &isASCII)
        }
        cursor = stop + 1
        return unsafe JSONText(
            start: scratch.map { unsafe UnsafePointer($0) } ?? start.pointer, count: count, isASCII: isASCII)
    }

    /// Makes room for `additional` bytes after the first `count`, which are kept. Doubles, so that n bytes cost O(n).
    private mutating func reserveScratch(count: Int, additional: Int) -> UnsafeMutablePointer<UInt8> {
        if let scratch = unsafe scratch, scratchCapacity - count >= additional { return unsafe scratch }
        let capacity = max(256, (count + additional) * 2)
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        if let scratch = unsafe scratch {
            unsafe grown.update(from: scratch, count: count)
            unsafe scratch.deallocate()
        }
        unsafe scratch = unsafe grown
        scratchCapacity = capacity
        return unsafe grown
    }

    /// Decodes an escape; moves `pointer` from the backslash to just after the escape.
    mutating func decodeEscape(_ pointer: inout ByteAddress) throws(JSONSyntaxError) -> UInt32 {
        let backslash = pointer
        guard end - pointer >= 2 else { throw unexpected(.escape, at: end) }
        let kind = unsafe pointer[1]
        pointer += 2
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt32(kind)
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"): break
        default: throw unexpected(.escape, at: backslash + 1, .invalidEscape)
        }
        let unit = try decodeHexadecimal(&pointer)
        guard unit & 0xF800 == 0xD800 else { return unit }
        if unit < 0xDC00, end - pointer >= 2, unsafe pointer[0] == UInt8(ascii: "\\"),
            unsafe pointer[1] == UInt8(ascii: "u")
        {
            var afterPair = pointer + 2
            let second = try decodeHexadecimal(&afterPair)
            if second & 0xFC00 == 0xDC00 {
                pointer = afterPair
                return 0x10000 + ((unit & 0x3FF) << 10 | second & 0x3FF)
            }
        }
        guard options.loneSurrogates == .replace else { throw failure(.loneSurrogate, at: backslash) }
        return 0xFFFD
    }

    private mutating func decodeHexadecimal(_ pointer: inout ByteAddress) throws(JSONSyntaxError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard pointer < end else { throw unexpected(.hexadecimalDigit, at: end) }
            let digit = unsafe pointer.byte &- UInt8(ascii: "0")
            let letter = unsafe (pointer.byte | 0x20) &- UInt8(ascii: "a")
            guard digit < 10 || letter < 6 else {
                throw unexpected(.hexadecimalDigit, at: pointer, .invalidEscape)
            }
            unit = unit << 4 | UInt32(digit < 10 ? digit : letter + 10)
            pointer += 1
        }
        return unit
    }

    /// Returns the number of bytes of a character in UTF-8.
    @inline(__always)
    static func lengthInUTF8(_ scalar: UInt32) -> Int {
        scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
    }

    /// Writes at most four bytes; `scalar` is a Unicode scalar value.
    @inline(__always)
    private static func writeUTF8(_ scalar: UInt32, to target: UnsafeMutablePointer<UInt8>) -> Int {
        if scalar < 0x80 {
            unsafe target[0] = UInt8(truncatingIfNeeded: scalar)
            return 1
        }
        let last = UInt8(truncatingIfNeeded: scalar & 0x3F | 0x80)
        if scalar < 0x800 {
            unsafe target[0] = UInt8(truncatingIfNeeded: scalar >> 6 | 0xC0)
            unsafe target[1] = last
            return 2
        }
        let secondLast = UInt8(truncatingIfNeeded: scalar >> 6 & 0x3F | 0x80)
        if scalar < 0x10000 {
            unsafe target[0] = UInt8(truncatingIfNeeded: scalar >> 12 | 0xE0)
            unsafe target[1] = secondLast
            unsafe target[2] = last
            return 3
        }
        unsafe target[0] = UInt8(truncatingIfNeeded: scalar >> 18 | 0xF0)
        unsafe target[1] = UInt8(truncatingIfNeeded: scalar >> 12 & 0x3F | 0x80)
        unsafe target[2] = secondLast
        unsafe target[3] = last
        return 4
    }
}
