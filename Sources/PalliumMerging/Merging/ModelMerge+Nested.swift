import PalliumCore

/// Merges in place below a property: nested models, lists whose models are matched by identifiers, and dictionaries.
///
/// Safety: slots are taken for models where they hold some.
extension ModelMerge {
    /// How a model of the source meets what the target and the base hold in its place.
    enum Encounter {
        /// The target holds it already.
        case same
        /// It is merged into the model of the target, whose edits are told from a base of its own.
        case merged(base: DynamicModel?, isRebase: Bool)
        /// It is merged into a model that a local edit put there. The base of the holder gets another state: the source, or
        /// if that is partial a completed one.
        case replacedByEdit(base: DynamicModel?, state: TemporarySlot?)
        /// A local edit removed the model, and that edit survives. The base of the holder gets another state, as above.
        case removedByEdit(state: TemporarySlot?)
        /// It becomes part of the target.
        case new
    }

    /// Tells how a model of the source meets the others.
    ///
    /// - Parameters:
    ///   - own: The model of the target in its place.
    ///   - former: The slot of the base for it; nil if the base has none.
    ///   - hasBase: Whether the holder has a base.
    /// - Throws: ``ModelError`` when a state for the base cannot be made.
    mutating func encounter(
        _ source: PropertySlot, own: DynamicModel?, former: PropertySlot?, hasBase: Bool, at index: Int,
        of pair: Pair
    ) throws(ModelError) -> Encounter {
        if options.sourceKind == .document {
            // Only a model whose former and later states the document has is changed in place.
            guard let own, let former, former.hasValue, mergesInPlace(former.model, into: own),
                mergesInPlace(source.model, into: own)
            else { return .new }
            return .merged(base: former.model, isRebase: true)
        }
        guard let own else {
            guard let former, former.hasValue else { return .new }
            return .removedByEdit(state: try whole(source, insteadOf: former, at: index, of: pair))
        }
        let other = source.model
        if own === other, !hasBase { return .same }
        guard own === other || mergesInPlace(other, into: own) else {
            // A local edit put another model in the place of the one that the source is about.
            guard let former, former.hasValue, mergesInPlace(other, into: former.model) else { return .new }
            return .removedByEdit(state: try whole(source, insteadOf: former, at: index, of: pair))
        }
        guard hasBase else { return .merged(base: nil, isRebase: pair.isRebase) }
        let (base, isSame) = former.map { self.base(of: own, insteadOf: $0, other) } ?? (nil, false)
        // If the target and its base hold this model, and it has no base, it came with this merge, and nothing was edited.
        if isSame { return .merged(base: base, isRebase: base != nil) }
        var state = base
        if state == nil { state = try sourceState(of: own, from: other, at: index, of: pair) }
        return .replacedByEdit(
            base: base, state: state.map { TemporarySlot(holding: $0, like: source) })
    }

    /// Merges below the property instead of replacing it. False when it is to be replaced after all.
    mutating func mergeInPlace(
        _ index: Int, of pair: Pair, _ rule: MergeRule, target: PropertySlot, source: PropertySlot
    ) throws(ModelError) -> Bool {
        guard source.hasValue else { return false }
        if target.description.kind == .dictionary {
            return try mergeEntries(index, of: pair, rule, target, source)
        }
        let base = pair.base?.slot(at: index)
        switch (rule, options.sourceKind) {
        case (.byIdentifier, .document) where !target.hasValue || !(base?.hasValue ?? false): return false
        case (.byIdentifier(let key, let removesMissing, let requiresIdentifiers), .values),
            (.byIdentifier(let key, let removesMissing, let requiresIdentifiers), .document):
            let slots = identifierSlots(of: source.list, target.description, key: key)
            if keepsElements(pair, removesMissing: removesMissing),
                try mergeRepeatedElements(index, of: pair, target, source, slots: slots, requiresIdentifiers)
            {
                return true
            }
            try mergeElements(
                index, of: pair, target, source, slots: slots, removesMissing: removesMissing, requiresIdentifiers)
            return true
        case (.recurse, .values): break
        case (.recurse, .document): if !(base?.hasValue ?? false) { return false }
        // The state of a row replaces what was not edited.
        case (.recurse, .row): if !isEdited(target, since: base) { return false }
        default: return false
        }
        guard target.hasValue else { return false }
        let path = path(to: index, of: pair)
        switch try encounter(source, own: target.model, former: base, hasBase: base != nil, at: index, of: pair) {
        case .same: break
        case .merged(let base, let isRebase): enqueue(source.model, into: target.model, .at(path), isRebase, base)
        case .replacedByEdit(let base, let state):
            writeBase(state ?? TemporarySlot(copying: source), at: index, of: pair)
            enqueue(source.model, into: target.model, .at(path), pair.isRebase, base)
        case .removedByEdit, .new: return false
        }
        return true
    }

    /// Queues a pair of models inside.
    mutating func enqueue(
        _ source: DynamicModel, into target: DynamicModel, _ path: GraphPaths.Path, _ isRebase: Bool,
        _ base: DynamicModel?
    ) {
        enqueue(Pair(target: target, source: source, path: path, isRebase: isRebase, base: base))
    }

    /// Whether a model is merged into another one and does not replace it.
    func mergesInPlace(_ source: DynamicModel, into target: DynamicModel) -> Bool {
        if case .document = options.sourceKind { return ModelDifference.areStates(target, source) }
        // An instance replaces other models of its identity. The values of the document are merged into the instance
        // separately.
        if unification != nil, source.isUnique { return false }
        guard target.layout.isDescendant(of: source.layout) else { return false }
        // An object that says its class is not of a descendant.
        if source.layoutIdentifier != target.layoutIdentifier, options.specified.contains(ObjectIdentifier(source)) {
            return false
        }
        guard let identifier = source.modelIdentifier, let other = target.modelIdentifier else { return true }
        return identifier == other
    }

    /// The properties that identify the elements of a source. Instances of an identity map are matched by their identity,
    /// whatever the policy names: the values of the policy's property may stand elsewhere in the document.
    private func identifierSlots(of list: SlotList, _ descriptor: ValueDescriptor, key: String?) -> [Int] {
        let areInstances =
            unification != nil && key != nil && list.count > 0
            && (0..<list.count).allSatisfy { list.slot(at: $0).hasValue && list.slot(at: $0).model.isUnique }
        return areInstances ? descriptor.element?.model?.identitySlots ?? [] : descriptor.identifierSlots
    }
}
