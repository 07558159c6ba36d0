import PalliumCore
import PalliumJSON

/// Merges models into models as one transaction.
///
/// ```
///   pairs (target, source)            writes, at once             at the end
///   ┌───────────┐  merged in place   ┌───────────────────┐   validators, rules and hooks;
///   │ root pair │ ─▶ nested pairs ─▶ │ target, slot      │ ─▶ whatever is refused, before or now,
///   └───────────┘                    └───────────────────┘   restores every modified model
/// ```
/// Pairs wait in a queue: depth costs no stack, and cycles end at pairs that were visited.
///
/// Safety: tables and descriptions live as long as the models, which the pairs hold, and slots with a value hold what their
/// kinds say.
struct ModelMerge {
    /// How the sources are to be understood.
    struct Options {
        /// Whether the sources were made from a partial document. Missing required properties are then an error only if a
        /// source model becomes part of the target, and the decoding hooks of changed models run.
        var isPartial = false
        /// Whether each source is the whole state of a row: see `mergeState(of:)`.
        var isState = false
        /// The path by which the caller knows a property, for errors.
        var path: (ModelLayout, Int) -> [String] = { [$0.properties[$1].key] }

        init() {}
    }

    struct Pair {
        let target: DynamicModel
        let source: DynamicModel
        let path: ChangePaths.Path
        /// Whether edits since the base are told from values that were there before.
        var isRebase = false
        /// The model that holds the state before the edits, if there is one.
        var base: DynamicModel?
    }

    let options: Options
    let paths = ChangePaths()
    var transaction = MergeTransaction()
    private(set) var pairs: [Pair] = []
    /// The pair when only one property is merged. Weak references to its source are still redirected to its target.
    private(set) var pairOfProperty: Pair?
    private var next = 0
    /// The sources that were visited.
    private var visited = AddressTable()
    /// The first pairs, once a source was visited again: documents, which are trees, never need them.
    private var visitedPairs: Set<ModelPair> = []
    private var visitedPairCount = 0
    /// Whether a pair is a rebase.
    private(set) var holdsRebases = false
    /// The pairs whose source has members that no property maps.
    var pairsWithMembers: [Pair] = []
    /// The target as it was before the present pair, once the pair changed it. Only kept for schemas with rules that read
    /// other properties.
    var before: DynamicModel?
    var kept: [ModelChange] = []
    /// Sources that become part of a target as they are, outer ones first, with their paths.
    var attached: [(model: DynamicModel, path: Int)] = []
    /// The sources of an import, in which each model with an identity exists once.
    var unification: Unification?
    /// The collections that later occurrences of their model can extend.
    var extensible: [ObjectIdentifier: ExtensibleCollection] = [:]
    /// The lists that were merged element by element, once some may occur again.
    var repeated: [ObjectIdentifier: RepeatedElements] = [:]
    /// The weak references of sources, in order, until it is known which models they lead to.
    var weakReferences: [WeakReference] = []
    /// The elements that were matched and have no pairs, because they are unchanged.
    var unchangedElements: [(source: MatchedElements, target: SlotList)] = []

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
        enqueue(source, into: target, path: .at(ChangePaths.root), isRebase: base != nil, base: base)
        return try finish()
    }

    /// Merges one property. Without a source, only a merger has something to decide.
    mutating func merge(
        _ slot: Int, from source: DynamicModel?, into target: DynamicModel
    ) throws(ModelError) -> ModelChanges {
        let pair = Pair(target: target, source: source ?? target, path: .at(ChangePaths.root))
        paths.keepLayouts(of: target)
        guard let source else {
            guard case .merger(let merger) = target.layout.mergeRules[slot] else { return ModelChanges() }
            do throws(ModelError) {
                let result = try merged(by: merger, target.slot(at: slot), nil, of: pair, base: nil)
                try write(result.slot, at: slot, of: pair, ModelDifference.Note(decision: .combined))
            } catch {
                transaction.rollBack()
                throw located(error, at: slot, of: pair)
            }
            return try finish()
        }
        try target.requireRelated(source)
        paths.keepLayouts(of: source)
        let key = target.layout.properties[slot].key
        guard let other = source.layout.index(of: key) else { throw source.layout.unknownKeyError(key) }
        // What was not given changes nothing.
        if source.slot(at: other).slotState.isAbsent || source === target { return ModelChanges() }
        pairOfProperty = pair
        do throws(ModelError) { try mergeSlot(slot, of: pair, source.slot(at: other)) } catch {
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
            enqueue(source, into: target, path: .at(path), isRebase: base != nil, base: base)
        }
        return try finish()
    }

    /// Merges what waits, runs validators, rules and hooks, and reports what changed.
    ///
    /// - Throws: ``ModelError`` with everything that was refused. All models are then as they were.
    mutating func finish() throws(ModelError) -> ModelChanges {
        do throws(ModelError) {
            while next < pairs.count {
                next += 1
                let pair = pairs[next - 1]
                if options.isState { try mergeState(of: pair) } else { try mergeSlots(of: pair) }
            }
            try mergeWeakReferences()
            try attachAll()
            if !attached.isEmpty { transaction.openRecord() }
            try check()
        } catch {
            transaction.rollBack()
            throw error
        }
        for pair in pairsWithMembers { pair.target.takePreservedMembers(of: pair.source) }
        trackUnified()
        let changes = ModelChanges(transaction.changes(paths), kept: kept)
        transaction.commit()
        return changes
    }

    /// Runs the validators of changed properties, the rules of changed models and, for what came from outside, the hooks;
    /// inner models first.
    ///
    /// - Throws: ``ModelError`` with all problems.
    private func check() throws(ModelError) {
        var problems: [ModelError] = []
        for (model, path) in attached.reversed() {
            let found = model.problemsOfNewModel { options.path(model.layout, $0) }
            problems += found.map { located($0, at: path) }
        }
        for entry in transaction.modified.reversed() where entry.isReported {
            let (model, layout) = (entry.model, entry.model.layout)
            do throws(ModelError) {
                for slot in layout.validatedSlots where entry.notes[slot] != nil {
                    do throws(ModelError) { try model.checkProperty(at: slot) } catch {
                        throw error.at(options.path(layout, slot), of: layout.properties[slot].schema)
                    }
                }
                try model.runModelRules { options.path(layout, $0) }
                if options.isPartial { try model.runDecodingHooks() }
            } catch {
                // Of several each has its path.
                problems += located(error, at: entry.path).problems
            }
        }
        if !problems.isEmpty { throw ModelError(problems) }
    }

    /// Queues a pair, once.
    mutating func enqueue(
        _ source: DynamicModel, into target: DynamicModel, path: ChangePaths.Path,
        isRebase: Bool = false, base: DynamicModel? = nil
    ) {
        if source === target { return }
        // The first pair is entered with the second: most merges have one.
        if pairs.count == 1 { _ = visited.insert(0, for: pairs[0].source) }
        if !pairs.isEmpty, visited.insert(pairs.count, for: source) != nil {
            while visitedPairCount < pairs.count {
                visitedPairs.insert(ModelPair(pairs[visitedPairCount].target, pairs[visitedPairCount].source))
                visitedPairCount += 1
            }
            if visitedPairs.contains(ModelPair(target, source)) { return }
        }
        if isRebase { holdsRebases = true }
        paths.keepLayouts(of: target)
        paths.keepLayouts(of: source)
        pairs.append(Pair(target: target, source: source, path: path, isRebase: isRebase, base: base))
    }

    /// Makes room for so many more pairs.
    mutating func reserve(_ count: Int) {
        // Asked for little by little, room would be made again and again.
        if count > pairs.count { pairs.reserveCapacity(pairs.count + count) }
        visited.reserve(count)
    }

    /// Whether pairs wait behind the present one.
    var hasPendingPairs: Bool { next < pairs.count }

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

extension DynamicModel {
    /// Takes over members that no property maps.
    fileprivate final func takePreservedMembers(of source: DynamicModel) {
        guard let members = source.preservedMembers, !members.isEmpty else { return }
        WriteTransaction.current?.add(self)
        var own = preservedMembers ?? JSONObject()
        for (name, value) in members { own.updateValue(value, forKey: name) }
        preservedMembers = own
    }
}
