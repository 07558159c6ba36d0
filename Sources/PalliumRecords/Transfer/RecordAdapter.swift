public import PalliumCore

/// Makes models from the records of somebody else's store, and writes models to them, as schemas say.
///
///     let adapter = try RecordAdapter(mappings: ["Issue": RecordMapping(entity: "CDIssue")])
///     try adapter.write(issues, to: context)
///     let all = try adapter.models(Issue.self, from: context.fetch(request), in: context)
///
/// The entity of a record is the name of the schema, its attributes and relationships have the keys of the properties, and
/// the schema's identity finds the record of a model; a ``RecordMapping`` says what differs. Properties that hold models are
/// relationships.
public struct RecordAdapter: Sendable {
    private let registry: SchemaRegistry
    private let mappings: [String: RecordMapping]

    /// Makes an adapter for the schemas of a registry.
    ///
    /// - Parameter mappings: How records differ from models, by the name of the schema.
    /// - Throws: ``ModelError`` for a mapping of a schema, a key or a transformer that does not exist, which suggests the
    ///   nearest, and for properties that records cannot hold.
    /// - Complexity: O(*n*) in the number of properties of the schemas with a mapping.
    public init(registry: SchemaRegistry = .shared, mappings: [String: RecordMapping] = [:]) throws(ModelError) {
        self.registry = registry
        self.mappings = mappings
        let plans = RecordPlans(registry, mappings)
        for (name, mapping) in mappings.sorted(by: { $0.key < $1.key }) {
            let layout = try registry.layout(named: name)
            let keys = Array(mapping.keys.keys) + mapping.transformers.keys + mapping.dictionaryKeys.keys
            for key in keys.sorted() where layout.index(of: key) == nil { throw layout.unknownKeyError(key) }
            _ = try plans.plan(of: layout)
        }
    }

    /// Writes models to records, and all models to which they lead.
    ///
    /// A model with an identity is written to the record of that identity, which is found, or made if there is none. The
    /// records of all models are found by one request for each entity. What is unset in a model keeps what its record has,
    /// null clears it, and merge policies decide between the two. A model that has nothing but its identity refers to its
    /// record and does not change it. A model without an identity belongs to the record of the model that holds it, and is
    /// deleted with its place there. Values that a record has already are not set.
    ///
    /// The models are not changed. The context is not saved.
    ///
    /// - Returns: The records of the models, in order.
    /// - Throws: ``ModelError`` with the pointer, where positions are those of the models: for a model without a value of its
    ///   identity, for two different models or two records of one identity, for what rules or the record's owner refuse. All
    ///   records then have the values that they had, and none was added.
    /// - Complexity: O(*n*) in the size of the graph and of the records that are found.
    @discardableResult
    public func write(
        _ models: [DynamicModel], to context: any ModelRecordContext
    ) throws(ModelError) -> [any ModelRecord] {
        try perform(in: context) { () throws(ModelError) in
            // Validators correct values and merges set parent references, but not in the models of the caller.
            let copies = ModelGraphCopy.copies(of: models)
            defer { for copy in copies.all { copy.clearModels() } }
            var writer = try RecordWriter(copies.roots, RecordPlans(registry, mappings), context)
            return try writer.write(copies.roots)
        }
    }

    /// Makes the models of records, and of all records to which they lead.
    ///
    /// Each record becomes one model, however often it is related. The record's entity decides the schema. An attribute
    /// without a value is null, or the default if null is not allowed. Defaults, rules and hooks after decoding run as for
    /// documents.
    ///
    /// - Parameters:
    ///   - type: The class of the models, or ``DynamicModel``.
    ///   - records: Records of one context.
    ///   - context: The context of the records.
    /// - Throws: ``ModelError`` with the pointer, where positions are those of the records: for an entity without a schema, a
    ///   value that does not fit its property, a required property without a value, and what rules or hooks refuse.
    /// - Complexity: O(*n*) in the number of records that are reached.
    public func models<Model: DynamicModel>(
        _ type: Model.Type = Model.self, from records: [any ModelRecord], in context: any ModelRecordContext
    ) throws(ModelError) -> [Model] {
        try perform(in: context) { () throws(ModelError) in
            var reader = RecordReader(RecordPlans(registry, mappings), .result)
            do throws(ModelError) {
                var models: [Model] = []
                for (position, record) in records.enumerated() {
                    let path = reader.paths.append(position, to: GraphPaths.root)
                    let model = try reader.model(of: record, as: registry.layout(for: type), at: path)
                    guard let model = model as? Model else {
                        throw ModelError(
                            .typeMismatch, expected: "a record of the class \(type)",
                            found: "one of the entity \(ModelError.quote(record.recordEntity))"
                        ).under(index: position)
                    }
                    models.append(model)
                }
                try reader.readAll()
                try reader.finish()
                return models
            } catch {
                reader.dissolve()
                throw error
            }
        }
    }

    private func perform<Result>(
        in context: any ModelRecordContext, _ body: () throws(ModelError) -> Result
    ) throws(ModelError) -> Result {
        var outcome: Swift.Result<Result, ModelError>?
        context.performWithRecords {
            do throws(ModelError) { outcome = .success(try body()) } catch { outcome = .failure(error) }
        }
        guard let outcome else {
            throw ModelError(.hookFailed, expected: "a context that calls the function", found: "one that does not")
        }
        return try outcome.get()
    }
}
