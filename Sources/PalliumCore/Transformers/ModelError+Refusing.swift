/// Errors about values that a transformer refuses.
extension ModelError {
    /// Creates the error for a value that a transformer refuses.
    static func refused(
        _ value: (any PropertyValue)?, expected: String, code: Code = .invalidValue
    ) -> ModelError {
        ModelError(code, expected: expected, found: describe(value))
    }
}
