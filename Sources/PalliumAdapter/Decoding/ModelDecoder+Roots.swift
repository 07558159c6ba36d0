package import PalliumCore
import PalliumJSON

/// The form that a document's root must have.
package enum RootForm {
    case model
    case list
    /// One model or an array of models; the first token decides.
    case either
}

/// The decoded root of a document; both are nil if it had collected problems.
package typealias DecodedRoot = (list: SlotList?, model: DynamicModel?)

/// Decodes whole documents.
///
/// These methods belong to the decoder and not to the adapter, because the adapter is generic over its models.
extension ModelDecoder {
    /// Decodes the next value.
    mutating func decode(_ root: RootValue, as form: RootForm) throws(DecodingFailure) -> DecodedRoot {
        let isList = if form == .either { try isAtArray() } else { form == .list }
        return try (isList ? root.list : root.model).withTemporary { slot throws(DecodingFailure) in
            try decode(into: slot)
            guard slot.state.hasValue else { return (nil, nil) }
            return isList ? (slot.property.list, nil) : (nil, slot.property.model)
        }
    }

    private mutating func isAtArray() throws(DecodingFailure) -> Bool {
        do throws(JSONSyntaxError) { return try source.peekKind() == .array } catch { throw locate(error) }
    }
}
