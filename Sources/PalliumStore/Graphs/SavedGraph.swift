import PalliumAdapter
import PalliumCore
import PalliumJSON

/// The models of a graph that become rows: the roots, and all models with an identity that they lead to.
///
/// A model with nothing but its identity is a stub: a reference to a row. It never replaces the row, and makes one only if
/// it is a root.
struct SavedGraph {
    struct Entry {
        let model: DynamicModel
        let isStub: Bool
        fileprivate let path: Int
    }

    /// The models by the layouts of their tables, in the order in which they were found.
    private(set) var rows: [(layout: ModelLayout, entries: [Entry])] = []

    private struct Pending {
        let model: DynamicModel
        /// Whether the model is a row: a root, or the target of a reference.
        let isRow: Bool
        /// The path to the model.
        let path: Int
    }

    private var numbers: [ObjectIdentifier: Int] = [:]
    private var visited: Set<ObjectIdentifier> = []
    private var identities: [ModelIdentity: (model: DynamicModel, isStub: Bool)] = [:]
    private var pending: [Pending] = []
    private var paths = GraphPaths()

    /// Walks through a graph.
    ///
    /// - Parameters:
    ///   - models: The roots, whose paths begin with their positions.
    ///   - others: Roots without a path.
    ///   - leadsOn: Whether models in the table of a layout can lead to other rows.
    /// - Throws: ``ModelError`` with the path of a model that lacks its identity, and for two different models of one
    ///   identity.
    /// - Complexity: O(*n*) in the number of models and of elements that hold models.
    init(
        _ models: [DynamicModel], and others: [DynamicModel], leadsOn: (ModelLayout) throws(ModelError) -> Bool
    ) throws(ModelError) {
        visited.reserveCapacity(models.count)
        identities.reserveCapacity(models.count)
        var table: (layout: ModelLayout, leadsOn: Bool)?
        for (index, model) in (models + others).enumerated() {
            let path = index < models.count ? paths.path(.position(index)) : GraphPaths.none
            guard let layout = model.layout.rowLayout else {
                throw ModelError(
                    .typeMismatch, expected: "a model of a schema with an identity",
                    found: "a model of \(model.layout.schema.name)", schema: model.layout.schema.name
                ).at(paths.tokens(path))
            }
            if table?.layout !== layout {
                do throws(ModelError) { table = (layout, try leadsOn(layout)) } catch {
                    throw error.at(paths.tokens(path))
                }
            }
            guard table?.leadsOn == true else {
                if visited.insert(ObjectIdentifier(model)).inserted { _ = try add(model, isRoot: true, path) }
                continue
            }
            try visit(Pending(model: model, isRow: true, path: path), isRoot: true)
            while let next = pending.popLast() { try visit(next, isRoot: false) }
        }
    }

    /// The path to the model of an entry, as the parts of a JSON Pointer.
    func tokens(of entry: Entry) -> [String] { paths.tokens(entry.path) }

    private mutating func visit(_ next: Pending, isRoot: Bool) throws(ModelError) {
        let model = next.model
        guard visited.insert(ObjectIdentifier(model)).inserted else { return }
        if next.isRow, try !add(model, isRoot: isRoot, next.path) { return }
        let layout = model.layout
        for index in model.holderIndices {
            let slot = model.slot(at: index)
            guard slot.hasValue, slot.description.holdsModels, StoredForm.holds(layout.properties[index]) else {
                continue
            }
            look(into: slot, paths.path(.key(layout.properties[index].key), from: next.path))
        }
    }

    /// Recursion is as deep as the nesting of kinds.
    private mutating func look(into slot: PropertySlot, _ path: Int) {
        guard slot.hasValue else { return }
        switch slot.description.kind {
        case .model:
            let isRow = slot.description.model?.identitySlots.isEmpty == false
            pending.append(Pending(model: slot.model, isRow: isRow, path: path))
        case .array, .set:
            let list = slot.list
            for index in 0..<list.count { look(into: list.slot(at: index), paths.path(.position(index), from: path)) }
        case .dictionary:
            let list = slot.dictionary
            for index in 0..<list.count {
                look(into: list.slot(at: index), paths.path(.key(list.keys[index]), from: path))
            }
        default: break
        }
    }

    /// Adds a row; returns false if the graph has it already.
    private mutating func add(_ model: DynamicModel, isRoot: Bool, _ path: Int) throws(ModelError) -> Bool {
        let layout = model.layout
        guard let identity = ModelIdentity(model), let root = layout.rowLayout else {
            throw model.missingIdentity.at(paths.tokens(path))
        }
        // What a caller passes may say defaults on purpose.
        let isStub = isRoot ? model.hasNothingBesidesIdentity : model.isStub
        if let other = identities[identity] {
            if isStub || other.model === model || other.model == model { return false }
            guard other.isStub else {
                throw ModelError(
                    .conflict, expected: "one model of each identity", found: "two different ones of \(identity)",
                    schema: layout.schema.name
                ).at(paths.tokens(path))
            }
        }
        identities[identity] = (model, isStub)
        if isStub, !isRoot { return false }
        let number = numbers[ObjectIdentifier(root)] ?? rows.count
        if number == rows.count {
            numbers[ObjectIdentifier(root)] = number
            rows.append((root, []))
        }
        rows[number].entries.append(Entry(model: model, isStub: isStub, path: path))
        return true
    }
}

extension DynamicModel {
    /// Whether a reference has nothing but its identity. A model that was made in code has its defaults as values.
    var isStub: Bool {
        hasNothing { layout.defaultedSlots.contains($0) && ModelComparison.equal(slot(at: $0), layout.defaultSlot($0)) }
    }

    /// Whether no property but those of the identity was given a value.
    fileprivate var hasNothingBesidesIdentity: Bool { hasNothing { _ in false } }

    private func hasNothing(except isIgnored: (Int) -> Bool) -> Bool {
        let layout = layout
        if preservedMembers?.isEmpty == false { return false }
        return layout.properties.indices.allSatisfy { index in
            let slot = slot(at: index)
            return slot.slotState.isUnset || slot.slotState.isDefaulted || layout.identitySlots.contains(index)
                || slot.description.kind == .weakModel || isIgnored(index)
        }
    }
}
