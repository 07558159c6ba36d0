import Foundation

/// Transformers for values that are encoded as text.
extension Transformer {
    static let url = Transformer(
        readable: "a URL", writable: "a URL", forward: { URLText.strict($0) },
        reverse: { (url: URL) in url.absoluteString })

    static let urlPercentEncoding = Transformer(
        readable: "a URL", writable: "a URL", forward: { URLText.percentEncoded($0) },
        reverse: { (url: URL) in url.absoluteString })

    static let uuid = Transformer(
        readable: "a UUID", writable: "a UUID", forward: { UUIDText.value(in: $0) },
        reverse: { (uuid: UUID) in uuid.uuidString })

    static let lowercaseUUID = Transformer(
        readable: "a UUID", writable: "a UUID", forward: { UUIDText.value(in: $0) },
        // Digits and hyphens have that bit already.
        reverse: { (uuid: UUID) in String(decoding: uuid.uuidString.utf8.map { $0 | 0x20 }, as: UTF8.self) })

    static let base64Data = Transformer(
        readable: "Base64", writable: "bytes", forward: { Base64Text.value(in: $0) },
        reverse: { (data: Data) in Base64Text.encode(data) })

    static let emptyTextAsNull = Transformer(
        inputType: String.self, outputType: String.self, handlesNull: false,
        forward: { value, _ in
            let text = try text(value)
            return text.utf8.isEmpty ? nil : text
        },
        backward: { value, _ in try text(value) })

    private static func text(_ value: (any PropertyValue)?) throws(ModelError) -> String {
        guard let text = value.flatMap({ pass($0, as: String.self) }) else {
            throw ModelError.refused(value, expected: "text", code: .typeMismatch)
        }
        return text
    }
}
