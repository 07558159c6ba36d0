import PalliumCore

/// The kind of an archived value, with its number in the bytes.
enum ArchivedKind: UInt8 {
    case bool = 1
    case integer, unsigned, double, float, decimal, string, date, url, uuid, data, enumeration, model, array, set
    case dictionary, json, custom

    init(_ descriptor: ValueDescriptor) {
        self =
            switch descriptor.kind {
            case .bool: .bool
            case .integer: .integer
            case .unsigned: .unsigned
            case .double: descriptor.property.kind == .float ? .float : .double
            case .decimal: .decimal
            case .string: .string
            case .date: .date
            case .url: .url
            case .uuid: .uuid
            case .data: .data
            case .enumeration: .enumeration
            case .model, .weakModel: .model
            case .array: .array
            case .set: .set
            case .dictionary: .dictionary
            case .json: .json
            case .custom: .custom
            }
    }

    /// The kind's name, as schema documents spell it.
    var name: String { "\(self)" }
}

/// The type of an archived property: its kind, cases and element type.
final class ArchivedType: Sendable {
    let kind: ArchivedKind
    /// The cases of an enumeration, in the order of their numbers.
    let cases: [EnumerationSchema.RawValue]
    /// The type of the elements of a collection.
    let element: ArchivedType?

    init(_ kind: ArchivedKind, cases: [EnumerationSchema.RawValue] = [], element: ArchivedType? = nil) {
        self.kind = kind
        self.cases = cases
        self.element = element
    }

    /// Makes the type of a property, from the inside out.
    convenience init(_ descriptor: ValueDescriptor) {
        var chain = [descriptor]
        while let inner = chain.last?.element { chain.append(inner) }
        var element: ArchivedType?
        for outer in chain.dropFirst().reversed() { element = ArchivedType(outer, element: element) }
        self.init(ArchivedKind(descriptor), cases: Self.cases(descriptor), element: element)
    }

    private convenience init(_ descriptor: ValueDescriptor, element: ArchivedType?) {
        self.init(ArchivedKind(descriptor), cases: Self.cases(descriptor), element: element)
    }

    private static func cases(_ descriptor: ValueDescriptor) -> [EnumerationSchema.RawValue] {
        descriptor.enumeration?.schema.cases.map(\.rawValue) ?? []
    }

    /// Whether the values or their elements are models.
    var holdsModels: Bool { element?.holdsModels ?? (kind == .model) }

    /// The name of the type, for example `array of integer`.
    var name: String {
        var text = kind.name
        var inner = element
        while let current = inner {
            text += " of \(current.kind.name)"
            inner = current.element
        }
        return text
    }
}

/// A property as an archive describes it.
struct ArchivedProperty: Sendable {
    let key: String
    let type: ArchivedType
    /// Whether values must not be shown.
    let isSecret: Bool
}

/// A schema as it was when the archive was written.
struct ArchivedSchema: Sendable {
    /// The schema itself, then its parent, and so on.
    let levels: [StoredModel.Level]
    let properties: [ArchivedProperty]

    var name: String { levels[0].name }
    var version: Int { levels[0].version }

    /// How many schemas an archive can have: more than applications have, few enough to compile them all.
    static let maximumSchemas = 10_000

    /// How many levels, properties and nested element types there can be: the registry's limits, and the nesting that a
    /// schema document allows.
    static let maximumLevels = 65
    static let maximumProperties = 10_000
    static let maximumNesting = 64
}
