import Foundation
import PalliumJSON

// The kinds whose values are text in JSON.
extension KindTraits {
    static let string = KindTraits(
        "string", "a string", type: String.self, storage: .string, archiveNumber: 7, json: .text,
        precedes: { UTF8Text.precedes($0.load(String.self), $1.load(String.self)) },
        read: { json, slot throws(ModelError) in
            guard case .string(let text) = json else { return .refused(.typeMismatch) }
            slot.replace(with: text)
            return .stored
        },
        write: { .string($0.load(String.self)) },
        describe: { slot, length in "\"\(ModelError.shorten(slot.load(String.self), to: length))\"" })

    static let date = KindTraits(
        "date", "a date", type: Date.self, storage: .date, archiveNumber: 20, text: .iso8601Date,
        transformer: ISO8601DateTransformerName, precedes: { $0.load(Double.self) < $1.load(Double.self) })

    static let url = KindTraits(
        "url", "a URL", type: URL.self, storage: .url, archiveNumber: 9, text: .url, transformer: URLTransformerName)

    static let uuid = KindTraits(
        "uuid", "a UUID", type: UUID.self, storage: .words, archiveNumber: 10,
        archived: ArchiveCodec(uuid_t.self, read: { UUID(uuid: $0) }, write: { (value: UUID) in value.uuid }),
        text: .uuid, transformer: UUIDTransformerName)

    static let data = KindTraits(
        "data", "data", type: Data.self, storage: .data, archiveNumber: 11,
        archived: ArchiveCodec(
            read: { Data($0) },
            write: { value, take in
                value.withBorrowedBytes(take)
                return true
            }),
        text: .base64, transformer: Base64DataTransformerName, describesBySize: true)
}

extension TextCodec {
    static let iso8601Date = TextCodec(
        date: "an ISO 8601 date such as 2026-01-31T12:00:00Z", read: ISO8601Text.parse, write: ISO8601Text.text(of:),
        problem: { .refused(.invalidValue, note: ISO8601Text.missingPart(of: $0)) })

    static let dateOnly = TextCodec(
        "a date such as 2026-01-31", json: "text of a date", writable: "a date of the years 0000 to 9999",
        read: { DateOnlyText.parse($0).map { Date(timeIntervalSinceReferenceDate: $0) } },
        write: { (date: Date) in DateOnlyText.text(of: date.timeIntervalSinceReferenceDate) })

    static let url = url { URLText.strict($0) }

    /// Text that becomes a URL when forbidden characters are encoded.
    static let urlPercentEncoding = url { URLText.percentEncoded($0) }

    private static func url(_ read: @escaping @Sendable (String) -> URL?) -> TextCodec {
        TextCodec(
            "a URL", json: "text of a URL", readString: read, write: { (url: URL) in url.absoluteString },
            // No URL is made, because other threads may read the slot.
            writeSlot: { slot in slot.urlText })
    }

    static let uuid = uuid { $0.uuidString }

    // Digits and hyphens have the bit of small letters already.
    static let lowercaseUUID = uuid { String(decoding: $0.uuidString.utf8.map { $0 | 0x20 }, as: UTF8.self) }

    private static func uuid(_ write: @escaping @Sendable (UUID) -> String) -> TextCodec {
        TextCodec("a UUID", json: "text of a UUID", read: UUIDText.parse, write: write)
    }

    static let base64 = TextCodec(
        "Base64 text", json: "Base64 text", writable: "data", read: Base64Text.decode,
        write: { (value: Data) in value.base64EncodedString() })
}
