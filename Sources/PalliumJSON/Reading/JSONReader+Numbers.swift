/// Reads numbers by the grammar of RFC 8259 §6, into decimal parts, in one pass.
///
/// Safety: a byte is read after its address was compared with the end. Only bytes before that address are read again.
extension JSONReader {
    /// Reads a plain integer of at most 18 digits, the form of nearly all integers.
    ///
    /// Returns nil and consumes nothing when the number has another form (a fraction, an exponent, `-0`, more digits)
    /// or is invalid. Call `readNumber` then.
    @inlinable
    package mutating func readPlainInteger() throws(JSONSyntaxError) -> Int64? {
        skipWhitespace()
        var pointer = cursor
        let isNegative = unsafe pointer < end && pointer.byte == UInt8(ascii: "-")
        if isNegative { pointer += 1 }
        let firstDigit = pointer
        var magnitude: Int64 = 0
        if end - pointer >= 8, let digits = unsafe EightBytes.decimalValue(pointer.word) {
            magnitude = digits
            pointer += 8
        }
        while pointer < end {
            let digit = unsafe pointer.byte &- UInt8(ascii: "0")
            if digit > 9 { break }
            magnitude = magnitude &* 10 &+ Int64(digit)
            pointer += 1
            // 18 digits stay below 10^18 and never overflow; the nineteenth ends the attempt.
            if pointer - firstDigit > 18 { return nil }
        }
        let digits = pointer - firstDigit
        if digits == 0 { return nil }
        if unsafe firstDigit.byte == UInt8(ascii: "0"), digits > 1 || isNegative { return nil }
        if pointer < end {
            let next = unsafe pointer.byte
            if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") { return nil }
        }
        guard pointer - cursor <= maximumNumberCharacters else { return nil }
        cursor = pointer
        return isNegative ? 0 &- magnitude : magnitude
    }

    /// Reads the next number in any form.
    package mutating func readNumber() throws(JSONSyntaxError) -> JSONNumberToken {
        skipWhitespace()
        let token = try unsafe scanNumber(cursor)
        unsafe cursor += token.count
        return unsafe token
    }

    /// Scans the number that starts at `start`, which may be the end of the text.
    mutating func scanNumber(_ start: ByteAddress) throws(JSONSyntaxError) -> JSONNumberToken {
        var pointer = start
        var parts = JSONDecimalParts()
        if pointer < end, unsafe pointer.byte == UInt8(ascii: "-") {
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
        if pointer < end, unsafe pointer.byte == UInt8(ascii: ".") {
            pointer += 1
            guard digit(at: pointer) != nil else { throw unexpected(.digit, at: pointer, .invalidNumber) }
            while let digit = digit(at: pointer) {
                parts.appendFractionDigit(digit)
                pointer += 1
            }
        }
        if pointer < end, unsafe pointer.byte | 0x20 == UInt8(ascii: "e") {
            pointer += 1
            var isNegative = false
            if pointer < end, unsafe pointer.byte == UInt8(ascii: "-") || pointer.byte == UInt8(ascii: "+") {
                isNegative = unsafe pointer.byte == UInt8(ascii: "-")
                pointer += 1
            }
            guard digit(at: pointer) != nil else { throw unexpected(.digit, at: pointer, .invalidNumber) }
            var exponent = 0
            while let digit = digit(at: pointer) {
                // The exponent stops growing where no number of digits can make the value finite again.
                if exponent < JSONDecimalParts.exponentLimit { exponent = exponent * 10 + Int(digit) }
                pointer += 1
            }
            parts.exponent += isNegative ? -exponent : exponent
        }
        let count = pointer - start
        guard count <= maximumNumberCharacters else {
            throw failure(.numberTooLong, at: start, limit: maximumNumberCharacters)
        }
        return unsafe JSONNumberToken(parts: parts, start: start, count: count)
    }

    /// Returns the end of the number that starts at `start`. Accepts the same numbers as `scanNumber` without the
    /// arithmetic.
    @inline(__always)
    mutating func passNumber(_ start: ByteAddress) throws(JSONSyntaxError) -> ByteAddress {
        var pointer = start
        if unsafe pointer.byte == UInt8(ascii: "-") { pointer += 1 }
        let firstDigit = pointer
        pointer = passDigits(pointer)
        guard pointer > firstDigit, unsafe firstDigit.byte != UInt8(ascii: "0") || pointer - firstDigit == 1
        else {
            return try passUnusualNumber(start)
        }
        if pointer < end,
            unsafe pointer.byte == UInt8(ascii: ".") || pointer.byte | 0x20 == UInt8(ascii: "e")
        {
            return try passUnusualNumber(start)
        }
        guard pointer - start <= maximumNumberCharacters else {
            throw failure(.numberTooLong, at: start, limit: maximumNumberCharacters)
        }
        return pointer
    }

    @inline(never)
    private mutating func passUnusualNumber(_ start: ByteAddress) throws(JSONSyntaxError) -> ByteAddress {
        unsafe start + (try scanNumber(start)).count
    }

    @inline(__always)
    private mutating func passDigits(_ start: ByteAddress) -> ByteAddress {
        var pointer = start
        while pointer < end, unsafe pointer.byte &- UInt8(ascii: "0") < 10 { pointer += 1 }
        return pointer
    }

    @inline(__always)
    private mutating func digit(at pointer: ByteAddress) -> UInt8? {
        guard pointer < end else { return nil }
        let digit = unsafe pointer.byte &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }
}
