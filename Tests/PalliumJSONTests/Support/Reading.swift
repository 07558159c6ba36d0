import PalliumJSON

/// The outcome of one way through a text: nil when it was accepted.
typealias Verdict = JSONSyntaxError?

/// Reads the whole text into a tree.
func verdictOfReading(_ bytes: [UInt8], _ options: JSONReadingOptions = JSONReadingOptions()) -> Verdict {
    do throws(JSONSyntaxError) {
        _ = try JSONValue(parsing: bytes, options: options)
        return nil
    } catch { return error }
}

/// Passes over the whole text without looking at anything.
func verdictOfSkipping(_ bytes: [UInt8], _ options: JSONReadingOptions = JSONReadingOptions()) -> Verdict {
    do throws(JSONSyntaxError) {
        try withReader(bytes, options) { reader throws(JSONSyntaxError) in
            try reader.beginDocument()
            try reader.skipValue()
            try reader.endDocument()
        }
        return nil
    } catch { return error }
}

/// Walks through the text token by token, each kind with its own function.
func verdictOfWalking(_ bytes: [UInt8], _ options: JSONReadingOptions = JSONReadingOptions()) -> Verdict {
    do throws(JSONSyntaxError) {
        try withReader(bytes, options) { reader throws(JSONSyntaxError) in
            try reader.beginDocument()
            try walk(&reader)
            try reader.endDocument()
        }
        return nil
    } catch { return error }
}

private func walk(_ reader: inout JSONReader) throws(JSONSyntaxError) {
    var isObject: [Bool] = []
    while true {
        var isFirst = false
        switch try reader.peekKind() {
        case .null: try reader.readNull()
        case .true, .false: _ = try reader.readBool()
        case .string: _ = try reader.readText()
        case .number: if try reader.readPlainInteger() == nil { _ = try reader.readNumber() }
        case .array:
            try reader.enterArray()
            isObject.append(false)
            isFirst = true
        case .object:
            try reader.enterObject()
            isObject.append(true)
            isFirst = true
        }
        while let last = isObject.last {
            if last {
                if try reader.nextMember(first: isFirst) {
                    if try !reader.matchName("a") { _ = try reader.readName() }
                    break
                }
            } else if try reader.nextElement(first: isFirst) {
                break
            }
            isObject.removeLast()
            isFirst = false
        }
        if isObject.isEmpty { return }
    }
}

/// A reader over exactly these bytes: in memory of their own without a byte to spare, so that an address sanitizer
/// sees every step beyond either end.
func withReader<Result>(
    _ bytes: [UInt8], _ options: JSONReadingOptions = JSONReadingOptions(),
    _ body: (inout JSONReader) throws(JSONSyntaxError) -> Result
) throws(JSONSyntaxError) -> Result {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    defer { memory.deallocate() }
    _ = memory.initialize(fromContentsOf: bytes)
    var reader = JSONReader(BorrowedBytes(UnsafeBufferPointer(memory)), options: options)
    return try body(&reader)
}

func withReader<Result>(
    _ text: String, _ body: (inout JSONReader) throws(JSONSyntaxError) -> Result
) throws(JSONSyntaxError) -> Result {
    try withReader(Array(text.utf8), JSONReadingOptions(), body)
}

extension JSONReader {
    /// `matchName` with the bytes of a string.
    mutating func matchName(_ name: String) throws(JSONSyntaxError) -> Bool {
        try Array(name.utf8).withUnsafeBufferPointer { bytes throws(JSONSyntaxError) in
            try matchName(JSONExpectedName(bytes.baseAddress ?? ("" as StaticString).utf8Start, bytes.count))
        }
    }
}

/// The bytes of a JSON string literal around `content`.
func quoted(_ content: [UInt8]) -> [UInt8] { [0x22] + content + [0x22] }
