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
/// These methods belong to the decoder and not to the adapter, because the adapter is generic over its models. A method
/// that is generic over models and sources is not specialised for the source alone, so the decoder would run
/// unspecialised.
///
/// Safety: the tables are those of the root, which the adapter holds; after decoding, a slot with a value holds the
/// type that its table says, a model or a list.
extension ModelDecoder where Source: ~Copyable {
    /// Decodes the next value as a model; nil when it had problems that were collected.
    mutating func decodeModel(_ root: RootValue) throws(ModelError) -> DynamicModel? {
        try unsafe PropertySlot.withTemporary(root.table.pointee.descriptor) { slot throws(ModelError) in
            do { try unsafe decode(root.table, into: slot) } catch { throw locate(error) }
            return slot.hasValue ? slot.model : nil
        }
    }

    /// Decodes the next value as an array of models; nil when it had problems that were collected.
    mutating func decodeList(_ root: RootValue) throws(ModelError) -> SlotList? {
        try unsafe PropertySlot.withTemporary(root.list.pointee.descriptor) { slot throws(ModelError) in
            do { try unsafe decode(root.list, into: slot) } catch { throw locate(error) }
            return slot.hasValue ? slot.list : nil
        }
    }

    /// Decodes the elements of a root array one by one, to keep the models before a syntax error.
    private mutating func decodeEach(_ root: RootValue, _ body: (DynamicModel) -> Void) throws(ModelError) {
        var index = 0
        while true {
            do throws(JSONSyntaxError) {
                if index == 0 { try source.enterArray() }
                guard try source.nextElement(first: index == 0) else { break }
            } catch { throw locate(error) }
            prefix = ["\(index)"]
            index += 1
            if let model = try decodeModel(root) { body(model) }
        }
        prefix = []
    }

    /// Decodes the next value.
    mutating func decode(_ root: RootValue, as form: RootForm) throws(ModelError) -> DecodedRoot {
        let isList = if form == .either { try isAtArray() } else { form == .list }
        return try isList ? (decodeList(root), nil) : (nil, decodeModel(root))
    }

    /// Decodes the next value as an array of models or as one model, and keeps the models before a syntax error.
    mutating func decodeAll(
        _ root: RootValue, _ isArray: inout Bool, _ models: inout [DynamicModel]
    ) throws(ModelError) {
        // The document may be read twice, so the first attempt must leave nothing.
        models = []
        isArray = try isAtArray()
        if isArray {
            try decodeEach(root) { models.append($0) }
        } else if let model = try decodeModel(root) {
            models = [model]
        }
    }

    private mutating func isAtArray() throws(ModelError) -> Bool {
        do throws(JSONSyntaxError) { return try source.peekKind() == .array } catch { throw locate(error) }
    }
}
