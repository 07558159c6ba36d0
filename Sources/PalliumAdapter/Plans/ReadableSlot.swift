import Foundation
import PalliumCore

/// A slot to read, with the table of its value.
///
/// Safety: whoever makes one of addresses promises that the slot and its state belong together, that the value is of the
/// slot's kind, and that the owner of the slot lives as long as the handle is used.
@safe
struct ReadableSlot {
    let value: ValueHandle
    fileprivate let memory: UnsafeMutableRawPointer
    fileprivate let stateByte: UnsafeMutablePointer<UInt8>

    @unsafe @_transparent
    init(_ memory: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>, _ value: ValueHandle) {
        self.value = value
        unsafe self.memory = memory
        unsafe stateByte = state
    }

    /// Reads a slot that was made for a value, by the plan of the value. The caller holds both.
    @unsafe
    init(_ slot: PropertySlot, by plan: ValuePlan) {
        precondition(slot.description === plan.descriptor)
        unsafe self.init(slot.pointer, slot.state, plan.handle)
    }

    var state: SlotState { @_transparent get { unsafe SlotState(rawValue: stateByte.pointee) } }

    /// The slot with its value; nil if it has none.
    var filled: FilledSlot? { @_transparent get { state.hasValue ? FilledSlot(self) : nil } }

    /// The slot for functions of all kinds.
    var property: PropertySlot {
        unsafe PropertySlot(
            pointer: memory, state: stateByte, descriptor: value.descriptor.with { unsafe $0.reference })
    }
}

/// A slot that has a value, which is read as the type that its kind stores.
///
/// Safety: `ReadableSlot` makes one only if the slot has a value. The slot must not be written as long as this is used:
/// the encoder calls your code only when it does not use one any more.
@safe
struct FilledSlot {
    let slot: ReadableSlot

    @_transparent
    fileprivate init(_ slot: ReadableSlot) { self.slot = slot }

    var value: ValueHandle { @_transparent get { slot.value } }

    /// The values that are written without a call, by their types.
    enum Content {
        case text(SlotString)
        case packedText(PackedText)
        case integer(Int64)
        case bool(Bool)
        case date(SpelledDate)
        case enumerationCase(PaddedText)
        case model(Unowned<DynamicModel>)
        case elements(SlotElements)
        case other
    }

    var content: Content {
        @inline(__always) get {
            assert(slot.state.hasValue, "the slot was written meanwhile")
            let memory = unsafe slot.memory
            switch value.operation {
            case .string: return unsafe .text(SlotString(memory))
            case .integer: return unsafe .integer(memory.load(as: Int64.self))
            case .url where !slot.state.isBoxed:
                return unsafe slot.state.isPacked ? .packedText(PackedText(memory)) : .text(SlotString(memory))
            case .iso8601Date: return unsafe .date(memory.load(as: SpelledDate.self))
            case .enumeration where !slot.state.isBoxed:
                return .enumerationCase(value.caseText(unsafe memory.load(as: Int.self)))
            case .bool: return unsafe .bool(memory.load(as: UInt64.self) != 0)
            case .model: return .model(object())
            case .array, .set, .dictionary: return .elements(SlotElements(object(), value))
            default: return .other
            }
        }
    }

    /// The object that the slot refers to, of the class that its kind stores.
    @inline(__always)
    private func object<Object: AnyObject>() -> Unowned<Object> {
        let address = unsafe slot.memory.load(as: UnsafeRawPointer.self)
        unsafe assert(Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue() is Object)
        return unsafe Unowned(.fromOpaque(address))
    }
}

/// The elements of an array, set or dictionary in a slot.
///
/// Safety: only `FilledSlot` makes one, of the list in a slot and the value of the slot. A list in a model never changes.
@safe
struct SlotElements {
    let list: Unowned<SlotList>
    let value: ValueHandle

    @_transparent
    fileprivate init(_ list: Unowned<SlotList>, _ value: ValueHandle) {
        self.list = list
        self.value = value
    }

    var count: Int { @_transparent get { list.object.count } }
    var isDictionary: Bool { @_transparent get { value.operation == .dictionary } }

    /// The element at an index below `count`; nil for null.
    subscript(index: Int) -> FilledSlot? {
        @inline(__always) get {
            let slot = list.with { $0.slot(at: index) }
            // A collection has elements, and its lists hold values of their kind.
            let element = value.element!
            assert(slot.description.kind == element.descriptor.object.kind)
            return unsafe ReadableSlot(slot.pointer, slot.state, element).filled
        }
    }

    /// The keys of a dictionary.
    var keys: [String] {
        precondition(isDictionary)
        assert(list.object is SlotDictionary, "a dictionary slot holds another list")
        return list.with { unsafe unsafeDowncast($0, to: SlotDictionary.self).keys }
    }
}

/// A string in a slot, which is read where it lies.
///
/// Safety: only `FilledSlot` makes one, of a slot that holds a string.
@safe
struct SlotString {
    private let address: UnsafePointer<String>

    @_transparent
    fileprivate init(_ memory: UnsafeMutableRawPointer) {
        unsafe address = UnsafePointer(memory.assumingMemoryBound(to: String.self))
    }

    @_transparent
    func withAddress(_ body: (UnsafePointer<String>) -> Void) { unsafe body(address) }
}

/// The packed text of a URL in a slot.
///
/// Safety: only `FilledSlot` makes one, of a slot that holds a packed text.
@safe
struct PackedText {
    private let bytes: UnsafeBufferPointer<UInt8>

    @_transparent
    fileprivate init(_ memory: UnsafeMutableRawPointer) { unsafe bytes = SlotOperations.packedText(memory) }

    @_transparent
    func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) { unsafe body(bytes) }
}
