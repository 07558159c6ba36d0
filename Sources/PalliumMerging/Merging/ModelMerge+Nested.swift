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
        if case .byIdentifier(let key, let removesMissing) = rule {
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
        if model === other { return true }
        guard mergesInPlace(other, into: model) else { return false }
        var modelBase: DynamicModel?
        var isRebase = pair.isRebase
        if let former = pair.base?.slot(at: index) {
            let isSame: Bool
            (modelBase, isSame) = base(of: model, insteadOf: former, other)
            // What both sides hold and nobody tracks came with this merge: your code has not seen it.
            if isSame, modelBase == nil { isRebase = false }
            if !isSame {
                // The program put another model here.
                var state = modelBase
                if state == nil { state = try sourceState(of: model, from: other) }
                unsafe writeBase(TemporarySlot(holding: state ?? other, as: target.descriptor), at: index, of: pair)
            }
        }
        enqueue(other, into: model, path: .at(path(to: index, of: pair)), isRebase: isRebase, base: modelBase)
        return true
    }

    /// Whether a model can become what another one says without becoming something else.
    func mergesInPlace(_ source: DynamicModel, into target: DynamicModel) -> Bool {
        // An instance of an identity map replaces what else has its identity. What came about it is merged into it.
        if unification != nil, source.isUnique { return false }
        guard target.layout.isDescendant(of: source.layout) else { return false }
        guard let identifier = source.modelIdentifier, let other = target.modelIdentifier else { return true }
        return identifier == other
    }

    /// The properties that identify the elements of a source. Instances of an identity map are matched as such, whatever the
    /// policy names: what the document says of them may stand elsewhere in it.
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
