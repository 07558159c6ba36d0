/// The slots of a model by their numbers, for code that does not count in pointers.
///
/// Safety: the raw layout and the slots live as long as the model.
extension DynamicModel {
    /// The numbers of all slots.
    @inlinable package final var slotIndices: Range<Int> { unsafe 0..<rawLayout.pointee.slotCount }

    /// The numbers of the slots that `==` compares. The caller holds the model while it uses them.
    @inlinable
    package final var comparedSlotIndices: some Sequence<Int> {
        let rawLayout = unsafe rawLayout
        return unsafe (0..<rawLayout.pointee.comparedCount).lazy.map {
            unsafe Int(rawLayout.pointee.compared[$0].index)
        }
    }

    /// The numbers of the slots that may hold models, or are lists. The caller holds the model while it uses them.
    @inlinable
    package final var holderIndices: some BidirectionalCollection<Int> {
        let rawLayout = unsafe rawLayout
        return unsafe (0..<rawLayout.pointee.holders.count).lazy.map { unsafe Int(rawLayout.pointee.holders[$0]) }
    }

    @inlinable @inline(__always)
    package final func slot(at index: Int) -> PropertySlot {
        // Numbers come from the layout.
        unsafe assert(index >= 0 && index < rawLayout.pointee.slotCount)
        return unsafe PropertySlot(index, in: slots, rawLayout)
    }

    /// The states of the slots.
    package final var stateBytes: UnsafeMutablePointer<UInt8> {
        unsafe (slots + rawLayout.pointee.stateOffset).assumingMemoryBound(to: UInt8.self)
    }

    /// The model without reference counting, for somebody who holds it.
    @inlinable package final var unowned: Unowned<DynamicModel> { @inline(__always) get { unsafe Unowned(self) } }

    /// Whether a slot is that of a number.
    final func isSlot(_ number: Int, _ slot: PropertySlot) -> Bool {
        unsafe self.slot(at: number).pointer == slot.pointer
    }

    /// The number of a slot of the model.
    final func number(of slot: PropertySlot) -> Int { unsafe (slot.pointer - slots) / 16 }
}

extension DynamicModel {
    /// Releases the values in the slots, and their memory if that is not part of the object.
    @unsafe @inline(__always)
    final func releaseSlots() {
        let rawLayout = unsafe rawLayout
        let states = unsafe slots + rawLayout.pointee.stateOffset
        unsafe Self.prefetchHeld(slots, rawLayout)
        for number in unsafe rawLayout.pointee.managed.indices {
            let index = unsafe Int(rawLayout.pointee.managed[number])
            let state = unsafe SlotState(rawValue: states.load(fromByteOffset: index, as: UInt8.self))
            guard state.hasValue else { continue }
            let kind = unsafe rawLayout.pointee.kinds[index]
            let pointer = unsafe slots + index &* 16
            if kind.mayHoldModels {
                unsafe ReleaseQueue.release(Unmanaged<AnyObject>.fromOpaque(pointer.load(as: UnsafeRawPointer.self)))
            } else {
                unsafe SlotOperations.destroy(pointer, kind: kind, state: state)
            }
        }
        if !isOneBlock { unsafe ModelStorage.deallocate(slots, rawLayout) }
        // Last, because this may free the layout. Objects in the release queue do not need it.
        if let registry = unsafe rawLayout.pointee.registry { unsafe registry.release() }
    }

    /// Copies the slots into a new model of a class and of the same layout.
    final func copyBlock(in modelClass: DynamicModel.Type) -> DynamicModel {
        let rawLayout = unsafe rawLayout
        let copy = unsafe DynamicModel.make(rawLayout, modelClass, textCount: textCount)
        // Plain bytes are copied at once; values that own memory are then copied one by one.
        unsafe copy.stateBytes.update(from: stateBytes, count: rawLayout.pointee.slotCount)
        unsafe copy.slots.copyMemory(from: slots, byteCount: rawLayout.pointee.slotCount &* 16 &+ textCount)
        let kinds = unsafe rawLayout.pointee.kinds
        let states = unsafe (slots + rawLayout.pointee.stateOffset).assumingMemoryBound(to: UInt8.self)
        for number in unsafe rawLayout.pointee.managed.indices {
            let index = unsafe Int(rawLayout.pointee.managed[number])
            let state = unsafe SlotState(rawValue: states[index])
            guard state.hasValue else { continue }
            unsafe SlotOperations.copy(
                from: slots + index &* 16, to: copy.slots + index &* 16, kind: kinds[index], state: state)
        }
        return copy
    }

    /// The model as one of a class that it was made for. The class is compared, which is enough for nearly all models.
    @inlinable @inline(__always)
    package final func known<Model: DynamicModel>(as modelClass: Model.Type) -> Model {
        if type(of: self) == modelClass { return unsafe unsafeDowncast(self, to: modelClass) }
        // Proof: the caller has the model from a plan or a copy for `Model`, so its class is that or one below it. The cast
        // compares them, and a mistake traps here instead of reading a model as what it is not.
        return self as! Model
    }
}

extension PropertySlot {
    /// The slot of a number among the slots of a model.
    @unsafe @inlinable @inline(__always)
    init(_ number: Int, in slots: UnsafeMutableRawPointer, _ rawLayout: UnsafePointer<RawLayout>) {
        unsafe self.init(
            pointer: slots + number &* 16,
            state: (slots + (rawLayout.pointee.stateOffset &+ number)).assumingMemoryBound(to: UInt8.self),
            descriptor: rawLayout.pointee.descriptors[number])
    }
}
