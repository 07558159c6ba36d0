package import PalliumCore
package import PalliumJSON

/// Decodes whole documents of every form of input.
///
/// Like the methods in `ModelDecoder+Roots.swift` these methods are not generic over models: otherwise the decoder would
/// run unspecialised.
///
/// Safety: the document is borrowed for the call in which the session lives.
extension DecodingSession {
    /// Decodes the document; the result is empty if it had problems that were collected.
    package func read(_ root: RootValue, as form: RootForm) throws(ModelError) -> DecodedRoot {
        do throws(ModelError) { return try readOnce(root, as: form) } catch {
            let first = firstProblem(error) { decoder throws(ModelError) in _ = try decoder.decode(root, as: form) }
            throw form == .list ? recognizingLines(first) : first
        }
    }

    private func readOnce(_ root: RootValue, as form: RootForm) throws(ModelError) -> DecodedRoot {
        switch document.form {
        case .bytes(let bytes):
            do throws(ModelError) {
                return try unsafe read(bytes) { decoder throws(ModelError) in try decoder.decode(root, as: form) }
            } catch {
                guard startsOverAsTree() else { throw error }
                do throws(ModelError) {
                    return try readTree { decoder throws(ModelError) in try decoder.decode(root, as: form) }
                } catch {
                    guard error.category == .malformedInput else { throw error }
                    tracksTargets = false
                    return try unsafe read(bytes) { decoder throws(ModelError) in try decoder.decode(root, as: form) }
                }
            }
        case .foundation(let value) where mayReadWithoutOrder:
            var decoder = ModelDecoder(
                FoundationSource(value, maximumDepth: options.reading.maximumDepth), session: self)
            // A failure is repeated with a tree, to find the same problem in every run.
            if let decoded = try? decoder.decode(root, as: form) { return decoded }
        case .foundation, .tree: break
        }
        return try readTree { decoder throws(ModelError) in try decoder.decode(root, as: form) }
    }

    /// Decodes the document as an array of models or as one model, and keeps the models before an error.
    func readAll(_ root: RootValue) -> (models: [DynamicModel], isArray: Bool, problem: ModelError?) {
        var models: [DynamicModel] = []
        var isArray = false
        do throws(ModelError) {
            switch document.form {
            case .bytes(let bytes):
                try unsafe read(bytes) { decoder throws(ModelError) in
                    try decoder.decodeAll(root, &isArray, &models)
                }
            case .foundation(let value):
                // The form must be known even if an element cannot be converted.
                if case .array = FoundationToken(value) { isArray = true }
                try readTree { decoder throws(ModelError) in try decoder.decodeAll(root, &isArray, &models) }
            case .tree: try readTree { decoder throws(ModelError) in try decoder.decodeAll(root, &isArray, &models) }
            }
            return (models, isArray, nil)
        } catch { return (models, isArray, error) }
    }

    /// Whether a dictionary may be read in the random order of Swift's dictionaries. If that fails, it is read again in
    /// a fixed order, so that every run throws the same problem.
    private var mayReadWithoutOrder: Bool { !isCollecting && partialModels == .none }

    private func readTree<Value>(
        _ body: (inout ModelDecoder<TreeSource>) throws(ModelError) -> Value
    ) throws(ModelError) -> Value {
        let tree = try document.tree(options.reading)
        tracksTargets = targets != nil
        var decoder = ModelDecoder<TreeSource>(
            TreeSource(tree, maximumDepth: options.reading.maximumDepth), session: self)
        return try body(&decoder)
    }
}

extension JSONDocument {
    /// The document as a tree; members of dictionaries are sorted by the bytes of their names.
    package func tree(_ options: JSONReadingOptions) throws(ModelError) -> JSONValue {
        switch form {
        case .bytes(let bytes):
            do throws(JSONSyntaxError) { return unsafe try JSONValue(parsing: bytes, options: options) } catch {
                throw unsafe ModelError(error, in: bytes)
            }
        case .tree(let value): return value
        case .foundation(let value):
            return try JSONValue(foundation: value, maximumDepth: options.maximumDepth, sortsMembers: true)
        }
    }
}
