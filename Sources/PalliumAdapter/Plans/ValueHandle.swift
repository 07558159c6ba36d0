import PalliumCore

/// The table of a value in a plan.
///
/// Safety: tables belong to plans, which an adapter holds, and are not written once the plans are linked. Whoever makes a
/// handle promises that the plan lives as long as the handle is used.
@safe
struct ValueHandle: Equatable {
    private let table: UnsafePointer<ValueTable>

    @unsafe @_transparent
    init(_ table: UnsafePointer<ValueTable>) { unsafe self.table = table }

    @_transparent
    static func == (left: ValueHandle, right: ValueHandle) -> Bool { unsafe left.table == right.table }

    var operation: ValueOperation { @_transparent get { unsafe table.pointee.operation } }
    var isNullable: Bool { @_transparent get { unsafe table.pointee.isNullable } }
    /// Whether null stands for the default.
    var takesNullForDefault: Bool { @_transparent get { unsafe table.pointee.takesNullForDefault } }
    var isRequired: Bool { @_transparent get { unsafe table.pointee.isRequired } }
    /// Whether a transformer handles null.
    var convertsNull: Bool { @_transparent get { unsafe table.pointee.convertsNull } }
    var signedRange: ClosedRange<Int64> { @_transparent get { unsafe table.pointee.signedRange } }
    /// The descriptor of the value and of the slots that hold it.
    var descriptor: Unowned<ValueDescriptor> { @_transparent get { unsafe table.pointee.descriptor } }
    var enumeration: Unowned<EnumerationDescriptor>? { @_transparent get { unsafe table.pointee.enumeration } }
    /// The full plan of the value, for everything out of line.
    var plan: ValuePlan { @_transparent get { unsafe table.pointee.value.object } }
    /// The value of a collection's elements.
    var element: ValueHandle? { @_transparent get { unsafe table.pointee.element } }
    /// The plan of the value's models.
    var model: Unowned<JSONPlan>? { @_transparent get { unsafe table.pointee.model } }

    /// The JSON text of a case of the enumeration, by its number.
    @_transparent
    func caseText(_ number: Int) -> PaddedText {
        precondition(UInt(bitPattern: number) < UInt(bitPattern: unsafe table.pointee.caseCount))
        return unsafe table.pointee.cases![number]
    }

    /// Whether merging handles null for a property that is not nullable.
    var isNullResolvedByMerging: Bool {
        guard let policy = descriptor.object.property.merge else { return takesNullForDefault }
        return takesNullForDefault || policy.ignoresNull || policy.name == "newest"
    }

    /// Calls a function with a slot on the stack, which is unset before and cleared afterwards.
    @inline(__always)
    func withTemporary<Result, Failure: Error>(
        _ body: (WritableSlot) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe PropertySlot.withTemporary(descriptor.reference) { slot throws(Failure) in
            try body(unsafe WritableSlot(slot, self))
        }
    }
}

extension ValuePlan {
    /// The table of the value, for somebody who holds the plan.
    @unsafe var handle: ValueHandle { unsafe ValueHandle(table) }

    /// Makes an unset slot for the value, for somebody who holds the plan.
    @unsafe
    func makeTemporary() -> TemporarySlot { unsafe TemporarySlot(descriptor: descriptor.reference) }
}
