public import PalliumCore
public import PalliumJSON

// Safety: what `nonisolated(unsafe)` marks was made by the call and is reachable from nowhere else: texts are values, and
// nothing else of an input is kept.
extension JSONAdapter {
    /// Decodes a model from a document: text, bytes, a dictionary, or a tree.
    ///
    ///     let issue = try adapter.model(from: data)
    ///
    /// - Throws: ``ModelError`` for the first problem in document order; then for required members that are missing and
    ///   for values and models that validators refuse, in schema order. It carries the JSON Pointer and, for text, line and
    ///   column. Of a dictionary, which has no order, the members count in the order of their names' bytes.
    /// - Complexity: O(*n*) in the size of the document.
    public func model(from input: some JSONInput) throws(ModelError) -> sending Model {
        // The model was made here and is reachable from nowhere else.
        nonisolated(unsafe) let model = try input.withJSONDocument { document throws(ModelError) in
            try self.one(of: session(document).read(root, as: .model).model)
        }
        return unsafe model
    }

    /// Decodes an array of models from a document.
    ///
    /// - Throws: ``ModelError`` as ``model(from:)``; with ``JSONAdapterOptions/ElementPolicy/skip`` only when the document
    ///   is no array, or no JSON.
    /// - Complexity: O(*n*) in the size of the document.
    public func models(from input: some JSONInput) throws(ModelError) -> sending [Model] {
        // Made here and reachable from nowhere else.
        nonisolated(unsafe) let models = try input.withJSONDocument { document throws(ModelError) in
            try self.models(in: session(document).read(root, as: .list).list)
        }
        return unsafe models
    }

    /// Decodes a model, or an array of models, from a document and tells every problem instead of the first.
    ///
    /// The root decides: an array is many models, an object is one. Models with a problem in a required place are left
    /// out; where a property may be absent, it is unset and the model stays.
    public func report(from input: some JSONInput) -> DecodingReport<Model> {
        input.withJSONDocument { report(of: $0) }
    }
}

/// What decoding gave when problems are collected: everything that could be built, and every problem.
public struct DecodingReport<Model: DynamicModel> {
    /// The models that could be built.
    public internal(set) var models: [Model]
    /// The problems, in the order in which they were found. That is the order of the document, but for what is known when an
    /// object has ended: what it lacks, what validators refuse, and properties with several paths or a path into an array.
    public internal(set) var problems: [ModelError]
    /// Whether the document is an array.
    public let isArray: Bool

    /// Where the element begins that was decoded, in a stream of them; nil for a whole document.
    public internal(set) var location: JSONLocation?

    /// The model, where the document is one; nil when it could not be built.
    public var model: Model? { isArray ? nil : models.first }
}

extension JSONAdapter {
    func session(
        _ document: JSONDocument, collecting: Bool = false, origin: JSONLocation = .start,
        partialModels: PartialModels = .none,
        existing: DynamicModel? = nil
    ) -> DecodingSession {
        DecodingSession(
            plans: plans, options: options, isCollecting: collecting, document: document, origin: origin,
            partialModels: partialModels, existing: existing)
    }

    /// The report about a document, which begins at `origin` in what it is a part of.
    func report(of document: JSONDocument, origin: JSONLocation = .start) -> DecodingReport<Model> {
        let session = session(document, collecting: true, origin: origin)
        let (models, isArray, problem) = session.readAll(root)
        return DecodingReport(
            models: models.map(typed), problems: session.problems + (problem?.problems ?? []), isArray: isArray)
    }

    /// The model of a document, which is no null.
    func one(of model: DynamicModel?) throws(ModelError) -> Model { typed(try document(model)) }

    func document(_ model: DynamicModel?) throws(ModelError) -> DynamicModel {
        guard let model else {
            throw ModelError(.typeMismatch, expected: "a model of \(schema.name)", found: "null", schema: schema.name)
        }
        return model
    }

    func typed(_ model: DynamicModel) -> Model {
        // The program makes instances of the layout's class or, through clusters, of subclasses; the adapter's `Model` is
        // that class or, for schemas known at run time only, DynamicModel.
        unsafe unsafeDowncast(model, to: Model.self)
    }

    func models(in list: SlotList?) -> [Model] {
        guard let list else { return [] }
        var models: [Model] = []
        models.reserveCapacity(list.count)
        for index in 0..<list.count {
            unsafe models.append(typed(SlotOperations.box(DynamicModel.self, list.slot(at: index).pointer)))
        }
        return models
    }
}
