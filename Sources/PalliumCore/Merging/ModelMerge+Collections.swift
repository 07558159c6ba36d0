/// What is merged in place below a property: nested models, and collections whose models are matched by identity.
///
/// Safety: lists are made for the description of the elements of the own property, and slots are taken for what their
/// kinds say.
extension ModelMerge {
    /// Plans what merges below the property instead of replacing it. False when it is to be replaced after all.
    mutating func planInPlace(
        _ index: Int, of pair: Pair, _ rule: MergeRule, own: PropertySlot, incoming: PropertySlot
    ) throws(ModelError) -> Bool {
        guard rule.mergesInPlace, incoming.hasValue else { return false }
        if case .byIdentifier(let key, let removesMissing) = rule {
            let slots = identifierSlots(of: incoming.list, own.description, key: key)
            let isMention = keepsMentions(pair, removesMissing: removesMissing)
            if isMention, try planMention(index, of: pair, own, incoming, slots: slots) { return true }
            try planElements(index, of: pair, own, incoming, slots: slots, removesMissing: removesMissing)
            return true
        }
        guard own.hasValue else { return false }
        let model = unsafe SlotOperations.box(DynamicModel.self, own.pointer)
        let other = unsafe SlotOperations.box(DynamicModel.self, incoming.pointer)
        if model === other { return true }
        guard mergesInPlace(other, into: model) else { return false }
        let place = place(of: index, of: pair)
        var modelBase: DynamicModel?
        var isRebase = pair.isRebase
        if let former = pair.base.map({ ownSlot(index, of: $0) }) {
            let isSame: Bool
            (modelBase, isSame) = base(of: model, insteadOf: former, other)
            // What both sides hold and nobody tracks came with this merge: the program has not seen it.
            if isSame, modelBase == nil { isRebase = false }
            if !isSame {
                // The program put another model here.
                var state = modelBase
                if state == nil { state = try theirState(of: model, from: other) }
                unsafe addBase(TemporarySlot(holding: state ?? other, as: own.descriptor), at: index, of: pair)
            }
        }
        enqueue(other, into: model, place: .at(place), isRebase: isRebase, base: modelBase)
        return true
    }

    /// Whether a model can become what another one says without becoming something else.
    func mergesInPlace(_ incoming: DynamicModel, into own: DynamicModel) -> Bool {
        // The instance of an identity replaces what else has it; what came about it is merged into the instance.
        if unification != nil, incoming.isUnique { return false }
        guard own.layout.isDescendant(of: incoming.layout) else { return false }
        guard let identifier = incoming.modelIdentifier, let known = own.modelIdentifier else { return true }
        return identifier == known
    }

    /// Plans the merge of two lists of models whose elements are matched by their identifiers. O(*n*).
    private mutating func planElements(
        _ index: Int, of pair: Pair, _ own: PropertySlot, _ incoming: PropertySlot, slots: [Int], removesMissing: Bool
    ) throws(ModelError) {
        var known = IdentifiedElements(own.hasValue ? own.list : nil, slots)
        // Nothing that waits concerns the elements, so what says nothing new need not wait either.
        let dropsEqual = !pair.isRebase && !hasPendingPairs
        let came = try MatchedElements(incoming.list, slots, among: &known) {
            dropsEqual && saysNothingNew($0, about: $1)
        }
        // Links to them are to lead to the own elements. Documents have no links.
        if !options.isPartial, came.areSettled.contains(true) { settledElements.append((came, known.list)) }
        let baseSlot = pair.base.map { ownSlot(index, of: $0) }
        var base = baseSlot.map { IdentifiedElements($0.hasValue ? $0.list : nil, slots) }
        try base?.prepare()
        let place = place(of: index, of: pair)
        var result = unsafe MergedElements(known.list, element: own.description.elementReference)
        var hasPairs = false
        reserve(came.areSettled.count { !$0 })
        /// What the base gets instead of incoming elements.
        var standIns: [Int: TemporarySlot] = [:]

        if let base, let baseSlot, baseSlot.hasValue, !own.hasValue {
            // The program removed the list, and that edit survives.
            for number in 0..<came.list.count {
                let element = came.list.slot(at: number)
                if let old = unsafe base.position(of: SlotOperations.box(DynamicModel.self, element.pointer)) {
                    standIns[number] = try whole(element, at: number, insteadOf: base.list.slot(at: old))
                }
                if standIns[number] == nil { adoptPart(element, place: paths.append(number, to: place)) }
            }
            var elements = baseElements(base, came, known, standIns, removesMissing: removesMissing)
            let content = unsafe TemporarySlot(holding: elements.list, as: own.descriptor)
            if ModelDifference.differ(baseSlot, content.slot, leftSide: .baseOfOthers) {
                keepElement(nil, incoming, index, of: pair, place: place)
                addBase(content, at: index, of: pair)
            }
            return
        }

        /// Adds what becomes of an incoming element.
        func add(_ number: Int) throws(ModelError) {
            let position = came.matches[number]
            if came.areSettled[number] { return result.append(ownElement: position) }
            let element = came.list.slot(at: number)
            let other = unsafe SlotOperations.box(DynamicModel.self, element.pointer)
            if position >= 0 {
                let model = unsafe SlotOperations.box(DynamicModel.self, known.list.slot(at: position).pointer)
                if model === other, base == nil { return result.append(ownElement: position) }
                if model === other || mergesInPlace(other, into: model) {
                    hasPairs = true
                    var elementBase: DynamicModel?
                    var isRebase = pair.isRebase
                    var isSame = base == nil
                    if let base, let old = base.position(of: other) {
                        (elementBase, isSame) = self.base(of: model, insteadOf: base.list.slot(at: old), other)
                        if isSame, elementBase == nil { isRebase = false }
                    }
                    // The program put another model here.
                    if !isSame {
                        var state = elementBase
                        if state == nil { state = try theirState(of: model, from: other, at: number) }
                        standIns[number] = state.map { unsafe TemporarySlot(holding: $0, as: element.descriptor) }
                    }
                    enqueue(
                        other, into: model, place: .element(result.count, incoming: number, of: place),
                        isRebase: isRebase, base: elementBase)
                    return result.append(ownElement: position)
                }
            } else if let base, let old = base.position(of: other) {
                // The program removed it, and that edit survives.
                standIns[number] = try whole(element, at: number, insteadOf: base.list.slot(at: old))
                if standIns[number] == nil { adoptPart(element, place: paths.append(number, to: place)) }
                let state = standIns[number]?.slot ?? element
                if ModelDifference.differ(base.list.slot(at: old), state, leftSide: .baseOfOthers) {
                    keepElement(nil, element, index, of: pair, place: paths.append(number, to: place))
                }
                return
            }
            adoptPart(element, place: paths.append(number, to: place))
            result.append(element)
        }

        // Where the other side left the list as it was, it stays as the program has it, in its order.
        if removesMissing, base.map({ !$0.holdsSameElements(as: came.list) }) ?? true {
            for number in 0..<came.list.count { try add(number) }
            if let base {
                for position in 0..<known.list.count where came.numbers[position] < 0 {
                    // What the program inserted or edited since the base is not removed.
                    let element = known.list.slot(at: position)
                    if let identifier = known.identifier(at: position), let old = base.position(of: identifier) {
                        if !ModelDifference.differ(base.list.slot(at: old), element, leftSide: .base) { continue }
                        keepElement(element, nil, index, of: pair, place: paths.append(result.count, to: place))
                    }
                    result.append(ownElement: position)
                }
            }
        } else {
            for position in 0..<known.list.count {
                let number = came.numbers[position]
                if number >= 0 { try add(number) } else { result.append(ownElement: position) }
            }
            for number in 0..<came.list.count where came.matches[number] < 0 { try add(number) }
        }
        // A set that an accessor has handed out hashes its elements, so it is made anew when they may change.
        let isMade = !own.hasValue || !result.isSame || hasPairs && own.description.kind == .set
        if isMade {
            let content = unsafe TemporarySlot(holding: result.list, as: own.descriptor)
            try self.add(content, at: index, of: pair, ModelDifference.Note(decision: .taken))
        }
        if keepsMentions(pair, removesMissing: removesMissing) {
            let list = isMade ? result.list : known.list
            mentioned[ObjectIdentifier(list)] = MentionedElements(list, slots, isMade: isMade)
        }
        if let base, let baseSlot {
            var elements = baseElements(base, came, known, standIns, removesMissing: removesMissing)
            if baseSlot.hasValue, elements.isSame { return }
            unsafe addBase(TemporarySlot(holding: elements.list, as: own.descriptor), at: index, of: pair)
        }
    }

    /// As `whole(_:insteadOf:)`, of an element.
    private func whole(
        _ element: PropertySlot, at number: Int, insteadOf former: PropertySlot
    ) throws(ModelError) -> TemporarySlot? {
        do throws(ModelError) { return try whole(element, insteadOf: former) } catch {
            throw error.at(["\(number)"])
        }
    }

    /// As `theirState(of:from:)`, of an element.
    private func theirState(
        of model: DynamicModel, from part: DynamicModel, at number: Int
    ) throws(ModelError) -> DynamicModel? {
        do throws(ModelError) { return try theirState(of: model, from: part) } catch { throw error.at(["\(number)"]) }
    }

    /// The elements as the other side has them now. Those that both sides have are the own objects, whose own bases follow.
    private func baseElements(
        _ base: IdentifiedElements, _ came: MatchedElements, _ known: IdentifiedElements,
        _ standIns: [Int: TemporarySlot], removesMissing: Bool
    ) -> MergedElements {
        var result = unsafe MergedElements(base.list, element: came.list.element)
        // The numbers of the incoming elements by the positions of those in the base.
        var numbers = Array(repeating: -1, count: base.list.count)
        var positions = Array(repeating: -1, count: came.list.count)
        for number in 0..<came.list.count {
            let model = unsafe SlotOperations.box(DynamicModel.self, came.list.slot(at: number).pointer)
            guard let old = base.position(of: model) else { continue }
            numbers[old] = number
            positions[number] = old
        }
        func add(_ number: Int) {
            let (old, position) = (positions[number], came.matches[number])
            if old >= 0, position >= 0,
                unsafe base.list.slot(at: old).load(UnsafeRawPointer.self)
                    == known.list.slot(at: position).load(UnsafeRawPointer.self)
            {
                return result.append(ownElement: old)
            }
            result.append(standIns[number]?.slot ?? came.list.slot(at: number))
        }
        if !removesMissing {
            for old in 0..<base.list.count {
                if numbers[old] >= 0 { add(numbers[old]) } else { result.append(ownElement: old) }
            }
        }
        for number in 0..<came.list.count where removesMissing || positions[number] < 0 { add(number) }
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

    /// The properties that identify the elements of an incoming collection. Instances of an identity map are matched as
    /// such, whatever the policy names: what the document says of them may stand elsewhere in it.
    private func identifierSlots(of list: SlotList, _ descriptor: ValueDescriptor, key: String?) -> [Int] {
        let areInstances =
            unification != nil && key != nil && list.count > 0
            && (0..<list.count).allSatisfy { index in
                let element = list.slot(at: index)
                return unsafe element.hasValue && SlotOperations.box(DynamicModel.self, element.pointer).isUnique
            }
        return Self.identifierSlots(descriptor, key: areInstances ? nil : key)
    }

    /// The properties that identify the models of a collection: the one that its policy names, or those of their schema.
    static func identifierSlots(_ descriptor: ValueDescriptor, key: String?) -> [Int] {
        guard let model = descriptor.element?.model else { return [] }
        return key.flatMap { model.index(of: $0) }.map { [$0] } ?? model.identitySlots
    }
}

extension PropertySlot {
    /// The list of a slot that holds an array or a set.
    package var list: SlotList { unsafe SlotOperations.box(SlotList.self, pointer) }
}
