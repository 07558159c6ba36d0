public import PalliumCore

// Finds models.
//
// Safety: models that are `unshared` were made by the call and are reachable from nowhere else.
extension ModelStore {
    /// Returns the models of a query: one object for each identity, however often the result refers to it.
    ///
    /// References that the query does not include are stubs, which have nothing but their identity. If the schema of a
    /// reference requires more, its model is fetched anyway. A reference to a row that does not exist is a stub, too; if
    /// the schema does not allow one, it is an error.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` for a key that the schema does not have, which suggests the
    ///   nearest; `malformedStore` for a damaged row; `newerVersion` for a row of a later version of its schema; what rules
    ///   and hooks throw. The JSON Pointer begins with the position in the result.
    /// - Complexity: One statement for the query, and one for each level of references and each table.
    public func fetch<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> sending [Model] {
        try unsafe unshared(read { store throws(ModelError) in try store.fetch(query) })
    }

    /// Returns the model of an identity; nil if the store has none.
    ///
    ///     let issue = try store.first(Issue.self, identity: 7)
    ///
    /// - Parameter identity: The values of the identity, in the order of the schema.
    /// - Throws: ``ModelError`` as ``fetch(_:)``.
    public func first<Model: DynamicModel>(
        _ type: Model.Type, identity: any PropertyValue..., including links: ModelQuery<Model>.Links = .stubs
    ) throws(ModelError) -> sending Model? {
        try unsafe unshared(
            read { store throws(ModelError) in
                try store.first(ModelQuery(type, including: links), identity: identity)
            })
    }

    /// Returns the model of an identity; nil if the store has none.
    ///
    /// - Throws: ``ModelError`` as ``fetch(_:)``.
    public func first(
        _ schema: ModelSchema, identity: any PropertyValue...,
        including links: ModelQuery<DynamicModel>.Links = .stubs
    ) throws(ModelError) -> sending DynamicModel? {
        try unsafe unshared(
            read { store throws(ModelError) in
                try store.first(ModelQuery(schema: schema, including: links), identity: identity)
            })
    }

    /// Returns views of the models of a query, which any thread may read.
    ///
    /// If models of other rows come with them, all views share one graph, which lives as long as one of them.
    ///
    /// - Throws: ``ModelError`` as ``fetch(_:)``.
    public func frozen<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> [Frozen<Model>] {
        let part = try read { store throws(ModelError) in try store.fetchAll(query) }
        let models = try StoreAccess.typed(part.models, Model.self)
        let isConnected = part.all.count { $0.checksum != nil } > models.count
        guard isConnected else { return models.map { $0.frozen() } }
        // The views have copies of them.
        defer { DynamicModel.release(models) }
        return Frozen.views(of: models)
    }

    /// Returns the number of models of a query.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` for a key that the schema does not have.
    public func count<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> Int {
        try read { store throws(ModelError) in try store.count(query) }
    }

    /// Calls a function with one model of a query after the other, in bounded memory.
    ///
    /// The models that are included are the same objects only within parts of the result. The function sees one state of
    /// the store, whatever is saved meanwhile.
    ///
    /// - Throws: What the function throws, which ends the loop; ``ModelError`` as ``fetch(_:)``.
    public func forEach<Model>(_ query: ModelQuery<Model>, _ body: (Model) throws -> Void) throws {
        let thrown = try read { store throws(ModelError) in
            try store.forEachBatch(query) { part throws(any Error) in
                try StoreAccess.typed(part.models, Model.self).forEach(body)
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
        try read { store throws(ModelError) in try store.plan(query) }
    }
}
