import PalliumCore
import PalliumJSON

/// The rules of the policies for one property.
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
        if source.slotState.isNull, rule.ignoresNull {
            switch rule {
            case .keep, .merger: break
            default: return
            }
        }
        let converted = try converted(source, for: target)
        if target.description.kind == .weakModel, !isRedirected {
            weakReferences.append(
                WeakReference(
                    pair: pair, slot: index, content: converted ?? TemporarySlot(copying: source),
                    before: pair.target.layout.decidesByOtherProperties
                        ? before ?? pair.target.copySlots(in: DynamicModel.self) : nil))
            return
        }
        var source = converted?.slot ?? source
        if try mergeInPlace(index, of: pair, rule, target: target, source: source) { return }
        // Not merged in place, so a local edit may have removed the model. A partial source is then completed from the
        // base.
        let completed =
            rule.mergesInPlace
            ? try pair.base.flatMap { base throws(ModelError) in
                try whole(source, insteadOf: base.slot(at: index))
            } : nil
        if let completed { source = completed.slot }
        defer { withExtendedLifetime((converted, completed)) {} }
        if pair.isRebase {
            return try rebaseSlot(index, of: pair, rule, target, source, isCompleted: completed != nil)
        }
        let resolution = try resolve(index, of: pair, rule, target, source, nil)
        try apply(resolution, to: index, of: pair, target, source, isConflict: false)
    }

    /// Merges one property of a pair whose edits since the base are to survive.
    private mutating func rebaseSlot(
        _ index: Int, of pair: Pair, _ rule: MergeRule, _ target: PropertySlot, _ source: PropertySlot,
        isCompleted: Bool
    ) throws(ModelError) {
        let base = pair.base?.slot(at: index)
        // In an import, editing an instance does not count as editing properties that refer to it.
        let leftSide: ModelDifference.LeftSide = unification == nil ? .base : .baseOfValues
        let isEdited = base.map { ModelDifference.differ($0, target, leftSide: leftSide) } ?? target.hasValue
        if let base, !ModelDifference.differ(base, source, leftSide: .baseOfOthers) {
            // Null compares equal to unset, but an explicit null must be recorded.
            if source.slotState.isNull, base.slotState.isUnset {
                return try takeNull(source, at: index, of: pair, rule, target: target)
            }
            // In an import, an equal copy must still be replaced by the instance.
            if isEdited || unification == nil || isEqual(target, source) { return }
        }
        let baseContent = try baseContent(of: source, at: index, of: pair, rule)
        // The base takes the partial model itself, so it must be completed.
        if baseContent != nil, rule.mergesInPlace, base != nil, !isCompleted {
            attachPartial(source, path: path(to: index, of: pair))
        }
        if !isEdited || ModelDifference.differ(target, source, leftSide: .present) {
            let resolution =
                isEdited && rule.prefersEdits ? .keep : try resolve(index, of: pair, rule, target, source, base)
            try apply(resolution, to: index, of: pair, target, source, isConflict: isEdited)
        }
        if let baseContent { writeBase(baseContent, at: index, of: pair) }
    }

    mutating func apply(
        _ resolution: Resolution, to index: Int, of pair: Pair, _ target: PropertySlot, _ source: PropertySlot,
        isConflict: Bool
    ) throws(ModelError) {
        var note = ModelDifference.Note(isConflict: isConflict)
        switch resolution {
        case .keep:
            guard ModelDifference.differ(target, source, leftSide: .present) else { return }
            kept.append(
                ModelChange(
                    key: pair.target.layout.properties[index].key, decision: .kept, isConflict: isConflict,
                    paths: paths,
                    path: path(to: index, of: pair), old: target, new: source))
        case .take:
            note.decision = .taken
            try take(source, into: target, at: index, of: pair, note)
        case .combine(let content):
            note.decision = .combined
            guard let content, ModelDifference.differ(target, content.slot, leftSide: .present) else { return }
            try write(content.slot, at: index, of: pair, note)
        }
    }

    /// A value of another schema, or of another registry, as one that the target could be given; nil if it is one.
    func converted(_ source: PropertySlot, for target: PropertySlot) throws(ModelError) -> TemporarySlot? {
        if unsafe source.descriptor.toOpaque() == target.descriptor.toOpaque() { return nil }
        let content = unsafe TemporarySlot(descriptor: target.descriptor)
        if source.hasValue { try content.slot.store(source.naturalValue) } else { content.slot.setNull() }
        return content
    }

    /// Gives a slot what the source holds; null means what the property's nullability says.
    private mutating func take(
        _ source: PropertySlot, into target: PropertySlot, at index: Int, of pair: Pair, _ note: ModelDifference.Note
    ) throws(ModelError) {
        guard source.hasValue else {
            let content = unsafe TemporarySlot(descriptor: target.descriptor)
            try clear(content.slot, at: index, of: pair.target.layout)
            return try write(content.slot, at: index, of: pair, note)
        }
        if target.hasValue, !target.slotState.isDefaulted, isEqual(target, source) { return }
        // If there is a base, `rebaseSlot` has attached or completed the source already.
        if pair.base == nil, pair.target.layout.mergeRules[index].mergesInPlace {
            attachPartial(source, path: path(to: index, of: pair))
        }
        try write(source, at: index, of: pair, note)
    }

    /// Writes null, in a rebase, where nothing was said before.
    private mutating func takeNull(
        _ source: PropertySlot, at index: Int, of pair: Pair, _ rule: MergeRule, target: PropertySlot
    ) throws(ModelError) {
        // A merger has nothing to decide where both sides have nothing.
        if case .merger = rule { return }
        if let content = try baseContent(of: source, at: index, of: pair, rule) {
            writeBase(content, at: index, of: pair)
        }
        if target.slotState.isUnset {
            try take(source, into: target, at: index, of: pair, ModelDifference.Note(decision: .taken))
        }
    }

    /// Null, or the default of a property for which null means the default.
    func clear(_ slot: PropertySlot, at index: Int, of layout: ModelLayout) throws(ModelError) {
        let descriptor = slot.description
        if descriptor.isNullable {
            slot.setNull()
        } else if layout.defaultSlot(index).hasValue {
            slot.copyContent(of: layout.defaultSlot(index))
            slot.slotState = slot.slotState.asDefaulted
        } else {
            throw ModelError(.nullNotAllowed, descriptor, expected: descriptor.expectation, found: "null")
        }
    }

    mutating func resolve(
        _ index: Int, of pair: Pair, _ rule: MergeRule, _ target: PropertySlot, _ source: PropertySlot,
        _ base: PropertySlot?
    ) throws(ModelError) -> Resolution {
        switch rule {
        case .automatic, .replace, .skipNull, .recurse, .byIdentifier: return .take
        case .keep: return target.slotState.isAbsent ? .take : .keep
        case .maximum: return !target.hasValue || Self.precedes(target, source) ? .take : .keep
        case .minimum: return !target.hasValue || Self.precedes(source, target) ? .take : .keep
        case .newest(let by):
            if target.slotState.isAbsent { return .take }
            let key = pair.target.layout.properties[by].key
            let targetTime = (before ?? pair.target).slot(at: by)
            guard let time = pair.source.layout.index(of: key).map({ pair.source.slot(at: $0) }), time.hasValue,
                targetTime.description.storesLike(time.description)
            else { return targetTime.hasValue ? .keep : .take }
            return !targetTime.hasValue || Self.precedes(targetTime, time) ? .take : .keep
        case .union: return target.hasValue ? .combine(union(target, source, of: pair, base: base)) : .take
        case .append: return target.hasValue ? .combine(appended(target, source, of: pair)) : .take
        case .merger(let merger): return .combine(try merged(by: merger, target, source, of: pair, base: base))
        }
    }

    /// Whether the left value comes before the right one, in the order of their kind.
    private static func precedes(_ left: PropertySlot, _ right: PropertySlot) -> Bool {
        // Kinds without an order were refused when the schema was registered.
        left.description.traits.precedes?(left, right) ?? false
    }

    mutating func merged(
        by merger: Merger, _ target: PropertySlot, _ source: PropertySlot?, of pair: Pair, base: PropertySlot?
    ) throws(ModelError) -> TemporarySlot {
        let content = unsafe TemporarySlot(descriptor: target.descriptor)
        transaction.openRecord()
        do {
            try content.slot.store(merger.merge(target, source, base, views(of: pair)))
        } catch {
            if let error = error as? ModelError { throw error }
            throw ModelError(
                .hookFailed, target.description,
                expected: "values of \(target.description.path) that its merger accepts",
                found: "others", underlying: error)
        }
        return content
    }
}

extension MergeRule {
    /// Whether something equal changes nothing, null included.
    @inline(__always)
    func skipsEqual(isScalar: Bool) -> Bool {
        guard isScalar else { return isReplacing }
        if case .merger = self { return false }
        return true
    }

    /// Whether a local edit wins over a change of the source, in a rebase.
    var prefersEdits: Bool {
        switch self {
        case .automatic, .skipNull, .recurse, .byIdentifier, .keep: true
        case .replace, .maximum, .minimum, .union, .append, .newest, .merger: false
        }
    }
}
