import PalliumCore

/// Merges in place below a property: nested models, and lists whose models are matched by identity.
///
/// Safety: slots are taken for models where they hold some.
extension ModelMerge {
    /// Merges below the property instead of replacing it. False when it is to be replaced after all.
    mutating func mergeInPlace(
        _ index: Int, of pair: Pair, _ rule: MergeRule, target: PropertySlot, source: PropertySlot
    ) throws(ModelError) -> Bool {
        guard rule.mergesInPlace, source.hasValue else { return false }
        if case .byIdentifier(let key, let removesMissing, _) = rule {
            let slots = identifierSlots(of: source.list, target.description, key: key)
            if keepsElements(pair, removesMissing: removesMissing),
                try mergeRepeatedElements(index, of: pair, target, source, slots: slots)
            {
                return true
            }
            try mergeElements(index, of: pair, target, source, slots: slots, removesMissing: removesMissing)
            return true
        }
        guard target.hasValue else { return false }
        let (model, other) = (target.model, source.model)
        guard mergesInPlace(other, into: model) else { return false }
        var modelBase: DynamicModel?
        var isRebase = pair.isRebase
        if let former = pair.base?.slot(at: index) {
            let isSame: Bool
            (modelBase, isSame) = base(of: model, insteadOf: former, other)
            // The target and its base hold this model, and it has no base: it came with this merge. There are no local
            // edits.
            if isSame, modelBase == nil { isRebase = false }
            if !isSame {
                // A local edit put another model here.
                var state = modelBase
                if state == nil { state = try sourceState(of: model, from: other) }
                unsafe writeBase(TemporarySlot(holding: state ?? other, as: target.descriptor), at: index, of: pair)
            }
        }
        enqueue(other, into: model, path: .at(path(to: index, of: pair)), isRebase: isRebase, base: modelBase)
        return true
    }

    /// Whether a model is merged into another one and does not replace it.
    func mergesInPlace(_ source: DynamicModel, into target: DynamicModel) -> Bool {
        // An instance replaces other models of its identity. The values of the document are merged into the instance
        // separately.
        if unification != nil, source.isUnique { return false }
        guard target.layout.isDescendant(of: source.layout) else { return false }
        guard let identifier = source.modelIdentifier, let other = target.modelIdentifier else { return true }
        return identifier == other
    }

    /// The properties that identify the elements of a source. Instances of an identity map are matched by their identity,
    /// whatever the policy names: the values of the policy's property may stand elsewhere in the document.
    private func identifierSlots(of list: SlotList, _ descriptor: ValueDescriptor, key: String?) -> [Int] {
        let areInstances =
            unification != nil && key != nil && list.count > 0
            && (0..<list.count).allSatisfy { list.slot(at: $0).hasValue && list.slot(at: $0).model.isUnique }
        return Self.identifierSlots(descriptor, key: areInstances ? nil : key)
    }

    /// The properties that identify the models of a collection: the one that its policy names, or those of their schema.
    static func identifierSlots(_ descriptor: ValueDescriptor, key: String?) -> [Int] {
        guard let model = descriptor.element?.model else { return [] }
        return key.flatMap { model.index(of: $0) }.map { [$0] } ?? model.identitySlots
    }
}
