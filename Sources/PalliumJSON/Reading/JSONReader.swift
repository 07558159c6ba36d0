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
    @usableFromInline let base: UnsafePointer<UInt8>
    @usableFromInline let end: UnsafePointer<UInt8>
    @usableFromInline var cursor: UnsafePointer<UInt8>
    /// The number of containers that were entered and not left.
    @usableFromInline package internal(set) var depth = 0
    @usableFromInline var remainingValues: Int
    /// The last address at which a name can be compared with a short one in one step: sixteen bytes are left.
    @usableFromInline let lastShortName: UnsafePointer<UInt8>
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
    package init(_ bytes: UnsafeBufferPointer<UInt8>, options: JSONReadingOptions) {
        // An empty buffer may have no address. Any readable byte will do, since nothing is read at `end`.
        unsafe base = bytes.baseAddress ?? ("" as StaticString).utf8Start
        unsafe end = base + bytes.count
        unsafe cursor = base
        // If short names may be too long, none is compared in one step.
        let mayExceedLimit = unsafe options.maximumNameBytes < JSONExpectedName.longestShort
        unsafe lastShortName = mayExceedLimit ? base - 1 : end - 16
        remainingValues = options.maximumValues
        maximumDepth = options.maximumDepth
        maximumNameBytes = options.maximumNameBytes
        maximumNumberCharacters = options.maximumNumberCharacters
        self.options = options
    }

    /// Creates a reader at the start of `bytes`, which the caller keeps as long as it uses the reader.
    package init(_ bytes: BorrowedBytes, options: JSONReadingOptions) {
        unsafe self.init(bytes.buffer, options: options)
    }

    deinit { unsafe scratch?.deallocate() }

    /// Byte offset of the cursor from the start of the text.
    @inlinable
    package var offset: Int { unsafe cursor - base }

    /// The bytes of the text, as long as the caller of `init` keeps them.
    package var text: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: base, count: end - base) }

    /// The bytes of the text, as long as the caller of `init` keeps them.
    var textBytes: BorrowedBytes { unsafe BorrowedBytes(start: base, count: end - base) }

    /// Moves the cursor to an offset in the text.
    mutating func move(to offset: Int) {
        unsafe precondition(offset >= 0 && offset <= end - base)
        unsafe cursor = base + offset
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
        if unsafe cursor < end, unsafe cursor.pointee > 0x20 { return }
        skipWhitespaceRun()
    }

    @usableFromInline
    mutating func skipWhitespaceRun() { unsafe cursor = passWhitespace(cursor) }

    /// Returns the first byte from `start` on that is not white space. Eight spaces, the indentation of pretty-printed
    /// texts, are skipped in one step.
    mutating func passWhitespace(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        var pointer = unsafe start
        while unsafe pointer < end {
            switch unsafe pointer.pointee {
            case 0x20:
                if unsafe end - pointer >= 8, unsafe EightBytes.load(pointer) == 0x2020_2020_2020_2020 {
                    unsafe pointer += 8
                } else {
                    unsafe pointer += 1
                }
            case 0x0A, 0x0D, 0x09: unsafe pointer += 1
            default: return unsafe pointer
            }
        }
        return unsafe pointer
    }

    // MARK: Looking ahead

    /// Returns the kind of the next value from its first byte. Skips the white space before it and consumes nothing
    /// else.
    ///
    /// Throws `unexpectedByte` when no value can start there, and `unexpectedEnd` at the end of the text.
    @inlinable @inline(__always)
    package mutating func peekKind() throws(JSONSyntaxError) -> JSONTokenKind {
        skipWhitespace()
        guard unsafe cursor < end else { throw unexpected(.value) }
        switch unsafe cursor.pointee {
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
        if unsafe cursor < end, unsafe cursor.pointee == byte { return true }
        return startsWithAfterWhitespace(byte)
    }

    @usableFromInline @inline(never)
    mutating func startsWithAfterWhitespace(_ byte: UInt8) -> Bool {
        skipWhitespaceRun()
        return unsafe cursor < end && cursor.pointee == byte
    }

    // MARK: Errors

    /// Returns the error for a wrong byte at the cursor.
    @usableFromInline @inline(never)
    func unexpected(_ expectation: JSONSyntaxError.Expectation) -> JSONSyntaxError {
        unsafe unexpected(expectation, at: cursor)
    }

    /// Returns the error for a wrong byte at the cursor, or for the end of the text there.
    func unexpectedAtCursor(
        _ expectation: JSONSyntaxError.Expectation, _ code: JSONSyntaxError.Code
    ) -> JSONSyntaxError {
        unsafe unexpected(expectation, at: cursor, code)
    }

    /// Returns the error for a wrong byte at `pointer`, or for the end of the text there.
    func unexpected(
        _ expectation: JSONSyntaxError.Expectation, at pointer: UnsafePointer<UInt8>,
        _ code: JSONSyntaxError.Code = .unexpectedByte
    ) -> JSONSyntaxError {
        guard unsafe pointer < end else {
            return unsafe JSONSyntaxError(.unexpectedEnd, at: end - base, expected: expectation)
        }
        return unsafe JSONSyntaxError(code, at: pointer - base, expected: expectation, found: pointer.pointee)
    }

    /// Returns an error at `pointer` that is explained without the byte; `limit` is for errors about a limit.
    func failure(
        _ code: JSONSyntaxError.Code, at pointer: UnsafePointer<UInt8>, limit: Int = 0
    ) -> JSONSyntaxError {
        unsafe JSONSyntaxError(code, at: pointer - base, limit: limit)
    }
}
