/// What stands for a value that people must not see.
package enum MaskedValue {
    /// Stands in place of the value, in descriptions and in redacted documents.
    package static let text = "•••"
    /// Tells in an error what was found.
    package static let found = "a masked value"
}
