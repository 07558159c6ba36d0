import PalliumCore
import Synchronization

/// Collections that the merge made. A document may mention a model as often as it likes: the first occurrence makes a
/// collection of its own, and those that follow extend it in place. So each takes the time that its own elements take.
struct GrowingCollections {
    /// A collection that later occurrences of its model can extend.
    struct Collection {
        fileprivate(set) var list: SlotList
        /// The elements of a union.
        fileprivate var elements: Set<SlotElementKey> = []
        /// Whether the merge made it. Any other collection is left as it is.
        private var isMade = false

        init(_ list: SlotList, elements: [SlotElementKey] = []) {
            self.list = list
            self.elements = Set(elements)
        }

        /// Makes the collection one of the merge; nil when it is one, which stands in the target already.
        mutating func content(as target: PropertySlot, copy: (SlotList) -> SlotList) -> TemporarySlot? {
            if isMade, list.isExtensible { return nil }
            isMade = true
            list = copy(list)
            return TemporarySlot(holding: list, like: target)
        }
    }

    private var collections: [ObjectIdentifier: Collection] = [:]
    /// The lists that were merged element by element, once some may occur again.
    var repeated: [ObjectIdentifier: ModelMerge.RepeatedElements] = [:]
    /// The dictionaries that have keys without values.
    private var gaps: [ObjectIdentifier: SlotDictionary] = [:]

    /// Takes a collection out, so that nothing is copied when it is extended.
    mutating func take(_ list: SlotList) -> Collection? { collections.removeValue(forKey: ObjectIdentifier(list)) }

    /// Keeps a collection for the next occurrence of its model.
    mutating func keep(_ collection: Collection) { collections[ObjectIdentifier(collection.list)] = collection }

    /// Removes a key from a dictionary that the merge made, at the end of the merge.
    mutating func remove(_ key: String, from dictionary: SlotDictionary) {
        dictionary.slot(forKey: key)
        gaps[ObjectIdentifier(dictionary)] = dictionary
    }

    /// Removes the keys without values.
    mutating func closeGaps() {
        for dictionary in gaps.values { dictionary.removeUnsetElements() }
    }
}

/// Lists and sets made of those of both sides: united or appended.
///
/// Safety: lists are made for the description of the elements of the target, and slots are taken for what their kinds say.
extension ModelMerge {
    /// The elements of the target, then those of the source that are not there; nil when there is nothing to write.
    ///
    /// With a base, what each side added since then is there, and what each side removed is not.
    mutating func union(
        _ target: PropertySlot, _ source: PropertySlot, at index: Int, of pair: Pair, base: PropertySlot?
    ) -> TemporarySlot? {
        let others = source.list
        if pair.isRebase {
            let former = Set(base.flatMap { $0.hasValue ? keys(of: $0.list.before) : nil } ?? [])
            let (own, incoming) = (keys(of: target.list), keys(of: others))
            let (ownKeys, incomingKeys) = (Set(own), Set(incoming))
            let result = SlotList.make(like: target.list, capacity: own.count)
            for key in own where !former.contains(key) || incomingKeys.contains(key) {
                result.appendSlot().copyContent(of: target.list.slot(at: key.index))
            }
            var added: Set<SlotElementKey> = []
            for key in incoming where !former.contains(key) && !ownKeys.contains(key) && added.insert(key).inserted {
                append(others.slot(at: key.index), key.index, to: result, at: index, of: pair)
            }
            return TemporarySlot(holding: result, like: target)
        }
        var union =
            collections.take(target.list)
            ?? GrowingCollections.Collection(target.list, elements: keys(of: target.list))
        let new = keys(of: others).filter { union.elements.insert($0).inserted }
        let content = new.isEmpty ? nil : union.content(as: target) { $0.copyOfElements(adding: new.count) }
        for key in new { append(others.slot(at: key.index), key.index, to: union.list, at: index, of: pair) }
        collections.keep(union)
        return content
    }

    /// In an import, instances can change while their collection waits for the next occurrence.
    private func keys(of list: SlotList) -> [SlotElementKey] {
        SlotElementKey.keys(of: list, stopsAtIdentities: unification != nil)
    }

    /// The elements of the target, then those of the source; nil when there is nothing to write.
    mutating func appended(
        _ target: PropertySlot, _ source: PropertySlot, at index: Int, of pair: Pair
    ) -> TemporarySlot? {
        let others = source.list
        if others.count == 0 { return nil }
        var result = collections.take(target.list) ?? GrowingCollections.Collection(target.list)
        let content = result.content(as: target) { $0.copyOfElements(adding: others.count) }
        for number in 0..<others.count { append(others.slot(at: number), number, to: result.list, at: index, of: pair) }
        // In a rebase, bases may share it, so that it is never extended.
        if !pair.isRebase { collections.keep(result) }
        return content
    }

    private mutating func append(
        _ element: PropertySlot, _ number: Int, to list: SlotList, at index: Int, of pair: Pair
    ) {
        if element.description.kind.mayHoldModels {
            attachPartial(element, .element(number), behind: path(to: index, of: pair))
        }
        list.appendSlot().copyContent(of: element)
    }
}

extension SlotList {
    /// A list of the same elements with room for more.
    func copyOfElements(adding count: Int) -> SlotList {
        let copy = SlotList.make(like: self, capacity: self.count + count)
        for index in 0..<self.count { copy.appendSlot().copyContent(of: slot(at: index)) }
        return copy
    }

    /// The elements of a base: models that were edited count as they were.
    var before: SlotList {
        guard (0..<count).contains(where: { slot(at: $0).hasValue && slot(at: $0).description.kind == .model }) else {
            return self
        }
        let copy = copyOfElements(adding: 0)
        for index in 0..<count where copy.slot(at: index).hasValue {
            copy.slot(at: index).replace(with: copy.slot(at: index).model.stateBefore())
        }
        return copy
    }

    /// Whether nobody, such as a merger, has read the list as a Swift collection, which would not see more elements.
    var isExtensible: Bool { view.load() == nil }
}
