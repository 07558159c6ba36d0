import Foundation
import PalliumCore
import PalliumJSON

/// Stores upgraded values into slots.
///
/// Safety: a list refers to the descriptor of its elements, which lives as long as the model.
extension GraphReader {
    /// Runs the steps of a stored model and stores its values in an object whose slots are unset. Problems that do not
    /// end reading are recorded.
    ///
    /// - Parameters:
    ///   - changed: The keys of values that were stored as another kind than they have now.
    ///   - defaults: The slots that get their default if no value is stored.
    mutating func store(
        _ stored: FormerModel, in model: DynamicModel, _ number: Int, _ upgrade: UpgradePlan?,
        changed: Set<UTF8Key>, defaults: [Int]
    ) throws(ModelError) {
        var values = stored
        // The slots whose values do not fit.
        var unread: Set<Int> = []
        do throws(ModelError) {
            try upgrade?.apply(to: &values)
            for key in values.keys {
                // A key that is no property any more is left out.
                guard let index = model.layout.index(of: key), let entry = values.entry(forKey: key),
                    model.layout.properties[index].schema.archiving != .excluded || upgrade?.hasHook(key) == true
                else { continue }
                do throws(ModelError) { try store(entry, in: model, number, index) } catch {
                    var error = error.under(model.layout.properties[index], entry)
                    let isMisfit = error.category == .unexpectedData || error.category == .misuse
                    if changed.contains(UTF8Key(key)), isMisfit, error.code != .unknownModel {
                        error = error.orExpecting("an upgrade from version \(stored.version) that makes one")
                    }
                    guard problems.isReporting, !model.layout.properties[index].schema.isRequired else { throw error }
                    problems.record(error.at(["objects", "\(number)"]).located())
                    removeValue(index, of: model)
                    unread.insert(index)
                }
            }
            giveDefaults(unread.isEmpty ? defaults : defaults.filter { !unread.contains($0) }, to: model)
            for index in model.layout.requiredSlots
            where model.slot(at: index).isMissing && !model.isAllowedStub {
                guard problems.options.validation != .enforce else {
                    throw missing(index, in: model, values)
                }
                if problems.options.validation == .report {
                    problems.record(missing(index, in: model, values).at(["objects", "\(number)"]).located())
                }
            }
        } catch { try fail(number, error) }
    }

    private func missing(_ index: Int, in model: DynamicModel, _ values: FormerModel) -> ModelError {
        let property = model.layout.properties[index]
        guard case .null? = values[property.key] else { return model.missing(property).under(key: property.key) }
        return ModelError(
            .nullNotAllowed, property.descriptor, expected: property.descriptor.expectation, found: "null"
        ).under(key: property.key)
    }

    /// Stores the value of a property.
    private mutating func store(
        _ entry: FormerModel.Entry, in model: DynamicModel, _ number: Int, _ index: Int
    ) throws(ModelError) {
        let property = model.layout.properties[index]
        let slot = model.slot(at: index)
        if case .null = entry.value {
            // Null selects the default of a property that is never null, or means no value; a required value is missing.
            guard slot.description.isNullable else { return }
        } else if property.schema.archiving == .conditional {
            waiting.append((number, index, entry))
            if slot.description.isNullable { slot.setNull() }
            return
        }
        try storeNow(entry, in: model, number, index)
    }

    /// Stores a value in an unset slot and records the elements that were left out.
    private mutating func storeNow(
        _ entry: FormerModel.Entry, in model: DynamicModel, _ number: Int, _ index: Int
    ) throws(ModelError) {
        let slot = model.slot(at: index)
        defer { skippedElements = [] }
        try store(entry.value, in: slot, model.layout.transformers)
        for error in skippedElements {
            problems.record(error.under(model.layout.properties[index], entry).at(["objects", "\(number)"]).located())
        }
        if entry.isDefaulted, slot.hasValue { slot.slotState = slot.slotState.asDefaulted }
    }

    /// Records a model that is left out, or throws the error if models cannot be left out.
    mutating func fail(_ number: Int, _ error: ModelError) throws(ModelError) {
        let error = error.isLocated ? error : error.at(["objects", "\(number)"]).located()
        guard problems.dropsModels, error.category != .malformedInput else { throw error }
        problems.fail(number, error)
    }

    /// Stores waiting conditional values, if something else holds every model in them.
    mutating func storeWaitingValues() throws(ModelError) {
        for (number, index, entry) in waiting {
            guard problems.failed[number] == nil, let model = requestedObject(number), isReached(entry.value) else {
                continue
            }
            model.slot(at: index).clear()
            do throws(ModelError) { try storeNow(entry, in: model, number, index) } catch {
                let error = error.under(model.layout.properties[index], entry)
                guard problems.isReporting else {
                    try fail(number, error)
                    continue
                }
                // No conditional property is required.
                problems.record(error.at(["objects", "\(number)"]).located())
                removeValue(index, of: model)
            }
        }
        waiting = []
    }

    /// Whether something else holds every model in the value. Recursion is bounded by the nesting of kinds.
    private func isReached(_ value: FormerModel.Value) -> Bool {
        switch value {
        case .model(let reference):
            if let made = reference.made { return self.made.object(of: made) != nil }
            return (0..<count).contains(reference.number) && requestedObject(reference.number) != nil
        case .array(let elements): return elements.allSatisfy { isReached($0) }
        case .dictionary(let entries): return entries.allSatisfy { isReached($0.value) }
        default: return true
        }
    }

    /// Returns the object of a reference, for a slot.
    private mutating func model(
        _ reference: FormerModel.Reference, for descriptor: ValueDescriptor
    ) throws(ModelError) -> DynamicModel {
        if let made = reference.made { return try model(made, for: descriptor) }
        // The numbers of this archive were checked when its records were read.
        guard reference.leads(to: stored) else {
            throw ModelError(
                .upgradeFailed, descriptor, expected: "a model of this archive", found: "one of another")
        }
        guard let model = descriptor.model, let layout = plan(of: reference.number).layout,
            layout.isDescendant(of: model)
        else { throw wrongModel(reference.number, descriptor) }
        return try object(reference.number).object
    }

    private mutating func model(
        _ made: MadeModel, for descriptor: ValueDescriptor
    ) throws(ModelError) -> DynamicModel {
        let existing = self.made.object(of: made)
        let plan = existing == nil ? try self.made.plan(for: made.model) : nil
        guard let layout = existing?.layout ?? plan?.layout, let model = descriptor.model,
            layout.isDescendant(of: model)
        else {
            throw Self.wrongModel(existing?.layout ?? plan?.layout, descriptor)
        }
        if let existing { return existing }
        try takeRoom(for: layout)
        return self.made.add(made, layout, plan?.upgrade)
    }

    /// Fills a model that a step made.
    mutating func fillMade(_ next: MadeObjects.Next) throws(ModelError) {
        try store(
            next.values, in: next.model, count + next.number, next.upgrade, changed: [],
            defaults: next.model.layout.defaultedSlots)
    }

    /// Stores a value in an unset slot, if it has the slot's kind. Numbers of another kind are accepted if they convert
    /// exactly; everything else needs a transformer. Recursion is bounded by the nesting of kinds.
    private mutating func store(
        _ value: FormerModel.Value, in slot: PropertySlot, _ transformers: TransformerRegistry
    ) throws(ModelError) {
        let descriptor = slot.description
        switch (descriptor.kind, value) {
        case (_, .null): try slot.storeNull()
        case (.url, .url(let text)):
            guard let url = URLText.strict(text) else { throw mismatch(value: ModelError.quote(text), slot) }
            try url._store(slot)
        case (.enumeration, .enumeration(let raw)): try slot.storeEnumeration(raw)
        case (.enumeration, .string(let text)): try slot.storeEnumeration(.text(text))
        case (.enumeration, .integer(let number)): try slot.storeEnumeration(.number(number))
        case (.model, .model(let reference)), (.weakModel, .model(let reference)):
            try model(reference, for: descriptor)._store(slot)
        case (.array, .array(let elements)), (.set, .array(let elements)):
            let list = SlotList.make(of: descriptor, capacity: elements.count)
            for (index, element) in elements.enumerated() {
                let isKept = try storeElement(element, in: list.appendSlot(), key: "\(index)", transformers)
                if !isKept { list.removeLast() }
            }
            // Models can be compared only when all of them are filled.
            let isSet = descriptor.kind == .set && !descriptor.holdsModels
            slot.replace(with: isSet ? list.removingDuplicates() : list)
        case (.dictionary, .dictionary(let entries)):
            let list = SlotDictionary(of: descriptor)
            var hasGaps = false
            for entry in entries {
                if list.index(of: entry.key) != nil { throw .repeatedKey(entry.key) }
                let target = list.slot(forKey: entry.key)
                if !(try storeElement(entry.value, in: target, key: entry.key, transformers)) {
                    target.clear()
                    hasGaps = true
                }
            }
            if hasGaps { list.removeUnsetElements() }
            slot.replace(with: list as SlotList)
        case (.custom, _): try CustomValue.store(try value.json, in: slot, transformers)
        case (.json, _): try value.json._store(slot)
        // A default of a step, or what a transformer gave: read as a schema document's default is.
        case (_, .json(let json)): try slot.store(json: json, transformers: nil)
        case (_, .string) where descriptor.traits.text != nil:
            try slot.store(json: try value.json, transformers: nil)
        default:
            guard let scalar = value.scalar, descriptor.accepts(type(of: scalar)) else {
                throw mismatch(value: value.summary, slot)
            }
            try scalar._store(slot)
        }
    }

    /// Stores an element of a collection.
    ///
    /// - Returns: Whether it could be stored; false only if elements may be left out.
    private mutating func storeElement(
        _ value: FormerModel.Value, in slot: PropertySlot, key: String, _ transformers: TransformerRegistry
    ) throws(ModelError) -> Bool {
        let before = skippedElements.count
        defer {
            // Recursion is bounded by the nesting of kinds.
            for number in before..<skippedElements.count {
                skippedElements[number] = skippedElements[number].under(key: key)
            }
        }
        do throws(ModelError) { try store(value, in: slot, transformers) } catch {
            guard problems.dropsElements, error.category != .malformedInput else { throw error.under(key: key) }
            if problems.isReporting, skippedElements.count <= problems.options.maximumProblems {
                skippedElements.append(error)
            }
            return false
        }
        return true
    }

    private func mismatch(value: String, _ slot: PropertySlot) -> ModelError {
        let descriptor = slot.description
        return ModelError(.typeMismatch, descriptor, expected: descriptor.expectation, found: value)
    }
}

extension ModelError {
    /// Returns the error under a property whose value has a label of its own or came from a property with one.
    fileprivate func under(_ property: ModelLayout.Property, _ entry: FormerModel.Entry) -> ModelError {
        under(property: property.key, isSensitive: property.schema.isSensitive || entry.isSensitive)
    }
}
