import PalliumCore
import PalliumJSON

/// Compares a value with that of a document.
///
/// Safety: the operation of the value says what a slot with a value holds.
extension FilledSlot {
    /// Whether the slot holds a text, of a property of strings or URLs, with the same bytes.
    func holds(_ text: borrowing TokenText) -> Bool {
        let property = slot.property
        switch value.operation {
        case .string:
            guard slot.state.withoutMark == .value else { return false }
            return unsafe UTF8Text.equal(
                property.pointer.assumingMemoryBound(to: String.self), text.text.start, text.text.count)
        case .url: return unsafe SlotOperations.hasURLText(property.pointer, slot.state, text.text)
        default: return false
        }
    }

    /// The number of the enumeration's case; nil for an unknown case and for other values.
    var caseNumber: Int? {
        guard value.operation == .enumeration, slot.state.withoutMark == .enumerationCase else { return nil }
        return slot.property.load(Int.self)
    }

    /// The number; nil for values of other kinds.
    var double: Double? { value.operation == .double ? slot.property.load(Double.self) : nil }
}
