/// Merges in which every model with an identity exists once.
///
/// ```
///   document                 instances                        then
///   {id 1, owner {id 7}} ─┐   1: in the map ──────────────▶ merged in place
///   {id 7, name}         ─┼─▶ 7: twice here, new: the first ▶ the second is merged into it
///   {id 1, title}        ─┘                                  properties lead to instances
/// ```
/// Incoming models lead to the instances before anything is planned; the merge then compares references, not copies.
/// New models become part of the graph, complete and checked, only where the planned steps put them.
///
/// Safety: slots are numbered by the table of the model, which lives as long as the model, and hold what their kinds
/// say.
extension ModelMerge {
    /// What the merge knows about incoming models.
    final class Unification {
        /// Those without an identity, until they have become part of the graph.
        var values: [ObjectIdentifier: (model: DynamicModel, place: Int)] = [:]
        /// Those of `values` that hold instances.
        var holders: Set<ObjectIdentifier> = []
        /// The new instances, and the roots that are values.
        var roots: [(model: DynamicModel, place: Int)] = []
        var instances: Set<ObjectIdentifier> = []

        /// Whether the model was made by this merge.
        func isNew(_ model: DynamicModel) -> Bool {
            let identity = ObjectIdentifier(model)
            return instances.contains(identity) || values[identity] != nil
        }

        /// Whether what came leads to the very instances that the own value leads to, so that equal values are the same.
        func leadsToSameInstances(_ own: PropertySlot, _ incoming: PropertySlot) -> Bool {
            var pending = [(own, incoming)]
            while let (own, incoming) = pending.popLast() {
                guard own.hasValue, incoming.hasValue else {
                    if own.hasValue != incoming.hasValue { return false }
                    continue
                }
                switch own.description.kind {
                case .model:
                    let model = unsafe SlotOperations.box(DynamicModel.self, own.pointer)
                    let other = unsafe SlotOperations.box(DynamicModel.self, incoming.pointer)
                    if model === other { continue }
                    if model.isUnique || other.isUnique { return false }
                    guard holders.contains(ObjectIdentifier(other)) else { continue }
                    guard unsafe model.table == other.table else { return false }
                    for index in unsafe 0..<model.table.pointee.slotCount
                    where unsafe model.table.pointee.kinds[index].mayHoldModels {
                        pending.append((model.slot(at: index), other.slot(at: index)))
                    }
                case .dictionary:
                    let members = unsafe SlotOperations.box(SlotDictionary.self, own.pointer)
                    let others = unsafe SlotOperations.box(SlotDictionary.self, incoming.pointer)
                    guard unsafe members.element.takeUnretainedValue().kind.mayHoldModels else { continue }
                    if members.count != others.count { return false }
                    for (index, key) in members.keys.enumerated() {
                        guard let other = others.index(of: key) else { return false }
                        pending.append((members.slot(at: index), others.slot(at: other)))
                    }
                case .array, .set:
                    let (list, others) = (own.list, incoming.list)
                    guard unsafe list.element.takeUnretainedValue().kind.mayHoldModels else { continue }
                    if list.count != others.count { return false }
                    for index in 0..<list.count { pending.append((list.slot(at: index), others.slot(at: index))) }
                default: break
                }
            }
            return true
        }
    }

    /// The models of a document after they were unified.
    package struct Unified {
        /// The roots, or the instances that stand for them.
        package fileprivate(set) var roots: [DynamicModel]
        /// The instances that were not known.
        package fileprivate(set) var new: [(identity: ModelIdentity, model: DynamicModel)] = []
    }

    /// The instance of one identity.
    private struct Instance {
        let known: DynamicModel?
        /// The entry that was met first, and the one of the most special schema.
        let first: Int
        var special: Int
    }

    /// Plans the merge of the models of a document into the instances that are known, or into one another.
    ///
    /// - Parameters:
    ///   - positions: Where each of them stands in the array of the document; nil where that is one object.
    ///   - known: The live instance of an identity.
    /// - Throws: ``ModelError`` with the pointer, also when two models of one identity are of schemas of which neither
    ///   descends from the other.
    package mutating func plan(
        unifying roots: [DynamicModel], at positions: [Int]?, known: (ModelIdentity) -> DynamicModel?
    ) throws(ModelError) -> Unified {
        let incoming = try IncomingModels(roots, at: positions, self)
        var numbers: [ModelIdentity: Int] = [:]
        var instances: [Instance] = []
        let memberships = try incoming.entries.indices.map { entry throws(ModelError) -> Int in
            guard let identity = incoming.entries[entry].identity else { return -1 }
            if let number = numbers[identity] {
                try specialize(&instances[number], entry, incoming)
                return number
            }
            numbers[identity] = instances.count
            var instance = Instance(known: known(identity), first: entry, special: entry)
            try specialize(&instance, entry, incoming)
            instances.append(instance)
            return instances.count - 1
        }

        var unified = Unified(roots: roots)
        let unification = Unification()
        let targets = instances.map { instance -> DynamicModel in
            if let known = instance.known { return known }
            let first = incoming.entries[instance.first]
            let model =
                instance.special == instance.first ? first.model : incoming.entries[instance.special].emptyInstance
            model.madeCompanion.isUnique = true
            unification.instances.insert(ObjectIdentifier(model))
            unification.roots.append((model, first.place))
            if let identity = first.identity { unified.new.append((identity, model)) }
            return model
        }
        for (entry, membership) in zip(incoming.entries, memberships) where membership < 0 {
            let identity = ObjectIdentifier(entry.model)
            if entry.holdsInstances { unification.holders.insert(identity) }
            if case .root = entry.container {
                unification.roots.append((entry.model, entry.place))
                unification.instances.insert(identity)
            } else {
                unification.values[identity] = (entry.model, entry.place)
            }
        }
        self.unification = unification

        for (entry, membership) in zip(incoming.entries, memberships) where membership >= 0 {
            let target = targets[membership]
            if target === entry.model { continue }
            if case .root(let number) = entry.container { unified.roots[number] = target }
            entry.container.slot?.replace(with: target)
            enqueue(
                entry.model, into: target, place: .at(entry.place), isRebase: target.trackedBase != nil,
                base: target.trackedBase)
        }
        for set in incoming.sets { set.slot?.removeRepeatedModels() }
        try planPairs()
        return unified
    }

    /// Checks that an entry can be merged into the instance of its identity, which may have to be of the entry's schema.
    private func specialize(_ instance: inout Instance, _ entry: Int, _ incoming: IncomingModels) throws(ModelError) {
        let layout = incoming.entries[entry].model.layout
        let present = instance.known?.layout ?? incoming.entries[instance.special].model.layout
        if present === layout || present.isDescendant(of: layout) { return }
        if instance.known == nil, layout.isDescendant(of: present) {
            instance.special = entry
            return
        }
        throw ModelError(
            .typeMismatch,
            expected:
                "a model of \(present.schema.name), as \(incoming.entries[entry].identity?.description ?? "it") is",
            found: "a model of \(layout.schema.name)", schema: layout.schema.name
        ).at(origin(of: incoming.entries[entry].place))
    }

    // MARK: Applying

    /// Notes the new models that became part of the graph, outer ones first, and completes them.
    mutating func adoptUnified() throws(ModelError) {
        guard let unification else { return }
        adopted = unification.roots
        func reach(_ slot: PropertySlot, _ adopted: inout [(model: DynamicModel, place: Int)]) {
            slot.forEachModel { model in
                if let value = unification.values.removeValue(forKey: ObjectIdentifier(model)) { adopted.append(value) }
            }
        }
        for touched in touched where !unification.isNew(touched.model) {
            for step in touched.steps { reach(touched.model.slot(at: steps[step].slot), &adopted) }
        }
        var number = 0
        while number < adopted.count {
            let (model, place) = adopted[number]
            number += 1
            do throws(ModelError) { try model.complete() } catch { throw error.at(origin(of: place)) }
            for index in unsafe 0..<model.table.pointee.slotCount
            where unsafe model.table.pointee.kinds[index].mayHoldModels {
                reach(model.slot(at: index), &adopted)
            }
        }
    }
}

extension ModelMerge {
    /// Tracks the changes of the new models that came to stand in models whose changes are tracked, or in their bases.
    func trackUnified() {
        guard let unification, holdsRebases else { return }
        let new = Set(adopted.map { ObjectIdentifier($0.model) })
        var untracked = new
        var reached: [DynamicModel] = []
        func reach(_ slot: PropertySlot) {
            slot.forEachModel { if untracked.remove(ObjectIdentifier($0)) != nil { reached.append($0) } }
        }
        for touched in touched where touched.isBase || touched.model.trackedBase != nil {
            // New models have steps too, where they were mentioned more than once.
            if unification.isNew(touched.model) || new.contains(ObjectIdentifier(touched.model)) { continue }
            for step in touched.steps { reach(touched.model.slot(at: steps[step].slot)) }
        }
        while let model = reached.popLast() {
            model.takeBase()
            for index in 0..<(unsafe model.table.pointee.slotCount)
            where unsafe model.table.pointee.kinds[index].mayHoldModels {
                reach(model.slot(at: index))
            }
        }
    }
}

extension IncomingModels.Entry {
    /// A model of the entry's class that has nothing but its identity yet.
    fileprivate var emptyInstance: DynamicModel {
        let layout = model.layout
        let instance = unsafe layout.modelClass.init(storage: ModelStorage(layout.table))
        for slot in layout.identitySlots { instance.slot(at: slot).copyContent(of: model.slot(at: slot)) }
        return instance
    }
}

extension PropertySlot {
    /// Keeps each model of a set once: different models of a document can turn out to be one instance.
    fileprivate func removeRepeatedModels() {
        guard hasValue, description.element?.kind == .model else { return }
        let list = list
        let result = unsafe SlotList(element: list.element)
        var seen: Set<ObjectIdentifier> = []
        for index in 0..<list.count {
            let element = list.slot(at: index)
            if element.hasValue,
                unsafe !seen.insert(ObjectIdentifier(SlotOperations.box(DynamicModel.self, element.pointer))).inserted
            {
                continue
            }
            result.appendSlot().copyContent(of: element)
        }
        if result.count < list.count { replace(with: result) }
    }
}
