import PalliumCore
import PalliumJSON

/// Reads tokens from Foundation values, for example from `JSONSerialization`: dictionaries, arrays and scalars.
///
/// Swift's dictionaries have another order in every run. So this source is for valid input only: after a problem the
/// caller reads the tree again as a `JSONValue`, in a fixed order. For the same reason a value that JSON does not have
/// is reported as a mere syntax error here.
///
/// Safety: a name to compare is passed with its count; the bytes that `held` returns are used before the next token, as
/// `HeldText` demands.
struct FoundationSource: JSONSource, ~Copyable {
    /// An open container. One of the collections is empty: as cases of an enumeration, they would be copied for every
    /// member. The same is true of a dictionary's iterator, which returns an optional pair.
    private struct Level {
        let members: [String: Any]
        let elements: [Any]
        var nextMember: Dictionary<String, Any>.Index
        var nextElement = 0

        init(members: [String: Any] = [:], elements: [Any] = []) {
            self.members = members
            self.elements = elements
            nextMember = members.startIndex
        }
    }

    /// False: deferred values and clusters go through `JSONValue`, as they do for bytes.
    static var isTree: Bool { false }

    /// The next value; nil for one that JSON does not have.
    private var token: FoundationToken?
    /// The name of the next value's member.
    private var name = ""
    /// The innermost open container, and those around it. Outside of all containers, the innermost one is empty.
    private var top = Level()
    private var outer: [Level] = []
    private let maximumDepth: Int
    private var held = HeldText()
    /// The number of members read so far, which limits looking ahead.
    private(set) var offset = 0
    var depth: Int { 0 }

    init(_ value: Any, maximumDepth: Int) {
        self.maximumDepth = maximumDepth
        token = FoundationToken(value)
    }

    private func mismatch() -> JSONSyntaxError { JSONSyntaxError(.unexpectedByte, at: 0) }

    func peekKind() throws(JSONSyntaxError) -> JSONTokenKind {
        switch token {
        case .scalar(.null): return .null
        case .scalar(.bool(let value)): return value ? .true : .false
        case .scalar(.number): return .number
        case .scalar(.string): return .string
        case .array, .scalar(.array): return .array
        case .object, .scalar(.object): return .object
        case nil: throw mismatch()
        }
    }

    func startsText() -> Bool {
        if case .scalar(.string) = token { return true }
        return false
    }

    func startsObject() -> Bool {
        if case .object = token { return true }
        return false
    }

    func startsArray() -> Bool {
        if case .array = token { return true }
        return false
    }

    mutating func enterObject() throws(JSONSyntaxError) {
        guard case .object(let members) = token else { throw mismatch() }
        try enter(Level(members: members))
    }

    mutating func enterArray() throws(JSONSyntaxError) {
        guard case .array(let elements) = token else { throw mismatch() }
        try enter(Level(elements: elements))
    }

    private mutating func enter(_ level: Level) throws(JSONSyntaxError) {
        guard outer.count < maximumDepth else { throw JSONSyntaxError(.depthLimit, at: 0, limit: maximumDepth) }
        outer.append(top)
        top = level
    }

    /// Always returns false, so that callers can write `return leave()`.
    private mutating func leave() -> Bool {
        top = outer.removeLast()
        return false
    }

    mutating func nextMember(first: Bool) throws(JSONSyntaxError) -> Bool {
        let next = top.nextMember
        guard next < top.members.endIndex else { return leave() }
        let (key, value) = top.members[next]
        name = key
        token = FoundationToken(value)
        offset &+= 1
        top.nextMember = top.members.index(after: next)
        return true
    }

    mutating func nextElement(first: Bool) throws(JSONSyntaxError) -> Bool {
        let next = top.nextElement
        guard next < top.elements.count else { return leave() }
        token = FoundationToken(top.elements[next])
        top.nextElement = next + 1
        return true
    }

    func matchName(_ name: JSONExpectedName) throws(JSONSyntaxError) -> Bool {
        unsafe withUnsafePointer(to: self.name) { unsafe UTF8Text.equal($0, name.start, name.count) }
    }

    mutating func readName() throws(JSONSyntaxError) -> JSONText { unsafe held.hold(name) }

    func readNull() throws(JSONSyntaxError) {}

    func readBool() throws(JSONSyntaxError) -> Bool {
        guard case .scalar(.bool(let value)) = token else { throw mismatch() }
        return value
    }

    mutating func readText() throws(JSONSyntaxError) -> JSONText { unsafe held.hold(try readString()) }

    func readString() throws(JSONSyntaxError) -> String {
        guard case .scalar(.string(let text)) = token else { throw mismatch() }
        return text
    }

    func readPlainInteger() throws(JSONSyntaxError) -> Int64? {
        guard case .scalar(.number(let number)) = token else { return nil }
        return number.int64
    }

    func readJSONNumber() throws(JSONSyntaxError) -> JSONNumber {
        guard case .scalar(.number(let number)) = token else { throw mismatch() }
        return number
    }

    func readDouble() throws(JSONSyntaxError) -> Double { try readJSONNumber().double }

    /// Skipped values are checked as strictly as values that are read.
    func skipValue() throws(JSONSyntaxError) { _ = try readValue() }

    func readValue() throws(JSONSyntaxError) -> JSONValue {
        switch token {
        case .scalar(let scalar): return scalar
        case .array(let elements): return try tree(elements)
        case .object(let members): return try tree(members)
        case nil: throw mismatch()
        }
    }

    private func tree(_ value: Any) throws(JSONSyntaxError) -> JSONValue {
        do throws(ModelError) {
            return try JSONValue(foundation: value, maximumDepth: maximumDepth - outer.count, sortsMembers: false)
        } catch { throw mismatch() }
    }

    func mark() -> JSONSourceMark { .foundation(level: outer.count, token: token) }

    mutating func rewind(to mark: JSONSourceMark) {
        guard case .foundation(let level, let token) = mark else { return }
        while outer.count > level { _ = leave() }
        self.token = token
    }

    var lastValue: JSONValue? { nil }
    func peekObject() -> JSONObject? { nil }
}
