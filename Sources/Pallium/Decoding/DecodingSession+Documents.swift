import PalliumCore
import PalliumJSON

/// Whole documents, in whatever form they come.
///
/// Like the roots of `ModelDecoder` these are not generic over models, and for the same reason.
///
/// Safety: the document is lent for the call in which the session lives.
extension DecodingSession {
    /// Decodes the document; nil when it had problems that were collected.
    func read(_ root: RootValue, as form: RootForm) throws(ModelError) -> DecodedRoot {
        do throws(ModelError) { return try readOnce(root, as: form) } catch {
            let first = firstProblem(error) { decoder throws(ModelError) in _ = try decoder.decode(root, as: form) }
            throw form == .list ? recognizingLines(first) : first
        }
    }

    private func readOnce(_ root: RootValue, as form: RootForm) throws(ModelError) -> DecodedRoot {
        switch document.form {
        case .bytes: return try read { decoder throws(ModelError) in try decoder.decode(root, as: form) }
        case .foundation(let value) where mayReadWithoutOrder:
            var decoder = ModelDecoder(
                FoundationSource(value, maximumDepth: options.reading.maximumDepth), session: self)
            // What fails is read again as a tree.
            if let decoded = try? decoder.decode(root, as: form) { return decoded }
        case .foundation, .tree: break
        }
        return try readTree { decoder throws(ModelError) in try decoder.decode(root, as: form) }
    }

    /// Decodes the document as an array of models or as one model, and keeps what was decoded before it breaks off.
    func readAll(_ root: RootValue) -> (models: [DynamicModel], isArray: Bool, problem: ModelError?) {
        var models: [DynamicModel] = []
        var isArray = false
        do throws(ModelError) {
            switch document.form {
            case .bytes: try read { decoder throws(ModelError) in try decoder.decodeAll(root, &isArray, &models) }
            case .foundation(let value):
                // For when the rest cannot be converted.
                if case .array = FoundationToken(value) { isArray = true }
                try readTree { decoder throws(ModelError) in try decoder.decodeAll(root, &isArray, &models) }
            case .tree: try readTree { decoder throws(ModelError) in try decoder.decodeAll(root, &isArray, &models) }
            }
            return (models, isArray, nil)
        } catch { return (models, isArray, error) }
    }

    /// Whether a dictionary may be read in the order of Swift's dictionaries, which is another one in every run. What fails
    /// is read once more in a fixed order, so that of several problems the same one is thrown in every run.
    private var mayReadWithoutOrder: Bool { !isCollecting && parts == .none }

    private func readTree<Value>(
        _ body: (inout ModelDecoder<TreeSource>) throws(ModelError) -> Value
    ) throws(ModelError) -> Value {
        let tree = try document.tree(options.reading)
        var decoder = ModelDecoder<TreeSource>(
            TreeSource(tree, maximumDepth: options.reading.maximumDepth), session: self)
        return try body(&decoder)
    }
}

extension JSONDocument {
    /// The document as a tree, in which the members of dictionaries are in the order of their names' bytes.
    func tree(_ options: JSONReadingOptions) throws(ModelError) -> JSONValue {
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
