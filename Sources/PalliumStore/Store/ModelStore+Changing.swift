public import PalliumAdapter
public import PalliumCore

// Changes what is stored. Each call is one transaction: it happens as a whole or not at all.
extension ModelStore {
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
        try write { store throws(ModelError) in try store.save(models) }
    }

    /// Saves a model, as ``save(_:)-([DynamicModel])``.
    @discardableResult
    public func save(_ model: DynamicModel) throws(ModelError) -> StoreChanges { try save([model]) }

    /// Deletes the models of a query.
    ///
    /// Models of other rows that refer to them keep their references.
    ///
    /// - Returns: How many rows were deleted.
    /// - Throws: ``ModelError`` as ``save(_:)-([DynamicModel])``, and with the code `unknownKey` for a key that the schema
    ///   does not have.
    @discardableResult
    public func delete<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> StoreChanges {
        try write { store throws(ModelError) in try store.delete(query) }
    }

    /// Imports a document, which may be partial, into the rows of the models that it mentions.
    ///
    ///     try store.import(response, using: issues)  // {"number": 7, "title": "Crash on launch"}
    ///
    /// It is an import into an ``IdentityMap`` that has all rows: an absent member keeps what is stored, null clears it, a
    /// value is merged by the policies of the schema. A model without a row must be complete, or a stub.
    ///
    /// - Returns: How many rows were written.
    /// - Throws: ``ModelError`` as ``IdentityMap/import(_:using:)`` and ``save(_:)-([DynamicModel])``.
    /// - Complexity: A statement for each table that the document mentions and for each level of references that must come
    ///   with its rows, and one or two for each row.
    @discardableResult
    public func `import`<Model>(
        _ input: some JSONInput, using adapter: JSONAdapter<Model>
    ) throws(ModelError) -> StoreChanges {
        try write { store throws(ModelError) in try store.import(input, using: adapter) }
    }

    /// Calls a function whose changes are made together, or not at all if it throws.
    ///
    ///     try store.transaction { store in
    ///         guard let account = try store.first(Account.self, identity: "ada") else { return }
    ///         account.balance -= 10
    ///         try store.save(account)
    ///     }
    ///
    /// No other writer comes between what the function reads and what it saves. Calls of the store itself on the same
    /// thread are part of the transaction if they change something; what they find is as before it.
    ///
    /// - Throws: What the function throws; ``ModelError`` as ``save(_:)-([DynamicModel])``.
    public func transaction<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
        var thrown: (any Error)?
        do throws(ModelError) {
            return try write { store throws(ModelError) in
                let transaction = StoreTransaction(self, store)
                defer { transaction.end() }
                do { return try body(transaction) } catch {
                    thrown = error
                    // Only takes the transaction back.
                    throw ModelError(.hookFailed, expected: "a function that returns", found: "an error")
                }
            }
        } catch { throw thrown ?? error }
    }
}
