import PalliumJSON

extension _Storage {
    /// The memory of one value: pointers to its 16 bytes and its state byte, and its descriptor.
    ///
    /// A slot is valid as long as the model, list or temporary that owns it. Accessors receive one and use it, but never
    /// store it. That invariant makes the pointers safe: they do not outlive the call that made them.
    @frozen
    @safe
    public struct Slot {
        @usableFromInline package let pointer: UnsafeMutableRawPointer
        @usableFromInline package let state: UnsafeMutablePointer<UInt8>
        @usableFromInline package let descriptor: Unmanaged<ValueDescriptor>

        @inlinable
        package init(
            pointer: UnsafeMutableRawPointer, state: UnsafeMutablePointer<UInt8>, descriptor: Unmanaged<ValueDescriptor>
        ) {
            unsafe self.pointer = pointer
            unsafe self.state = state
            unsafe self.descriptor = descriptor
        }

        @inlinable package var slotState: SlotState {
            get { unsafe SlotState(rawValue: state.pointee) }
            nonmutating set { unsafe state.pointee = newValue.rawValue }
        }

        @inlinable package var hasValue: Bool { unsafe state.pointee & 2 != 0 }

        /// The descriptor of the value. It lives as long as the owner of the slot, or of the layout.
        @inlinable package var description: ValueDescriptor { unsafe descriptor.takeUnretainedValue() }

        /// Reads plain bytes, or copies (and so retains) a value that owns memory.
        @inlinable
        package func load<T>(_ type: T.Type = T.self) -> T {
            unsafe pointer.assumingMemoryBound(to: T.self).pointee
        }

        /// Replaces the content. `T` is the Swift type that the slot's kind stores.
        package func replace<T>(with value: T, state newState: SlotState = .value) {
            clear()
            unsafe pointer.initializeMemory(as: T.self, to: value)
            slotState = newState
        }

        /// Gives an unset slot a value. `T` is the Swift type that the slot's kind stores.
        @inlinable @inline(__always)
        package func fill<T>(with value: T, state newState: SlotState = .value) {
            assert(!hasValue)
            unsafe pointer.initializeMemory(as: T.self, to: value)
            slotState = newState
        }

        /// Replaces the content with null.
        package func setNull() {
            clear()
            slotState = .null
        }

        /// Releases the content and leaves the slot unset.
        @usableFromInline
        package func clear() {
            let state = slotState
            // The state is cleared first, so that code which runs during the release finds an empty slot.
            slotState = .unset
            if state.hasValue { unsafe SlotOperations.destroy(pointer, kind: description.kind, state: state) }
        }

        /// Traps when a required property was never set, a mistake that only your code can make.
        @inlinable @inline(__always)
        package func requireValue() {
            if !hasValue { trapUnset() }
        }

        @usableFromInline @inline(never) @_effects(releasenone)
        package func trapUnset() -> Never {
            trap(
                "\(description.path) is read through a non-optional accessor but was never set on this model; "
                    + "set it first, give the property a default, or make the accessor optional")
        }
    }
}

/// Safety: both slots have the same descriptor, so the state of one says what the bytes of either hold.
extension PropertySlot {
    /// Copies the content of another slot of the same descriptor into this unset one.
    package func copyContent(of other: PropertySlot) {
        let otherState = other.slotState
        if otherState.isPacked {
            // The text stays behind the other model's slots.
            let text = unsafe SlotOperations.urlText(other.pointer, otherState)
            unsafe pointer.initializeMemory(as: String.self, to: text)
            slotState = otherState.unpacked
            return
        }
        if otherState.hasValue {
            unsafe SlotOperations.copy(from: other.pointer, to: pointer, kind: description.kind, state: otherState)
        }
        slotState = otherState
    }

    /// Replaces the content with the default of the property.
    ///
    /// - Parameters:
    ///   - standard: The slot of the layout that holds the default.
    ///   - marked: Whether the slot tells the default from an equal value that was set.
    package func takeDefault(_ standard: PropertySlot, marked: Bool = true) {
        clear()
        copyContent(of: standard)
        if marked { slotState = slotState.asDefaulted }
    }
}
