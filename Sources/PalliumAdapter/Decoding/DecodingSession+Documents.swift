package import PalliumCore
package import PalliumJSON

/// Decodes whole documents of every form of input, each from its text.
extension DecodingSession {
    /// Decodes the document; the result is empty if it had problems that were collected.
    package func read(_ root: RootValue, as form: RootForm) throws(ModelError) -> DecodedRoot {
        try decode({ decoder throws(DecodingFailure) in try decoder.decode(root, as: form) }, isList: form == .list)
    }

    /// Decodes the document as an array of models or as one model, collects its problems, and keeps the models before
    /// malformed JSON.
    func readAll(_ root: RootValue) -> (models: [DynamicModel], isArray: Bool, problem: ModelError?) {
        let isArray = !isElement && document.isArray(options.reading)
        do throws(ModelError) {
            let (list, model) = try read(root, as: isArray ? .list : .model)
            return (list.map(Self.models) ?? model.map { [$0] } ?? [], isArray, nil)
        } catch { return (decodedRoots.map(Self.models) ?? [], isArray, error) }
    }

    private static func models(in list: SlotList) -> [DynamicModel] {
        (0..<list.count).map { list.slot(at: $0) }.filter(\.hasValue).map(\.model)
    }

    /// Decodes a value of the document that was read as a tree into an unset slot.
    func decode(_ value: JSONValue, into slot: WritableSlot, at path: [String]) throws(ModelError) {
        let part = DecodingSession(plans: plans, options: options, document: JSONDocument(value), prefix: path)
        try part.decode({ decoder throws(DecodingFailure) in try decoder.decode(into: slot) }, isList: false)
    }

    private func decode<Value>(
        _ body: (inout ModelDecoder) throws(DecodingFailure) -> Value, isList: Bool
    ) throws(ModelError) -> Value {
        // A dictionary may be written in the random order of Swift's dictionaries. If that fails, it is written again in a
        // fixed order, so that every run throws the same problem.
        if case .foundation = document.form, !isCollecting, partialModels == .none {
            let decoded = try? document.withText(options.reading, sortingMembers: false) { bytes throws(ModelError) in
                try attempt(bytes, body)
            }
            if let decoded { return decoded }
            startOver()
        }
        return try document.withText(options.reading, sortingMembers: true) { bytes throws(ModelError) in
            do throws(ModelError) { return try attempt(bytes, body) } catch {
                let first = firstProblem(error, in: bytes) { decoder throws(DecodingFailure) in
                    _ = try body(&decoder)
                }
                throw isList ? recognizingLines(first, in: bytes) : first
            }
        }
    }

    /// Decodes a text, and decodes it again if the targets of objects must be known.
    func attempt<Value>(
        _ bytes: BorrowedBytes, _ body: (inout ModelDecoder) throws(DecodingFailure) -> Value
    ) throws(ModelError) -> Value {
        while true {
            do throws(DecodingFailure) { return try read(bytes, body) } catch {
                switch error {
                case .problem(let problem): throw problem
                case .malformed(let syntax): throw ModelError(syntax)
                case .startsOver: startOver()
                }
            }
        }
    }
}

extension JSONDocument {
    /// Calls a function with the document as text.
    ///
    /// - Parameter sortingMembers: Whether the members of dictionaries are sorted by the bytes of their names.
    /// - Throws: ``ModelError`` with the code `notConvertible` for a value in a dictionary or array that JSON does not
    ///   have, and with `limitExceeded` if they are nested too deeply.
    func withText<Value>(
        _ options: JSONReadingOptions, sortingMembers: Bool,
        _ body: (BorrowedBytes) throws(ModelError) -> Value
    ) throws(ModelError) -> Value {
        if case .bytes(let bytes) = form {
            return try options.withText(bytes) { bytes throws(ModelError) in try body(bytes) }
        }
        var buffer = JSONByteBuffer()
        switch form {
        case .bytes: break
        case .tree(let value): buffer.append(value: value)
        case .foundation(let value):
            var writer = FoundationWriter(maximumDepth: options.maximumDepth, sortsMembers: sortingMembers)
            try writer.write(value, to: &buffer)
        }
        return try buffer.withBorrowedBytes(body)
    }

    /// The options for reading the text: a document that is no text has no limits of its text, except the depth.
    func readingOptions(_ options: JSONReadingOptions) -> JSONReadingOptions {
        if case .bytes = form { return options }
        return .unlimited(maximumDepth: options.maximumDepth)
    }

    /// The document as a tree; members of dictionaries are sorted by the bytes of their names.
    package func tree(_ options: JSONReadingOptions) throws(ModelError) -> JSONValue {
        if case .tree(let value) = form { return value }
        let readingOptions = readingOptions(options)
        return try withText(options, sortingMembers: true) { bytes throws(ModelError) in
            do throws(JSONSyntaxError) { return try JSONValue(parsing: bytes, options: readingOptions) } catch {
                throw ModelError(error, in: bytes)
            }
        }
    }
}

extension JSONByteBuffer {
    /// Appends a value of any depth.
    mutating func append(value: JSONValue) {
        var options = JSONWritingOptions()
        options.maximumDepth = .max
        // Only the depth can be refused.
        try? append(value: value, options: options)
    }
}
