/// Transformers for values that are encoded as text.
extension Transformer {
    /// Makes the transformer between text and the values that it spells.
    convenience init(_ codec: TextCodec) {
        self.init(
            inputType: String.self, outputType: codec.type, handlesNull: false, codec: codec,
            forward: Self.refusing({ (text: String) in try codec.value(text) }, expected: codec.jsonExpectation),
            backward: Self.writing(codec, codec.type))
    }

    private static func writing<Value: PropertyValue>(_ codec: TextCodec, _ type: Value.Type) -> Conversion {
        refusing({ (value: Value) in codec.text(value) }, expected: codec.writable)
    }

    static let emptyTextAsNull = Transformer(
        inputType: String.self, outputType: String.self, handlesNull: false,
        forward: { value, _ in
            let text = try text(value)
            return text.utf8.isEmpty ? nil : text
        },
        backward: { value, _ in try text(value) })

    private static func text(_ value: (any PropertyValue)?) throws(ModelError) -> String {
        guard let text = value.flatMap({ pass($0, as: String.self) }) else {
            throw ModelError.refused(value, expected: "text", code: .typeMismatch)
        }
        return text
    }
}
