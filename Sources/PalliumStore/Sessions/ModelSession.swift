public import PalliumCore
import PalliumMerging

/// One live object for each identity of a store, with edits that wait to be saved.
///
///     let session = ModelSession(store)
///     let open = try session.fetch(ModelQuery<Issue>(where: Key("state") == "open"))
///     open[0].title = "Crash at start"
///     let saved = try session.save()
///     print(saved.rows, saved.conflicts)
///
/// Fetches and references to a row give the same object. `save` writes what was edited, and nothing else; what others have
/// stored meanwhile is taken over first, and edits survive. A session belongs to one isolation region and keeps its objects
/// alive. After an error, the store and every object are as they were.
///
/// The session alone tracks its objects: do not call `trackChanges()`, `stopTrackingChanges()` or `rebase(onto:)` on them.
/// It cannot be used inside a transaction of a store or of a model, which could be taken back without it.
public final class ModelSession {
    let store: ModelStore
    /// Marks the objects as the instances of their identities.
    let map = IdentityMap()
    var objects = SessionObjects()

    /// Makes a session without objects.
    public init(_ store: ModelStore) { self.store = store }

    deinit { map.release() }

    // MARK: Finding

    /// Returns the objects of a query, which is tested on rows, not on edits that wait. Objects that were deleted are left
    /// out.
    ///
    /// Objects that are visited are brought up to date, as by ``refresh()``.
    ///
    /// - Throws: ``ModelError`` as ``StoreAccess/fetch(_:)``, and if a rule refuses an object with its edits and what others
    ///   have stored.
    public func fetch<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> [Model] {
        try typed(store._read { store throws(ModelError) in try store.fetchAll(query) })
    }

    /// Returns the object of an identity; nil if the store has no row of it, or if it was deleted.
    ///
    /// - Throws: ``ModelError`` as ``fetch(_:)``.
    public func first<Model: DynamicModel>(
        _ type: Model.Type, identity: any PropertyValue..., including links: ModelQuery<Model>.Links = .stubs
    ) throws(ModelError) -> Model? {
        try first(ModelQuery(type, including: links), identity)
    }

    /// Returns the object of an identity; nil if the store has no row of it, or if it was deleted.
    ///
    /// - Throws: ``ModelError`` as ``fetch(_:)``.
    public func first(
        _ schema: ModelSchema, identity: any PropertyValue...,
        including links: ModelQuery<DynamicModel>.Links = .stubs
    ) throws(ModelError) -> DynamicModel? {
        try first(ModelQuery(schema: schema, including: links), identity)
    }

    private func first<Model>(
        _ query: ModelQuery<Model>, _ identity: [any PropertyValue]
    ) throws(ModelError) -> Model? {
        let found: [Model] = try typed(
            store._read { store throws(ModelError) in try store.fetchFirst(query, identity: identity) })
        return found.first
    }

    private func typed<Model: DynamicModel>(_ part: _ConnectedStore.FetchedBatch) throws(ModelError) -> [Model] {
        try change { () throws(ModelError) in
            var changes = SessionChanges()
            try unify(part.all, &changes)
            let found = part.models.compactMap { objects.object(of: $0) }.filter { !$0.isDeleted }
            return try _ConnectedStore.typed(found.map(\.model), Model.self)
        }
    }

    // MARK: Changing

    /// Whether the next save has something to do. O(*n*) in the number of objects.
    public var hasChanges: Bool { objects.present.contains { objects[$0].isPending } }

    /// Makes a model, and all new ones that it leads to, objects whose rows the next save inserts.
    ///
    /// An object whose row others have deleted is inserted again, and one that waits to be deleted is not deleted. For any
    /// other object of the session, this does nothing.
    ///
    /// - Throws: ``ModelError`` with the code `missingProperty` for a model without its identity, and `conflict` if the
    ///   session has another object of the identity.
    public func insert(_ model: DynamicModel) throws(ModelError) {
        try change { () throws(ModelError) in
            if let index = objects.index(of: model), objects[index].model === model {
                objects[index].isDeleted = false
                if objects[index].row == .gone || objects[index].row == .unknown { objects[index].isInserted = true }
            } else {
                try join(model, as: .new)
            }
            try joinAll(from: model)
        }
    }

    /// Lets the next save delete the row of an object. One that was inserted leaves the session.
    ///
    /// - Throws: ``ModelError`` with the code `conflict` for a model that is no object of the session.
    public func delete(_ model: DynamicModel) throws(ModelError) {
        let index = try index(of: model)
        if objects[index].row == .new {
            map.disown(model)
            objects.remove(index)
        } else {
            objects[index].isDeleted = true
        }
    }

    /// Takes back all that was not saved: edits, deletions and insertions.
    public func revert() { revert(objects.present) }

    /// Takes back what was not saved of one object.
    ///
    /// - Throws: ``ModelError`` with the code `conflict` for a model that is no object of the session.
    public func revert(_ model: DynamicModel) throws(ModelError) { revert([try index(of: model)]) }

    private func revert(_ indices: [Int]) {
        WriteTransaction.run { _ in
            for index in indices where objects[index].row != .new { objects[index].model.revertRow() }
        }
        for index in indices {
            objects[index].isDeleted = false
            objects[index].isInserted = false
            guard objects[index].row == .new else { continue }
            map.disown(objects[index].model)
            objects.remove(index)
        }
    }

    private func index(of model: DynamicModel) throws(ModelError) -> Int {
        guard let index = objects.index(of: model), objects[index].model === model else {
            throw ModelError(
                .conflict, expected: "an object of the session", found: "a model that it does not have")
        }
        return index
    }

    // MARK: Exchanging

    /// Takes over what others have stored since the objects were fetched, and keeps edits.
    ///
    /// A property without an edit becomes what the row says. Where both sides changed one, that is a conflict: its merge
    /// policy decides, and without one the edit stays.
    ///
    /// - Returns: What changed in the objects, and those whose rows are gone.
    /// - Throws: ``ModelError`` as ``fetch(_:)``.
    /// - Complexity: O(*n*) in the number of objects.
    @discardableResult
    public func refresh() throws(ModelError) -> SessionChanges {
        try change { () throws(ModelError) in
            var changes = SessionChanges()
            let fetched = objects.present.filter { objects[$0].wasFetched }
            try checkBases(of: fetched)
            let (rows, missing) = try store._read { store throws(ModelError) in
                try self.rows(of: fetched, from: store)
            }
            try unify(rows, &changes)
            for index in missing where objects[index].row != .gone {
                changes.deleted.append(objects[index].model)
                objects[index].row = .gone
            }
            return changes
        }
    }

    /// Writes the objects that were edited or inserted, and new models that they lead to; deletes those that were deleted.
    ///
    /// It is one transaction. An edited object first takes over what others have stored, as by ``refresh()``.
    ///
    /// - Returns: How many rows were written, and what was taken over.
    /// - Throws: ``ModelError`` as ``StoreAccess/save(_:)-([DynamicModel])``, and with the code `conflict` for an edited
    ///   object whose row is gone, an inserted one whose row exists, and a model of an identity of which the session has
    ///   another object.
    /// - Complexity: O(*n*) in the number of objects, besides the changes.
    @discardableResult
    public func save() throws(ModelError) -> SessionChanges {
        try change { () throws(ModelError) in try saveAll() }
    }

    private func saveAll() throws(ModelError) -> SessionChanges {
        try checkBases(of: objects.present)
        for index in objects.present where objects[index].isPending && !objects[index].isDeleted {
            try joinAll(from: objects[index].model)
        }
        let pending = objects.present.filter { objects[$0].isPending }
        var changes = SessionChanges()
        if pending.isEmpty { return changes }
        let (deleted, kept) = (pending.filter { objects[$0].isDeleted }, pending.filter { !objects[$0].isDeleted })
        var written: [(index: Int, row: SessionObjects.Row)] = []
        try store._write { (store: _ConnectedStore) throws(ModelError) -> Void in
            let (rows, missing) = try self.rows(of: kept, from: store)
            try unify(rows, &changes)
            for index in missing where objects[index].wasFetched && !objects[index].isInserted {
                throw conflict(index, expected: "a row of the object that was edited", found: "none")
            }
            // First, so that other rows can have the values of deleted ones.
            let removed = try store.delete(deleted.map { objects[$0].model }, &changes.rows)
            written = try write(kept, to: store, &changes.rows)
            let lost = try indices(of: store.applyDeleteRules(to: removed, &changes.rows))
            changes.deleted += lost.map { objects[$0].model }
            written += (deleted + lost).map { ($0, .gone) }
        }
        for (index, row) in written {
            objects[index].model.takeBaseOfRow()
            var object = SessionObjects.Object(objects[index].model, row)
            object.isInserted = false
            objects[index] = object
        }
        return changes
    }

    /// Returns the indices of the objects of rows.
    private func indices(of rows: [_ConnectedStore.Rows]) -> [Int] {
        if rows.isEmpty { return [] }
        return objects.present.filter { index in
            let model = objects[index].model
            return rows.contains { rows in
                rows.table.layout === model.layout.identityRoot
                    && rows.identities.contains(rows.table.identityValues(of: model))
            }
        }
    }

    /// Checks that edits of objects are told from what the session knows.
    private func checkBases(of indices: [Int]) throws(ModelError) {
        for index in indices where objects[index].model.trackedBase !== objects[index].base {
            throw conflict(
                index, expected: "an object whose changes only the session tracks",
                found: "one that other code tracks or rebases")
        }
    }

    private func conflict(_ index: Int, expected: String, found: String) -> ModelError {
        let model = objects[index].model
        return ModelError(
            .conflict, expected: expected, found: "\(found) (\(ModelIdentity(model)?.description ?? ""))",
            schema: model.layout.schema.name)
    }

    /// Writes the rows of objects; returns what is known of them once the transaction has been committed.
    private func write(
        _ indices: [Int], to store: _ConnectedStore, _ changes: inout StoreChanges
    ) throws(ModelError) -> [(index: Int, row: SessionObjects.Row)] {
        let tables = Dictionary(grouping: indices) { ObjectIdentifier(objects[$0].model.layout.identityRoot) }
        var written: [(index: Int, row: SessionObjects.Row)] = []
        for indices in tables.values.sorted(by: { $0[0] < $1[0] }) {
            let layout = objects[indices[0]].model.layout.identityRoot
            var writer = RowWriter(
                try store.tableToWrite(layout), store.connection, for: .saving
            ) { [objects] in indices.map { objects[$0].model } }
            for index in indices {
                let isInserted = objects[index].isInserted
                let outcome = try writer.write(objects[index].model, replaces: !isInserted)
                if isInserted, outcome != .inserted {
                    throw conflict(index, expected: "no row of the object that was inserted", found: "one")
                }
                changes.add(outcome)
                changes.inserted += try store.insertMade(by: objects[index].model) { [objects] in
                    objects.object(of: $0).map { $0.row == .unknown && !$0.isDeleted } == true && !$0.isStub
                }
                written.append((index, .stored(writer.checksum)))
            }
        }
        return written
    }
}
