/// Hashing of models and of everything that holds models.
///
/// A model mixes its schema's name and, slot by slot, the number and the value of its permanent properties. Nested models
/// are unfolded to a fixed depth and then count as present: two graphs of equal shape hash alike even when one is cyclic
/// and the other is its unfolding, which a set of visited objects would not give.
///
/// Safety: slots are numbered by the table of the model, which lives as long as the process, and hold what their kinds
/// say.
package struct ModelHashing {
    /// How many levels of models below the first are unfolded.
    private static let maximumDepth = 2
    /// Models are remembered by depth once a graph turns out larger than this, so that shared models are hashed once.
    private static let unremembered = 64

    private struct Key: Hashable {
        let model: ObjectIdentifier
        let depth: Int
    }

    private var memory: [Key: Int] = [:]
    private var hashed = 0

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
            if depth < Self.maximumDepth {
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

    /// A hash that does not depend on what was mixed before, for collections without order.
    private mutating func hashValue(of slot: PropertySlot, key: String?, depth: Int) -> Int {
        var hasher = Hasher()
        if let key { hasher.combine(UTF8Key(key)) }
        mix(slot, depth: depth, into: &hasher)
        return hasher.finalize()
    }

    private mutating func mixNested(_ model: DynamicModel, depth: Int, into hasher: inout Hasher) {
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
