// Makes models whose slots stand in the block of the object (see `ModelStorage`).
//
// Safety: the block has the size that `ModelStorage` gives for the layout and the number of bytes of text, and all of it
// that a reader looks at is initialised before other code sees the model.
extension DynamicModel {
    /// Makes a model of a class whose slots are all unset, in one block if that is possible.
    @inline(__always)
    package static func make(
        _ rawLayout: UnsafePointer<RawLayout>, _ modelClass: DynamicModel.Type, textCount: Int = 0
    ) -> DynamicModel {
        guard unsafe rawLayout.pointee.oneBlockClass == ObjectIdentifier(modelClass) || modelClass == DynamicModel.self
        else { return unsafe modelClass.init(storage: ModelStorage(rawLayout, textCount: textCount)) }
        let start = unsafe ModelStorage.objectSize &- rawLayout.pointee.stateOffset
        let object = unsafe SlotMemory.allocate(
            modelClass, byteCount: start &+ rawLayout.pointee.slotCount &* 16 &+ textCount)
        let word = MemoryLayout<Int>.size
        // The stored properties of the class, in the order of their declarations.
        unsafe object.storeBytes(of: rawLayout, toByteOffset: 2 * word, as: UnsafePointer<RawLayout>.self)
        unsafe object.storeBytes(of: object + start, toByteOffset: 3 * word, as: UnsafeMutableRawPointer.self)
        unsafe object.storeBytes(of: 0, toByteOffset: 4 * word, as: Int.self)
        unsafe ModelStorage.initialize(object + start, rawLayout, textCount)
        if let registry = unsafe rawLayout.pointee.registry { _ = unsafe registry.retain() }
        return unsafe Unmanaged<DynamicModel>.fromOpaque(object).takeRetainedValue()
    }

    /// Whether the slots stand behind the object, in its block.
    @inline(__always)
    final var isOneBlock: Bool {
        unsafe slots + rawLayout.pointee.stateOffset == Unmanaged.passUnretained(self).toOpaque()
            + ModelStorage.objectSize
    }
}

extension DynamicModel {
    /// The number of bytes of text behind the slots.
    final var textCount: Int { unsafe Int((slots - 4).load(as: UInt32.self)) }

    /// Makes a model of slots that were put together elsewhere, with their texts behind them.
    ///
    /// The values move into the model, so the memory they came from is uninitialised afterwards.
    ///
    /// - Parameter texts: Where packed slots have their text: such a slot holds an offset and a number of bytes, of which
    ///   all slots together have fewer than 2³².
    package static func make(
        _ rawLayout: UnsafePointer<RawLayout>, _ modelClass: DynamicModel.Type, moving source: UnsafeMutableRawPointer,
        texts: UnsafeRawPointer
    ) -> DynamicModel {
        let states = unsafe source + rawLayout.pointee.stateOffset
        let managed = unsafe rawLayout.pointee.managed
        func isPacked(_ number: Int) -> Bool {
            unsafe SlotState(rawValue: states.load(fromByteOffset: Int(managed[number]), as: UInt8.self)).isPacked
        }
        var textCount = 0
        for number in managed.indices where isPacked(number) {
            unsafe textCount &+= source.load(fromByteOffset: Int(managed[number]) &* 16, as: (Int, Int).self).1
        }
        let model = unsafe make(rawLayout, modelClass, textCount: textCount)
        let slots = unsafe model.slots
        unsafe slots.copyMemory(from: source, byteCount: rawLayout.pointee.slotCount &* 16)
        unsafe (slots + rawLayout.pointee.stateOffset).copyMemory(from: states, byteCount: rawLayout.pointee.slotCount)
        var end = unsafe rawLayout.pointee.slotCount &* 16
        for number in managed.indices where isPacked(number) {
            let slot = unsafe slots + Int(managed[number]) &* 16
            let (offset, count) = unsafe slot.load(as: (Int, Int).self)
            unsafe (slots + end).copyMemory(from: texts + offset, byteCount: count)
            unsafe slot.storeBytes(of: slots + end - slot, as: Int.self)
            end &+= count
        }
        return model
    }
}
