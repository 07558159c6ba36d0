import PalliumCore

/// The state of a property in a record: two bits.
enum ArchivedState: UInt8 {
    case unset, null, value
    /// A value that the decoder took from the schema's default.
    case defaulted

    @inline(__always)
    init(_ state: SlotState) {
        self = state.isUnset ? .unset : state.isNull ? .null : state.isDefaulted ? .defaulted : .value
    }
}
