public import PalliumJSON

/// The description of one property: what it holds, where it lives in JSON, who sees it.
///
/// Start with the kind and chain what differs from the default:
///
///     "title": .string,
///     "number": .integer.required,
///     "htmlURL": .url.json("html_url"),
///     "labels": .array(of: .string).json("meta.labels"),
///
/// A property is nullable unless it is ``required`` or has a default value; nullability decides the type of the accessor.
/// Mistakes in a description (a default of the wrong kind, a malformed key path) are reported when the schema is
/// registered, all at once.
public struct PropertySchema: Sendable, Hashable {
    /// What the property holds.
    public let kind: PropertyKind
    /// Present and not null when decoded, unarchived, built from values or validated.
    public internal(set) var isRequired = false
    /// Null is a value although there is a default.
    public internal(set) var isNullableByDeclaration = false
    /// What the property holds when nothing was given for it.
    public internal(set) var defaultValue: PropertyDefault?
    /// Where the property lives in JSON.
    public internal(set) var json: JSONMapping = .ownKey
    /// The transformers between JSON and the property, applied in order when reading.
    public internal(set) var transformers: [TransformerName] = []
    /// How nil is written, when it differs from the adapter's policy.
    public internal(set) var nilPolicy: NilPolicy?
    /// Who sees the property inside the program.
    public internal(set) var storage: PropertyStorage = .permanent
    /// Whether the property is archived, when that differs from what its storage says.
    public internal(set) var archive: ArchiveBehavior?
    /// Whether the property is only read from, or only written to, JSON.
    public internal(set) var access: JSONAccess = .readWrite
    /// Masked in descriptions and errors.
    public internal(set) var isSecret = false
    /// The model is referenced without being kept alive.
    public internal(set) var isWeak = false
    /// The key of the link back to this model in the child's schema.
    public internal(set) var inverse: String?
    /// How a value from another model or document is merged in.
    public internal(set) var merge: MergePolicy?
    /// What the property means, for people.
    public internal(set) var documentation = ""
    /// Decides what the property holds when a model is unarchived.
    package internal(set) var storedValueHook: StoredValueHook?
    /// Checks and corrections of values, in order.
    package internal(set) var validators: [PropertyValidator] = []

    /// Describes a property of a kind.
    public init(_ kind: PropertyKind) { self.kind = kind }

    /// Whether null is a value of the property.
    public var isNullable: Bool { !isRequired && (defaultValue == nil || isNullableByDeclaration) }

    /// Whether models stand in the property, alone or in collections.
    package var holdsModels: Bool {
        var innermost = kind
        while let element = innermost.element { innermost = element.kind }
        if case .model = innermost { return true }
        return false
    }

    /// Whether archives hold the property. What is weak is never the reason to archive a model, whatever the schema
    /// says: it is archived conditionally, also where it is transitory, which weak references are by nature.
    package var archiving: ArchiveBehavior {
        let wanted = archive ?? (storage == .permanent || isWeak ? .included : .excluded)
        return isWeak && wanted == .included ? .conditional : wanted
    }
}

/// A default value: a Swift value from code, or a JSON value from a schema document.
public enum PropertyDefault: Sendable, Hashable {
    case value(any PropertyValue & Hashable & Sendable)
    case json(JSONValue)

    /// Whether the two say the same.
    public static func == (left: PropertyDefault, right: PropertyDefault) -> Bool {
        switch (left, right) {
        case (.json(let left), .json(let right)): left == right
        case (.value(let left), .value(let right)): AnyHashable(left) == AnyHashable(right)
        default: false
        }
    }

    /// Mixes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        // As `==` compares: 1 and 1.0 are the same default.
        case .value(let value): hasher.combine(AnyHashable(value))
        case .json(let value): hasher.combine(value)
        }
    }
}

/// Where a property lives in JSON.
public enum JSONMapping: Sendable, Hashable {
    /// The member that the schema's key strategy makes of the property's key.
    case ownKey
    /// A key path such as `"user.login"`; `\.` stands for a dot inside a name, `[0]` steps into an array when reading.
    case path(String)
    /// Reads the first path that is present, writes the first.
    case firstOf([String])
    /// Reads one object of all parts, keyed by the paths as written here, and hands it to the transformer.
    case allOf([String])
    /// Not in JSON.
    case none
}

/// Whether a property is read from JSON, written to it, or both.
public enum JSONAccess: String, Sendable, Hashable {
    case readWrite, readOnly, writeOnly
}

/// How nil properties are written.
public enum NilPolicy: String, Sendable, Hashable, CaseIterable {
    /// Unset and defaulted properties are left out, null is written as null: what was parsed comes back.
    case asParsed
    /// Nil properties are left out.
    case omit
    /// Nil properties are written as null.
    case write
}

/// Who sees a property inside the program.
public enum PropertyStorage: String, Sendable, Hashable, CaseIterable {
    /// Counts in ==, hash and description; copied, merged and archived.
    case permanent
    /// Copied and merged; no part of ==, hash, description, and not archived unless included. A weak reference stays in
    /// archives as it is without: conditionally.
    case transitory
    /// Documentation only: there is no slot, and modifiers other than the documentation are registration errors.
    case notStored
}

/// Whether a property is archived.
public enum ArchiveBehavior: String, Sendable, Hashable, CaseIterable {
    case included, excluded
    /// Only when the object is in the archive for another reason; for properties that hold models.
    case conditional
}
