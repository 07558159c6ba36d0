/// A number as it was found in a text: its decimal parts, and where it stands. Valid until the next call on the
/// reader that made it.
package struct JSONNumberToken {
    let parts: JSONDecimalParts
    let start: UnsafePointer<UInt8>

    /// How many characters the number has.
    package let count: Int

    init(parts: JSONDecimalParts, start: UnsafePointer<UInt8>, count: Int) {
        self.parts = parts
        self.start = start
        self.count = count
    }

    /// The exact value, when it is an integer in range: `1e2`, `1.0` and `-0` count.
    package var int64: Int64? { parts.int64 }

    /// The exact value, when it is an integer in range and not negative: `1e2`, `1.0` and `-0` count.
    package var uint64: UInt64? { parts.uint64 }

    /// The nearest Double, ties to even; infinite when the number is too large. Keeps the sign of zero.
    package var double: Double { parts.double(text: text) }

    /// Whether the value is mathematically an integer, in whatever range.
    package var isInteger: Bool { parts.isInteger }

    /// The exact value to keep.
    package var number: JSONNumber { JSONNumber(parts, text: text) }

    /// The characters of the number.
    package var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
}
