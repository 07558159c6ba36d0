package import PalliumCore

/// The form of an archived value. Kinds with a form of their own have the number that the bytes give for them.
enum ArchivedKind: UInt8 {
    /// Bytes that the kind itself reads and writes.
    case bytes = 0
    case bool = 1
    case integer, unsigned, double
    case string = 7
    /// A date without its spelling, as archives had it before.
    case moment, url
    case enumeration = 12
    case model, array, set, dictionary, json, custom
    case date = 20

    init(_ traits: KindTraits) {
        self = traits.archived == nil ? ArchivedKind(rawValue: traits.archiveNumber) ?? .bytes : .bytes
    }
}

/// The type of an archived property: its kind, cases and element type.
final class ArchivedType: Sendable {
    let kind: ArchivedKind
    let traits: KindTraits
    /// The cases of an enumeration, in the order of their numbers.
    let cases: [EnumerationSchema.RawValue]
    /// The type of the elements of a collection.
    let element: ArchivedType?

    init(
        _ traits: KindTraits, kind: ArchivedKind? = nil, cases: [EnumerationSchema.RawValue] = [],
        element: ArchivedType? = nil
    ) {
        self.kind = kind ?? ArchivedKind(traits)
        self.traits = traits
        self.cases = cases
        self.element = element
    }

    /// Makes the type of a property, from the inside out.
    convenience init(_ descriptor: ValueDescriptor) {
        var chain = [descriptor]
        while let inner = chain.last?.element { chain.append(inner) }
        var element: ArchivedType?
        for outer in chain.dropFirst().reversed() { element = ArchivedType(outer, element: element) }
        self.init(descriptor.traits, cases: Self.cases(descriptor), element: element)
    }

    private convenience init(_ descriptor: ValueDescriptor, element: ArchivedType?) {
        self.init(descriptor.traits, cases: Self.cases(descriptor), element: element)
    }

    private static func cases(_ descriptor: ValueDescriptor) -> [EnumerationSchema.RawValue] {
        descriptor.enumeration?.schema.cases.map(\.rawValue) ?? []
    }

    /// Whether the values or their elements are models.
    var holdsModels: Bool { element?.holdsModels ?? (kind == .model) }

    /// The name of the type, for example `array of integer`.
    var name: String {
        var text = traits.name
        var inner = element
        while let current = inner {
            text += " of \(current.traits.name)"
            inner = current.element
        }
        return text
    }
}

/// A property as an archive describes it.
package struct ArchivedProperty: Sendable {
    package let key: String
    let type: ArchivedType
    /// Whether values must not be shown.
    package let isSensitive: Bool

    /// The name of the type, for example `array of integer`.
    package var kind: String { type.name }
}

/// A schema as it was when the archive was written.
package struct ArchivedSchema: Sendable {
    /// The schema itself, then its parent, and so on.
    package let levels: [FormerModel.Level]
    package let properties: [ArchivedProperty]

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

extension [FormerModel.Level] {
    /// The levels as one text, to find what belongs to them.
    var text: String { map { "\($0.version) \($0.name)" }.joined(separator: "\0") }
}
