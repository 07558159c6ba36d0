import PalliumDocuments
import PalliumJSON

/// The types of values that a schema of a contract allows. A number is an integer or a fraction.
struct ContractTypes: OptionSet {
    let rawValue: Int

    static let null = ContractTypes(rawValue: 1)
    static let boolean = ContractTypes(rawValue: 2)
    static let integer = ContractTypes(rawValue: 4)
    static let fraction = ContractTypes(rawValue: 8)
    static let string = ContractTypes(rawValue: 16)
    static let array = ContractTypes(rawValue: 32)
    static let object = ContractTypes(rawValue: 64)
    static let number: ContractTypes = [.integer, .fraction]
    static let all = ContractTypes(rawValue: 127)

    private static let names: [(String, ContractTypes)] = [
        ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number), ("string", .string),
        ("array", .array), ("object", .object), ("any", .all),
    ]

    /// Returns the types of a name; nil for an unknown one.
    static func named(_ name: String) -> ContractTypes? { names.first { UTF8Text.equal($0.0, name) }?.1 }

    /// The type of a value.
    init(of value: LocatedJSON) {
        switch value.content {
        case .null: self = .null
        case .bool: self = .boolean
        case .number(let number): self = number.isInteger ? .integer : .fraction
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }

    init(rawValue: Int) { self.rawValue = rawValue }
}
