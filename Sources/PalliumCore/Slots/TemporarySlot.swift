/// A slot outside any model, for a value on its way.
///
/// Safety: it owns 18 bytes, of which the last two are its state and its kind, and gives its content back before they are
/// freed, by that kind: changes keep such slots, and the description may go first. Slots that hand over their content are
/// of one description.
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

    /// A copy of what another slot holds.
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
    /// Whether another slot of the same description holds the very same content, which is not only equal.
    @inline(__always)
    package func holdsSameBytes(as other: PropertySlot) -> Bool {
        typealias Bytes = (UInt64, UInt64)
        return unsafe state.pointee == other.state.pointee
            && pointer.loadUnaligned(as: Bytes.self) == other.pointer.loadUnaligned(as: Bytes.self)
    }

    /// Moves the content of another slot of the same description into this one.
    package func takeContent(of other: PropertySlot) {
        clear()
        unsafe pointer.copyMemory(from: other.pointer, byteCount: 16)
        slotState = other.slotState
        other.slotState = .unset
    }

    /// A slot on the stack for the time of a call, unset before and cleared after it.
    @inlinable @inline(__always)
    package static func withTemporary<Result, Failure: Error>(
        _ descriptor: Unmanaged<ValueDescriptor>, _ body: (PropertySlot) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var memory: (UInt64, UInt64, UInt8) = (0, 0, SlotState.unset.rawValue)
        return try unsafe withUnsafeMutablePointer(to: &memory) { memory throws(Failure) in
            // The state stands behind the 16 bytes of the value, as in `TemporarySlot`.
            let bytes = UnsafeMutableRawPointer(memory)
            let slot = unsafe PropertySlot(
                pointer: bytes, state: (bytes + 16).assumingMemoryBound(to: UInt8.self), descriptor: descriptor)
            defer { slot.clear() }
            return try body(slot)
        }
    }
}
