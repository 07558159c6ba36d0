/// Compares models, and values that hold models, for equality.
///
/// Two models are equal when they have the same class and schema and their permanent slots are equal. Unset equals
/// null, and nested models are compared in the same way. Graphs may be deep, shared and cyclic: pairs wait in a list
/// instead of on the stack. A pair that was visited before is assumed equal, so two cycles of the same shape are equal.
///
/// The pairs hold uncounted references. The caller holds the two graphs, which hold every model in them, and nothing
/// changes a graph while it is compared.
package struct ModelComparison {
    private struct Pair: Hashable {
        let left: Unowned<DynamicModel>
        let right: Unowned<DynamicModel>
    }

    private var pending: [Pair] = []
    private var visited: Set<Pair> = []
    private lazy var trials = Trials()
    private let extent: Extent
    /// Whether instances of an identity map equal nothing but themselves.
    private let isStrict: Bool

    /// State that few comparisons need.
    private final class Trials {
        /// The pairs that trials added to `visited`. A trial that fails removes its pairs.
        var entered: [Pair] = []
        var hashing = ModelHashing.complete
    }

    private var compared = 0
    private var trialDepth = 0
    /// Whether trials would nest too deeply, so that the graphs must be compared as a whole. Then the count is negative.
    private var needsPartition: Bool { compared < 0 }
    private static let maximumTrialDepth = 4
    /// The number of pairs that are compared without remembering them. A larger graph might be a cycle.
    private static let unremembered = 256

    /// The content that is compared in addition: properties that are not permanent, and members that no property maps.
    /// Parent references are never compared.
    package enum Extent {
        case nothing, everything
        /// Only content that the right side has, null included.
        case right
    }

    private init(_ extent: Extent = .nothing, isStrict: Bool = false) {
        self.extent = extent
        self.isStrict = isStrict
    }

    /// Whether two models are equal.
    package static func equal(_ left: DynamicModel, _ right: DynamicModel) -> Bool {
        if left === right { return true }
        var comparison = ModelComparison()
        let isEqual =
            comparison.compareSlots(left.unowned, right.unowned)
            && comparison.finish()
        return isEqual || comparison.needsPartition && ModelPartition.equal(.model(left), .model(right))
    }

    /// Whether two slots of one descriptor hold equal content.
    package static func equal(_ left: PropertySlot, _ right: PropertySlot) -> Bool {
        equal(left, right, including: .nothing)
    }

    /// Whether two slots of one descriptor hold equal content, and their models are equal in additional content.
    ///
    /// - Parameter isStrict: Whether instances of an identity map equal nothing but themselves, and null is not unset.
    package static func equal(
        _ left: PropertySlot, _ right: PropertySlot, including extent: Extent, isStrict: Bool = false
    ) -> Bool {
        var comparison = ModelComparison(extent, isStrict: isStrict)
        let isEqual = comparison.compare(left, right, depth: 0) && comparison.finish()
        if isEqual || !comparison.needsPartition { return isEqual }
        guard let first = ModelPartition.Node(left), let second = ModelPartition.Node(right) else { return false }
        return ModelPartition.equal(first, second, including: extent, isStrict: isStrict)
    }

    private mutating func finish() -> Bool {
        while let pair = pending.popLast() {
            compared += 1
            if trialDepth > 0 || compared > Self.unremembered, !visited.insert(pair).inserted { continue }
            if trialDepth > 0 { trials.entered.append(pair) }
            guard compareSlots(pair.left, pair.right) else { return false }
        }
        return true
    }

    /// The number of levels compared on the stack. Deeper pairs wait in the list.
    private static let maximumDepth = 12

    /// Compares the permanent slots of two models. Nested models below the maximum depth are postponed.
    private mutating func compareSlots(
        _ left: Unowned<DynamicModel>, _ right: Unowned<DynamicModel>, depth: Int = 0
    ) -> Bool {
        guard left.with({ type(of: $0) }) == right.with({ type(of: $0) }) else { return false }
        let isEqual = left.with { $0.modelSlots }.comparePermanent(with: right.with { $0.modelSlots }) { pair in
            guard pair.leftState.hasValue else {
                return !pair.rightState.hasValue && !(isStrict && pair.leftState.isNull != pair.rightState.isNull)
            }
            guard pair.rightState.hasValue else { return false }
            return pair.kind.mayHoldModels ? compareReferences(pair.references, depth: depth) : pair.isEqualScalar
        }
        if !isEqual || extent == .nothing { return isEqual }
        return compareRest(left.object, right.object, depth: depth)
    }

    /// Compares the additional content that `compareSlots` leaves out.
    @inline(never)
    private mutating func compareRest(_ left: DynamicModel, _ right: DynamicModel, depth: Int) -> Bool {
        let slots = left.modelSlots
        var next = 0
        // Most schemas have only permanent properties.
        let end = slots.comparedCount < slots.count ? slots.count : 0
        for index in 0..<end {
            if next < slots.comparedCount, slots.comparedNumber(next) == index {
                next += 1
                continue
            }
            if slots.kind(of: index) == .weakModel { continue }
            let other = right.slot(at: index)
            if extent == .right, other.slotState.isUnset { continue }
            let slot = left.slot(at: index)
            if isStrict, slot.slotState.isNull != other.slotState.isNull { return false }
            guard compare(slot, other, depth: depth) else { return false }
        }
        if extent == .right, right.unknownMembers == nil { return true }
        return left.unknownMembers == right.unknownMembers
    }

    private mutating func compare(_ left: PropertySlot, _ right: PropertySlot, depth: Int) -> Bool {
        guard left.hasValue == right.hasValue else { return false }
        guard left.hasValue else { return true }
        let kind = left.kind
        if kind == .weakModel {
            return left.weakModel === right.weakModel
        }
        if kind.mayHoldModels {
            // Both slots have one descriptor, or descriptors that store alike.
            return ReferencePair(left, right).map { compareReferences($0, depth: depth) } ?? false
        }
        return left.holdsEqualScalar(as: right)
    }

    private mutating func compareReferences(_ references: ReferencePair, depth: Int) -> Bool {
        if references.isIdentical { return true }
        if references.kind == .model {
            let (left, right) = references.models
            let pair = Pair(left: left, right: right)
            if isStrict, pair.left.object.isUnique || pair.right.object.isUnique { return false }
            if depth < Self.maximumDepth, trialDepth == 0, compared < Self.unremembered {
                compared += 1
                return compareSlots(pair.left, pair.right, depth: depth + 1)
            }
            pending.append(pair)
            return true
        }
        let (leftList, rightList) = references.lists
        guard leftList.count == rightList.count else { return false }
        switch references.kind {
        case .set: return compareSets(leftList, rightList, depth: depth)
        case .dictionary:
            let (left, right) = references.dictionaries
            for index in 0..<left.count {
                guard let other = right.index(of: left.keys[index]),
                    compare(left.slot(at: index), right.slot(at: other), depth: depth)
                else { return false }
            }
            return true
        default:
            // Nesting of lists in lists is bounded by the schema.
            for index in 0..<leftList.count {
                guard compare(leftList.slot(at: index), rightList.slot(at: index), depth: depth) else { return false }
            }
            return true
        }
    }

    /// Compares sets: matches elements by their hash, and where many share one, by their complete hash.
    ///
    /// An element whose hash is unique is postponed like any other pair, so cycles through sets end. Elements that
    /// share a hash are tried against each other. Trials hardly ever nest, because elements that share a complete hash
    /// are equal, or reach cycles and differ far away. Where they would nest too deeply, `ModelPartition` decides.
    private mutating func compareSets(_ left: SlotList, _ right: SlotList, depth: Int) -> Bool {
        let slots = (0..<left.count).map { left.slot(at: $0) } + (0..<right.count).map { right.slot(at: $0) }
        var hashes = slots.map { ModelHashing.hashValue(of: $0) }
        var candidates = Self.indices(of: hashes[left.count...])
        if candidates.count < right.count, slots[0].description.kind.mayHoldModels {
            // A few are tried directly, without visiting everything they reach, unless trials would nest.
            let few = trialDepth == 0 ? ModelHashing.largestBucket : 1
            for index in slots.indices where candidates[hashes[index], default: []].count > few {
                hashes[index] = trials.hashing.completeHashValue(of: slots[index])
            }
            candidates = Self.indices(of: hashes[left.count...])
        }
        for (slot, hash) in zip(slots.prefix(left.count), hashes) {
            // The last position comes first, so that removing one of many moves none.
            guard var indices = candidates.removeValue(forKey: hash), let last = indices.last else { return false }
            if indices.count > 1, trialDepth == Self.maximumTrialDepth, extent != .right {
                compared = .min
                return false
            }
            if indices.count == 1 || trialDepth == Self.maximumTrialDepth {
                guard compare(slot, slots[last], depth: depth) else { return false }
                indices.removeLast()
            } else {
                guard let match = indices.lastIndex(where: { tryMatch(slot, slots[$0]) }) else { return false }
                indices.remove(at: match)
            }
            candidates[hash] = indices
        }
        return true
    }

    /// Returns the positions of each hash, from the last to the first.
    private static func indices(of hashes: ArraySlice<Int>) -> [Int: [Int]] {
        var indices: [Int: [Int]] = [:]
        indices.reserveCapacity(hashes.count)
        for index in hashes.indices.reversed() { indices[hashes[index], default: []].append(index) }
        return indices
    }

    /// Compares two elements immediately. Pairs that a successful trial found equal are kept, since otherwise every
    /// level of trials would visit the same cycles again.
    private mutating func tryMatch(_ left: PropertySlot, _ right: PropertySlot) -> Bool {
        if needsPartition { return false }
        let waiting = pending
        let enteredBefore = trials.entered.count
        pending = []
        trialDepth += 1
        let isEqual = compare(left, right, depth: 0) && finish()
        trialDepth -= 1
        pending = waiting
        if isEqual { return true }
        visited.subtract(trials.entered[enteredBefore...])
        trials.entered.removeSubrange(enteredBefore...)
        return false
    }
}

extension DynamicModel: Hashable {
    /// Whether two models have the same class and schema and equal values in their permanent properties.
    ///
    /// - Complexity: O(*n*) in the size of the graphs, on a constant stack; cycles are fine.
    public static func == (left: DynamicModel, right: DynamicModel) -> Bool { ModelComparison.equal(left, right) }

    /// Hashes the permanent properties. Changing a model while it is in a set or a dictionary key breaks the container,
    /// as with every mutable class (conformance C059).
    public final func hash(into hasher: inout Hasher) { ModelHashing.hash(self, into: &hasher) }
}
