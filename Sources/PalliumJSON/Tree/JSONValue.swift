/// Any JSON value as a tree.
///
/// Values are compared and hashed by content: strings by their UTF-8 bytes, numbers by their mathematical value,
/// objects without regard to the order of members. Comparing, hashing and writing are not recursive. Releasing a tree
/// is recursive, as for all Swift values, and safe for every tree that was read: the limit of depth sees to it.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)
}

extension JSONValue {
    /// Whether the value is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The Boolean; nil for other kinds, also for numbers.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number; nil for other kinds.
    public var numberValue: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The exact integer, when the value is a number equal to an Int.
    public var intValue: Int? { numberValue?.int }

    /// The nearest Double, when the value is a number; infinite when the number is too large.
    public var doubleValue: Double? { numberValue?.double }

    /// The string; nil for other kinds.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements; nil for other kinds.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members; nil for other kinds.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The member of this name, when the value is an object that has one.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The element at this position, when the value is an array that has one.
    public subscript(position: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(position) { elements[position] } else { nil }
    }

    /// The value at this pointer; nil when there is none. O(number of tokens).
    public subscript(pointer: JSONPointer) -> JSONValue? {
        var value = self
        for token in pointer.tokens {
            switch value {
            case .object(let members):
                guard let member = members[token] else { return nil }
                value = member
            case .array(let elements):
                guard let position = JSONPointer.arrayPosition(token), position < elements.count else { return nil }
                value = elements[position]
            default: return nil
            }
        }
        return value
    }
}

extension JSONValue: CustomStringConvertible {
    /// Compact JSON text, whatever the depth.
    public var description: String {
        var options = JSONWritingOptions()
        options.maximumDepth = .max
        return (try? text(options: options)) ?? ""
    }
}
