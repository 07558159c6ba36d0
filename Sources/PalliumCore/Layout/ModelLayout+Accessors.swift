/// Resolves accessors: the way of the first use of each, and of verification.
extension ModelLayout {
    /// Returns the slot of the property that an accessor reads as a type.
    ///
    /// - Throws: ``SchemaError`` with the mistake and a way to correct it.
    func slot(ofAccessor name: String, _ type: any PropertyValue.Type) throws(SchemaError) -> Int {
        // `#function` of a subscript or method includes its parameter list, so it is never a key.
        guard let index = index(of: name) else {
            let nearest = nearestKey(to: name).flatMap { index(of: $0) }.map { properties[$0].descriptor }
            let hint = nearest.map {
                "did you mean \"\($0.key)\"? Declare var \(name): \($0.accessorType) { value(\"\($0.key)\") }"
            }
            throw SchemaError([
                SchemaError.Problem(
                    schema: schema.name, property: name, message: "is no property of the schema", fix: hint)
            ])
        }
        let descriptor = properties[index].descriptor
        if descriptor.fits(type) { return index }
        let (message, fix) = descriptor.mistake(ofAccessor: type)
        throw SchemaError([
            SchemaError.Problem(schema: schema.name, property: descriptor.key, message: message, fix: fix)
        ])
    }
}
