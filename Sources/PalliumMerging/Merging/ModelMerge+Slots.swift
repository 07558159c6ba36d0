import PalliumAdapter
import PalliumCore
import PalliumJSON

/// The slots of one pair: most are unchanged, many plainly taken, and policies decide about the others.
extension ModelMerge {
    mutating func mergeSlots(of pair: Pair) throws(ModelError) {
        takePreservedMembers(of: pair)
        before = nil
        guard case .values = options.sourceKind else { return try mergeAllSlots(of: pair) }
        let (target, source) = (pair.target, pair.source)
        let layout = target.layout
        let (targetSlots, sourceSlots) = (target.modelSlots, source.modelSlots)
        let isSame = targetSlots.layout == sourceSlots.layout
        let isPlain = isSame && !pair.isRebase
        let hasPolicies = layout.hasMergePolicies
        // An identity map finds the models of stubs.
        let takesStubs = layout.holdsIdentities && unification == nil
        for index in 0..<targetSlots.count {
            var other = index
            if !isSame {
                guard let found = source.layout.index(of: layout.properties[index].key) else { continue }
                other = found
            }
            let state = sourceSlots.state(of: other)
            // What was not given changes nothing.
            if state.isAbsent { continue }
            let kind = targetSlots.kind(of: index)
            let isScalar = state.hasValue && !kind.mayHoldModels && kind != .weakModel
            let targetState = targetSlots.state(of: index)
            if isPlain, targetState.isSame(as: state, kind),
                !hasPolicies || layout.mergeRules[index].skipsEqual(isScalar: isScalar)
            {
                if isPlainlyUnchanged(targetSlots.content(of: index), sourceSlots.content(of: index), kind) { continue }
                if kind.mayHoldModels, isEqual(target.slot(at: index), source.slot(at: index)) { continue }
            }
            let slot = source.slot(at: other)
            do throws(ModelError) {
                if isPlain, !hasPolicies, isScalar {
                    try write(slot, at: index, of: pair, ModelDifference.Note(decision: .taken))
                } else if takesStubs {
                    try mergeStubs(index, of: pair, slot)
                } else {
                    try mergeSlot(index, of: pair, slot)
                }
            } catch {
                throw located(error, at: index, of: pair)
            }
        }
    }

    /// Merges a source that is the whole state of a model: what it lacks is no longer there.
    private mutating func mergeAllSlots(of pair: Pair) throws(ModelError) {
        let layout = pair.target.layout
        for (index, property) in layout.properties.enumerated() {
            if case .row = options.sourceKind, !property.isStored { continue }
            do throws(ModelError) { try mergeSlot(index, of: pair, pair.source.slot(at: index)) } catch {
                throw located(error, at: index, of: pair)
            }
        }
    }

    /// Takes over the members that no property maps.
    private mutating func takePreservedMembers(of pair: Pair) {
        let (target, source) = (pair.target, pair.source)
        var members = source.unknownMembers
        switch options.sourceKind {
        case .values:
            guard let given = members, !given.isEmpty else { return }
            var all = target.unknownMembers ?? JSONObject()
            for (name, value) in given { all.updateValue(value, forKey: name) }
            members = all
        case .row: break
        case .document: if pair.base?.unknownMembers == members { return }
        }
        if target.unknownMembers == members { return }
        transaction.openRecord().add(target)
        target.unknownMembers = members
    }

    /// Whether the target holds what the source says. In an import, it must also lead to the very same instances, and a
    /// row keeps null and unset apart.
    func isEqual(_ target: PropertySlot, _ source: PropertySlot) -> Bool {
        ModelComparison.equal(target, source, including: .right, isStrict: unification != nil)
    }

    /// Whether both slots of one state and kind hold equal bytes or the same reference, which most slots do.
    @inline(__always)
    private func isPlainlyUnchanged(_ target: SlotContent?, _ source: SlotContent?, _ kind: SlotKind) -> Bool {
        // Weak references of earlier occurrences may wait.
        if kind == .weakModel { return source == nil && references.isEmpty }
        guard let source, let target else { return true }
        return kind.mayHoldModels ? target.isIdentical(to: source) : target.isEqual(to: source)
    }

    /// Whether a source holds plainly what the target holds, so that their pair would do nothing.
    func isPlainlyUnchanged(_ source: DynamicModel, in target: DynamicModel) -> Bool {
        let (targetSlots, sourceSlots) = (target.modelSlots, source.modelSlots)
        guard targetSlots.layout == sourceSlots.layout, !target.layout.hasMergePolicies, source.unknownMembers == nil,
            unification == nil
        else { return false }
        for index in 0..<targetSlots.count {
            let state = sourceSlots.state(of: index)
            if state.isAbsent { continue }
            let kind = targetSlots.kind(of: index)
            guard targetSlots.state(of: index).isSame(as: state, kind),
                isPlainlyUnchanged(targetSlots.content(of: index), sourceSlots.content(of: index), kind)
            else { return false }
        }
        return true
    }

    // MARK: Writing

    /// Gives a slot of the target other content.
    mutating func write(
        _ content: PropertySlot, at index: Int, of pair: Pair, _ note: ModelDifference.Note
    ) throws(ModelError) {
        let target = pair.target
        let layout = target.layout
        if target.isUnique, layout.identitySlots.contains(index),
            ModelDifference.differ(target.slot(at: index), content, leftSide: .present)
        {
            throw ModelError(
                .invalidValue, layout.properties[index].descriptor,
                expected:
                    "the identity of a model in an identity map to stay \(ModelDescription.line(target.slot(at: index)))",
                found: ModelDescription.line(content))
        }
        if before == nil, layout.decidesByOtherProperties { before = target.copySlots(in: DynamicModel.self) }
        transaction.write(
            content, at: index, of: target, note, shadow: before, path: paths.number(of: pair.path),
            isReported: !(unification?.isNew(target) ?? false))
    }
}

extension SlotState {
    /// Whether a source with this state says nothing.
    @inline(__always)
    var isAbsent: Bool { isUnset || isDefaulted }
}
