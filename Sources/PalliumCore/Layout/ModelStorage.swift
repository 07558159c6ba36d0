import PalliumMemory

#if canImport(ObjectiveC)
    import ObjectiveC
#endif

/// The slots of a model that is being made.
///
/// A subclass with stored properties and a designated initialiser of its own passes this value on and does nothing else
/// with it:
///
///     required init(storage: consuming ModelStorage) {
///         cache = [:]
///         super.init(storage: storage)
///     }
///
/// Models of a class without stored properties are mostly made without this initialiser, because model and slots are one
/// block of memory.
@safe
public struct ModelStorage: ~Copyable {
    // A model is one block, or two if its class has stored properties or your code made it by an initialiser:
    //
    //     one   [ header 16 | table 8 | slots 8 | companion 8 ][ states, padding ][ 16 bytes ] × slotCount
    //     two   [ header 16 | table 8 | slots 8 | companion 8 | stored properties ]
    //                                       └──▶ [ padding 8 ][ states, padding ][ 16 bytes ] × slotCount
    //
    // Safety: all states begin as unset. The memory is passed on once, or freed here. The caller of `init` and `make`
    // holds the layout's registry, an adapter or a model of it, so the registry is alive and can be counted. From then
    // on the storage, and later the model, keeps the registry and so the table.
    package let table: UnsafePointer<RawLayout>
    package let slots: UnsafeMutableRawPointer

    /// Allocates empty slots for a layout.
    @inline(__always)
    package init(_ table: UnsafePointer<RawLayout>) {
        unsafe self.table = table
        unsafe slots = Self.emptySlots(table)
        if let registry = unsafe table.pointee.registry { _ = unsafe registry.retain() }
    }

    /// The size of a model without stored properties of its own.
    static var objectSize: Int { 40 }

    /// Returns the offset from the slots to their states. Slots are aligned to 16 bytes.
    static func stateOffset(slotCount: Int) -> Int { objectSize - (objectSize + slotCount + 15) / 16 * 16 }

    /// Allocates unset slots for a table.
    static func emptySlots(_ table: UnsafePointer<RawLayout>) -> UnsafeMutableRawPointer {
        let count = unsafe table.pointee.slotCount
        let start = unsafe slotOffset(table)
        let slots = unsafe SlotMemory.allocate(byteCount: start &+ count &* 16) + start
        unsafe (slots + table.pointee.stateOffset).initializeMemory(as: UInt8.self, repeating: 0, count: count)
        return unsafe slots
    }

    static func deallocate(_ slots: UnsafeMutableRawPointer, _ table: UnsafePointer<RawLayout>) {
        unsafe SlotMemory.deallocate(slots - slotOffset(table))
    }

    /// The offset of the slots in a block of their own.
    private static func slotOffset(_ table: UnsafePointer<RawLayout>) -> Int { unsafe 8 &- table.pointee.stateOffset }

    /// Returns the metadata of a class whose models can be one block; nil if it has stored properties.
    static func oneBlockMetadata(of modelClass: DynamicModel.Type) -> UnsafeRawPointer? {
        // A class is identified by the address of its metadata.
        let metadata = unsafe UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(modelClass)))
        #if canImport(ObjectiveC)
            let size = class_getInstanceSize(modelClass)
        #else
            // Behind the superclass, flags and address point (`TargetClassMetadata` in the runtime's Metadata.h).
            let size = unsafe metadata.map { unsafe Int($0.load(fromByteOffset: 24, as: UInt32.self)) }
        #endif
        return unsafe size == objectSize ? metadata : nil
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
        unsafe Self.deallocate(slots, table)
        unsafe table.pointee.registry?.release()
    }
}

extension DynamicModel {
    /// Makes a model of a class whose slots are all unset, in one block if that is possible.
    @inline(__always)
    package static func make(_ table: UnsafePointer<RawLayout>, _ modelClass: DynamicModel.Type) -> DynamicModel {
        guard let metadata = unsafe table.pointee.oneBlockClass,
            UInt(bitPattern: metadata) == UInt(bitPattern: ObjectIdentifier(modelClass))
        else { return unsafe modelClass.init(storage: ModelStorage(table)) }
        let count = unsafe table.pointee.slotCount
        let start = unsafe ModelStorage.objectSize &- table.pointee.stateOffset
        let object = unsafe pallium_allocate_object(metadata, start &+ count &* 16, 15)
        // The stored properties of the class, in the order of their declarations.
        unsafe object.storeBytes(of: table, toByteOffset: 16, as: UnsafePointer<RawLayout>.self)
        unsafe object.storeBytes(of: object + start, toByteOffset: 24, as: UnsafeMutableRawPointer.self)
        unsafe object.storeBytes(of: 0, toByteOffset: 32, as: Int.self)
        unsafe (object + ModelStorage.objectSize).initializeMemory(as: UInt8.self, repeating: 0, count: count)
        if let registry = unsafe table.pointee.registry { _ = unsafe registry.retain() }
        return unsafe Unmanaged<DynamicModel>.fromOpaque(object).takeRetainedValue()
    }

    /// Whether the slots stand behind the object, in its block.
    @inline(__always)
    final var isOneBlock: Bool {
        unsafe slots + table.pointee.stateOffset == Unmanaged.passUnretained(self).toOpaque() + ModelStorage.objectSize
    }
}
