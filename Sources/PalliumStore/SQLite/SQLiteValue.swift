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

extension String {
    /// The text as a name in SQL, in quotation marks.
    var quotedForSQL: String { "\"" + replacing("\"", with: "\"\"") + "\"" }

    /// The bytes of the name with small ASCII letters for capitals: names that are equal so are one name for SQLite.
    var foldedForSQL: [UInt8] { utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 } }
}
