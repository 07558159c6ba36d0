/// The slots of a model that is being made.
///
/// A subclass with stored properties and a designated initialiser of its own passes this value on and does nothing else
/// with it. It sets no property of the schema:
///
///     required init(storage: consuming ModelStorage) {
///         cache = [:]
///         super.init(storage: storage)
///     }
///
/// The decoder and `copy()` do not call this initialiser for classes without stored properties, whose models are one block
/// of memory with their slots.
@safe
public struct ModelStorage: ~Copyable {
    // A model is one block, or two if its class has stored properties or your code made it by an initialiser. `n` is the
    // number of bytes of packed texts (see `URLSlots.swift`).
    //
    // Sizes for words of eight bytes:
    //
    //     one   [ header 16 | layout 8 | slots 8 | companion 8 ][ states, padding, n 4 ][ 16 ] × slotCount [ texts n ]
    //     two   [ header 16 | layout 8 | slots 8 | companion 8 | stored properties ]
    //                                     └──▶ [ padding 8 ][ states, padding, n 4 ][ 16 ] × slotCount [ texts n ]
    //
    // Safety: all states begin as unset. The memory is passed on once, or freed here. The caller of `init` and `make`
    // holds the layout's registry, an adapter or a model of it, so the registry is alive and can be counted. From then
    // on the storage, and later the model, keeps the registry and so the raw layout.
    package let rawLayout: UnsafePointer<RawLayout>
    package let slots: UnsafeMutableRawPointer

    /// Allocates empty slots for a layout.
    @inline(__always)
    package init(_ rawLayout: UnsafePointer<RawLayout>, textCount: Int = 0) {
        unsafe self.rawLayout = rawLayout
        unsafe slots = Self.emptySlots(rawLayout, textCount: textCount)
        if let registry = unsafe rawLayout.pointee.registry { _ = unsafe registry.retain() }
    }

    /// The size of a model without stored properties of its own.
    static var objectSize: Int { 5 * MemoryLayout<Int>.size }

    /// Returns the offset from the slots to their states.
    static func stateOffset(slotCount: Int) -> Int {
        objectSize - (objectSize + slotCount + MemoryLayout<UInt32>.size + 15) / 16 * 16
    }

    /// Allocates unset slots for a layout.
    static func emptySlots(_ rawLayout: UnsafePointer<RawLayout>, textCount: Int = 0) -> UnsafeMutableRawPointer {
        let start = unsafe slotOffset(rawLayout)
        let slots =
            unsafe SlotMemory.allocate(byteCount: start &+ rawLayout.pointee.slotCount &* 16 &+ textCount) + start
        unsafe initialize(slots, rawLayout, textCount)
        return unsafe slots
    }

    /// Initialises what stands before the slots.
    @inline(__always)
    static func initialize(_ slots: UnsafeMutableRawPointer, _ rawLayout: UnsafePointer<RawLayout>, _ textCount: Int) {
        unsafe (slots + rawLayout.pointee.stateOffset).initializeMemory(
            as: UInt8.self, repeating: 0, count: rawLayout.pointee.slotCount)
        unsafe (slots - 4).storeBytes(of: UInt32(truncatingIfNeeded: textCount), as: UInt32.self)
    }

    static func deallocate(_ slots: UnsafeMutableRawPointer, _ rawLayout: UnsafePointer<RawLayout>) {
        unsafe SlotMemory.deallocate(slots - slotOffset(rawLayout))
    }

    /// The offset of the slots in a block of their own.
    private static func slotOffset(_ rawLayout: UnsafePointer<RawLayout>) -> Int {
        unsafe 8 &- rawLayout.pointee.stateOffset
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
        unsafe Self.deallocate(slots, rawLayout)
        unsafe rawLayout.pointee.registry?.release()
    }
}
