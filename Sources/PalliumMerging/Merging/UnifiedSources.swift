import PalliumAdapter
import PalliumCore

/// The models of a document, outer ones first, in its order: what is unified with the instances of an identity map.
///
/// The document's own models form trees. Instances that stay as they are may be inside.
///
/// Safety: slots are numbered by the table of the model, which lives as long as the model, and hold what their kinds
/// say.
struct UnifiedSources {
    /// The slot that holds a model.
    enum Container {
        case root(Int)
        case property(DynamicModel, Int)
        case element(SlotList, Int)

        var slot: PropertySlot? {
            switch self {
            case .root: nil
            case .property(let model, let index): model.slot(at: index)
            case .element(let list, let index): list.slot(at: index)
            }
        }
    }

    struct Entry {
        let model: DynamicModel
        let container: Container
        /// Nil for a model that is a value of its holder.
        let identity: ModelIdentity?
        let path: Int
    }

    private struct Pending {
        let container: Container
        /// Whether a model may be merged into another one, so that a partial one is enough.
        let isPartial: Bool
        let path: Int
    }

    private(set) var entries: [Entry] = []
    /// The slots that hold sets of models.
    private(set) var sets: [Container] = []
    private let merge: ModelMerge
    private var pending: [Pending] = []
    /// The instances that the document describes just as they are. They stand in its models and are not visited.
    private let unchanged: [DynamicModel]
    /// The same, once one may have been met.
    private var unchangedNumbers = AddressTable()

    /// - Throws: ``ModelError`` when a model that can be nothing but a new value lacks something required.
    init(_ parts: ImportedParts, _ merge: ModelMerge) throws(ModelError) {
        let (roots, positions) = (parts.models, parts.positions)
        self.merge = merge
        unchanged = parts.targets?.unchanged ?? []
        // Most roots hold a few models.
        entries.reserveCapacity(roots.count * 4)
        for (number, root) in roots.enumerated() {
            let path = positions.map { merge.paths.append($0[number], to: GraphPaths.root) } ?? GraphPaths.root
            try visit(
                root, Pending(container: .root(number), isPartial: false, path: path))
            while let next = pending.popLast() { try look(into: next) }
        }
    }

    private mutating func isUnchanged(_ model: DynamicModel) -> Bool {
        if unchangedNumbers.isEmpty { for instance in unchanged { unchangedNumbers.insert(0, for: instance) } }
        return unchangedNumbers[model] != nil
    }

    private mutating func look(into next: Pending) throws(ModelError) {
        guard let slot = next.container.slot, slot.hasValue else { return }
        switch slot.description.kind {
        case .model: try visit(slot.model, next)
        case .array, .set, .dictionary:
            if slot.description.kind == .set { sets.append(next.container) }
            let list = slot.list
            let keys = slot.description.kind == .dictionary ? slot.dictionary.keys : nil
            for index in (0..<list.count).reversed() {
                let step: ModelDifference.Step = if let keys { .key(keys[index]) } else { .element(index) }
                pending.append(
                    Pending(
                        container: .element(list, index), isPartial: next.isPartial,
                        path: merge.paths.append(step, to: next.path)))
            }
        default: break
        }
    }

    private mutating func visit(_ model: DynamicModel, _ next: Pending) throws(ModelError) {
        if model.isUnique, isUnchanged(model) { return }
        let identity = ModelIdentity(model)
        if identity == nil, !next.isPartial {
            do throws(ModelError) { try model.complete() } catch {
                throw merge.located(error, at: next.path)
            }
        }
        entries.append(
            Entry(
                model: model, container: next.container, identity: identity, path: next.path))
        let layout = model.layout
        for index in model.holderIndices.reversed() {
            let slot = model.slot(at: index)
            guard slot.hasValue, slot.description.holdsModels else { continue }
            pending.append(
                Pending(
                    container: .property(model, index),
                    isPartial: (identity != nil || next.isPartial) && layout.mergeRules[index].mergesInPlace,
                    path: merge.paths.append(property: index, of: layout, to: next.path)))
        }
    }
}
