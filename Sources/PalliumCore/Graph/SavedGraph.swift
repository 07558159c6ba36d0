/// The models of a graph that have an identity, one of each: those that become rows or records, and those that refer to some.
///
/// A model with nothing but its identity is a stub: a reference to a row. It never replaces the row.
package struct SavedGraph {
    /// What the models become.
    package enum Purpose {
        /// Every root is a row. It is no stub if somebody set its values, defaults or not.
        case rows
        /// Roots may be models without an identity, and are stubs as references are. Errors name the key of an identity.
        case records
    }

    package struct Entry {
        /// What a graph says about an identity, in the order in which one replaces another.
        package enum Content: Comparable { case reference, stubRoot, model }

        package let model: DynamicModel
        package let content: Content
        /// The path to the model.
        package let path: Int
    }

    /// The models by the layouts of their tables, in the order in which they were found.
    package private(set) var rows: [(layout: ModelLayout, entries: [Entry])] = []
    package let paths = GraphPaths()
    /// The paths of the roots.
    package private(set) var roots: [Int] = []

    private let purpose: Purpose
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var visited: Set<ObjectIdentifier> = []
    private var identities: [ModelIdentity: (row: Int, entry: Int)] = [:]
    private var pending: [(model: DynamicModel, isRow: Bool, path: Int)] = []

    /// Walks through a graph.
    ///
    /// - Parameters:
    ///   - models: The roots, whose paths begin with their positions.
    ///   - others: Roots without a path, which are no stubs: the row of one may lose its only value.
    ///   - leadsOn: Whether models in the table of a layout can lead to other rows.
    /// - Throws: ``ModelError`` with the path of a model that lacks its identity, and for two different models of one
    ///   identity.
    /// - Complexity: O(*n*) in the number of models and of elements that hold models.
    package init(
        _ models: [DynamicModel], and others: [DynamicModel] = [], for purpose: Purpose,
        leadsOn: (ModelLayout) throws(ModelError) -> Bool = { _ in true }
    ) throws(ModelError) {
        self.purpose = purpose
        visited.reserveCapacity(models.count)
        identities.reserveCapacity(models.count)
        var table: (layout: ModelLayout?, leadsOn: Bool) = (nil, true)
        for (index, model) in (models + others).enumerated() {
            let path = index < models.count ? paths.append(index, to: GraphPaths.root) : GraphPaths.root
            roots.append(path)
            do throws(ModelError) {
                if let layout = model.layout.rowLayout {
                    if table.layout !== layout { table = (layout, try leadsOn(layout)) }
                } else if purpose == .rows {
                    throw ModelError(
                        .typeMismatch, expected: "a model of a schema with an identity",
                        found: "a model of \(model.layout.schema.name)", schema: model.layout.schema.name)
                }
            } catch { throw error.at(paths.tokens(to: path)) }
            pending.append((model, model.layout.rowLayout != nil, path))
            while let (model, isRow, path) = pending.popLast() {
                let isRoot = purpose == .rows && path == roots[index]
                // A root may have been found as a reference, which says less.
                guard visited.insert(ObjectIdentifier(model)).inserted || isRoot else { continue }
                let isStub =
                    isRoot ? index < models.count && model.hasNothingBesidesIdentity : model.isStub
                let content: Entry.Content = !isStub ? .model : isRoot ? .stubRoot : .reference
                if isRow, try !add(model, content, path) || !table.leadsOn { continue }
                paths.forEachHolder(in: model, at: path) { property, slot, path in
                    guard slot.hasValue, property.isStored else { return }
                    // What a property of a schema without an identity holds is a part of the row.
                    let layout = purpose == .rows ? slot.description.model : slot.model.layout
                    pending.append((slot.model, layout?.rowLayout != nil, path))
                }
            }
        }
    }

    /// The path to the model of an entry, as the parts of a JSON Pointer.
    package func tokens(of entry: Entry) -> [String] { paths.tokens(to: entry.path) }

    /// Adds a model; returns false if it leads to nothing that the graph lacks.
    private mutating func add(
        _ model: DynamicModel, _ content: Entry.Content, _ path: Int
    ) throws(ModelError) -> Bool {
        guard let identity = ModelIdentity(model), let layout = model.layout.rowLayout else {
            let error = model.missingIdentity
            let key = purpose == .records ? error.property : nil
            throw error.at(paths.tokens(to: path) + (key.map { [$0] } ?? []))
        }
        let entry = Entry(model: model, content: content, path: path)
        if let (row, number) = identities[identity] {
            let other = rows[row].entries[number]
            if entry.content <= other.content {
                guard content != .model || other.model == model else {
                    throw ModelError(
                        .conflict, expected: "one model of each identity", found: "two different ones of \(identity)",
                        schema: model.layout.schema.name
                    ).at(paths.tokens(to: path))
                }
                return false
            }
            rows[row].entries[number] = entry
        } else {
            let row = numbers[ObjectIdentifier(layout)] ?? rows.count
            if row == rows.count {
                numbers[ObjectIdentifier(layout)] = row
                rows.append((layout, []))
            }
            identities[identity] = (row, rows[row].entries.count)
            rows[row].entries.append(entry)
        }
        return content == .model
    }
}
