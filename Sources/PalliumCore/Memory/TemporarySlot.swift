/// A slot outside any model, for a value that is being read or merged.
///
/// Safety: the slot is the memory of the object's own properties, which nobody else reads or writes, and is valid as long as
/// the object. It releases its content by its kind, since reports of changes keep such slots longer than the descriptor.
/// Content moves only between slots of the same descriptor.
@safe
package final class TemporarySlot {
    private let descriptor: Unmanaged<ValueDescriptor>
    private var content: (UInt64, UInt64) = (0, 0)
    private var state = SlotState.unset.rawValue
    private let kind: SlotKind

    package init(descriptor: Unmanaged<ValueDescriptor>) {
        unsafe self.descriptor = descriptor
        kind = unsafe descriptor._withUnsafeGuaranteedRef { $0.kind }
    }

    /// Makes an unset slot for a value.
    ///
    /// The caller holds the description, or the layout or model that it belongs to, until the slot holds no value that it
    /// reads or writes. Releasing the slot does not need it.
    package convenience init(for description: ValueDescriptor) { unsafe self.init(descriptor: description.reference) }

    /// Makes an unset slot for values like that of another slot.
    package convenience init(like other: PropertySlot) { unsafe self.init(descriptor: other.descriptor) }

    /// Makes a slot with an object, for values like that of another slot.
    package convenience init(holding object: AnyObject, like other: PropertySlot) {
        unsafe self.init(descriptor: other.descriptor)
        slot.replace(with: object)
    }

    /// Copies the content of another slot.
    package convenience init(copying other: PropertySlot) {
        unsafe self.init(descriptor: other.descriptor)
        slot.copyContent(of: other)
    }

    package var slot: PropertySlot {
        // The stored properties stand in the order of their declarations, behind the header of two words and the
        // descriptor's one. The state follows the 16 bytes of the value.
        let start = unsafe Unmanaged.passUnretained(self).toOpaque() + (3 * MemoryLayout<Int>.size + 7) / 8 * 8
        return unsafe PropertySlot(
            pointer: start, state: (start + 16).assumingMemoryBound(to: UInt8.self), descriptor: descriptor)
    }

    /// Whether the slot is the memory of the stored properties.
    static func isLaidOut(_ descriptor: Unmanaged<ValueDescriptor>) -> Bool {
        let temporary = unsafe TemporarySlot(descriptor: descriptor)
        (temporary.content, temporary.state) = ((1, 2), SlotState.null.rawValue)
        return temporary.slot.load((UInt64, UInt64).self) == (1, 2) && temporary.slot.slotState == .null
    }

    deinit {
        let slot = slot
        if slot.hasValue { unsafe SlotOperations.destroy(slot.pointer, kind: kind, state: slot.slotState) }
    }
}

extension PropertySlot {
    /// Whether another slot of the same descriptor holds the identical content, not only an equal one.
    @inline(__always)
    package func holdsSameBytes(as other: PropertySlot) -> Bool {
        typealias Bytes = (UInt64, UInt64)
        if slotState.isPacked && other.slotState.isPacked {
            return unsafe SlotOperations.equalURLs(pointer, slotState, other.pointer, other.slotState)
        }
        return unsafe state.pointee == other.state.pointee
            && pointer.loadUnaligned(as: Bytes.self) == other.pointer.loadUnaligned(as: Bytes.self)
    }

    /// Moves the content of another slot of the same descriptor into this one.
    package func takeContent(of other: PropertySlot) {
        clear()
        if other.slotState.isPacked {
            copyContent(of: other)
            return other.clear()
        }
        unsafe pointer.copyMemory(from: other.pointer, byteCount: 16)
        slotState = other.slotState
        other.slotState = .unset
    }

    /// Calls `body` with a slot on the stack for a value. The caller holds the description.
    @inline(__always)
    package static func withTemporary<Result, Failure: Error>(
        for description: ValueDescriptor, _ body: (PropertySlot) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withTemporary(description.reference, body)
    }

    /// Calls `body` with a slot on the stack for values like that of another slot.
    @inlinable @inline(__always)
    package static func withTemporary<Result, Failure: Error>(
        like other: PropertySlot, _ body: (PropertySlot) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withTemporary(other.descriptor, body)
    }

    /// Calls `body` with a slot on the stack, which is unset before and cleared afterwards.
    @inlinable @inline(__always)
    package static func withTemporary<Result, Failure: Error>(
        _ descriptor: Unmanaged<ValueDescriptor>, _ body: (PropertySlot) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var memory: (UInt64, UInt64, UInt8) = (0, 0, SlotState.unset.rawValue)
        return try unsafe withUnsafeMutablePointer(to: &memory) { memory throws(Failure) in
            // The state follows the 16 bytes of the value, as in `TemporarySlot`.
            let bytes = UnsafeMutableRawPointer(memory)
            let slot = unsafe PropertySlot(
                pointer: bytes, state: (bytes + 16).assumingMemoryBound(to: UInt8.self), descriptor: descriptor)
            defer { slot.clear() }
            return try body(slot)
        }
    }
}
