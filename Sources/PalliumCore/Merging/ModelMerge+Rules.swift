import PalliumJSON

/// What the policies say about one property.
///
/// Safety: temporary slots refer to descriptions that live as long as the models of the pair; values are compared as the
/// kind that both slots have.
extension ModelMerge {
    /// What becomes of a slot.
    private enum Resolution {
        case take, keep
        /// A value made of both; nil where nothing is left to do.
        case combine(TemporarySlot?)
    }

    /// Plans one property of a pair. A weak link waits, unless it is one that leads to a model of the own graph.
    mutating func planSlot(
        _ index: Int, of pair: Pair, _ source: PropertySlot, isOwnLink: Bool = false
    ) throws(ModelError) {
        let own = ownSlot(index, of: pair.own)
        let rule = pair.own.layout.mergeRules[index]
        if source.slotState.isNull, rule.ignoresNull {
            switch rule {
            case .keep, .merger: break
            default: return
            }
        }
        let converted = try converted(source, for: own)
        var incoming = converted?.slot ?? source
        if own.description.kind == .weakModel, !isOwnLink {
            return add(
                Link(
                    pair: pair, slot: index, content: converted ?? TemporarySlot(copying: source),
                    firstStepOfPair: firstStepOfPair))
        }
        if try planInPlace(index, of: pair, rule, own: own, incoming: incoming) { return }
        var note = ModelDifference.Note()
        let base = pair.base.map { ownSlot(index, of: $0) }
        // In place nothing is merged here, so the program took the model away of which this may be a part.
        let completed =
            rule.mergesInPlace
            ? try base.flatMap { base throws(ModelError) in
                try whole(incoming, insteadOf: base)
            } : nil
        if let completed { incoming = completed.slot }
        defer { withExtendedLifetime((converted, completed)) {} }
        let resolution: Resolution
        if pair.isRebase {
            // Edits of an instance are no edits of the properties that lead to it.
            let ownSide: ModelDifference.LeftSide = unification == nil ? .base : .baseOfValues
            let isEdited = base.map { ModelDifference.differ($0, own, leftSide: ownSide) } ?? own.hasValue
            if let base, !ModelDifference.differ(base, incoming, leftSide: .baseOfOthers) {
                // Null equals nothing, and yet somebody said it.
                if incoming.slotState.isNull, base.slotState.isUnset {
                    return try takeNull(incoming, at: index, of: pair, rule, own: own)
                }
                // An instance takes the place of what is equal to it.
                if isEdited || unification?.leadsToSameInstances(own, incoming) ?? true { return }
            }
            if let content = try baseContent(of: incoming, at: index, of: pair, rule) {
                addBase(content, at: index, of: pair)
                // A part that stands in the base as it is becomes a model of its own.
                if rule.mergesInPlace, base != nil, completed == nil {
                    adoptPart(incoming, place: place(of: index, of: pair))
                }
            }
            if isEdited {
                if !ModelDifference.differ(own, incoming, leftSide: .present) { return }
                note.isConflict = true
            }
            resolution =
                isEdited && rule.prefersEdits ? .keep : try resolve(index, of: pair, rule, own, incoming, base)
        } else {
            resolution = try resolve(index, of: pair, rule, own, incoming, nil)
        }
        switch resolution {
        case .keep:
            guard ModelDifference.differ(own, incoming, leftSide: .present) else { return }
            note.decision = .kept
            let key = pair.own.layout.properties[index].key
            kept.append(
                ModelChange(
                    key: key, decision: note.decision, isConflict: note.isConflict, paths: paths,
                    place: place(of: index, of: pair), old: own, new: incoming))
        case .take:
            note.decision = .taken
            try take(incoming, into: own, at: index, of: pair, note)
        case .combine(let content):
            note.decision = .combined
            guard let content, ModelDifference.differ(own, content.slot, leftSide: .present) else { return }
            try add(content, at: index, of: pair, note)
        }
    }

    /// A value of another schema, or of another registry, as one that the own property could be given; nil where it is one.
    func converted(_ source: PropertySlot, for own: PropertySlot) throws(ModelError) -> TemporarySlot? {
        if unsafe source.descriptor.toOpaque() == own.descriptor.toOpaque() { return nil }
        let content = unsafe TemporarySlot(descriptor: own.descriptor)
        if source.hasValue { try content.slot.store(source.naturalValue) } else { content.slot.setNull() }
        return content
    }

    /// Plans that a slot takes what came; null means what the property's nullability says.
    private mutating func take(
        _ incoming: PropertySlot, into own: PropertySlot, at index: Int, of pair: Pair, _ note: ModelDifference.Note
    ) throws(ModelError) {
        let content = unsafe TemporarySlot(descriptor: own.descriptor)
        if incoming.hasValue {
            if own.hasValue, !own.slotState.isDefaulted, unification?.leadsToSameInstances(own, incoming) ?? true,
                ModelComparison.equal(own, incoming, including: .given)
            {
                return
            }
            content.slot.copyContent(of: incoming)
            // What also stands in the base was adopted with it.
            if pair.base == nil, pair.own.layout.mergeRules[index].mergesInPlace {
                adoptPart(incoming, place: place(of: index, of: pair))
            }
        } else {
            try clear(content.slot, at: index, of: pair.own.layout)
        }
        try add(content, at: index, of: pair, note)
    }

    /// Plans, in a rebase, that null stands where nothing was said before.
    private mutating func takeNull(
        _ incoming: PropertySlot, at index: Int, of pair: Pair, _ rule: MergeRule, own: PropertySlot
    ) throws(ModelError) {
        // A merger has nothing to decide where both sides have nothing.
        if case .merger = rule { return }
        if let content = try baseContent(of: incoming, at: index, of: pair, rule) {
            addBase(content, at: index, of: pair)
        }
        if own.slotState.isUnset {
            try take(incoming, into: own, at: index, of: pair, ModelDifference.Note(decision: .taken))
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

    private mutating func resolve(
        _ index: Int, of pair: Pair, _ rule: MergeRule, _ own: PropertySlot, _ incoming: PropertySlot,
        _ base: PropertySlot?
    ) throws(ModelError) -> Resolution {
        switch rule {
        case .automatic, .replace, .skipNull, .recurse, .byIdentifier: return .take
        case .keep: return own.slotState.isUnset || own.slotState.isDefaulted ? .take : .keep
        case .maximum: return !own.hasValue || Self.precedes(own, incoming) ? .take : .keep
        case .minimum: return !own.hasValue || Self.precedes(incoming, own) ? .take : .keep
        case .newest(let by):
            if own.slotState.isUnset || own.slotState.isDefaulted { return .take }
            let key = pair.own.layout.properties[by].key
            let ownTime = ownSlot(by, of: pair.own, before: firstStepOfPair)
            guard let time = pair.incoming.layout.index(of: key).map({ pair.incoming.slot(at: $0) }), time.hasValue,
                ownTime.description.storesLike(time.description)
            else { return ownTime.hasValue ? .keep : .take }
            return !ownTime.hasValue || Self.precedes(ownTime, time) ? .take : .keep
        case .union: return own.hasValue ? .combine(union(own, incoming, of: pair, base: base)) : .take
        case .append: return own.hasValue ? .combine(appended(own, incoming, of: pair)) : .take
        case .merger(let merger): return .combine(try merged(by: merger, own, incoming, of: pair, base: base))
        }
    }

    /// Whether the left value comes before the right one, in the order of their kind.
    private static func precedes(_ left: PropertySlot, _ right: PropertySlot) -> Bool {
        switch left.description.kind {
        case .unsigned: left.load(UInt64.self) < right.load(UInt64.self)
        case .double, .date: left.load(Double.self) < right.load(Double.self)
        case .decimal:
            unsafe SlotOperations.box(DecimalBox.self, left.pointer).value
                < SlotOperations.box(DecimalBox.self, right.pointer).value
        case .string: UTF8Text.precedes(left.load(String.self), right.load(String.self))
        // Integers: other kinds were refused when the schema was registered.
        default: left.load(Int64.self) < right.load(Int64.self)
        }
    }

    func merged(
        by merger: Merger, _ own: PropertySlot, _ incoming: PropertySlot?, of pair: Pair, base: PropertySlot?
    ) throws(ModelError) -> TemporarySlot {
        let content = unsafe TemporarySlot(descriptor: own.descriptor)
        // A merge of one property without a source pairs the model with itself.
        let source = pair.incoming === pair.own ? nil : view(of: pair.incoming)
        do {
            try content.slot.store(merger.merge(own, incoming, base, (target: view(of: pair.own), source: source)))
        } catch {
            if let error = error as? ModelError { throw error }
            throw ModelError(
                .hookFailed, own.description, expected: "values of \(own.description.path) that its merger accepts",
                found: "others", underlying: error)
        }
        return content
    }
}

extension MergeRule {
    /// Whether an edit of the program wins over a change that came, in a rebase.
    fileprivate var prefersEdits: Bool {
        switch self {
        case .automatic, .skipNull, .recurse, .byIdentifier, .keep: true
        case .replace, .maximum, .minimum, .union, .append, .newest, .merger: false
        }
    }
}
