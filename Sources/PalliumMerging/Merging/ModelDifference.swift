public import PalliumCore
import PalliumJSON

/// Finds what differs between two graphs of models, at the innermost properties.
///
/// Two models are compared property by property if one could be the later state of the other: same class and schema, same
/// identity. Otherwise one has replaced the other. Pairs wait in a list, so depth costs no stack. A pair that was visited
/// is not compared again, so cycles end.
///
/// Safety: models are compared slot by slot only where both have the same table, which lives as long as they do;
/// slots with a value hold what their kinds say.
struct ModelDifference {
    /// How the models on the left are compared.
    enum LeftSide {
        /// As they are. The same object on both sides differs in nothing.
        case present
        /// As they were when their changes began to be tracked.
        case base
        /// As they were, but what is the same object on both sides differs in nothing.
        case baseOfOthers
        /// As they were, but the same instance of an identity map differs in nothing.
        case baseOfValues

        /// Whether a model that both sides hold may differ from what it was.
        fileprivate func sees(_ model: DynamicModel) -> Bool {
            switch self {
            case .present, .baseOfOthers: false
            case .base: true
            case .baseOfValues: !model.isUnique
            }
        }

        /// Whether the same list on both sides may differ from what it was.
        fileprivate var seesLists: Bool { self == .base || self == .baseOfValues }
    }

    /// A difference whose path is not known yet.
    struct Note {
        var decision: ModelChange.Decision?
        var isConflict = false
    }

    /// One step of a path.
    enum Step {
        case property(Int, ModelLayout)
        case key(String)
        case element(Int)
    }

    private struct Pair {
        let left: DynamicModel
        let right: DynamicModel
        let path: Int
        let note: Note
    }

    let paths: GraphPaths
    private(set) var changes: [ModelChange] = []
    private let leftSide: LeftSide
    /// Whether the first difference is enough to know.
    private let stopsAtFirst: Bool
    private var pending: [Pair] = []
    private var visited: Set<ModelPair> = []

    init(paths: GraphPaths = GraphPaths(), leftSide: LeftSide = .present, stopsAtFirst: Bool = false) {
        self.paths = paths
        self.leftSide = leftSide
        self.stopsAtFirst = stopsAtFirst
    }

    /// Whether two slots of one description differ.
    static func differ(_ left: PropertySlot, _ right: PropertySlot, leftSide: LeftSide) -> Bool {
        if leftSide == .present || !left.description.kind.mayHoldModels { return !ModelComparison.equal(left, right) }
        var difference = ModelDifference(leftSide: leftSide, stopsAtFirst: true)
        difference.compare(left, right, key: "", path: GraphPaths.root, step: .key(""), note: Note())
        difference.finish()
        return !difference.changes.isEmpty
    }

    /// Compares two models, from the root on.
    mutating func compare(_ left: DynamicModel, _ right: DynamicModel) {
        pending.append(Pair(left: left, right: right, path: GraphPaths.root, note: Note()))
        finish()
    }

    /// Compares what was put off.
    mutating func finish() {
        var next = 0
        while next < pending.count, !(stopsAtFirst && !changes.isEmpty) {
            let pair = pending[next]
            next += 1
            compareSlots(pair)
            // What was worked off is dropped now and then, so that a long chain does not stay in memory.
            if next >= 1024, next * 2 >= pending.count {
                pending.removeFirst(next)
                next = 0
            }
        }
        pending.removeAll()
    }

    private mutating func compareSlots(_ pair: Pair) {
        let left = pair.left
        let right = pair.right
        paths.keepLayouts(of: left)
        paths.keepLayouts(of: right)
        let isSame = left.layoutIdentifier == right.layoutIdentifier
        for index in left.comparedSlotIndices {
            let key = left.layout.properties[index].key
            guard let other = isSame ? index : right.layout.index(of: key) else { continue }
            compare(
                left.slot(at: index), right.slot(at: other), key: key, path: pair.path,
                step: .property(index, left.layout),
                note: pair.note)
        }
    }

    /// Compares two slots that stand one step behind a path.
    mutating func compare(
        _ left: PropertySlot, _ right: PropertySlot, key: String, path: Int, step: Step, note: Note
    ) {
        guard left.hasValue, right.hasValue else {
            if left.hasValue || right.hasValue { add(left, right, key: key, path: path, step: step, note: note) }
            return
        }
        let kind = left.description.kind
        guard left.description.storesLike(right.description) else {
            return add(left, right, key: key, path: path, step: step, note: note)
        }
        switch kind {
        case .model:
            let leftModel = left.model
            let rightModel = right.model
            if leftModel === rightModel, !leftSide.sees(leftModel) { return }
            let before = before(leftModel)
            guard Self.areStates(before, rightModel) else {
                return add(left, right, key: key, path: path, step: step, note: note)
            }
            put(off: before, rightModel, path: path, step: step, note: note)
            return
        case .array, .set:
            guard left.description.element?.kind.mayHoldModels == true else { break }
            compareLists(left, right, key: key, path: path, step: step, note: note)
            return
        case .dictionary:
            let leftList = left.dictionary
            let rightList = right.dictionary
            if leftList === rightList, !leftSide.seesLists { return }
            compareDictionaries(leftList, rightList, key: key, path: paths.append(step, to: path), note: note)
            return
        default: break
        }
        // Both slots have a value.
        let isEqual =
            kind == .weakModel || kind.mayHoldModels
            ? ModelComparison.equal(left, right)
            : left.holdsEqualScalar(as: right)
        if !isEqual { add(left, right, key: key, path: path, step: step, note: note) }
    }

    /// The state of a model on the left that counts.
    private func before(_ model: DynamicModel) -> DynamicModel {
        leftSide == .present ? model : model.trackedBase ?? model
    }

    /// Whether the right model may be a later state of the left one.
    static func areStates(_ left: DynamicModel, _ right: DynamicModel) -> Bool {
        guard left.layoutIdentifier == right.layoutIdentifier || left.layout.isEqual(to: right.layout) else {
            return false
        }
        return left.modelIdentifier == right.modelIdentifier
    }

    private mutating func put(off left: DynamicModel, _ right: DynamicModel, path: Int, step: Step, note: Note) {
        guard left !== right, visited.insert(ModelPair(left, right)).inserted else { return }
        pending.append(Pair(left: left, right: right, path: paths.append(step, to: path), note: note))
    }

    /// Notes a difference.
    mutating func add(
        _ left: PropertySlot?, _ right: PropertySlot?, key: String, path: Int, step: Step, note: Note
    ) {
        if changes.isEmpty { changes.reserveCapacity(4) }
        changes.append(
            ModelChange(
                key: key, decision: note.decision, isConflict: note.isConflict, paths: paths,
                path: paths.append(step, to: path), old: left, new: right))
    }

    // MARK: Collections

    private mutating func compareLists(
        _ left: PropertySlot, _ right: PropertySlot, key: String, path: Int, step: Step, note: Note
    ) {
        let leftList = left.list
        let rightList = right.list
        if leftList === rightList, !leftSide.seesLists { return }
        let isSet = left.description.kind == .set
        if let matching = ListMatching(leftList, rightList, isOrdered: !isSet) {
            let path = paths.append(step, to: path)
            for (old, new) in matching.pairs {
                compare(
                    leftList.slot(at: old), rightList.slot(at: new), key: key, path: path, step: .element(new),
                    note: note
                )
            }
            for old in matching.removed {
                add(leftList.slot(at: old), nil, key: key, path: path, step: .element(old), note: note)
            }
            for new in matching.inserted {
                add(nil, rightList.slot(at: new), key: key, path: path, step: .element(new), note: note)
            }
            return
        }
        let isAligned =
            leftList.count == rightList.count
            && (0..<leftList.count).allSatisfy { areAligned(leftList.slot(at: $0), rightList.slot(at: $0), isSet) }
        if isAligned {
            let path = paths.append(step, to: path)
            for index in 0..<leftList.count {
                compare(
                    leftList.slot(at: index), rightList.slot(at: index), key: key, path: path, step: .element(index),
                    note: note)
            }
        } else {
            let former = leftSide == .present ? nil : TemporarySlot(holding: leftList.before, like: left)
            if !ModelComparison.equal(former?.slot ?? left, right) {
                add(left, right, key: key, path: path, step: step, note: note)
            }
        }
    }

    /// Whether an element may be a later state of the one at the same index. In a set an index means nothing, so that only
    /// the same object is.
    private func areAligned(_ left: PropertySlot, _ right: PropertySlot, _ isSet: Bool) -> Bool {
        guard left.hasValue, right.hasValue else { return left.hasValue == right.hasValue }
        guard left.description.kind == .model else { return !isSet }
        let leftModel = left.model
        let rightModel = right.model
        return leftModel === rightModel || !isSet && Self.areStates(leftModel, rightModel)
    }

    private mutating func compareDictionaries(
        _ left: SlotDictionary, _ right: SlotDictionary, key: String, path: Int, note: Note
    ) {
        let conflicts = paths.conflicts(in: right)
        func noted(_ key: String) -> Note {
            conflicts.contains(UTF8Key(key)) ? Note(decision: note.decision, isConflict: true) : note
        }
        for (index, name) in left.keys.enumerated() {
            guard let other = right.index(of: name) else {
                add(left.slot(at: index), nil, key: key, path: path, step: .key(name), note: noted(name))
                continue
            }
            compare(
                left.slot(at: index), right.slot(at: other), key: key, path: path, step: .key(name), note: noted(name)
            )
        }
        for (index, name) in right.keys.enumerated() where left.index(of: name) == nil {
            add(nil, right.slot(at: index), key: key, path: path, step: .key(name), note: noted(name))
        }
    }
}

/// Two models by their addresses.
struct ModelPair: Hashable {
    private let left: ObjectIdentifier
    private let right: ObjectIdentifier

    init(_ left: DynamicModel, _ right: DynamicModel) {
        self.left = ObjectIdentifier(left)
        self.right = ObjectIdentifier(right)
    }
}

extension DynamicModel {
    /// The changes that make this model equal to another; this model has the old values.
    ///
    /// Of models of different schemas, also of such that cannot be merged, the common keys are compared. The changes
    /// are empty exactly when two models of one schema are equal.
    ///
    /// - Complexity: O(*n*) in the size of the graphs, on a constant stack; cycles are fine.
    public final func difference(to other: DynamicModel) -> ModelChanges {
        var difference = ModelDifference()
        difference.compare(self, other)
        return ModelChanges(difference.changes)
    }
}

extension GraphPaths {
    /// The path to a property, member or element.
    func append(_ step: ModelDifference.Step, to parent: Int) -> Int {
        switch step {
        case .property(let slot, let layout): append(property: slot, of: layout, to: parent)
        case .key(let key): append(key, to: parent)
        case .element(let number): append(number, to: parent)
        }
    }
}
