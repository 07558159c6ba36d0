import PalliumCore

/// The slots of a model, and their states.
///
/// Safety: whoever makes one promises that the memory has the slots and states of the layout, and that it lives and stays
/// in place as long as the block is used.
@safe
struct SlotBlock {
    private let memory: UnsafeMutableRawPointer
    private let states: UnsafeMutablePointer<UInt8>
    let count: Int

    @unsafe @_transparent
    init(_ memory: UnsafeMutableRawPointer, _ rawLayout: UnsafePointer<RawLayout>) {
        unsafe self.memory = memory
        unsafe states = (memory + rawLayout.pointee.stateOffset).assumingMemoryBound(to: UInt8.self)
        count = unsafe rawLayout.pointee.slotCount
    }

    /// The slots of a model, which the caller holds.
    @unsafe @_transparent
    init(of model: DynamicModel) { unsafe self.init(model.slots, model.rawLayout) }

    /// The elements of a list, which the caller holds and nobody changes.
    @unsafe
    init(of list: SlotList) {
        count = list.count
        let first = count == 0 ? nil : list.slot(at: 0)
        unsafe memory = first?.pointer ?? Self.nowhere
        unsafe states = first?.state ?? memory.assumingMemoryBound(to: UInt8.self)
    }

    private init() {
        unsafe memory = Self.nowhere
        unsafe states = memory.assumingMemoryBound(to: UInt8.self)
        count = 0
    }

    /// The address of no slots: it is never read, and only has to be aligned and not nil.
    private static var nowhere: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(bitPattern: 16)! }

    /// The block of frames without slots.
    static var none: SlotBlock { SlotBlock() }

    @_transparent
    private func check(_ number: Int) { precondition(UInt(bitPattern: number) < UInt(bitPattern: count)) }

    /// The state of a slot.
    subscript(number: Int) -> SlotState {
        @_transparent get {
            check(number)
            return unsafe SlotState(rawValue: states[number])
        }
    }

    /// Forgets that the document mentions the property of a slot that has no value.
    func clearMention(_ number: Int) {
        precondition(self[number].isUnset)
        unsafe states[number] = SlotState.unset.rawValue
    }

    /// A slot to fill. The value must be that of the slot in the plan of the model.
    @unsafe @_transparent
    func writable(_ number: Int, _ value: ValueHandle) -> WritableSlot {
        check(number)
        return unsafe WritableSlot(memory + number &* 16, states + number, value)
    }

    /// A slot to fill, by the number and the value of an entry for the model.
    @unsafe @_transparent
    func writable(by entry: DecodingNode.Entry, _ value: ValueHandle) -> WritableSlot {
        assert(UInt(bitPattern: entry.slot) < UInt(bitPattern: count))
        return unsafe WritableSlot(memory + entry.slot &* 16, states + entry.slot, value)
    }

    /// The state of a slot of the model, by a number that its plan knows.
    @unsafe @_transparent
    func state(of number: Int) -> SlotState {
        assert(UInt(bitPattern: number) < UInt(bitPattern: count))
        return unsafe SlotState(rawValue: states[number])
    }

    /// A slot to read. The value must be that of the slot in the plan of the model, or of the elements of the list.
    @unsafe @_transparent
    func readable(_ number: Int, _ value: ValueHandle) -> ReadableSlot {
        check(number)
        return unsafe ReadableSlot(memory + number &* 16, states + number, value)
    }

    /// The number of one of the slots.
    func number(of slot: WritableSlot) -> Int { unsafe (slot.property.pointer - memory) / 16 }

    /// Calls a function with the memory.
    @unsafe @_transparent
    func withMemory<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result { unsafe body(memory) }
}
