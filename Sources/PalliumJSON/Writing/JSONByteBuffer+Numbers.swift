/// Writes numbers as JSON text.
///
/// Invariant: every function reserves the longest text it can write before it writes.
extension JSONByteBuffer {
    /// Appends an integer; at most 20 bytes.
    package mutating func append(integer: Int64) {
        reserve(20)
        if integer < 0 {
            unsafe start[count] = UInt8(ascii: "-")
            count &+= 1
        }
        appendDigits(integer.magnitude)
    }

    /// Appends an integer; at most 20 bytes.
    package mutating func append(unsigned: UInt64) {
        reserve(20)
        appendDigits(unsigned)
    }

    /// Writes two digits at a time from the right, at their final positions. 20 bytes must be reserved.
    @inline(__always)
    private mutating func appendDigits(_ value: UInt64) {
        let length = Self.numberOfDigits(value)
        var position = unsafe start + (count &+ length)
        var rest = value
        while rest >= 100 {
            let pair = Int(truncatingIfNeeded: rest % 100)
            rest /= 100
            unsafe position -= 2
            unsafe Self.writePair(pair, position)
        }
        if rest >= 10 {
            unsafe Self.writePair(Int(truncatingIfNeeded: rest), position - 2)
        } else {
            unsafe position[-1] = UInt8(truncatingIfNeeded: rest) + UInt8(ascii: "0")
        }
        count &+= length
    }

    @inline(__always)
    private static func writePair(_ pair: Int, _ target: UnsafeMutablePointer<UInt8>) {
        let digits = unsafe digitPairs.utf8Start + pair * 2
        unsafe target[0] = digits[0]
        unsafe target[1] = digits[1]
    }

    private static var digitPairs: StaticString {
        """
        00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748\
        4950515253545556575859606162636465666768697071727374757677787980818283848586878889909192939495969798\
        99
        """
    }

    @inline(__always)
    private static func numberOfDigits(_ value: UInt64) -> Int {
        if value < 10 { return 1 }
        if value < 100 { return 2 }
        if value < 1000 { return 3 }
        if value < 10000 { return 4 }
        var length = 4
        var rest = value / 10000
        while rest > 0 {
            rest /= 10
            length &+= 1
        }
        return length
    }

    /// Appends the shortest decimal text that reads back as the same Double.
    ///
    /// Integers below 2^53 have no point and no exponent, and `-0.0` keeps its sign. JSON has no infinities and no NaN:
    /// they become `null`, so callers that want an error check before.
    package mutating func append(double: Double) {
        if let integer = Int64(exactly: double), integer.magnitude < 1 << 53, integer != 0 || double.sign == .plus {
            return append(integer: integer)
        }
        guard double.isFinite else { return append(literal: "null") }
        double.description.withBorrowedBytes { digits in
            // Integral values print with ".0", which says nothing unless it keeps the sign of zero.
            let isIntegral = double != 0 && digits.count > 2 && digits.suffix(2).elementsEqual(".0".utf8)
            append(isIntegral ? digits.part(0..<digits.count - 2) : digits)
        }
    }

    /// The text that `append(double:)` appends.
    static func text(of double: Double) -> String {
        var buffer = JSONByteBuffer(capacity: 64)
        buffer.append(double: double)
        return buffer.text
    }
}
