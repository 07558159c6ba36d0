import PalliumCore

/// The models of a document in which every model with an identity exists once.
///
/// ```
///   document                 instances                        then
///   {id 1, owner {id 7}} ─┐   1: in the map ──────────────▶ merged in place
///   {id 7, name}         ─┼─▶ 7: twice here, new: the first ▶ the second is merged into it
///   {id 1, title}        ─┘                                  properties lead to instances
/// ```
/// Sources refer to the instances before anything is merged. The merge then compares references, not copies.
///
/// Safety: slots are taken for what their kinds say. Only the methods below read and write the stored properties, and none
/// calls back while it changes one, so dynamic checks for overlapping access are off.
final class Unification {
    /// The instance of one identity.
    private struct Instance {
        let existing: DynamicModel?
        /// The entry that was visited first, and the one of the most special schema.
        let first: Int
        var special: Int
    }

    /// The roots, or the instances that replace them.
    @safe @exclusivity(unchecked) private(set) var roots: [DynamicModel]
    /// The instances that are not in the map yet.
    @safe @exclusivity(unchecked) private(set) var new: [(identity: ModelIdentity, model: DynamicModel)] = []
    /// The sources and their instances, in the order of the document.
    @safe @exclusivity(unchecked) private(set) var occurrences:
        [(source: DynamicModel, target: DynamicModel, path: Int)] = []
    /// The new instances, and the roots without an identity: all that is part of the graph already.
    @safe @exclusivity(unchecked) private(set) var newRoots: [(model: DynamicModel, path: Int)] = []
    @safe @exclusivity(unchecked) private var newRootNumbers = AddressTable()
    /// The models without an identity, until they have become part of the graph.
    @safe @exclusivity(unchecked) private var values: [ObjectIdentifier: (model: DynamicModel, path: Int)] = [:]

    /// Finds or makes the instances, and replaces the models in the sources by them.
    ///
    /// - Parameters:
    ///   - positions: Where each of the roots stands in the array of the document; nil where that is one object.
    ///   - existing: The live instance of an identity.
    /// - Throws: ``ModelError`` with the path, also when two models of one identity are of schemas of which neither
    ///   descends from the other.
    init(
        _ roots: [DynamicModel], at positions: [Int]?, for merge: ModelMerge, existing: (ModelIdentity) -> DynamicModel?
    ) throws(ModelError) {
        self.roots = roots
        let sources = try UnifiedSources(roots, at: positions, merge)
        var numbers: [ModelIdentity: Int] = [:]
        var instances: [Instance] = []
        let memberships = try sources.entries.map { entry throws(ModelError) -> Int in
            guard let identity = entry.identity else { return -1 }
            let number = numbers[identity] ?? instances.count
            if number == instances.count {
                numbers[identity] = number
                instances.append(Instance(existing: existing(identity), first: entry.number, special: entry.number))
            }
            try Self.specialize(&instances[number], entry, sources, merge)
            return number
        }
        let targets = instances.map { target(of: $0, in: sources) }
        for (entry, membership) in zip(sources.entries, memberships) {
            guard membership < 0 else {
                let target = targets[membership]
                if target === entry.model { continue }
                if case .root(let number) = entry.container { self.roots[number] = target }
                entry.container.slot?.replace(with: target)
                occurrences.append((entry.model, target, entry.path))
                continue
            }
            if case .root = entry.container {
                addRoot(entry.model, entry.path)
            } else {
                values[ObjectIdentifier(entry.model)] = (entry.model, entry.path)
            }
        }
        for set in sources.sets { set.slot?.removeRepeatedModels() }
    }

    private func target(of instance: Instance, in sources: UnifiedSources) -> DynamicModel {
        if let existing = instance.existing { return existing }
        let first = sources.entries[instance.first]
        let model =
            instance.special == instance.first ? first.model : sources.entries[instance.special].emptyInstance
        model.madeCompanion.isUnique = true
        addRoot(model, first.path)
        if let identity = first.identity { new.append((identity, model)) }
        return model
    }

    private func addRoot(_ model: DynamicModel, _ path: Int) {
        newRootNumbers.insert(newRoots.count, for: model)
        newRoots.append((model, path))
    }

    /// Checks that an entry can be merged into the instance of its identity, which may have to be of the entry's schema.
    private static func specialize(
        _ instance: inout Instance, _ entry: UnifiedSources.Entry, _ sources: UnifiedSources, _ merge: ModelMerge
    ) throws(ModelError) {
        let layout = entry.model.layout
        let present = instance.existing?.layout ?? sources.entries[instance.special].model.layout
        if present === layout || present.isDescendant(of: layout) { return }
        if instance.existing == nil, layout.isDescendant(of: present) {
            instance.special = entry.number
            return
        }
        throw ModelError(
            .typeMismatch,
            expected: "a model of \(present.schema.name), as \(entry.identity?.description ?? "it") is",
            found: "a model of \(layout.schema.name)", schema: layout.schema.name
        ).at(merge.sourceTokens(to: entry.path))
    }

    // MARK: Asked by the merge

    /// Whether the model was made by this merge.
    func isNew(_ model: DynamicModel) -> Bool {
        newRootNumbers[model] != nil || values[ObjectIdentifier(model)] != nil
    }

    /// Takes the models in a slot that become part of the graph by it.
    func takeValues(in slot: PropertySlot, _ body: ((model: DynamicModel, path: Int)) -> Void) {
        slot.forEachModel { if let value = values.removeValue(forKey: ObjectIdentifier($0)) { body(value) } }
    }
}

extension UnifiedSources.Entry {
    /// A model of the entry's class that has nothing but its identity yet.
    fileprivate var emptyInstance: DynamicModel {
        let layout = model.layout
        let instance = layout.makeEmptyModel()
        for slot in layout.identitySlots { instance.slot(at: slot).copyContent(of: model.slot(at: slot)) }
        return instance
    }
}

extension PropertySlot {
    /// Keeps each model of a set once: different models of a document can turn out to be one instance.
    fileprivate func removeRepeatedModels() {
        guard hasValue, description.element?.kind == .model else { return }
        let list = list
        let result = unsafe SlotList.make(element: list.element, capacity: list.count)
        var visited = AddressTable()
        for index in 0..<list.count {
            let element = list.slot(at: index)
            if element.hasValue, visited.insert(index, for: element.model) != nil { continue }
            result.appendSlot().copyContent(of: element)
        }
        if result.count < list.count { replace(with: result) }
    }
}
