import PalliumCore
import PalliumJSON

/// What becomes of one property: the three-way rule, and the policies that decide where it leaves a choice.
///
/// ```
///   base ── source   the same        another value
///     │              ─────────────   ──────────────────────────────
///   not edited       nothing         the source is taken
///   edited           the edit stays  a conflict: the policy decides
/// ```
/// Without a base, the policy decides about each value.
///
/// Safety: temporary slots refer to descriptions that live as long as the models of the pair; values are compared as the
/// kind that both slots have.
extension ModelMerge {
    /// The outcome for one slot.
    enum Resolution {
        case take, keep
        /// A value made of both; nil if nothing is left to do.
        case combine(TemporarySlot?)
    }

    /// Merges one property of a pair. A weak reference waits until it is redirected to a model of the target's graph.
    mutating func mergeSlot(
        _ index: Int, of pair: Pair, _ source: PropertySlot, isRedirected: Bool = false
    ) throws(ModelError) {
        let target = pair.target.slot(at: index)
        let rule = pair.target.layout.mergeRules[index]
        if source.slotState.isNull, saysNothing(rule, index, of: pair) { return }
        var converted = standard(for: source, rule, index, of: pair)
        if converted == nil { converted = try self.converted(source, for: target) }
        if target.description.kind == .weakModel, !isRedirected {
            references.append(
                converted ?? TemporarySlot(copying: source), at: index, of: pair,
                before: pair.target.layout.decidesByOtherProperties
                    ? before ?? pair.target.copySlots(in: DynamicModel.self) : nil)
            return
        }
        var source = converted?.slot ?? source
        let base = pair.base?.slot(at: index)
        if isWhole, let base, !differs(base, source, .baseOfOthers) { return }
        if try mergeInPlace(index, of: pair, rule, target: target, source: source) { return }
        // Not merged in place, so a local edit may have removed the model. A partial source is then completed from the
        // base.
        let completed =
            rule.mergesInPlace && target.description.kind == .model
            ? try base.flatMap { base throws(ModelError) in try whole(source, insteadOf: base, at: index, of: pair) }
            : nil
        if let completed { source = completed.slot }
        defer { withExtendedLifetime((converted, completed)) {} }
        guard pair.isRebase else {
            let resolution = try resolve(index, of: pair, rule, target, source, nil)
            return try apply(resolution, to: index, of: pair, target, source, isConflict: false)
        }

        let isEdited = isEdited(target, since: base)
        if let base, !differs(base, source, .baseOfOthers) {
            // Null compares equal to unset, and a value that says the default to a default that nobody set. Both must be
            // recorded.
            if source.saysMore(than: base) {
                if let content = try baseContent(of: source, at: index, of: pair, rule) {
                    writeBase(content, at: index, of: pair)
                }
                if source.saysMore(than: target) {
                    try apply(.take, to: index, of: pair, target, source, isConflict: false)
                }
                return
            }
            // In an import, an equal copy must still be replaced by the instance.
            if isEdited || unification == nil || isEqual(target, source) { return }
        }
        let baseContent = try baseContent(of: source, at: index, of: pair, rule)
        if source.slotState.isNull, baseContent == nil { return }
        var isTaken = false
        if !isEdited || differs(target, source, .present) {
            let resolution = isEdited ? try resolve(conflictAt: index, of: pair, rule, target, source, base) : .take
            if case .take = resolution { isTaken = true }
            try apply(resolution, to: index, of: pair, target, source, isConflict: isEdited)
        }
        // The base takes models of the source as they are.
        if !isTaken, base != nil, completed == nil {
            attachPartial(source, at: index, of: pair, isVisible: false)
        }
        if let baseContent { writeBase(baseContent, at: index, of: pair) }
    }

    // MARK: What both sides say

    /// Whether sources are whole states, so that what they lack is no longer there.
    var isWhole: Bool {
        if case .values = options.sourceKind { false } else { true }
    }

    /// Whether a null of the source says no more than an absent member.
    private func saysNothing(_ rule: MergeRule, _ index: Int, of pair: Pair) -> Bool {
        if isWhole || !rule.ignoresNull { return false }
        if rule.saysNothingByNull { return true }
        // Others see null as a value, unless the property cannot hold it.
        let layout = pair.target.layout
        guard pair.isRebase || !rule.isMerger else { return false }
        return !layout.properties[index].descriptor.isNullable && !layout.defaultSlot(index).hasValue
    }

    /// The default, for a null where null is not allowed; nil for any other value. Without a base, mergers see null.
    private func standard(
        for source: PropertySlot, _ rule: MergeRule, _ index: Int, of pair: Pair
    ) -> TemporarySlot? {
        guard source.slotState.isNull, !isWhole, pair.isRebase || !rule.isMerger else { return nil }
        let layout = pair.target.layout
        guard !layout.properties[index].descriptor.isNullable, layout.defaultSlot(index).hasValue else { return nil }
        let content = TemporarySlot(copying: layout.defaultSlot(index))
        content.slot.slotState = content.slot.slotState.asDefaulted
        return content
    }

    /// Whether a value was edited since the base. All values of a model without a base are edits.
    func isEdited(_ target: PropertySlot, since base: PropertySlot?) -> Bool {
        switch options.sourceKind {
        case .document: false
        case .row: base.map { differs($0, target, .baseOfValues) } ?? false
        // In an import, editing an instance does not count as editing properties that refer to it.
        case .values: base.map { differs($0, target, unification == nil ? .base : .baseOfValues) } ?? target.hasValue
        }
    }

    /// Whether two states of a slot differ.
    func differs(_ left: PropertySlot, _ right: PropertySlot, _ leftSide: ModelDifference.LeftSide) -> Bool {
        switch options.sourceKind {
        case .values: ModelDifference.differ(left, right, leftSide: leftSide)
        case .row: left.differs(from: right, leftSide: leftSide)
        case .document:
            left.slotState.isUnset != right.slotState.isUnset
                || !ModelComparison.equal(left, right, including: .everything)
        }
    }

    // MARK: Writing the outcome

    private mutating func apply(
        _ resolution: Resolution, to index: Int, of pair: Pair, _ target: PropertySlot, _ source: PropertySlot,
        isConflict: Bool
    ) throws(ModelError) {
        var note = ModelDifference.Note(isConflict: isConflict)
        switch resolution {
        case .keep:
            guard differs(target, source, .present) else { return }
            keep(target, source, at: index, of: pair, path: path(to: index, of: pair), isConflict: isConflict)
        case .take:
            note.decision = .taken
            try take(source, into: target, at: index, of: pair, note)
        case .combine(let content):
            note.decision = .combined
            if let content, ModelDifference.differ(target, content.slot, leftSide: .present) {
                try write(content.slot, at: index, of: pair, note)
            } else if isConflict {
                try apply(.keep, to: index, of: pair, target, source, isConflict: true)
            }
        }
    }

    /// Reports that a value stays, although the source says something else.
    mutating func keep(
        _ target: PropertySlot?, _ source: PropertySlot?, at index: Int, of pair: Pair, path: Int, isConflict: Bool
    ) {
        kept.append(
            ModelChange(
                key: pair.target.layout.properties[index].key, decision: .kept, isConflict: isConflict, paths: paths,
                path: path, old: target, new: source))
    }

    /// A value of another schema, or of another registry, as one that the target could be given; nil if it is one.
    func converted(_ source: PropertySlot, for target: PropertySlot) throws(ModelError) -> TemporarySlot? {
        if source.hasDescription(of: target) { return nil }
        let content = TemporarySlot(like: target)
        if source.hasValue { try content.slot.store(source.naturalValue) } else { content.slot.setNull() }
        return content
    }

    /// Gives a slot what the source holds.
    private mutating func take(
        _ source: PropertySlot, into target: PropertySlot, at index: Int, of pair: Pair, _ note: ModelDifference.Note
    ) throws(ModelError) {
        let content = try contentWithoutValue(source, at: index, of: pair)
        let source = content?.slot ?? source
        defer { withExtendedLifetime(content) {} }
        if !isWhole, target.hasValue == source.hasValue, target.slotState.isNull == source.slotState.isNull,
            target.slotState.isDefaulted == source.slotState.isDefaulted, !target.hasValue || isEqual(target, source)
        {
            return
        }
        source.removeEntriesWithoutValue()
        attachPartial(source, at: index, of: pair)
        try write(source, at: index, of: pair, note)
    }

    /// What becomes of a property whose source has no value; nil if the slot of the source is copied.
    private func contentWithoutValue(
        _ source: PropertySlot, at index: Int, of pair: Pair
    ) throws(ModelError) -> TemporarySlot? {
        if source.hasValue { return nil }
        let layout = pair.target.layout
        let content = TemporarySlot(like: pair.target.slot(at: index))
        switch options.sourceKind {
        case .row: return nil
        case .document where source.slotState.isUnset:
            // What is no longer there gets its default, as when a document is decoded; null that is there does not.
            let standard = layout.defaultSlot(index)
            if standard.hasValue {
                content.slot.takeDefault(standard)
            } else if layout.properties[index].schema.isRequired {
                throw pair.target.missing(layout.properties[index])
            }
        case .values, .document: try clear(content.slot, at: index, of: layout)
        }
        return content
    }

    /// Null, the default of a property for which null means the default, or no value where null is refused.
    func clear(_ slot: PropertySlot, at index: Int, of layout: ModelLayout) throws(ModelError) {
        let descriptor = slot.description
        if descriptor.isNullable {
            slot.setNull()
        } else if layout.defaultSlot(index).hasValue {
            slot.takeDefault(layout.defaultSlot(index))
        } else if !descriptor.isOptional {
            throw ModelError(.nullNotAllowed, descriptor, expected: descriptor.expectation, found: "null")
        }
    }
}

extension PropertySlot {
    /// Drops the keys of a dictionary that a partial document removes.
    func removeEntriesWithoutValue() {
        guard hasValue, description.kind == .dictionary else { return }
        let entries = dictionary
        if (0..<entries.count).contains(where: { entries.slot(at: $0).slotState.isUnset }) {
            entries.removeUnsetElements()
        }
    }
}

extension PropertySlot {
    /// Whether the slot says something, and the other one, which compares equal, says nothing.
    fileprivate func saysMore(than other: PropertySlot) -> Bool {
        slotState.isNull ? other.slotState.isUnset : hasValue && !slotState.isDefaulted && other.slotState.isDefaulted
    }
}
