/// A slot outside any model, for a value that is being read or merged.
///
/// Safety: it owns 18 bytes, of which the last two are its state and its kind. Before they are freed, it releases its
/// content by that kind, since reports of changes keep such slots longer than the descriptor. Content moves only
/// between slots of the same descriptor.
package final class TemporarySlot {
    package let slot: PropertySlot

    package init(descriptor: Unmanaged<ValueDescriptor>) {
        let memory = unsafe SlotMemory.allocate(byteCount: 18)
        unsafe memory.storeBytes(of: 0, toByteOffset: 16, as: UInt8.self)
        unsafe memory.storeBytes(
            of: descriptor._withUnsafeGuaranteedRef { $0.kind }, toByteOffset: 17, as: SlotKind.self)
        slot = unsafe PropertySlot(
            pointer: memory, state: (memory + 16).assumingMemoryBound(to: UInt8.self), descriptor: descriptor)
    }

    /// Copies the content of another slot.
    package convenience init(copying other: PropertySlot) {
        unsafe self.init(descriptor: other.descriptor)
        slot.copyContent(of: other)
    }

    deinit {
        let state = slot.slotState
        if state.hasValue {
            unsafe SlotOperations.destroy(
                slot.pointer, kind: slot.pointer.load(fromByteOffset: 17, as: SlotKind.self), state: state)
        }
        unsafe SlotMemory.deallocate(slot.pointer)
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
