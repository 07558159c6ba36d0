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
        var pointer = unsafe cursor
        value: while true {
            unsafe pointer = passWhitespaceInline(pointer)
            guard unsafe pointer < end else { throw unsafe unexpected(.value, at: end) }
            switch unsafe pointer.pointee {
            case UInt8(ascii: "\""):
                unsafe pointer = try passString(pointer + 1, limit: options.maximumStringBytes, tooLong: .stringTooLong)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): unsafe pointer = try passNumber(pointer)
            case UInt8(ascii: "t"): unsafe pointer = try passLiteral("true", pointer, .true)
            case UInt8(ascii: "f"): unsafe pointer = try passLiteral("false", pointer, .false)
            case UInt8(ascii: "n"): unsafe pointer = try passLiteral("null", pointer, .null)
            case UInt8(ascii: "{"):
                guard levels.count < maximumDepth &- depth else {
                    throw unsafe failure(.depthLimit, at: pointer, limit: maximumDepth)
                }
                unsafe pointer = passWhitespaceInline(pointer + 1)
                guard unsafe pointer < end else { throw unsafe unexpected(.memberNameOrObjectEnd, at: end) }
                if unsafe pointer.pointee == UInt8(ascii: "}") {
                    unsafe pointer += 1
                } else {
                    levels.push(isObject: true)
                    unsafe pointer = try passName(pointer, .memberNameOrObjectEnd)
                    continue value
                }
            case UInt8(ascii: "["):
                guard levels.count < maximumDepth &- depth else {
                    throw unsafe failure(.depthLimit, at: pointer, limit: maximumDepth)
                }
                unsafe pointer = passWhitespaceInline(pointer + 1)
                guard unsafe pointer < end else { throw unsafe unexpected(.valueOrArrayEnd, at: end) }
                if unsafe pointer.pointee == UInt8(ascii: "]") {
                    unsafe pointer += 1
                } else {
                    levels.push(isObject: false)
                    try unsafe countValue(at: pointer)
                    continue value
                }
            default: throw unsafe unexpected(.value, at: pointer)
            }
            while levels.count > 0 {
                unsafe pointer = passWhitespaceInline(pointer)
                let isObject = levels.innermostIsObject
                guard unsafe pointer < end else {
                    throw unsafe unexpected(isObject ? .commaOrObjectEnd : .commaOrArrayEnd, at: end)
                }
                let byte = unsafe pointer.pointee
                if byte == UInt8(ascii: ",") {
                    if isObject {
                        unsafe pointer = try passName(passWhitespaceInline(pointer + 1), .memberName)
                    } else {
                        unsafe pointer += 1
                        try unsafe countValue(at: pointer)
                    }
                    continue value
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw unsafe unexpected(isObject ? .commaOrObjectEnd : .commaOrArrayEnd, at: pointer)
                }
                unsafe pointer += 1
                levels.pop()
            }
            unsafe cursor = pointer
            return
        }
    }

    @inline(__always)
    private mutating func passWhitespaceInline(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        if unsafe start < end, unsafe start.pointee > 0x20 { return unsafe start }
        return unsafe passWhitespace(start)
    }

    @inline(__always)
    private mutating func countValue(at pointer: UnsafePointer<UInt8>) throws(JSONSyntaxError) {
        guard remainingValues > 0 else {
            throw unsafe failure(.tooManyValues, at: pointer, limit: options.maximumValues)
        }
        remainingValues &-= 1
    }

    /// Skips from the opening quotation mark of a member name to just after its colon.
    @inline(__always)
    private mutating func passName(
        _ start: UnsafePointer<UInt8>, _ expectation: JSONSyntaxError.Expectation
    ) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        guard unsafe start < end, unsafe start.pointee == UInt8(ascii: "\"") else {
            throw unsafe unexpected(expectation, at: start)
        }
        try unsafe countValue(at: start)
        let afterName = try unsafe passString(start + 1, limit: maximumNameBytes, tooLong: .nameTooLong)
        let colon = unsafe passWhitespaceInline(afterName)
        guard unsafe colon < end, unsafe colon.pointee == UInt8(ascii: ":") else {
            throw unsafe unexpected(.colon, at: colon)
        }
        return unsafe colon + 1
    }

    /// Skips from just after the opening quotation mark to just after the closing one.
    @inline(__always)
    private mutating func passString(
        _ start: UnsafePointer<UInt8>, limit: Int, tooLong: JSONSyntaxError.Code
    ) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        var isASCII = true
        let stop = try unsafe passPlainText(start, &isASCII)
        guard unsafe stop.pointee == UInt8(ascii: "\"") else {
            return try unsafe passEscapedString(start, firstEscape: stop, limit: limit, tooLong: tooLong)
        }
        guard unsafe stop - start <= limit else { throw unsafe failure(tooLong, at: start, limit: limit) }
        return unsafe stop + 1
    }

    @inline(never)
    private mutating func passEscapedString(
        _ start: UnsafePointer<UInt8>, firstEscape: UnsafePointer<UInt8>, limit: Int, tooLong: JSONSyntaxError.Code
    ) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        var isASCII = true
        var count = 0
        var run = unsafe start
        var stop = unsafe firstEscape
        while true {
            unsafe count += stop - run
            guard count <= limit else { throw unsafe failure(tooLong, at: start, limit: limit) }
            if unsafe stop.pointee == UInt8(ascii: "\"") { return unsafe stop + 1 }
            unsafe run = stop
            unsafe count += Self.lengthInUTF8(try decodeEscape(&run))
            guard count <= limit else { throw unsafe failure(tooLong, at: start, limit: limit) }
            unsafe stop = try passPlainText(run, &isASCII)
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
