/// Errors about values that a schema describes.
extension ModelError {
    /// Creates an error about a value that a schema describes. The value found is masked if the property has a label.
    package init(
        _ code: Code, _ descriptor: ValueDescriptor, expected: String, found: String, underlying: (any Error)? = nil
    ) {
        self.init(
            code, expected: expected, found: descriptor.isSensitive ? MaskedValue.found : found,
            schema: descriptor.schema, property: descriptor.key, underlying: descriptor.isSensitive ? nil : underlying)
        if let detail = Detail(code, descriptor) { self = with { $0.detail = detail } }
    }

    /// Returns the error as one about a value that a schema describes. The value found is masked if the property has
    /// a label.
    package func concerning(_ descriptor: ValueDescriptor) -> ModelError {
        let error = with {
            $0.schema = descriptor.schema
            $0.property = descriptor.key
            $0.problems = $0.problems.map { $0.concerning(descriptor) }
        }
        return descriptor.isSensitive ? error.masked() : error
    }

    /// Returns the error at the path of a property in a document; of a property with a label nothing else is told.
    package func at(_ tokens: [String], of property: PropertySchema) -> ModelError {
        let located = at(tokens)
        return property.isSensitive ? located.maskingEach { _ in tokens.count } : located
    }

    /// Returns the error with a path from a property further out; of one with a label nothing else is told.
    package func under(_ property: ModelLayout.Property) -> ModelError {
        under(property: property.key, isSensitive: property.schema.isSensitive)
    }
}
