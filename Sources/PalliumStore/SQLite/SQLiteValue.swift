import Foundation
import PalliumJSON

/// A value in a column of a row, or of a parameter.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    package init(_ value: Bool) { self = .integer(value ? 1 : 0) }

    /// Text is compared by its bytes, as SQLite does.
    package static func == (left: SQLiteValue, right: SQLiteValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): UTF8Text.equal(left, right)
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let value): hasher.combine(UTF8Key(value))
        }
    }
}

extension SQLiteValue {
    /// Returns a copy of a text for SQLite, which frees it by `free`; nil if there is no memory.
    ///
    /// Safety: the copy has the room that it says, and begins with the bytes of the text.
    @unsafe
    static func copy(of text: String) -> UnsafeMutableBufferPointer<CChar>? {
        var text = text
        return text.withUTF8 { bytes in
            guard let copy = unsafe malloc(max(bytes.count, 1)) else { return nil }
            if let start = bytes.baseAddress { unsafe copy.copyMemory(from: start, byteCount: bytes.count) }
            return unsafe UnsafeMutableBufferPointer(
                start: copy.assumingMemoryBound(to: CChar.self), count: bytes.count)
        }
    }
}

extension String {
    /// The text as a name in SQL, in quotation marks.
    var quotedForSQL: String { "\"" + replacing("\"", with: "\"\"") + "\"" }

    /// The bytes of the name with small ASCII letters for capitals: names that are equal so are one name for SQLite.
    var foldedForSQL: [UInt8] { utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 } }
}
