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
