// Safety: the memory has 17 bytes for each slot of the table, whose states begin as unset; it is handed on once, or
// freed here. Whoever makes a storage holds the layout's registry, an adapter or a model of it, so the registry is there to
// be counted; from then on the storage, and after it the model, keeps the table.

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
    package let table: UnsafePointer<RawLayout>
    package let slots: UnsafeMutableRawPointer

    /// Empty slots for a layout.
    @inline(__always)
    package init(_ table: UnsafePointer<RawLayout>) {
        unsafe self.table = table
        unsafe slots = Self.emptySlots(table)
        if let registry = unsafe table.pointee.registry { _ = unsafe registry.retain() }
    }

    /// Unset slots for a table.
    @inline(__always)
    static func emptySlots(_ table: UnsafePointer<RawLayout>) -> UnsafeMutableRawPointer {
        let count = unsafe table.pointee.slotCount
        let slots = unsafe SlotMemory.allocate(slots: count)
        unsafe (slots + count &* 16).initializeMemory(as: UInt8.self, repeating: 0, count: count)
        return unsafe slots
    }

    /// Hands the slots to a model, which frees them, and the reference to the registry, which it gives back.
    @inline(__always)
    consuming func take() -> UnsafeMutableRawPointer {
        let slots = unsafe slots
        discard self
        return unsafe slots
    }

    // Reached only when an initialiser drops the storage before any slot was filled.
    deinit {
        unsafe SlotMemory.deallocate(slots)
        unsafe table.pointee.registry?.release()
    }
}
