/// The models of a document, outer ones first, in its order: what is unified with the instances of an identity map.
///
/// No code of the program has seen them, so they form trees.
///
/// Safety: slots are numbered by the table of the model, which lives as long as the model, and hold what their kinds
/// say.
struct IncomingModels {
    /// Where a model stands.
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
        /// The entry of the model it stands in, or -1.
        let holder: Int
        /// Nil for a model that is a value of its holder.
        let identity: ModelIdentity?
        let place: Int
        /// Whether a model with an identity stands below it, and no other in between.
        var holdsInstances = false
    }

    private struct Pending {
        let container: Container
        let holder: Int
        /// Whether a model may be merged into another one, so that part of what the schema asks for is enough.
        let isPart: Bool
        let place: Int
    }

    private(set) var entries: [Entry] = []
    /// Where sets of models stand.
    private(set) var sets: [Container] = []
    private let merge: ModelMerge
    private var pending: [Pending] = []

    /// - Throws: ``ModelError`` when a model that can be nothing but a new value lacks something required.
    init(_ roots: [DynamicModel], at positions: [Int]?, _ merge: ModelMerge) throws(ModelError) {
        self.merge = merge
        // Most roots hold a few models.
        entries.reserveCapacity(roots.count * 4)
        for (number, root) in roots.enumerated() {
            let place =
                positions.map { merge.paths.append($0[number], to: ChangePaths.root) } ?? ChangePaths.root
            try visit(
                root, Pending(container: .root(number), holder: -1, isPart: false, place: place))
            while let next = pending.popLast() { try look(into: next) }
        }
    }

    private mutating func look(into place: Pending) throws(ModelError) {
        guard let slot = place.container.slot, slot.hasValue else { return }
        switch slot.description.kind {
        case .model: try unsafe visit(SlotOperations.box(DynamicModel.self, slot.pointer), place)
        case .array, .set, .dictionary:
            if slot.description.kind == .set { sets.append(place.container) }
            let list = unsafe SlotOperations.box(SlotList.self, slot.pointer)
            for index in (0..<list.count).reversed() {
                let step: ModelDifference.Step =
                    if let dictionary = list as? SlotDictionary { .key(dictionary.keys[index]) } else {
                        .element(index)
                    }
                pending.append(
                    Pending(
                        container: .element(list, index), holder: place.holder, isPart: place.isPart,
                        place: merge.paths.append(step, to: place.place)))
            }
        default: break
        }
    }

    private mutating func visit(_ model: DynamicModel, _ place: Pending) throws(ModelError) {
        let identity = ModelIdentity(model)
        if identity == nil, !place.isPart {
            do throws(ModelError) { try model.complete() } catch {
                throw error.at(merge.origin(of: place.place))
            }
        }
        if identity != nil { noteInstance(below: place.holder) }
        let number = entries.count
        entries.append(
            Entry(
                model: model, container: place.container, holder: place.holder, identity: identity,
                place: place.place))
        let layout = model.layout
        for index in unsafe (0..<model.table.pointee.slotCount).reversed() {
            guard unsafe model.table.pointee.kinds[index].mayHoldModels else { continue }
            let slot = model.slot(at: index)
            guard slot.hasValue, slot.description.holdsModels else { continue }
            pending.append(
                Pending(
                    container: .property(model, index), holder: number,
                    isPart: (identity != nil || place.isPart) && layout.mergeRules[index].mergesInPlace,
                    place: merge.paths.append(property: index, of: layout, to: place.place)))
        }
    }

    /// Notes that the models from a holder outwards hold an instance, up to one that has an identity itself.
    private mutating func noteInstance(below holder: Int) {
        var number = holder
        while number >= 0, entries[number].identity == nil, !entries[number].holdsInstances {
            entries[number].holdsInstances = true
            number = entries[number].holder
        }
    }
}

extension ValueDescriptor {
    /// Whether a model can stand in the value, however deep.
    fileprivate var holdsModels: Bool {
        var descriptor = self
        while let element = descriptor.element { descriptor = element }
        return descriptor.kind == .model
    }
}
