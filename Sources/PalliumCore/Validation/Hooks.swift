// Safety: a temporary slot owns 18 bytes, of which the last two are its state and its kind, and gives its content back before
// they are freed, by that kind: changes keep such slots, and the description may go first. Slots that hand over their content are of one description.

/// What a validator may want to know about the value it sees.
public struct ValidationContext: Sendable {
    /// The schema of the model.
    public let schema: String
    /// The key of the property.
    public let property: String
}

/// A check of one property's value that may also correct it.
package struct PropertyValidator: Sendable, Hashable {
    private final class Identity: Sendable {}

    private let identity = Identity()
    /// The accessor type the check asks for.
    package let valueType: any PropertyValue.Type
    /// Runs the check on a slot; a corrected value is stored, an accepted one leaves the slot alone.
    package let run: @Sendable (PropertySlot, ValidationContext) throws -> Void

    package init<Value: PropertyValue>(_ check: @escaping @Sendable (inout Value, ValidationContext) throws -> Void) {
        valueType = Value.self
        run = { slot, context in
            // A plain type is that of a property which must have a value; one that has none is missing.
            guard slot.hasValue || Value._isOptional else { return }
            var value = Value._load(slot)
            let wasNil = value._isNil
            try check(&value, context)
            // Nil that stays nil is no correction: it may stand for nothing, or for what the type cannot show (an unknown
            // case, a weak model that is gone).
            if wasNil, value._isNil { return }
            try slot.storeIfDifferent(value)
        }
    }

    // Closures cannot be compared; copies of one validator are the same, two validators never.
    package static func == (left: PropertyValidator, right: PropertyValidator) -> Bool {
        left.identity === right.identity
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

/// An optional of any type, to see whether it is nil.
private protocol NilTestable {
    var isNil: Bool { get }
}

extension Optional: NilTestable {
    fileprivate var isNil: Bool {
        if case .none = self { true } else { false }
    }
}

extension PropertyValue {
    fileprivate var _isNil: Bool { (self as? any NilTestable)?.isNil == true }
}

/// Code that runs on a whole model.
package struct ModelHook: Sendable, Hashable {
    private final class Identity: Sendable {}

    private let identity = Identity()
    package let run: @Sendable (DynamicModel) throws -> Void

    package init(_ run: @escaping @Sendable (DynamicModel) throws -> Void) { self.run = run }

    package static func == (left: ModelHook, right: ModelHook) -> Bool { left.identity === right.identity }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

extension PropertySlot {
    /// Stores a value unless the slot holds an equal one: an accepted value is not reassigned (conformance C073).
    package func storeIfDifferent(_ value: some PropertyValue) throws(ModelError) {
        let temporary = unsafe TemporarySlot(descriptor: descriptor)
        try value._store(temporary.slot)
        if !ModelComparison.equal(self, temporary.slot) { takeContent(of: temporary.slot) }
    }

    /// Whether another slot of the same description holds the very same content, which is not only equal.
    @inline(__always)
    package func holdsSameBytes(as other: PropertySlot) -> Bool {
        typealias Bytes = (UInt64, UInt64)
        return unsafe state.pointee == other.state.pointee
            && pointer.loadUnaligned(as: Bytes.self) == other.pointer.loadUnaligned(as: Bytes.self)
    }

    /// Moves the content of another slot of the same description into this one.
    package func takeContent(of other: PropertySlot) {
        clear()
        unsafe pointer.copyMemory(from: other.pointer, byteCount: 16)
        slotState = other.slotState
        other.slotState = .unset
    }
}

/// A slot outside any model, for a value on its way.
package final class TemporarySlot {
    package let slot: PropertySlot

    package init(descriptor: Unmanaged<ValueDescriptor>) {
        let memory = unsafe SlotMemory.allocate(byteCount: 18)
        unsafe memory.storeBytes(of: 0, toByteOffset: 16, as: UInt8.self)
        unsafe memory.storeBytes(
            of: descriptor._withUnsafeGuaranteedRef { $0.kind }, toByteOffset: 17, as: SlotKind.self)
        slot = unsafe PropertySlot(
            pointer: memory, state: (memory + 16).assumingMemoryBound(to: UInt8.self), descriptor: descriptor)
    }

    /// A copy of what another slot holds.
    package convenience init(copying other: PropertySlot) {
        unsafe self.init(descriptor: other.descriptor)
        slot.copyContent(of: other)
    }

    deinit {
        let state = slot.slotState
        if state.hasValue {
            unsafe SlotOperations.destroy(
                slot.pointer, kind: slot.pointer.load(fromByteOffset: 17, as: SlotKind.self), state: state)
        }
        unsafe SlotMemory.deallocate(slot.pointer)
    }
}

extension PropertySlot {
    /// A slot on the stack for the time of a call, unset before and cleared after it.
    @inlinable @inline(__always)
    package static func withTemporary<Result, Failure: Error>(
        _ descriptor: Unmanaged<ValueDescriptor>, _ body: (PropertySlot) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var memory: (UInt64, UInt64, UInt8) = (0, 0, SlotState.unset.rawValue)
        return try unsafe withUnsafeMutablePointer(to: &memory) { memory throws(Failure) in
            // The state stands behind the 16 bytes of the value, as in `TemporarySlot`.
            let bytes = UnsafeMutableRawPointer(memory)
            let slot = unsafe PropertySlot(
                pointer: bytes, state: (bytes + 16).assumingMemoryBound(to: UInt8.self), descriptor: descriptor)
            defer { slot.clear() }
            return try body(slot)
        }
    }
}
