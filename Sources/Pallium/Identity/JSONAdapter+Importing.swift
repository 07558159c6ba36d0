import Foundation
import PalliumCore
import PalliumJSON

/// Documents of which every model may be part of a known one: nothing is asked for yet, and no hook sees a model.
///
/// Safety: the session reads the document only while it is lent.
extension JSONAdapter {
    func allParts(of bytes: some ContiguousBytes) throws(ModelError) -> (models: [DynamicModel], isArray: Bool) {
        let result = unsafe bytes.withUnsafeBytes { document in
            Result { () throws(ModelError) -> (models: [DynamicModel], isArray: Bool) in
                try unsafe session(collecting: false, document: document, parts: .all).read {
                    decoder throws(ModelError) in
                    if try Self.isArray(&decoder) { return (try models(in: decoder.decodeList(root)), true) }
                    return ([try one(of: decoder.decodeModel(root))], false)
                }
            }
        }
        return try result.get()
    }

    func allParts(of value: JSONValue) throws(ModelError) -> (models: [DynamicModel], isArray: Bool) {
        var decoder = unsafe ModelDecoder<TreeSource>(
            TreeSource(value, maximumDepth: options.reading.maximumDepth),
            session: session(collecting: false, parts: .all))
        if case .array = value { return (try models(in: decoder.decodeList(root)), true) }
        return ([try one(of: decoder.decodeModel(root))], false)
    }
}
