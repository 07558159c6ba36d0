package import PalliumCore
package import PalliumJSON

// Sets the values that key paths and pointers lead to.
extension JSONObject {
    /// Sets the value at a path and makes the objects and arrays on the way; nil removes the value.
    ///
    /// Elements that an array lacks become null. A value on the way that is neither is replaced.
    package mutating func place(_ value: JSONValue?, at path: JSONKeyPath) { set(value, at: path.steps[...]) }

    /// Recursion is bounded by the length of key paths.
    fileprivate mutating func set(_ value: JSONValue?, at steps: ArraySlice<JSONKeyPath.Step>) {
        guard case .member(let name)? = steps.first else { return }
        guard let value else {
            if steps.count == 1 {
                removeValue(forKey: name)
            } else if var inner = self[name] {
                inner.set(nil, at: steps.dropFirst())
                updateValue(inner, forKey: name)
            }
            return
        }
        if steps.count == 1 {
            updateValue(value, forKey: name)
            return
        }
        // The inner value is taken out, so that it is changed in place and not copied.
        var inner = updateValue(.null, forKey: name) ?? .null
        inner.set(value, at: steps.dropFirst())
        updateValue(inner, forKey: name)
    }

    /// Sets the value that a pointer leads to; nil removes a member.
    package mutating func set(_ value: JSONValue?, at tokens: [String]) {
        guard case .object(let changed) = JSONValue.object(self).setting(value, at: tokens[...]) else { return }
        self = changed
    }
}

extension JSONValue {
    /// Recursion is bounded by the length of key paths.
    fileprivate mutating func set(_ value: JSONValue?, at steps: ArraySlice<JSONKeyPath.Step>) {
        guard let step = steps.first else { return }
        switch step {
        case .member:
            var members = objectValue ?? JSONObject()
            if value == nil, objectValue == nil { return }
            self = .null
            members.set(value, at: steps)
            self = .object(members)
        case .element(let index):
            // A sample does not grow beyond reason for a path into a far element.
            guard index < 1000 else { return }
            var elements = arrayValue ?? []
            if value == nil, index >= elements.count { return }
            self = .null
            while elements.count <= index { elements.append(.null) }
            if steps.count == 1 {
                elements[index] = value ?? .null
            } else {
                elements[index].set(value, at: steps.dropFirst())
            }
            self = .array(elements)
        }
    }

    /// Returns the value with another one at some tokens of a pointer; nil removes a member or an element.
    ///
    /// Recursion is bounded by the depth of samples.
    package func setting(_ value: JSONValue?, at tokens: ArraySlice<String>) -> JSONValue? {
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
