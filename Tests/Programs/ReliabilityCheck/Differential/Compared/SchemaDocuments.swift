import Pallium

/// Schemas as documents and back.
extension SchemaSet {
    /// What disagrees; nil when the schemas come back as they were.
    func documentDisagreement() -> String? {
        let plain = schemas.map(withoutClosures)
        do {
            let copies = SchemaRegistry(transformers: registry.transformers)
            try copies.register(plain)
            let text = try copies.document(of: plain).text()
            let loaded = SchemaRegistry(transformers: registry.transformers)
            let back = try loaded.load(Array(text.utf8), name: "set")
            if back != plain {
                let different = zip(plain, back).filter { $0 != $1 }.map(\.0.name)
                return "set \(number): \(different) come back as others from \(text)"
            }
            let again = try loaded.document(of: back).text()
            return again.utf8.elementsEqual(text.utf8)
                ? nil : "set \(number): another document the second time: \(again)"
        } catch {
            return "set \(number): \(error)"
        }
    }

    /// Validators and classes cannot be written; properties with one say "validated" as their documentation.
    func withoutClosures(_ schema: ModelSchema) -> ModelSchema {
        var copy = schema
        copy.modelClass = nil
        copy.properties = schema.properties.map { property in
            guard property.schema.documentation == "validated" else { return property }
            var plain = PropertySchema(property.schema.kind).json(property.schema.json).doc("validated")
            if property.schema.isRequired { plain = plain.required }
            if property.schema.access == .readOnly { plain = plain.readOnly }
            if property.schema.access == .writeOnly { plain = plain.writeOnly }
            return ModelSchema.Property(property.key, plain)
        }
        return copy
    }
}
