/// Reads the brackets, commas, colons and names of objects and arrays, and counts depth and values.
///
/// The inlinable functions handle only the form without white space that machines write. Everything else, including
/// errors, is handled by a function that is not inlined.
///
/// Safety: by the invariant of `JSONReader`, a byte is read after the cursor, or the number of bytes left, was compared
/// with the end.
extension JSONReader {
    /// Consumes `{`.
    @inlinable @inline(__always)
    package mutating func enterObject() throws(JSONSyntaxError) {
        if cursor < end, unsafe cursor.byte == UInt8(ascii: "{"), depth < maximumDepth {
            cursor += 1
            depth &+= 1
        } else {
            try enter(UInt8(ascii: "{"), .object)
        }
    }

    /// Consumes `[`.
    @inlinable @inline(__always)
    package mutating func enterArray() throws(JSONSyntaxError) {
        if cursor < end, unsafe cursor.byte == UInt8(ascii: "["), depth < maximumDepth {
            cursor += 1
            depth &+= 1
        } else {
            try enter(UInt8(ascii: "["), .array)
        }
    }

    @usableFromInline @inline(never)
    mutating func enter(
        _ bracket: UInt8, _ expectation: JSONSyntaxError.Expectation
    ) throws(JSONSyntaxError) {
        skipWhitespace()
        guard cursor < end, unsafe cursor.byte == bracket else { throw unexpected(expectation) }
        guard depth < maximumDepth else { throw failure(.depthLimit, at: cursor, limit: maximumDepth) }
        cursor += 1
        depth &+= 1
    }

    /// Moves to the next member of the entered object; returns false after consuming `}`.
    ///
    /// After true, the cursor is just after the opening quotation mark of a name: call `matchName` or `readName` next.
    /// `first` is whether this is the first call after `enterObject()`.
    ///
    @inlinable @inline(__always)
    package mutating func nextMember(first: Bool) throws(JSONSyntaxError) -> Bool {
        if first {
            if cursor < end, unsafe cursor[0] == UInt8(ascii: "\""), remainingValues > 0 {
                cursor += 1
                remainingValues &-= 1
                return true
            }
        } else if end - cursor >= 2, unsafe cursor[0] == UInt8(ascii: ","),
            unsafe cursor[1] == UInt8(ascii: "\""), remainingValues > 0
        {
            cursor += 2
            remainingValues &-= 1
            return true
        }
        return try findNextMember(first: first)
    }

    @usableFromInline @inline(never)
    mutating func findNextMember(first: Bool) throws(JSONSyntaxError) -> Bool {
        skipWhitespace()
        guard cursor < end else { throw unexpected(first ? .memberNameOrObjectEnd : .commaOrObjectEnd) }
        if unsafe cursor.byte == UInt8(ascii: "}") { return leave() }
        if first {
            guard unsafe cursor.byte == UInt8(ascii: "\"") else { throw unexpected(.memberNameOrObjectEnd) }
        } else {
            guard unsafe cursor.byte == UInt8(ascii: ",") else { throw unexpected(.commaOrObjectEnd) }
            cursor += 1
            skipWhitespace()
            guard cursor < end, unsafe cursor.byte == UInt8(ascii: "\"") else {
                throw unexpected(.memberName)
            }
        }
        try countValue()
        cursor += 1
        return true
    }

    /// Moves to the next element of the entered array; returns false after consuming `]`.
    ///
    /// `first` is whether this is the first call after `enterArray()`.
    @inlinable @inline(__always)
    package mutating func nextElement(first: Bool) throws(JSONSyntaxError) -> Bool {
        if !first, cursor < end, unsafe cursor.byte == UInt8(ascii: ","), remainingValues > 0 {
            cursor += 1
            remainingValues &-= 1
            return true
        }
        return try findNextElement(first: first)
    }

    @usableFromInline @inline(never)
    mutating func findNextElement(first: Bool) throws(JSONSyntaxError) -> Bool {
        skipWhitespace()
        guard cursor < end else { throw unexpected(first ? .valueOrArrayEnd : .commaOrArrayEnd) }
        if unsafe cursor.byte == UInt8(ascii: "]") { return leave() }
        if !first {
            guard unsafe cursor.byte == UInt8(ascii: ",") else { throw unexpected(.commaOrArrayEnd) }
            cursor += 1
        }
        try countValue()
        return true
    }

    /// Consumes a closing bracket. Always returns false, so that callers can write `return leave()`.
    private mutating func leave() -> Bool {
        cursor += 1
        depth &-= 1
        return false
    }

    /// Counts one value against the limit.
    mutating func countValue() throws(JSONSyntaxError) {
        guard remainingValues > 0 else {
            throw failure(.tooManyValues, at: cursor, limit: options.maximumValues)
        }
        remainingValues &-= 1
    }

    // MARK: Names

    /// Consumes name, quotation mark and colon if the raw name is the expected one; else consumes nothing.
    ///
    /// Call it directly after `nextMember` returned true.
    @inlinable @inline(__always)
    package mutating func matchName(_ name: JSONExpectedName) throws(JSONSyntaxError) -> Bool {
        if cursor <= lastShortName {
            let low = unsafe cursor.word & name.masks.0 ^ name.words.0
            let high = unsafe (cursor + 8).word & name.masks.1 ^ name.words.1
            if low | high == 0 {
                unsafe cursor += name.count &+ 2
                return true
            }
        }
        return try unsafe matchUnusualName(name.start, name.count)
    }

    /// Matches long names, names near the end of the text, and names with white space before the colon.
    @usableFromInline @inline(never)
    mutating func matchUnusualName(_ name: UnsafePointer<UInt8>, _ count: Int) throws(JSONSyntaxError) -> Bool {
        guard end - cursor > count, unsafe cursor[count] == UInt8(ascii: "\""),
            unsafe EightBytes.areEqual(cursor.pointer, name, count),
            count <= maximumNameBytes
        else { return false }
        cursor += count &+ 1
        if cursor < end, unsafe cursor.byte == UInt8(ascii: ":") {
            cursor += 1
        } else {
            try findColon()
        }
        return true
    }

    /// Consumes white space and a colon.
    @usableFromInline @inline(never)
    mutating func findColon() throws(JSONSyntaxError) {
        skipWhitespace()
        guard cursor < end, unsafe cursor.byte == UInt8(ascii: ":") else { throw unexpected(.colon) }
        cursor += 1
    }

    /// Reads the whole name, unescaped, and consumes its quotation mark and colon.
    ///
    /// Call it directly after `nextMember` returned true.
    package mutating func readName() throws(JSONSyntaxError) -> JSONText {
        let text = try unsafe readStringBody(limit: maximumNameBytes, tooLong: .nameTooLong)
        if cursor < end, unsafe cursor.byte == UInt8(ascii: ":") {
            cursor += 1
        } else {
            try findColon()
        }
        return unsafe text
    }
}
