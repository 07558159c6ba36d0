/// Collections: united, appended, or matched by the identity of their models.
extension ModelMerge {
    /// The own elements or members, then the incoming ones that are not there.
    ///
    /// In a rebase, what the program removed since the base stays removed, and a dictionary member that did not change
    /// since then does not touch the own one.
    func union(_ own: PropertySlot, _ incoming: PropertySlot, base: PropertySlot?) -> TemporarySlot {
        let content = TemporarySlot(descriptor: own.descriptor)
        let base = base?.hasValue ?? false ? base : nil
        if own.description.kind == .dictionary {
            content.slot.replace(with: united(own, incoming, base: base) as SlotList)
            return content
        }
        let list = own.list
        let others = incoming.list
        let result = list.copyOfElements(adding: others.count)
        var known: Set<SlotElementKey> = []
        known.reserveCapacity(list.count + others.count)
        for index in 0..<list.count { known.insert(SlotElementKey(list: list, index: index)) }
        if let removed = base?.list {
            // Entered as known, what was removed is not added again.
            for index in 0..<removed.count { known.insert(SlotElementKey(list: removed, index: index)) }
        }
        for index in 0..<others.count where known.insert(SlotElementKey(list: others, index: index)).inserted {
            result.appendSlot().copyContent(of: others.slot(at: index))
        }
        content.slot.replace(with: result)
        return content
    }

    private func united(_ own: PropertySlot, _ incoming: PropertySlot, base: PropertySlot?) -> SlotDictionary {
        let members = SlotOperations.box(SlotDictionary.self, own.pointer)
        let others = SlotOperations.box(SlotDictionary.self, incoming.pointer)
        let before = base.map { SlotOperations.box(SlotDictionary.self, $0.pointer) }
        let result = SlotDictionary(element: members.element)
        for (index, key) in members.keys.enumerated() {
            result.slot(forKey: key).copyContent(of: members.slot(at: index))
        }
        for (index, key) in others.keys.enumerated() {
            if let before, let old = before.index(of: key) {
                let isUnchanged = ModelComparison.equal(before.slot(at: old), others.slot(at: index))
                if isUnchanged || members.index(of: key) == nil { continue }
            }
            result.slot(forKey: key).copyContent(of: others.slot(at: index))
        }
        return result
    }

    /// The own elements, then the incoming ones.
    func appended(_ own: PropertySlot, _ incoming: PropertySlot) -> TemporarySlot {
        let content = TemporarySlot(descriptor: own.descriptor)
        let others = incoming.list
        let result = own.list.copyOfElements(adding: others.count)
        for index in 0..<others.count { result.appendSlot().copyContent(of: others.slot(at: index)) }
        content.slot.replace(with: result)
        return content
    }

    // MARK: In place

    /// Plans what merges below the property instead of replacing it. False when it is to be replaced after all.
    mutating func planInPlace(
        _ index: Int, of pair: Pair, _ rule: MergeRule, own: PropertySlot, incoming: PropertySlot
    ) throws(ModelError) -> Bool {
        guard rule.mergesInPlace, incoming.hasValue else { return false }
        if case .byIdentifier(let key, let removesMissing) = rule {
            try planElements(index, of: pair, own, incoming, key: key, removesMissing: removesMissing)
            return true
        }
        guard own.hasValue else { return false }
        let model = SlotOperations.box(DynamicModel.self, own.pointer)
        let other = SlotOperations.box(DynamicModel.self, incoming.pointer)
        if model === other { return true }
        guard mergesInPlace(other, into: model) else { return false }
        let (place, origin) = places(of: index, of: pair)
        if options.isRebase, let base = pair.own.trackedBase?.slot(at: index),
            !base.hasValue || SlotOperations.box(DynamicModel.self, base.pointer) !== model
        {
            // The program put another model here; what came is what the program's one is compared with from now on.
            addBase(TemporarySlot(copying: incoming), at: index, of: pair)
            if options.isPartial { adopt(incoming, origin: origin) }
        }
        enqueue(other, into: model, place: place, origin: origin)
        return true
    }

    /// Whether a model can become what another one says without becoming something else.
    private func mergesInPlace(_ incoming: DynamicModel, into own: DynamicModel) -> Bool {
        // The instance of an identity replaces what else has it; what came about it is merged into the instance.
        if unification != nil, incoming.isUnique { return false }
        guard own.layout.isDescendant(of: incoming.layout) else { return false }
        guard let identifier = incoming.modelIdentifier, let known = own.modelIdentifier else { return true }
        return identifier == known
    }

    /// Plans the merge of two lists of models whose elements are matched by their identifiers. O(*n*).
    private mutating func planElements(
        _ index: Int, of pair: Pair, _ own: PropertySlot, _ incoming: PropertySlot, key: String?, removesMissing: Bool
    ) throws(ModelError) {
        let slots = Self.identifierSlots(own.description, key: key)
        let known = try IdentifiedElements(own.hasValue ? own.list : nil, slots)
        let came = try IdentifiedElements(incoming.list, slots, isComplete: true)
        let baseSlot = options.isRebase ? pair.own.trackedBase?.slot(at: index) : nil
        let base = try baseSlot.map { slot throws(ModelError) in
            try IdentifiedElements(slot.hasValue ? slot.list : nil, slots)
        }
        let (place, origin) = places(of: index, of: pair)
        let result = SlotList(element: own.description.elementReference)
        result.reserve(known.count + (removesMissing ? 0 : came.count))
        var hasPairs = false

        /// Adds what becomes of an incoming element.
        func add(_ number: Int, _ identifier: ModelIdentifier) {
            let element = came.list.slot(at: number)
            if let position = known[identifier] {
                let ownElement = known.list.slot(at: position)
                let model = SlotOperations.box(DynamicModel.self, ownElement.pointer)
                let other = SlotOperations.box(DynamicModel.self, element.pointer)
                if model === other || mergesInPlace(other, into: model) {
                    hasPairs = true
                    enqueue(
                        other, into: model, place: paths.append(result.count, to: place),
                        origin: origins.append(number, to: origin))
                    result.appendSlot().copyContent(of: ownElement)
                    return
                }
            } else if let base, let old = base[identifier] {
                // The program removed it, and that edit survives.
                let isChanged = ModelDifference.differ(base.list.slot(at: old), element, leftSide: .base)
                if isChanged { keepElement(nil, element, index, of: pair, place: paths.append(number, to: place)) }
                return
            }
            if options.isPartial { adopt(element, origin: origins.append(number, to: origin)) }
            result.appendSlot().copyContent(of: element)
        }

        if removesMissing {
            for (number, identifier) in came.identifiers.enumerated() {
                if let identifier { add(number, identifier) }
            }
            for (position, identifier) in known.identifiers.enumerated() {
                // What the program inserted or edited since the base is not removed.
                guard let base else { break }
                let element = known.list.slot(at: position)
                if let identifier {
                    if came[identifier] != nil { continue }
                    if let old = base[identifier] {
                        if !ModelDifference.differ(base.list.slot(at: old), element, leftSide: .base) { continue }
                        keepElement(element, nil, index, of: pair, place: paths.append(result.count, to: place))
                    }
                }
                result.appendSlot().copyContent(of: element)
            }
        } else {
            for (position, identifier) in known.identifiers.enumerated() {
                if let identifier, let number = came[identifier] {
                    add(number, identifier)
                } else {
                    result.appendSlot().copyContent(of: known.list.slot(at: position))
                }
            }
            for (number, identifier) in came.identifiers.enumerated() {
                if let identifier, known[identifier] == nil { add(number, identifier) }
            }
        }
        // A set that an accessor has handed out hashes its elements, so it is made anew when they may change.
        let isSame = own.hasValue && Self.hasSameObjects(result, known.list)
        if !isSame || hasPairs && own.description.kind == .set {
            let content = TemporarySlot(descriptor: own.descriptor)
            content.slot.replace(with: result)
            try self.add(content, at: index, of: pair, ModelDifference.Note(decision: .taken))
        }
        if let base, let baseSlot {
            let elements = baseElements(base, came, known, removesMissing: removesMissing)
            if baseSlot.hasValue, Self.hasSameObjects(elements, base.list) { return }
            let content = TemporarySlot(descriptor: own.descriptor)
            content.slot.replace(with: elements)
            addBase(content, at: index, of: pair)
        }
    }

    /// The elements as the other side has them now. Those that both sides have are the own objects, whose own bases follow.
    private func baseElements(
        _ base: IdentifiedElements, _ came: IdentifiedElements, _ known: IdentifiedElements, removesMissing: Bool
    ) -> SlotList {
        let result = SlotList(element: came.list.element)
        func add(_ number: Int, _ identifier: ModelIdentifier) {
            var source = came.list.slot(at: number)
            if let old = base[identifier], let position = known[identifier] {
                let element = base.list.slot(at: old)
                let own = known.list.slot(at: position)
                if SlotOperations.box(DynamicModel.self, element.pointer)
                    === SlotOperations.box(DynamicModel.self, own.pointer)
                {
                    source = element
                }
            }
            result.appendSlot().copyContent(of: source)
        }
        if !removesMissing {
            for (position, identifier) in base.identifiers.enumerated() {
                if let identifier, let number = came[identifier] {
                    add(number, identifier)
                } else {
                    result.appendSlot().copyContent(of: base.list.slot(at: position))
                }
            }
        }
        for (number, identifier) in came.identifiers.enumerated() {
            if let identifier, removesMissing || base[identifier] == nil { add(number, identifier) }
        }
        return result
    }

    /// Notes that an element that one side removed stays as the program wants it, although the other side changed it.
    private mutating func keepElement(
        _ own: PropertySlot?, _ incoming: PropertySlot?, _ index: Int, of pair: Pair, place: Int
    ) {
        kept.append(
            ModelChange(
                key: pair.own.layout.properties[index].key, decision: .kept, isConflict: true, paths: paths,
                place: place, old: own, new: incoming))
    }

    private static func identifierSlots(_ descriptor: ValueDescriptor, key: String?) -> [Int] {
        guard let model = descriptor.element?.model else { return [] }
        return key.map { model.index(of: $0).map { [$0] } ?? [] } ?? model.identitySlots
    }

    private static func hasSameObjects(_ left: SlotList, _ right: SlotList) -> Bool {
        left.count == right.count
            && (0..<left.count).allSatisfy { index in
                let (one, other) = (left.slot(at: index), right.slot(at: index))
                guard one.hasValue, other.hasValue else { return one.hasValue == other.hasValue }
                return one.load(UnsafeRawPointer.self) == other.load(UnsafeRawPointer.self)
            }
    }
}

/// The models of a list, found by their identifiers.
private struct IdentifiedElements {
    let list: SlotList
    /// By position; nil for an element that cannot be told from others.
    let identifiers: [ModelIdentifier?]
    private let positions: [ModelIdentifier: Int]

    var count: Int { identifiers.count }

    /// - Throws: ``ModelError`` when two elements have the same identifier or, where every one must have it, one has none.
    init(_ list: SlotList?, _ slots: [Int], isComplete: Bool = false) throws(ModelError) {
        let list = list ?? SlotList(element: Self.noElement.reference)
        var identifiers: [ModelIdentifier?] = []
        var positions: [ModelIdentifier: Int] = [:]
        identifiers.reserveCapacity(list.count)
        positions.reserveCapacity(list.count)
        for index in 0..<list.count {
            let slot = list.slot(at: index)
            let identifier =
                slot.hasValue
                ? ModelIdentifier(SlotOperations.box(DynamicModel.self, slot.pointer), slots: slots) : nil
            identifiers.append(identifier)
            if let identifier {
                if let other = positions.updateValue(index, forKey: identifier) {
                    throw ModelError(
                        .invalidValue, slot.description,
                        expected: "elements of different identity",
                        found: "\(identifier.description) as in element \(other)"
                    ).under(index: index)
                }
            } else if isComplete {
                throw ModelError(
                    .missingProperty, slot.description, expected: "a value that identifies the element", found: "none"
                ).under(index: index)
            }
        }
        self.list = list
        self.identifiers = identifiers
        self.positions = positions
    }

    subscript(identifier: ModelIdentifier) -> Int? { positions[identifier] }

    /// Describes the elements of a list that is not there.
    private static let noElement = ValueDescriptor(
        schema: "", key: "", path: "", property: PropertySchema.bool, isElement: true)
}

extension PropertySlot {
    /// The list of a slot that holds an array or a set.
    var list: SlotList { SlotOperations.box(SlotList.self, pointer) }
}

extension SlotList {
    /// A list of the same elements with room for more.
    func copyOfElements(adding count: Int) -> SlotList {
        let copy = SlotList(element: element)
        copy.reserve(self.count + count)
        for index in 0..<self.count { copy.appendSlot().copyContent(of: slot(at: index)) }
        return copy
    }
}
