package import PalliumCore
package import PalliumJSON

// Reads and writes the format in which a store keeps models.
extension JSONAdapter where Model == DynamicModel {
    /// Makes an adapter for the stored format of a schema's models.
    ///
    /// - Throws: ``ModelError`` when a custom kind names a transformer that does not exist.
    package init(storing layout: ModelLayout, registry: SchemaRegistry) throws(ModelError) {
        var options = JSONAdapterOptions()
        // What was stored can be read, however large it is.
        options.reading = .unlimited(maximumDepth: options.reading.maximumDepth)
        try self.init(layout, format: .stored, registry: registry, options: options)
    }

    /// The layouts of the models that stand in a document with their values: those of the root, and of models without
    /// an identity.
    package var storedLayouts: [ModelLayout] { plans.layouts }

    /// Decodes a model whose references are not resolved yet: nothing is required, and no hook runs.
    package func partialModel(from input: some JSONInput) throws(ModelError) -> DynamicModel {
        try input._withJSONDocument { document throws(ModelError) in
            try one(of: session(document, partialModels: .all).read(root, as: .model).model)
        }
    }
}

/// Writes models one after the other as their stored text, into memory that is used again.
package struct StoredTextWriter: ~Copyable {
    private var encoder: ModelEncoder

    /// Makes a writer.
    package init(_ adapter: JSONAdapter<DynamicModel>) {
        encoder = ModelEncoder(plans: adapter.plans, options: adapter.options, capacity: 4096)
    }

    /// Calls a function with the text of a model, which is valid during the call only.
    ///
    /// - Throws: ``ModelError`` as the adapter, or what the function throws.
    package mutating func withBorrowedText<Result>(
        of model: DynamicModel, _ body: (BorrowedBytes) throws(ModelError) -> Result
    ) throws(ModelError) -> Result {
        encoder.buffer.truncate(to: 0)
        try encoder.encode(model)
        return try encoder.buffer.withBorrowedBytes(body)
    }
}
