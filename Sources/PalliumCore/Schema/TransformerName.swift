import PalliumJSON

/// The name of a transformer, as schemas in code and in documents use it.
///
///     extension TransformerName { static let cents: Self = "Cents" }
public struct TransformerName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text in documents.
    public let description: String

    /// Makes a name from its text.
    public init(_ text: String) { description = text }

    /// Makes the value from the text of a literal.
    public init(stringLiteral text: String) { description = text }

    /// Whether the two are equal.
    public static func == (left: TransformerName, right: TransformerName) -> Bool {
        UTF8Text.equal(left.description, right.description)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(UTF8Key(description)) }
}
