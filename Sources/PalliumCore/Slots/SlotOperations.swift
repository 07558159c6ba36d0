import Foundation
import PalliumJSON

/// The operations of every kind of slot: release, copy, compare, hash.
///
/// Models are compared and hashed by the caller, because graphs need an explicit stack (see `ModelComparison`).
///
/// Safety: a slot whose state says *value* holds an initialised value of the Swift type that its kind stores, written by
/// `PropertySlot.replace` or by the decoder. `destroy` is called once per such value.
package enum SlotOperations {
    /// Releases the value. The slot's bytes are uninitialised afterwards.
    package static func destroy(_ pointer: UnsafeMutableRawPointer, kind: SlotKind, state: SlotState) {
        switch kind {
        case .bool, .integer, .unsigned, .double, .date, .words: break
        case .string: unsafe pointer.assumingMemoryBound(to: String.self).deinitialize(count: 1)
        case .data: unsafe pointer.assumingMemoryBound(to: Data.self).deinitialize(count: 1)
        case .url:
            if state.isBoxed {
                unsafe Unmanaged<AnyObject>.fromOpaque(pointer.load(as: UnsafeRawPointer.self)).release()
            } else if !state.isPacked {
                unsafe pointer.assumingMemoryBound(to: String.self).deinitialize(count: 1)
            }
        case .enumeration:
            if state.isBoxed {
                unsafe Unmanaged<AnyObject>.fromOpaque(pointer.load(as: UnsafeRawPointer.self)).release()
            }
        case .decimal, .json, .custom, .weakModel, .array, .set, .dictionary, .model:
            unsafe Unmanaged<AnyObject>.fromOpaque(pointer.load(as: UnsafeRawPointer.self)).release()
        }
    }

    /// Copies a value into uninitialised bytes; boxes and models are shared. The caller copies packed texts.
    @inline(__always)
    package static func copy(
        from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, kind: SlotKind, state: SlotState
    ) {
        switch kind {
        case .string: unsafe copyValue(String.self, from: source, to: target)
        case .data: unsafe copyValue(Data.self, from: source, to: target)
        case .url:
            if state.isBoxed {
                unsafe copyReference(from: source, to: target)
            } else if state.isPacked {
                unsafe copyBytes(from: source, to: target)
            } else {
                unsafe copyValue(String.self, from: source, to: target)
            }
        case .enumeration:
            if state.isBoxed {
                unsafe copyReference(from: source, to: target)
            } else {
                unsafe copyBytes(from: source, to: target)
            }
        case .decimal, .json, .custom, .weakModel, .array, .set, .dictionary, .model:
            unsafe copyReference(from: source, to: target)
        case .bool, .integer, .unsigned, .double, .date, .words: unsafe copyBytes(from: source, to: target)
        }
    }

    @inline(__always)
    private static func copyBytes(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
        let words = unsafe source.load(as: (UInt64, UInt64).self)
        unsafe target.storeBytes(of: words, as: (UInt64, UInt64).self)
    }

    @inline(__always)
    private static func copyValue<T>(_ type: T.Type, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer)
    {
        unsafe target.initializeMemory(as: T.self, to: source.assumingMemoryBound(to: T.self).pointee)
    }

    @inline(__always)
    private static func copyReference(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
        let address = unsafe source.load(as: UnsafeRawPointer.self)
        _ = unsafe Unmanaged<AnyObject>.fromOpaque(address).retain()
        unsafe target.storeBytes(of: address, as: UnsafeRawPointer.self)
    }

    /// Compares two values of one kind that are neither models nor collections.
    @inline(__always)
    package static func equalScalars(
        _ left: UnsafeRawPointer, _ leftState: SlotState, _ right: UnsafeRawPointer, _ rightState: SlotState,
        kind: SlotKind
    ) -> Bool {
        switch kind {
        case .bool, .integer, .unsigned:
            return unsafe left.load(as: UInt64.self) == right.load(as: UInt64.self)
        case .double, .date:
            return unsafe left.load(as: Double.self) == right.load(as: Double.self)
        case .words:
            return unsafe left.load(as: (UInt64, UInt64).self) == right.load(as: (UInt64, UInt64).self)
        case .string:
            return unsafe UTF8Text.equal(
                left.assumingMemoryBound(to: String.self), right.assumingMemoryBound(to: String.self))
        case .url: return unsafe equalURLs(left, leftState, right, rightState)
        default:
            return unsafe equalBoxes(left, leftState, right, rightState, kind: kind)
        }
    }

    @inline(never)
    private static func equalBoxes(
        _ left: UnsafeRawPointer, _ leftState: SlotState, _ right: UnsafeRawPointer, _ rightState: SlotState,
        kind: SlotKind
    ) -> Bool {
        switch kind {
        case .data:
            return unsafe left.assumingMemoryBound(to: Data.self).pointee
                == right.assumingMemoryBound(to: Data.self).pointee
        case .enumeration:
            guard leftState.isBoxed == rightState.isBoxed else { return false }
            guard leftState.isBoxed else { return unsafe left.load(as: Int.self) == right.load(as: Int.self) }
            return unsafe box(UnknownCaseBox.self, left).raw == box(UnknownCaseBox.self, right).raw
        case .decimal: return unsafe box(DecimalBox.self, left).value == box(DecimalBox.self, right).value
        case .json: return unsafe box(JSONBox.self, left).value == box(JSONBox.self, right).value
        case .custom: return unsafe equalCustom(box(CustomBox.self, left).value, box(CustomBox.self, right).value)
        // An invariant of the library, checked for every value.
        default: preconditionFailure("models and collections are compared by ModelComparison")
        }
    }

    private static func equalCustom<T: Hashable>(_ left: T, _ right: any Hashable) -> Bool { (right as? T) == left }

    /// Hashes a value that is neither a model nor a collection.
    @inline(__always)
    package static func hashScalar(
        _ pointer: UnsafeRawPointer, _ state: SlotState, kind: SlotKind, into hasher: inout Hasher
    ) {
        switch kind {
        case .bool, .integer, .unsigned: unsafe hasher.combine(pointer.load(as: UInt64.self))
        case .double, .date: unsafe hasher.combine(pointer.load(as: Double.self))
        case .words:
            unsafe hasher.combine(pointer.load(as: UInt64.self))
            unsafe hasher.combine(pointer.load(fromByteOffset: 8, as: UInt64.self))
        case .string: unsafe UTF8Text.hash(pointer.assumingMemoryBound(to: String.self), into: &hasher)
        case .url: unsafe hashURL(pointer, state, into: &hasher)
        default: unsafe hashBox(pointer, state, kind: kind, into: &hasher)
        }
    }

    @inline(never)
    private static func hashBox(
        _ pointer: UnsafeRawPointer, _ state: SlotState, kind: SlotKind, into hasher: inout Hasher
    ) {
        switch kind {
        case .data: unsafe hasher.combine(pointer.assumingMemoryBound(to: Data.self).pointee)
        case .enumeration:
            if state.isBoxed {
                unsafe hasher.combine(box(UnknownCaseBox.self, pointer).raw)
            } else {
                unsafe hasher.combine(pointer.load(as: Int.self))
            }
        case .decimal: unsafe hasher.combine(box(DecimalBox.self, pointer).value)
        case .json: unsafe hasher.combine(box(JSONBox.self, pointer).value)
        case .custom: unsafe box(CustomBox.self, pointer).value.hash(into: &hasher)
        // An invariant of the library, checked for every value.
        default: preconditionFailure("models and collections are hashed by ModelHashing")
        }
    }

    /// Returns the box of a reference slot.
    ///
    /// Safety: kind and state prove the class; a debug build checks it.
    @inline(__always)
    package static func box<T: AnyObject>(_ type: T.Type, _ pointer: UnsafeRawPointer) -> T {
        unsafe unsafeDowncast(
            Unmanaged<AnyObject>.fromOpaque(pointer.load(as: UnsafeRawPointer.self)).takeUnretainedValue(), to: type)
    }

    /// Stores a strong reference in uninitialised bytes.
    @inline(__always)
    package static func initialize(_ pointer: UnsafeMutableRawPointer, with object: AnyObject) {
        unsafe pointer.storeBytes(
            of: UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque()), as: UnsafeRawPointer.self)
    }
}
