import PalliumAdapter
import PalliumCore

/// Lists of models whose elements are matched by their identifiers.
///
/// Safety: lists are made for the description of the elements of the target.
extension ModelMerge {
    /// The state of a merge of two lists.
    struct ElementMerge {
        let index: Int
        let pair: Pair
        let path: Int
        let present: IdentifiedElements
        let source: MatchedElements
        let base: FormerElements?
        let removesMissing: Bool
        /// The positions of the elements of the target that stay, because the source has them but could not be decoded.
        let skipped: Set<Int>
        /// The elements of the target after the merge.
        var result: MergedElements
        /// Whether elements are merged in place.
        var hasPairs = false
        /// By the number of a source element, the model that the base gets instead of it, because a local edit added,
        /// removed or replaced the model.
        var standIns: [Int: TemporarySlot] = [:]
        /// The numbers of the source elements that are other models than those of the target with their identifiers.
        var others: Set<Int> = []
    }

    /// The elements of the base, with those of the source and of the target that are states of them.
    struct FormerElements {
        let list: SlotList
        /// By element of the source, the position of the one of the base, or -1.
        let positions: [Int]
        /// By element of the target, the same.
        let positionsOfPresent: [Int]
        /// The positions of the elements that stay, because the source has them but could not be decoded.
        let skipped: Set<Int>

        /// The slot of the base for an element of the source.
        func slot(for number: Int) -> PropertySlot? { positions[number] < 0 ? nil : list.slot(at: positions[number]) }
    }

    /// Merges two lists. O(*n*).
    mutating func mergeElements(
        _ index: Int, of pair: Pair, _ target: PropertySlot, _ source: PropertySlot, slots: [Int],
        removesMissing: Bool, _ requiresIdentifiers: Bool
    ) throws(ModelError) {
        var present = IdentifiedElements(target.hasValue ? target.list : nil, slots)
        if target.description.kind == .set, options.isPartial, unification == nil {
            // Without an identifier, an element is found by all its values, defaults included. It is not merged in place.
            for number in 0..<source.list.count where source.list.slot(at: number).hasValue {
                let model = source.list.slot(at: number).model
                if ModelIdentifier(model, slots: slots) == nil { try? model.complete() }
            }
        }
        // Only what a waiting pair does not concern can be told to be unchanged now.
        let skipsUnchanged = !pair.isRebase && queue.isAtEnd
        var matched = try MatchedElements(
            source.list, among: &present, requiresIdentifiers: requiresIdentifiers, allowsRepetition: isWhole,
            isSet: target.description.kind == .set
        ) { source, target in skipsUnchanged && isPlainlyUnchanged(source, in: target) }
        // Weak references to them are to lead to the elements of the target. Documents have no weak references.
        if !options.isPartial, matched.areUnchanged.contains(true) {
            references.unchangedElements.append((matched, present.list))
        }
        let baseSlot = pair.base?.slot(at: index)
        let base = try baseSlot.map { slot throws(ModelError) in
            try formerElements(
                slot.hasValue ? slot.list : nil, &matched, present, isSet: target.description.kind == .set)
        }
        var elements = ElementMerge(
            index: index, pair: pair, path: path(to: index, of: pair), present: present, source: matched, base: base,
            removesMissing: removesMissing || isWhole,
            skipped: removesMissing ? skippedElements(of: matched, among: present, matched.numbers) : [],
            result: MergedElements(present.list, element: target.description.unownedElement))
        queue.reserve(matched.areUnchanged.count { !$0 })
        if baseSlot?.hasValue ?? false, !target.hasValue {
            return try mergeIntoRemovedList(&elements, target, source)
        }
        try mergeInOrder(&elements)
        // A set that an accessor has handed out hashes its elements, so it is made anew when they may change.
        let isMade =
            !target.hasValue || !elements.result.isSame
            || elements.hasPairs && target.description.kind == .set
        if isMade {
            let content = TemporarySlot(holding: elements.result.list, like: target)
            try write(content.slot, at: index, of: pair, ModelDifference.Note(decision: .taken))
        }
        if keepsElements(pair, removesMissing: removesMissing) {
            let list = isMade ? elements.result.list : present.list
            collections.repeated[ObjectIdentifier(list)] = RepeatedElements(list, slots, isMade: isMade)
        }
        if let base, let baseSlot, !isWhole {
            var elements = baseElements(elements, base)
            if baseSlot.hasValue, elements.isSame { return }
            writeBase(TemporarySlot(holding: elements.list, like: target), at: index, of: pair)
        }
    }

    private func formerElements(
        _ list: SlotList?, _ source: inout MatchedElements, _ present: IdentifiedElements, isSet: Bool
    ) throws(ModelError) -> FormerElements {
        var former = IdentifiedElements(list, present.slots, isBase: true)
        let own = try MatchedElements(present.list, among: &former, allowsRepetition: isWhole, isSet: isSet)
        let incoming = try MatchedElements(source.list, among: &former, allowsRepetition: isWhole, isSet: isSet)
        // An edit of an element without an identifier leaves it the element that it was.
        for (number, old) in incoming.matches.enumerated() where old >= 0 && own.numbers[old] >= 0 {
            source.match(number, with: own.numbers[old])
        }
        return FormerElements(
            list: former.list, positions: incoming.matches, positionsOfPresent: own.matches,
            skipped: skippedElements(of: source, among: former, incoming.numbers))
    }

    /// The positions of the elements that the source has in a form that could not be decoded: all that were not matched, if
    /// an identifier could not be read.
    private func skippedElements(
        of source: MatchedElements, among elements: IdentifiedElements, _ numbers: [Int]
    ) -> Set<Int> {
        guard let skipped = options.skippedElements[ObjectIdentifier(source.list)] else { return [] }
        let identifiers = Set(skipped.parts.compactMap { ModelIdentifier($0, slots: elements.slots) })
        let areUnknown = skipped.areUnknown || identifiers.count < skipped.parts.count
        return Set(
            numbers.indices.filter { position in
                numbers[position] < 0
                    && (areUnknown || elements.identifier(at: position).map { identifiers.contains($0) } ?? false)
            })
    }

    /// Puts the elements in the order in which they are to stand, and merges them.
    private mutating func mergeInOrder(_ elements: inout ElementMerge) throws(ModelError) {
        let (present, source) = (elements.present, elements.source)
        // A document that keeps what it does not mention says nothing of the order. Where the source left the list as it
        // was, it stays as it is, too.
        guard elements.removesMissing, isWhole || !(elements.base?.holdsSameElements ?? false) else {
            for position in 0..<present.list.count {
                let number = source.numbers[position]
                if number >= 0 {
                    try mergeElement(number, &elements)
                } else {
                    elements.result.append(targetElement: position)
                }
            }
            for number in 0..<source.list.count where source.matches[number] < 0 {
                try mergeElement(number, &elements)
            }
            return
        }
        if !isWhole, elements.base != nil || !elements.skipped.isEmpty {
            try mergeInBothOrders(&elements)
        } else {
            for number in 0..<source.list.count { try mergeElement(number, &elements) }
        }
    }

    /// Merges the elements of a list that both sides may have ordered anew. Without a base, that is the target.
    private mutating func mergeInBothOrders(_ elements: inout ElementMerge) throws(ModelError) {
        let (present, source, base) = (elements.present, elements.source, elements.base)
        // Elements are numbered by their positions in the base, then by those in the target, then by those in the source.
        let baseCount = base?.list.count ?? present.list.count
        let firstOfSource = baseCount + present.list.count
        let local = (0..<present.list.count).map { position in
            let old = base.map { $0.positionsOfPresent[position] } ?? position
            return old >= 0 ? old : baseCount + position
        }
        let incoming = (0..<source.list.count).map { number in
            let position = source.matches[number]
            if position >= 0 { return local[position] }
            let old = base.map { $0.positions[number] } ?? -1
            return old >= 0 ? old : firstOfSource + number
        }
        // Elements inserted or edited since the base are not removed, nor do those return that an edit removed.
        var survives = Array(repeating: false, count: firstOfSource + source.list.count)
        for (position, element) in local.enumerated() {
            survives[element] =
                source.numbers[position] >= 0 || element >= baseCount || elements.skipped.contains(position)
                || base.map { base in
                    ModelDifference.differ(
                        base.list.slot(at: element), present.list.slot(at: position), leftSide: .base)
                } ?? false
        }
        for (number, element) in incoming.enumerated() where element >= firstOfSource || source.matches[number] >= 0 {
            survives[element] = true
        }
        let order = ElementOrder(
            baseCount: baseCount, count: survives.count, local: local, incoming: incoming,
            survives: { survives[$0] })
        var positions = Array(repeating: -1, count: survives.count)
        var numbers = positions
        for (position, element) in local.enumerated() { positions[element] = position }
        for (number, element) in incoming.enumerated() { numbers[element] = number }
        // Sets have no order that anybody could have meant.
        let isSet = elements.pair.target.slot(at: elements.index).description.kind == .set
        let conflicts = isSet || base == nil ? [] : order.conflicts
        for element in order.elements {
            let (position, number) = (positions[element], numbers[element])
            if conflicts.contains(element) {
                keepElement(
                    present.list.slot(at: position), source.list.slot(at: number), elements,
                    path: paths.append(elements.result.count, to: elements.path))
            }
            if number >= 0 {
                try mergeElement(number, &elements)
                continue
            }
            // An edit keeps an element that the source removed, and so does a document that has it in another form.
            if element < baseCount {
                keepElement(
                    present.list.slot(at: position), nil, elements,
                    path: paths.append(elements.result.count, to: elements.path),
                    isConflict: !elements.skipped.contains(position))
            }
            elements.result.append(targetElement: position)
        }
        // What an edit removed.
        for (number, element) in incoming.enumerated() where !survives[element] { try mergeElement(number, &elements) }
    }

    /// Merges an element of the source.
    private mutating func mergeElement(_ number: Int, _ elements: inout ElementMerge) throws(ModelError) {
        let position = elements.source.matches[number]
        if elements.source.areUnchanged[number] { return elements.result.append(targetElement: position) }
        let element = elements.source.list.slot(at: number)
        guard element.hasValue else { return elements.result.append(element) }
        let own = position >= 0 ? elements.present.list.slot(at: position) : nil
        let former = elements.base?.slot(for: number)
        let met: Encounter
        do throws(ModelError) {
            met = try encounter(
                element, own: own?.model, former: former, hasBase: elements.base != nil, at: elements.index,
                of: elements.pair)
        } catch { throw error.at(["\(number)"]) }
        let place = GraphPaths.Path.element(elements.result.count, source: number, of: elements.path)
        switch met {
        case .same: elements.result.append(targetElement: position)
        case .merged(let base, let isRebase):
            if let own { enqueue(element.model, into: own.model, place, isRebase, base) }
            elements.hasPairs = true
            elements.result.append(targetElement: position)
        case .replacedByEdit(let base, let state):
            elements.standIns[number] = state
            if let own { enqueue(element.model, into: own.model, place, elements.pair.isRebase, base) }
            elements.hasPairs = true
            elements.result.append(targetElement: position)
        case .removedByEdit, .new:
            if let own, elements.base != nil {
                // Another model has the identifier.
                elements.others.insert(number)
                if case .removedByEdit(let state) = met { elements.standIns[number] = state }
                if former.map({ ModelDifference.differ($0, own, leftSide: .base) }) ?? true {
                    attachPartial(element, .element(number), behind: elements.path, isVisible: false)
                    let path = paths.append(elements.result.count, to: elements.path)
                    keepElement(own, element, elements, path: path)
                    return elements.result.append(targetElement: position)
                }
            }
            guard case .removedByEdit(let state) = met, own == nil else {
                attachPartial(element, .element(number), behind: elements.path)
                return elements.result.append(element)
            }
            elements.standIns[number] = state
            if state == nil { attachPartial(element, .element(number), behind: elements.path, isVisible: false) }
            if let former, ModelDifference.differ(former, state?.slot ?? element, leftSide: .baseOfOthers) {
                keepElement(nil, element, elements, path: paths.append(number, to: elements.path))
            }
        }
    }

    // MARK: Bases

    /// Merges what a source says about a list that a local edit removed: the edit survives.
    private mutating func mergeIntoRemovedList(
        _ elements: inout ElementMerge, _ target: PropertySlot, _ source: PropertySlot
    ) throws(ModelError) {
        guard let base = elements.base, let baseSlot = elements.pair.base?.slot(at: elements.index) else { return }
        for number in 0..<elements.source.list.count {
            let element = elements.source.list.slot(at: number)
            if let former = base.slot(for: number) {
                do throws(ModelError) {
                    elements.standIns[number] = try whole(
                        element, insteadOf: former, at: elements.index, of: elements.pair)
                } catch { throw error.at(["\(number)"]) }
            }
            if elements.standIns[number] == nil {
                attachPartial(element, .element(number), behind: elements.path, isVisible: false)
            }
        }
        var result = baseElements(elements, base)
        let content = TemporarySlot(holding: result.list, like: target)
        if ModelDifference.differ(baseSlot, content.slot, leftSide: .baseOfOthers) {
            keepElement(nil, source, elements, path: elements.path)
            writeBase(content, at: elements.index, of: elements.pair)
        }
    }

    /// The elements as the source has them now. Those that both sides have are the objects of the target, whose own bases
    /// follow.
    private func baseElements(_ elements: ElementMerge, _ base: FormerElements) -> MergedElements {
        let source = elements.source
        var result = MergedElements(base.list, element: source.list.unownedElement)
        // The numbers of the elements of the source by the positions of those in the base.
        var numbers = Array(repeating: -1, count: base.list.count)
        for (number, old) in base.positions.enumerated() where old >= 0 { numbers[old] = number }
        func add(_ number: Int) {
            let (old, position) = (base.positions[number], source.matches[number])
            if old >= 0, position >= 0, !elements.others.contains(number),
                base.list.slot(at: old).model === elements.present.list.slot(at: position).model
            {
                return result.append(targetElement: old)
            }
            result.append(elements.standIns[number]?.slot ?? source.list.slot(at: number))
        }
        guard elements.removesMissing else {
            for old in 0..<base.list.count {
                if numbers[old] >= 0 { add(numbers[old]) } else { result.append(targetElement: old) }
            }
            for number in 0..<source.list.count where base.positions[number] < 0 { add(number) }
            return result
        }
        // Elements that could not be decoded stand behind their left neighbours.
        var followers: [Int: [Int]] = [:]
        var left = -1
        for old in 0..<base.list.count {
            if numbers[old] >= 0 {
                left = old
            } else if base.skipped.contains(old) {
                followers[left, default: []].append(old)
            }
        }
        for old in followers[-1] ?? [] { result.append(targetElement: old) }
        for number in 0..<source.list.count {
            add(number)
            for old in followers[base.positions[number]] ?? [] where base.positions[number] >= 0 {
                result.append(targetElement: old)
            }
        }
        return result
    }

    /// Reports that an element stays as it is.
    private mutating func keepElement(
        _ target: PropertySlot?, _ source: PropertySlot?, _ elements: ElementMerge, path: Int, isConflict: Bool = true
    ) {
        keep(target, source, at: elements.index, of: elements.pair, path: path, isConflict: isConflict)
    }
}

extension ModelMerge.FormerElements {
    /// Whether the source has the elements of the base in their order.
    fileprivate var holdsSameElements: Bool { positions.elementsEqual(0..<list.count) }
}
