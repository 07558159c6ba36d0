import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Dictionaries that are merged entry by entry.
///
/// Safety: entries are slots of dictionaries of one description, and dictionaries are made for the description of the
/// target's elements.
extension ModelMerge {
    /// What a source says about a key.
    private enum Said {
        case nothing, removal
        case value(PropertySlot)
    }

    /// The state of a three-way merge of dictionaries.
    private struct EntryMerge {
        let index: Int
        let pair: Pair
        let rule: MergeRule
        let path: Int
        /// The dictionary after the merge, and that of the base.
        let result: SlotDictionary
        let base: SlotDictionary
        /// Whether what the source adds becomes part of the target.
        let isVisible: Bool
        /// The keys whose entries were taken although they had been edited.
        var conflicts: Set<UTF8Key> = []
        var isChanged = false
    }

    /// Merges dictionaries entry by entry. False if the policy decides about the dictionary as one value.
    mutating func mergeEntries(
        _ index: Int, of pair: Pair, _ rule: MergeRule, _ target: PropertySlot, _ source: PropertySlot
    ) throws(ModelError) -> Bool {
        if options.sourceKind == .document || rule.isMerger { return false }
        guard target.hasValue || pair.base?.slot(at: index).hasValue ?? false && rule.isByEntry else { return false }
        if pair.isRebase {
            try mergeEntries(index, of: pair, rule, target, source, base: pair.base?.slot(at: index))
            return true
        }
        var removesMissing = false
        switch rule {
        case .union: break
        case .recurse(let removes): removesMissing = removes
        default: return false
        }
        let (members, others) = (target.dictionary, source.dictionary)
        let path = path(to: index, of: pair)
        var changes: [(key: String, entry: PropertySlot?)] = []
        for (number, key) in others.keys.enumerated() {
            let other = others.slot(at: number)
            // A key that an earlier occurrence removed has no value until the end.
            let own = members.index(of: key).map { members.slot(at: $0) }.flatMap { $0.slotState.isUnset ? nil : $0 }
            if other.slotState.isUnset {
                if own != nil { changes.append((key, nil)) }
            } else if rule.mergesInPlace, let own, own.hasValue, other.hasValue,
                own.model === other.model || mergesInPlace(other.model, into: own.model)
            {
                enqueue(other.model, into: own.model, .at(paths.append(key, to: path)), false, nil)
            } else if own.map({ !isEqual($0, other) }) ?? true {
                attachPartial(other, .key(key), behind: path)
                changes.append((key, other))
            }
        }
        if removesMissing {
            let skipped = options.skippedElements[ObjectIdentifier(others)]?.keys ?? []
            for (number, key) in members.keys.enumerated() where others.index(of: key) == nil {
                if skipped.contains(UTF8Key(key)) {
                    let path = paths.append(key, to: path)
                    keep(members.slot(at: number), nil, at: index, of: pair, path: path, isConflict: false)
                } else {
                    changes.append((key, nil))
                }
            }
        }
        if changes.isEmpty { return true }
        var collection = collections.take(members) ?? GrowingCollections.Collection(members)
        var result = members
        let content = collection.content(as: target) { _ in
            result = members.copyOfEntries()
            return result
        }
        for (key, entry) in changes {
            if let entry {
                result.slot(forKey: key).copyContent(of: entry)
            } else {
                collections.remove(key, from: result)
            }
        }
        collections.keep(collection)
        if let content { try write(content.slot, at: index, of: pair, ModelDifference.Note(decision: .combined)) }
        return true
    }

    // MARK: Three ways

    private mutating func mergeEntries(
        _ index: Int, of pair: Pair, _ rule: MergeRule, _ target: PropertySlot, _ source: PropertySlot,
        base: PropertySlot?
    ) throws(ModelError) {
        let others = source.dictionary
        // A dictionary that an edit removed has no entries any more.
        let members = target.hasValue ? target.dictionary : SlotDictionary(like: others)
        let former =
            base.flatMap { $0.hasValue ? $0.dictionary : nil } ?? SlotDictionary(like: members)
        var merge = EntryMerge(
            index: index, pair: pair, rule: rule, path: path(to: index, of: pair), result: members.copyOfEntries(),
            base: former.copyOfEntries(), isVisible: target.hasValue || !rule.mergesInPlace)
        let keptCount = kept.count
        let skipped = options.skippedElements[ObjectIdentifier(others)]?.keys ?? []
        let keepsMissing =
            switch rule {
            case .union, .recurse(removesMissing: false): true
            default: false
            }
        let added = former.keys.filter { members.index(of: $0) == nil }
        let new = others.keys.filter { members.index(of: $0) == nil && former.index(of: $0) == nil }
        for key in members.keys + added + new {
            let said: Said
            if let number = others.index(of: key) {
                let entry = others.slot(at: number)
                said = entry.slotState.isUnset ? .removal : .value(entry)
            } else {
                said = keepsMissing || skipped.contains(UTF8Key(key)) ? .nothing : .removal
            }
            try mergeEntry(
                key, said, own: members.index(of: key).map { members.slot(at: $0) },
                former: former.index(of: key).map { former.slot(at: $0) }, &merge)
        }
        merge.base.removeUnsetElements()
        let newBase = TemporarySlot(holding: merge.base, like: target)
        if !merge.isVisible {
            // The edit that removed the dictionary stays.
            kept.removeSubrange(keptCount...)
            if base.map({ differs($0, newBase.slot, .baseOfOthers) }) ?? true {
                keep(target, source, at: index, of: pair, path: merge.path, isConflict: true)
            }
        } else if merge.isChanged {
            merge.result.removeUnsetElements()
            let content = TemporarySlot(holding: merge.result, like: target)
            paths.note(conflicts: merge.conflicts, in: merge.result)
            let note = ModelDifference.Note(decision: .taken, isConflict: !target.hasValue)
            try write(content.slot, at: index, of: pair, note)
        }
        writeBase(newBase, at: index, of: pair)
    }

    private mutating func mergeEntry(
        _ key: String, _ said: Said, own: PropertySlot?, former: PropertySlot?, _ merge: inout EntryMerge
    ) throws(ModelError) {
        var incoming: PropertySlot?
        switch said {
        case .nothing: return
        case .removal: if former == nil, own == nil { return }
        case .value(let entry): incoming = entry
        }
        let path = paths.append(key, to: merge.path)
        if merge.rule.mergesInPlace, let entry = incoming, entry.hasValue,
            try mergeModel(entry, key, own: own, former: former, path, &merge)
        {
            return
        }
        defer { merge.base.set(incoming, forKey: key) }
        let isEdited = own.map { own in former.map { self.isEdited(own, since: $0) } ?? true } ?? (former != nil)
        if areSame(former, incoming, .baseOfOthers) {
            // In an import, an equal copy must still be replaced by the instance.
            guard !isEdited, unification != nil, let own, let incoming, !isEqual(own, incoming) else { return }
        }
        if isEdited {
            if areSame(own, incoming, .present) { return }
            guard try takesConflict(incoming, own, merge) else {
                if let incoming { attachPartial(incoming, .key(key), behind: merge.path, isVisible: false) }
                return keep(own, incoming, at: merge.index, of: merge.pair, path: path, isConflict: true)
            }
            merge.conflicts.insert(UTF8Key(key))
        }
        if let incoming { attachPartial(incoming, .key(key), behind: merge.path, isVisible: merge.isVisible) }
        merge.result.set(incoming, forKey: key)
        merge.isChanged = true
    }

    private func areSame(
        _ left: PropertySlot?, _ right: PropertySlot?, _ leftSide: ModelDifference.LeftSide
    ) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return !differs(left, right, leftSide)
    }

    /// Whether what the source says wins over an edit of an entry.
    private mutating func takesConflict(
        _ incoming: PropertySlot?, _ own: PropertySlot?, _ merge: EntryMerge
    ) throws(ModelError) -> Bool {
        switch merge.rule {
        // A value wins over its removal.
        case .union: return incoming != nil
        case .newest:
            let (target, source) = (merge.pair.target.slot(at: merge.index), merge.pair.source.slot(at: merge.index))
            if case .take = try resolve(merge.index, of: merge.pair, merge.rule, target, source, nil) { return true }
            return false
        default: return !merge.rule.prefersEdits
        }
    }

    /// Merges the model of an entry in place, or leaves it removed. False if it is taken or kept as a value.
    private mutating func mergeModel(
        _ entry: PropertySlot, _ key: String, own: PropertySlot?, former: PropertySlot?, _ path: Int,
        _ merge: inout EntryMerge
    ) throws(ModelError) -> Bool {
        let met: Encounter
        do throws(ModelError) {
            met = try encounter(
                entry, own: own.flatMap { $0.hasValue ? $0.model : nil }, former: former,
                hasBase: merge.pair.base != nil, at: merge.index,
                of: merge.pair)
        } catch { throw error.under(key: key) }
        switch met {
        case .same: break
        case .merged(let base, let isRebase):
            if let own { enqueue(entry.model, into: own.model, .at(path), isRebase, base) }
        case .replacedByEdit(let base, let state):
            if let own { enqueue(entry.model, into: own.model, .at(path), merge.pair.isRebase, base) }
            merge.base.set(state?.slot ?? entry, forKey: key)
        case .removedByEdit(let state):
            if state == nil { attachPartial(entry, .key(key), behind: merge.path, isVisible: false) }
            if let former, ModelDifference.differ(former, state?.slot ?? entry, leftSide: .baseOfOthers) {
                keep(own, entry, at: merge.index, of: merge.pair, path: path, isConflict: true)
            }
            merge.base.set(state?.slot ?? entry, forKey: key)
        case .new: return false
        }
        return true
    }
}

extension MergeRule {
    /// Whether a source may name some keys of a dictionary.
    fileprivate var isByEntry: Bool {
        switch self {
        case .union, .recurse: true
        default: false
        }
    }
}

extension SlotDictionary {
    /// A dictionary of the same entries.
    fileprivate func copyOfEntries() -> SlotDictionary {
        let copy = SlotDictionary(like: self)
        for (number, key) in keys.enumerated() { copy.slot(forKey: key).copyContent(of: slot(at: number)) }
        return copy
    }

    /// Gives a key a value; without one, `removeUnsetElements` removes the key.
    fileprivate func set(_ content: PropertySlot?, forKey key: String) {
        let slot = slot(forKey: key)
        if let content { slot.copyContent(of: content) }
    }
}
