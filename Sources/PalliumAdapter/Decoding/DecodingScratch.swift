import PalliumCore
import PalliumJSON

/// Memory in which the decoder puts models together whose URLs are packed.
///
/// A model is allocated when its object has ended, since only then the lengths of its texts are known: object, slots and
/// texts are then one block. Nested objects are put together on top of the ones around them:
///
/// ```
///   memory   [ issue: states, slots | user: states, slots |        free        ]
///   texts    [ html_url … | avatar_url … |  free  ]
/// ```
/// A model that finds no room has memory of its own from the beginning, and its URLs are not packed.
///
/// Safety: slots in `memory` belong to one frame, which moves them into a model or destroys them before it ends. The
/// memory does not move; `texts` may move, so slots hold offsets into it.
@safe
struct DecodingScratch: ~Copyable {
    private static let capacity = 8192
    /// The least number of bytes that are packed; shorter text needs no memory as a string.
    private static let shortest = 16

    /// Allocated at first use.
    private var memory: UnsafeMutableRawPointer?
    private var count = 0
    private var texts: UnsafeMutableRawPointer?
    private(set) var textCount = 0
    private var textCapacity = 0

    deinit {
        unsafe memory?.deallocate()
        unsafe texts?.deallocate()
    }

    /// Returns unset slots for a model, or nil if there is no room.
    @inline(__always)
    mutating func takeSlots(for plan: JSONPlan) -> SlotBlock? {
        let rawLayout = unsafe plan.rawLayout
        let size = unsafe rawLayout.pointee.slotCount &* 16 &- rawLayout.pointee.stateOffset
        guard Self.capacity &- count >= size else { return nil }
        if unsafe memory == nil { unsafe memory = .allocate(byteCount: Self.capacity, alignment: 16) }
        let states = unsafe memory.unsafelyUnwrapped + count
        unsafe states.initializeMemory(as: UInt8.self, repeating: 0, count: rawLayout.pointee.slotCount)
        count &+= size
        return unsafe SlotBlock(states - rawLayout.pointee.stateOffset, rawLayout)
    }

    /// Keeps the text of a slot, a plain URL, for the block of its model. Returns false, with nothing done, if the slot is not
    /// in `memory` or the text too short.
    ///
    /// A plain URL has at most 8,192 bytes and a model at most 65,536 slots, so its texts have fewer than 2³² bytes.
    @inline(__always)
    mutating func pack(_ text: borrowing TokenText, in slot: TypedSlot<StoredURL>) -> Bool {
        let count = text.count
        guard unsafe slot.isInside(memory, byteCount: Self.capacity), count >= Self.shortest else { return false }
        if textCapacity &- textCount < count { growTexts(for: count) }
        unsafe text.copy(to: texts.unsafelyUnwrapped + textCount)
        unsafe slot.store(packed: textCount, count: count)
        textCount &+= count
        return true
    }

    @inline(never)
    private mutating func growTexts(for additional: Int) {
        textCapacity = max(1024, (textCapacity + additional) * 2)
        let grown = UnsafeMutableRawPointer.allocate(byteCount: textCapacity, alignment: 1)
        if let texts = unsafe texts {
            unsafe grown.copyMemory(from: texts, byteCount: textCount)
            unsafe texts.deallocate()
        }
        unsafe texts = grown
    }

    /// Moves the slots that were taken last, for the same plan, into a model.
    @unsafe @inline(__always)
    mutating func makeModel(_ plan: JSONPlan, _ slots: SlotBlock, textStart: Int) -> DynamicModel {
        unsafe slots.withMemory { slots in
            // Without packed text, the address is not used.
            let model = unsafe DynamicModel.make(plan.rawLayout, plan.modelClass, moving: slots, texts: texts ?? slots)
            unsafe release(slots, plan.rawLayout, textStart: textStart)
            return model
        }
    }

    /// Destroys the slots that were taken last, for the same plan.
    @unsafe
    mutating func destroy(_ slots: SlotBlock, _ plan: JSONPlan, textStart: Int) {
        unsafe slots.withMemory { memory in
            for number in 0..<slots.count { unsafe ModelLayout.slot(number, in: memory, plan.rawLayout).clear() }
            unsafe release(memory, plan.rawLayout, textStart: textStart)
        }
    }

    @inline(__always)
    private mutating func release(
        _ slots: UnsafeMutableRawPointer, _ rawLayout: UnsafePointer<RawLayout>, textStart: Int
    ) {
        // Slots were taken from the memory.
        count = unsafe slots + rawLayout.pointee.stateOffset - memory.unsafelyUnwrapped
        assert(count >= 0 && count < Self.capacity && textStart <= textCount)
        textCount = textStart
    }
}
