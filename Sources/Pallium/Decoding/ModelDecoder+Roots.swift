import PalliumCore
import PalliumJSON

/// What the outermost value of a document is to be.
enum RootForm {
    case model
    case list
    /// One model or an array of models, as the first token says.
    case either
}

/// The outermost value of a document; nothing when it had problems that were collected.
typealias DecodedRoot = (list: SlotList?, model: DynamicModel?)

/// Whole documents.
///
/// These belong to the decoder and not to the adapter because the adapter is generic over its models: a method that is
/// generic over models and sources is not specialised for the source alone, and the decoder would run unspecialised.
///
/// Safety: the tables are those of the root, which the adapter holds; after decoding, a slot with a value holds what
/// its table says, a model or a list.
extension ModelDecoder where Source: ~Copyable {
    /// Decodes the next value as a model; nil when it had problems that were collected.
    mutating func decodeModel(_ root: RootValue) throws(ModelError) -> DynamicModel? {
        try unsafe PropertySlot.withTemporary(root.table.pointee.descriptor) { slot throws(ModelError) in
            do { try unsafe decode(root.table, into: slot) } catch { throw locate(error) }
            return unsafe slot.hasValue ? SlotOperations.box(DynamicModel.self, slot.pointer) : nil
        }
    }

    /// Decodes the next value as an array of models; nil when it had problems that were collected.
    mutating func decodeList(_ root: RootValue) throws(ModelError) -> SlotList? {
        try unsafe PropertySlot.withTemporary(root.list.pointee.descriptor) { slot throws(ModelError) in
            do { try unsafe decode(root.list, into: slot) } catch { throw locate(error) }
            return unsafe slot.hasValue ? SlotOperations.box(SlotList.self, slot.pointer) : nil
        }
    }

    /// Decodes the elements of a root array one by one, so that what was decoded before the text breaks off is kept.
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

    /// Decodes the next value as an array of models or as one model. What was decoded before it breaks off stays.
    mutating func decodeAll(
        _ root: RootValue, _ isArray: inout Bool, _ models: inout [DynamicModel]
    ) throws(ModelError) {
        // The document may be read twice.
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
