import PalliumJSON
package import Synchronization

/// The elements of an array, set or dictionary property: slots in a row.
///
/// A list is immutable once it is in a model, and copies of models share it.
///
/// A list that is made with a capacity is one block of memory until it needs more. Sizes for words of eight bytes:
///
/// ```
///   [ header 16 | element 8 | count 8 | capacity and kind 8 | memory 8 | view 8 ][ 16 ] × capacity [ state ] × capacity
///                                                             └───────────────────▲
/// ```
/// In the release queue of a thread, a list may outlive its model and its descriptor. So it keeps the kind of its
/// elements, by which it releases them.
///
/// Safety: only the list refers to `memory`, and slots below `count` are initialised as their states say. Only the
/// methods below read and write the stored properties, and none calls other code while it does. Dynamic checks for
/// overlapping access could never fail, so they are off.
@safe
package class SlotList {
    package let element: Unmanaged<ValueDescriptor>
    @safe @exclusivity(unchecked) package private(set) final var count = 0
    /// The kind of the elements in the lowest byte, the capacity above it. So the kind needs no memory of its own.
    @safe @exclusivity(unchecked) private final var capacityAndKind: Int
    @exclusivity(unchecked) private final var memory: UnsafeMutableRawPointer?
    /// The elements as the Swift array, set or dictionary that an accessor asked for first.
    ///
    /// Two copies of a model in different isolation regions can read the same list, hence the atomic.
    package final let view = AtomicLazyReference<SlotListView>()

    fileprivate init(element: Unmanaged<ValueDescriptor>) {
        unsafe self.element = element
        capacityAndKind = unsafe Int(element._withUnsafeGuaranteedRef { $0.kind }.rawValue)
    }

    /// Makes a list with room for elements.
    package static func make(element: Unmanaged<ValueDescriptor>, capacity: Int) -> SlotList {
        let object = unsafe SlotMemory.allocate(SlotList.self, byteCount: objectSize &+ capacity &* 17)
        let kind = unsafe Int(element._withUnsafeGuaranteedRef { $0.kind }.rawValue)
        let word = MemoryLayout<Int>.size
        // The stored properties, in the order of their declarations. Zero is an empty view.
        unsafe object.storeBytes(of: element, toByteOffset: 2 * word, as: Unmanaged<ValueDescriptor>.self)
        unsafe object.storeBytes(of: 0, toByteOffset: 3 * word, as: Int.self)
        unsafe object.storeBytes(of: capacity &<< 8 | kind, toByteOffset: 4 * word, as: Int.self)
        unsafe object.storeBytes(of: object + objectSize, toByteOffset: 5 * word, as: UnsafeMutableRawPointer.self)
        unsafe object.storeBytes(of: 0, toByteOffset: 6 * word, as: Int.self)
        return unsafe Unmanaged<SlotList>.fromOpaque(object).takeRetainedValue()
    }

    /// Makes a list for a property or a value that holds one.
    ///
    /// The caller holds the description, or the layout or model that it belongs to.
    package static func make(of description: ValueDescriptor, capacity: Int) -> SlotList {
        unsafe make(element: description.elementReference, capacity: capacity)
    }

    /// Makes a list for elements like those of another.
    package static func make(like other: SlotList, capacity: Int) -> SlotList {
        unsafe make(element: other.element, capacity: capacity)
    }

    /// Makes a list for elements of a description, which the caller holds, or the layout or model that it belongs to.
    package static func make(elements: Unowned<ValueDescriptor>, capacity: Int) -> SlotList {
        elements.with { unsafe make(element: $0.reference, capacity: capacity) }
    }

    /// The description of the elements without reference counting.
    package final var unownedElement: Unowned<ValueDescriptor> { unsafe Unowned(element) }

    /// The description of the elements. It lives as long as the layout that it belongs to.
    package final var elementDescription: ValueDescriptor { unsafe element.takeUnretainedValue() }

    /// The keys of a list that is the content of a dictionary.
    package final var keysOfDictionary: [String] {
        // Lists of dictionaries are of that class; a debug build checks it.
        precondition(type(of: self) == SlotDictionary.self)
        return unsafe unsafeDowncast(self, to: SlotDictionary.self).keys
    }

    /// Whether a list in one block has the stored properties that were written by their offsets.
    static func isLaidOut(_ element: Unmanaged<ValueDescriptor>) -> Bool {
        let list = unsafe make(element: element, capacity: 3)
        list.appendSlot()
        let memory = unsafe Unmanaged.passUnretained(list).toOpaque() + objectSize
        return unsafe ClassMetadata(SlotList.self).instanceSize == objectSize && list.count == 1
            && list.element.toOpaque() == element.toOpaque() && list.memory == memory && list.view.load() == nil
            && list.capacity == 3 && list.slot(at: 0).state == memory.assumingMemoryBound(to: UInt8.self) + 48
    }

    /// The size of a list without elements.
    private static var objectSize: Int { 7 * MemoryLayout<Int>.size }

    /// Frees memory that is not part of the list's own block.
    private final func deallocateForeign(_ memory: UnsafeMutableRawPointer) {
        if unsafe memory == Unmanaged.passUnretained(self).toOpaque() + Self.objectSize { return }
        unsafe SlotMemory.deallocate(memory)
    }

    private final var capacity: Int { capacityAndKind &>> 8 }

    deinit {
        guard let memory = unsafe memory else { return }
        // The byte was stored from a kind.
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
        unsafe deallocateForeign(memory)
    }

    /// Returns the slot at an index below `count`.
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

    /// Adds an element and returns its unset slot.
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

    /// Removes the last element.
    package final func removeLast() {
        slot(at: count - 1).clear()
        count -= 1
    }

    /// Moves the elements of another list of the same descriptor behind those of this one, which has room for them. No
    /// other slot may refer to that list.
    package final func takeElements(of other: SlotList) {
        precondition(count + other.count <= capacity, "no room for the elements")
        guard let memory = unsafe memory, let otherMemory = unsafe other.memory else { return }
        // Swift values may be moved by copying their bytes.
        unsafe (memory + count &* 16).copyMemory(from: otherMemory, byteCount: other.count &* 16)
        unsafe (memory + (capacity &* 16 &+ count)).copyMemory(
            from: otherMemory + other.capacity &* 16, byteCount: other.count)
        count += other.count
        other.count = 0
    }

    private final func grow(to newCapacity: Int) {
        let newMemory = unsafe SlotMemory.allocate(slots: newCapacity)
        if let memory = unsafe memory {
            // Swift values may be moved by copying their bytes.
            unsafe newMemory.copyMemory(from: memory, byteCount: count &* 16)
            unsafe (newMemory + newCapacity &* 16).copyMemory(from: memory + capacity &* 16, byteCount: count)
            unsafe deallocateForeign(memory)
        }
        unsafe memory = newMemory
        capacityAndKind = newCapacity &<< 8 | capacityAndKind & 0xFF
    }
}

/// A list whose elements have names: the content of a dictionary property.
package final class SlotDictionary: SlotList {
    package override init(element: Unmanaged<ValueDescriptor>) { unsafe super.init(element: element) }

    /// Makes the entries of a property or a value that holds some (see `make(of:capacity:)`).
    package convenience init(of description: ValueDescriptor) {
        unsafe self.init(element: description.elementReference)
    }

    /// Makes entries like those of another.
    package convenience init(like other: SlotList) { unsafe self.init(element: other.element) }

    /// The keys of the elements in their order, different as bytes.
    package private(set) var keys: [String] = []
    private var positions: [UTF8Key: Int] = [:]

    /// Returns the slot for a key: a new unset one, or the existing one, which is cleared.
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

    /// Removes the last element and its key.
    package func removeLastElement() {
        positions[UTF8Key(keys.removeLast())] = nil
        removeLast()
    }

    /// Removes the unset elements and their keys. O(*n*).
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

/// The base class of typed views of a list.
package class SlotListView: @unchecked Sendable {
    // @unchecked: a view is immutable. It may hold models, which are not Sendable, but it is reached only through the
    // list that holds the same models, so it crosses no isolation boundary that the list does not cross.
    package init() {}
}

/// A list as a value of one Swift type.
package final class TypedSlotListView<Value>: SlotListView, @unchecked Sendable {
    // @unchecked: as above; `value` never changes.
    package let value: Value
    package init(_ value: Value) {
        self.value = value
        super.init()
    }

    /// Whether an array begins with the bytes of this one, and so with the same elements. O(*n*).
    package func isPrefix<Element>(of elements: [Element]) -> Bool where Value == [Element] {
        guard value.count <= elements.count else { return false }
        return unsafe value.withUnsafeBytes { own in
            unsafe elements.withUnsafeBytes { other in
                guard let start = own.baseAddress, let otherStart = other.baseAddress else { return unsafe own.isEmpty }
                return unsafe UTF8Text.equalBytes(
                    start.assumingMemoryBound(to: UInt8.self), otherStart.assumingMemoryBound(to: UInt8.self),
                    own.count)
            }
        }
    }
}

extension SlotList {
    /// Returns the elements as a `Value`, which `build` makes at the first access. The first type that is asked for is
    /// kept.
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
