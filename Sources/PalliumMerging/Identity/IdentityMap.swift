public import PalliumAdapter
public import PalliumCore
import PalliumJSON

/// The live models of your program, one for each identity.
///
///     let map = IdentityMap()
///     let issues = try map.import(page, using: JSONAdapter(Issue.self))
///     let again = try map.import(#"{"number": 7, "title": "Crash on launch"}"#, using: JSONAdapter(Issue.self))
///     // again[0] is the very issue 7 of the page, if that is still in use
///
/// Every model whose schema has an `identity` is imported into the one instance of it, wherever it is in a document:
/// an existing one is merged in place by the merge policies of its schema, any other becomes a new instance. Identities
/// count within the schema that declares them, so a cluster and its descendants share them. A document that names a
/// model by its identity alone gets the existing instance or, where nothing else is required, a stub that a later
/// import fills. Models without an identity, and those that lack a value of it, are values of the model that holds
/// them.
///
/// The map does not keep models alive. It belongs to the isolation region of its models and is not `Sendable`. Do not
/// change the identity of an instance. A merge that would change it is an error.
public final class IdentityMap {
    /// The number of maps that the process has made.
    private static let madeCount = Lock<UInt64>(0)

    /// The number by which instances know their map. Unlike an address, it is never used again.
    private let number: UInt64
    private var instances: [ModelIdentity: WeakModelBox] = [:]
    /// The number of entries at which those of dead models are dropped: twice as many as were alive the last time.
    private var limit = 64

    /// Makes an empty map.
    public init() {
        number = Self.madeCount.withLock {
            $0 += 1
            return $0
        }
    }

    /// The number of entries, dead ones included that were not dropped yet.
    package var entryCount: Int { instances.count }

    /// Imports a document: one object, or an array of them.
    ///
    /// Several occurrences of a model are merged in order. Existing models need not be complete in the document, new
    /// ones must be. Models whose changes are tracked are rebased, which keeps edits and reports conflicts. Validators
    /// of changed properties, rules and hooks after decoding run when every reference has its instance.
    ///
    /// With ``JSONAdapterOptions/ElementPolicy/skip``, elements of lists that cannot be decoded are left out. A
    /// document's array that cannot be imported as a whole is then imported element by element, and those that were
    /// refused once more, since others may say what they lack: elements that are refused again are left out. Hooks may
    /// see a model in each of these attempts.
    ///
    /// Values that an instance has already need not be decoded. A document that describes an instance more than once may
    /// be decoded twice, and its transformers then run again. Transformers must not change the instances.
    ///
    /// - Returns: The instances, in the order of the document, and the changes of those that existed.
    /// - Throws: ``ModelError`` with the JSON Pointer and, for text, line:column. The map and all models are then as
    ///   they were.
    /// - Complexity: O(*n*) in the size of the document and of the values that are merged. The collections of a model
    ///   whose changes are tracked are walked through as often as the document mentions it.
    @discardableResult
    public func `import`<Model>(
        _ input: some JSONInput, using adapter: JSONAdapter<Model>
    ) throws(ModelError) -> ImportedModels<Model> {
        try input._withJSONDocument { document throws(ModelError) in
            do throws(ModelError) {
                guard adapter.options.elements == .skip else { return try importAtOnce(document, using: adapter) }
                let parts = try parts(of: document, using: adapter)
                do throws(ModelError) { return try `import`(parts, using: adapter) } catch {
                    guard parts.positions != nil else { throw error }
                    return try importEach(of: document, adapter)
                }
            } catch { throw error.located(in: document, adapter.options.reading) }
        }
    }

    /// Decodes a document for an import: objects that do not say their class have that of their instances.
    ///
    /// - Throws: ``ModelError`` with the JSON Pointer.
    package func parts<Model>(
        of document: JSONDocument, using adapter: JSONAdapter<Model>
    ) throws(ModelError) -> ImportedParts {
        try adapter.allParts(of: document, targets: targets(sharesValues: false))
    }

    /// Whether there is an instance with the identity of a model.
    package func holds(_ model: DynamicModel) -> Bool { ModelIdentity(model).flatMap(instance) != nil }

    /// Imports models of a document that were decoded before.
    ///
    /// - Throws: ``ModelError`` with the JSON Pointer. The map and all models are then as they were.
    package func `import`<Model>(
        _ parts: ImportedParts, using adapter: JSONAdapter<Model>
    ) throws(ModelError) -> ImportedModels<Model> {
        let merge = ModelMerge(parts.options)
        return try `import`(Unification(parts, for: merge, in: number, existing: instance), merge)
    }

    /// - Parameter stubs: Models of the classes that a document says of new instances.
    private func targets(
        sharesValues: Bool, stubs: [ModelIdentity: DynamicModel] = [:]
    ) -> DocumentTargets {
        DocumentTargets(map: number, sharesValues: sharesValues) { self.instance($0) ?? stubs[$0] }
    }

    /// Imports the elements of an array one after the other, and then those once more that were refused.
    private func importEach<Model>(
        of document: JSONDocument, _ adapter: JSONAdapter<Model>
    ) throws(ModelError) -> ImportedModels<Model> {
        var imported: [Int: Model] = [:]
        var changes: [ModelChanges] = []
        var new: [DynamicModel] = []
        // Observers hear of all elements at once.
        try WriteTransaction.run { _ throws(ModelError) in
            for _ in 0..<2 {
                // Decoded afresh: the models of an attempt that failed lead to one another.
                let parts = try parts(of: document, using: adapter)
                for (model, position) in zip(parts.models, parts.positions ?? []) where imported[position] == nil {
                    do throws(ModelError) {
                        let part = ImportedParts(models: [model], positions: [position], options: parts.options)
                        let one = try `import`(part, using: adapter)
                        imported[position] = one[0]
                        changes.append(one.changes)
                        new += one.new
                    } catch { continue }
                }
            }
        }
        return ImportedModels(imported.sorted { $0.key < $1.key }.map(\.value), ModelChanges(changes), new)
    }

    /// Makes models the instances of their identities, for documents that are imported later.
    ///
    /// Each must have an identity that no other one has, and be in no map.
    package func adopt(_ models: [DynamicModel]) {
        for model in models {
            guard let identity = ModelIdentity(model) else { continue }
            model.identityMap = number
            instances[identity.detached] = WeakModelBox(model)
        }
    }

    /// Makes a model that was adopted an ordinary one again.
    package func disown(_ model: DynamicModel) {
        guard model.identityMap == number, let identity = ModelIdentity(model) else { return }
        model.identityMap = 0
        instances[identity] = nil
    }

    /// Whether a model is an instance of the map.
    package func owns(_ model: DynamicModel) -> Bool { model.identityMap == number }

    /// Makes all instances ordinary models again. The map must not be used afterwards.
    package func release() {
        for instance in instances.values { instance.model?.identityMap = 0 }
        instances = [:]
    }

    private func instance(_ identity: ModelIdentity) -> DynamicModel? { instances[identity]?.model }

    /// Imports a document without those values that the live instances have already.
    private func importAtOnce<Model>(
        _ document: JSONDocument, using adapter: JSONAdapter<Model>
    ) throws(ModelError) -> ImportedModels<Model> {
        let targets = targets(sharesValues: true)
        var parts = try adapter.allParts(of: document, targets: targets)
        // What is left out would be missed where the document describes an instance once more, in another way, or where
        // an object turns out to be another model.
        let merge = ModelMerge(parts.options)
        if targets.isReused {
            if let unified = try? Unification(parts, for: merge, in: number, existing: instance) {
                if unified.mayReuse(targets) { return try `import`(unified, merge) }
                unified.dissolve()
            }
            parts = try self.parts(of: document, using: adapter)
        } else if parts.needsTargets {
            // Where one object says the class of a new instance, it counts for the others.
            let unified = try Unification(parts, for: merge, in: number, existing: instance)
            if unified.stubs.isEmpty { return try `import`(unified, merge) }
            unified.dissolve()
            let targets = self.targets(sharesValues: false, stubs: unified.stubs)
            parts = try adapter.allParts(of: document, targets: targets)
        }
        return try `import`(parts, using: adapter)
    }

    private func `import`<Model>(
        _ unified: Unification, _ merge: ModelMerge
    ) throws(ModelError) -> ImportedModels<Model> {
        var merge = merge
        // Hooks, which may import as well, find the new instances.
        for (identity, model) in unified.new { instances[identity.detached] = WeakModelBox(model) }
        let changes: ModelChanges
        do throws(ModelError) { changes = try merge.merge(unified) } catch {
            for (identity, model) in unified.new where instances[identity]?.model === model {
                instances[identity] = nil
            }
            unified.dissolve()
            throw error
        }
        if !unified.new.isEmpty {
            WriteTransaction.current?.onRestoring { [weak self] in
                for (identity, model) in unified.new where self?.instances[identity]?.model === model {
                    self?.instances[identity] = nil
                }
                unified.dissolve()
            }
        }
        if instances.count >= limit {
            instances = instances.filter { $0.value.model != nil }
            limit = max(64, instances.count * 2)
        }
        return ImportedModels(unified.roots, changes, unified.new.map(\.model))
    }
}

extension IdentityMap {
    /// The result of an import into an ``IdentityMap``: the instances, in the order of the document.
    public struct ImportedModels<Model: DynamicModel>: RandomAccessCollection {
        // Safety: an adapter of the type made the models, or found them as instances of what it made.
        @usableFromInline package let models: [DynamicModel]
        /// The changes of models that existed, by pointers from the document's root, where skipped elements
        /// count.
        public let changes: ModelChanges
        /// The new instances, also those to which no model leads.
        package let new: [DynamicModel]

        init(_ models: [DynamicModel], _ changes: ModelChanges, _ new: [DynamicModel]) {
            self.models = models
            self.changes = changes
            self.new = new
        }

        /// The first valid position: 0.
        @inlinable public var startIndex: Int { 0 }
        /// The number of models that were imported: those in the document's root, without elements that were left out.
        @inlinable public var endIndex: Int { models.count }
        /// The model at a position below `count`.
        @inlinable public subscript(position: Int) -> Model { models[position].known(as: Model.self) }
    }
}
