public import PalliumAdapter
public import PalliumCore

/// The store inside of ``ModelStore/transaction(_:)``: the same calls, which see one another's changes and are committed
/// together.
///
/// It is of no use after the function has returned: each call then throws.
public final class StoreTransaction {
    private let store: ModelStore
    private var access: StoreAccess?

    init(_ store: ModelStore, _ access: StoreAccess) {
        self.store = store
        self.access = access
    }

    func end() { access = nil }

    private func reading() throws(ModelError) -> StoreAccess {
        guard let access else {
            throw ModelError(.conflict, expected: "a transaction that is open", found: "one that has ended")
        }
        return access
    }

    /// The store, whose calls are parts of the transaction: one that fails changes nothing.
    private func writing() throws(ModelError) -> ModelStore {
        _ = try reading()
        return store
    }

    /// Returns the models of a query, as ``ModelStore/fetch(_:)``.
    public func fetch<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> [Model] { try reading().fetch(query) }

    /// Returns the model of an identity, as ``ModelStore/first(_:identity:including:)-(Model.Type,_,_)``.
    public func first<Model: DynamicModel>(
        _ type: Model.Type, identity: any PropertyValue..., including links: ModelQuery<Model>.Links = .stubs
    ) throws(ModelError) -> Model? {
        try reading().first(ModelQuery(type, including: links), identity: identity)
    }

    /// Returns the model of an identity, as ``ModelStore/first(_:identity:including:)-(ModelSchema,_,_)``.
    public func first(
        _ schema: ModelSchema, identity: any PropertyValue...,
        including links: ModelQuery<DynamicModel>.Links = .stubs
    ) throws(ModelError) -> DynamicModel? {
        try reading().first(ModelQuery(schema: schema, including: links), identity: identity)
    }

    /// Returns the number of models of a query.
    public func count<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> Int { try reading().count(query) }

    /// Saves models and all that they lead to, as ``ModelStore/save(_:)-([DynamicModel])``.
    @discardableResult
    public func save(_ models: [DynamicModel]) throws(ModelError) -> StoreChanges { try writing().save(models) }

    /// Saves a model and all that it leads to.
    @discardableResult
    public func save(_ model: DynamicModel) throws(ModelError) -> StoreChanges { try writing().save(model) }

    /// Deletes the models of a query, as ``ModelStore/delete(_:)``.
    @discardableResult
    public func delete<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> StoreChanges {
        try writing().delete(query)
    }

    /// Imports a document, as ``ModelStore/import(_:using:)``.
    @discardableResult
    public func `import`<Model>(
        _ input: some JSONInput, using adapter: JSONAdapter<Model>
    ) throws(ModelError) -> StoreChanges {
        try writing().import(input, using: adapter)
    }
}
