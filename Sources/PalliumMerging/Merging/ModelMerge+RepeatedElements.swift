import PalliumCore

/// Lists matched by identifier, in models that occur many times in one document.
///
/// The second occurrence indexes all elements, and from then on each takes the time that its own elements take. The first
/// that changes the list makes one of its own, which those that follow extend in place.
///
/// Safety: slots are taken for what their kinds say.
extension ModelMerge {
    /// A list that was merged before.
    struct RepeatedElements {
        fileprivate var elements: IdentifiedElements
        /// Whether the merge made the list.
        fileprivate var isMade: Bool
        /// For each element, the number of the source element last merged into it, or -1. Numbers run on from one
        /// occurrence to the next. Empty until the second occurrence.
        private var numbers: [Int] = []
        /// The number of the first element of the present occurrence.
        private var first = 0
        /// How many elements of the present occurrence have no identifier.
        fileprivate var unidentifiedCount = 0
        private var isPrepared = false

        init(_ list: SlotList, _ slots: [Int], isMade: Bool) {
            elements = IdentifiedElements(list, slots)
            self.isMade = isMade
        }

        fileprivate mutating func begin() throws(ModelError) {
            if isPrepared { return }
            try elements.enterAll()
            numbers = Array(repeating: -1, count: elements.list.count)
            isPrepared = true
        }

        /// Notes the number of an element of the source; the former one if the present occurrence had it before.
        fileprivate mutating func note(_ number: Int, at position: Int) -> Int? {
            if numbers[position] >= first { return numbers[position] - first }
            numbers[position] = first + number
            return nil
        }

        /// Adds an element with a new identifier.
        fileprivate mutating func append(_ element: PropertySlot, _ number: Int) {
            elements.list.appendSlot().copyContent(of: element)
            elements.enterLast()
            numbers.append(first + number)
        }

        fileprivate mutating func end(_ count: Int) {
            first += count
            unidentifiedCount = 0
        }
    }

    /// Whether lists are kept for the next occurrence of their model: among many pairs some may be of one model. A rebase
    /// looks at whole lists each time.
    func keepsElements(_ pair: Pair, removesMissing: Bool) -> Bool {
        !pair.isRebase && !removesMissing && queue.pairs.count > 16
    }

    /// Merges another occurrence of a list that keeps what the source lacks. False when the list was not merged before.
    mutating func mergeRepeatedElements(
        _ index: Int, of pair: Pair, _ target: PropertySlot, _ source: PropertySlot, slots: [Int],
        _ requiresIdentifiers: Bool
    ) throws(ModelError) -> Bool {
        guard target.hasValue, var present = collections.repeated.removeValue(forKey: ObjectIdentifier(target.list)),
            present.elements.slots == slots
        else { return false }
        // Taken out and put back, so that nothing is copied.
        defer { collections.repeated[ObjectIdentifier(present.elements.list)] = present }
        try present.begin()
        let path = path(to: index, of: pair)
        let list = source.list
        for number in 0..<list.count {
            let element = list.slot(at: number)
            let identifier = try present.elements.identifier(of: element, number, isRequired: requiresIdentifiers)
            if identifier == nil {
                let position = present.elements.unidentified(present.unidentifiedCount)
                present.unidentifiedCount += 1
                if let position, present.elements.holdsValues(of: element, at: position) { continue }
            }
            guard let identifier, let position = present.elements.position(of: identifier) else {
                try separate(&present, at: index, of: pair)
                attachPartial(element, .element(number), behind: path)
                present.append(element, number)
                continue
            }
            if let other = present.note(number, at: position) {
                throw present.elements.repetition(identifier, number, other)
            }
            let (model, other) = (present.elements.list.slot(at: position).model, element.model)
            if model === other { continue }
            // A set that an accessor has handed out hashes its elements, so it is made anew when they may change.
            let isMerged = mergesInPlace(other, into: model)
            if !isMerged || target.description.kind == .set { try separate(&present, at: index, of: pair) }
            if isMerged {
                enqueue(other, into: model, .element(position, source: number, of: path), false, nil)
            } else {
                attachPartial(element, .element(number), behind: path)
                present.elements.list.slot(at: position).replace(with: other)
            }
        }
        present.end(list.count)
        return true
    }

    /// Makes the list one of the merge.
    private mutating func separate(
        _ present: inout RepeatedElements, at index: Int, of pair: Pair
    ) throws(ModelError) {
        if present.isMade, present.elements.list.isExtensible { return }
        present.isMade = true
        present.elements.moveToCopy()
        let content = TemporarySlot(holding: present.elements.list, like: pair.target.slot(at: index))
        try write(content.slot, at: index, of: pair, ModelDifference.Note(decision: .taken))
    }
}
