public import PalliumCore

// Finds models outside of transactions.
extension ModelStore {
    /// Returns views of the models of a query, which any thread may read.
    ///
    /// If models of other rows come with them, all views share one graph, which lives as long as one of them.
    ///
    /// - Throws: ``ModelError`` as ``StoreAccess/fetch(_:)``.
    public func frozen<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> [Frozen<Model>] {
        let part = try _read { store throws(ModelError) in try store.fetchAll(query) }
        let models = try _ConnectedStore.typed(part.models, Model.self)
        let isConnected = part.all.count { $0.checksum != nil } > models.count
        guard isConnected else { return models.map { $0.frozen() } }
        // The views have copies of them.
        defer { DynamicModel.release(models) }
        return Frozen.views(of: models)
    }

    /// Calls a function with one model of a query after the other, in bounded memory.
    ///
    /// References that the query does not include are stubs, also those to models of the result. The models that are included
    /// are the same objects only within parts of the result. The function sees one state of the store, whatever is saved
    /// meanwhile.
    ///
    /// - Throws: What the function throws, which ends the loop; ``ModelError`` as ``StoreAccess/fetch(_:)``.
    public func forEach<Model>(_ query: ModelQuery<Model>, _ body: (Model) throws -> Void) throws {
        let thrown = try _read { store throws(ModelError) in
            try store.forEachBatch(query) { part throws(any Error) in
                try _ConnectedStore.typed(part.models, Model.self).forEach(body)
            }
        }
        if let thrown { throw thrown }
    }

    /// Returns the statement of a query, and how SQLite finds its rows: by which index, or by reading a whole table.
    ///
    /// The text is for people and may change.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` for a key that the schema does not have.
    public func plan<Model>(of query: ModelQuery<Model>) throws(ModelError) -> String {
        try _read { store throws(ModelError) in try store.plan(query) }
    }
}
