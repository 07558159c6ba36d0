package import Foundation
package import PalliumJSON

/// The objects that slots hold, for code that knows the kind of a slot.
///
/// Safety: the caller has seen that the slot has a value of the kind.
extension PropertySlot {
    /// The list of a slot that holds an array, a set or a dictionary.
    package var list: SlotList { unsafe SlotOperations.box(SlotList.self, pointer) }
    /// The entries of a slot that holds a dictionary.
    package var dictionary: SlotDictionary { unsafe SlotOperations.box(SlotDictionary.self, pointer) }
    /// The model of a slot that holds one.
    package var model: DynamicModel { unsafe SlotOperations.box(DynamicModel.self, pointer) }
    /// The model of a slot that holds one, as the class that an accessor has.
    ///
    /// The descriptor's class was found to be a subclass of that one when the accessor was checked. Storing checks that
    /// every model is an instance of the descriptor's class.
    @inline(__always)
    func model<Model: DynamicModel>(of modelClass: Model.Type) -> Model { unsafe unsafeDowncast(model, to: modelClass) }
    /// The weak reference of a slot that holds one.
    package var weakReference: WeakModelBox { unsafe SlotOperations.box(WeakModelBox.self, pointer) }
    /// The model to which a weak reference leads; nil if there is none, or none any more.
    package var weakModel: DynamicModel? { hasValue ? weakReference.model : nil }
    /// The raw value of an enumeration slot that holds a case which the schema does not list.
    var unknownCase: EnumerationSchema.RawValue { unsafe SlotOperations.box(UnknownCaseBox.self, pointer).raw }
    /// The URL of a slot that holds one, and not only its text.
    var boxedURL: URL { unsafe SlotOperations.box(URLBox.self, pointer).url }
    /// The text of a slot that holds a URL, which need not be made for it.
    package var urlText: String { unsafe SlotOperations.urlText(pointer, slotState) }
    package var decimal: Decimal { unsafe SlotOperations.box(DecimalBox.self, pointer).value }
    package var json: JSONValue { unsafe SlotOperations.box(JSONBox.self, pointer).value }
    /// The value of a slot that holds a Swift type of your own.
    package var custom: any Hashable & Sendable { unsafe SlotOperations.box(CustomBox.self, pointer).value }

    /// Calls a function with the text of a slot that holds one, without counting a reference to it.
    @inline(__always)
    func withText<Result>(_ body: (String) -> Result) -> Result {
        unsafe body(pointer.assumingMemoryBound(to: String.self).pointee)
    }

    /// The bytes of a URL whose text is packed, as its state says.
    package var packedText: BorrowedBytes {
        @inline(__always) get {
            precondition(slotState.isPacked)
            return unsafe BorrowedBytes(SlotOperations.packedText(pointer))
        }
    }

    /// The model of a slot that holds one, without counting a reference to it.
    package var unownedModel: Unowned<DynamicModel> {
        @inline(__always) get { unsafe Unowned(.fromOpaque(pointer.load(as: UnsafeRawPointer.self))) }
    }

    /// Whether the model of a slot that holds one has no other reference. The check writes nothing.
    package var hasUniqueModel: Bool {
        @inline(__always) get {
            unsafe isKnownUniquelyReferenced(&pointer.assumingMemoryBound(to: DynamicModel.self).pointee)
        }
    }

    /// Whether the list of a slot that holds one has no other reference.
    package var hasUniqueList: Bool {
        unsafe isKnownUniquelyReferenced(&pointer.assumingMemoryBound(to: SlotList.self).pointee)
    }

    /// Whether two slots of one kind, which have values that are neither models nor collections, have equal ones.
    package func holdsEqualScalar(as other: PropertySlot) -> Bool {
        let kind = kind
        precondition(hasValue && other.hasValue && other.kind == kind)
        return unsafe SlotOperations.equalScalars(pointer, slotState, other.pointer, other.slotState, kind: kind)
    }

    /// Whether two slots refer to the same object. Their kinds are those of models or collections.
    @inline(__always)
    package func refersToSame(as other: PropertySlot) -> Bool {
        unsafe pointer.load(as: UnsafeRawPointer.self) == other.pointer.load(as: UnsafeRawPointer.self)
    }

    /// The kind of the value, read without counting a reference.
    package var kind: SlotKind {
        @inline(__always) get { unsafe descriptor._withUnsafeGuaranteedRef { $0.kind } }
    }

    /// Calls a function with the description, without counting a reference to it.
    @inline(__always)
    func withDescription<Result>(_ body: (ValueDescriptor) -> Result) -> Result {
        unsafe descriptor._withUnsafeGuaranteedRef(body)
    }

    /// Whether two slots have the same descriptor.
    @inlinable
    package func hasDescription(of other: PropertySlot) -> Bool {
        unsafe descriptor.toOpaque() == other.descriptor.toOpaque()
    }
}
