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
    package final func slot(at index: Int) -> PropertySlot { unsafe ModelLayout.slot(index, in: slots, rawLayout) }

    /// The states of the slots.
    package final var stateBytes: UnsafeMutablePointer<UInt8> {
        unsafe (slots + rawLayout.pointee.stateOffset).assumingMemoryBound(to: UInt8.self)
    }
}
