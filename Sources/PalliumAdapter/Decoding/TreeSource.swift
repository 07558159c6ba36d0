import PalliumCore
import PalliumJSON

/// Reads tokens from a `JSONValue`.
///
/// The open containers are kept in a list, so a deep tree needs no stack; the depth is limited as for bytes.
///
/// Safety: a name to compare is passed with its count; the bytes that `held` returns are used before the next token, as
/// `HeldText` demands.
struct TreeSource: JSONSource, ~Copyable {
    private enum Level {
        case object(JSONObject, next: Int)
        case array([JSONValue], next: Int)
    }

    static var isTree: Bool { true }

    /// The next value to be read.
    private var current: JSONValue
    private var levels: [Level] = []
    /// The depth limit, which includes the levels that the caller is in already.
    private let maximumDepth: Int
    private var held = HeldText()
    /// The last value that was read, for error messages.
    private(set) var lastValue: JSONValue?

    init(_ value: JSONValue, maximumDepth: Int) {
        current = value
        self.maximumDepth = maximumDepth
    }

    var offset: Int { 0 }
    var depth: Int { 0 }

    mutating func peekKind() throws(JSONSyntaxError) -> JSONTokenKind {
        lastValue = current
        switch current {
        case .null: return .null
        case .bool(let value): return value ? .true : .false
        case .number: return .number
        case .string: return .string
        case .array: return .array
        case .object: return .object
        }
    }

    mutating func startsText() -> Bool {
        lastValue = current
        if case .string = current { return true }
        return false
    }

    mutating func startsObject() -> Bool {
        lastValue = current
        if case .object = current { return true }
        return false
    }

    mutating func startsArray() -> Bool {
        lastValue = current
        if case .array = current { return true }
        return false
    }

    mutating func enterObject() throws(JSONSyntaxError) {
        try enter(.object(expect(current.objectValue), next: 0))
    }

    mutating func enterArray() throws(JSONSyntaxError) {
        try enter(.array(expect(current.arrayValue), next: 0))
    }

    private mutating func enter(_ level: Level) throws(JSONSyntaxError) {
        guard levels.count < maximumDepth else { throw JSONSyntaxError(.depthLimit, at: 0, limit: maximumDepth) }
        levels.append(level)
    }

    mutating func nextMember(first: Bool) throws(JSONSyntaxError) -> Bool {
        guard case .object(let object, let next)? = levels.last, next < object.count else {
            levels.removeLast()
            return false
        }
        current = object[next].value
        levels[levels.count - 1] = .object(object, next: next + 1)
        return true
    }

    mutating func nextElement(first: Bool) throws(JSONSyntaxError) -> Bool {
        guard case .array(let elements, let next)? = levels.last, next < elements.count else {
            levels.removeLast()
            return false
        }
        current = elements[next]
        levels[levels.count - 1] = .array(elements, next: next + 1)
        return true
    }

    private var currentName: String {
        guard case .object(let object, let next)? = levels.last else { return "" }
        return object[next - 1].key
    }

    mutating func matchName(_ name: JSONExpectedName) throws(JSONSyntaxError) -> Bool {
        unsafe withUnsafePointer(to: currentName) { unsafe UTF8Text.equal($0, name.start, name.count) }
    }

    mutating func readName() throws(JSONSyntaxError) -> JSONText { unsafe held.hold(currentName) }

    /// The decoder checks the kind of the value before it calls this.
    @inline(__always)
    private func expect<Value>(_ value: Value?) throws(JSONSyntaxError) -> Value {
        guard let value else { throw JSONSyntaxError(.unexpectedByte, at: 0) }
        return value
    }

    mutating func readNull() throws(JSONSyntaxError) {}

    mutating func readBool() throws(JSONSyntaxError) -> Bool { try expect(current.boolValue) }

    mutating func readText() throws(JSONSyntaxError) -> JSONText { unsafe held.hold(try readString()) }

    mutating func readString() throws(JSONSyntaxError) -> String { try expect(current.stringValue) }

    mutating func readPlainInteger() throws(JSONSyntaxError) -> Int64? {
        lastValue = current
        guard case .number(let number) = current else { return nil }
        return number.int64
    }

    mutating func readJSONNumber() throws(JSONSyntaxError) -> JSONNumber { try expect(current.numberValue) }

    mutating func readDouble() throws(JSONSyntaxError) -> Double { try readJSONNumber().double }

    mutating func skipValue() throws(JSONSyntaxError) {}

    mutating func readValue() throws(JSONSyntaxError) -> JSONValue { current }

    func mark() -> JSONSourceMark { .tree(level: levels.count, current: current) }

    mutating func rewind(to mark: JSONSourceMark) {
        guard case .tree(let level, let value) = mark else { return }
        levels.removeLast(levels.count - level)
        current = value
    }

    func peekObject() -> JSONObject? { current.objectValue }

    mutating func push(_ value: JSONValue) { current = value }
}
