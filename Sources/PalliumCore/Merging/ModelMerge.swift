/// Merges models into models: plans everything first, then applies it or nothing.
///
/// ```
///   pairs (own model, incoming model)       planned steps              applied
///   ┌───────────┐  policy in place   ┌────────────────────┐   shadows of what is touched,
///   │ root pair │ ─▶ nested pairs ─▶ │ model, slot, value │ ─▶ steps, validators and hooks;
///   └───────────┘                    └────────────────────┘   a refusal puts the shadows back
/// ```
/// Planning reads and changes nothing, so whatever is wrong with the incoming side, or with a graph that contains itself,
/// is found before a model is touched. Pairs wait in a list: depth costs no stack, cycles end at pairs that were met.
///
/// Safety: tables and descriptions live as long as the models, which the pairs hold, and slots with a value hold what their
/// kinds say.
package struct ModelMerge {
    /// How the incoming models are to be understood.
    package struct Options {
        /// Edits since the base are told from values that were there before.
        package var isRebase = false
        /// The incoming models were made from a part of a document: what they lack is asked for only where such a model
        /// becomes one of its own. Hooks for models from outside run.
        package var isPartial = false
        /// The path by which the caller knows a property, for errors.
        package var path: (ModelLayout, Int) -> [String] = { [$0.properties[$1].key] }

        package init() {}
    }

    struct Pair {
        let own: DynamicModel
        let incoming: DynamicModel
        let place: ChangePaths.Place
        /// Whether edits since the base are told from values that were there before.
        var isRebase = false
        /// What holds the state before the edits, if anything does.
        var base: DynamicModel?
    }

    /// A slot that gets other content.
    struct Step {
        let model: DynamicModel
        let slot: Int
        fileprivate(set) var content: TemporarySlot
        let note: ModelDifference.Note
    }

    /// A model with steps.
    struct Touched {
        let model: DynamicModel
        let place: Int
        /// Whether it is the base of a tracked model or was made by the merge itself: its changes concern nobody.
        let isBase: Bool
        private(set) var steps: [Int] = []
        /// Whether the steps are in the order of the slots.
        private(set) var isInOrder = true
        private var lastSlot = -1
        /// The slots as they were, once the steps were applied.
        var shadow: DynamicModel?

        init(model: DynamicModel, place: Int, isBase: Bool) {
            self.model = model
            self.place = place
            self.isBase = isBase
        }

        /// Adds a step. Of the former ones for its slot only the last stays, which says what the slot held before the
        /// present pair: however often a model is merged, there are never more than two for each slot.
        ///
        /// - Returns: The step that went.
        mutating func add(_ step: Int, slot: Int, among all: [Step]) -> Int? {
            var superseded: Int?
            if slot <= lastSlot || !isInOrder {
                let former = steps.indices.filter { all[steps[$0]].slot == slot }
                if former.count > 1 { superseded = steps.remove(at: former[0]) }
            }
            if slot <= lastSlot { isInOrder = false }
            lastSlot = slot
            if steps.isEmpty { steps.reserveCapacity(4) }
            steps.append(step)
            return superseded
        }
    }

    let options: Options
    let paths = ChangePaths()
    private(set) var pairs: [Pair] = []
    /// The models of which one property alone is merged; links lead from the one to the other all the same.
    private(set) var pairOfProperty: Pair?
    private var next = 0
    /// The incoming models that were met.
    private var met = AddressTable()
    /// The first pairs, once an incoming model was met again: documents, which are trees, never need them.
    private var seen: Set<ModelPair> = []
    private var seenCount = 0
    /// Whether a pair is a rebase.
    private(set) var holdsRebases = false
    /// The pairs of which the incoming side has members that no property maps.
    private(set) var pairsWithMembers: [Pair] = []
    /// The number of steps when the present pair began: what the property that decides about others held before.
    var firstStepOfPair = 0
    var steps: [Step] = []
    var touched: [Touched] = []
    private var touchedNumbers = AddressTable()
    var kept: [ModelChange] = []
    /// Incoming models that become models of their own, outer ones first, with their places.
    var adopted: [(model: DynamicModel, place: Int)] = []
    /// What is known about incoming models of which each with an identity is to exist once; nil in other merges.
    var unification: Unification?
    /// The collections to which mentions add, by themselves.
    var combined: [ObjectIdentifier: Combined] = [:]
    /// The lists that were merged element by element, by themselves, once some may be mentioned again.
    var mentioned: [ObjectIdentifier: MentionedElements] = [:]
    /// What came about weak links, in its order, until it is known which incoming models were merged into own ones.
    var links: [Link] = []
    /// The own models of those.
    var linked = AddressTable()
    /// The elements that were matched by their identifiers and have no pairs, because they say nothing new.
    var settledElements: [(came: MatchedElements, own: SlotList)] = []

    package init(_ options: Options = Options()) { self.options = options }

    // MARK: Planning

    /// Plans the merge of a model into another, and of everything that is merged in place below.
    ///
    /// - Throws: ``ModelError`` with the pointer of what cannot be merged, and when the schemas have no common ancestor.
    package mutating func plan(_ incoming: DynamicModel, into own: DynamicModel) throws(ModelError) {
        try own.requireRelated(incoming)
        enqueue(
            incoming, into: own, place: .at(ChangePaths.root),
            isRebase: options.isRebase, base: options.isRebase ? own.trackedBase : nil)
        try planPairs()
    }

    mutating func planPairs() throws(ModelError) {
        while next < pairs.count {
            next += 1
            try planSlots(of: pairs[next - 1])
        }
        try planLinks()
        try completeAdopted()
    }

    /// Plans the merge of one property; without an incoming model, only a merger of the program has something to say.
    mutating func plan(_ slot: Int, from incoming: DynamicModel?, into own: DynamicModel) throws(ModelError) {
        let pair = Pair(
            own: own, incoming: incoming ?? own, place: .at(ChangePaths.root))
        paths.keepLayouts(of: own)
        if let incoming { paths.keepLayouts(of: incoming) }
        guard let incoming else {
            guard case .merger(let merger) = own.layout.mergeRules[slot] else { return }
            do throws(ModelError) {
                let result = try merged(by: merger, own.slot(at: slot), nil, of: pair, base: nil)
                return try add(result, at: slot, of: pair, ModelDifference.Note(decision: .combined))
            } catch { throw located(error, at: slot, of: pair) }
        }
        try own.requireRelated(incoming)
        let key = own.layout.properties[slot].key
        guard let other = incoming.layout.index(of: key) else { throw incoming.layout.unknownKeyError(key) }
        let source = incoming.slot(at: other)
        // What was not given changes nothing.
        if source.slotState.isUnset || source.slotState.isDefaulted || incoming === own { return }
        pairOfProperty = pair
        do throws(ModelError) { try planSlot(slot, of: pair, source) } catch {
            throw located(error, at: slot, of: pair)
        }
        try planPairs()
    }

    /// Notes a pair for planning, once.
    mutating func enqueue(
        _ incoming: DynamicModel, into own: DynamicModel, place: ChangePaths.Place,
        isRebase: Bool = false, base: DynamicModel? = nil
    ) {
        if incoming === own { return }
        // The first pair is entered with the second: most merges have one.
        if pairs.count == 1 { _ = met.insert(0, for: pairs[0].incoming) }
        if !pairs.isEmpty, met.insert(pairs.count, for: incoming) != nil {
            while seenCount < pairs.count {
                seen.insert(ModelPair(pairs[seenCount].own, pairs[seenCount].incoming))
                seenCount += 1
            }
            if seen.contains(ModelPair(own, incoming)) { return }
        }
        if isRebase { holdsRebases = true }
        paths.keepLayouts(of: own)
        paths.keepLayouts(of: incoming)
        pairs.append(Pair(own: own, incoming: incoming, place: place, isRebase: isRebase, base: base))
    }

    /// Makes room for so many more pairs.
    mutating func reserve(_ count: Int) {
        // Asked for little by little, room would be made again and again.
        if count > pairs.count { pairs.reserveCapacity(pairs.count + count) }
        met.reserve(count)
    }

    /// Whether pairs wait behind the present one.
    var hasPendingPairs: Bool { next < pairs.count }

    /// Whether the slots of a model are plainly those of an own one that has no steps, so that their pair plans nothing.
    func saysNothingNew(_ incoming: DynamicModel, about own: DynamicModel) -> Bool {
        let table = unsafe own.table
        guard unsafe table == incoming.table, !own.layout.hasMergePolicies, incoming.preservedMembers == nil,
            unification == nil, touched.isEmpty || touchedNumbers[own] == nil, linked[own] == nil
        else { return false }
        let (ownSlots, incomingSlots) = unsafe (own.slots, incoming.slots)
        let (ownStates, states) = unsafe (own.stateBytes, incoming.stateBytes)
        for index in unsafe 0..<table.pointee.slotCount {
            let state = unsafe SlotState(rawValue: states[index])
            if state.isUnset || state.isDefaulted { continue }
            guard unsafe ownStates[index] == state.rawValue,
                unsafe Self.isPlainlySettled(
                    ownSlots + index &* 16, incomingSlots + index &* 16, state, table.pointee.kinds[index])
            else { return false }
        }
        return true
    }

    private mutating func planSlots(of pair: Pair) throws(ModelError) {
        let table = unsafe pair.own.table
        let isSame = unsafe table == pair.incoming.table
        let states = unsafe pair.incoming.stateBytes
        let ownStates = unsafe pair.own.stateBytes
        let layout = pair.own.layout
        firstStepOfPair = steps.count
        if pair.incoming.preservedMembers != nil { pairsWithMembers.append(pair) }
        // A model with steps or links, from an earlier pair, holds what those say.
        let isPlain = isSame && !pair.isRebase && touchedNumbers[pair.own] == nil && linked[pair.own] == nil
        let takesScalars = !layout.hasMergePolicies
        let (ownSlots, incomingSlots) = unsafe (pair.own.slots, pair.incoming.slots)
        let isUnification = unification != nil
        let kinds = unsafe pair.own.table.pointee.kinds
        for index in unsafe 0..<table.pointee.slotCount {
            var other = index
            if !isSame {
                guard let found = pair.incoming.layout.index(of: layout.properties[index].key) else { continue }
                other = found
            }
            let state = unsafe SlotState(rawValue: states[other])
            // What was not given changes nothing.
            if state.isUnset || state.isDefaulted { continue }
            if isPlain, unsafe ownStates[index] == state.rawValue {
                let (own, incoming) = unsafe (ownSlots + index &* 16, incomingSlots + index &* 16)
                // The same reference, or equal bytes, of a property without a policy: what most slots hold.
                if takesScalars, !isUnification, unsafe Self.isPlainlySettled(own, incoming, state, kinds[index]) {
                    continue
                }
                if isSettled(pair, index, state) { continue }
            }
            let source = pair.incoming.slot(at: other)
            do throws(ModelError) {
                if isPlain, takesScalars, state.hasValue, unsafe !kinds[index].mayHoldModels,
                    unsafe kinds[index] != .weakModel
                {
                    let content = TemporarySlot(copying: source)
                    try add(content, at: index, of: pair, ModelDifference.Note(decision: .taken))
                } else {
                    try planSlot(index, of: pair, source)
                }
            } catch {
                throw located(error, at: index, of: pair)
            }
        }
    }

    /// Whether both slots of one state and kind, of a property without a policy, hold what need not be looked at closely.
    @inline(__always)
    private static func isPlainlySettled(
        _ own: UnsafeRawPointer, _ incoming: UnsafeRawPointer, _ state: SlotState, _ kind: SlotKind
    ) -> Bool {
        if !state.hasValue { return true }
        if kind == .weakModel { return false }
        if kind.mayHoldModels {
            return unsafe own.load(as: UnsafeRawPointer.self) == incoming.load(as: UnsafeRawPointer.self)
        }
        return unsafe SlotOperations.equalScalars(own, state, incoming, state, kind: kind)
    }

    /// Whether both slots of one state hold equal content for which the policy does nothing.
    @inline(__always)
    private func isSettled(_ pair: Pair, _ index: Int, _ state: SlotState) -> Bool {
        let kind = unsafe pair.own.table.pointee.kinds[index]
        let layout = pair.own.layout
        if !state.hasValue || kind.mayHoldModels {
            if layout.hasMergePolicies, !layout.mergeRules[index].isReplacing { return false }
            if !state.hasValue { return true }
            let (own, incoming) = (pair.own.slot(at: index), pair.incoming.slot(at: index))
            return unification?.leadsToSameInstances(own, incoming) ?? true
                && ModelComparison.equal(own, incoming, including: .given)
        }
        if kind == .weakModel { return false }
        if layout.hasMergePolicies, case .merger = layout.mergeRules[index] { return false }
        return unsafe SlotOperations.equalScalars(
            pair.own.slots + index &* 16, state, pair.incoming.slots + index &* 16, state, kind: kind)
    }

    /// An error about a property; one that comes from inside a collection has the rest of the path already.
    func located(_ error: ModelError, at slot: Int, of pair: Pair) -> ModelError {
        let layout = pair.own.layout
        return error.at(path(to: slot, of: pair)).inSchema(layout.schema.name, property: layout.properties[slot].key)
    }

    /// The tokens to a property of the incoming side.
    func path(to slot: Int, of pair: Pair) -> [String] {
        origin(of: paths.number(of: pair.place)) + options.path(pair.own.layout, slot)
    }

    /// The tokens to a place of the incoming side.
    func origin(of place: Int) -> [String] { paths.incomingTokens(to: place, path: options.path) }

    /// The place of a property.
    func place(of slot: Int, of pair: Pair) -> Int {
        paths.append(property: slot, of: pair.own.layout, to: paths.number(of: pair.place))
    }

    /// A model as it was before the present pair, for a merger of the program.
    func view(of model: DynamicModel) -> ReadOnlyModel {
        var planned: [Int: TemporarySlot] = [:]
        if let number = touchedNumbers[model] {
            for step in touched[number].steps where step < firstStepOfPair {
                planned[steps[step].slot] = steps[step].content
            }
        }
        return ReadOnlyModel(model, planned: planned)
    }

    /// What a slot of an own model holds after the steps so far: a model that stands in two places is merged twice.
    func ownSlot(_ index: Int, of model: DynamicModel, before end: Int = .max) -> PropertySlot {
        if let number = touchedNumbers[model],
            let step = touched[number].steps.last(where: { $0 < end && steps[$0].slot == index })
        {
            return steps[step].content.slot
        }
        return model.slot(at: index)
    }

    // MARK: Steps

    /// Plans that a slot gets other content.
    mutating func add(
        _ content: TemporarySlot, at slot: Int, of pair: Pair, _ note: ModelDifference.Note
    ) throws(ModelError) {
        let layout = pair.own.layout
        if pair.own.isUnique, layout.identitySlots.contains(slot),
            ModelDifference.differ(pair.own.slot(at: slot), content.slot, leftSide: .present)
        {
            throw ModelError(
                .invalidValue, layout.properties[slot].descriptor,
                expected:
                    "the identity of a model in an identity map to stay \(ModelDescription.line(pair.own.slot(at: slot)))",
                found: ModelDescription.line(content.slot))
        }
        addStep(
            Step(model: pair.own, slot: slot, content: content, note: note), of: pair,
            isBase: unification?.isNew(pair.own) ?? false)
    }

    mutating func addStep(_ step: Step, of pair: Pair, isBase: Bool) {
        let number: Int
        if let last = touched.last, last.model === step.model {
            number = touched.count - 1
        } else if let known = touchedNumbers.insert(touched.count, for: step.model) {
            number = known
        } else {
            number = touched.count
            touched.append(
                Touched(
                    model: step.model, place: paths.number(of: pair.place),
                    isBase: isBase))
        }
        if let superseded = touched[number].add(steps.count, slot: step.slot, among: steps) {
            // What nobody asks for any more need not stay in memory.
            steps[superseded].content = step.content
        }
        if steps.isEmpty { steps.reserveCapacity(4) }
        steps.append(step)
    }
}
