/// Numbers: the grammar of RFC 8259 §6, read into decimal parts in one pass.
extension JSONReader {
    /// A number that is a plain integer of at most 18 digits, the form of nearly all integers. Nil, with nothing
    /// consumed, when the number is spelled otherwise (a fraction, an exponent, `-0`, more digits) or is not right:
    /// `readNumber` then has the answer.
    @inlinable
    package mutating func readPlainInteger() throws(JSONSyntaxError) -> Int64? {
        skipWhitespace()
        var pointer = cursor
        let isNegative = pointer < end && pointer.pointee == UInt8(ascii: "-")
        if isNegative { pointer += 1 }
        let firstDigit = pointer
        var magnitude: Int64 = 0
        while pointer < end {
            let digit = pointer.pointee &- UInt8(ascii: "0")
            if digit > 9 { break }
            magnitude = magnitude &* 10 &+ Int64(digit)
            pointer += 1
            // 18 digits stay below 10^18 and never overflow; the nineteenth ends the attempt.
            if pointer - firstDigit > 18 { return nil }
        }
        let digits = pointer - firstDigit
        if digits == 0 { return nil }
        if firstDigit.pointee == UInt8(ascii: "0"), digits > 1 || isNegative { return nil }
        if pointer < end {
            let next = pointer.pointee
            if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") { return nil }
        }
        guard pointer - cursor <= maximumNumberCharacters else { return nil }
        cursor = pointer
        return isNegative ? 0 &- magnitude : magnitude
    }

    /// The next number, in full generality.
    package mutating func readNumber() throws(JSONSyntaxError) -> JSONNumberToken {
        skipWhitespace()
        let token = try scanNumber(cursor)
        cursor += token.count
        return token
    }

    /// The number that starts at `start`, which may be the end.
    mutating func scanNumber(_ start: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> JSONNumberToken {
        var pointer = start
        var parts = JSONDecimalParts()
        if pointer < end, pointer.pointee == UInt8(ascii: "-") {
            parts.isNegative = true
            pointer += 1
        }
        guard let firstDigit = digit(at: pointer) else {
            if parts.isNegative { throw unexpected(.digit, at: pointer, .invalidNumber) }
            throw unexpected(.number, at: pointer)
        }
        if firstDigit == 0, digit(at: pointer + 1) != nil {
            throw unexpected(.noLeadingZero, at: pointer, .invalidNumber)
        }
        while let digit = digit(at: pointer) {
            parts.appendIntegerDigit(digit)
            pointer += 1
        }
        if pointer < end, pointer.pointee == UInt8(ascii: ".") {
            pointer += 1
            guard digit(at: pointer) != nil else { throw unexpected(.digit, at: pointer, .invalidNumber) }
            while let digit = digit(at: pointer) {
                parts.appendFractionDigit(digit)
                pointer += 1
            }
        }
        if pointer < end, pointer.pointee | 0x20 == UInt8(ascii: "e") {
            pointer += 1
            var isNegative = false
            if pointer < end, pointer.pointee == UInt8(ascii: "-") || pointer.pointee == UInt8(ascii: "+") {
                isNegative = pointer.pointee == UInt8(ascii: "-")
                pointer += 1
            }
            guard digit(at: pointer) != nil else { throw unexpected(.digit, at: pointer, .invalidNumber) }
            var exponent = 0
            while let digit = digit(at: pointer) {
                // Saturates far beyond what any length of digits can bring back into a finite range.
                if exponent < JSONDecimalParts.exponentLimit { exponent = exponent * 10 + Int(digit) }
                pointer += 1
            }
            parts.exponent += isNegative ? -exponent : exponent
        }
        let count = pointer - start
        guard count <= maximumNumberCharacters else { throw failure(.numberTooLong, at: start) }
        return JSONNumberToken(parts: parts, start: start, count: count)
    }

    /// The end of the number that starts at `start`; the same verdict as `scanNumber` without the arithmetic.
    @inline(__always)
    mutating func passNumber(_ start: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        var pointer = start
        if pointer.pointee == UInt8(ascii: "-") { pointer += 1 }
        let firstDigit = pointer
        pointer = passDigits(pointer)
        guard pointer > firstDigit, firstDigit.pointee != UInt8(ascii: "0") || pointer - firstDigit == 1 else {
            return try passUnusualNumber(start)
        }
        if pointer < end, pointer.pointee == UInt8(ascii: ".") || pointer.pointee | 0x20 == UInt8(ascii: "e") {
            return try passUnusualNumber(start)
        }
        guard pointer - start <= maximumNumberCharacters else { throw failure(.numberTooLong, at: start) }
        return pointer
    }

    @inline(never)
    private mutating func passUnusualNumber(_ start: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> UnsafePointer<
        UInt8
    > {
        start + (try scanNumber(start)).count
    }

    @inline(__always)
    private mutating func passDigits(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        var pointer = start
        while pointer < end, pointer.pointee &- UInt8(ascii: "0") < 10 { pointer += 1 }
        return pointer
    }

    @inline(__always)
    private mutating func digit(at pointer: UnsafePointer<UInt8>) -> UInt8? {
        guard pointer < end else { return nil }
        let digit = pointer.pointee &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }
}
