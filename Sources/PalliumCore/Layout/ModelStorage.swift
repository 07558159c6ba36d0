/// The slots of a model that is being made.
///
/// A subclass with stored properties and a designated initialiser of its own passes this value on and does nothing else
/// with it:
///
///     required init(storage: consuming ModelStorage) {
///         cache = [:]
///         super.init(storage: storage)
///     }
@safe
public struct ModelStorage: ~Copyable {
    // Safety: the memory has 17 bytes for each slot, and all states begin as unset. It is passed on once, or freed here.
    // The caller of `init` holds the layout's registry, an adapter or a model of it, so the registry is alive and can be
    // counted. From then on the storage, and later the model, keeps the registry and so the table.
    package let table: UnsafePointer<RawLayout>
    package let slots: UnsafeMutableRawPointer

    /// Allocates empty slots for a layout.
    @inline(__always)
    package init(_ table: UnsafePointer<RawLayout>) {
        unsafe self.table = table
        unsafe slots = Self.emptySlots(table)
        if let registry = unsafe table.pointee.registry { _ = unsafe registry.retain() }
    }

    /// Allocates unset slots for a table.
    @inline(__always)
    static func emptySlots(_ table: UnsafePointer<RawLayout>) -> UnsafeMutableRawPointer {
        let count = unsafe table.pointee.slotCount
        let slots = unsafe SlotMemory.allocate(slots: count)
        unsafe (slots + count &* 16).initializeMemory(as: UInt8.self, repeating: 0, count: count)
        return unsafe slots
    }

    /// Returns the slots to the model that will free them. The model also releases the reference to the registry.
    @inline(__always)
    consuming func take() -> UnsafeMutableRawPointer {
        let slots = unsafe slots
        discard self
        return unsafe slots
    }

    // Runs only when an initialiser drops the storage before any slot was filled.
    deinit {
        unsafe SlotMemory.deallocate(slots)
        unsafe table.pointee.registry?.release()
    }
}
