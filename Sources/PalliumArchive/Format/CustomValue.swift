import PalliumCore
import PalliumJSON

/// Reads and writes values of your own types as the JSON of their transformers.
enum CustomValue {
    /// Returns the value of a slot as JSON.
    ///
    /// - Throws: ``ModelError`` if the transformer has no reverse, refuses the value, or returns something that JSON
    ///   does not have.
    static func json(in slot: PropertySlot, _ transformers: TransformerRegistry) throws(ModelError) -> JSONValue {
        let descriptor = slot.description
        let converted = try transformer(of: descriptor, transformers).convertBack(
            slot.naturalValue,
            context: Transformer.Context(direction: .reverse, schema: descriptor.schema, property: descriptor.key))
        guard let converted else { return .null }
        guard let json = JSONValue(scalar: converted) else {
            throw ModelError(
                .notConvertible, descriptor, expected: "a transformer that gives JSON", found: "another value")
        }
        return json
    }

    /// Converts JSON to a value and stores it.
    static func store(
        _ json: JSONValue, in slot: PropertySlot, _ transformers: TransformerRegistry
    ) throws(ModelError) {
        let descriptor = slot.description
        let transformer = try transformer(of: descriptor, transformers)
        let input: (any PropertyValue)? = transformer.inputType == JSONValue.self ? json : json.naturalScalar
        try slot.store(
            transformer.convert(
                input, context: Transformer.Context(schema: descriptor.schema, property: descriptor.key)))
    }

    private static func transformer(
        of descriptor: ValueDescriptor, _ transformers: TransformerRegistry
    ) throws(ModelError) -> Transformer {
        // Registration refuses archived properties of a kind without a transformer.
        guard case .custom(let custom) = descriptor.property.kind, let name = custom.transformer else {
            throw ModelError(
                .typeMismatch, descriptor, expected: "a custom kind with a transformer", found: descriptor.expectation)
        }
        return try transformers.transformer(named: name)
    }
}
