public import Foundation
public import PalliumCore
public import PalliumJSON

extension JSONAdapter {
    // MARK: One model

    /// Decodes a model from JSON text.
    ///
    /// - Throws: ``ModelError`` for the first problem in document order; then for required members that are missing and
    ///   for values and models that validators refuse, in schema order. It carries the JSON Pointer and line:column.
    /// - Complexity: O(*n*) in the number of bytes.
    public func model(from bytes: some ContiguousBytes) throws(ModelError) -> sending Model {
        // The model was made here and is reachable from nowhere else.
        nonisolated(unsafe) let model = try read(bytes) { reader, session throws(ModelError) in
            try self.decodeOne(&reader, session)
        }
        return model
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
        do throws(ModelError) { return try model(from: tree(dictionary, sorted: false)) } catch {
            // Of several problems the same one is thrown in every run, whatever the order of the dictionary.
            return try model(from: tree(dictionary, sorted: true))
        }
    }

    /// Decodes a model from a tree.
    ///
    /// - Throws: ``ModelError`` as for bytes, without line and column.
    public func model(from value: JSONValue) throws(ModelError) -> sending Model {
        let session = session(collecting: false)
        // Made here and reachable from nowhere else.
        nonisolated(unsafe) let model = try decodeTree(value, session, prefix: [])
        return model
    }

    // MARK: Many models

    /// Decodes an array of models from JSON text.
    ///
    /// - Throws: ``ModelError`` for the first problem in document order; with ``JSONAdapterOptions/ElementPolicy/skip``
    ///   only when the text is no JSON array.
    public func models(from bytes: some ContiguousBytes) throws(ModelError) -> sending [Model] {
        // Made here and reachable from nowhere else.
        nonisolated(unsafe) let models = try read(bytes) { reader, session throws(ModelError) in
            try self.decodeMany(&reader, session)
        }
        return models
    }

    /// Decodes an array of models from JSON text in a string.
    ///
    /// - Throws: ``ModelError`` as ``models(from:)-(ContiguousBytes)``.
    public func models(from text: String) throws(ModelError) -> sending [Model] { try models(from: Array(text.utf8)) }

    /// Decodes models from an array that someone else parsed.
    ///
    /// - Throws: ``ModelError``, also for values that JSON does not have.
    public func models(from array: [Any]) throws(ModelError) -> sending [Model] {
        do throws(ModelError) { return try models(from: tree(array, sorted: false)) } catch {
            return try models(from: tree(array, sorted: true))
        }
    }

    /// Decodes an array of models from a tree.
    ///
    /// - Throws: ``ModelError`` as for bytes, without line and column.
    public func models(from value: JSONValue) throws(ModelError) -> sending [Model] {
        let session = session(collecting: false)
        // Made here and reachable from nowhere else.
        nonisolated(unsafe) let models = try decodeTrees(value, session)
        return models
    }

    // MARK: Reports

    /// Decodes a model, or an array of models, and tells every problem instead of the first.
    ///
    /// The root decides: `[` is many models, `{` is one. Models with a problem in a required place are left out; where a
    /// property may be absent, it is unset and the model stays.
    public func report(from bytes: some ContiguousBytes) -> DecodingReport<Model> {
        bytes.withUnsafeBytes { report(of: $0) }
    }

    /// Decodes a model, or an array of models, from a tree and tells every problem instead of the first.
    public func report(from value: JSONValue) -> DecodingReport<Model> {
        let session = session(collecting: true)
        var models: [Model] = []
        var isArray = false
        do throws(ModelError) {
            if case .array = value {
                isArray = true
                var decoder = ModelDecoder<TreeSource>(
                    TreeSource(value, maximumDepth: options.reading.maximumDepth), session: session)
                try decodeEach(&decoder, session) { models.append($0) }
            } else if let model = try decodeTreeSlot(value, session, prefix: []) {
                models = [model]
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
                from: try tree(dictionary, sorted: true))
        } catch { return DecodingReport(models: [], problems: error.problems, isArray: false) }
    }

    /// Decodes models from an array that someone else parsed and tells every problem instead of the first.
    public func report(from array: [Any]) -> DecodingReport<Model> {
        do throws(ModelError) {
            return report(from: try tree(array, sorted: true))
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
    private func tree(_ value: Any, sorted: Bool) throws(ModelError) -> JSONValue {
        try JSONValue(foundation: value, maximumDepth: options.reading.maximumDepth, sortsMembers: sorted)
    }

    func session(
        collecting: Bool, document: UnsafeRawBufferPointer? = nil, origin: JSONLocation = .start
    ) -> DecodingSession {
        DecodingSession(
            programs: programs, options: options, isCollecting: collecting, document: document, origin: origin)
    }

    /// The report about a document, which begins at `origin` in what it is a part of.
    func report(of document: UnsafeRawBufferPointer, origin: JSONLocation = .start) -> DecodingReport<Model> {
        let session = session(collecting: true, document: document, origin: origin)
        var models: [Model] = []
        var isArray = false
        do throws(ModelError) {
            try read(document, session) { reader throws(ModelError) in
                isArray = try Self.isArray(&reader)
                if isArray {
                    try decodeEach(&reader, session) { models.append($0) }
                } else if let model = try decodeSlot(&reader, session) {
                    models = [model]
                }
            }
        } catch {
            return DecodingReport(models: models, problems: session.problems + error.problems, isArray: isArray)
        }
        return DecodingReport(models: models, problems: session.problems, isArray: isArray)
    }

    private func read<Result>(
        _ bytes: some ContiguousBytes,
        _ body: (inout ModelDecoder<JSONReader>, DecodingSession) throws(ModelError) -> Result
    ) throws(ModelError) -> Result {
        let result = bytes.withUnsafeBytes { raw -> Swift.Result<Result, ModelError> in
            let session = session(collecting: false, document: raw)
            do throws(ModelError) {
                return .success(try read(raw, session) { decoder throws(ModelError) in try body(&decoder, session) })
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    func read<Result>(
        _ raw: UnsafeRawBufferPointer, _ session: DecodingSession,
        _ body: (inout ModelDecoder<JSONReader>) throws(ModelError) -> Result
    ) throws(ModelError) -> Result {
        var decoder = ModelDecoder<JSONReader>(
            JSONReader(raw.bindMemory(to: UInt8.self), options: options.reading), session: session)
        do throws(JSONSyntaxError) { try decoder.source.beginDocument() } catch { throw decoder.locate(error) }
        let result = try body(&decoder)
        do throws(JSONSyntaxError) { try decoder.source.endDocument() } catch { throw decoder.locate(error) }
        return result
    }

    private static func isArray(_ decoder: inout ModelDecoder<JSONReader>) throws(ModelError) -> Bool {
        do throws(JSONSyntaxError) { return try decoder.source.peekKind() == .array } catch {
            throw decoder.locate(error)
        }
    }

    func decodeOne(
        _ decoder: inout ModelDecoder<JSONReader>, _ session: DecodingSession
    ) throws(ModelError) -> Model {
        if let model = try decodeSlot(&decoder, session) { return model }
        throw ModelError(.typeMismatch, expected: "a model of \(schema.name)", found: "null", schema: schema.name)
    }

    /// Decodes the next value; nil when it had problems that were collected.
    func decodeSlot<Source: JSONSource & ~Copyable>(
        _ decoder: inout ModelDecoder<Source>, _ session: DecodingSession
    ) throws(ModelError) -> Model? {
        let slot = TemporarySlot(descriptor: root.reference)
        do { try decoder.decode(root.table, into: slot.slot) } catch { throw decoder.locate(error) }
        guard slot.slot.hasValue else { return nil }
        return model(in: slot.slot)
    }

    private func model(in slot: PropertySlot) -> Model {
        let model = SlotOperations.box(DynamicModel.self, slot.pointer)
        // The program makes instances of the layout's class or, through clusters, of subclasses; the adapter's `Model` is
        // that class or, for schemas known at run time only, DynamicModel.
        return unsafeDowncast(model, to: Model.self)
    }

    func decodeMany(
        _ decoder: inout ModelDecoder<JSONReader>, _ session: DecodingSession
    ) throws(ModelError) -> [Model] {
        let list = RootList(root)
        do { try decoder.decode(list.table, into: list.slot.slot) } catch { throw decoder.locate(error) }
        return models(in: list)
    }

    /// Decodes the elements of a root array one by one, so that what was decoded before the text breaks off is kept.
    private func decodeEach<Source: JSONSource & ~Copyable>(
        _ decoder: inout ModelDecoder<Source>, _ session: DecodingSession, _ body: (Model) -> Void
    ) throws(ModelError) {
        var index = 0
        while true {
            do throws(JSONSyntaxError) {
                if index == 0 { try decoder.source.enterArray() }
                guard try decoder.source.nextElement(first: index == 0) else { break }
            } catch { throw decoder.locate(error) }
            decoder.prefix = ["\(index)"]
            index += 1
            if let model = try decodeSlot(&decoder, session) { body(model) }
        }
        decoder.prefix = []
    }

    private func models(in list: RootList) -> [Model] {
        guard list.slot.slot.hasValue else { return [] }
        let elements = SlotOperations.box(SlotList.self, list.slot.slot.pointer)
        var models: [Model] = []
        models.reserveCapacity(elements.count)
        for index in 0..<elements.count { models.append(model(in: elements.slot(at: index))) }
        return models
    }

    private func decodeTree(
        _ value: JSONValue, _ session: DecodingSession, prefix: [String]
    ) throws(ModelError) -> Model {
        if let model = try decodeTreeSlot(value, session, prefix: prefix) { return model }
        throw ModelError(.typeMismatch, expected: "a model of \(schema.name)", found: "null", schema: schema.name)
    }

    private func decodeTreeSlot(
        _ value: JSONValue, _ session: DecodingSession, prefix: [String]
    ) throws(ModelError) -> Model? {
        var decoder = ModelDecoder<TreeSource>(
            TreeSource(value, maximumDepth: options.reading.maximumDepth), session: session, prefix: prefix)
        return try decodeSlot(&decoder, session)
    }

    private func decodeTrees(_ value: JSONValue, _ session: DecodingSession) throws(ModelError) -> [Model] {
        var decoder = ModelDecoder<TreeSource>(
            TreeSource(value, maximumDepth: options.reading.maximumDepth), session: session)
        let list = RootList(root)
        do { try decoder.decode(list.table, into: list.slot.slot) } catch { throw decoder.locate(error) }
        return models(in: list)
    }
}

/// The slot and value table of a whole array of models.
private struct RootList {
    private let program: ValueProgram
    private let element: ValueProgram
    let slot: TemporarySlot
    var table: UnsafePointer<ValueTable> { UnsafePointer(program.table) }

    init(_ root: RootValue) {
        let descriptor = root.reference.takeUnretainedValue()
        element = ValueProgram(descriptor, operation: .model)
        element.table.pointee.model = root.table.pointee.model
        program = ValueProgram(root.listDescriptor, operation: .array, element: element)
        slot = TemporarySlot(descriptor: root.listDescriptor.reference)
    }
}
