public import Foundation
public import PalliumCore

// Safety: the archive is lent for the call; what `nonisolated(unsafe)` marks was made by it and is reachable from
// nowhere else.

/// Opens archives that ``ModelArchiver`` wrote, with the schemas of today or of an earlier version.
///
///     let issue = try ModelUnarchiver().unarchive(Issue.self, from: bytes)
///
/// Nothing is decoded before the checksums were compared. Values are found by key, so their order does not matter: a
/// property that came since gets its default, one that is gone is skipped together with the models that nothing else
/// holds, and a stored value wins over a default that has changed. The schema of every model that is left must be
/// allowed, of a known version and, where it is older, have upgrades. Models are handed out when all of them are filled,
/// their validators and rules have agreed and `didDecode` has run, or not at all.
///
/// Old data may be less than perfect: ``report(_:from:)-(Model.Type,_)`` opens what can be opened and tells every
/// problem, and ``ModelUnarchiverOptions`` say what counts as one.
public struct ModelUnarchiver: Sendable {
    private let registry: SchemaRegistry
    private let allowed: [ModelReference]?
    /// How models are treated that are not as the schemas of today want them.
    public let options: ModelUnarchiverOptions

    /// Makes an unarchiver.
    ///
    /// - Parameters:
    ///   - registry: Where the schemas of the archive are looked up, by name. No class is ever found by name.
    ///   - allowed: The schemas whose models an archive may hold. Unless given, these are the schema that is asked for,
    ///     those that its properties reach, and all schemas that extend one of these.
    ///   - options: How models are treated that are not as the schemas of today want them.
    public init(
        registry: SchemaRegistry = .shared, allowing allowed: [ModelReference]? = nil,
        options: ModelUnarchiverOptions = ModelUnarchiverOptions()
    ) {
        self.registry = registry
        self.allowed = allowed
        self.options = options
    }

    /// Opens an archive of one model.
    ///
    /// - Throws: ``ModelError``: `malformedArchive` when the bytes were damaged or are no archive, `unknownModel` for a
    ///   schema that is not registered or not allowed, `newerVersion` and `olderVersion` with both versions,
    ///   `upgradeFailed`, `missingProperty`, and what values, validators and hooks refuse. The pointer is
    ///   `/objects/`*number*`/`*key*.
    /// - Complexity: O(*n*) in the number of bytes, on a constant stack.
    public func unarchive<Model: DynamicModel>(
        _ modelClass: Model.Type, from bytes: some ContiguousBytes
    ) throws(ModelError) -> sending Model {
        // Made here and reachable from nowhere else.
        nonisolated(unsafe) let model = try typed(one(read(layout(for: modelClass), bytes)), as: modelClass)
        return unsafe model
    }

    /// Opens an archive of any number of models.
    ///
    /// `unarchive(arrayOf: DynamicModel.self, from:)` opens an archive of models of several schemas; it needs the list of
    /// those that are allowed.
    ///
    /// - Throws: ``ModelError`` as for one model.
    public func unarchive<Model: DynamicModel>(
        arrayOf modelClass: Model.Type, from bytes: some ContiguousBytes
    ) throws(ModelError) -> sending [Model] {
        // Made here and reachable from nowhere else.
        nonisolated(unsafe) let models = try read(layout(for: modelClass), bytes).models.map {
            typed($0, as: modelClass)
        }
        return unsafe models
    }

    /// Opens an archive of one model of a schema that may be known at run time only.
    ///
    /// - Throws: ``ModelError`` as for a class, and when the schema is not registered.
    public func unarchive(
        _ schema: ModelSchema, from bytes: some ContiguousBytes
    ) throws(ModelError) -> sending DynamicModel {
        // Made here and reachable from nowhere else.
        nonisolated(unsafe) let model = try one(read(layout(for: schema), bytes))
        return unsafe model
    }

    /// Opens an archive of any number of models of a schema that may be known at run time only.
    ///
    /// - Throws: ``ModelError`` as for a class, and when the schema is not registered.
    public func unarchive(
        arrayOf schema: ModelSchema, from bytes: some ContiguousBytes
    ) throws(ModelError) -> sending [DynamicModel] {
        // Made here and reachable from nowhere else.
        nonisolated(unsafe) let models = try read(layout(for: schema), bytes).models
        return unsafe models
    }

    // MARK: Reports

    /// Opens what can be opened of an archive and tells every problem instead of the first.
    ///
    ///     let report = ModelUnarchiver().report(Issue.self, from: bytes)
    ///     for problem in report.problems { print(problem) }
    ///
    /// A value that cannot be read leaves its property unset, or with its default where it is never null. A model is left
    /// out where that property is required, or where a rule refuses it; so is what cannot be without it: a model that
    /// requires it, and, unless the options skip elements, a list with it. A root of another schema is left out as well.
    /// An archive that is damaged gives no models. The report's ``DecodingReport/model`` is that of an archive of one root.
    ///
    /// - Complexity: O(*n*) in the number of bytes, on a constant stack.
    public func report<Model: DynamicModel>(
        _ modelClass: Model.Type, from bytes: some ContiguousBytes
    ) -> DecodingReport<Model> {
        do throws(ModelError) {
            let read = try read(layout(for: modelClass), bytes, isReporting: true)
            return DecodingReport(
                models: read.models.map { typed($0, as: modelClass) }, problems: read.problems,
                isArray: read.rootCount != 1)
        } catch { return DecodingReport(models: [], problems: error.problems, isArray: false) }
    }

    /// Opens what can be opened of an archive of a schema that may be known at run time only, and tells every problem
    /// instead of the first.
    public func report(_ schema: ModelSchema, from bytes: some ContiguousBytes) -> DecodingReport<DynamicModel> {
        do throws(ModelError) {
            let read = try read(layout(for: schema), bytes, isReporting: true)
            return DecodingReport(models: read.models, problems: read.problems, isArray: read.rootCount != 1)
        } catch { return DecodingReport(models: [], problems: error.problems, isArray: false) }
    }

    // MARK: How

    private func layout(for modelClass: DynamicModel.Type) throws(ModelError) -> ModelLayout? {
        if let layout = registry.layout(for: modelClass) { return layout }
        if modelClass == DynamicModel.self, allowed != nil { return nil }
        throw ModelError(.unknownSchema, expected: "a schema registered for the class \(modelClass)", found: "none")
    }

    private func layout(for schema: ModelSchema) throws(ModelError) -> ModelLayout {
        if let layout = registry.layout(for: schema) { return layout }
        throw ModelError(.unknownSchema, expected: "a registered schema", found: ModelError.quote(schema.name))
    }

    /// Reads an archive whose roots are of a layout; of any that is allowed, where none is given.
    private func read(
        _ root: ModelLayout?, _ bytes: some ContiguousBytes, isReporting: Bool = false
    ) throws(ModelError) -> ReadModels {
        let schemas = try ReadableSchemas(root: root, allowed: allowed, registry: registry)
        let problems = ReadingProblems(options, isReporting: isReporting)
        let result = unsafe bytes.withUnsafeBytes { bytes -> Result<ReadModels, ModelError> in
            do throws(ModelError) {
                var reader = try unsafe GraphReader(bytes, .readable(schemas), problems)
                return .success(try reader.read(rootsOf: root))
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func one(_ read: ReadModels) throws(ModelError) -> DynamicModel {
        guard read.rootCount == 1 else {
            throw ModelError(
                .elementCount, expected: "an archive of one model", found: "one of \(read.rootCount)")
        }
        guard let model = read.models.first else {
            throw read.missing ?? ModelError(.elementCount, expected: "an archive of one model", found: "none")
        }
        return model
    }

    private func typed<Model: DynamicModel>(_ model: DynamicModel, as modelClass: Model.Type) -> Model {
        // The reader hands out roots of the class's layout and of its descendants, whose classes are that class or
        // subclasses of it, as registration checks. Without a layout the class is DynamicModel.
        unsafe unsafeDowncast(model, to: modelClass)
    }
}
