/// Strings: finding the end, checking the bytes, taking escapes apart.
///
///     "plain text, eight bytes at a time \n more text"
///      └── run ──────────────────────────┘└┘└─ run ─┘
///
/// A string without escapes is never copied; one with escapes is put together in `scratch`. Invariant: `scratch` has
/// room for `scratchCapacity` bytes, and nothing is written without `reserveScratch` before.
extension JSONReader {
    /// The next string, checked and unescaped; valid until the next call.
    package mutating func readText() throws(JSONSyntaxError) -> JSONText {
        skipWhitespace()
        guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected(.string) }
        cursor += 1
        return try readStringBody(limit: options.maximumStringBytes, tooLong: .stringTooLong)
    }

    /// The next string, checked and unescaped, as a `String`.
    package mutating func readString() throws(JSONSyntaxError) -> String { try readText().string }

    /// Reads from just after the opening quotation mark to just after the closing one.
    @inline(__always)
    mutating func readStringBody(
        limit: Int, tooLong: JSONSyntaxError.Code
    ) throws(JSONSyntaxError) -> JSONText {
        let start = cursor
        var isASCII = true
        let stop = try passPlainText(start, &isASCII)
        guard stop.pointee == UInt8(ascii: "\"") else {
            return try unescape(from: start, firstEscape: stop, isASCII: isASCII, limit: limit, tooLong: tooLong)
        }
        let count = stop - start
        guard count <= limit else { throw failure(tooLong, at: start) }
        cursor = stop + 1
        return JSONText(start: start, count: count, isASCII: isASCII)
    }

    /// The first quotation mark or backslash from `start` on. Everything before it is checked; throws when the text
    /// ends before one is found.
    @inline(__always)
    mutating func passPlainText(
        _ start: UnsafePointer<UInt8>, _ isASCII: inout Bool
    ) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        var pointer = start
        while end - pointer >= 8 {
            let flags = EightBytes.flagsOfSpecialBytes(EightBytes.load(pointer))
            if flags == 0 {
                pointer += 8
                continue
            }
            pointer += EightBytes.firstFlag(flags)
            let byte = pointer.pointee
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return pointer }
            isASCII = false
            pointer = try passNonASCII(pointer)
        }
        return try passPlainTextNearEnd(pointer, &isASCII)
    }

    /// `passPlainText` for the last few bytes of the document.
    @inline(never)
    private mutating func passPlainTextNearEnd(
        _ start: UnsafePointer<UInt8>, _ isASCII: inout Bool
    ) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        var pointer = start
        while pointer < end {
            let byte = pointer.pointee
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
    private mutating func passNonASCII(_ start: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        var pointer = start
        if pointer.pointee < 0x20 { throw unexpected(.escape, at: pointer, .controlCharacter) }
        while pointer < end, pointer.pointee >= 0x80 {
            let length = UTF8Validation.lengthOfSequence(pointer, end)
            guard length > 0 else { throw unexpected(.none, at: pointer, .invalidUTF8) }
            pointer += length
        }
        return pointer
    }

    // MARK: Escapes

    @inline(never)
    private mutating func unescape(
        from start: UnsafePointer<UInt8>, firstEscape: UnsafePointer<UInt8>, isASCII: Bool, limit: Int,
        tooLong: JSONSyntaxError.Code
    ) throws(JSONSyntaxError) -> JSONText {
        var isASCII = isASCII
        var count = 0
        var run = start
        var stop = firstEscape
        while true {
            let runCount = stop - run
            guard runCount <= limit - count else { throw failure(tooLong, at: start) }
            // Four more for the longest character an escape can stand for.
            let target = reserveScratch(count: count, additional: runCount + 4)
            (target + count).update(from: run, count: runCount)
            count += runCount
            if stop.pointee == UInt8(ascii: "\"") { break }
            run = stop
            let scalar = try decodeEscape(&run)
            if scalar >= 0x80 { isASCII = false }
            count += Self.writeUTF8(scalar, to: target + count)
            guard count <= limit else { throw failure(tooLong, at: start) }
            stop = try passPlainText(run, &isASCII)
        }
        cursor = stop + 1
        return JSONText(start: scratch.map { UnsafePointer($0) } ?? start, count: count, isASCII: isASCII)
    }

    /// Room for `additional` bytes behind the first `count`, which are kept. Doubles, so that n bytes cost O(n).
    private mutating func reserveScratch(count: Int, additional: Int) -> UnsafeMutablePointer<UInt8> {
        if let scratch, scratchCapacity - count >= additional { return scratch }
        let capacity = max(256, (count + additional) * 2)
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        if let scratch {
            grown.update(from: scratch, count: count)
            scratch.deallocate()
        }
        scratch = grown
        scratchCapacity = capacity
        return grown
    }

    /// The character an escape stands for; moves `pointer` from the backslash to just after the escape.
    mutating func decodeEscape(_ pointer: inout UnsafePointer<UInt8>) throws(JSONSyntaxError) -> UInt32 {
        let backslash = pointer
        guard end - pointer >= 2 else { throw unexpected(.escape, at: end) }
        let kind = pointer[1]
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
        if unit < 0xDC00, end - pointer >= 2, pointer[0] == UInt8(ascii: "\\"), pointer[1] == UInt8(ascii: "u") {
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

    private mutating func decodeHexadecimal(_ pointer: inout UnsafePointer<UInt8>) throws(JSONSyntaxError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard pointer < end else { throw unexpected(.hexadecimalDigit, at: end) }
            let digit = pointer.pointee &- UInt8(ascii: "0")
            let letter = (pointer.pointee | 0x20) &- UInt8(ascii: "a")
            guard digit < 10 || letter < 6 else { throw unexpected(.hexadecimalDigit, at: pointer, .invalidEscape) }
            unit = unit << 4 | UInt32(digit < 10 ? digit : letter + 10)
            pointer += 1
        }
        return unit
    }

    /// How many bytes a character has in UTF-8.
    @inline(__always)
    static func lengthInUTF8(_ scalar: UInt32) -> Int {
        scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
    }

    /// Writes at most four bytes; `scalar` is a Unicode scalar value.
    @inline(__always)
    private static func writeUTF8(_ scalar: UInt32, to target: UnsafeMutablePointer<UInt8>) -> Int {
        if scalar < 0x80 {
            target[0] = UInt8(truncatingIfNeeded: scalar)
            return 1
        }
        let last = UInt8(truncatingIfNeeded: scalar & 0x3F | 0x80)
        if scalar < 0x800 {
            target[0] = UInt8(truncatingIfNeeded: scalar >> 6 | 0xC0)
            target[1] = last
            return 2
        }
        let secondLast = UInt8(truncatingIfNeeded: scalar >> 6 & 0x3F | 0x80)
        if scalar < 0x10000 {
            target[0] = UInt8(truncatingIfNeeded: scalar >> 12 | 0xE0)
            target[1] = secondLast
            target[2] = last
            return 3
        }
        target[0] = UInt8(truncatingIfNeeded: scalar >> 18 | 0xF0)
        target[1] = UInt8(truncatingIfNeeded: scalar >> 12 & 0x3F | 0x80)
        target[2] = secondLast
        target[3] = last
        return 4
    }
}
