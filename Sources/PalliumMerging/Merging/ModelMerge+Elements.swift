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
        let base: IdentifiedElements?
        let removesMissing: Bool
        /// The elements of the target after the merge.
        var result: MergedElements
        /// Whether elements are merged in place.
        var hasPairs = false
        /// By the number of a source element, the model that the base gets instead of it, because a local edit added,
        /// removed or replaced the model.
        var standIns: [Int: TemporarySlot] = [:]
    }

    /// Merges two lists. O(*n*).
    mutating func mergeElements(
        _ index: Int, of pair: Pair, _ target: PropertySlot, _ source: PropertySlot, slots: [Int],
        removesMissing: Bool
    ) throws(ModelError) {
        var present = IdentifiedElements(target.hasValue ? target.list : nil, slots)
        // Only what a waiting pair does not concern can be told to be unchanged now.
        let skipsUnchanged = !pair.isRebase && !hasPendingPairs
        let matched = try MatchedElements(source.list, slots, among: &present) {
            skipsUnchanged && isPlainlyUnchanged($0, in: $1)
        }
        // Weak references to them are to lead to the elements of the target. Documents have no weak references.
        if !options.isPartial, matched.areUnchanged.contains(true) { unchangedElements.append((matched, present.list)) }
        let baseSlot = pair.base?.slot(at: index)
        var base = baseSlot.map { IdentifiedElements($0.hasValue ? $0.list : nil, slots) }
        try base?.prepare()
        var elements = unsafe ElementMerge(
            index: index, pair: pair, path: path(to: index, of: pair), present: present, source: matched, base: base,
            removesMissing: removesMissing,
            result: MergedElements(present.list, element: target.description.elementReference))
        reserve(matched.areUnchanged.count { !$0 })
        if baseSlot?.hasValue ?? false, !target.hasValue {
            return try mergeIntoRemovedList(&elements, target, source)
        }
        try mergeInOrder(&elements)
        // A set that an accessor has handed out hashes its elements, so it is made anew when they may change.
        let isMade =
            !target.hasValue || !elements.result.isSame
            || elements.hasPairs && target.description.kind == .set
        if isMade {
            let content = unsafe TemporarySlot(holding: elements.result.list, as: target.descriptor)
            try write(content.slot, at: index, of: pair, ModelDifference.Note(decision: .taken))
        }
        if keepsElements(pair, removesMissing: removesMissing) {
            let list = isMade ? elements.result.list : present.list
            repeated[ObjectIdentifier(list)] = RepeatedElements(list, slots, isMade: isMade)
        }
        if let base, let baseSlot {
            var elements = baseElements(elements, base)
            if baseSlot.hasValue, elements.isSame { return }
            unsafe writeBase(TemporarySlot(holding: elements.list, as: target.descriptor), at: index, of: pair)
        }
    }

    /// Puts the elements in the order in which they are to stand, and merges them.
    private mutating func mergeInOrder(_ elements: inout ElementMerge) throws(ModelError) {
        let (present, source, base) = (elements.present, elements.source, elements.base)
        // A document that keeps what it does not mention says nothing of the order. Where the source left the list as it
        // was, it stays as it is, too.
        guard elements.removesMissing, base.map({ !$0.holdsSameElements(as: source.list) }) ?? true else {
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
        guard let base else {
            for number in 0..<source.list.count { try mergeElement(number, &elements) }
            return
        }
        try mergeInOrder(&elements, base: base)
    }

    /// Merges the elements of a list that both sides may have ordered anew.
    private mutating func mergeInOrder(
        _ elements: inout ElementMerge, base: IdentifiedElements
    ) throws(ModelError) {
        let (present, source) = (elements.present, elements.source)
        // Elements are numbered by their positions in the base, then by those in the target, then by those in the source.
        let firstOfSource = base.list.count + present.list.count
        let local = (0..<present.list.count).map { position in
            present.identifier(at: position).flatMap { base.position(of: $0) } ?? base.list.count + position
        }
        let incoming = (0..<source.list.count).map { number in
            let position = source.matches[number]
            if position >= 0 { return local[position] }
            return base.position(of: source.list.slot(at: number).model) ?? firstOfSource + number
        }
        // Elements inserted or edited since the base are not removed, nor do those return that an edit removed.
        var survives = Array(repeating: false, count: firstOfSource + source.list.count)
        for (position, element) in local.enumerated() {
            survives[element] =
                source.numbers[position] >= 0 || element >= base.list.count
                || ModelDifference.differ(
                    base.list.slot(at: element), present.list.slot(at: position), leftSide: .base)
        }
        for (number, element) in incoming.enumerated() where element >= firstOfSource || source.matches[number] >= 0 {
            survives[element] = true
        }
        let order = ElementOrder(
            baseCount: base.list.count, count: survives.count, local: local, incoming: incoming,
            survives: { survives[$0] })
        var positions = Array(repeating: -1, count: survives.count)
        var numbers = positions
        for (position, element) in local.enumerated() { positions[element] = position }
        for (number, element) in incoming.enumerated() { numbers[element] = number }
        // Sets have no order that anybody could have meant.
        let conflicts = elements.pair.target.slot(at: elements.index).description.kind == .set ? [] : order.conflicts
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
            // An edit keeps an element that the source removed.
            if element < base.list.count {
                keepElement(
                    present.list.slot(at: position), nil, elements,
                    path: paths.append(elements.result.count, to: elements.path))
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
        let other = element.model
        if position >= 0 {
            let model = elements.present.list.slot(at: position).model
            if model === other, elements.base == nil { return elements.result.append(targetElement: position) }
            if model === other || mergesInPlace(other, into: model) {
                elements.hasPairs = true
                var modelBase: DynamicModel?
                var isRebase = elements.pair.isRebase
                var isSame = elements.base == nil
                if let base = elements.base, let old = base.position(of: other) {
                    (modelBase, isSame) = self.base(of: model, insteadOf: base.list.slot(at: old), other)
                    if isSame, modelBase == nil { isRebase = false }
                }
                // A local edit put another model here.
                if !isSame {
                    var state = modelBase
                    if state == nil {
                        do throws(ModelError) { state = try sourceState(of: model, from: other) } catch {
                            throw error.at(["\(number)"])
                        }
                    }
                    elements.standIns[number] = state.map { unsafe TemporarySlot(holding: $0, as: element.descriptor) }
                }
                enqueue(
                    other, into: model, path: .element(elements.result.count, source: number, of: elements.path),
                    isRebase: isRebase, base: modelBase)
                return elements.result.append(targetElement: position)
            }
        } else if let base = elements.base, let old = base.position(of: other) {
            // A local edit removed it, and that edit survives.
            try standIn(for: number, insteadOf: old, of: base, &elements)
            let state = elements.standIns[number]?.slot ?? element
            if ModelDifference.differ(base.list.slot(at: old), state, leftSide: .baseOfOthers) {
                keepElement(nil, element, elements, path: paths.append(number, to: elements.path))
            }
            return
        }
        attachPartial(element, path: paths.append(number, to: elements.path))
        elements.result.append(element)
    }

    // MARK: Bases

    /// Merges what a source says about a list that a local edit removed: the edit survives.
    private mutating func mergeIntoRemovedList(
        _ elements: inout ElementMerge, _ target: PropertySlot, _ source: PropertySlot
    ) throws(ModelError) {
        guard let base = elements.base, let baseSlot = elements.pair.base?.slot(at: elements.index) else { return }
        for number in 0..<elements.source.list.count {
            if let old = base.position(of: elements.source.list.slot(at: number).model) {
                try standIn(for: number, insteadOf: old, of: base, &elements)
            } else {
                attachPartial(
                    elements.source.list.slot(at: number), path: paths.append(number, to: elements.path))
            }
        }
        var result = baseElements(elements, base)
        let content = unsafe TemporarySlot(holding: result.list, as: target.descriptor)
        if ModelDifference.differ(baseSlot, content.slot, leftSide: .baseOfOthers) {
            keepElement(nil, source, elements, path: elements.path)
            writeBase(content, at: elements.index, of: elements.pair)
        }
    }

    /// Finds the model that the base gets for an element that a local edit removed: a completed one in `standIns`, or
    /// else the source as it is.
    private mutating func standIn(
        for number: Int, insteadOf old: Int, of base: IdentifiedElements, _ elements: inout ElementMerge
    ) throws(ModelError) {
        let element = elements.source.list.slot(at: number)
        do throws(ModelError) {
            elements.standIns[number] = try whole(element, insteadOf: base.list.slot(at: old))
        } catch { throw error.at(["\(number)"]) }
        if elements.standIns[number] == nil {
            attachPartial(element, path: paths.append(number, to: elements.path))
        }
    }

    /// The elements as the source has them now. Those that both sides have are the objects of the target, whose own bases
    /// follow.
    private func baseElements(_ elements: ElementMerge, _ base: IdentifiedElements) -> MergedElements {
        let source = elements.source
        var result = unsafe MergedElements(base.list, element: source.list.element)
        // The numbers of the elements of the source by the positions of those in the base.
        var numbers = Array(repeating: -1, count: base.list.count)
        var positions = Array(repeating: -1, count: source.list.count)
        for number in 0..<source.list.count {
            guard let old = base.position(of: source.list.slot(at: number).model) else { continue }
            numbers[old] = number
            positions[number] = old
        }
        func add(_ number: Int) {
            let (old, position) = (positions[number], source.matches[number])
            if old >= 0, position >= 0,
                base.list.slot(at: old).model === elements.present.list.slot(at: position).model
            {
                return result.append(targetElement: old)
            }
            result.append(elements.standIns[number]?.slot ?? source.list.slot(at: number))
        }
        if !elements.removesMissing {
            for old in 0..<base.list.count {
                if numbers[old] >= 0 { add(numbers[old]) } else { result.append(targetElement: old) }
            }
        }
        for number in 0..<source.list.count where elements.removesMissing || positions[number] < 0 { add(number) }
        return result
    }

    /// Reports that an element that one side removed stays as the local edit left it, although the other side changed it.
    private mutating func keepElement(
        _ target: PropertySlot?, _ source: PropertySlot?, _ elements: ElementMerge, path: Int
    ) {
        kept.append(
            ModelChange(
                key: elements.pair.target.layout.properties[elements.index].key, decision: .kept, isConflict: true,
                paths: paths, path: path, old: target, new: source))
    }
}
