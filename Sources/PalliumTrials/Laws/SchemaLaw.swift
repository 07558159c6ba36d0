/// A promise that models of a schema should keep.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SchemaLaw: String, Sendable, Hashable, CaseIterable {
    /// A document that the schema describes can be decoded. A refusal by your validators, rules or hooks in Swift counts only
    /// if they refuse every sample.
    case decoding
    /// Decoding what was encoded gives an equal model, and encoding that gives the same text.
    case json
    /// A value comes back as the JSON that it was read from. For transformers of your own; predefined ones have
    /// documented normal forms.
    case transformers
    /// Validating a model that was accepted accepts it again and changes nothing.
    case validation
    /// A copy is equal and has an equal hash value.
    case copying
    /// Opening an archive gives an equal model.
    case archive
    /// Merging an equal model changes nothing. Properties with the policy `append` are not compared.
    case mergingEqual
    /// Merging into an empty model gives an equal one. Properties with the policies `append` and `union` or a merger of
    /// your own are not compared.
    case mergingIntoEmpty
    /// A document of an earlier version, as far as the upgrade steps tell what it was, is upgraded and accepted. A refusal
    /// by your validators, rules or hooks in Swift does not count.
    case upgrades
}
