import PalliumCore
package import PalliumJSON

/// A JSON value with its offset in the document, for messages.
///
/// Repeated members are all kept; the reader of an object decides what they mean.
package struct LocatedJSON: Sendable {
    /// The value without its offset.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([LocatedJSON])
        case object([Member])
    }

    /// A name, its offset, and its value.
    package struct Member: Sendable {
        package let name: String
        /// The offset of the opening quotation mark.
        package let nameOffset: Int
        package let value: LocatedJSON

        package init(name: String, nameOffset: Int, value: LocatedJSON) {
            self.name = name
            self.nameOffset = nameOffset
            self.value = value
        }
    }

    /// The offset of the value's first byte.
    package let offset: Int
    package let content: Content

    package init(offset: Int, content: Content) {
        self.offset = offset
        self.content = content
    }

    /// The value without offsets; of members with the same name the first counts. Nesting is limited by the reader.
    package var value: JSONValue {
        switch content {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let number): return .number(number)
        case .string(let text): return .string(text)
        case .array(let elements): return .array(elements.map(\.value))
        case .object(let members):
            var object = JSONObject()
            for member in members where object.position(of: member.name) == nil {
                object.updateValue(member.value.value, forKey: member.name)
            }
            return .object(object)
        }
    }

    /// A short description for messages: `"open"`, `the number 7`, `an array`.
    package var summary: String {
        switch content {
        case .null: JSONValue.null.summary
        case .bool(let value): JSONValue.bool(value).summary
        case .number(let number): JSONValue.number(number).summary
        case .string(let text): JSONValue.string(text).summary
        case .array: JSONValue.array([]).summary
        case .object: JSONValue.object([:]).summary
        }
    }

    /// The value of the first member with a name; nil if there is none, and for another kind.
    package subscript(name: String) -> LocatedJSON? {
        guard case .object(let members) = content else { return nil }
        return members.first { UTF8Text.equal($0.name, name) }?.value
    }

    /// Returns an element of an array; nil if there is none, and for another kind.
    func element(_ index: Int) -> LocatedJSON? {
        guard case .array(let elements) = content, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Returns the value of the only member of an object; nil if it has another name.
    package func only(_ name: String) -> LocatedJSON? {
        if case .object(let members) = content, members.count == 1 { self[name] } else { nil }
    }

    /// The elements, or nil for another kind.
    package var elements: [LocatedJSON]? {
        if case .array(let elements) = content { elements } else { nil }
    }

    /// The text, or nil for another kind.
    package var text: String? {
        if case .string(let text) = content { text } else { nil }
    }
}
