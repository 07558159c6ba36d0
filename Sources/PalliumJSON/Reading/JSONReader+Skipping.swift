/// Skips values, and checks them as strictly as values that are read.
///
/// Safety: a byte is read after its address was compared with the end; a word is read where eight bytes are left.
extension JSONReader {
    /// Skips the next value of any kind. Every rule and limit of reading holds. No recursion; O(bytes).
    package mutating func skipValue() throws(JSONSyntaxError) {
        if options.duplicateMembers == .error {
            // Skipping compares no names, so the value is read.
            _ = try readValue()
            return
        }
        var levels = OpenContainers()
        var pointer = cursor
        value: while true {
            pointer = passWhitespaceInline(pointer)
            guard pointer < end else { throw unexpected(.value, at: end) }
            switch unsafe pointer.byte {
            case UInt8(ascii: "\""):
                pointer = try passString(pointer + 1, limit: options.maximumStringBytes, tooLong: .stringTooLong)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): pointer = try passNumber(pointer)
            case UInt8(ascii: "t"): pointer = try passLiteral("true", pointer, .true)
            case UInt8(ascii: "f"): pointer = try passLiteral("false", pointer, .false)
            case UInt8(ascii: "n"): pointer = try passLiteral("null", pointer, .null)
            case UInt8(ascii: "{"):
                guard levels.count < maximumDepth &- depth else {
                    throw failure(.depthLimit, at: pointer, limit: maximumDepth)
                }
                pointer = passWhitespaceInline(pointer + 1)
                guard pointer < end else { throw unexpected(.memberNameOrObjectEnd, at: end) }
                if unsafe pointer.byte == UInt8(ascii: "}") {
                    pointer += 1
                } else {
                    levels.push(isObject: true)
                    pointer = try passName(pointer, .memberNameOrObjectEnd)
                    continue value
                }
            case UInt8(ascii: "["):
                guard levels.count < maximumDepth &- depth else {
                    throw failure(.depthLimit, at: pointer, limit: maximumDepth)
                }
                pointer = passWhitespaceInline(pointer + 1)
                guard pointer < end else { throw unexpected(.valueOrArrayEnd, at: end) }
                if unsafe pointer.byte == UInt8(ascii: "]") {
                    pointer += 1
                } else {
                    levels.push(isObject: false)
                    try countValue(at: pointer)
                    continue value
                }
            default: throw unexpected(.value, at: pointer)
            }
            while levels.count > 0 {
                pointer = passWhitespaceInline(pointer)
                let isObject = levels.innermostIsObject
                guard pointer < end else {
                    throw unexpected(isObject ? .commaOrObjectEnd : .commaOrArrayEnd, at: end)
                }
                let byte = unsafe pointer.byte
                if byte == UInt8(ascii: ",") {
                    if isObject {
                        pointer = try passName(passWhitespaceInline(pointer + 1), .memberName)
                    } else {
                        pointer += 1
                        try countValue(at: pointer)
                    }
                    continue value
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw unexpected(isObject ? .commaOrObjectEnd : .commaOrArrayEnd, at: pointer)
                }
                pointer += 1
                levels.pop()
            }
            cursor = pointer
            return
        }
    }

    @inline(__always)
    private mutating func passWhitespaceInline(_ start: ByteAddress) -> ByteAddress {
        if start < end, unsafe start.byte > 0x20 { return start }
        return passWhitespace(start)
    }

    @inline(__always)
    private mutating func countValue(at pointer: ByteAddress) throws(JSONSyntaxError) {
        guard remainingValues > 0 else {
            throw failure(.tooManyValues, at: pointer, limit: options.maximumValues)
        }
        remainingValues &-= 1
    }

    /// Skips from the opening quotation mark of a member name to just after its colon.
    @inline(__always)
    private mutating func passName(
        _ start: ByteAddress, _ expectation: JSONSyntaxError.Expectation
    ) throws(JSONSyntaxError) -> ByteAddress {
        guard start < end, unsafe start.byte == UInt8(ascii: "\"") else {
            throw unexpected(expectation, at: start)
        }
        try countValue(at: start)
        let afterName = try passString(start + 1, limit: maximumNameBytes, tooLong: .nameTooLong)
        let colon = passWhitespaceInline(afterName)
        guard colon < end, unsafe colon.byte == UInt8(ascii: ":") else {
            throw unexpected(.colon, at: colon)
        }
        return colon + 1
    }

    /// Skips from just after the opening quotation mark to just after the closing one.
    @inline(__always)
    private mutating func passString(
        _ start: ByteAddress, limit: Int, tooLong: JSONSyntaxError.Code
    ) throws(JSONSyntaxError) -> ByteAddress {
        var isASCII = true
        let stop = try passPlainText(start, &isASCII)
        guard unsafe stop.byte == UInt8(ascii: "\"") else {
            return try passEscapedString(start, firstEscape: stop, limit: limit, tooLong: tooLong)
        }
        guard stop - start <= limit else { throw failure(tooLong, at: start, limit: limit) }
        return stop + 1
    }

    @inline(never)
    private mutating func passEscapedString(
        _ start: ByteAddress, firstEscape: ByteAddress, limit: Int, tooLong: JSONSyntaxError.Code
    ) throws(JSONSyntaxError) -> ByteAddress {
        var isASCII = true
        var count = 0
        var run = start
        var stop = firstEscape
        while true {
            count += stop - run
            guard count <= limit else { throw failure(tooLong, at: start, limit: limit) }
            if unsafe stop.byte == UInt8(ascii: "\"") { return stop + 1 }
            run = stop
            count += Self.lengthInUTF8(try decodeEscape(&run))
            guard count <= limit else { throw failure(tooLong, at: start, limit: limit) }
            stop = try passPlainText(run, &isASCII)
        }
    }
}

/// The kinds of the open containers, one bit each, the innermost in the lowest bit. Every 64 levels, a full word moves
/// to `outer`.
private struct OpenContainers {
    private(set) var count = 0
    private var kinds: UInt64 = 0
    private var outer: [UInt64] = []

    var innermostIsObject: Bool {
        @inline(__always) get { kinds & 1 == 1 }
    }

    @inline(__always)
    mutating func push(isObject: Bool) {
        if count & 63 == 0, count > 0 { outer.append(kinds) }
        kinds = kinds << 1 | (isObject ? 1 : 0)
        count &+= 1
    }

    /// Removes the innermost container. There must be one.
    @inline(__always)
    mutating func pop() {
        count &-= 1
        kinds >>= 1
        if count & 63 == 0, let word = outer.popLast() { kinds = word }
    }
}
