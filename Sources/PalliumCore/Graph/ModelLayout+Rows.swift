extension ModelLayout {
    /// The layout whose rows hold the models: the one that declares the identity. Nil if there is no identity.
    package var rowLayout: ModelLayout? { identitySlots.isEmpty ? nil : identityRoot }

    /// Whether rules or validators may refuse models.
    package var mayRefuse: Bool { hasRules || classMayRefuse }
}

extension ModelLayout.Property {
    /// Whether rows and records hold the property.
    ///
    /// A property that is archived conditionally is no reason to store a model, but a reference to one may be stored. A weak one is
    /// never stored.
    package var isStored: Bool {
        switch schema.archiving {
        case .included: true
        case .excluded: false
        case .conditional: !schema.isWeak && descriptor.innermost.model?.identitySlots.isEmpty == false
        }
    }
}
