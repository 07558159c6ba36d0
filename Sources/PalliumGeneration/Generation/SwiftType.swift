import PalliumCore
import PalliumJSON

/// The type of an accessor.
struct SwiftType: Hashable {
    /// The type without the mark of an optional.
    let name: String
    var isOptional = false
    /// Whether the type is one of Foundation, or has one in it.
    var needsFoundation = false
    /// Whether the type is one of Pallium, or has one in it. Generated types are not.
    var needsPallium = false

    /// The type as source code.
    var text: String { isOptional ? "\(name)?" : name }
}

extension SwiftType {
    /// Returns the type of a property.
    ///
    /// - Parameters:
    ///   - kind: The kind of the property in its document.
    ///   - enumeration: The name of the type for the cases, if the property has some.
    ///   - set: The schemas, which know the names of classes.
    /// - Returns: Nil for a custom kind.
    init?(_ property: PropertySchema, kind: PropertyKind, enumeration: String, in set: SchemaSet) {
        guard let type = Self.value(kind, enumeration, set) else { return nil }
        self = type
        isOptional = isOptional || property.isOptional || property.isWeak
    }

    private static func element(_ property: PropertySchema, _ enumeration: String, _ set: SchemaSet) -> SwiftType? {
        guard var type = value(property.kind, enumeration, set) else { return nil }
        type.isOptional = type.isOptional || property.isNullableByDeclaration
        return type
    }

    /// The type of the values of a kind. Documents are nested at most 64 levels deep.
    private static func value(_ kind: PropertyKind, _ enumeration: String, _ set: SchemaSet) -> SwiftType? {
        switch kind {
        case .bool: SwiftType(name: "Bool")
        case .integer(.bits64): SwiftType(name: "Int")
        case .integer(let width): SwiftType(name: "Int\(width.rawValue)")
        case .unsigned(.bits64): SwiftType(name: "UInt")
        case .unsigned(let width): SwiftType(name: "UInt\(width.rawValue)")
        case .double: SwiftType(name: "Double")
        case .float: SwiftType(name: "Float")
        case .decimal: SwiftType(name: "Decimal", needsFoundation: true)
        case .string: SwiftType(name: "String")
        case .date: SwiftType(name: "Date", needsFoundation: true)
        case .duration: SwiftType(name: "Duration")
        case .url: SwiftType(name: "URL", needsFoundation: true)
        case .uuid: SwiftType(name: "UUID", needsFoundation: true)
        case .data: SwiftType(name: "Data", needsFoundation: true)
        case .json: SwiftType(name: "JSONValue", needsPallium: true)
        // An unknown text is kept, but is no case.
        case .enumeration(let schema): SwiftType(name: enumeration, isOptional: schema.unknown == .keep)
        case .model(let model): SwiftType(name: SwiftName.escaped(set.className(of: model)))
        case .array(let item): collection(item, enumeration, set) { "[\($0)]" }
        case .set(let item): collection(item, enumeration, set) { "Set<\($0)>" }
        case .dictionary(let item): collection(item, enumeration, set) { "[String: \($0)]" }
        case .custom: nil
        }
    }

    private static func collection(
        _ property: PropertySchema, _ enumeration: String, _ set: SchemaSet, _ name: (String) -> String
    ) -> SwiftType? {
        element(property, enumeration, set).map {
            SwiftType(name: name($0.text), needsFoundation: $0.needsFoundation, needsPallium: $0.needsPallium)
        }
    }
}

extension PropertyKind {
    /// The cases of the kind, or of the innermost elements of a collection.
    var innermostEnumeration: EnumerationSchema? {
        var kind = self
        while let element = kind.element { kind = element.kind }
        if case .enumeration(let schema) = kind { return schema }
        return nil
    }
}
