import PalliumAdapter
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
    /// Models of the classes that the document says of new instances, where it has another one elsewhere.
    @safe @exclusivity(unchecked) private(set) var stubs: [ModelIdentity: DynamicModel] = [:]
    /// The models without an identity, until they have become part of the graph.
    @safe @exclusivity(unchecked) private var values: [ObjectIdentifier: (model: DynamicModel, path: Int)] = [:]

    /// Finds or makes the instances, and replaces the models in the sources by them.
    ///
    /// - Parameters:
    ///   - map: The number of the identity map.
    ///   - existing: The live instance of an identity.
    /// - Throws: ``ModelError`` with the path, also when two models of one identity are of schemas of which neither
    ///   descends from the other.
    init(
        _ parts: ImportedParts, for merge: ModelMerge, in map: UInt64, existing: (ModelIdentity) -> DynamicModel?
    ) throws(ModelError) {
        roots = parts.models
        let sources = try UnifiedSources(parts, merge)
        let entries = sources.entries
        var numbers: [ModelIdentity: Int] = [:]
        var instances: [Instance] = []
        var next = 0
        // The instance of each entry; -1 for a value.
        var memberships: [Int] = []
        memberships.reserveCapacity(entries.count)
        for index in entries.indices {
            guard let identity = entries[index].identity else {
                memberships.append(-1)
                continue
            }
            let number: Int
            if let counterpart = parts.targets?.counterpart(of: entries[index].container, &next),
                counterpart.modelIdentifier == entries[index].model.modelIdentifier
            {
                // Others of its identity find the same instance.
                number = instances.count
                instances.append(Instance(existing: counterpart, first: index, special: index))
            } else {
                number = numbers[identity] ?? instances.count
                if number == instances.count {
                    numbers[identity] = number
                    instances.append(Instance(existing: existing(identity), first: index, special: index))
                }
            }
            try Self.specialize(&instances[number], index, sources, merge)
            memberships.append(number)
        }
        var targets: [DynamicModel] = []
        targets.reserveCapacity(instances.count)
        for instance in instances { targets.append(target(of: instance, in: sources, map)) }
        for index in entries.indices {
            let model = entries[index].model
            guard memberships[index] < 0 else {
                let target = targets[memberships[index]]
                if target === model { continue }
                if case .root(let number) = entries[index].container { roots[number] = target }
                entries[index].container.slot?.replace(with: target)
                occurrences.append((model, target, entries[index].path))
                continue
            }
            if case .root = entries[index].container {
                addRoot(model, entries[index].path)
            } else {
                values[ObjectIdentifier(model)] = (model, entries[index].path)
            }
        }
        for set in sources.sets { set.slot?.removeRepeatedModels() }
        guard parts.needsTargets else { return }
        for (index, number) in memberships.enumerated() where number >= 0 && instances[number].existing == nil {
            let (entry, special) = (entries[index], entries[instances[number].special])
            if entry.model.layout !== special.model.layout, let identity = special.identity {
                stubs[identity.detached] = special.emptyInstance
            }
        }
    }

    private func target(of instance: Instance, in sources: UnifiedSources, _ map: UInt64) -> DynamicModel {
        if let existing = instance.existing { return existing }
        let first = sources.entries[instance.first]
        let model =
            instance.special == instance.first ? first.model : sources.entries[instance.special].emptyInstance
        model.identityMap = map
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
        _ instance: inout Instance, _ number: Int, _ sources: UnifiedSources, _ merge: ModelMerge
    ) throws(ModelError) {
        let layout = sources.entries[number].model.layout
        let present = instance.existing?.layout ?? sources.entries[instance.special].model.layout
        if present === layout || present.isDescendant(of: layout) { return }
        if instance.existing == nil, layout.isDescendant(of: present) {
            instance.special = number
            return
        }
        let entry = sources.entries[number]
        let error = ModelError(
            .typeMismatch,
            expected: "a model of \(present.schema.name), as \(entry.identity?.description ?? "it") is",
            found: "a model of \(layout.schema.name)", schema: layout.schema.name)
        throw merge.located(error, at: entry.path)
    }

    /// Whether the instances that were reused get all that the document says.
    ///
    /// An instance that a root left values to must be that root's, and must not occur again; one that was found unchanged
    /// must not occur as a model of the document at all.
    func mayReuse(_ reused: DocumentTargets) -> Bool {
        var visited = AddressTable()
        visited.reserve(occurrences.count)
        var repeated = AddressTable()
        for (_, target, _) in occurrences where visited.insert(0, for: target) != nil {
            repeated.insert(0, for: target)
        }
        return reused.unchanged.allSatisfy { visited[$0] == nil }
            && reused.counterparts.allSatisfy { roots[$0.root] === $0.instance && repeated[$0.instance] == nil }
    }

    /// Takes the new instances back, because nothing came of the import.
    func dissolve() {
        for (_, model) in new { model.identityMap = 0 }
    }

    // MARK: Asked by the merge

    /// Whether models without an identity may still become part of the graph.
    var hasValues: Bool { !values.isEmpty }

    /// Whether the model was made by this merge.
    func isNew(_ model: DynamicModel) -> Bool {
        newRootNumbers[model] != nil || values[ObjectIdentifier(model)] != nil
    }

    /// Takes the models in a slot that become part of the graph by it.
    func takeValues(in slot: PropertySlot, _ body: ((model: DynamicModel, path: Int)) -> Void) {
        slot.forEachModel { if let value = values.removeValue(forKey: ObjectIdentifier($0)) { body(value) } }
    }
}

extension DocumentTargets {
    /// The instance that a root was compared with. The roots are passed in order.
    fileprivate func counterpart(of container: UnifiedSources.Container, _ next: inout Int) -> DynamicModel? {
        guard case .root(let number) = container, next < counterparts.count, counterparts[next].root == number
        else { return nil }
        next += 1
        return counterparts[next - 1].instance
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
        let result = SlotList.make(like: list, capacity: list.count)
        var visited = AddressTable()
        for index in 0..<list.count {
            let element = list.slot(at: index)
            if element.hasValue, visited.insert(index, for: element.model) != nil { continue }
            result.appendSlot().copyContent(of: element)
        }
        if result.count < list.count { replace(with: result) }
    }
}
