public import PalliumAdapter
public import PalliumCore

// The unarchiver.
//
// Safety: the archive is borrowed for the call; values that are `unshared` were made by it and are reachable from nowhere
// else.

/// Opens archives of ``ModelArchiver`` with the present schemas, which may be newer than the archive.
///
///     let issue = try ModelUnarchiver().unarchive(Issue.self, from: bytes)
///     let issue = try ModelUnarchiver().unarchive(Issue.self, from: file)
///
/// The checksums are compared before anything is decoded. Values are found by key: a new property gets its default, a
/// removed one is skipped together with the models that only it holds, and a stored value wins over a changed default.
/// The schema of every remaining model must be allowed, have a known version and, if the stored version is older, have
/// upgrades. All models are returned, with validators, rules and `didDecode` run, or none.
///
/// For imperfect old data, ``report(_:from:)-(Model.Type,_)`` opens as much as possible and reports every problem, and
/// ``ModelUnarchiverOptions`` define what a problem is.
public struct ModelUnarchiver: Sendable {
    private let registry: SchemaRegistry
    private let allowed: [ModelReference]?
    /// The options for old or invalid models.
    package let options: ModelUnarchiverOptions

    /// Makes an unarchiver.
    ///
    /// - Parameters:
    ///   - registry: The registry that has the schemas of the archive. No class is ever found by name.
    ///   - allowed: The schemas whose models an archive may contain; by default the requested schema, those that its
    ///     properties reach, and all schemas that extend one of these.
    ///   - options: The options for old or invalid models.
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
    /// - Throws: ``ModelError``: `malformedArchive` if the bytes are damaged or no archive, `unknownModel` for a schema
    ///   that is not registered or not allowed, `newerVersion` and `olderVersion` with both versions, `upgradeFailed`,
    ///   `missingProperty`, and the errors of values, validators and hooks. The pointer is `/objects/`*number*`/`*key*.
    ///   `unreadableFile`, with a `POSIXError` as its underlying error, if the system cannot read the file.
    /// - Complexity: O(*n*) in the number of bytes, on a constant stack.
    public func unarchive<Model: DynamicModel>(
        _ modelClass: Model.Type, from input: some ArchiveInput
    ) throws(ModelError) -> sending Model {
        try makeUnshared { () throws(ModelError) in
            try one(read(layout(for: modelClass), input)).known(as: modelClass)
        }
    }

    /// Opens an archive of any number of models.
    ///
    /// `unarchive(arrayOf: DynamicModel.self, from:)` opens an archive of models of several schemas; it needs a list of
    /// allowed schemas.
    ///
    /// - Throws: ``ModelError`` as for one model.
    public func unarchive<Model: DynamicModel>(
        arrayOf modelClass: Model.Type, from input: some ArchiveInput
    ) throws(ModelError) -> sending [Model] {
        try makeUnshared { () throws(ModelError) in
            try read(layout(for: modelClass), input).models.map { $0.known(as: modelClass) }
        }
    }

    /// Opens an archive of one model of a schema that may be known at run time only.
    ///
    /// - Throws: ``ModelError`` as for a class, and when the schema is not registered.
    public func unarchive(
        _ schema: ModelSchema, from input: some ArchiveInput
    ) throws(ModelError) -> sending DynamicModel {
        try makeUnshared { () throws(ModelError) in try one(read(layout(for: schema), input)) }
    }

    /// Opens an archive of any number of models of a schema that may be known at run time only.
    ///
    /// - Throws: ``ModelError`` as for a class, and when the schema is not registered.
    public func unarchive(
        arrayOf schema: ModelSchema, from input: some ArchiveInput
    ) throws(ModelError) -> sending [DynamicModel] {
        try makeUnshared { () throws(ModelError) in try read(layout(for: schema), input).models }
    }

    // MARK: Reports

    /// Opens as much of an archive as possible, and reports every problem instead of the first.
    ///
    ///     let report = ModelUnarchiver().report(Issue.self, from: bytes)
    ///     for problem in report.problems { print(problem) }
    ///
    /// A value that cannot be read leaves its property unset, or with its default if it is not nullable. A model is
    /// left out if a required property has no value or a rule refuses it. So is everything that requires that model:
    /// other models, and, unless the options skip elements, lists. A root of another schema is left out as well. A
    /// damaged archive gives no models. The report's ``DecodingReport/model`` is that of an archive of one root.
    ///
    /// - Complexity: O(*n*) in the number of bytes, on a constant stack.
    public func report<Model: DynamicModel>(
        _ modelClass: Model.Type, from input: some ArchiveInput
    ) -> DecodingReport<Model> {
        do throws(ModelError) {
            let read = try read(layout(for: modelClass), input, isReporting: true)
            return DecodingReport(
                models: read.models.map { $0.known(as: modelClass) }, problems: read.problems,
                isArray: read.rootCount != 1)
        } catch { return DecodingReport(models: [], problems: error.problems, isArray: false) }
    }

    /// Opens as much as possible of an archive of a schema that may be known at run time only, and reports every
    /// problem.
    public func report(_ schema: ModelSchema, from input: some ArchiveInput) -> DecodingReport<DynamicModel> {
        do throws(ModelError) {
            let read = try read(layout(for: schema), input, isReporting: true)
            return DecodingReport(models: read.models, problems: read.problems, isArray: read.rootCount != 1)
        } catch { return DecodingReport(models: [], problems: error.problems, isArray: false) }
    }

    // MARK: How

    private func layout(for modelClass: DynamicModel.Type) throws(ModelError) -> ModelLayout? {
        if modelClass == DynamicModel.self, allowed != nil, registry.layout(for: modelClass) == nil { return nil }
        return try registry.layout(.modelClass(modelClass))
    }

    private func layout(for schema: ModelSchema) throws(ModelError) -> ModelLayout {
        if let layout = registry.layout(for: schema) { return layout }
        throw ModelError(.unknownSchema, expected: "a registered schema", found: ModelError.quote(schema.name))
    }

    /// Reads an archive whose roots have a layout, or any allowed layout if it is nil.
    private func read(
        _ root: ModelLayout?, _ input: some ArchiveInput, isReporting: Bool = false
    ) throws(ModelError) -> ReadModels {
        let schemas = try ReadableSchemas(root: root, allowed: allowed, registry: registry)
        let problems = ReadingProblems(options, isReporting: isReporting)
        return try input.withArchive { bytes throws(ModelError) in
            var reader = try GraphReader(bytes, .readable(schemas), problems)
            return try reader.read(rootsOf: root)
        }
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
}
