/// Lists matched by identifiers whose model a document mentions again and again.
///
/// The second mention makes all elements to be found, and from then on each takes the time that its own elements take. The
/// first that changes the list makes one of its own, which those that follow change in place.
///
/// Safety: slots are taken for what their kinds say.
extension ModelMerge {
    /// A list that was merged before.
    struct MentionedElements {
        fileprivate var elements: IdentifiedElements
        /// Whether the list was made by the merge, and a step waits for it.
        fileprivate var isMade: Bool
        /// By element, the number of the last incoming one, counted through all mentions; empty until the second mention.
        private var numbers: [Int] = []
        /// The number of the first element of the present mention.
        private var first = 0
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

        /// Notes the incoming number of an element; the former one where the present mention had it before.
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

        fileprivate mutating func end(_ count: Int) { first += count }
    }

    /// Whether lists are kept in mind for the next mention of their model: where there are many pairs some may be of one
    /// model. A rebase looks at whole lists each time.
    func keepsMentions(_ pair: Pair, removesMissing: Bool) -> Bool {
        !pair.isRebase && !removesMissing && pairs.count > 16
    }

    /// Plans another merge of a list that keeps what the incoming one lacks. False when the list was not merged before.
    mutating func planMention(
        _ index: Int, of pair: Pair, _ own: PropertySlot, _ incoming: PropertySlot, slots: [Int]
    ) throws(ModelError) -> Bool {
        guard own.hasValue, var known = mentioned.removeValue(forKey: ObjectIdentifier(own.list)),
            known.elements.slots == slots
        else { return false }
        // Taken out and put back, so that nothing is copied.
        defer { mentioned[ObjectIdentifier(known.elements.list)] = known }
        try known.begin()
        let place = place(of: index, of: pair)
        let list = incoming.list
        for number in 0..<list.count {
            let element = list.slot(at: number)
            let identifier = try IdentifiedElements.identifier(of: element, slots, number)
            guard let position = known.elements.position(of: identifier) else {
                try separate(&known, at: index, of: pair, own)
                adoptPart(element, place: paths.append(number, to: place))
                known.append(element, number)
                continue
            }
            if let other = known.note(number, at: position) {
                throw known.elements.repetition(identifier, number, other)
            }
            let target = known.elements.list.slot(at: position)
            let model = unsafe SlotOperations.box(DynamicModel.self, target.pointer)
            let other = unsafe SlotOperations.box(DynamicModel.self, element.pointer)
            if model === other { continue }
            // A set that an accessor has handed out hashes its elements, so it is made anew when they may change.
            let isMerged = mergesInPlace(other, into: model)
            if !isMerged || own.description.kind == .set { try separate(&known, at: index, of: pair, own) }
            if isMerged {
                enqueue(other, into: model, place: .element(position, incoming: number, of: place))
            } else {
                adoptPart(element, place: paths.append(number, to: place))
                known.elements.list.slot(at: position).replace(with: other)
            }
        }
        known.end(list.count)
        return true
    }

    /// Makes the list one of its own.
    private mutating func separate(
        _ known: inout MentionedElements, at index: Int, of pair: Pair, _ own: PropertySlot
    ) throws(ModelError) {
        if known.isMade { return }
        known.isMade = true
        known.elements.moveToCopy()
        let content = unsafe TemporarySlot(holding: known.elements.list, as: own.descriptor)
        try add(content, at: index, of: pair, ModelDifference.Note(decision: .taken))
    }
}
