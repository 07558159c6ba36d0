package import PalliumJSON

// Sets the values that key paths lead to.
extension JSONObject {
    /// Sets the value at a path and makes the objects on the way, also for null; nil removes the value.
    ///
    /// An element of an array is not removed, which would move the others, but becomes null.
    ///
    /// - Throws: ``ModelError`` with the code `upgradeFailed` if a value on the path has no such member or element. The
    ///   object may have been changed then.
    package mutating func set(_ value: JSONValue?, at path: JSONKeyPath) throws(ModelError) {
        try set(value, at: path) { step, found throws(ModelError) in
            switch (step, found) {
            case (.member, .null): return .object(JSONObject())
            case (.member, _):
                throw ModelError(.upgradeFailed, expected: "an object on a key path", found: found.summary)
            case (.element(let index), _):
                throw ModelError(
                    .upgradeFailed, expected: "an array with an element \(index) on a key path", found: found.summary)
            }
        }
    }

    /// Sets the value at a path and makes the objects and arrays on the way; nil removes the value.
    ///
    /// Elements that an array lacks become null. A value on the way that is neither is replaced.
    package mutating func place(_ value: JSONValue?, at path: JSONKeyPath) {
        set(value, at: path) { step, found in
            guard case .element(let index) = step else { return .object(JSONObject()) }
            // A sample does not grow beyond reason for a path into a far element.
            guard index < 1000 else { return nil }
            var elements = found.arrayValue ?? []
            while elements.count <= index { elements.append(.null) }
            return .array(elements)
        }
    }

    private mutating func set<Failure: Error>(
        _ value: JSONValue?, at path: JSONKeyPath,
        replacing replacement: (JSONKeyPath.Step, JSONValue) throws(Failure) -> JSONValue?
    ) throws(Failure) {
        // The members have one owner, so that they are changed in place.
        var changed = JSONValue.object(self)
        self = JSONObject()
        defer { if case .object(let members) = changed { self = members } }
        try changed.set(value, at: path.steps[...], replacing: replacement)
    }
}

extension JSONValue {
    /// Recursion is bounded by the length of key paths.
    ///
    /// - Parameter replacement: Returns a value with a member or element instead of one that has none; nil leaves it.
    fileprivate mutating func set<Failure: Error>(
        _ value: JSONValue?, at steps: ArraySlice<JSONKeyPath.Step>,
        replacing replacement: (JSONKeyPath.Step, JSONValue) throws(Failure) -> JSONValue?
    ) throws(Failure) {
        guard let step = steps.first else {
            self = value ?? .null
            return
        }
        let rest = steps.dropFirst()
        switch (step, self) {
        case (.member(let name), .object(var members)):
            self = .null
            defer { self = .object(members) }
            if value == nil, rest.isEmpty || members.position(of: name) == nil {
                members.removeValue(forKey: name)
            } else {
                var inner = members.updateValue(.null, forKey: name) ?? .null
                defer { members.updateValue(inner, forKey: name) }
                try inner.set(value, at: rest, replacing: replacement)
            }
        case (.element(let index), .array(var elements)) where index < elements.count:
            self = .null
            defer { self = .array(elements) }
            try elements[index].set(value, at: rest, replacing: replacement)
        default:
            guard value != nil, let fitting = try replacement(step, self) else { return }
            self = fitting
            try set(value, at: steps, replacing: replacement)
        }
    }
}
