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
///
/// Safety: the tables are those of the root, which the adapter holds; after decoding, a slot with a value holds the
/// type that its table says, a model or a list.
extension ModelDecoder {
    /// Decodes the next value.
    mutating func decode(_ root: RootValue, as form: RootForm) throws(ModelError) -> DecodedRoot {
        let isList = if form == .either { try isAtArray() } else { form == .list }
        let value = unsafe isList ? root.list : root.table
        return try unsafe PropertySlot.withTemporary(value.pointee.descriptor) { slot throws(ModelError) in
            try unsafe decode(value, into: slot)
            guard slot.hasValue else { return (nil, nil) }
            return isList ? (slot.list, nil) : (nil, slot.model)
        }
    }

    private mutating func isAtArray() throws(ModelError) -> Bool {
        do throws(JSONSyntaxError) { return try source.peekKind() == .array } catch { throw locate(error) }
    }
}
