import PalliumCore
package import PalliumJSON

// The names that Swift, the library and the generated code have already.
extension SwiftName {
    /// The properties of ``DynamicModel``, which an accessor cannot hide.
    static let modelMembers = keys([
        "changedKeys", "customMirror", "debugDescription", "description", "hasChanges", "hashValue",
        "isTrackingChanges", "layout", "pendingChanges", "schema", "unknownMembers", "values",
    ])

    /// Names that a case cannot have, or that would mean something else where the type is optional.
    static let enumerationMembers = keys(["allCases", "hashValue", "none", "rawValue", "some"])

    /// The types that generated code names, those that the compiler looks up for literals, and others that nobody wants
    /// to be hidden; and the names that mean something else where a class is named.
    package static let types = keys([
        "BooleanLiteralType", "ExtendedGraphemeClusterType", "FloatLiteralType", "IntegerLiteralType",
        "StringLiteralType", "UnicodeScalarType", "each", "load", "nonisolated", "registry", "self", "some", "text",
        "Any", "Array", "Bool", "Data", "Date", "Decimal", "Dictionary", "Double", "Duration", "DynamicModel", "Float",
        "Int", "Int16", "Int32", "Int64", "Int8", "JSONValue", "Keys", "ModelError", "Observable", "Optional",
        "PropertyEnumeration", "PropertyValue", "Protocol", "SchemaDocuments", "SchemaError", "SchemaRegistry", "Self",
        "Set", "String", "Type", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UUID",
    ])

    /// The words that are names only in backticks.
    static let keywords = keys([
        "Any", "Protocol", "Self", "Type", "any", "as", "associatedtype", "await", "break", "case", "catch", "class",
        "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "unsafe", "var", "where",
        "while",
    ])

    private static func keys(_ names: [String]) -> Set<UTF8Key> { Set(names.map { UTF8Key($0) }) }
}
