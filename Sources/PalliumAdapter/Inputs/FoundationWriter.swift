import PalliumCore
import PalliumJSON

/// Writes dictionaries and arrays of Foundation's JSON types as JSON text.
///
/// Open containers are kept in a list, so a deep tree needs no stack; the depth is limited as for text.
struct FoundationWriter {
    /// An open container. All but one of the collections are empty: as cases of an enumeration, they would be copied for
    /// every member. The same is true of a dictionary's iterator, which returns an optional pair.
    private struct Level {
        var members: [String: Any] = [:]
        var sortedMembers: [(key: String, value: Any)] = []
        var elements: [Any] = []
        var isObject = true
        /// The next member, and the one before it.
        var nextMember = [String: Any]().startIndex
        var lastMember = [String: Any]().startIndex
        /// The number of the next sorted member or element.
        var next = 0

        /// The name or number of the value that was taken last.
        var token: String {
            if !isObject { return "\(next - 1)" }
            return members.isEmpty ? sortedMembers[next - 1].key : members[lastMember].key
        }
    }

    private let maximumDepth: Int
    private let sortsMembers: Bool
    private var levels: [Level] = []

    /// - Parameter sortsMembers: Whether the members of a dictionary, which has no order, are written in that of the bytes
    ///   of their names, so that every run gives the same text.
    init(maximumDepth: Int, sortsMembers: Bool) {
        self.maximumDepth = maximumDepth
        self.sortsMembers = sortsMembers
    }

    /// Appends a value.
    ///
    /// - Throws: ``ModelError`` with the code `notConvertible` and the path of a value that JSON does not have, or with
    ///   `limitExceeded` for one that is nested too deeply.
    mutating func write(_ root: Any, to buffer: inout JSONByteBuffer) throws(ModelError) {
        try begin(root, &buffer)
        while let last = levels.indices.last {
            if let value = next(&levels[last], &buffer) {
                try begin(value, &buffer)
            } else {
                buffer.append(byte: UInt8(ascii: levels[last].isObject ? "}" : "]"))
                levels.removeLast()
            }
        }
    }

    /// Takes the next value of a container, and writes what comes before it; nil at the end.
    @inline(__always)
    private func next(_ level: inout Level, _ buffer: inout JSONByteBuffer) -> Any? {
        if !level.isObject {
            guard level.next < level.elements.count else { return nil }
            if level.next > 0 { buffer.append(byte: UInt8(ascii: ",")) }
            level.next += 1
            return level.elements[level.next - 1]
        }
        let isFirst: Bool
        let (key, value): (String, Any)
        if sortsMembers {
            guard level.next < level.sortedMembers.count else { return nil }
            (key, value) = level.sortedMembers[level.next]
            isFirst = level.next == 0
            level.next += 1
        } else {
            guard level.nextMember < level.members.endIndex else { return nil }
            (key, value) = level.members[level.nextMember]
            isFirst = level.nextMember == level.members.startIndex
            level.lastMember = level.nextMember
            level.nextMember = level.members.index(after: level.nextMember)
        }
        if !isFirst { buffer.append(byte: UInt8(ascii: ",")) }
        buffer.append(quoted: key)
        buffer.append(byte: UInt8(ascii: ":"))
        return value
    }

    /// Writes a scalar, or begins a container.
    private mutating func begin(_ value: Any, _ buffer: inout JSONByteBuffer) throws(ModelError) {
        switch FoundationToken(value) {
        case .scalar(.string(let text)): buffer.append(quoted: text)
        case .scalar(.number(let number)): buffer.append(number: number)
        case .scalar(let value): buffer.append(value: value)
        case .object(let members):
            var level = Level()
            if sortsMembers {
                level.sortedMembers = members.sorted { UTF8Text.precedes($0.key, $1.key) }
            } else {
                level.members = members
                level.nextMember = members.startIndex
            }
            try open(level, "{", &buffer)
        case .array(let elements): try open(Level(elements: elements, isObject: false), "[", &buffer)
        case nil:
            throw ModelError(
                .notConvertible, expected: "a value that JSON has", found: "a value of the type \(type(of: value))"
            ).at(levels.map(\.token)).located()
        }
    }

    private mutating func open(
        _ level: Level, _ bracket: Unicode.Scalar, _ buffer: inout JSONByteBuffer
    ) throws(ModelError) {
        guard levels.count < maximumDepth else {
            throw ModelError(
                .limitExceeded, expected: "at most \(maximumDepth.counted("level"))", found: "more"
            ).at(levels.map(\.token)).located()
        }
        buffer.append(byte: UInt8(ascii: bracket))
        levels.append(level)
    }
}
