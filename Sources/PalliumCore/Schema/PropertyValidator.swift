extension PropertySchema {
    /// The schema and property of the value that a validator checks.
    public struct ValidationContext: Sendable {
        /// The schema of the model.
        public let schema: String
        /// The key of the property.
        public let property: String
    }
}

/// A check of one property's value that may also correct it.
package struct PropertyValidator: Sendable {
    /// The accessor type of the check.
    package let valueType: any PropertyValue.Type
    /// Runs the check on a slot and stores a corrected value; an accepted value leaves the slot unchanged.
    package let run: @Sendable (PropertySlot, PropertySchema.ValidationContext) throws -> Void

    package init<Value: PropertyValue>(
        _ check: @escaping @Sendable (inout Value, PropertySchema.ValidationContext) throws -> Void
    ) {
        valueType = Value.self
        run = { slot, context in
            // Only a property that must have a value is checked as a plain type; without a value, it is missing and
            // reported as such.
            guard slot.hasValue || Value._isOptional else { return }
            var value = Value._load(slot)
            let wasNil = Erased.value(value) == nil
            try check(&value, context)
            // Nil that stays nil is no correction: it may mean no value, or one the type cannot show (an unknown case,
            // a weak model that was released).
            if wasNil, Erased.value(value) == nil { return }
            try slot.storeIfDifferent(value)
        }
    }
}
