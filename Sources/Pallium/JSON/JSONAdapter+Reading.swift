public import Foundation
public import PalliumCore
public import PalliumJSON

// Safety: the document is lent for the call; what `nonisolated(unsafe)` marks was made by it and is reachable from
// nowhere else.
extension JSONAdapter {
    // MARK: One model

    /// Decodes a model from JSON text.
    ///
    /// - Throws: ``ModelError`` for the first problem in document order; then for required members that are missing and
    ///   for values and models that validators refuse, in schema order. It carries the JSON Pointer and line:column.
    /// - Complexity: O(*n*) in the number of bytes.
    public func model(from bytes: some ContiguousBytes) throws(ModelError) -> sending Model {
        // The model was made here and is reachable from nowhere else.
        nonisolated(unsafe) let model = try unsafe one(
            of: bytes.withUnsafeBytes { unsafe session(collecting: false, document: $0).readModel(root) }.get())
        return unsafe model
    }

    /// Decodes a model from JSON text in a string.
    ///
    /// - Throws: ``ModelError`` as ``model(from:)-(ContiguousBytes)``.
    public func model(from text: String) throws(ModelError) -> sending Model { try model(from: Array(text.utf8)) }

    /// Decodes a model from a dictionary that someone else parsed, for example `JSONSerialization`.
    ///
    /// The outcome is that of the bytes, without line and column.
    ///
    /// - Throws: ``ModelError``, also for values that JSON does not have.
    public func model(from dictionary: [String: Any]) throws(ModelError) -> sending Model {
        // Made here and reachable from nowhere else: texts are values, nothing else of the dictionary is kept.
        nonisolated(unsafe) let model = try decodeFoundation(dictionary) { decoder, session throws(ModelError) in
            try self.one(of: decoder.decodeModel(root))
        } again: { tree throws(ModelError) in
            try self.model(from: tree)
        }
        return unsafe model
    }

    /// Decodes a model from a tree.
    ///
    /// - Throws: ``ModelError`` as for bytes, without line and column.
    public func model(from value: JSONValue) throws(ModelError) -> sending Model {
        let session = unsafe session(collecting: false)
        // Made here and reachable from nowhere else.
        var decoder = treeDecoder(value, session)
        nonisolated(unsafe) let model = try one(of: decoder.decodeModel(root))
        return unsafe model
    }

    // MARK: Many models

    /// Decodes an array of models from JSON text.
    ///
    /// - Throws: ``ModelError`` for the first problem in document order; with ``JSONAdapterOptions/ElementPolicy/skip``
    ///   only when the text is no JSON array.
    public func models(from bytes: some ContiguousBytes) throws(ModelError) -> sending [Model] {
        // Made here and reachable from nowhere else.
        nonisolated(unsafe) let models = try unsafe models(
            in: bytes.withUnsafeBytes { unsafe session(collecting: false, document: $0).readList(root) }.get())
        return unsafe models
    }

    /// Decodes an array of models from JSON text in a string.
    ///
    /// - Throws: ``ModelError`` as ``models(from:)-(ContiguousBytes)``.
    public func models(from text: String) throws(ModelError) -> sending [Model] { try models(from: Array(text.utf8)) }

    /// Decodes models from an array that someone else parsed.
    ///
    /// - Throws: ``ModelError``, also for values that JSON does not have.
    public func models(from array: [Any]) throws(ModelError) -> sending [Model] {
        // Made here and reachable from nowhere else.
        nonisolated(unsafe) let models = try decodeFoundation(array) { decoder, session throws(ModelError) in
            try self.models(in: decoder.decodeList(root))
        } again: { tree throws(ModelError) in
            try self.models(from: tree)
        }
        return unsafe models
    }

    /// Decodes an array of models from a tree.
    ///
    /// - Throws: ``ModelError`` as for bytes, without line and column.
    public func models(from value: JSONValue) throws(ModelError) -> sending [Model] {
        let session = unsafe session(collecting: false)
        // Made here and reachable from nowhere else.
        var decoder = treeDecoder(value, session)
        nonisolated(unsafe) let models = try models(in: decoder.decodeList(root))
        return unsafe models
    }

    // MARK: Reports

    /// Decodes a model, or an array of models, and tells every problem instead of the first.
    ///
    /// The root decides: `[` is many models, `{` is one. Models with a problem in a required place are left out; where a
    /// property may be absent, it is unset and the model stays.
    public func report(from bytes: some ContiguousBytes) -> DecodingReport<Model> {
        unsafe bytes.withUnsafeBytes { unsafe report(of: $0) }
    }

    /// Decodes a model, or an array of models, from a tree and tells every problem instead of the first.
    public func report(from value: JSONValue) -> DecodingReport<Model> {
        let session = unsafe session(collecting: true)
        var models: [Model] = []
        var isArray = false
        do throws(ModelError) {
            var decoder = treeDecoder(value, session)
            if case .array = value {
                isArray = true
                try decoder.decodeEach(root) { models.append(typed($0)) }
            } else if let model = try decoder.decodeModel(root) {
                models = [typed(model)]
            }
        } catch {
            return DecodingReport(models: models, problems: session.problems + error.problems, isArray: isArray)
        }
        return DecodingReport(models: models, problems: session.problems, isArray: isArray)
    }

    /// Decodes a model from a dictionary that someone else parsed and tells every problem instead of the first.
    public func report(from dictionary: [String: Any]) -> DecodingReport<Model> {
        do throws(ModelError) {
            return report(
                from: try tree(dictionary))
        } catch { return DecodingReport(models: [], problems: error.problems, isArray: false) }
    }

    /// Decodes models from an array that someone else parsed and tells every problem instead of the first.
    public func report(from array: [Any]) -> DecodingReport<Model> {
        do throws(ModelError) {
            return report(from: try tree(array))
        } catch { return DecodingReport(models: [], problems: error.problems, isArray: true) }
    }
}

/// What decoding gave when problems are collected: everything that could be built, and every problem.
public struct DecodingReport<Model: DynamicModel> {
    /// The models that could be built.
    public internal(set) var models: [Model]
    /// The problems, in the order of the document as far as they have a place in it.
    public internal(set) var problems: [ModelError]
    /// Whether the document is an array.
    public let isArray: Bool

    /// Where the element begins that was decoded, in a stream of them; nil for a whole document.
    public internal(set) var location: JSONLocation?

    /// The model, where the document is one; nil when it could not be built.
    public var model: Model? { isArray ? nil : models.first }
}

extension JSONAdapter {
    func tree(_ value: Any) throws(ModelError) -> JSONValue {
        try JSONValue(foundation: value, maximumDepth: options.reading.maximumDepth, sortsMembers: true)
    }

    /// Decodes the tree of someone else; where that fails, once more in a fixed order, so that of several problems the
    /// same one is thrown in every run.
    private func decodeFoundation<Result>(
        _ value: Any, _ body: (inout ModelDecoder<FoundationSource>, DecodingSession) throws(ModelError) -> Result,
        again: (JSONValue) throws(ModelError) -> Result
    ) throws(ModelError) -> Result {
        do throws(ModelError) {
            let session = unsafe session(collecting: false)
            var decoder = ModelDecoder<FoundationSource>(
                FoundationSource(value, maximumDepth: options.reading.maximumDepth), session: session)
            return try body(&decoder, session)
        } catch { return try again(tree(value)) }
    }

    func session(
        collecting: Bool, document: UnsafeRawBufferPointer? = nil, origin: JSONLocation = .start,
        parts: DocumentParts = .none, known: DynamicModel? = nil
    ) -> DecodingSession {
        unsafe DecodingSession(
            programs: programs, options: options, isCollecting: collecting, document: document, origin: origin,
            parts: parts, known: known)
    }

    /// The report about a document, which begins at `origin` in what it is a part of.
    func report(of document: UnsafeRawBufferPointer, origin: JSONLocation = .start) -> DecodingReport<Model> {
        let session = unsafe session(collecting: true, document: document, origin: origin)
        var models: [Model] = []
        var isArray = false
        do throws(ModelError) {
            try session.read { reader throws(ModelError) in
                // The document may be read twice.
                models = []
                isArray = try Self.isArray(&reader)
                if isArray {
                    try reader.decodeEach(root) { models.append(typed($0)) }
                } else if let model = try reader.decodeModel(root) {
                    models = [typed(model)]
                }
            }
        } catch {
            return DecodingReport(models: models, problems: session.problems + error.problems, isArray: isArray)
        }
        return DecodingReport(models: models, problems: session.problems, isArray: isArray)
    }

    static func isArray(_ decoder: inout ModelDecoder<JSONReader>) throws(ModelError) -> Bool {
        do throws(JSONSyntaxError) { return try decoder.source.peekKind() == .array } catch {
            throw decoder.locate(error)
        }
    }

    private func treeDecoder(_ value: JSONValue, _ session: DecodingSession) -> ModelDecoder<TreeSource> {
        ModelDecoder(TreeSource(value, maximumDepth: options.reading.maximumDepth), session: session)
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
