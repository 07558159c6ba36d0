import PalliumCore

/// Computes what changed on the paths of an observer.
///
/// Safety: a slot with a value holds what its kind says, and descendants of a schema keep its slots.
struct PathDifference {
    /// A model on a path, and the one that was there before: mostly the same.
    private struct Pair {
        let old: DynamicModel
        let new: DynamicModel
        let node: Int
        let path: Int
    }

    private let paths: ObservedPaths
    private let record: WriteRecord
    private var difference = ModelDifference()
    private var pending: [Pair] = []
    private var visited: [Set<ModelPair>]

    private init(_ paths: ObservedPaths, _ record: WriteRecord) {
        self.paths = paths
        self.record = record
        visited = paths.nodes.map { _ in [] }
    }

    /// The changes of a model since the record began.
    static func changes(of root: DynamicModel, _ paths: ObservedPaths, since record: WriteRecord) -> ModelChanges {
        var search = PathDifference(paths, record)
        search.difference.paths.keepLayouts(of: root)
        search.add(root, root, node: 0, path: GraphPaths.root)
        var next = 0
        while next < search.pending.count {
            next += 1
            search.compare(search.pending[next - 1])
        }
        search.difference.finish()
        return ModelChanges(search.difference.changes)
    }

    private mutating func add(_ old: DynamicModel, _ new: DynamicModel, node: Int, path: @autoclosure () -> Int) {
        // Models that no write touched, and that lead nowhere, are most elements of most lists.
        if old === new, record.number(of: new) == nil, paths.nodes[node].links.isEmpty { return }
        if visited[node].insert(ModelPair(old, new)).inserted {
            pending.append(Pair(old: old, new: new, node: node, path: path()))
        }
    }

    private mutating func compare(_ pair: Pair) {
        let before = record.shadow(of: pair.old) ?? pair.old
        let (layout, parts) = (pair.new.layout, paths.nodes[pair.node].parts)
        for index in parts.map({ $0.keys.sorted() }) ?? Array(pair.new.slotIndices) {
            let (old, new) = (before.slot(at: index), pair.new.slot(at: index))
            let part = parts.map { $0[index] ?? ObservedPaths.Part() } ?? ObservedPaths.Part(isValue: true)
            if part.isValue, before !== pair.new { report(old, new, index, layout, pair.path) }
            if let node = part.models {
                follow(old, new, index, layout, pair.path, node: node, isReported: part.isValue)
            }
        }
    }

    /// Notes that a slot is not what it was.
    ///
    /// Another model in place of one is a change of the property that holds it, even if the two are equal: code that
    /// holds the other one must hear of it.
    private mutating func report(
        _ old: PropertySlot, _ new: PropertySlot, _ index: Int, _ layout: ModelLayout, _ path: Int
    ) {
        guard old.hasValue || new.hasValue else { return }
        let isReplaced = !old.hasValue || !new.hasValue || new.holdsOtherContent(than: old)
        if !isReplaced { return }
        let (key, step) = (layout.properties[index].key, ModelDifference.Step.property(index, layout))
        let isListOfModels = new.description.element?.kind == .model && new.description.kind != .dictionary
        if isListOfModels, old.hasValue, new.hasValue,
            let matching = ListMatching(old.list, new.list, isOrdered: new.description.kind == .array)
        {
            let path = difference.paths.append(step, to: path)
            for pair in matching.pairs {
                let (old, new) = (old.list.slot(at: pair.old), new.list.slot(at: pair.new))
                if new.holdsOtherContent(than: old) { note(old, new, key, path, .element(pair.new)) }
            }
            for number in matching.removed { note(old.list.slot(at: number), nil, key, path, .element(number)) }
            for number in matching.inserted { note(nil, new.list.slot(at: number), key, path, .element(number)) }
        } else if new.description.holdsModels || new.description.kind == .weakModel {
            note(old, new, key, path, step)
        } else {
            difference.compare(old, new, key: key, path: path, step: step, note: ModelDifference.Note())
        }
    }

    private mutating func note(
        _ old: PropertySlot?, _ new: PropertySlot?, _ key: String, _ path: Int, _ step: ModelDifference.Step
    ) {
        difference.add(old, new, key: key, path: path, step: step, note: ModelDifference.Note())
    }

    /// Goes on with the models that a slot holds.
    private mutating func follow(
        _ old: PropertySlot, _ new: PropertySlot, _ index: Int, _ layout: ModelLayout, _ path: Int, node: Int,
        isReported: Bool
    ) {
        let paths = difference.paths
        switch new.description.kind {
        case .model, .weakModel:
            let oldModel = old.hasValue ? old.observedModel : nil
            let newModel = new.hasValue ? new.observedModel : nil
            guard let oldModel, let newModel else {
                if !isReported { report(old, new, index, layout, path) }
                return
            }
            // Another model was reported as a whole.
            if isReported, oldModel !== newModel { return }
            add(oldModel, newModel, node: node, path: paths.append(property: index, of: layout, to: path))
        default:
            if !isReported { report(old, new, index, layout, path) }
            guard old.hasValue, new.hasValue else { return }
            let path = paths.append(property: index, of: layout, to: path)
            var former = AddressTable()
            if old.list !== new.list { old.forEachModel { former.insert(0, for: $0) } }
            let list = new.list
            for number in 0..<list.count where list.slot(at: number).hasValue {
                let model = list.slot(at: number).model
                // Elements that came are changes of the list.
                if old.list === list || former[model] != nil {
                    add(model, model, node: node, path: paths.append(number, to: path))
                }
            }
        }
    }
}

extension PropertySlot {
    /// The model of a slot that holds one, or a weak reference to one.
    fileprivate var observedModel: DynamicModel? { description.kind == .weakModel ? weakModel : model }
}
