/// Compares and hashes values with work lists instead of recursion.
///
/// A tree built in code can be deeper than any stack.
extension JSONValue: Hashable {
    /// Whether both are the same value. Expected O(size of the smaller tree).
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        var pending: [(JSONValue, JSONValue)] = []
        var left = left
        var right = right
        while true {
            switch (left, right) {
            case (.null, .null): break
            case (.bool(let left), .bool(let right)):
                guard left == right else { return false }
            case (.number(let left), .number(let right)):
                guard left == right else { return false }
            case (.string(let left), .string(let right)):
                guard UTF8Text.equal(left, right) else { return false }
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                for position in left.indices { pending.append((left[position], right[position])) }
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return false }
                for member in left.members {
                    guard let other = right[member.key] else { return false }
                    pending.append((member.value, other))
                }
            default: return false
            }
            guard let next = pending.popLast() else { return true }
            (left, right) = next
        }
    }

    /// Hashes the whole value. The order of the members of objects does not matter. O(size of the tree).
    public func hash(into hasher: inout Hasher) {
        var frames: [HashFrame] = []
        var current = self
        while true {
            var finished: Int
            switch current {
            case .array(let elements) where !elements.isEmpty:
                frames.append(HashFrame(values: .array(elements)))
                current = elements[0]
                continue
            case .object(let members) where !members.isEmpty:
                frames.append(HashFrame(values: .object(members)))
                current = members.members[0].value
                continue
            default:
                var leaf = Hasher()
                current.hashLeaf(into: &leaf)
                finished = leaf.finalize()
            }
            // Hand the finished hash upwards until a container has another child.
            while true {
                guard let last = frames.indices.last else {
                    hasher.combine(finished)
                    return
                }
                frames[last].combine(finished)
                if let next = frames[last].nextValue() {
                    current = next
                    break
                }
                finished = frames[last].finalize()
                frames.removeLast()
            }
        }
    }

    /// The hash of a value without children; each kind starts with a different number.
    private func hashLeaf(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .bool(let value): hasher.combine(value ? 2 as UInt8 : 1)
        case .number(let value):
            hasher.combine(3 as UInt8)
            hasher.combine(value)
        case .string(let value):
            hasher.combine(4 as UInt8)
            UTF8Text.hash(value, into: &hasher)
        case .array: hasher.combine(5 as UInt8)
        case .object: hasher.combine(6 as UInt8)
        }
    }
}

/// A container whose children are being hashed.
private struct HashFrame {
    enum Values {
        case array([JSONValue])
        case object(JSONObject)
    }

    let values: Values
    private var position = 0
    private var ordered = Hasher()
    /// A sum does not depend on the order of what is added.
    private var unordered = 0

    init(values: Values) { self.values = values }

    /// Adds the hash of the child at `position` and moves to the next child.
    mutating func combine(_ child: Int) {
        switch values {
        case .array: ordered.combine(child)
        case .object(let members):
            var member = Hasher()
            UTF8Text.hash(members.members[position].key, into: &member)
            member.combine(child)
            unordered &+= member.finalize()
        }
        position += 1
    }

    /// Returns the child at `position`. At the end it returns `Optional.none`, because `nil` would be the value `.null`.
    func nextValue() -> JSONValue? {
        switch values {
        case .array(let elements):
            guard position < elements.count else { return Optional.none }
            return elements[position]
        case .object(let members):
            guard position < members.count else { return Optional.none }
            return members.members[position].value
        }
    }

    func finalize() -> Int {
        switch values {
        case .array: return ordered.finalize()
        case .object:
            var hasher = Hasher()
            hasher.combine(6 as UInt8)
            hasher.combine(unordered)
            return hasher.finalize()
        }
    }
}
