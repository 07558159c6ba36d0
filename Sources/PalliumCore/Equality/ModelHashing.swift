import PalliumJSON

/// Hashing of models and of everything that holds models.
///
/// A model mixes, slot by slot, the number and the value of its permanent properties. Nested models are unfolded to a fixed
/// depth and then count as present: two graphs of equal shape hash alike even when one is cyclic and the other is its
/// unfolding, which a set of visited objects would not give.
///
/// Elements that differ only deeper hash alike, and comparing each with each would take quadratic time, so the collections
/// of the library hash such crowds once more, completely; from where a cycle is reached, which has no end, to a greater
/// depth.
///
/// Safety: slots are numbered by the table of the model, which lives as long as the model, and hold what their kinds
/// say.
package struct ModelHashing {
    /// How many levels of models below the first are unfolded. What counts in a hash must not depend on how much else
    /// there is to hash, so this is always the same.
    private let maximumDepth: Int
    /// Models are remembered by depth once a graph turns out larger than this, so that shared models are hashed once.
    private static let unremembered = 64

    private struct Key: Hashable {
        let model: ObjectIdentifier
        let depth: Int
    }

    /// What was found about a model that is hashed completely.
    private enum Mark {
        /// It is on the way to where we are: whoever leads there is in a cycle.
        case entered
        case finished(Int)
        /// A cycle is reached from it, so it has no end.
        case endless
    }

    /// More elements than these with one hash are hashed completely.
    package static let crowd = 8

    private var memory: [Key: Int] = [:]
    private var marks: [ObjectIdentifier: Mark] = [:]
    private var hashed = 0

    private init(maximumDepth: Int = 2) { self.maximumDepth = maximumDepth }

    /// Hashes completely. The graphs must stay as they are while it is used.
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
        let table = unsafe model.table
        let kinds = unsafe table.pointee.kinds
        let flags = unsafe table.pointee.flags
        for index in unsafe 0..<table.pointee.slotCount where unsafe flags[index].contains(.permanent) {
            let state = unsafe SlotState(
                rawValue: model.slots.load(fromByteOffset: table.pointee.stateOffset &+ index, as: UInt8.self))
            guard state.hasValue else { continue }
            // The number keeps equal values of two properties from cancelling out (conformance C056).
            hasher.combine(UInt16(truncatingIfNeeded: index))
            let kind = unsafe kinds[index]
            let pointer = unsafe model.slots + index &* 16
            if kind.mayHoldModels {
                unsafe mixReference(pointer, kind: kind, depth: depth, into: &hasher)
            } else if kind != .weakModel {
                unsafe SlotOperations.hashScalar(pointer, state, kind: kind, into: &hasher)
            }
        }
    }

    private mutating func mix(_ slot: PropertySlot, depth: Int, into hasher: inout Hasher) {
        guard slot.hasValue else { return hasher.combine(0 as UInt8) }
        let kind = slot.description.kind
        if kind.mayHoldModels {
            unsafe mixReference(slot.pointer, kind: kind, depth: depth, into: &hasher)
        } else if kind != .weakModel {
            unsafe SlotOperations.hashScalar(slot.pointer, slot.slotState, kind: kind, into: &hasher)
        }
    }

    private mutating func mixReference(
        _ pointer: UnsafeRawPointer, kind: SlotKind, depth: Int, into hasher: inout Hasher
    ) {
        if kind == .model {
            if depth < maximumDepth {
                unsafe mixNested(SlotOperations.box(DynamicModel.self, pointer), depth: depth + 1, into: &hasher)
            }
            return
        }
        let list = unsafe SlotOperations.box(SlotList.self, pointer)
        hasher.combine(list.count)
        switch kind {
        case .array:
            for index in 0..<list.count { mix(list.slot(at: index), depth: depth, into: &hasher) }
        case .set:
            var sum = 0
            for index in 0..<list.count { sum &+= hashValue(of: list.slot(at: index), key: nil, depth: depth) }
            hasher.combine(sum)
        default:
            let dictionary = unsafe SlotOperations.box(SlotDictionary.self, pointer)
            var sum = 0
            for index in 0..<list.count {
                sum &+= hashValue(of: list.slot(at: index), key: dictionary.keys[index], depth: depth)
            }
            hasher.combine(sum)
        }
    }

    /// The hash of an element of a set by itself.
    package static func hashValue(of slot: PropertySlot) -> Int {
        var hashing = ModelHashing()
        return hashing.hashValue(of: slot, key: nil, depth: 0)
    }

    /// The hashes of elements by themselves, which are to be entered in one table: equal elements have equal ones, and few
    /// different ones have. Most are shallow, so that not everything is looked at that the elements reach.
    ///
    /// - Complexity: O(*n*) in the size of the elements.
    package static func hashValues(of slots: [PropertySlot]) -> [Int] {
        var values = slots.map { hashValue(of: $0) }
        guard slots.count > crowd, let first = slots.first, first.description.kind.mayHoldModels else { return values }
        var counts: [Int: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        guard counts.contains(where: { $0.value > crowd }) else { return values }
        var hashing = complete
        for index in slots.indices where counts[values[index], default: 0] > crowd {
            values[index] = hashing.completeHashValue(of: slots[index])
        }
        return values
    }

    /// The hashes of elements by themselves, of which those of equal ones are equal in whatever list they stand.
    ///
    /// - Complexity: O(*n*) in the size of the graph that the elements reach.
    package static func completeHashValues(of slots: [PropertySlot]) -> [Int] {
        var hashing = complete
        return slots.map { hashing.completeHashValue(of: $0) }
    }

    /// The hash of everything in a slot, however deep, but for what goes round in cycles. Takes no stack.
    ///
    /// - Complexity: O(*n*) in the size of the graph that the slot reaches and no other one before it.
    package mutating func completeHashValue(of slot: PropertySlot) -> Int {
        var pending: [(model: DynamicModel, isLeft: Bool)] = []
        slot.forEachModel { pending.append(($0, false)) }
        while let (model, isLeft) = pending.popLast() {
            let identity = ObjectIdentifier(model)
            if isLeft {
                // The models inside are finished now, so that mixing goes no deeper.
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
                marks[identity] = .entered
                pending.append((model, true))
                Self.forEachModel(in: model) { pending.append(($0, false)) }
            }
        }
        // Models without an end are unfolded to the maximum depth or to where what is inside has an end.
        return hashValue(of: slot, key: nil, depth: 0)
    }

    private func isFinished(_ model: DynamicModel) -> Bool {
        if case .finished = marks[ObjectIdentifier(model)] { true } else { false }
    }

    /// Hands out the models that count in the hash of a model.
    private static func forEachModel(in model: DynamicModel, _ body: (DynamicModel) -> Void) {
        let table = unsafe model.table
        for index in unsafe 0..<table.pointee.slotCount
        where unsafe table.pointee.kinds[index].mayHoldModels && table.pointee.flags[index].contains(.permanent) {
            model.slot(at: index).forEachModel(body)
        }
    }

    /// A hash that does not depend on what was mixed before, for collections without order.
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
        if hashed > Self.unremembered, let known = memory[key] { return hasher.combine(known) }
        var own = Hasher()
        mix(model, depth: depth, into: &own)
        let value = own.finalize()
        if hashed > Self.unremembered { memory[key] = value }
        hasher.combine(value)
    }
}
