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
        var pointer = unsafe cursor
        let isNegative = unsafe pointer < end && pointer.pointee == UInt8(ascii: "-")
        if isNegative { unsafe pointer += 1 }
        let firstDigit = unsafe pointer
        var magnitude: Int64 = 0
        if unsafe end - pointer >= 8, let digits = unsafe EightBytes.decimalValue(EightBytes.load(pointer)) {
            magnitude = digits
            unsafe pointer += 8
        }
        while unsafe pointer < end {
            let digit = unsafe pointer.pointee &- UInt8(ascii: "0")
            if digit > 9 { break }
            magnitude = magnitude &* 10 &+ Int64(digit)
            unsafe pointer += 1
            // 18 digits stay below 10^18 and never overflow; the nineteenth ends the attempt.
            if unsafe pointer - firstDigit > 18 { return nil }
        }
        let digits = unsafe pointer - firstDigit
        if digits == 0 { return nil }
        if unsafe firstDigit.pointee == UInt8(ascii: "0"), digits > 1 || isNegative { return nil }
        if unsafe pointer < end {
            let next = unsafe pointer.pointee
            if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") { return nil }
        }
        guard unsafe pointer - cursor <= maximumNumberCharacters else { return nil }
        unsafe cursor = pointer
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
    mutating func scanNumber(_ start: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> JSONNumberToken {
        var pointer = unsafe start
        var parts = JSONDecimalParts()
        if unsafe pointer < end, unsafe pointer.pointee == UInt8(ascii: "-") {
            parts.isNegative = true
            unsafe pointer += 1
        }
        guard let firstDigit = unsafe digit(at: pointer) else {
            if parts.isNegative { throw unsafe unexpected(.digit, at: pointer, .invalidNumber) }
            throw unsafe unexpected(.number, at: pointer)
        }
        if firstDigit == 0, unsafe digit(at: pointer + 1) != nil {
            throw unsafe unexpected(.noLeadingZero, at: pointer, .invalidNumber)
        }
        while let digit = unsafe digit(at: pointer) {
            parts.appendIntegerDigit(digit)
            unsafe pointer += 1
        }
        if unsafe pointer < end, unsafe pointer.pointee == UInt8(ascii: ".") {
            unsafe pointer += 1
            guard unsafe digit(at: pointer) != nil else { throw unsafe unexpected(.digit, at: pointer, .invalidNumber) }
            while let digit = unsafe digit(at: pointer) {
                parts.appendFractionDigit(digit)
                unsafe pointer += 1
            }
        }
        if unsafe pointer < end, unsafe pointer.pointee | 0x20 == UInt8(ascii: "e") {
            unsafe pointer += 1
            var isNegative = false
            if unsafe pointer < end, unsafe pointer.pointee == UInt8(ascii: "-") || pointer.pointee == UInt8(ascii: "+")
            {
                isNegative = unsafe pointer.pointee == UInt8(ascii: "-")
                unsafe pointer += 1
            }
            guard unsafe digit(at: pointer) != nil else { throw unsafe unexpected(.digit, at: pointer, .invalidNumber) }
            var exponent = 0
            while let digit = unsafe digit(at: pointer) {
                // The exponent stops growing where no number of digits can make the value finite again.
                if exponent < JSONDecimalParts.exponentLimit { exponent = exponent * 10 + Int(digit) }
                unsafe pointer += 1
            }
            parts.exponent += isNegative ? -exponent : exponent
        }
        let count = unsafe pointer - start
        guard count <= maximumNumberCharacters else {
            throw unsafe failure(.numberTooLong, at: start, limit: maximumNumberCharacters)
        }
        return unsafe JSONNumberToken(parts: parts, start: start, count: count)
    }

    /// Returns the end of the number that starts at `start`. Accepts the same numbers as `scanNumber` without the
    /// arithmetic.
    @inline(__always)
    mutating func passNumber(_ start: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        var pointer = unsafe start
        if unsafe pointer.pointee == UInt8(ascii: "-") { unsafe pointer += 1 }
        let firstDigit = unsafe pointer
        unsafe pointer = passDigits(pointer)
        guard unsafe pointer > firstDigit, unsafe firstDigit.pointee != UInt8(ascii: "0") || pointer - firstDigit == 1
        else {
            return try unsafe passUnusualNumber(start)
        }
        if unsafe pointer < end,
            unsafe pointer.pointee == UInt8(ascii: ".") || pointer.pointee | 0x20 == UInt8(ascii: "e")
        {
            return try unsafe passUnusualNumber(start)
        }
        guard unsafe pointer - start <= maximumNumberCharacters else {
            throw unsafe failure(.numberTooLong, at: start, limit: maximumNumberCharacters)
        }
        return unsafe pointer
    }

    @inline(never)
    private mutating func passUnusualNumber(_ start: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> UnsafePointer<
        UInt8
    > {
        unsafe start + (try scanNumber(start)).count
    }

    @inline(__always)
    private mutating func passDigits(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        var pointer = unsafe start
        while unsafe pointer < end, unsafe pointer.pointee &- UInt8(ascii: "0") < 10 { unsafe pointer += 1 }
        return unsafe pointer
    }

    @inline(__always)
    private mutating func digit(at pointer: UnsafePointer<UInt8>) -> UInt8? {
        guard unsafe pointer < end else { return nil }
        let digit = unsafe pointer.pointee &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }
}
