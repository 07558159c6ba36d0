package import PalliumCore
package import PalliumJSON

// Sets the values that key paths lead to.
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
}
