import PalliumCore
import PalliumJSON

/// The policies, where they have to decide: about each value of a merge, and about the conflicts of a rebase.
///
/// Safety: temporary slots refer to descriptions that live as long as the models of the pair; values are compared as the
/// kind that both slots have.
extension ModelMerge {
    mutating func resolve(
        _ index: Int, of pair: Pair, _ rule: MergeRule, _ target: PropertySlot, _ source: PropertySlot,
        _ base: PropertySlot?
    ) throws(ModelError) -> Resolution {
        switch rule {
        case .automatic, .replace, .skipNull, .recurse, .byIdentifier: return .take
        case .keep: return target.givesWay ? .take : .keep
        case .maximum: return !target.hasValue || Self.precedes(target, source) ? .take : .keep
        case .minimum: return !target.hasValue || Self.precedes(source, target) ? .take : .keep
        case .newest(let by):
            if target.givesWay { return .take }
            let key = pair.target.layout.properties[by].key
            let targetTime = (before ?? pair.target).slot(at: by)
            guard let time = pair.source.layout.index(of: key).map({ pair.source.slot(at: $0) }), time.hasValue,
                targetTime.description.storesLike(time.description)
            else { return targetTime.hasValue ? .keep : .take }
            return !targetTime.hasValue || Self.precedes(targetTime, time) ? .take : .keep
        case .union: return target.hasValue ? .combine(union(target, source, at: index, of: pair, base: base)) : .take
        case .append: return target.hasValue ? .combine(appended(target, source, at: index, of: pair)) : .take
        case .merger(let merger):
            source.removeEntriesWithoutValue()
            return .combine(try merged(by: merger, target, source, at: index, of: pair, base: base))
        }
    }

    /// The outcome where both sides changed a value, to different ones.
    mutating func resolve(
        conflictAt index: Int, of pair: Pair, _ rule: MergeRule, _ target: PropertySlot, _ source: PropertySlot,
        _ base: PropertySlot?
    ) throws(ModelError) -> Resolution {
        if rule.prefersEdits { return .keep }
        if isWhole, !source.hasValue {
            // Other policies ignore that there is no value.
            if case .replace = rule { return .take }
            return .keep
        }
        if case .union = rule, !target.hasValue {
            // The elements of the base were removed. What the source added stands alone.
            let empty = TemporarySlot(holding: SlotList.make(like: source.list, capacity: 0), like: target)
            let added = union(empty.slot, source, at: index, of: pair, base: base)
            return added.map { $0.slot.list.count == 0 ? .keep : .combine($0) } ?? .keep
        }
        return try resolve(index, of: pair, rule, target, source, base)
    }

    /// Whether the left value comes before the right one, in the order of their kind.
    private static func precedes(_ left: PropertySlot, _ right: PropertySlot) -> Bool {
        // Kinds without an order were refused when the schema was registered.
        left.description.traits.precedes?(left, right) ?? false
    }

    mutating func merged(
        by merger: Merger, _ target: PropertySlot, _ source: PropertySlot?, at index: Int, of pair: Pair,
        base: PropertySlot?
    ) throws(ModelError) -> TemporarySlot {
        let content = TemporarySlot(like: target)
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
        if let source, options.isPartial, content.slot.description.kind.mayHoldModels {
            var given: Set<ObjectIdentifier> = []
            source.forEachModel { given.insert(ObjectIdentifier($0)) }
            let path = path(to: index, of: pair)
            content.slot.forEachModel { model in
                if given.contains(ObjectIdentifier(model)) { attached.append(AttachedModel(model: model, path: path)) }
            }
        }
        return content
    }

    /// The target as it was before the present pair, and the source, as a merger may read them.
    private func views(of pair: Pair) -> (target: ReadOnlyModel, source: ReadOnlyModel?) {
        // A merge of one property without a source pairs the model with itself.
        let source = pair.source === pair.target ? nil : ReadOnlyModel(pair.source)
        return (ReadOnlyModel(before ?? pair.target), source)
    }
}

extension PropertySlot {
    /// Whether any value may be taken: the slot is unset or has its default, which in a new instance null may still stand for.
    fileprivate var givesWay: Bool { slotState.isAbsent || slotState.isNull && !description.isNullable }
}

extension MergeRule {
    /// Whether something equal changes nothing, null included.
    @inline(__always)
    func skipsEqual(isScalar: Bool) -> Bool {
        guard isScalar else { return isReplacing }
        return !isMerger
    }

    /// Whether a local edit wins over a change of the source, in a rebase.
    var prefersEdits: Bool {
        switch self {
        case .automatic, .skipNull, .recurse, .byIdentifier, .keep: true
        case .replace, .maximum, .minimum, .union, .append, .newest, .merger: false
        }
    }

    /// Whether a null says no more than an absent member.
    var saysNothingByNull: Bool {
        switch self {
        case .skipNull, .maximum, .minimum, .union, .append: true
        case .automatic, .replace, .keep, .newest, .recurse, .byIdentifier, .merger: false
        }
    }

    var isMerger: Bool {
        if case .merger = self { true } else { false }
    }
}
