public import PalliumCore
public import PalliumJSON

/// Finds models.
extension StoreAccess {
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
        try makeUnshared { () throws(ModelError) in
            try _read { store throws(ModelError) in try store.fetch(query) }
        }
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
        try makeUnshared { () throws(ModelError) in
            try _read { store throws(ModelError) in
                try store.first(ModelQuery(type, including: links), identity: identity)
            }
        }
    }

    /// Returns the model of an identity; nil if the store has none.
    ///
    /// - Throws: ``ModelError`` as ``fetch(_:)``.
    public func first(
        _ schema: ModelSchema, identity: any PropertyValue...,
        including links: ModelQuery<DynamicModel>.Links = .stubs
    ) throws(ModelError) -> sending DynamicModel? {
        try makeUnshared { () throws(ModelError) in
            try _read { store throws(ModelError) in
                try store.first(ModelQuery(schema: schema, including: links), identity: identity)
            }
        }
    }

    /// Returns the number of models of a query.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` for a key that the schema does not have.
    public func count<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> Int {
        try _read { store throws(ModelError) in try store.count(query) }
    }

    /// Returns a row for each model of a query, with some of its values; or, if a column is about groups, for each group of
    /// models that have the values of the other columns in common.
    ///
    ///     try store.rows(of: open, only: ["number", "title", "assignee.login"])  // [[7, "Crash", "ada"], …]
    ///     try store.rows(of: open, only: ["state", .count])                      // [["closed", 3], ["open", 12]]
    ///
    /// Values are as in JSON, by the rules of their kinds. No model is made, so nothing is required of one but what is asked
    /// for. Rows come in the order of the query, and groups without one in the order of their values.
    ///
    /// - Throws: ``ModelError`` with the code `elementCount` if there are no columns, `unknownKey` for a key that the schema
    ///   does not have, `notConvertible` for values that cannot be compared or summed and for groups behind a model,
    ///   `numberOutOfRange` for a sum beyond `Int64` or `Double`, and `typeMismatch` and `missingProperty` for the last model
    ///   of the page before.
    public func rows<Model>(
        of query: ModelQuery<Model>, only columns: [QueryColumn]
    ) throws(ModelError) -> [[JSONValue]] {
        try _read { store throws(ModelError) in try store.rows(of: query, only: columns) }
    }
}
