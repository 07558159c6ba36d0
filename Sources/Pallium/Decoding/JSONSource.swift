import PalliumCore
import PalliumJSON

/// Where the decoder takes tokens from: the bytes of a document, or a tree that someone else parsed.
///
/// One decoder works on both, which is what makes the two entrances of an adapter behave alike. The decoder is generic
/// and specialised for each source, so calls on bytes cost what direct calls cost.
///
/// Safety: the token of a number is used up before the reader goes on.
protocol JSONSource: ~Copyable {
    /// Whether values can be looked at as a whole, and pushed to be read next.
    static var isTree: Bool { get }

    /// Byte offset of the next token; meaningless for trees.
    var offset: Int { get }

    mutating func peekKind() throws(JSONSyntaxError) -> JSONTokenKind
    /// Whether the next value is text, an object or an array: the quick way to ask `peekKind`.
    mutating func startsText() -> Bool
    mutating func startsObject() -> Bool
    mutating func startsArray() -> Bool
    mutating func enterObject() throws(JSONSyntaxError)
    mutating func enterArray() throws(JSONSyntaxError)
    mutating func nextMember(first: Bool) throws(JSONSyntaxError) -> Bool
    mutating func nextElement(first: Bool) throws(JSONSyntaxError) -> Bool
    mutating func matchName(_ name: UnsafePointer<UInt8>, _ count: Int) throws(JSONSyntaxError) -> Bool
    mutating func readName() throws(JSONSyntaxError) -> JSONText
    mutating func readNull() throws(JSONSyntaxError)
    mutating func readBool() throws(JSONSyntaxError) -> Bool
    mutating func readText() throws(JSONSyntaxError) -> JSONText
    mutating func readString() throws(JSONSyntaxError) -> String
    /// An integer in a plain form, quickly; nil, with nothing consumed, when the value must be looked at properly.
    mutating func readPlainInteger() throws(JSONSyntaxError) -> Int64?
    mutating func readJSONNumber() throws(JSONSyntaxError) -> JSONNumber
    mutating func readDouble() throws(JSONSyntaxError) -> Double
    mutating func readFloat() throws(JSONSyntaxError) -> Float
    mutating func skipValue() throws(JSONSyntaxError)
    mutating func readValue() throws(JSONSyntaxError) -> JSONValue

    func mark() -> JSONSourceMark
    mutating func rewind(to mark: JSONSourceMark)

    /// The value that was looked at last. Trees only.
    var lastValue: JSONValue? { get }
    /// The object that comes next, without consuming it. Trees only.
    func peekObject() -> JSONObject?
    /// Makes a value the next one to be read. Trees only.
    mutating func push(_ value: JSONValue)
}

extension JSONSource where Self: ~Copyable {
    // An invariant of the decoder, which asks the source for its kind first.
    mutating func push(_ value: JSONValue) { preconditionFailure("values are pushed to trees only") }
}

/// A place in a source to come back to.
enum JSONSourceMark {
    case bytes(JSONReaderMark)
    case tree(level: Int, value: JSONValue)
    case foundation(level: Int, token: FoundationToken?)
}

extension JSONReader: JSONSource {
    static var isTree: Bool { false }

    @inline(__always) mutating func startsText() -> Bool { startsWith(UInt8(ascii: "\"")) }
    @inline(__always) mutating func startsObject() -> Bool { startsWith(UInt8(ascii: "{")) }
    @inline(__always) mutating func startsArray() -> Bool { startsWith(UInt8(ascii: "[")) }

    mutating func readJSONNumber() throws(JSONSyntaxError) -> JSONNumber { try unsafe readNumber().number }

    mutating func readDouble() throws(JSONSyntaxError) -> Double {
        if let integer = try readPlainInteger() {
            let double = Double(integer)
            // Beyond 2^53 the nearest double is still the right answer: integers convert with correct rounding.
            return double
        }
        return try unsafe readNumber().double
    }

    mutating func readFloat() throws(JSONSyntaxError) -> Float { try unsafe readNumber().float }

    func mark() -> JSONSourceMark { .bytes(mark() as JSONReaderMark) }

    mutating func rewind(to mark: JSONSourceMark) {
        if case .bytes(let mark) = mark { rewind(to: mark) }
    }

    var lastValue: JSONValue? { nil }
    func peekObject() -> JSONObject? { nil }
}
