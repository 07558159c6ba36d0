/// A pull reader over the bytes of one JSON text.
///
/// The caller requests the next token; the reader checks and returns it. Nothing is recursive, so nesting uses no
/// stack.
///
///     base                  cursor                      end
///      │                      │                          │
///      ▼                      ▼                          ▼
///     [{"a":1,"b":[true,false],"c":"x\ty"}               ]
///                                  └──── unescaped into scratch when read as text
///
/// Invariant: `base <= cursor <= end`, and `[base, end)` is readable and unchanged for the life of the reader, which
/// the caller of `init` promises. No function reads at an address without having compared it with `end`. Only the
/// reader holds `scratch`, and it frees it at its end.
///
/// After an error the cursor is somewhere in the text, and only `rewind(to:)` may be called.
@usableFromInline
@safe
package struct JSONReader: ~Copyable {
    @usableFromInline let base: ByteAddress
    @usableFromInline let end: ByteAddress
    @usableFromInline var cursor: ByteAddress
    /// The number of containers that were entered and not left.
    @usableFromInline package internal(set) var depth = 0
    @usableFromInline var remainingValues: Int
    /// The last address at which a name can be compared with a short one in one step: sixteen bytes are left.
    @usableFromInline let lastShortName: ByteAddress
    @usableFromInline let maximumDepth: Int
    @usableFromInline let maximumNameBytes: Int
    @usableFromInline let maximumNumberCharacters: Int
    var scratch: UnsafeMutablePointer<UInt8>?
    var scratchCapacity = 0

    /// The options the reader was made with.
    package let options: JSONReadingOptions

    /// Creates a reader at the start of `bytes`.
    ///
    /// The caller keeps the bytes alive and unchanged as long as it uses the reader.
    package init(_ bytes: BorrowedBytes, options: JSONReadingOptions) {
        base = unsafe ByteAddress(bytes.start)
        end = base + bytes.count
        cursor = base
        // If short names may be too long, none is compared in one step.
        let mayExceedLimit = unsafe options.maximumNameBytes < JSONExpectedName.longestShort
        lastShortName = mayExceedLimit ? base - 1 : end - 16
        remainingValues = options.maximumValues
        maximumDepth = options.maximumDepth
        maximumNameBytes = options.maximumNameBytes
        maximumNumberCharacters = options.maximumNumberCharacters
        self.options = options
    }

    deinit { unsafe scratch?.deallocate() }

    /// Byte offset of the cursor from the start of the text.
    @inlinable
    package var offset: Int { cursor - base }

    /// The bytes of the text, as long as the caller of `init` keeps them.
    package var text: BorrowedBytes { unsafe BorrowedBytes(start: base.pointer, count: end - base) }

    /// Moves the cursor to an offset in the text.
    mutating func move(to offset: Int) {
        precondition(offset >= 0 && offset <= end - base)
        cursor = base + offset
    }

    /// Returns the current position, for `rewind(to:)`.
    package func mark() -> JSONReaderMark {
        JSONReaderMark(offset: offset, depth: depth, remainingValues: remainingValues)
    }

    /// Moves to a position this reader was at, with the depth and the counters of that time.
    package mutating func rewind(to mark: JSONReaderMark) {
        // The decoder goes back at every object of a cluster. A mark of another reader traps.
        move(to: mark.offset)
        depth = mark.depth
        remainingValues = mark.remainingValues
    }

    /// Sets the depth at which the text begins: inside containers that another reader entered.
    package mutating func resume(inside depth: Int) { self.depth = depth }

    // MARK: White space

    /// Moves the cursor to the next byte that is not white space, or to the end.
    @inlinable @inline(__always)
    package mutating func skipWhitespace() {
        if cursor < end, unsafe cursor.byte > 0x20 { return }
        skipWhitespaceRun()
    }

    @usableFromInline
    mutating func skipWhitespaceRun() { cursor = passWhitespace(cursor) }

    /// Returns the first byte from `start` on that is not white space. Eight spaces, the indentation of pretty-printed
    /// texts, are skipped in one step.
    mutating func passWhitespace(_ start: ByteAddress) -> ByteAddress {
        var pointer = start
        while pointer < end {
            switch unsafe pointer.byte {
            case 0x20:
                if end - pointer >= 8, unsafe pointer.word == 0x2020_2020_2020_2020 {
                    pointer += 8
                } else {
                    pointer += 1
                }
            case 0x0A, 0x0D, 0x09: pointer += 1
            default: return pointer
            }
        }
        return pointer
    }

    // MARK: Looking ahead

    /// Returns the kind of the next value from its first byte. Skips the white space before it and consumes nothing
    /// else.
    ///
    /// Throws `unexpectedByte` when no value can start there, and `unexpectedEnd` at the end of the text.
    @inlinable @inline(__always)
    package mutating func peekKind() throws(JSONSyntaxError) -> JSONTokenKind {
        skipWhitespace()
        guard cursor < end else { throw unexpected(.value) }
        switch unsafe cursor.byte {
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return .number
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "t"): return .true
        case UInt8(ascii: "f"): return .false
        case UInt8(ascii: "n"): return .null
        default: throw unexpected(.value)
        }
    }

    /// Whether the next value starts with this byte; skips the white space before it and consumes nothing else.
    @inlinable @inline(__always)
    package mutating func startsWith(_ byte: UInt8) -> Bool {
        if cursor < end, unsafe cursor.byte == byte { return true }
        return startsWithAfterWhitespace(byte)
    }

    @usableFromInline @inline(never)
    mutating func startsWithAfterWhitespace(_ byte: UInt8) -> Bool {
        skipWhitespaceRun()
        return unsafe cursor < end && cursor.byte == byte
    }

    // MARK: Errors

    /// Returns the error for a wrong byte at the cursor.
    @usableFromInline @inline(never)
    func unexpected(_ expectation: JSONSyntaxError.Expectation) -> JSONSyntaxError {
        unexpected(expectation, at: cursor)
    }

    /// Returns the error for a wrong byte at the cursor, or for the end of the text there.
    func unexpectedAtCursor(
        _ expectation: JSONSyntaxError.Expectation, _ code: JSONSyntaxError.Code
    ) -> JSONSyntaxError {
        unexpected(expectation, at: cursor, code)
    }

    /// Returns the error for a wrong byte at `pointer`, or for the end of the text there.
    func unexpected(
        _ expectation: JSONSyntaxError.Expectation, at pointer: ByteAddress,
        _ code: JSONSyntaxError.Code = .unexpectedByte
    ) -> JSONSyntaxError {
        guard pointer < end else {
            return JSONSyntaxError(.unexpectedEnd, at: end - base, expected: expectation)
        }
        return unsafe JSONSyntaxError(code, at: pointer - base, expected: expectation, found: pointer.byte)
    }

    /// Returns an error at `pointer` that is explained without the byte; `limit` is for errors about a limit.
    func failure(
        _ code: JSONSyntaxError.Code, at pointer: ByteAddress, limit: Int = 0
    ) -> JSONSyntaxError {
        JSONSyntaxError(code, at: pointer - base, limit: limit)
    }
}
