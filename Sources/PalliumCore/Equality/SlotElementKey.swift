/// An element of a list, compared by its content.
package struct SlotElementKey: Hashable {
    let list: SlotList
    package let index: Int
    /// The hash of an element that may hold models, because many models may have equal hashes of their own.
    private let hash: Int?

    /// Returns the keys of all elements of a list.
    ///
    /// - Parameter isAlone: Whether no elements of other lists are compared with them. Complete hashes are then
    ///   computed only for elements whose hashes collide.
    /// - Parameter stopsAtIdentities: Whether models with an identity are hashed by that alone, so that the keys stay right
    ///   when those models change.
    package static func keys(
        of list: SlotList, isAlone: Bool = false, stopsAtIdentities: Bool = false
    ) -> [SlotElementKey] {
        let slots = (0..<list.count).map { list.slot(at: $0) }
        guard slots.first?.description.kind.mayHoldModels ?? false else {
            return slots.indices.map { SlotElementKey(list: list, index: $0, hash: nil) }
        }
        let hashes =
            isAlone
            ? ModelHashing.hashValues(of: slots)
            : ModelHashing.completeHashValues(of: slots, stopsAtIdentities: stopsAtIdentities)
        return slots.indices.map { SlotElementKey(list: list, index: $0, hash: hashes[$0]) }
    }

    package static func == (left: SlotElementKey, right: SlotElementKey) -> Bool {
        // Models may change while they are keys. Those that were different stay so.
        left.hash == right.hash
            && ModelComparison.equal(left.list.slot(at: left.index), right.list.slot(at: right.index))
    }

    package func hash(into hasher: inout Hasher) {
        if let hash { hasher.combine(hash) } else { ModelHashing.hash(list.slot(at: index), into: &hasher) }
    }
}

// Safety: the new list has the descriptor of the old one, which its owner keeps.
extension SlotList {
    /// Returns the list without elements that equal an earlier one; the list itself when there are none.
    package func removingDuplicates() -> SlotList {
        guard count > 1 else { return self }
        var visited: Set<SlotElementKey> = []
        visited.reserveCapacity(count)
        var unique: [Int] = []
        for key in SlotElementKey.keys(of: self, isAlone: true) where visited.insert(key).inserted {
            unique.append(key.index)
        }
        guard unique.count < count else { return self }
        let result = SlotList.make(like: self, capacity: unique.count)
        for index in unique { result.appendSlot().copyContent(of: slot(at: index)) }
        return result
    }
}
