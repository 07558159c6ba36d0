public import PalliumAdapter
public import PalliumCore

/// The store inside of ``ModelStore/transaction(_:)``: the same calls, which see one another's changes and are committed
/// together.
///
/// It is of no use after the function has returned: each call then throws.
public final class StoreTransaction {
    private var access: StoreAccess?

    init(_ access: StoreAccess) { self.access = access }

    func end() { access = nil }

    private func store() throws(ModelError) -> StoreAccess {
        guard let access else {
            throw ModelError(.conflict, expected: "a transaction that is open", found: "one that has ended")
        }
        return access
    }

    /// Returns the models of a query, as ``ModelStore/fetch(_:)``.
    public func fetch<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> [Model] { try store().fetch(query) }

    /// Returns the model of an identity, as ``ModelStore/first(_:identity:including:)-(Model.Type,_,_)``.
    public func first<Model: DynamicModel>(
        _ type: Model.Type, identity: any PropertyValue..., including links: ModelQuery<Model>.Links = .stubs
    ) throws(ModelError) -> Model? {
        let store = try store()
        return try store.first(store.layout(of: type), identity: identity, including: links)
    }

    /// Returns the model of an identity, as ``ModelStore/first(_:identity:including:)-(ModelSchema,_,_)``.
    public func first(
        _ schema: ModelSchema, identity: any PropertyValue...,
        including links: ModelQuery<DynamicModel>.Links = .stubs
    ) throws(ModelError) -> DynamicModel? {
        let store = try store()
        return try store.first(store.layout(of: ModelQuery(schema: schema)), identity: identity, including: links)
    }

    /// Returns the number of models of a query.
    public func count<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> Int { try store().count(query) }

    /// Saves models and all that they lead to, as ``ModelStore/save(_:)-([DynamicModel])``.
    @discardableResult
    public func save(_ models: [DynamicModel]) throws(ModelError) -> StoreChanges { try store().save(models) }

    /// Saves a model and all that it leads to.
    @discardableResult
    public func save(_ model: DynamicModel) throws(ModelError) -> StoreChanges { try store().save([model]) }

    /// Deletes the models of a query, as ``ModelStore/delete(_:)``.
    @discardableResult
    public func delete<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> StoreChanges {
        try store().delete(query)
    }

    /// Imports a document, as ``ModelStore/import(_:using:)``.
    @discardableResult
    public func `import`<Model>(
        _ input: some JSONInput, using adapter: JSONAdapter<Model>
    ) throws(ModelError) -> StoreChanges {
        try store().import(input, using: adapter)
    }
}
