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
