public import PalliumCore
public import PalliumJSON

// Decodes models.
//
// Safety: values that are `unshared` were made by the call and are reachable from nowhere else: texts are values, and
// nothing else of an input is kept.
extension JSONAdapter {
    /// Decodes a model from a document: text, bytes, a dictionary, or a tree.
    ///
    ///     let issue = try adapter.model(from: data)
    ///
    /// - Throws: ``ModelError`` for the first problem in document order, with its JSON Pointer and, for text, line and
    ///   column. Missing required members and refused values and models come after all other problems, in schema order.
    ///   The members of a dictionary, which has no order, are sorted by the bytes of their names.
    /// - Complexity: O(*n*) in the size of the document.
    public func model(from input: some JSONInput) throws(ModelError) -> sending Model {
        try unsafe assumeUnshared(
            input._withJSONDocument { document throws(ModelError) in
                try one(of: session(document).read(root, as: .model).model)
            })
    }

    /// Decodes an array of models from a document.
    ///
    /// - Throws: ``ModelError`` as ``model(from:)``; with ``JSONAdapterOptions/ElementPolicy/skip`` only if the
    ///   document is no array or malformed JSON.
    /// - Complexity: O(*n*) in the size of the document.
    public func models(from input: some JSONInput) throws(ModelError) -> sending [Model] {
        try unsafe assumeUnshared(
            input._withJSONDocument { document throws(ModelError) in
                try models(in: session(document).read(root, as: .list).list)
            })
    }

    /// Decodes a model or an array of models, and reports every problem instead of the first.
    ///
    /// An array gives many models, an object one. A model is left out if a required property has a problem; an optional
    /// property with a problem is unset.
    public func report(from input: some JSONInput) -> DecodingReport<Model> {
        input._withJSONDocument { report(of: session($0, collecting: true)).report }
    }
}

/// The result of decoding with collected problems: the models that could be built, and every problem.
public struct DecodingReport<Model: DynamicModel> {
    /// The models that could be built.
    public var models: [Model] { isArray ? elements : model.map { [$0] } ?? [] }
    /// The model of a document that is one object; nil if it could not be built.
    public let model: Model?
    /// Those of a document that is an array.
    private let elements: [Model]
    /// The problems, in document order.
    ///
    /// Some are found only when an object has ended and come then: missing members, refused values, and problems in
    /// properties with several paths or a path into an array.
    public internal(set) var problems: [ModelError]
    /// Whether the document is an array.
    public let isArray: Bool
    /// The location of the element in its stream; nil for a whole document.
    public internal(set) var location: JSONLocation?

    package init(models: [Model], problems: [ModelError], isArray: Bool, location: JSONLocation? = nil) {
        model = isArray ? nil : models.first
        elements = isArray ? models : []
        self.problems = problems
        self.isArray = isArray
        self.location = location
    }

    /// Makes a report about a document that is one object.
    init(model: Model?, problems: [ModelError], location: JSONLocation? = nil) {
        self.model = model
        elements = []
        isArray = false
        self.problems = problems
        self.location = location
    }

    /// Makes a report with the class that the adapter gave the models.
    init(_ report: DecodingReport<DynamicModel>) {
        // Safety: the models were made by an adapter of the class.
        model = report.model.map { unsafe unsafeDowncast($0, to: Model.self) }
        elements = report.elements.map { unsafe unsafeDowncast($0, to: Model.self) }
        isArray = report.isArray
        problems = report.problems
        location = report.location
    }
}

extension JSONAdapter {
    /// Makes the session of a document or of an element of a stream.
    ///
    /// - Parameters:
    ///   - element: The path to the element of an array; nil for a document.
    ///   - origin: The location in the stream.
    package func session(
        _ document: JSONDocument, collecting: Bool = false, element: [String]? = nil, origin: JSONLocation = .start,
        partialModels: PartialModels = .none, targets: (any MergeTargets)? = nil
    ) -> DecodingSession {
        DecodingSession(
            plans: plans, options: options, reporting: collecting ? .collecting : .throwing, document: document,
            prefix: element ?? [], isElement: element != nil, origin: origin, partialModels: partialModels,
            targets: targets)
    }

    /// Decodes the document of a session that collects problems.
    ///
    /// - Returns: The report, and the error after which nothing was decoded.
    func report(of session: DecodingSession) -> (report: DecodingReport<Model>, problem: ModelError?) {
        let (models, isArray, problem) = session.readAll(root)
        let report = DecodingReport(
            models: models.map(typed), problems: session.problems + (problem?.problems ?? []), isArray: isArray)
        return (report, problem)
    }

    /// The single model of a document, with the adapter's class; throws for null.
    package func one(of model: DynamicModel?) throws(ModelError) -> Model { typed(try document(model)) }

    package func document(_ model: DynamicModel?) throws(ModelError) -> DynamicModel {
        guard let model else {
            throw ModelError(.typeMismatch, expected: "a model of \(schema.name)", found: "null", schema: schema.name)
        }
        return model
    }

    package func typed(_ model: DynamicModel) -> Model {
        // The plan makes instances of the layout's class or, through clusters, of subclasses. `Model` is that class or,
        // for schemas known at run time only, DynamicModel.
        unsafe unsafeDowncast(model, to: Model.self)
    }

    package func models(in list: SlotList?) -> [Model] {
        guard let list else { return [] }
        var models: [Model] = []
        models.reserveCapacity(list.count)
        for index in 0..<list.count {
            models.append(typed(list.slot(at: index).model))
        }
        return models
    }
}
