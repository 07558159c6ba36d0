/// Collections made of those of both sides: united or appended.
///
/// A document may mention a model as often as it likes. The first mention makes a collection of its own, and those that
/// follow add to it in place: each takes the time that what it brings takes.
///
/// Safety: lists are made for the description of the elements of the own property, and slots are taken for what their
/// kinds say.
extension ModelMerge {
    /// A collection that the merge made and for which a step waits.
    struct Combined {
        let list: SlotList
        /// The elements of a union.
        var elements: Set<SlotElementKey> = []
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
        let others = incoming.list
        let keys = SlotElementKey.keys(of: others)
        let identity = ObjectIdentifier(own.list)
        // Taken out and put back, so that its elements are not copied.
        if var made = combined.removeValue(forKey: identity) {
            for key in keys where made.elements.insert(key).inserted {
                made.list.appendSlot().copyContent(of: others.slot(at: key.index))
            }
            combined[identity] = made
            return nil
        }
        // Those of the base count as known: what was removed is not added again.
        var known = Set(SlotElementKey.keys(of: own.list))
        if let base { known.formUnion(SlotElementKey.keys(of: base.list)) }
        let new = keys.filter { known.insert($0).inserted }
        if new.isEmpty { return nil }
        let result = own.list.copyOfElements(adding: new.count)
        for key in new { result.appendSlot().copyContent(of: others.slot(at: key.index)) }
        return note(Combined(list: result, elements: known), as: own, of: pair)
    }

    private mutating func united(
        _ own: PropertySlot, _ incoming: PropertySlot, of pair: Pair, base: PropertySlot?
    ) -> TemporarySlot? {
        let members = unsafe SlotOperations.box(SlotDictionary.self, own.pointer)
        let others = unsafe SlotOperations.box(SlotDictionary.self, incoming.pointer)
        let before = base.map { unsafe SlotOperations.box(SlotDictionary.self, $0.pointer) }
        let isMade = combined[ObjectIdentifier(members)] != nil
        let result = unsafe isMade ? members : SlotDictionary(element: members.element)
        if !isMade {
            for (index, key) in members.keys.enumerated() {
                result.slot(forKey: key).copyContent(of: members.slot(at: index))
            }
        }
        for (index, key) in others.keys.enumerated() {
            if let before, let old = before.index(of: key) {
                let isUnchanged = ModelComparison.equal(before.slot(at: old), others.slot(at: index))
                if isUnchanged || members.index(of: key) == nil { continue }
            }
            result.slot(forKey: key).copyContent(of: others.slot(at: index))
        }
        return isMade ? nil : note(Combined(list: result), as: own, of: pair)
    }

    /// The own elements, then the incoming ones; nil when no step is needed.
    mutating func appended(_ own: PropertySlot, _ incoming: PropertySlot, of pair: Pair) -> TemporarySlot? {
        let others = incoming.list
        let made = combined[ObjectIdentifier(own.list)]?.list
        let result = made ?? own.list.copyOfElements(adding: others.count)
        for index in 0..<others.count { result.appendSlot().copyContent(of: others.slot(at: index)) }
        return made == nil ? note(Combined(list: result), as: own, of: pair) : nil
    }

    /// The content for a step. In a rebase, bases may share it, so that nothing is added to it later.
    private mutating func note(_ made: Combined, as own: PropertySlot, of pair: Pair) -> TemporarySlot {
        if !pair.isRebase { combined[ObjectIdentifier(made.list)] = made }
        return unsafe TemporarySlot(holding: made.list, as: own.descriptor)
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
