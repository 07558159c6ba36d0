/// Transformers for values that are encoded as text.
extension Transformer {
    /// Makes the transformer between text and the values that it spells.
    convenience init(_ form: TextForm) {
        self.init(
            inputType: String.self, outputType: form.type, handlesNull: false, form: form,
            forward: Self.refusing({ (text: String) in try form.value(text) }, expected: form.jsonExpectation),
            backward: Self.writing(form, form.type))
    }

    private static func writing<Value: PropertyValue>(_ form: TextForm, _ type: Value.Type) -> Conversion {
        refusing({ (value: Value) in form.text(value) }, expected: form.writable)
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
