import PalliumCore
import PalliumJSON

/// Whole documents, in whatever form they come.
///
/// Like the roots of `ModelDecoder` these are not generic over models, and for the same reason.
///
/// Safety: the document is lent for the call in which the session lives.
extension DecodingSession {
    /// Decodes the document as a model; nil when it had problems that were collected.
    func readModel(_ root: RootValue) throws(ModelError) -> DynamicModel? {
        do throws(ModelError) { return try readAnyModel(root) } catch {
            throw firstProblem(error) { decoder throws(ModelError) in _ = try decoder.decodeModel(root) }
        }
    }

    private func readAnyModel(_ root: RootValue) throws(ModelError) -> DynamicModel? {
        switch document.form {
        case .bytes: return try read { decoder throws(ModelError) in try decoder.decodeModel(root) }
        case .foundation(let value) where mayReadWithoutOrder:
            do throws(ModelError) {
                var decoder = foundationDecoder(value)
                return try decoder.decodeModel(root)
            } catch { return try readTree { decoder throws(ModelError) in try decoder.decodeModel(root) } }
        case .foundation, .tree: return try readTree { decoder throws(ModelError) in try decoder.decodeModel(root) }
        }
    }

    /// Decodes the document as an array of models; nil when it had problems that were collected.
    func readList(_ root: RootValue) throws(ModelError) -> SlotList? {
        do throws(ModelError) { return try readAnyList(root) } catch {
            throw recognizingLines(
                firstProblem(error) { decoder throws(ModelError) in _ = try decoder.decodeList(root) })
        }
    }

    private func readAnyList(_ root: RootValue) throws(ModelError) -> SlotList? {
        switch document.form {
        case .bytes: return try read { decoder throws(ModelError) in try decoder.decodeList(root) }
        case .foundation(let value) where mayReadWithoutOrder:
            do throws(ModelError) {
                var decoder = foundationDecoder(value)
                return try decoder.decodeList(root)
            } catch { return try readTree { decoder throws(ModelError) in try decoder.decodeList(root) } }
        case .foundation, .tree: return try readTree { decoder throws(ModelError) in try decoder.decodeList(root) }
        }
    }

    /// Decodes the document as an array of models or as one model: nil and the model where it is no array.
    func readEither(_ root: RootValue) throws(ModelError) -> (list: SlotList?, model: DynamicModel?) {
        do throws(ModelError) { return try readAnyEither(root) } catch {
            throw firstProblem(error) { decoder throws(ModelError) in _ = try decoder.decodeEither(root) }
        }
    }

    private func readAnyEither(_ root: RootValue) throws(ModelError) -> (list: SlotList?, model: DynamicModel?) {
        if case .bytes = document.form {
            return try read { decoder throws(ModelError) in try decoder.decodeEither(root) }
        }
        return try readTree { decoder throws(ModelError) in try decoder.decodeEither(root) }
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

    private func foundationDecoder(_ value: Any) -> ModelDecoder<FoundationSource> {
        ModelDecoder(FoundationSource(value, maximumDepth: options.reading.maximumDepth), session: self)
    }

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
