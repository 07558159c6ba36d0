import PalliumJSON

/// The name of a transformer, as schemas in code and in documents use it.
///
///     extension TransformerName { static let cents: Self = "Cents" }
public struct TransformerName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text in documents.
    public let description: String
    /// The ``Transformer`` itself, for a property that was given a transformer without a name.
    package let unnamed: (any AnyObject & Sendable)?

    /// Makes a name from its text.
    public init(_ text: String) {
        description = text
        unnamed = nil
    }

    /// Stands for a transformer without a name. `description` describes it in errors.
    package init(_ transformer: any AnyObject & Sendable, description: String) {
        self.description = description
        unnamed = transformer
    }

    /// Makes the value from the text of a literal.
    public init(stringLiteral text: String) { self.init(text) }

    /// Whether the two are equal.
    public static func == (left: TransformerName, right: TransformerName) -> Bool {
        UTF8Text.equal(left.description, right.description) && left.unnamed === right.unnamed
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(UTF8Key(description)) }
}
