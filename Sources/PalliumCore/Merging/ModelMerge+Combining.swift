/// Collections made of those of both sides: united or appended.
///
/// A document may mention a model as often as it likes. The first mention makes a collection of its own, and those that
/// follow add to it in place: each takes the time that what it brings takes.
///
/// Safety: lists are made for the description of the elements of the own property, and slots are taken for what their
/// kinds say.
extension ModelMerge {
    /// A collection to which mentions add.
    struct Combined {
        fileprivate(set) var list: SlotList
        /// The elements of a union.
        fileprivate var elements: Set<SlotElementKey> = []
        /// Whether the merge made it, and a step waits for it; the own collection is left as it is.
        fileprivate var isMade = false
    }

    /// The own elements or members, then the incoming ones that are not there; nil when no step is needed.
    ///
    /// In a rebase, what the program removed since the base stays removed, and a dictionary member that did not change
    /// since then does not touch the own one.
    mutating func union(_ own: PropertySlot, _ incoming: PropertySlot, of pair: Pair, base: PropertySlot?)
        -> TemporarySlot?
    {
        let base = base?.hasValue ?? false ? base : nil
        if own.description.kind == .dictionary { return united(own, incoming, of: pair, base: base) }
        // Taken out and put back, so that its elements are not copied.
        var union =
            combined.removeValue(forKey: ObjectIdentifier(own.list))
            ?? Combined(list: own.list, elements: Set(SlotElementKey.keys(of: own.list)))
        // Those of the base count as known: what was removed is not added again.
        if let base { union.elements.formUnion(SlotElementKey.keys(of: base.list)) }
        let others = incoming.list
        let new = SlotElementKey.keys(of: others).filter { union.elements.insert($0).inserted }
        let content = new.isEmpty ? nil : content(&union, as: own) { $0.copyOfElements(adding: new.count) }
        for key in new { union.list.appendSlot().copyContent(of: others.slot(at: key.index)) }
        note(union, of: pair)
        return content
    }

    private mutating func united(
        _ own: PropertySlot, _ incoming: PropertySlot, of pair: Pair, base: PropertySlot?
    ) -> TemporarySlot? {
        let members = unsafe SlotOperations.box(SlotDictionary.self, own.pointer)
        let others = unsafe SlotOperations.box(SlotDictionary.self, incoming.pointer)
        let before = base.map { unsafe SlotOperations.box(SlotDictionary.self, $0.pointer) }
        let new = others.keys.enumerated().filter { index, key in
            let known = members.index(of: key)
            if let before, let old = before.index(of: key) {
                let isUnchanged = ModelComparison.equal(before.slot(at: old), others.slot(at: index))
                if isUnchanged || known == nil { return false }
            }
            return known.map {
                !ModelComparison.equal(members.slot(at: $0), others.slot(at: index), including: .given)
            } ?? true
        }
        if new.isEmpty { return nil }
        var union = combined.removeValue(forKey: ObjectIdentifier(members)) ?? Combined(list: members)
        var result = members
        let content = content(&union, as: own) { _ in
            result = unsafe SlotDictionary(element: members.element)
            for (index, key) in members.keys.enumerated() {
                result.slot(forKey: key).copyContent(of: members.slot(at: index))
            }
            return result
        }
        for (index, key) in new { result.slot(forKey: key).copyContent(of: others.slot(at: index)) }
        note(union, of: pair)
        return content
    }

    /// The own elements, then the incoming ones; nil when no step is needed.
    mutating func appended(_ own: PropertySlot, _ incoming: PropertySlot, of pair: Pair) -> TemporarySlot? {
        let others = incoming.list
        if others.count == 0 { return nil }
        var result = combined.removeValue(forKey: ObjectIdentifier(own.list)) ?? Combined(list: own.list)
        let content = content(&result, as: own) { $0.copyOfElements(adding: others.count) }
        for index in 0..<others.count { result.list.appendSlot().copyContent(of: others.slot(at: index)) }
        note(result, of: pair)
        return content
    }

    /// Makes the collection one of the merge; the content for a step, unless one waits.
    private func content(
        _ combined: inout Combined, as own: PropertySlot, copy: (SlotList) -> SlotList
    ) -> TemporarySlot? {
        if combined.isMade { return nil }
        combined.isMade = true
        combined.list = copy(combined.list)
        return unsafe TemporarySlot(holding: combined.list, as: own.descriptor)
    }

    /// Keeps the collection for the next mention. In a rebase, bases may share it, so that nothing is added to it later.
    private mutating func note(_ made: Combined, of pair: Pair) {
        if !pair.isRebase { combined[ObjectIdentifier(made.list)] = made }
    }
}

extension SlotList {
    /// A list of the same elements with room for more.
    func copyOfElements(adding count: Int) -> SlotList {
        let copy = unsafe SlotList(element: element)
        copy.reserve(self.count + count)
        for index in 0..<self.count { copy.appendSlot().copyContent(of: slot(at: index)) }
        return copy
    }
}
