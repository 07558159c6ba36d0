import PalliumJSON

/// The type of the values of a column, before it is written for a program.
indirect enum ColumnType: Hashable {
    case boolean
    /// Integers with a sign, of 8, 16, 32 or 64 bits.
    case integer(bits: Int)
    /// Integers of 64 bits without a sign.
    case unsigned
    case float, double, decimal
    case text, timestamp
    /// Any JSON.
    case json
    case list(ColumnElement)
    /// Objects with any members.
    case map(ColumnElement)
    /// Objects with these members.
    case record(name: String, [Column])

    var isScalar: Bool {
        switch self {
        case .json, .list, .map, .record: false
        default: true
        }
    }
}

/// The elements of a list, or the values of a dictionary.
struct ColumnElement: Hashable {
    let type: ColumnType
    let isNullable: Bool
}

/// A member of the objects that become rows.
struct Column: Hashable {
    let name: UTF8Key
    var type: ColumnType
    /// Whether every object has a value that is not null.
    var isRequired: Bool
    var documentation = ""
}
