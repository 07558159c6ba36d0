/// The type of value in the 16 bytes of a slot.
///
/// The order matters: kinds up to ``words`` own no memory, so copying their bytes copies the value.
@frozen
@usableFromInline
package enum SlotKind: UInt8, Sendable {
    // Plain bytes.
    case bool
    case integer
    case unsigned
    case double
    case date
    /// Two words that compare as bytes.
    case words
    // Bytes that own memory.
    case string
    case data
    case url
    case enumeration
    // One strong reference, in the first word.
    case decimal
    case json
    case custom
    case array
    case set
    case dictionary
    case model
    case weakModel

    /// Whether the slot can store exact numbers of any Swift type.
    var isNumber: Bool {
        switch self {
        case .integer, .unsigned, .double, .decimal: true
        default: false
        }
    }

    @inlinable package var ownsMemory: Bool { rawValue > SlotKind.words.rawValue }

    /// Whether releasing the slot can release a model, and so a chain of them.
    @inlinable package var mayHoldModels: Bool {
        switch self {
        case .array, .set, .dictionary, .model: true
        default: false
        }
    }
}
