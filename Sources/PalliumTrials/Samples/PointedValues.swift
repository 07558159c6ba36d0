package import PalliumJSON

// Sets the values that pointers lead to.
extension JSONObject {
    /// Sets the value that a pointer leads to; nil removes a member.
    package mutating func set(_ value: JSONValue?, at tokens: [String]) {
        guard case .object(let changed) = JSONValue.object(self).setting(value, at: tokens[...]) else { return }
        self = changed
    }
}

extension JSONValue {
    /// Returns the value with another one at some tokens of a pointer; nil removes a member or an element.
    ///
    /// Recursion is bounded by the depth of samples.
    func setting(_ value: JSONValue?, at tokens: ArraySlice<String>) -> JSONValue? {
        guard let token = tokens.first else { return value }
        switch self {
        case .array(var elements):
            guard let index = Int(token), elements.indices.contains(index) else { return self }
            if let changed = elements[index].setting(value, at: tokens.dropFirst()) {
                elements[index] = changed
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        case .object(var members):
            if let changed = (members[token] ?? .object([:])).setting(value, at: tokens.dropFirst()) {
                members.updateValue(changed, forKey: token)
            } else {
                members.removeValue(forKey: token)
            }
            return .object(members)
        default: return self
        }
    }
}
