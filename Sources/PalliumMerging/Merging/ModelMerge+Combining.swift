import PalliumCore
import Synchronization

/// Collections made of those of both sides: united or appended.
///
/// A document may mention a model as often as it likes. The first occurrence makes a collection of its own, and those that
/// follow extend it in place: each takes the time that its own elements take.
///
/// Safety: lists are made for the description of the elements of the target, and slots are taken for what their kinds say.
extension ModelMerge {
    /// A collection that later occurrences of its model can extend.
    struct ExtensibleCollection {
        fileprivate(set) var list: SlotList
        /// The elements of a union.
        fileprivate var elements: Set<SlotElementKey> = []
        /// Whether the merge made it. Any other collection is left as it is.
        fileprivate var isMade = false
    }

    /// The elements or members of the target, then those of the source that are not there; nil when there is nothing to
    /// write.
    ///
    /// In a rebase, elements removed since the base stay removed, and a dictionary member that did not change
    /// since then does not replace the one of the target.
    mutating func union(
        _ target: PropertySlot, _ source: PropertySlot, of pair: Pair, base: PropertySlot?
    ) -> TemporarySlot? {
        let base = base.flatMap { $0.hasValue ? $0 : nil }
        if target.description.kind == .dictionary { return united(target, source, of: pair, base: base) }
        // Taken out and put back, so that its elements are not copied.
        var union =
            extensible.removeValue(forKey: ObjectIdentifier(target.list))
            ?? ExtensibleCollection(list: target.list, elements: Set(keys(of: target.list)))
        // Those of the base count as present: what was removed is not added again.
        if let base { union.elements.formUnion(keys(of: base.list)) }
        let others = source.list
        let new = keys(of: others).filter { union.elements.insert($0).inserted }
        let content = new.isEmpty ? nil : content(&union, as: target) { $0.copyOfElements(adding: new.count) }
        for key in new { union.list.appendSlot().copyContent(of: others.slot(at: key.index)) }
        keep(union, of: pair)
        return content
    }

    /// In an import, instances can change while their collection waits for the next occurrence.
    private func keys(of list: SlotList) -> [SlotElementKey] {
        SlotElementKey.keys(of: list, stopsAtIdentities: unification != nil)
    }

    private mutating func united(
        _ target: PropertySlot, _ source: PropertySlot, of pair: Pair, base: PropertySlot?
    ) -> TemporarySlot? {
        let (members, others) = (target.dictionary, source.dictionary)
        let before = base?.dictionary
        let new = others.keys.enumerated().filter { index, key in
            let present = members.index(of: key)
            if let before, let old = before.index(of: key) {
                let isUnchanged = ModelComparison.equal(before.slot(at: old), others.slot(at: index))
                if isUnchanged || present == nil { return false }
            }
            return present.map {
                !ModelComparison.equal(members.slot(at: $0), others.slot(at: index), including: .given)
            } ?? true
        }
        if new.isEmpty { return nil }
        var union =
            extensible.removeValue(forKey: ObjectIdentifier(members)) ?? ExtensibleCollection(list: members)
        var result = members
        let content = content(&union, as: target) { _ in
            result = unsafe SlotDictionary(element: members.element)
            for (index, key) in members.keys.enumerated() {
                result.slot(forKey: key).copyContent(of: members.slot(at: index))
            }
            return result
        }
        for (index, key) in new { result.slot(forKey: key).copyContent(of: others.slot(at: index)) }
        keep(union, of: pair)
        return content
    }

    /// The elements of the target, then those of the source; nil when there is nothing to write.
    mutating func appended(_ target: PropertySlot, _ source: PropertySlot, of pair: Pair) -> TemporarySlot? {
        let others = source.list
        if others.count == 0 { return nil }
        var result =
            extensible.removeValue(forKey: ObjectIdentifier(target.list)) ?? ExtensibleCollection(list: target.list)
        let content = content(&result, as: target) { $0.copyOfElements(adding: others.count) }
        for index in 0..<others.count { result.list.appendSlot().copyContent(of: others.slot(at: index)) }
        keep(result, of: pair)
        return content
    }

    /// Makes the collection one of the merge; nil when it is one, which stands in the target already.
    private func content(
        _ collection: inout ExtensibleCollection, as target: PropertySlot, copy: (SlotList) -> SlotList
    ) -> TemporarySlot? {
        if collection.isMade, collection.list.isExtensible { return nil }
        collection.isMade = true
        collection.list = copy(collection.list)
        return unsafe TemporarySlot(holding: collection.list, as: target.descriptor)
    }

    /// Keeps the collection for the next occurrence. In a rebase, bases may share it, so that it is never extended.
    private mutating func keep(_ collection: ExtensibleCollection, of pair: Pair) {
        if !pair.isRebase { extensible[ObjectIdentifier(collection.list)] = collection }
    }
}

extension SlotList {
    /// A list of the same elements with room for more.
    func copyOfElements(adding count: Int) -> SlotList {
        let copy = unsafe SlotList.make(element: element, capacity: self.count + count)
        for index in 0..<self.count { copy.appendSlot().copyContent(of: slot(at: index)) }
        return copy
    }

    /// Whether nobody, such as a merger, has read the list as a Swift collection, which would not see more elements.
    var isExtensible: Bool { view.load() == nil }
}
