import Foundation
import PalliumCore
import PalliumJSON

/// Default values of code as they stand in a document: the reverse of how a registry reads them.
///
///     value ──▶ slot of the kind ──▶ natural JSON, back through the transformers ──▶ the same slot again?
struct DefaultValueText {
    let schema: String
    let key: String
    let transformers: TransformerRegistry

    /// The value as JSON.
    ///
    /// - Throws: ``ModelError`` when the value does not fit the property, a transformer has no reverse, or JSON would not
    ///   give the same value back.
    func json(_ value: any PropertyValue, for property: PropertySchema) throws(ModelError) -> JSONValue {
        try withSlot(for: property) { slot throws(ModelError) in
            guard slot.description.accepts(type(of: value)) else {
                throw ModelError(
                    .typeMismatch, expected: slot.description.expectation,
                    found: "a value of the type \(type(of: value))")
            }
            try value._store(slot)
            let json = try json(of: slot)
            let copy = unsafe TemporarySlot(descriptor: slot.descriptor)
            try copy.slot.store(json: json, transformers: transformers)
            guard ModelComparison.equal(slot, copy.slot) else {
                throw ModelError(.notConvertible, expected: "a value that JSON can hold", found: json.summary)
            }
            return json
        }
    }

    /// Lends a slot, whose description must outlive everything in it.
    private func withSlot(
        for property: PropertySchema, _ body: (PropertySlot) throws(ModelError) -> JSONValue
    ) throws(ModelError) -> JSONValue {
        let descriptor = ValueDescriptor(
            schema: schema, key: key, path: "\(schema).\(key)", property: property, isElement: false)
        return try withExtendedLifetime(descriptor) { () throws(ModelError) in
            let temporary = unsafe TemporarySlot(descriptor: descriptor.reference)
            return try withExtendedLifetime(temporary) { () throws(ModelError) in try body(temporary.slot) }
        }
    }

    private func json(of slot: PropertySlot) throws(ModelError) -> JSONValue {
        let property = slot.description.property
        guard slot.hasValue else { return .null }
        var names = property.transformers
        if names.isEmpty {
            guard case .custom(let custom) = property.kind else { return try naturalJSON(of: slot) }
            names = [custom.transformer]
        }
        var value: (any PropertyValue)? = slot.description.naturalType._loadIfPresent(slot)
        for name in names.reversed() {
            value = try transformers.transformer(named: name).convertBack(
                value, context: TransformerContext(direction: .reverse, schema: schema, property: key))
        }
        guard let value else { return .null }
        if let scalar = Transformer.pass(value, as: JSONValue.self) { return scalar }
        guard let kind = type(of: value)._naturalKind else {
            throw ModelError(
                .notConvertible, expected: "a value that JSON has", found: "a value of the type \(type(of: value))")
        }
        return try withSlot(for: PropertySchema(kind)) { slot throws(ModelError) in
            try value._store(slot)
            return try naturalJSON(of: slot)
        }
    }

    private func naturalJSON(of slot: PropertySlot) throws(ModelError) -> JSONValue {
        switch slot.description.property.kind {
        case .bool: return .bool(Bool._load(slot))
        case .integer: return .number(JSONNumber(slot.load(Int64.self)))
        case .unsigned: return .number(JSONNumber(slot.load(UInt64.self)))
        case .double, .float: return try number(JSONNumber(slot.load(Double.self)), slot)
        case .decimal: return try number(DecimalText.write(Decimal._load(slot)).flatMap { JSONNumber(text: $0) }, slot)
        case .string: return .string(String._load(slot))
        case .date:
            // `write` puts down at most this many bytes and says how many, or nothing.
            let text = unsafe String(unsafeUninitializedCapacity: ISO8601Text.maximumWrittenByteCount) { buffer in
                unsafe buffer.baseAddress.flatMap { unsafe ISO8601Text.write(slot.load(Double.self), into: $0) } ?? 0
            }
            if text.isEmpty { throw unwritable(slot) }
            return .string(text)
        case .url: return .string(URL._load(slot).absoluteString)
        case .uuid: return .string(UUID._load(slot).uuidString)
        case .data: return .string(Base64Text.encode(Data._load(slot)))
        case .enumeration:
            switch slot.enumerationRawValue {
            case .text(let text): return .string(text)
            case .number(let number): return .number(JSONNumber(number))
            }
        case .array, .set:
            let list = unsafe SlotOperations.box(SlotList.self, slot.pointer)
            var elements: [JSONValue] = []
            for index in 0..<list.count { elements.append(try json(of: list.slot(at: index))) }
            return .array(elements)
        case .dictionary:
            let list = unsafe SlotOperations.box(SlotDictionary.self, slot.pointer)
            var members = JSONObject()
            for index in 0..<list.count { members[list.keys[index]] = try json(of: list.slot(at: index)) }
            return .object(members)
        case .json: return JSONValue._load(slot)
        case .model, .custom: throw unwritable(slot)
        }
    }

    private func number(_ number: JSONNumber?, _ slot: PropertySlot) throws(ModelError) -> JSONValue {
        guard let number else { throw unwritable(slot) }
        return .number(number)
    }

    private func unwritable(_ slot: PropertySlot) -> ModelError {
        ModelError(.notConvertible, expected: "a value that JSON can hold", found: slot.description.expectation)
    }
}
