import PalliumCore

/// A slot to fill, with the table of its value.
///
/// A value can be stored only as the type that the operation of its table says; `typed` tells which one that is. What stores
/// a value writes the state as well.
///
/// Safety: whoever makes one promises that the slot and its state belong together, that the value is of the slot's kind, and
/// that the owner of the slot lives, and does not move its slots, as long as the handle is used.
@safe
struct WritableSlot {
    let value: ValueHandle
    fileprivate let memory: UnsafeMutableRawPointer
    fileprivate let stateByte: UnsafeMutablePointer<UInt8>

    @unsafe @_transparent
    init(_ memory: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>, _ value: ValueHandle) {
        self.value = value
        unsafe self.memory = memory
        unsafe stateByte = state
    }

    @unsafe @_transparent
    init(_ slot: PropertySlot, _ value: ValueHandle) { unsafe self.init(slot.pointer, slot.state, value) }

    var state: SlotState { @_transparent get { unsafe SlotState(rawValue: stateByte.pointee) } }
    /// Whether the slot has a value, is null, or its member came already.
    var isTaken: Bool { @_transparent get { unsafe stateByte.pointee != 0 } }

    /// Makes the unset slot null.
    @_transparent
    func setNull() {
        assert(!state.hasValue)
        unsafe stateByte.pointee = SlotState.null.rawValue
    }

    /// Marks the slot, which has no value, because the document mentions its member.
    @_transparent
    func mention() {
        assert(!state.hasValue)
        unsafe stateByte.pointee = SlotState.mentioned.rawValue
    }

    /// Stores a model or a list of the value's kind, with a reference that the caller owns.
    @unsafe @_transparent
    func store(owned object: Unmanaged<AnyObject>) {
        unsafe memory.storeBytes(of: UnsafeRawPointer(object.toOpaque()), as: UnsafeRawPointer.self)
        unsafe stateByte.pointee = SlotState.value.rawValue
    }

    /// The slot for functions of all kinds.
    var property: PropertySlot {
        @_transparent get {
            unsafe PropertySlot(pointer: memory, state: stateByte, descriptor: value.descriptor.reference)
        }
    }
}

extension WritableSlot {
    /// The slot by the type of its values, of those that are stored without a call.
    enum Typed {
        case string(TypedSlot<String>)
        case integer(TypedSlot<Int64>)
        case url(TypedSlot<StoredURL>)
        case date(TypedSlot<SpelledDate>)
        case enumeration(TypedSlot<StoredCase>)
        case bool(TypedSlot<StoredBool>)
        case double(TypedSlot<SpelledDate>)
        case model, list, dictionary, other
    }

    var typed: Typed {
        @inline(__always) get {
            switch value.operation {
            case .string: .string(TypedSlot(self))
            case .integer: .integer(TypedSlot(self))
            case .url: .url(TypedSlot(self))
            case .iso8601Date: .date(TypedSlot(self))
            case .enumeration: .enumeration(TypedSlot(self))
            case .bool: .bool(TypedSlot(self))
            case .double, .storedDate: .double(TypedSlot(self))
            case .model, .modelOrIdentity: .model
            case .array, .set: .list
            case .dictionary: .dictionary
            case .number, .text, .unixSeconds, .unixMilliseconds, .json, .transformed, .absent: .other
            }
        }
    }
}

/// A slot to fill with values of one type.
///
/// Safety: only `WritableSlot.typed` makes one, for a value whose operation stores the type.
@safe
struct TypedSlot<Stored> {
    let slot: WritableSlot

    @_transparent
    fileprivate init(_ slot: WritableSlot) { self.slot = slot }

    var value: ValueHandle { @_transparent get { slot.value } }

    @_transparent
    fileprivate func store(_ value: Stored, _ state: SlotState) {
        assert(!slot.state.hasValue)
        unsafe slot.memory.initializeMemory(as: Stored.self, to: value)
        unsafe slot.stateByte.pointee = state.rawValue
    }
}

/// The text of a URL, as a string or packed.
struct StoredURL { fileprivate let text: String }
/// The number of an enumeration's case.
struct StoredCase { fileprivate let number: Int }
/// A truth value, in a word.
struct StoredBool { fileprivate let word: UInt64 }

extension TypedSlot<String> {
    @_transparent func store(_ text: String) { store(text, .value) }
}

extension TypedSlot<Int64> {
    @_transparent func store(_ integer: Int64) { store(integer, .value) }
}

extension TypedSlot<SpelledDate> {
    /// Stores a date with its spelling, or a number.
    @_transparent func store(_ date: SpelledDate) { store(date, .value) }
}

extension TypedSlot<StoredCase> {
    @_transparent func store(number: Int) { store(StoredCase(number: number), .enumerationCase) }
}

extension TypedSlot<StoredBool> {
    @_transparent func store(_ bool: Bool) { store(StoredBool(word: bool ? 1 : 0), .value) }
}

extension TypedSlot<StoredURL> {
    @_transparent func store(_ text: String) { store(StoredURL(text: text), .value) }

    /// Whether the slot is in a block of memory.
    @_transparent
    func isInside(_ memory: UnsafeMutableRawPointer?, byteCount: Int) -> Bool {
        unsafe UInt(bitPattern: slot.memory) &- UInt(bitPattern: memory) < UInt(bitPattern: byteCount)
    }

    /// Stores where the text is in the texts of the decoder's scratch memory, to which the slot belongs.
    @unsafe @_transparent
    func store(packed offset: Int, count: Int) {
        unsafe slot.memory.storeBytes(of: (offset, count), as: (Int, Int).self)
        unsafe slot.stateByte.pointee = SlotState.packedValue.rawValue
    }
}
