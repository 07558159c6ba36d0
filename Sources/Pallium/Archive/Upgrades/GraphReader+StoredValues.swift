import Foundation
import PalliumCore
import PalliumJSON

/// From stored values to slots: the way of everything that was upgraded.
///
/// Safety: a list refers to the description of its elements, which lives as long as the model.
extension GraphReader {
    /// Stores the values of a model whose slots are unset.
    func store(_ stored: StoredModel, in model: DynamicModel, _ upgrade: UpgradePlan) throws(ModelError) {
        let layout = model.layout
        for key in stored.keys {
            guard let index = layout.index(of: key), let value = stored[key],
                layout.properties[index].schema.archiving != .excluded || upgrade.hasHook(key)
            else { continue }
            let slot = model.slot(at: index)
            // Null gives the default where there is one that is never null, as in JSON.
            if case .null = value, !slot.description.isNullable, !layout.properties[index].schema.isRequired {
                continue
            }
            do throws(ModelError) { try store(value, in: slot, layout.transformers) } catch {
                throw error.under(key: key)
            }
            if stored.isDefaulted(key), slot.hasValue { slot.slotState = slot.slotState.asDefaulted }
        }
    }

    /// Stores a value in an unset slot, if it is one of the slot's kind. Numbers may have been of another kind, as far as
    /// they are exact in this one; anything else is for a transformer to decide. Recursion is bounded by the nesting of kinds.
    func store(
        _ value: StoredValue, in slot: PropertySlot, _ transformers: TransformerRegistry
    ) throws(ModelError) {
        let descriptor = slot.description
        switch (descriptor.kind, value) {
        case (_, .null): try slot.storeNull()
        case (.bool, .bool(let value)): try value._store(slot)
        case (.integer, _), (.unsigned, _), (.double, _), (.decimal, _):
            switch value {
            case .integer(let number): try number._store(slot)
            case .unsigned(let number): try number._store(slot)
            case .double(let number): try number._store(slot)
            case .decimal(let number): try number._store(slot)
            case .enumeration(.number(let number)): try number._store(slot)
            // A default of a step, or what a transformer gave: read as a schema document's default is.
            case .json(let json): try slot.store(json: json, transformers: nil)
            default: throw mismatch(value: value.summary, slot)
            }
        case (.string, .string(let text)): try text._store(slot)
        case (.date, .date(let date)): try date._store(slot)
        case (.url, .url(let text)):
            guard let url = URLText.archived(text) else { throw mismatch(value: ModelError.quote(text), slot) }
            try url._store(slot)
        case (.uuid, .uuid(let uuid)): try uuid._store(slot)
        case (.data, .data(let data)): try data._store(slot)
        case (.enumeration, .enumeration(let raw)): try slot.storeEnumeration(raw)
        case (.enumeration, .string(let text)): try slot.storeEnumeration(.text(text))
        case (.enumeration, .integer(let number)): try slot.storeEnumeration(.number(number))
        case (.string, .enumeration(.text(let text))): try text._store(slot)
        case (.model, .model(let reference)): try model(reference, for: descriptor)._store(slot)
        case (.weakModel, .model(let reference)): try model(reference, for: descriptor)._store(slot)
        case (.array, .array(let elements)), (.set, .array(let elements)):
            let list = unsafe SlotList(element: descriptor.elementReference)
            list.reserve(elements.count)
            for (index, element) in elements.enumerated() {
                do throws(ModelError) { try store(element, in: list.appendSlot(), transformers) } catch {
                    throw error.under(index: index)
                }
            }
            // Sets of models are compared when all models are filled.
            let isSet = descriptor.kind == .set && descriptor.element?.model == nil
            slot.replace(with: isSet ? list.removingDuplicates() : list)
        case (.dictionary, .dictionary(let entries)):
            let list = unsafe SlotDictionary(element: descriptor.elementReference)
            for entry in entries {
                do throws(ModelError) { try store(entry.value, in: list.slot(forKey: entry.key), transformers) } catch {
                    throw error.under(key: entry.key)
                }
            }
            slot.replace(with: list as SlotList)
        case (.custom, _): try CustomValue.store(try value.json, in: slot, transformers)
        case (.json, _): try value.json._store(slot)
        // A default of a step, or what a transformer gave: read as a schema document's default is.
        case (_, .json(let json)): try slot.store(json: json, transformers: nil)
        case (.date, .string), (.url, .string), (.uuid, .string), (.data, .string):
            try slot.store(json: try value.json, transformers: nil)
        default: throw mismatch(value: "\(value.summary)", slot)
        }
    }

    private func mismatch(value: String, _ slot: PropertySlot) -> ModelError {
        let descriptor = slot.description
        return ModelError(.typeMismatch, descriptor, expected: descriptor.expectation, found: value)
    }
}
