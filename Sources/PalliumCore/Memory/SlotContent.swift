/// A value in a slot, with its kind.
///
/// Safety: `ModelSlots` and `PropertySlot` make one only of a slot that has a value, which is of the kind, and whose owner
/// lives and is not changed as long as this is used. A member that gives objects checks the kind.
@frozen
@usableFromInline
@safe
package struct SlotContent {
    @usableFromInline let pointer: UnsafeRawPointer
    @usableFromInline package let state: SlotState
    @usableFromInline package let kind: SlotKind

    @unsafe @inlinable @inline(__always)
    init(_ pointer: UnsafeRawPointer, _ state: SlotState, _ kind: SlotKind) {
        assert(state.hasValue)
        unsafe self.pointer = pointer
        self.state = state
        self.kind = kind
    }

    /// Compares two values of one kind, which are neither models nor collections.
    @inline(__always)
    package func isEqual(to other: SlotContent) -> Bool {
        precondition(kind == other.kind)
        return unsafe SlotOperations.equalScalars(pointer, state, other.pointer, other.state, kind: kind)
    }

    /// Hashes a value that is neither a model nor a collection.
    @inline(__always)
    func hash(into hasher: inout Hasher) {
        unsafe SlotOperations.hashScalar(pointer, state, kind: kind, into: &hasher)
    }

    /// Whether two models or collections are the same object.
    @inlinable @inline(__always)
    package func isIdentical(to other: SlotContent) -> Bool {
        // Any slot has a word.
        assert(kind.mayHoldModels && other.kind.mayHoldModels)
        return unsafe pointer.load(as: UnsafeRawPointer.self) == other.pointer.load(as: UnsafeRawPointer.self)
    }

    /// The integer of a slot that holds one; nil for other kinds.
    @inlinable
    package var integer: Int64? {
        @inline(__always) get { kind == .integer ? unsafe pointer.load(as: Int64.self) : nil }
    }

    /// The model of a slot that holds one.
    @inlinable
    package var model: Unowned<DynamicModel> {
        @inline(__always) get {
            precondition(kind == .model)
            return unsafe Unowned(.fromOpaque(pointer.load(as: UnsafeRawPointer.self)))
        }
    }

    /// The list of a slot that holds an array, a set or a dictionary.
    package var list: SlotList {
        @inline(__always) get {
            precondition(kind == .array || kind == .set || kind == .dictionary)
            return unsafe SlotOperations.box(SlotList.self, pointer)
        }
    }

    /// The entries of a slot that holds a dictionary.
    package var dictionary: SlotDictionary {
        @inline(__always) get {
            precondition(kind == .dictionary)
            return unsafe SlotOperations.box(SlotDictionary.self, pointer)
        }
    }
}

extension PropertySlot {
    /// The value of the slot; nil if it has none.
    package var content: SlotContent? {
        @inline(__always) get {
            let state = slotState
            guard state.hasValue else { return nil }
            return unsafe SlotContent(pointer, state, kind)
        }
    }
}
