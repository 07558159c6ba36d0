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

        /// Whether the values are equal, which are neither models nor collections. Both slots must have one.
        var isEqualScalar: Bool {
            @inline(__always) get {
                precondition(leftState.hasValue && rightState.hasValue)
                return unsafe SlotOperations.equalScalars(left, leftState, right, rightState, kind: kind)
            }
        }

        /// The models or collections. Both slots must have one.
        var references: ReferencePair {
            @inline(__always) get {
                precondition(leftState.hasValue && rightState.hasValue && kind.mayHoldModels)
                return unsafe ReferencePair(left: left, right: right, kind: kind)
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

/// The models or collections of two slots of one kind.
///
/// Safety: made only of slots with values of the kind, whose owners live and are not changed as long as this is used.
@safe
struct ReferencePair {
    let kind: SlotKind
    private let left: UnsafeRawPointer
    private let right: UnsafeRawPointer

    @unsafe @inline(__always)
    fileprivate init(left: UnsafeRawPointer, right: UnsafeRawPointer, kind: SlotKind) {
        unsafe self.left = left
        unsafe self.right = right
        self.kind = kind
    }

    /// The references in two slots of one kind that have a value; nil for other slots.
    @inline(__always)
    init?(_ left: PropertySlot, _ right: PropertySlot) {
        let kind = left.kind
        guard left.hasValue, right.hasValue, kind.mayHoldModels, right.kind == kind else { return nil }
        unsafe self.init(left: left.pointer, right: right.pointer, kind: kind)
    }

    /// Whether both are the same object.
    var isIdentical: Bool {
        @inline(__always) get {
            unsafe left.load(as: UnsafeRawPointer.self) == right.load(as: UnsafeRawPointer.self)
        }
    }

    var models: (Unowned<DynamicModel>, Unowned<DynamicModel>) {
        @inline(__always) get {
            // An invariant, which the caller has asked for.
            precondition(kind == .model)
            return unsafe (
                Unowned(.fromOpaque(left.load(as: UnsafeRawPointer.self))),
                Unowned(.fromOpaque(right.load(as: UnsafeRawPointer.self)))
            )
        }
    }

    var lists: (SlotList, SlotList) {
        @inline(__always) get {
            // An invariant, which the caller has asked for.
            precondition(kind != .model)
            return unsafe (SlotOperations.box(SlotList.self, left), SlotOperations.box(SlotList.self, right))
        }
    }

    var dictionaries: (SlotDictionary, SlotDictionary) {
        @inline(__always) get {
            // An invariant, which the caller has asked for.
            precondition(kind == .dictionary)
            return unsafe (
                SlotOperations.box(SlotDictionary.self, left), SlotOperations.box(SlotDictionary.self, right)
            )
        }
    }
}
