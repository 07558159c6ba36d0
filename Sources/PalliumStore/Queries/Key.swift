import PalliumCore

/// A property in a condition or an order, by its key: `Key("state")`, `"assignee.login"`.
///
/// Dots lead into models: into those that stand in the document, and into those of other rows. A backslash makes the next
/// character part of a key: a dot, a bracket, or a slash at the beginning. Keys are checked against the schema when a query
/// runs.
public struct Key: Sendable, ExpressibleByStringLiteral {
    let text: String

    /// Names a property.
    public init(_ key: String) { text = key }

    /// Names a property.
    public init(stringLiteral key: String) { text = key }
}

extension ModelLayout {
    /// Returns the keys between the dots of a text.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` if it is not made of keys.
    func keys(in text: String) throws(ModelError) -> [String] {
        if let keys = JSONKeyPath.members(in: text) { return keys }
        throw ModelError(
            .unknownKey, expected: "a key, or keys with dots between them", found: ModelError.quote(text),
            schema: schema.name)
    }
}
