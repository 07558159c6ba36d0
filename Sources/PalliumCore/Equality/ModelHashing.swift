import PalliumJSON

/// Hashes models, and values that hold models.
///
/// The hash of a model combines the index and value of each permanent property. Nested models are hashed to a fixed
/// depth, and below it count only as present. So two equal graphs have equal hashes even when one is cyclic and the
/// other is its unfolding, which a set of visited objects would not achieve.
///
/// Elements that differ only deeper have the same hash, and comparing each with each would take quadratic time.
/// Collections therefore hash such crowds again, completely, or to a greater depth where a cycle is reached.
package struct ModelHashing {
    /// The number of levels of models below the first that are hashed. It is constant, because a hash must not depend
    /// on the size of the rest of the graph.
    private let maximumDepth: Int
    /// The number of models hashed before hashes are remembered by depth, so that shared models are hashed once.
    private static let unremembered = 64

    private struct Key: Hashable {
        let model: ObjectIdentifier
        let depth: Int
    }

    /// The state of a model that is hashed completely.
    private enum Mark {
        /// It is on the current path, so a model that refers to it is in a cycle.
        case entered
        case finished(Int)
        /// A cycle is reached from it, so it has no complete hash.
        case endless
    }

    /// The most elements with the same hash that are not hashed completely.
    package static let largestBucket = 8

    private var memory: [Key: Int] = [:]
    private var marks: [ObjectIdentifier: Mark] = [:]
    private var hashed = 0
    private var stopsAtIdentities = false

    private init(maximumDepth: Int = 2) { self.maximumDepth = maximumDepth }

    /// A hasher for complete hashes. The graphs must not change while it is used.
    package static var complete: ModelHashing { ModelHashing(maximumDepth: 16) }

    package static func hash(_ model: DynamicModel, into hasher: inout Hasher) {
        var hashing = ModelHashing()
        hashing.mix(model, depth: 0, into: &hasher)
    }

    package static func hash(_ slot: PropertySlot, into hasher: inout Hasher) {
        var hashing = ModelHashing()
        hashing.mix(slot, depth: 0, into: &hasher)
    }

    private mutating func mix(_ model: DynamicModel, depth: Int, into hasher: inout Hasher) {
        let slots = model.modelSlots
        if depth < maximumDepth { slots.prefetchHeld() }
        slots.forEachPermanentContent { number, content in
            // The number keeps equal values of two properties from cancelling out (conformance C056).
            hasher.combine(UInt16(truncatingIfNeeded: number))
            mix(content, depth: depth, into: &hasher)
        }
    }

    private mutating func mix(_ slot: PropertySlot, depth: Int, into hasher: inout Hasher) {
        guard let content = slot.content else { return hasher.combine(0 as UInt8) }
        mix(content, depth: depth, into: &hasher)
    }

    @inline(__always)
    private mutating func mix(_ content: SlotContent, depth: Int, into hasher: inout Hasher) {
        if content.kind.mayHoldModels {
            mixReference(content, depth: depth, into: &hasher)
        } else if content.kind != .weakModel {
            content.hash(into: &hasher)
        }
    }

    private mutating func mixReference(_ content: SlotContent, depth: Int, into hasher: inout Hasher) {
        if content.kind == .model {
            if depth < maximumDepth { mixNested(content.model.object, depth: depth + 1, into: &hasher) }
            return
        }
        let list = content.list
        hasher.combine(list.count)
        switch content.kind {
        case .array:
            for index in 0..<list.count { mix(list.slot(at: index), depth: depth, into: &hasher) }
        case .set:
            var sum = 0
            for index in 0..<list.count { sum &+= hashValue(of: list.slot(at: index), key: nil, depth: depth) }
            hasher.combine(sum)
        default:
            let dictionary = content.dictionary
            var sum = 0
            for index in 0..<list.count {
                sum &+= hashValue(of: list.slot(at: index), key: dictionary.keys[index], depth: depth)
            }
            hasher.combine(sum)
        }
    }

    /// Returns the hash of an element of a set.
    package static func hashValue(of slot: PropertySlot) -> Int {
        var hashing = ModelHashing()
        return hashing.hashValue(of: slot, key: nil, depth: 0)
    }

    /// Returns hashes of elements for one hash table. Equal elements have equal hashes, and few others do.
    ///
    /// Most hashes are shallow, so that not everything the elements reach is visited. Elements that reach cycles and still
    /// have one hash get that of their class in the whole graph.
    ///
    /// - Complexity: O(*n*) in the size of the elements; O(*n* log *n*) where they reach cycles and differ far away.
    package static func hashValues(of slots: [PropertySlot]) -> [Int] {
        var values = slots.map { hashValue(of: $0) }
        guard slots.count > largestBucket, let first = slots.first, first.description.kind.mayHoldModels else {
            return values
        }
        let ambiguous = indicesInLargeBuckets(values)
        if ambiguous.isEmpty { return values }
        var hashing = complete
        for index in ambiguous { values[index] = hashing.completeHashValue(of: slots[index]) }
        let nodes = indicesInLargeBuckets(values).compactMap { index in
            ModelPartition.Node(slots[index]).map { (index: index, node: $0) }
        }
        for (position, number) in ModelPartition.classes(of: nodes.map(\.node)).enumerated() {
            var hasher = Hasher()
            hasher.combine(number)
            values[nodes[position].index] = hasher.finalize()
        }
        return values
    }

    /// The indices of values in buckets that are too large.
    private static func indicesInLargeBuckets(_ values: [Int]) -> [Int] {
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.value > largestBucket }
        return counts.isEmpty ? [] : values.indices.filter { counts[values[$0]] != nil }
    }

    /// Returns hashes of elements that are the same for equal elements of any list.
    ///
    /// - Complexity: O(*n*) in the size of the graph that the elements reach.
    ///
    /// - Parameter stopsAtIdentities: Whether models with an identity are hashed by that alone, so that hashes stay the same
    ///   when those models change.
    package static func completeHashValues(of slots: [PropertySlot], stopsAtIdentities: Bool = false) -> [Int] {
        var hashing = complete
        hashing.stopsAtIdentities = stopsAtIdentities
        return slots.map { hashing.completeHashValue(of: $0) }
    }

    /// Returns the hash of everything in a slot at any depth, except inside cycles. Not recursive.
    ///
    /// - Complexity: O(*n*) in the size of the graph that this slot reaches and no earlier one reached.
    package mutating func completeHashValue(of slot: PropertySlot) -> Int {
        var pending: [(model: DynamicModel, isLeft: Bool)] = []
        slot.forEachModel { pending.append(($0, false)) }
        while let (model, isLeft) = pending.popLast() {
            let identity = ObjectIdentifier(model)
            if isLeft {
                // The nested models are finished, so `mix` does not recurse deeper.
                var isEndless = false
                Self.forEachModel(in: model) { if !isFinished($0) { isEndless = true } }
                if isEndless {
                    marks[identity] = .endless
                } else {
                    var hasher = Hasher()
                    mix(model, depth: 0, into: &hasher)
                    marks[identity] = .finished(hasher.finalize())
                }
            } else if marks[identity] == nil {
                if stopsAtIdentities, let identifier = model.modelIdentifier {
                    marks[identity] = .finished(identifier.hashValue)
                    continue
                }
                marks[identity] = .entered
                pending.append((model, true))
                Self.forEachModel(in: model) { pending.append(($0, false)) }
            }
        }
        // Models in cycles are hashed to the maximum depth, or to nested models that have a complete hash.
        return hashValue(of: slot, key: nil, depth: 0)
    }

    private func isFinished(_ model: DynamicModel) -> Bool {
        if case .finished = marks[ObjectIdentifier(model)] { true } else { false }
    }

    /// Calls `body` with the models that are part of the hash of a model.
    private static func forEachModel(in model: DynamicModel, _ body: (DynamicModel) -> Void) {
        for index in model.comparedSlotIndices { model.slot(at: index).forEachModel(body) }
    }

    /// Returns a hash that does not depend on other elements, for collections without order.
    private mutating func hashValue(of slot: PropertySlot, key: String?, depth: Int) -> Int {
        var hasher = Hasher()
        if let key { hasher.combine(UTF8Key(key)) }
        mix(slot, depth: depth, into: &hasher)
        return hasher.finalize()
    }

    private mutating func mixNested(_ model: DynamicModel, depth: Int, into hasher: inout Hasher) {
        if case .finished(let value) = marks[ObjectIdentifier(model)] { return hasher.combine(value) }
        hashed += 1
        let key = Key(model: ObjectIdentifier(model), depth: depth)
        if hashed > Self.unremembered, let remembered = memory[key] { return hasher.combine(remembered) }
        var nested = Hasher()
        mix(model, depth: depth, into: &nested)
        let value = nested.finalize()
        if hashed > Self.unremembered { memory[key] = value }
        hasher.combine(value)
    }
}
