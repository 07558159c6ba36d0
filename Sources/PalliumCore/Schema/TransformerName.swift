import PalliumJSON

/// The name of a transformer: how schemas, in code and in documents, refer to one.
///
///     extension TransformerName { static let cents: Self = "Cents" }
public struct TransformerName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text that documents hold.
    public let description: String

    /// Makes a name from its text.
    public init(_ text: String) { description = text }

    /// Makes the value from the text of a literal.
    public init(stringLiteral text: String) { description = text }

    /// Whether the two say the same.
    public static func == (left: TransformerName, right: TransformerName) -> Bool {
        UTF8Text.equal(left.description, right.description)
    }

    /// Mixes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(UTF8Key(description)) }
}
