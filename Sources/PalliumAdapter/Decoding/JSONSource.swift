import PalliumCore
import PalliumJSON

/// A source of tokens for the decoder: the bytes of a document, or a parsed tree.
///
/// One decoder reads all sources, so all inputs of an adapter behave alike. The decoder is specialised for each source,
/// so calls on bytes cost no more than direct calls.
///
/// Safety: the token of a number is used before the reader goes on.
protocol JSONSource: ~Copyable {
    /// Whether the source is a tree, whose values can be inspected whole and pushed.
    static var isTree: Bool { get }

    /// The byte offset of the next token; meaningless for trees.
    var offset: Int { get }
    /// The number of open containers; meaningless for trees.
    var depth: Int { get }

    mutating func peekKind() throws(JSONSyntaxError) -> JSONTokenKind
    /// Whether the next value is text, an object or an array; faster than `peekKind`.
    mutating func startsText() -> Bool
    mutating func startsObject() -> Bool
    mutating func startsArray() -> Bool
    mutating func enterObject() throws(JSONSyntaxError)
    mutating func enterArray() throws(JSONSyntaxError)
    /// Whether the array that was entered is known to be empty.
    mutating func isAtArrayEnd() -> Bool
    mutating func nextMember(first: Bool) throws(JSONSyntaxError) -> Bool
    mutating func nextElement(first: Bool) throws(JSONSyntaxError) -> Bool
    mutating func matchName(_ name: JSONExpectedName) throws(JSONSyntaxError) -> Bool
    mutating func readName() throws(JSONSyntaxError) -> JSONText
    mutating func readNull() throws(JSONSyntaxError)
    mutating func readBool() throws(JSONSyntaxError) -> Bool
    mutating func readText() throws(JSONSyntaxError) -> JSONText
    mutating func readString() throws(JSONSyntaxError) -> String
    /// Reads an integer in a plain form, quickly; nil, with nothing consumed, for every other value.
    mutating func readPlainInteger() throws(JSONSyntaxError) -> Int64?
    mutating func readJSONNumber() throws(JSONSyntaxError) -> JSONNumber
    mutating func readDouble() throws(JSONSyntaxError) -> Double
    /// Reads a number as it is spelled, as far as the source keeps that.
    mutating func readNumberText() throws(JSONSyntaxError) -> String
    mutating func skipValue() throws(JSONSyntaxError)
    mutating func readValue() throws(JSONSyntaxError) -> JSONValue

    func mark() -> JSONSourceMark
    mutating func rewind(to mark: JSONSourceMark)

    /// The last value that was read. Trees only.
    var lastValue: JSONValue? { get }
    /// The next object, without consuming it. Trees only.
    func peekObject() -> JSONObject?
    /// Makes a value the next one to be read. Trees only.
    mutating func push(_ value: JSONValue)
}

extension JSONSource where Self: ~Copyable {
    mutating func isAtArrayEnd() -> Bool { false }

    mutating func readNumberText() throws(JSONSyntaxError) -> String { try readJSONNumber().text }

    // Invariant: the decoder pushes values only if `isTree`.
    mutating func push(_ value: JSONValue) { preconditionFailure("values are pushed to trees only") }
}

/// A position in a source to rewind to.
enum JSONSourceMark {
    case bytes(JSONReaderMark)
    case tree(level: Int, current: JSONValue)
    case foundation(level: Int, token: FoundationToken?)
}

extension JSONReader: JSONSource {
    static var isTree: Bool { false }

    @inline(__always) mutating func startsText() -> Bool { startsWith(UInt8(ascii: "\"")) }
    @inline(__always) mutating func startsObject() -> Bool { startsWith(UInt8(ascii: "{")) }
    @inline(__always) mutating func startsArray() -> Bool { startsWith(UInt8(ascii: "[")) }
    @inline(__always) mutating func isAtArrayEnd() -> Bool { startsWith(UInt8(ascii: "]")) }

    mutating func readJSONNumber() throws(JSONSyntaxError) -> JSONNumber { try unsafe readNumber().number }

    mutating func readDouble() throws(JSONSyntaxError) -> Double {
        if let integer = try readPlainInteger() {
            let double = Double(integer)
            // Beyond 2^53 the nearest double is still correct: integers convert with correct rounding.
            return double
        }
        return try unsafe readNumber().double
    }

    mutating func readNumberText() throws(JSONSyntaxError) -> String {
        let token = try unsafe readNumber()
        return unsafe String(decoding: token.text, as: UTF8.self)
    }

    func mark() -> JSONSourceMark { .bytes(mark() as JSONReaderMark) }

    mutating func rewind(to mark: JSONSourceMark) {
        if case .bytes(let mark) = mark { rewind(to: mark) }
    }

    var lastValue: JSONValue? { nil }
    func peekObject() -> JSONObject? { nil }
}
