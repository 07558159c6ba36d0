/// A JSON number, kept exactly.
///
/// Two numbers are equal when their mathematical values are: `1`, `1.0` and `1e0` are one number. So are `0` and `-0`,
/// although `-0` keeps its sign in ``double``. The spelling is kept only for numbers that need their text.
public struct JSONNumber: Sendable, Hashable {
    /// The storage of a value: the first case that can hold it. Only zero has two, because of its sign.
    enum Storage: Sendable {
        /// An integer in the range of Int64.
        case integer(Int64)
        /// An integer above Int64.max.
        case unsigned(UInt64)
        /// The decimal number that is the shortest text of this finite Double.
        case double(Double)
        /// Anything else, as a valid JSON number.
        case text(JSONNumberText)
    }

    let storage: Storage

    private init(_ storage: Storage) { self.storage = storage }

    /// A number from an integer.
    public init(_ value: some FixedWidthInteger) {
        if let integer = Int64(exactly: value) {
            self.init(.integer(integer))
        } else if let unsigned = UInt64(exactly: value) {
            self.init(.unsigned(unsigned))
        } else {
            self.init(.text(JSONNumberText(String(value))))
        }
    }

    /// A number from a Double; nil for infinities and NaN, which JSON does not have.
    ///
    /// An integral value below 2^64 becomes that integer, any other its shortest decimal text: `0.1` is one tenth.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        if value == 0, value.sign == .minus {
            self.init(.double(value))
        } else if let integer = Int64(exactly: value) {
            self.init(.integer(integer))
        } else if let unsigned = UInt64(exactly: value) {
            self.init(.unsigned(unsigned))
        } else {
            self.init(.double(value))
        }
    }

    /// Creates the number that is written in JSON for a Double; nil for infinities and NaN.
    ///
    /// It is the shortest decimal text of the Double, which for 2^63 is 9223372036854776000.
    package init?(written value: Double) {
        guard value.magnitude >= 0x1p53, value.magnitude < 0x1p65 else {
            self.init(value)
            return
        }
        // The text may be an integer, and equal numbers are stored alike.
        self.init(text: JSONByteBuffer.text(of: value))
    }

    /// Parses a number from its JSON text; nil when the text does not follow RFC 8259 §6. O(length).
    public init?(text: String) {
        let number = text.withBorrowedBytes { bytes in
            bytes.numberParts(isWhole: true).map { JSONNumber($0, text: bytes) }
        }
        guard let number else { return nil }
        self = number
    }

    /// Creates the number from the parts that were read from `text`.
    init(_ parts: JSONDecimalParts, text: BorrowedBytes) {
        if let integer = parts.int64 {
            self.init(integer == 0 && parts.isNegative ? .double(-0.0) : .integer(integer))
        } else if let unsigned = parts.uint64 {
            self.init(.unsigned(unsigned))
        } else if let double = parts.doubleWithSameDigits(text: text) {
            self.init(.double(double))
        } else {
            self.init(.text(JSONNumberText(String(decoding: text, as: UTF8.self))))
        }
    }

    /// The exact value, when the number is an integer in the range of Int64, in any spelling.
    public var int64: Int64? {
        switch storage {
        case .integer(let integer): integer
        case .double(let double) where double == 0: 0
        default: nil
        }
    }

    /// The exact value, when the number is an integer in the range of UInt64, in any spelling.
    public var uint64: UInt64? {
        switch storage {
        case .integer(let integer): UInt64(exactly: integer)
        case .unsigned(let unsigned): unsigned
        case .double(let double) where double == 0: 0
        default: nil
        }
    }

    /// The exact value, when the number is an integer in the range of Int, in any spelling.
    package var int: Int? { int64.flatMap { Int(exactly: $0) } }

    /// Whether the number is mathematically an integer of any size. O(length) for numbers kept as text.
    package var isInteger: Bool {
        switch storage {
        case .integer, .unsigned: true
        case .double(let double): double.rounded() == double
        case .text(let text): text.isInteger
        }
    }

    /// The nearest Double, ties to even; infinite when the number is too large.
    public var double: Double {
        switch storage {
        case .integer(let integer): Double(integer)
        case .unsigned(let unsigned): Double(unsigned)
        case .double(let double): double
        case .text(let text): text.double
        }
    }

    /// The nearest Float, ties to even; infinite when the number is too large. The number is rounded once, not to
    /// Double first.
    package var float: Float {
        switch storage {
        case .integer(let integer): Float(integer)
        case .unsigned(let unsigned): Float(unsigned)
        case .double, .text: Float(roundingOnce: double) { text }
        }
    }

    /// The nearest Double, ties to even; nil when the number is too large for one.
    package var finiteDouble: Double? {
        let double = double
        return double.isFinite ? double : nil
    }

    /// The Double that equals this number; nil when converting it back would give another number.
    package var exactDouble: Double? {
        guard let double = finiteDouble, JSONNumber(double) == self else { return nil }
        return double
    }

    /// The number as JSON text.
    public var text: String {
        switch storage {
        case .integer(let integer): String(integer)
        case .unsigned(let unsigned): String(unsigned)
        case .double(let double): JSONByteBuffer.text(of: double)
        case .text(let text): text.text
        }
    }

    /// Whether the mathematical values are equal. O(1), except for numbers kept as text: O(length).
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        switch (left.storage, right.storage) {
        case (.integer(let left), .integer(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.text(let left), .text(let right)): left.canonicalBytes == right.canonicalBytes
        case (.integer(0), .double(let double)), (.double(let double), .integer(0)): double == 0
        default: false
        }
    }

    /// Hashes the mathematical value.
    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .integer(let integer): hasher.combine(integer)
        case .unsigned(let unsigned): hasher.combine(unsigned)
        case .double(let double) where double == 0: hasher.combine(0 as Int64)
        case .double(let double): hasher.combine(double)
        case .text(let text): hasher.combine(text.canonicalBytes)
        }
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The number as JSON text.
    public var description: String { text }
}

extension JSONNumberToken {
    /// The exact value.
    package var number: JSONNumber { unsafe JSONNumber(parts, text: text) }
}

extension JSONReader {
    /// Reads a number.
    ///
    /// Safety: the token is used before the reader moves on.
    package mutating func readNumberValue() throws(JSONSyntaxError) -> JSONNumber { try unsafe readNumber().number }
}

extension JSONByteBuffer {
    /// Appends a number, exactly.
    package mutating func append(number: JSONNumber) {
        switch number.storage {
        case .integer(let integer): append(integer: integer)
        case .unsigned(let unsigned): append(unsigned: unsigned)
        case .double(let double): append(double: double)
        case .text(let text): text.text.withBorrowedBytes { append($0) }
        }
    }
}
