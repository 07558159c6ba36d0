package import Foundation
package import PalliumJSON

/// Reads Base64 text (RFC 4648, section 4), with exactly one text for every value.
///
/// Reading is therefore strict: padding is required, and line breaks, other alphabets and set bits after the last byte
/// are refused (RFC 4648, sections 3.1 to 3.3 and 3.5). Foundation accepts the last two and even `====`.
package enum Base64Text {
    /// Reads the bytes of a text, which must be all of `bytes`. The empty text means no bytes.
    ///
    /// Complexity: linear in the count.
    ///
    /// - Returns: nil for a text that breaks one of the rules above.
    package static func decode(_ bytes: BorrowedBytes) -> Data? {
        let text = Data(bytes)
        guard let data = Data(base64Encoded: text), data.base64EncodedData() == text else { return nil }
        return data
    }
}
