public import PalliumAdapter
public import PalliumCore

/// Changes what is stored. Each call happens as a whole or not at all: of a store it is a transaction, in a transaction a
/// part that is taken back if it fails.
extension StoreAccess {
    /// Saves models and all models with an identity that they lead to: one row for each identity.
    ///
    /// A row becomes what its model is, whatever it was before. Rows that are the same are not written. A model that has
    /// nothing but its identity is a stub, which refers to a row and never replaces it; it becomes a row only if it is one
    /// of `models` and there is none.
    ///
    /// - Returns: How many rows were written.
    /// - Throws: ``ModelError`` with the path of the model that cannot be saved: it has no identity, lacks a required
    ///   property, has a value that JSON does not have; with the code `conflict` for two different models of one identity,
    ///   or a value of a unique property that another row has; `busy` if another writer does not end within the timeout,
    ///   `unwritableFile` for a full disk. The store is then as it was.
    /// - Complexity: O(*n*) in the size of the graph.
    @discardableResult
    public func save(_ models: [DynamicModel]) throws(ModelError) -> StoreChanges {
        try _write { store throws(ModelError) in try store.save(models) }
    }

    /// Saves a model, as ``StoreAccess/save(_:)-([DynamicModel])``.
    @discardableResult
    public func save(_ model: DynamicModel) throws(ModelError) -> StoreChanges { try save([model]) }

    /// Deletes the models of a query.
    ///
    /// Models of other rows that refer to them keep their references, unless a delete rule of the property says otherwise. The
    /// result counts what the rules delete and change.
    ///
    /// - Returns: How many rows were deleted.
    /// - Throws: ``ModelError`` as ``StoreAccess/save(_:)-([DynamicModel])``, and with the code `unknownKey` for a key that the schema
    ///   does not have, and `conflict` for a row to which another one refers by a property that denies it.
    @discardableResult
    public func delete<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> StoreChanges {
        try _write { store throws(ModelError) in try store.delete(query) }
    }

    /// Imports a document, which may be partial, into the rows of the models that it mentions.
    ///
    ///     try store.import(response, using: issues)  // {"number": 7, "title": "Crash on launch"}
    ///
    /// It is an import into an ``IdentityMap`` that has all rows: an absent member keeps what is stored, null clears it, a
    /// value is merged by the policies of the schema. A model without a row must be complete, or a stub.
    ///
    /// - Returns: How many rows were written.
    /// - Throws: ``ModelError`` as ``IdentityMap/import(_:using:)`` and ``StoreAccess/save(_:)-([DynamicModel])``.
    /// - Complexity: A statement for each table that the document mentions and for each level of references that must come
    ///   with its rows, and one or two for each row.
    @discardableResult
    public func `import`<Model>(
        _ input: some JSONInput, using adapter: JSONAdapter<Model>
    ) throws(ModelError) -> StoreChanges {
        try _write { store throws(ModelError) in try store.import(input, using: adapter) }
    }
}
