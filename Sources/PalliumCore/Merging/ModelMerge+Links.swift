/// Weak links lead to models of the own graph: what an incoming link leads to is looked up there, and only then the policy
/// of the property is asked.
///
/// Safety: slots are numbered by the table of the model, which lives as long as the model, and hold what their kinds
/// say.
extension ModelMerge {
    /// What came about a weak link: a model, or null.
    struct Link {
        let pair: Pair
        let slot: Int
        let content: TemporarySlot
        /// The number of steps when the pair began.
        let firstStepOfPair: Int

        fileprivate var target: DynamicModel? { DynamicModel._loadIfPresent(content.slot) }
    }

    /// Notes what came about a weak link, until all pairs are planned.
    mutating func add(_ link: Link) {
        _ = linked.insert(links.count, for: link.pair.own)
        links.append(link)
    }

    mutating func planLinks() throws(ModelError) {
        if links.isEmpty { return }
        let counterparts = counterparts()
        for link in links {
            var content = link.content
            if let own = link.target.flatMap({ counterparts[ObjectIdentifier($0)] }) {
                // A model can be merged into one that the property is not for.
                guard own.fits(content.slot.description) else { continue }
                content = unsafe TemporarySlot(holding: WeakModelBox(own), as: content.slot.descriptor)
            }
            firstStepOfPair = link.firstStepOfPair
            do throws(ModelError) { try planSlot(link.slot, of: link.pair, content.slot, isOwnLink: true) } catch {
                throw located(error, at: link.slot, of: link.pair)
            }
        }
        links = []
        linked = AddressTable()
    }

    /// The own models by the incoming ones that are merged into them, or that are equal to them and are left out.
    private func counterparts() -> [ObjectIdentifier: DynamicModel] {
        var counterparts: [ObjectIdentifier: DynamicModel] = [:]
        guard links.contains(where: { $0.target != nil }) else { return counterparts }
        let pairs = (pairOfProperty.map { [$0] } ?? []) + pairs
        for pair in pairs { counterparts[ObjectIdentifier(pair.incoming)] = pair.own }
        for (came, own) in settledElements {
            for number in 0..<came.list.count where came.areSettled[number] {
                let element = unsafe SlotOperations.box(DynamicModel.self, came.list.slot(at: number).pointer)
                counterparts[ObjectIdentifier(element)] = unsafe SlotOperations.box(
                    DynamicModel.self, own.slot(at: came.matches[number]).pointer)
            }
        }
        guard links.contains(where: { $0.target.map { counterparts[ObjectIdentifier($0)] == nil } ?? false }) else {
            return counterparts
        }

        var pending: [(own: DynamicModel, incoming: DynamicModel)] = []
        /// Enters the models at the same places of equal content. Elements of sets have no places.
        func enter(_ own: PropertySlot, _ incoming: PropertySlot) {
            guard own.hasValue, incoming.hasValue else { return }
            switch own.description.kind {
            case .model:
                let model = unsafe SlotOperations.box(DynamicModel.self, own.pointer)
                let other = unsafe SlotOperations.box(DynamicModel.self, incoming.pointer)
                if model === other || counterparts[ObjectIdentifier(other)] != nil { return }
                counterparts[ObjectIdentifier(other)] = model
                pending.append((model, other))
            case .array:
                for index in 0..<own.list.count { enter(own.list.slot(at: index), incoming.list.slot(at: index)) }
            case .dictionary:
                let members = unsafe SlotOperations.box(SlotDictionary.self, own.pointer)
                let others = unsafe SlotOperations.box(SlotDictionary.self, incoming.pointer)
                for index in 0..<members.count {
                    guard let other = others.index(of: members.keys[index]) else { continue }
                    enter(members.slot(at: index), others.slot(at: other))
                }
            default: break
            }
        }
        /// Enters what stands below models that were entered.
        func enterPending() {
            while let (own, incoming) = pending.popLast() {
                for index in unsafe 0..<own.table.pointee.slotCount
                where unsafe own.table.pointee.kinds[index].mayHoldModels {
                    enter(own.slot(at: index), incoming.slot(at: index))
                }
            }
        }
        /// Whether a slot holds models whose counterparts are not known. Comparing the others, which hold whole graphs
        /// too, would take quadratic time in a chain of pairs.
        func holdsStrangers(_ slot: PropertySlot) -> Bool {
            var result = false
            slot.forEachModel { if !result, counterparts[ObjectIdentifier($0)] == nil { result = true } }
            return result
        }
        for pair in pairs {
            for index in unsafe 0..<pair.own.table.pointee.slotCount
            where unsafe pair.own.table.pointee.kinds[index].mayHoldModels {
                let own = pair.own.slot(at: index)
                guard let other = pair.incoming.layout.index(of: pair.own.layout.properties[index].key),
                    unsafe ownSlot(index, of: pair.own).pointer == own.pointer
                else { continue }
                let incoming = pair.incoming.slot(at: other)
                if holdsStrangers(incoming), ModelComparison.equal(own, incoming, including: .given) {
                    enter(own, incoming)
                    enterPending()
                }
            }
        }
        return counterparts
    }
}
