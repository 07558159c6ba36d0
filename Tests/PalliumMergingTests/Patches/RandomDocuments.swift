import Pallium
import TestSupport

/// Small documents that look random and are the same in every run, and later states of them.
struct RandomDocuments {
    private var numbers: SeededGenerator
    private let nulls: Bool

    init(seed: Int, nulls: Bool) {
        numbers = SeededGenerator(seed: seed)
        self.nulls = nulls
    }

    /// An old document and a new one: a later state of it, or, every fourth time, another.
    mutating func pair(_ number: Int) -> (old: JSONValue, new: JSONValue) {
        let old = document(depth: 4)
        return (old, number % 4 == 0 ? document(depth: 4) : changed(old))
    }

    /// A document with an object at the root.
    mutating func document(depth: Int) -> JSONValue { .object(object(depth: depth)) }

    /// The same document with something added, removed, moved or replaced here and there.
    mutating func changed(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(var elements):
            for _ in 0..<below(3) {
                switch below(4) {
                case 0: elements.insert(any(depth: 2), at: below(elements.count + 1))
                case 1 where !elements.isEmpty: elements.remove(at: below(elements.count))
                case 2 where !elements.isEmpty:
                    let moved = elements.remove(at: below(elements.count))
                    elements.insert(moved, at: below(elements.count + 1))
                default:
                    if elements.isEmpty { break }
                    let position = below(elements.count)
                    elements[position] = changed(elements[position])
                }
            }
            return .array(elements)
        case .object(var members):
            for _ in 0..<1 + below(3) {
                if !members.isEmpty, below(3) > 0 {
                    let (name, value) = members[below(members.count)]
                    members[name] = below(4) == 0 ? Optional.none : changed(value)
                } else {
                    members[name()] = any(depth: 2)
                }
            }
            return .object(members)
        default: return any(depth: 1)
        }
    }

    /// The document without members that are null, at every level.
    static func withoutNullMembers(_ value: JSONValue) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(
            JSONObject(members.filter { !$0.value.isNull }.map { ($0.key, withoutNullMembers($0.value)) }))
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

    private mutating func object(depth: Int) -> JSONObject {
        var members = JSONObject()
        for _ in 0..<below(6) { members[name()] = any(depth: depth - 1) }
        return members
    }

    private mutating func name() -> String {
        ["a", "b", "c", "a/b", "m~n", "", "0", "\u{E9}", "e\u{301}", "-"][below(10)]
    }

    private mutating func any(depth: Int) -> JSONValue {
        switch below(depth > 0 ? 9 : 6) {
        case 0: .number(JSONNumber(below(4)))
        case 1:
            [1.5, .number(JSONNumber(text: "1e400") ?? JSONNumber(0)), .number(JSONNumber(UInt64.max)), -7][below(4)]
        case 2: .bool(below(2) == 0)
        case 3: nulls ? .null : "none"
        case 4, 5: .string(name())
        case 6, 7: .object(object(depth: depth))
        default: .array((0..<below(9)).map { _ in any(depth: depth - 1) })
        }
    }
}
