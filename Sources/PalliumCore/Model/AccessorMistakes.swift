/// Describes mistakes in accessors, for traps and for verification.
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

extension ValueDescriptor {
    /// Describes an accessor whose type does not fit, and names the type that does.
    fileprivate func mistake(ofAccessor type: any PropertyValue.Type) -> (message: String, fix: String) {
        if !type._isOptional, isNullable, fits(type.optionalType) {
            return (
                "is nullable, so its accessor must be optional",
                "declare \(type)? instead of \(type), or make the property required or give it a default"
            )
        }
        if let lacking = lackingCases(of: type) { return lacking }
        return (
            "holds \(expectation), which an accessor of the type \(type) cannot read",
            "declare \(accessorType)"
        )
    }

    /// The type that an accessor of the property can have.
    fileprivate var accessorType: String { "\(naturalType)\(isNullable ? "?" : "")" }

    /// Describes a non-optional accessor of a Swift enumeration that lacks cases of the schema.
    ///
    /// Also for collections of enumerations. Nil when no case is missing.
    private func lackingCases(of type: any PropertyValue.Type) -> (message: String, fix: String)? {
        if let element, let collection = Erased.type(type) as? any CollectionShape.Type {
            return element.lackingCases(of: collection.elementType)
        }
        guard !type._isOptional, type.optionalType._fits(self, for: .readOptional),
            let enumeration, let swiftType = type as? any PropertyEnumeration.Type
        else { return nil }
        if enumeration.schema.unknown == .keep {
            return ("keeps unknown cases, which \(type) lacks", "declare \(type)? instead of \(type)")
        }
        let lacking = enumeration.schema.cases.map(\.rawValue).filter { !swiftType.has($0) }
        guard let first = lacking.first else { return nil }
        let others = lacking.count > 1 ? " and \(lacking.count - 1) more" : ""
        return (
            "has the case \(first.quoted)\(others), which \(type) lacks",
            "declare \(type)? instead of \(type), or add the case"
        )
    }
}

extension PropertyEnumeration {
    fileprivate static func has(_ raw: EnumerationSchema.RawValue) -> Bool { Self(raw: raw) != nil }
}
