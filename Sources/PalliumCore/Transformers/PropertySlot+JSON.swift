import Foundation
package import PalliumJSON

// Stores JSON values in slots, such as the default values of schema documents.
//
// Safety: lists refer to descriptors that live as long as the owner of the slot.
extension PropertySlot {
    /// Stores a JSON value as its kind reads it, as for a default value in a schema document.
    ///
    /// Recursion is bounded by the schema, which bounds the nesting of kinds.
    package func store(json value: JSONValue, transformers: TransformerRegistry?) throws(ModelError) {
        let descriptor = description
        // The transformer that a kind has by itself is its codec, which keeps the spelling of a date.
        let isOwn = descriptor.property.transformers == [descriptor.traits.transformer].compactMap(\.self)
        if let transformers, !descriptor.property.transformers.isEmpty, !isOwn {
            var converted: (any PropertyValue)? = value
            for (index, name) in descriptor.property.transformers.enumerated() {
                let transformer = try transformers.transformer(named: name)
                if index == 0, transformer.inputType != JSONValue.self { converted = value.naturalScalar }
                converted = try transformer.convert(converted, context: Transformer.Context())
            }
            if let result = converted as? JSONValue, descriptor.kind != .json {
                return try storePlain(result, transformers: transformers)
            }
            guard let converted else { return try storeNull() }
            return try storeConverted(converted)
        }
        if let transformers, case .custom(let custom) = descriptor.property.kind, let name = custom.transformer {
            let transformer = try transformers.transformer(named: name)
            let input: (any PropertyValue)? = transformer.inputType == JSONValue.self ? value : value.naturalScalar
            return try store(transformer.convert(input, context: Transformer.Context()))
        }
        try storePlain(value, transformers: transformers)
    }

    /// Stores the output of a transformer.
    ///
    /// The output is a value that the kind accepts, or a scalar that the kind reads as JSON.
    package func storeConverted(_ value: any PropertyValue) throws(ModelError) {
        // The types are compared first, because a failing cast costs more than the rest.
        if description.accepts(type(of: value)) {
            try value._store(self)
        } else if let json = JSONValue(scalar: value) {
            try storePlain(json, transformers: nil)
        } else {
            try store(value)
        }
    }

    /// Reads the slot as a type that fits it.
    package func load(as type: any PropertyValue.Type) -> (any PropertyValue)? { type._loadIfPresent(self) }

    private func storePlain(_ value: JSONValue, transformers: TransformerRegistry?) throws(ModelError) {
        let descriptor = description
        switch (descriptor.kind, value) {
        case (.json, _): try value._store(self)
        case (_, .null): try storeNull()
        case (.array, .array(let values)), (.set, .array(let values)):
            let list = SlotList.make(of: descriptor, capacity: values.count)
            for (index, value) in values.enumerated() {
                do { try list.appendSlot().store(json: value, transformers: transformers) } catch {
                    throw error.under(index: index)
                }
            }
            replace(with: descriptor.kind == .set ? list.removingDuplicates() : list)
        case (.dictionary, .object(let members)):
            let list = SlotDictionary(of: descriptor)
            for (key, value) in members {
                do { try list.slot(forKey: key).store(json: value, transformers: transformers) } catch {
                    throw error.under(key: key)
                }
            }
            replace(with: list as SlotList)
        default:
            guard case .refused(let code, let expected, let note) = try descriptor.traits.read(value, self) else {
                return
            }
            throw ModelError(
                code, descriptor, expected: expected ?? descriptor.expectation,
                found: value.summary + (note.map { ", " + $0 } ?? ""))
        }
    }
}

extension JSONValue {
    /// The Swift value of a scalar, for transformers. Arrays and objects stay JSON.
    package var naturalScalar: (any PropertyValue)? {
        switch self {
        case .null: nil
        case .bool(let value): value
        case .number(let number):
            if let integer = number.int { integer } else { number.double }
        case .string(let text): text
        case .array, .object: self
        }
    }
}
