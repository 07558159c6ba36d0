/// Describes accessors whose type does not fit, for traps and for verification.
extension ValueDescriptor {
    /// Describes an accessor whose type does not fit, and names the type that does.
    func mistake(ofAccessor type: any PropertyValue.Type) -> (message: String, fix: String) {
        if !type._isOptional, hasOptionalAccessor, fits(type.optionalType) {
            if !isOptional { return ("is lacked by stubs, so its accessor must be optional", "declare \(type)?") }
            return (
                "\(isNullable ? "is nullable" : "may be absent"), so its accessor must be optional",
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
    var accessorType: String { "\(naturalType)\(hasOptionalAccessor ? "?" : "")" }

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
