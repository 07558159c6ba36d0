/// The slots of a model by their numbers, with their states and kinds.
///
/// Safety: a model makes one of its slots and its layout, so both fit. Numbers are compared with `count`, which is that
/// of the layout. Whoever uses it holds the model; the slots of a model do not move.
@frozen
@usableFromInline
@safe
package struct ModelSlots {
    @usableFromInline let memory: UnsafeMutableRawPointer
    @usableFromInline let rawLayout: UnsafePointer<RawLayout>
    /// The number of slots. Slots are numbered from 0.
    @usableFromInline package let count: Int

    @unsafe @inlinable @inline(__always)
    init(memory: UnsafeMutableRawPointer, rawLayout: UnsafePointer<RawLayout>) {
        unsafe self.memory = memory
        unsafe self.rawLayout = rawLayout
        unsafe count = rawLayout.pointee.slotCount
    }

    @inlinable package var layout: LayoutIdentifier {
        @inline(__always) get { unsafe LayoutIdentifier(rawLayout) }
    }

    @inlinable
    package subscript(number: Int) -> PropertySlot {
        @inline(__always) get {
            check(number)
            return unsafe PropertySlot(
                pointer: memory + number &* 16, state: states + number,
                descriptor: rawLayout.pointee.descriptors[number])
        }
    }

    /// The slot of a number that is known to be one of the layout.
    @unsafe @inlinable
    package subscript(known number: Int) -> PropertySlot {
        @inline(__always) get {
            assert(number >= 0 && number < count)
            return unsafe PropertySlot(number, in: memory, rawLayout)
        }
    }

    @inlinable @inline(__always)
    package func state(of number: Int) -> SlotState {
        check(number)
        return unsafe SlotState(rawValue: states[number])
    }

    @inlinable @inline(__always)
    package func kind(of number: Int) -> SlotKind {
        check(number)
        return unsafe rawLayout.pointee.kinds[number]
    }

    /// The value of a slot; nil if it has none.
    @inlinable @inline(__always)
    package func content(of number: Int) -> SlotContent? {
        check(number)
        let state = unsafe SlotState(rawValue: states[number])
        guard state.hasValue else { return nil }
        return unsafe SlotContent(memory + number &* 16, state, rawLayout.pointee.kinds[number])
    }

    /// Calls a function with the number and the value of each slot that is part of hashes and has one.
    @inline(__always)
    func forEachPermanentContent(_ body: (Int, SlotContent) -> Void) {
        let (states, kinds, flags) = unsafe (states, rawLayout.pointee.kinds, rawLayout.pointee.flags)
        for number in 0..<count where unsafe flags[number].contains(.permanent) {
            let state = unsafe SlotState(rawValue: states[number])
            guard state.hasValue else { continue }
            unsafe body(number, SlotContent(memory + number &* 16, state, kinds[number]))
        }
    }

    /// Asks the processor for the models and lists that the model holds.
    @inline(__always)
    package func prefetchHeld() { unsafe DynamicModel.prefetchHeld(memory, rawLayout) }

    @inlinable
    var states: UnsafeMutablePointer<UInt8> {
        @inline(__always) get {
            unsafe (memory + rawLayout.pointee.stateOffset).assumingMemoryBound(to: UInt8.self)
        }
    }

    @inlinable @inline(__always)
    func check(_ number: Int) {
        // An invariant of the library, checked for every slot.
        precondition(UInt(bitPattern: number) < UInt(bitPattern: count))
    }
}

extension DynamicModel {
    @inlinable package final var modelSlots: ModelSlots {
        @inline(__always) get { unsafe ModelSlots(memory: slots, rawLayout: rawLayout) }
    }
}
