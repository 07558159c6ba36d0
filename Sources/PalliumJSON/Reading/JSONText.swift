/// The unescaped text of a string token.
///
///     document  … "plain text" …            no escapes: start points here
///     scratch   [ u n e s c a p e d ]        escapes:    start points here
///
/// Invariant: `count` bytes from `start` are valid UTF-8, and readable until the next call on the reader that made the
/// value.
@frozen
@usableFromInline
@unsafe
package struct JSONText {
    /// The first byte; a valid address even when `count` is zero.
    @usableFromInline package let start: UnsafePointer<UInt8>

    /// The number of bytes.
    @usableFromInline package let count: Int

    /// Whether all bytes are below 0x80.
    @usableFromInline package let isASCII: Bool

    @inlinable @inline(__always)
    package init(start: UnsafePointer<UInt8>, count: Int, isASCII: Bool) {
        unsafe self.start = start
        unsafe self.count = count
        unsafe self.isASCII = isASCII
    }

    /// The bytes, as long as the text may be used.
    @inlinable @inline(__always)
    package var bytes: BorrowedBytes { unsafe BorrowedBytes(start: start, count: count) }

    /// A copy as a string. O(count). The bytes were checked when they were read, so a standard library that can skip
    /// its own check does.
    @inlinable
    package var string: String {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return unsafe String(copying: UTF8Span(unchecked: bytes.buffer.span, isKnownASCII: isASCII))
        }
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}

extension BorrowedBytes {
    /// A copy of the bytes as a string. They must be well-formed UTF-8.
    ///
    /// - Parameter isASCII: Whether all of them are known to be below 0x80.
    @unsafe @inlinable
    package func text(isASCII: Bool) -> String {
        unsafe JSONText(start: start, count: count, isASCII: isASCII).string
    }
}

/// The kind of the next value, known from its first byte.
@frozen
@usableFromInline
package enum JSONTokenKind: UInt8, Sendable {
    case object, array, string, number, `true`, `false`, null
}

/// A position to return to, with the counters that belong to it.
package struct JSONReaderMark: Sendable {
    /// The offset from the start of the text.
    package let offset: Int
    let depth: Int
    let remainingValues: Int
}
