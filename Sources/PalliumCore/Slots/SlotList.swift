import PalliumJSON
package import Synchronization

/// The elements of an array, set or dictionary property: slots in a row. Immutable once it stands in a model, and shared
/// by copies.
///
/// ```
///   memory ──▶ [16 bytes] × capacity, then [state byte] × capacity        the first `count` of each are in use
/// ```
/// A list may outlive, in the release queue of a thread, the model it stood in and the description of its elements: it ends
/// by the kind that it keeps itself.
///
/// Safety: `memory` belongs to the list alone; slots below `count` are initialised as their state says. The stored
/// properties are read and written only inside the methods below, none of which calls out while it uses them, so the
/// dynamic checks for overlapping access could never fire and are off.
@safe
package class SlotList {
    package let element: Unmanaged<ValueDescriptor>
    @safe @exclusivity(unchecked) package private(set) final var count = 0
    /// The kind of the elements in the lowest byte, the capacity above it: a list takes no more memory for the kind.
    @safe @exclusivity(unchecked) private final var capacityAndKind: Int
    @exclusivity(unchecked) private final var memory: UnsafeMutableRawPointer?
    /// The elements as the Swift array, set or dictionary an accessor asked for first, made once.
    ///
    /// A list can be read by two copies of a model in two isolation regions, hence the atomic.
    package final let view = AtomicLazyReference<SlotListView>()

    package init(element: Unmanaged<ValueDescriptor>) {
        unsafe self.element = element
        capacityAndKind = unsafe Int(element._withUnsafeGuaranteedRef { $0.kind }.rawValue)
    }

    private final var capacity: Int { capacityAndKind &>> 8 }

    deinit {
        guard let memory = unsafe memory else { return }
        // It was the raw value of a kind.
        let kind = SlotKind(rawValue: UInt8(truncatingIfNeeded: capacityAndKind)) ?? .json
        if kind.ownsMemory {
            for index in 0..<count {
                let state = unsafe SlotState(
                    rawValue: memory.load(fromByteOffset: capacity &* 16 &+ index, as: UInt8.self))
                guard state.hasValue else { continue }
                let pointer = unsafe memory + index &* 16
                if kind.mayHoldModels {
                    unsafe ReleaseQueue.release(
                        Unmanaged<AnyObject>.fromOpaque(pointer.load(as: UnsafeRawPointer.self)))
                } else {
                    unsafe SlotOperations.destroy(pointer, kind: kind, state: state)
                }
            }
        }
        unsafe SlotMemory.deallocate(memory)
    }

    /// The slot at an index below `count`.
    package final func slot(at index: Int) -> PropertySlot {
        // An invariant of the library, checked for every element.
        precondition(index >= 0 && index < count, "index out of range")
        // count > 0, so memory was allocated.
        let memory = unsafe memory!
        return unsafe PropertySlot(
            pointer: memory + index &* 16,
            state: (memory + (capacity &* 16 &+ index)).assumingMemoryBound(to: UInt8.self),
            descriptor: element)
    }

    /// Makes room for one more element and returns its unset slot.
    @discardableResult
    package final func appendSlot() -> PropertySlot {
        if count == capacity { grow(to: max(2, capacity &* 2)) }
        let index = count
        count = index &+ 1
        let memory = unsafe memory!
        let state = unsafe (memory + (capacity &* 16 &+ index)).assumingMemoryBound(to: UInt8.self)
        unsafe state.initialize(to: 0)
        return unsafe PropertySlot(pointer: memory + index &* 16, state: state, descriptor: element)
    }

    /// Takes the last element away again.
    package final func removeLast() {
        slot(at: count - 1).clear()
        count -= 1
    }

    package final func reserve(_ capacity: Int) {
        if capacity > self.capacity { grow(to: capacity) }
    }

    private final func grow(to newCapacity: Int) {
        let newMemory = unsafe SlotMemory.allocate(slots: newCapacity)
        if let memory = unsafe memory {
            // Swift values may be moved by copying their bytes.
            unsafe newMemory.copyMemory(from: memory, byteCount: count &* 16)
            unsafe (newMemory + newCapacity &* 16).copyMemory(from: memory + capacity &* 16, byteCount: count)
            unsafe SlotMemory.deallocate(memory)
        }
        unsafe memory = newMemory
        capacityAndKind = newCapacity &<< 8 | capacityAndKind & 0xFF
    }
}

/// A list whose elements have names: the content of a dictionary property.
package final class SlotDictionary: SlotList {
    /// The keys in the order they came, as many as elements, different as bytes.
    package private(set) var keys: [String] = []
    private var positions: [UTF8Key: Int] = [:]

    /// The slot for a key: a new unset one, or the present one with its content cleared.
    @discardableResult
    package func slot(forKey key: String) -> PropertySlot {
        if let position = positions[UTF8Key(key)] {
            let slot = slot(at: position)
            slot.clear()
            return slot
        }
        positions[UTF8Key(key)] = count
        keys.append(key)
        return appendSlot()
    }

    /// Takes the last element and its key away again.
    package func removeLastElement() {
        positions[UTF8Key(keys.removeLast())] = nil
        removeLast()
    }

    /// Takes the elements that are unset, and their keys, away again. O(*n*).
    package func removeUnsetElements() {
        var kept = 0
        for index in 0..<count {
            let slot = slot(at: index)
            guard !slot.slotState.isUnset else {
                positions[UTF8Key(keys[index])] = nil
                continue
            }
            if kept < index {
                self.slot(at: kept).takeContent(of: slot)
                keys[kept] = keys[index]
                positions[UTF8Key(keys[index])] = kept
            }
            kept += 1
        }
        while count > kept { removeLast() }
        keys.removeLast(keys.count - kept)
    }

    package func index(of key: String) -> Int? { positions[UTF8Key(key)] }
}

/// A typed view of a list that was made before.
package class SlotListView: @unchecked Sendable {
    // @unchecked: a view is immutable. It may hold models, which are not Sendable, but it is reached only through the
    // list that holds the same models, so it crosses no isolation boundary that the list does not cross.
    package init() {}
}

/// A view as a value of one Swift type.
package final class TypedSlotListView<Value>: SlotListView, @unchecked Sendable {
    // @unchecked: as above; `value` never changes.
    package let value: Value
    package init(_ value: Value) {
        self.value = value
        super.init()
    }
}

extension SlotList {
    /// The elements as a `Value`, made by `build` at the first request for that type and kept.
    package final func view<Value>(_ build: () -> Value) -> Value {
        if let made = view.load() {
            if let typed = made as? TypedSlotListView<Value> { return typed.value }
            return build()
        }
        let typed = TypedSlotListView(build())
        _ = view.storeIfNil(typed)
        return typed.value
    }
}
