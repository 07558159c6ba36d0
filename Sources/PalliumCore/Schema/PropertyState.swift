/// The states of a property.
public enum PropertyState: String, Sendable, Hashable {
    /// Nothing was given.
    case unset
    /// Null was given.
    case null
    /// A value was given.
    case value
    /// Nothing was given, and decoding took the schema's default.
    case defaulted
}
