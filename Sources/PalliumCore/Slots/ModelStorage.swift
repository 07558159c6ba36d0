// Safety: the memory has 17 bytes for each slot of the table, whose states begin as unset; it is handed on once, or
// freed here.

/// The slots of a model that is about to be made.
///
/// A subclass with stored properties of its own and its own designated initialiser passes this on, nothing else:
///
///     required init(storage: consuming ModelStorage) {
///         cache = [:]
///         super.init(storage: storage)
///     }
@safe
public struct ModelStorage: ~Copyable {
    package let table: UnsafePointer<LayoutTable>
    package let slots: UnsafeMutableRawPointer

    /// Empty slots for a layout.
    @inline(__always)
    package init(_ table: UnsafePointer<LayoutTable>) {
        unsafe self.table = table
        let count = unsafe table.pointee.slotCount
        unsafe slots = SlotMemory.allocate(slots: count)
        unsafe (slots + count &* 16).initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    /// Hands the slots to a model, which frees them.
    @inline(__always)
    consuming func take() -> UnsafeMutableRawPointer {
        let slots = unsafe slots
        discard self
        return unsafe slots
    }

    // Reached only when an initialiser drops the storage before any slot was filled.
    deinit { unsafe SlotMemory.deallocate(slots) }
}
