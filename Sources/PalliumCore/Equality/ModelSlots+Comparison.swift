/// Compares the slots of two models in one loop.
///
/// Safety: the slots that a layout names as compared are below its number of slots, and an equal layout has as many slots of
/// the same kinds. Both models live and are not changed during the call.
extension ModelSlots {
    /// The states of two slots of one number, their kind, and their values.
    @safe
    struct Pair {
        let leftState: SlotState
        let rightState: SlotState
        let kind: SlotKind
        fileprivate let left: UnsafeRawPointer
        fileprivate let right: UnsafeRawPointer

        /// The values. Both slots must have one.
        var contents: (SlotContent, SlotContent) {
            @inline(__always) get {
                precondition(leftState.hasValue && rightState.hasValue)
                return unsafe (SlotContent(left, leftState, kind), SlotContent(right, rightState, kind))
            }
        }
    }

    /// Calls a function with the slots that `==` compares, of this and another model, until it returns false. Returns
    /// false also if the layouts are not equal.
    @inline(__always)
    func comparePermanent(with other: ModelSlots, _ isEqual: (Pair) -> Bool) -> Bool {
        if unsafe rawLayout != other.rawLayout {
            guard
                unsafe rawLayout.pointee.layout.takeUnretainedValue().isEqual(
                    to: other.rawLayout.pointee.layout.takeUnretainedValue())
            else { return false }
        }
        let (leftStates, rightStates, compared) = unsafe (states, other.states, rawLayout.pointee.compared)
        for number in 0..<comparedCount {
            let (index, kind) = unsafe (Int(compared[number].index), compared[number].kind)
            assert(index < count && index < other.count && kind == other.kind(of: index))
            let pair = unsafe Pair(
                leftState: SlotState(rawValue: leftStates[index]), rightState: SlotState(rawValue: rightStates[index]),
                kind: kind, left: memory + index &* 16, right: other.memory + index &* 16)
            if !isEqual(pair) { return false }
        }
        return true
    }

    /// The number of slots that `==` compares.
    var comparedCount: Int { @inline(__always) get { unsafe rawLayout.pointee.comparedCount } }

    /// The number of one of the slots that `==` compares.
    func comparedNumber(_ index: Int) -> Int {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: comparedCount))
        return unsafe Int(rawLayout.pointee.compared[index].index)
    }
}
