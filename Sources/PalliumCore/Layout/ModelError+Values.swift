/// Errors about values that a schema describes.
extension ModelError {
    /// Creates an error about a value that a schema describes. The value found is masked if the property is secret.
    package init(
        _ code: Code, _ descriptor: ValueDescriptor, expected: String, found: String, underlying: (any Error)? = nil
    ) {
        self.init(
            code, expected: expected, found: descriptor.isSecret ? "a secret value" : found, schema: descriptor.schema,
            property: descriptor.key, underlying: descriptor.isSecret ? nil : underlying)
    }

    /// Returns the error as one about a value that a schema describes. The value found is masked if the property is
    /// secret.
    package func concerning(_ descriptor: ValueDescriptor) -> ModelError {
        with {
            $0.schema = descriptor.schema
            $0.property = descriptor.key
            guard descriptor.isSecret else { return }
            $0.found = "a secret value"
            $0.underlying = nil
            $0.suggestion = nil
            $0.problems = $0.problems.map { $0.concerning(descriptor) }
        }
    }
}
