import PalliumCore

/// Weak references lead to models of the target's graph: what a reference of the source leads to is looked up there, and
/// only then the policy of the property is asked.
///
/// Safety: slots are numbered by the table of the model, which lives as long as the model, and hold what their kinds
/// say.
extension ModelMerge {
    /// The weak references of sources, in order, until it is known which models they lead to.
    struct WeakReferences {
        /// The value of a weak reference in a source: a model, or null.
        fileprivate struct Reference {
            let pair: Pair
            let slot: Int
            let content: TemporarySlot
            /// The target as it was before the pair, for rules that read other properties.
            let before: DynamicModel?

            var model: DynamicModel? { DynamicModel._loadIfPresent(content.slot) }
        }

        fileprivate var references: [Reference] = []
        /// The pair when only one property is merged: references to its source are redirected to its target, too.
        var pairOfProperty: Pair?
        /// The elements that were matched and have no pairs, because they are unchanged.
        var unchangedElements: [(source: MatchedElements, target: SlotList)] = []

        var isEmpty: Bool { references.isEmpty }

        mutating func append(_ content: TemporarySlot, at slot: Int, of pair: Pair, before: DynamicModel?) {
            references.append(Reference(pair: pair, slot: slot, content: content, before: before))
        }
    }

    /// Decides about weak references once all pairs are merged.
    mutating func mergeWeakReferences() throws(ModelError) {
        if references.isEmpty { return }
        let targets = targetsOfSources()
        for reference in references.references {
            var content = reference.content
            if let target = reference.model.flatMap({ targets[ObjectIdentifier($0)] }) {
                // A model can be merged into one that the property is not for.
                guard target.fits(content.slot.description) else { continue }
                content = TemporarySlot(holding: WeakModelBox(target), like: content.slot)
            }
            before = reference.before
            do throws(ModelError) {
                try mergeSlot(reference.slot, of: reference.pair, content.slot, isRedirected: true)
            } catch { throw located(error, at: reference.slot, of: reference.pair) }
        }
    }

    /// The targets by the sources that were merged into them, or that are equal to them and were left out.
    private func targetsOfSources() -> [ObjectIdentifier: DynamicModel] {
        var targets: [ObjectIdentifier: DynamicModel] = [:]
        let weakReferences = references.references
        guard weakReferences.contains(where: { $0.model != nil }) else { return targets }
        let pairs = (references.pairOfProperty.map { [$0] } ?? []) + queue.pairs
        for pair in pairs { targets[ObjectIdentifier(pair.source)] = pair.target }
        for (source, target) in references.unchangedElements {
            for number in 0..<source.list.count where source.areUnchanged[number] {
                let element = source.list.slot(at: number).model
                targets[ObjectIdentifier(element)] = target.slot(at: source.matches[number]).model
            }
        }
        guard weakReferences.contains(where: { $0.model.map { targets[ObjectIdentifier($0)] == nil } ?? false }) else {
            return targets
        }

        var pending: [(target: DynamicModel, source: DynamicModel)] = []
        /// Enters the models at the same positions of equal content. Elements of sets have no position.
        func enter(_ target: PropertySlot, _ source: PropertySlot) {
            guard target.hasValue, source.hasValue else { return }
            switch target.description.kind {
            case .model:
                let model = target.model
                let other = source.model
                if model === other || targets[ObjectIdentifier(other)] != nil { return }
                targets[ObjectIdentifier(other)] = model
                pending.append((model, other))
            case .array:
                for index in 0..<target.list.count { enter(target.list.slot(at: index), source.list.slot(at: index)) }
            case .dictionary:
                let (members, others) = (target.dictionary, source.dictionary)
                for index in 0..<members.count {
                    guard let other = others.index(of: members.keys[index]) else { continue }
                    enter(members.slot(at: index), others.slot(at: other))
                }
            default: break
            }
        }
        /// Whether a slot holds models whose targets are not known. Comparing the others, which hold whole graphs too, would
        /// take quadratic time in a chain of pairs.
        func holdsUnknown(_ slot: PropertySlot) -> Bool {
            var result = false
            slot.forEachModel { if !result, targets[ObjectIdentifier($0)] == nil { result = true } }
            return result
        }
        for pair in pairs {
            for index in pair.target.holderIndices {
                guard let other = pair.source.layout.index(of: pair.target.layout.properties[index].key) else {
                    continue
                }
                let (target, source) = (pair.target.slot(at: index), pair.source.slot(at: other))
                guard holdsUnknown(source), ModelComparison.equal(target, source, including: .right) else { continue }
                enter(target, source)
                while let (target, source) = pending.popLast() {
                    for index in target.holderIndices { enter(target.slot(at: index), source.slot(at: index)) }
                }
            }
        }
        return targets
    }
}
