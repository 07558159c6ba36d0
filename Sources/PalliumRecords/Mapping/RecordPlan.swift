import Foundation
import PalliumAdapter
import PalliumCore
import PalliumJSON

/// A layout compiled for records: its entity, and the attribute or relationship of each property.
final class RecordPlan {
    struct Attribute {
        let slot: Int
        let property: ModelLayout.Property
        let key: String
        let transformer: Transformer?
        /// Whether the value is JSON text.
        let isText: Bool
    }

    struct Relationship {
        let slot: Int
        let property: ModelLayout.Property
        let key: String
        /// The attribute of related records with their key, for a dictionary.
        let dictionaryKey: String?
    }

    let layout: ModelLayout
    let entity: String
    private(set) var attributes: [Attribute] = []
    private(set) var relationships: [Relationship] = []
    /// The attributes of the identity, in its order.
    private(set) var identity: [Attribute] = []
    /// The adapter for values that are JSON text, which stand as they do in a store.
    private let texts: JSONAdapter<DynamicModel>?

    /// - Parameter mappings: That of the layout and those of its ancestors, if there are any.
    /// - Throws: ``ModelError`` for a property that records cannot hold, and for two with one key.
    init(_ layout: ModelLayout, _ mappings: [RecordMapping], entity: String) throws(ModelError) {
        self.layout = layout
        self.entity = entity
        var keys: [UTF8Key: String] = [:]
        var hasTexts = false
        for (slot, property) in layout.properties.enumerated() where property.isStored {
            func refusal(_ code: ModelError.Code, expected: String, found: String) -> ModelError {
                ModelError(
                    code, expected: expected, found: found, schema: layout.schema.name, property: property.key
                ).under(key: property.key)
            }
            let key = mappings.lazy.compactMap { $0.keys[property.key] }.first ?? property.key
            if let other = keys.updateValue(property.key, forKey: UTF8Key(key)) {
                throw refusal(
                    .conflict, expected: "properties with different keys in records",
                    found: "\(ModelError.quote(key)) for \(ModelError.quote(other)), too")
            }
            let name = mappings.lazy.compactMap { $0.transformers[property.key] }.first
            guard property.descriptor.holdsModels else {
                let transformer: Transformer? =
                    if let name { try layout.transformers.transformer(named: name) } else { nil }
                let isText = transformer == nil && property.schema.kind.isTextInRecords
                hasTexts = hasTexts || isText
                attributes.append(
                    Attribute(slot: slot, property: property, key: key, transformer: transformer, isText: isText))
                continue
            }
            let isDictionary = property.descriptor.kind == .dictionary
            let dictionaryKey =
                isDictionary ? mappings.lazy.compactMap { $0.dictionaryKeys[property.key] }.first : nil
            if name != nil || property.descriptor.element?.element != nil {
                throw refusal(
                    .notConvertible, expected: "a model, or an array, set or dictionary of models, without transformer",
                    found: name == nil ? "collections of collections" : "the transformer \(name?.description ?? "")")
            }
            if isDictionary, dictionaryKey == nil {
                throw refusal(
                    .notConvertible, expected: "the attribute of the dictionary's keys, in the mapping", found: "none")
            }
            relationships.append(
                Relationship(slot: slot, property: property, key: key, dictionaryKey: dictionaryKey))
        }
        for slot in layout.identitySlots {
            guard let attribute = attributes.first(where: { $0.slot == slot }), !attribute.isText else {
                throw ModelError(
                    .notConvertible, expected: "an identity of attributes by which records can be found",
                    found: "the kind \(layout.properties[slot].schema.kind.name)", schema: layout.schema.name,
                    property: layout.properties[slot].key)
            }
            identity.append(attribute)
        }
        guard hasTexts else {
            texts = nil
            return
        }
        texts = try JSONAdapter(storing: layout, registry: layout.registry).with { $0.writesIncompleteModels = true }
    }

    // MARK: Values of models

    /// Returns the value of an attribute in a model; nil if it has none. Not for JSON text.
    func value(of attribute: Attribute, in model: DynamicModel) throws(ModelError) -> RecordValue? {
        let slot = model.slot(at: attribute.slot)
        do throws(ModelError) {
            var value = slot.naturalValue
            if let transformer = attribute.transformer {
                value = try transformer.convertBack(value, context: context(attribute, .reverse))
            } else {
                switch attribute.property.schema.kind {
                case .enumeration, .duration: value = try slot.naturalJSON().naturalScalar
                default: break
                }
            }
            guard let value else { return nil }
            guard let result = RecordValue(value) else {
                throw ModelError(
                    .notConvertible, expected: "a value that a record can hold",
                    found: "\(ModelError.describe(value)) of the type \(type(of: value))")
            }
            return result
        } catch { throw error.under(attribute.property).inSchema(layout.schema.name, property: attribute.property.key) }
    }

    /// Returns the values by which the record of a model is found.
    ///
    /// - Throws: ``ModelError`` with the key of a value that a transformer makes nil.
    func identityValues(of model: DynamicModel) throws(ModelError) -> [RecordValue] {
        var values: [RecordValue] = []
        for attribute in identity {
            guard let value = try value(of: attribute, in: model) else {
                throw ModelError(
                    .missingProperty, expected: "a value by which a record can be found", found: "none",
                    schema: layout.schema.name, property: attribute.property.key
                ).under(attribute.property)
            }
            values.append(value)
        }
        return values
    }

    /// Returns the values of attributes that are JSON text, by slot.
    func texts(of model: DynamicModel) throws(ModelError) -> [Int: RecordValue] {
        guard let texts else { return [:] }
        // A model that has nothing else, so that no other property is written.
        let part = layout.makeEmptyModel()
        let written = attributes.filter { $0.isText && model.slot(at: $0.slot).hasValue }
        if written.isEmpty { return [:] }
        for attribute in written { part.slot(at: attribute.slot).copyContent(of: model.slot(at: attribute.slot)) }
        let document = try texts.jsonValue(from: part)
        var result: [Int: RecordValue] = [:]
        for attribute in written {
            result[attribute.slot] = (document.objectValue?[StoredFormat.member(of: attribute.property.key)])
                .map { .string($0.description) }
        }
        return result
    }

    /// Stores the value of an attribute in a new model. Nil becomes null where the schema allows it and the caller wants it.
    func store(
        _ value: RecordValue?, _ attribute: Attribute, in model: DynamicModel, storesNull: Bool
    ) throws(ModelError) {
        let slot = model.slot(at: attribute.slot)
        do throws(ModelError) {
            if attribute.isText, let value { return try store(text: value, attribute, in: slot) }
            let converted: (any PropertyValue)? =
                if let transformer = attribute.transformer {
                    try transformer.convert(value?.propertyValue, context: context(attribute, .forward))
                } else { value?.propertyValue }
            if let converted { return try slot.storeConverted(converted) }
            if storesNull, slot.description.isNullable { slot.setNull() }
        } catch { throw error.under(attribute.property).inSchema(layout.schema.name, property: attribute.property.key) }
    }

    private func store(text value: RecordValue, _ attribute: Attribute, in slot: PropertySlot) throws(ModelError) {
        guard let texts, case .string(let text) = value, let json = try? JSONValue(parsing: text) else {
            throw ModelError(
                .invalidValue, slot.description, expected: "JSON text",
                found: ModelError.describe(value.propertyValue))
        }
        var document = JSONObject()
        if layout.parent != nil { document[StoredFormat.schemaMember] = .string(layout.schema.name) }
        let member = StoredFormat.member(of: attribute.property.key)
        document[member] = json
        do throws(ModelError) {
            let part = try texts.partialModel(from: JSONValue.object(document))
            slot.takeContent(of: part.slot(at: attribute.slot))
        } catch {
            throw error.at([], insteadOfFirst: 1)
        }
    }

    private func context(_ attribute: Attribute, _ direction: Transformer.Context.Direction) -> Transformer.Context {
        Transformer.Context(
            direction: direction, schema: layout.schema.name, property: attribute.property.key)
    }
}

extension PropertyKind {
    /// Whether attributes hold the values as JSON text.
    fileprivate var isTextInRecords: Bool {
        switch self {
        case .array, .set, .dictionary, .json, .custom: true
        default: false
        }
    }
}
