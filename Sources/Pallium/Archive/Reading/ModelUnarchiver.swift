public import Foundation
public import PalliumCore

// Safety: the archive is lent for the call; what `nonisolated(unsafe)` marks was made by it and is reachable from
// nowhere else.

/// Opens archives that ``ModelArchiver`` wrote, with the schemas of today or of an earlier version.
///
///     let issue = try ModelUnarchiver().unarchive(Issue.self, from: bytes)
///
/// Nothing is decoded before the checksums were compared and every schema of the archive was found to be allowed, of a
/// known version and, where it is older, to have upgrades. Values are found by key, so their order does not matter:
/// a property that came since gets its default, one that is gone is passed over, and a stored value wins over a default
/// that has changed. Models are handed out when all of them are filled, their validators and rules have agreed and
/// `didDecode` has run, or not at all.
public struct ModelUnarchiver: Sendable {
    private let registry: SchemaRegistry
    private let allowed: [ModelReference]?

    /// Makes an unarchiver.
    ///
    /// - Parameters:
    ///   - registry: Where the schemas of the archive are looked up, by name. No class is ever found by name.
    ///   - allowed: The schemas whose models an archive may hold. Unless given, these are the schema that is asked for,
    ///     those that its properties reach, and all schemas that extend one of these.
    public init(registry: SchemaRegistry = .shared, allowing allowed: [ModelReference]? = nil) {
        self.registry = registry
        self.allowed = allowed
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
        nonisolated(unsafe) let model = try cast(one(read(layout(for: modelClass), bytes)), to: modelClass)
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
        nonisolated(unsafe) var models: [Model] = []
        for model in try read(layout(for: modelClass), bytes) { unsafe models.append(try cast(model, to: modelClass)) }
        return unsafe models
    }

    /// Opens an archive of one model of a schema that may be known at run time only.
    ///
    /// - Throws: ``ModelError`` as for a class, and when the schema is not registered.
    public func unarchive(
        _ schema: ModelSchema, from bytes: some ContiguousBytes
    ) throws(ModelError) -> sending DynamicModel {
        // Made here and reachable from nowhere else.
        nonisolated(unsafe) let model = try one(try unarchive(arrayOf: schema, from: bytes))
        return unsafe model
    }

    /// Opens an archive of any number of models of a schema that may be known at run time only.
    ///
    /// - Throws: ``ModelError`` as for a class, and when the schema is not registered.
    public func unarchive(
        arrayOf schema: ModelSchema, from bytes: some ContiguousBytes
    ) throws(ModelError) -> sending [DynamicModel] {
        guard let layout = registry.layout(for: schema) else {
            throw ModelError(.unknownSchema, expected: "a registered schema", found: ModelError.quote(schema.name))
        }
        // Made here and reachable from nowhere else.
        nonisolated(unsafe) let models = try read(layout, bytes)
        return unsafe models
    }

    // MARK: How

    private func layout(for modelClass: DynamicModel.Type) throws(ModelError) -> ModelLayout? {
        if let layout = registry.layout(for: modelClass) { return layout }
        if modelClass == DynamicModel.self, allowed != nil { return nil }
        throw ModelError(.unknownSchema, expected: "a schema registered for the class \(modelClass)", found: "none")
    }

    /// Reads an archive whose roots are of a layout; of any that is allowed, where none is given.
    private func read(_ root: ModelLayout?, _ bytes: some ContiguousBytes) throws(ModelError) -> [DynamicModel] {
        let schemas = try ReadableSchemas(root: root, allowed: allowed, registry: registry)
        let result = unsafe bytes.withUnsafeBytes { bytes -> Result<[DynamicModel], ModelError> in
            do throws(ModelError) {
                var reader = try unsafe GraphReader(bytes) { schema throws(ModelError) in
                    try schemas.layout(for: schema)
                }
                return .success(try reader.read())
            } catch { return .failure(error) }
        }
        let models = try result.get()
        for model in models {
            if let root, !model.layout.isDescendant(of: root) { throw wrongRoot(model, root.schema.name) }
        }
        return models
    }

    private func one(_ models: [DynamicModel]) throws(ModelError) -> DynamicModel {
        guard models.count == 1 else {
            throw ModelError(
                .elementCount, expected: "an archive of one model", found: "one of \(models.count)")
        }
        return models[0]
    }

    private func cast<Model: DynamicModel>(
        _ model: DynamicModel, to modelClass: Model.Type
    ) throws(ModelError) -> Model {
        guard let result = model as? Model else { throw wrongRoot(model, "\(modelClass)") }
        return result
    }

    private func wrongRoot(_ model: DynamicModel, _ expected: String) -> ModelError {
        ModelError(
            .typeMismatch, expected: "a model of \(expected)", found: "a model of \(model.schema.name)",
            schema: model.schema.name)
    }
}
