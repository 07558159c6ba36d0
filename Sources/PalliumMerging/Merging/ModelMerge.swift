import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Merges models into models as one transaction.
///
/// ```
///   pairs (target, source)            writes, at once             at the end
///   ┌───────────┐  merged in place   ┌───────────────────┐   validators and rules, then hooks;
///   │ root pair │ ─▶ nested pairs ─▶ │ target, slot      │ ─▶ whatever is refused, before or now,
///   └───────────┘                    └───────────────────┘   restores every modified model
/// ```
/// Pairs wait in a queue: depth costs no stack, and cycles end at pairs that were visited.
///
/// Safety: tables and descriptions live as long as the models, which the pairs hold, and slots with a value hold what their
/// kinds say.
struct ModelMerge {
    /// The meaning of a source.
    enum SourceKind {
        /// It says something about some properties. If both sides changed one, its policy decides.
        case values
        /// It is the whole state of a row: what is unset there becomes unset. If both sides changed a property, its policy
        /// decides.
        case row
        /// It is a later state of the model's document, and the base is the former one: what differs there is taken.
        case document
    }

    /// How the sources are to be understood.
    struct Options {
        /// Whether the sources were made from a partial document. Missing required properties are then an error only if a
        /// source model becomes part of the target, and the decoding hooks of new and changed models run.
        var isPartial = false
        var sourceKind = SourceKind.values
        /// Whether the document was read in part.
        var isProjected = false
        /// The partial models whose objects say their class, by address.
        var specified: Set<ObjectIdentifier> = []
        /// The elements that the document has, but that could not be decoded.
        var skippedElements: [ObjectIdentifier: SkippedElements] = [:]
        /// The path by which the caller knows a property, for errors.
        var path: (ModelLayout, Int) -> [String] = { [$0.properties[$1].key] }

        init() {}
    }

    struct Pair {
        let target: DynamicModel
        let source: DynamicModel
        let path: GraphPaths.Path
        /// Whether edits since the base are told from values that were there before.
        var isRebase = false
        /// The model that holds the state before the edits, if there is one.
        var base: DynamicModel?
    }

    let options: Options
    let paths = GraphPaths()
    var transaction = MergeTransaction()
    var queue = PairQueue()
    /// The target as it was before the present pair, once the pair changed it. Only kept for schemas with rules that read
    /// other properties.
    var before: DynamicModel?
    var kept: [ModelChange] = []
    /// Sources that become part of a target as they are.
    var attached: [AttachedModel] = []
    /// The sources of an import, in which each model with an identity exists once.
    var unification: Unification?
    /// The collections that later occurrences of their model can extend.
    var collections = GrowingCollections()
    var references = WeakReferences()

    init(_ options: Options = Options()) { self.options = options }

    // MARK: Merging

    /// Merges a model into another, and everything below that is merged in place.
    ///
    /// - Parameter base: In a rebase, the state before the edits that are to survive.
    /// - Throws: ``ModelError`` with the pointer of what is refused, and when the schemas have no common ancestor. All
    ///   models are then as they were.
    mutating func merge(
        _ source: DynamicModel, into target: DynamicModel, base: DynamicModel? = nil
    ) throws(ModelError) -> ModelChanges {
        try target.requireRelated(source)
        enqueue(Pair(target: target, source: source, path: .at(GraphPaths.root), isRebase: base != nil, base: base))
        return try finish()
    }

    /// Merges one property. Without a source, only a merger has something to decide.
    mutating func merge(
        _ slot: Int, from source: DynamicModel?, into target: DynamicModel
    ) throws(ModelError) -> ModelChanges {
        let pair = Pair(target: target, source: source ?? target, path: .at(GraphPaths.root))
        paths.keepLayouts(of: target)
        var given: PropertySlot?
        if let source {
            try target.requireRelated(source)
            paths.keepLayouts(of: source)
            let key = target.layout.properties[slot].key
            guard let other = source.layout.index(of: key) else { throw source.layout.unknownKeyError(key) }
            given = source.slot(at: other)
            // What was not given changes nothing.
            if given?.slotState.isAbsent ?? true || source === target { return ModelChanges() }
            references.pairOfProperty = pair
        }
        do throws(ModelError) {
            if let given {
                try mergeSlot(slot, of: pair, given)
            } else if case .merger(let merger) = target.layout.mergeRules[slot] {
                let result = try merged(by: merger, target.slot(at: slot), nil, at: slot, of: pair, base: nil)
                try write(result.slot, at: slot, of: pair, ModelDifference.Note(decision: .combined))
            }
        } catch {
            transaction.rollBack()
            throw located(error, at: slot, of: pair)
        }
        return try finish()
    }

    /// Merges the models of a document into their instances.
    ///
    /// - Throws: ``ModelError`` with everything that was refused. All models are then as they were.
    mutating func merge(_ unification: Unification) throws(ModelError) -> ModelChanges {
        self.unification = unification
        for (source, target, path) in unification.occurrences {
            let base = target.trackedBase
            enqueue(Pair(target: target, source: source, path: .at(path), isRebase: base != nil, base: base))
        }
        return try finish()
    }

    /// Merges what waits, runs validators, rules and hooks, and reports what changed.
    private mutating func finish() throws(ModelError) -> ModelChanges {
        do throws(ModelError) {
            while let pair = queue.removeFirst() { try mergeSlots(of: pair) }
            try mergeWeakReferences()
            collections.closeGaps()
            try attachAll()
            if !attached.isEmpty { transaction.openRecord() }
            try check()
        } catch {
            transaction.rollBack()
            throw error
        }
        trackUnified()
        let changes = ModelChanges(transaction.changes(paths), kept: kept)
        transaction.commit()
        return changes
    }

    /// Queues a pair, once.
    mutating func enqueue(_ pair: Pair) {
        if pair.source === pair.target { return }
        paths.keepLayouts(of: pair.target)
        paths.keepLayouts(of: pair.source)
        queue.append(pair)
    }

    // MARK: Paths

    /// An error about a property. One that comes from inside a collection has the rest of the path already.
    func located(_ error: ModelError, at slot: Int, of pair: Pair) -> ModelError {
        let layout = pair.target.layout
        let property = layout.properties[slot]
        return located(error.at(options.path(layout, slot), of: property.schema), at: paths.number(of: pair.path))
            .inSchema(layout.schema.name, property: property.key)
    }

    /// An error about what is at a path. Nothing is told below a property with a label.
    func located(_ error: ModelError, at path: Int) -> ModelError {
        let (tokens, shownCount) = paths.sourceTokens(to: path, path: options.path)
        let located = error.at(tokens)
        return shownCount.map { count in located.maskingEach { _ in count } } ?? located
    }

    /// The path to a property.
    func path(to slot: Int, of pair: Pair) -> Int {
        paths.append(property: slot, of: pair.target.layout, to: paths.number(of: pair.path))
    }
}
