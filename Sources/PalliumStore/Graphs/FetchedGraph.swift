import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Resolves the references of models that were just made from rows, one statement for each level and table.
///
/// ```
///   rows                     references               instances
///   {number 1, owner {7}} ─┐
///   {number 2, owner {7}} ─┼─▶ 7: in a row ─────▶ fetched with all others of its level and table
///   {number 3, owner {8}} ─┘   8: nowhere, or
///                                 not asked for ─▶ a stub, if its schema allows one, or else a broken reference
/// ```
/// Every identity has one instance. Rules and hooks run at the end, when every reference has its instance.
struct FetchedGraph {
    /// Fetches rows of a table by the JSON array of their identities.
    typealias Fetch = (StoreTable, SQLiteValue, (FetchedModel) throws(ModelError) -> Void) throws(ModelError) -> Void

    /// A policy for models that cannot be completed, because a reference is broken for example.
    enum Policy {
        /// The first one is an error.
        case fail
        /// A reference without a row stays a stub, which a document may complete. The rest are errors.
        case keepStubs
        /// They are found in `unreadable`, with all that refer to them.
        case collect
    }

    /// A reference that waits for its row.
    private struct Reference {
        let slot: PropertySlot
        /// Keeps the slot alive.
        let holder: DynamicModel
        let selection: LinkSelection?
        let path: Int
    }

    /// The references to one row.
    private struct Wanted {
        let stub: DynamicModel
        var references: [Reference]
        /// Whether the row is fetched at the next level.
        var isQueued = false
    }

    /// The references to the rows of one table.
    private struct WantedRows {
        let table: StoreTable?
        var rows: [ModelIdentity: Wanted] = [:]
        /// Those that are fetched at the next level, in the order in which they were found.
        var queue: [ModelIdentity] = []
    }

    private let tables: (ModelLayout) throws(ModelError) -> StoreTable?
    private let fetch: Fetch
    private let policy: Policy
    /// Whether a reference leads to a root although it is not followed. Otherwise it is a stub, whatever the roots are.
    private let areLinked: Bool
    /// The errors of models that cannot be completed, by the models.
    private var failures: [ObjectIdentifier: ModelError] = [:]
    private var instances: [ModelIdentity: DynamicModel] = [:]
    /// The models from rows and the stubs, in the order in which they were found.
    private var found: [(fetched: FetchedModel, path: Int)] = []
    private var wanted: [ObjectIdentifier: WantedRows] = [:]
    /// The tables of `wanted` with a queue, in the order in which they were found.
    private var queued: [ObjectIdentifier] = []
    private let paths = GraphPaths()
    private var pending: [(model: DynamicModel, selection: LinkSelection?, path: Int)] = []
    /// The selections with which a model was looked into.
    private var visited: Set<Visit> = []
    private struct Visit: Hashable {
        let model: ObjectIdentifier
        let selection: ObjectIdentifier
    }
    /// The depth to which everything behind a model is followed; -1 where nothing is.
    private var depths: [ObjectIdentifier: Int] = [:]

    init(
        _ policy: Policy, areLinked: Bool, tables: @escaping (ModelLayout) throws(ModelError) -> StoreTable?,
        fetch: @escaping Fetch
    ) {
        self.policy = policy
        self.areLinked = areLinked
        self.tables = tables
        self.fetch = fetch
    }

    /// Completes models that were made partial from rows.
    ///
    /// - Throws: ``ModelError`` with the path of a reference to a row that is not there, if the schema allows no stub; and
    ///   what rules and hooks throw.
    /// - Returns: All models with an identity: the roots, those that were fetched for them, and stubs.
    mutating func complete(
        _ roots: [FetchedModel], _ selection: LinkSelection
    ) throws(ModelError) -> [FetchedModel] {
        for (index, root) in roots.enumerated() {
            let path = paths.append(index, to: GraphPaths.root)
            if areLinked, let identity = ModelIdentity(root.model) { instances[identity] = root.model }
            found.append((root, path))
            pending.append((root.model, selection, path))
        }
        while true {
            while let (model, selection, path) = pending.popLast() { try look(into: model, selection, path) }
            guard try fetchNextLevel() else { break }
        }
        try finish()
        return found.map(\.fetched)
    }

    /// Notes the error of a model, or throws it.
    ///
    /// - Parameter path: The path from a root to the place of the error.
    private mutating func fail(_ model: DynamicModel, _ error: ModelError, at path: Int) throws(ModelError) {
        guard policy == .collect else {
            let tokens = paths.tokens(to: path)
            // A path begins with the number of a root.
            guard let root = tokens.first.flatMap({ Int($0) }).map({ found[$0].fetched.model }),
                let table = try tables(root.layout.identityRoot)
            else { throw error.at(tokens) }
            throw error.at(table.tokens(ofRow: table.identityValues(of: root)) + tokens.dropFirst())
        }
        if failures[ObjectIdentifier(model)] == nil { failures[ObjectIdentifier(model)] = error }
    }

    // MARK: References

    private mutating func look(
        into model: DynamicModel, _ selection: LinkSelection?, _ path: Int
    ) throws(ModelError) {
        guard isNew(model, selection) else { return }
        try paths.forEachHolder(in: model, at: path) { property, slot, path throws(ModelError) in
            guard slot.hasValue else { return }
            guard let root = slot.description.model?.rowLayout else {
                return pending.append((slot.model, selection?.contained(property.key), path))
            }
            let reference = Reference(slot: slot, holder: model, selection: selection?.inside(property.key), path: path)
            guard let identity = ModelIdentity(slot.model) else {
                let error = ModelError(
                    .missingProperty, expected: "the identity of a \(root.schema.name)",
                    found: "a reference without it", schema: root.schema.name)
                return try fail(model, error, at: path)
            }
            try note(reference, identity, root, isFollowed: selection?.follows(property.key) == true)
        }
    }

    /// Whether a selection may lead further behind a model than those before.
    private mutating func isNew(_ model: DynamicModel, _ selection: LinkSelection?) -> Bool {
        let key = ObjectIdentifier(model)
        if let selection, selection.namesKeys {
            return visited.insert(Visit(model: key, selection: ObjectIdentifier(selection))).inserted
        }
        let depth = selection?.depth ?? -1
        guard depth > depths[key] ?? -2 else { return false }
        depths[key] = depth
        return true
    }

    private mutating func note(
        _ reference: Reference, _ identity: ModelIdentity, _ root: ModelLayout, isFollowed: Bool
    ) throws(ModelError) {
        if !areLinked, !isFollowed, root.hasStubs, reference.slot.model.isStub {
            return found.append((FetchedModel(model: reference.slot.model, checksum: nil), reference.path))
        }
        if let instance = instances[identity] {
            if reference.slot.model !== instance { reference.slot.replace(with: instance) }
            if isFollowed { pending.append((instance, reference.selection, reference.path)) }
            return
        }
        let key = ObjectIdentifier(root)
        if wanted[key] == nil { wanted[key] = WantedRows(table: try tables(root)) }
        // Taken out and put back, so that nothing is copied.
        guard var rows = wanted.removeValue(forKey: key) else { return }
        var entry = rows.rows.removeValue(forKey: identity) ?? Wanted(stub: reference.slot.model, references: [])
        entry.references.append(reference)
        // A model that a step made becomes a row, unless there is one.
        let isWanted = isFollowed || rows.table?.layout.hasStubs == false || !reference.slot.model.isStub
        if rows.table != nil, !entry.isQueued, isWanted {
            entry.isQueued = true
            if rows.queue.isEmpty { queued.append(key) }
            rows.queue.append(identity)
        }
        rows.rows[identity] = entry
        wanted[key] = rows
    }

    /// Fetches the rows that are asked for, or without which a model would not be complete. Returns false if there are none.
    private mutating func fetchNextLevel() throws(ModelError) -> Bool {
        var arrived: [(fetched: FetchedModel, references: [Reference])] = []
        let tables = queued
        queued = []
        for key in tables {
            guard var rows = wanted.removeValue(forKey: key), let table = rows.table else { continue }
            let identities = rows.queue.compactMap { rows.rows[$0].map { table.identityValues(of: $0.stub) } }
            func fetch(_ identities: [[SQLiteValue]]) throws(ModelError) {
                try self.fetch(table, ClauseWriter.list(rows: identities)) { row throws(ModelError) in
                    guard let identity = ModelIdentity(row.model), rows.rows[identity]?.isQueued == true,
                        let entry = rows.rows.removeValue(forKey: identity)
                    else { return }
                    arrived.append((row, entry.references))
                    instances[identity] = row.model
                }
            }
            do throws(ModelError) { try fetch(identities) } catch {
                if policy != .collect { throw error }
                // One of the rows cannot be read.
                for identity in rows.queue {
                    guard let stub = rows.rows[identity]?.stub else { continue }
                    let identity = table.identityValues(of: stub)
                    do throws(ModelError) { try fetch([identity]) } catch {
                        // Its pointer will begin with the root.
                        let count = table.tokens(ofRow: identity).count
                        failures[ObjectIdentifier(stub)] = error.at([], insteadOfFirst: count)
                    }
                }
            }
            // What did not come is nowhere.
            for identity in rows.queue {
                if let missing = rows.rows.removeValue(forKey: identity) { settle(missing, identity) }
            }
            rows.queue = []
            wanted[key] = rows
        }
        for (row, references) in arrived {
            found.append((row, references[0].path))
            for reference in references {
                try replace(reference, with: row.model)
                pending.append((row.model, reference.selection, reference.path))
            }
        }
        return !tables.isEmpty
    }

    private mutating func replace(_ reference: Reference, with model: DynamicModel) throws(ModelError) {
        guard model.fits(reference.slot.description) else {
            let error = ModelError(
                .typeMismatch, reference.slot.description, expected: reference.slot.description.expectation,
                found: "a model of \(model.layout.schema.name)")
            return try fail(reference.holder, error, at: reference.path)
        }
        reference.slot.replace(with: model)
    }

    /// Makes the first reference the instance of an identity without a row.
    private mutating func settle(_ entry: Wanted, _ identity: ModelIdentity) {
        instances[identity] = entry.stub
        found.append((FetchedModel(model: entry.stub, checksum: nil), entry.references[0].path))
        for reference in entry.references where reference.slot.model !== entry.stub {
            reference.slot.replace(with: entry.stub)
        }
    }

    // MARK: The end

    /// Completes and checks all models, those that were found last first.
    private mutating func finish() throws(ModelError) {
        let left = wanted.values.flatMap(\.rows)
        for (identity, entry) in left.sorted(by: { $0.value.references[0].path < $1.value.references[0].path }) {
            settle(entry, identity)
        }
        wanted = [:]
        for (fetched, path) in found {
            let model = fetched.model
            do throws(ModelError) { try Self.complete(model) } catch {
                guard fetched.checksum == nil else {
                    try fail(model, error, at: path)
                    continue
                }
                if policy == .keepStubs { continue }
                let missing = ModelError(
                    .missingProperty, expected: "the row \(ModelIdentity(model)?.description ?? "of a reference")",
                    found: "none, and \(model.layout.schema.name) has required properties",
                    schema: model.layout.schema.name, property: error.property)
                try fail(model, missing, at: path)
            }
        }
        for (fetched, path) in found.reversed() where failures[ObjectIdentifier(fetched.model)] == nil {
            for part in fetched.model.parts.reversed() where part.layout.isChecked {
                let problems = part.problemsOfNewModel { [part.layout.properties[$0].key] }
                if problems.isEmpty { continue }
                try fail(fetched.model, ModelError(problems), at: path)
                break
            }
        }
    }

    /// The errors of models that cannot be completed, and of those that refer to them, with the pointers behind them.
    ///
    /// - Complexity: O(*n*) in the size of the graph if there are any.
    var unreadable: [ObjectIdentifier: ModelError] {
        if failures.isEmpty { return [:] }
        var errors: [ObjectIdentifier: ModelError] = [:]
        var holders: [ObjectIdentifier: [(row: ObjectIdentifier, path: Int)]] = [:]
        var pending: [ObjectIdentifier] = []
        let paths = GraphPaths()
        for row in found.map(\.fetched.model) {
            var parts = [(model: row, path: GraphPaths.root)]
            var visited: Set<ObjectIdentifier> = []
            while let (part, path) = parts.popLast() {
                guard visited.insert(ObjectIdentifier(part)).inserted else { continue }
                if let error = failures[ObjectIdentifier(part)], errors[ObjectIdentifier(row)] == nil {
                    errors[ObjectIdentifier(row)] = error.at(paths.tokens(to: path))
                    pending.append(ObjectIdentifier(row))
                }
                paths.forEachHolder(in: part, at: path) { _, slot, path in
                    guard slot.hasValue else { return }
                    if slot.description.model?.rowLayout == nil {
                        parts.append((slot.model, path))
                    } else {
                        holders[ObjectIdentifier(slot.model), default: []].append((ObjectIdentifier(row), path))
                    }
                }
            }
        }
        while let model = pending.popLast(), let error = errors[model] {
            for (row, path) in holders[model] ?? [] where errors[row] == nil {
                errors[row] = error.at(paths.tokens(to: path))
                pending.append(row)
            }
        }
        return errors
    }

    /// Completes a model and those without an identity in it.
    private static func complete(_ model: DynamicModel) throws(ModelError) {
        for part in model.parts {
            try part.complete()
            part.linkChildren()
        }
    }
}

extension ModelLayout {
    /// Whether rules or hooks look at models.
    fileprivate var isChecked: Bool { mayRefuse || !decodingHooks.isEmpty || modelClass != DynamicModel.self }
}
