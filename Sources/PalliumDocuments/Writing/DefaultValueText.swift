import Foundation
package import PalliumCore
package import PalliumJSON

/// Writes default values from code as JSON: the reverse of how a registry reads them.
///
///     value ──▶ slot of the kind ──▶ natural JSON, back through the transformers ──▶ the same slot again?
///
/// Safety: the descriptor of a temporary slot is kept alive while the slot is used.
package struct DefaultValueText {
    let schema: String
    let key: String
    let transformers: TransformerRegistry

    package init(schema: String, key: String, transformers: TransformerRegistry) {
        self.schema = schema
        self.key = key
        self.transformers = transformers
    }

    /// Returns the default of a property as JSON; nil if it has none.
    ///
    /// - Throws: ``ModelError`` if it is a value from code that has no JSON.
    package func json(of property: PropertySchema) throws(ModelError) -> JSONValue? {
        switch property.defaultValue {
        case nil: nil
        case .json(let value): value
        case .value(let value): try json(value, for: property)
        }
    }

    /// Returns the value as JSON.
    ///
    /// - Throws: ``ModelError`` if the value does not fit the property, a transformer has no reverse, or the JSON would
    ///   not read back as an equal value.
    private func json(_ value: any PropertyValue, for property: PropertySchema) throws(ModelError) -> JSONValue {
        try withSlot(for: property) { slot throws(ModelError) in
            guard slot.description.accepts(type(of: value)) else {
                throw ModelError(
                    .typeMismatch, expected: slot.description.expectation,
                    found: "a value of the type \(type(of: value))")
            }
            try value._store(slot)
            let json = try json(of: slot)
            let copy = TemporarySlot(like: slot)
            try copy.slot.store(json: json, transformers: transformers)
            guard ModelComparison.equal(slot, copy.slot) else {
                throw ModelError(.notConvertible, expected: "a value that JSON can hold", found: json.summary)
            }
            return json
        }
    }

    /// Calls a function with a temporary slot, whose descriptor must outlive its content.
    private func withSlot(
        for property: PropertySchema, _ body: (PropertySlot) throws(ModelError) -> JSONValue
    ) throws(ModelError) -> JSONValue {
        let descriptor = ValueDescriptor(
            schema: schema, key: key, path: "\(schema).\(key)", property: property, isElement: false)
        return try withExtendedLifetime(descriptor) { () throws(ModelError) in
            let temporary = TemporarySlot(for: descriptor)
            return try withExtendedLifetime(temporary) { () throws(ModelError) in try body(temporary.slot) }
        }
    }

    private func json(of slot: PropertySlot) throws(ModelError) -> JSONValue {
        let property = slot.description.property
        var names = property.transformers
        if names.isEmpty {
            guard case .custom(let custom) = property.kind else {
                return try slot.naturalJSON { element throws(ModelError) in try json(of: element) }
            }
            guard let name = custom.transformer else {
                throw ModelError(
                    .notConvertible, expected: "a value that JSON can hold",
                    found: "one of the kind \(custom.name), which has no transformer")
            }
            names = [name]
        }
        guard slot.hasValue else { return .null }
        var value: (any PropertyValue)? = slot.description.naturalType._loadIfPresent(slot)
        for name in names.reversed() {
            value = try transformers.transformer(named: name).convertBack(
                value, context: Transformer.Context(direction: .reverse, schema: schema, property: key))
        }
        guard let value else { return .null }
        if let scalar = Transformer.pass(value, as: JSONValue.self) { return scalar }
        guard let kind = type(of: value)._naturalKind else {
            throw ModelError(
                .notConvertible, expected: "a value that JSON has", found: "a value of the type \(type(of: value))")
        }
        return try withSlot(for: PropertySchema(kind)) { slot throws(ModelError) in
            try value._store(slot)
            return try slot.naturalJSON()
        }
    }
}
