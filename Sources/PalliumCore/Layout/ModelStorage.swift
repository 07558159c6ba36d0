#if canImport(ObjectiveC)
    import ObjectiveC
#endif

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
    //     one   [ header 16 | table 8 | slots 8 | companion 8 ][ states, padding, n 4 ][ 16 ] × slotCount [ texts n ]
    //     two   [ header 16 | table 8 | slots 8 | companion 8 | stored properties ]
    //                                     └──▶ [ padding 8 ][ states, padding, n 4 ][ 16 ] × slotCount [ texts n ]
    //
    // Safety: all states begin as unset. The memory is passed on once, or freed here. The caller of `init` and `make`
    // holds the layout's registry, an adapter or a model of it, so the registry is alive and can be counted. From then
    // on the storage, and later the model, keeps the registry and so the table.
    package let table: UnsafePointer<RawLayout>
    package let slots: UnsafeMutableRawPointer

    /// Allocates empty slots for a layout.
    @inline(__always)
    package init(_ table: UnsafePointer<RawLayout>, textCount: Int = 0) {
        unsafe self.table = table
        unsafe slots = Self.emptySlots(table, textCount: textCount)
        if let registry = unsafe table.pointee.registry { _ = unsafe registry.retain() }
    }

    /// The size of a model without stored properties of its own.
    static var objectSize: Int { 5 * MemoryLayout<Int>.size }

    /// Returns the offset from the slots to their states.
    static func stateOffset(slotCount: Int) -> Int {
        objectSize - (objectSize + slotCount + MemoryLayout<UInt32>.size + 15) / 16 * 16
    }

    /// Allocates unset slots for a table.
    static func emptySlots(_ table: UnsafePointer<RawLayout>, textCount: Int = 0) -> UnsafeMutableRawPointer {
        let start = unsafe slotOffset(table)
        let slots = unsafe SlotMemory.allocate(byteCount: start &+ table.pointee.slotCount &* 16 &+ textCount) + start
        unsafe initialize(slots, table, textCount)
        return unsafe slots
    }

    /// Initialises what stands before the slots.
    @inline(__always)
    static func initialize(_ slots: UnsafeMutableRawPointer, _ table: UnsafePointer<RawLayout>, _ textCount: Int) {
        unsafe (slots + table.pointee.stateOffset).initializeMemory(
            as: UInt8.self, repeating: 0, count: table.pointee.slotCount)
        unsafe (slots - 4).storeBytes(of: UInt32(truncatingIfNeeded: textCount), as: UInt32.self)
    }

    static func deallocate(_ slots: UnsafeMutableRawPointer, _ table: UnsafePointer<RawLayout>) {
        unsafe SlotMemory.deallocate(slots - slotOffset(table))
    }

    /// The offset of the slots in a block of their own.
    private static func slotOffset(_ table: UnsafePointer<RawLayout>) -> Int { unsafe 8 &- table.pointee.stateOffset }

    /// Whether a class adds stored properties, for which only its initialiser can give values.
    static func hasStoredProperties(_ modelClass: DynamicModel.Type) -> Bool {
        #if canImport(ObjectiveC)
            return class_getInstanceSize(modelClass) != objectSize
        #else
            // Behind the superclass, flags and address point (`TargetClassMetadata` in the runtime's Metadata.h).
            let metadata = unsafe UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(modelClass)))
            return unsafe metadata?.load(fromByteOffset: 24, as: UInt32.self) != UInt32(objectSize)
        #endif
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
    package static func make(
        _ table: UnsafePointer<RawLayout>, _ modelClass: DynamicModel.Type, textCount: Int = 0
    ) -> DynamicModel {
        guard unsafe table.pointee.oneBlockClass == ObjectIdentifier(modelClass) || modelClass == DynamicModel.self
        else { return unsafe modelClass.init(storage: ModelStorage(table, textCount: textCount)) }
        let start = unsafe ModelStorage.objectSize &- table.pointee.stateOffset
        let object = unsafe SlotMemory.allocate(
            modelClass, byteCount: start &+ table.pointee.slotCount &* 16 &+ textCount)
        let word = MemoryLayout<Int>.size
        // The stored properties of the class, in the order of their declarations.
        unsafe object.storeBytes(of: table, toByteOffset: 2 * word, as: UnsafePointer<RawLayout>.self)
        unsafe object.storeBytes(of: object + start, toByteOffset: 3 * word, as: UnsafeMutableRawPointer.self)
        unsafe object.storeBytes(of: 0, toByteOffset: 4 * word, as: Int.self)
        unsafe ModelStorage.initialize(object + start, table, textCount)
        if let registry = unsafe table.pointee.registry { _ = unsafe registry.retain() }
        return unsafe Unmanaged<DynamicModel>.fromOpaque(object).takeRetainedValue()
    }

    /// Whether the slots stand behind the object, in its block.
    @inline(__always)
    final var isOneBlock: Bool {
        unsafe slots + table.pointee.stateOffset == Unmanaged.passUnretained(self).toOpaque() + ModelStorage.objectSize
    }
}

// Packs the texts of models.
extension DynamicModel {
    /// The number of bytes of text behind the slots.
    final var textCount: Int { unsafe Int((slots - 4).load(as: UInt32.self)) }

    /// Makes a model of slots that were put together elsewhere, with their texts behind them. The slots become unset.
    ///
    /// - Parameter texts: Where packed slots have their text: such a slot holds an offset and a number of bytes, of which
    ///   all slots together have fewer than 2³².
    package static func make(
        _ table: UnsafePointer<RawLayout>, _ modelClass: DynamicModel.Type, moving source: UnsafeMutableRawPointer,
        texts: UnsafeRawPointer
    ) -> DynamicModel {
        let states = unsafe source + table.pointee.stateOffset
        let managed = unsafe table.pointee.managed
        func isPacked(_ number: Int) -> Bool {
            unsafe SlotState(rawValue: states.load(fromByteOffset: Int(managed[number]), as: UInt8.self)).isPacked
        }
        var textCount = 0
        for number in unsafe 0..<table.pointee.managedCount where isPacked(number) {
            unsafe textCount &+= source.load(fromByteOffset: Int(managed[number]) &* 16 &+ 8, as: Int.self)
        }
        let model = unsafe make(table, modelClass, textCount: textCount)
        let slots = unsafe model.slots
        unsafe slots.copyMemory(from: source, byteCount: table.pointee.slotCount &* 16)
        unsafe (slots + table.pointee.stateOffset).copyMemory(from: states, byteCount: table.pointee.slotCount)
        var place = unsafe table.pointee.slotCount &* 16
        for number in unsafe 0..<table.pointee.managedCount where isPacked(number) {
            let slot = unsafe slots + Int(managed[number]) &* 16
            let (offset, count) = unsafe slot.load(as: (Int, Int).self)
            unsafe (slots + place).copyMemory(from: texts + offset, byteCount: count)
            unsafe slot.storeBytes(of: slots + place - slot, as: Int.self)
            place &+= count
        }
        return model
    }
}
