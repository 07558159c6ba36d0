public import PalliumJSON

/// The description of one property: its kind, its mapping to JSON, its treatment in the model.
///
/// Start with the kind and chain the modifiers that it needs:
///
///     "title": .string,
///     "number": .integer.required,
///     "htmlURL": .url.json("html_url"),
///     "labels": .array(of: .string).json("meta.labels"),
///
/// Registering the schema reports all mistakes at once, such as a default of the wrong kind or a malformed key path.
public struct PropertySchema: Sendable, Hashable {
    /// The kind of values the property holds.
    public let kind: PropertyKind
    /// Whether the property must be present when decoded, unarchived, built from values or validated; and not null, unless
    /// it is nullable.
    public package(set) var isRequired = false
    /// The rule about null that the schema states; nil if it follows from the rest.
    package var nullability: Nullability?
    /// The value of the property when none was given.
    public package(set) var defaultValue: Default?
    /// The mapping of the property to JSON.
    public package(set) var json: JSONMapping = .ownKey
    /// The transformers between JSON and the property, applied in order when reading.
    public package(set) var transformers: [TransformerName] = []
    /// The way nil is written, when it differs from the adapter's policy.
    package var nilPolicy: NilPolicy?
    /// The part the property plays in equality, descriptions and archives.
    package var storage: Storage = .permanent
    /// Whether the property is archived, when that differs from the rule for its storage.
    package var archive: ArchiveBehavior?
    /// Whether the property is only read from, or only written to, JSON.
    public package(set) var access: Access = .readWrite
    /// The direction of the documents that have the property; nil for both.
    public package(set) var only: Direction?
    /// What the values are, such as `pii`, in the order of their UTF-8 bytes and each once. Values of a property with a
    /// label are masked in descriptions and errors.
    public internal(set) var labels: [String] = []
    /// The index by which a store finds models by the property; nil if it has none.
    public package(set) var index: Index?
    /// The rule of a store for a row that refers by the property to a deleted one; nil if the reference stays.
    public package(set) var deleteRule: DeleteRule?
    /// Whether only an application knows the values, because its document names an unregistered kind, transformer or
    /// format.
    package var isOpaque = false
    /// Whether the property is a weak reference.
    package var isWeak = false
    /// Whether documents may have the identity of a model in place of the model.
    public package(set) var isByIdentity = false
    /// The key of the parent reference in the child's schema.
    package var inverse: String?
    /// The policy for merging a value from another model or document.
    package var merge: MergePolicy?
    /// The meaning of the property, for people.
    public package(set) var documentation = ""
    /// Computes the value of the property when a model is unarchived.
    package internal(set) var storedValueHook: StoredValueHook?
    /// The limits on values, in order.
    public package(set) var rules: [Rule] = []
    /// The texts for people about broken rules, by the name of the rule.
    public package(set) var messages: [String: String] = [:]
    /// Checks and corrections of values, in order.
    package internal(set) var validators: [ComparedByIdentity<PropertyValidator>] = []

    /// Describes a property of a kind.
    public init(_ kind: PropertyKind) { self.kind = kind }

    /// A rule about null.
    package enum Nullability: Sendable {
        case allowed, refused
    }

    /// Whether null is a value although the property is required or has a default.
    package var isNullableByDeclaration: Bool { nullability == .allowed }

    /// Whether null is a value of the property.
    public var isNullable: Bool {
        switch nullability {
        case .allowed: true
        case .refused: false
        case nil: !isRequired && defaultValue == nil
        }
    }

    /// Whether the property may have no value: it is unset or null, and its accessor is optional.
    public var isOptional: Bool { isNullable || !isRequired && defaultValue == nil }

    /// The way nil is written, when it differs from the adapter's policy: a null that must be there is written, and one that
    /// is refused is not.
    package var writtenNilPolicy: NilPolicy? {
        let isFixed = isRequired ? isNullable : nullability == .refused && defaultValue == nil
        return isFixed ? .asParsed : nilPolicy
    }

    /// Whether documents may have null in place of a value: as a value, or for the default.
    package var readsNull: Bool { isNullable || defaultValue != nil && nullability != .refused }

    /// Whether a text can be a label: a name that needs no quotes in a document, a shell or a list.
    static func isLabel(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) && byte < 0x80 }
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 64 else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "-_.".utf8.contains($0) }
    }

    /// The transformers between JSON and the values: those of the property, or that of its custom kind.
    package var conversions: [TransformerName] {
        if transformers.isEmpty, case .custom(let custom) = kind { return custom.transformer.map { [$0] } ?? [] }
        return transformers
    }

    /// Whether the property has a label, so that values are masked in descriptions and errors.
    public var isSensitive: Bool { !labels.isEmpty }

    /// Whether the property holds models, alone or in collections.
    package var holdsModels: Bool {
        if case .model = kind.innermost { true } else { false }
    }

    /// Whether the property contains Swift code, which no document can hold.
    package var hasClosures: Bool {
        !validators.isEmpty || storedValueHook != nil || hasInlineTransformer || kind.element?.hasClosures == true
    }

    /// Whether a transformer of the property has no name.
    package var hasInlineTransformer: Bool { transformers.contains { $0.unnamed != nil } }

    /// The names in parts that Swift compares by canonical equivalence, in the property and its elements.
    var names: [String] {
        [inverse ?? "", merge?.name ?? "", merge?.by ?? ""] + json.texts + (kind.element?.names ?? [])
    }

    /// Whether archives hold the property.
    ///
    /// A weak reference alone is never a reason to archive a model: it is archived conditionally, even when its storage
    /// is transitory.
    package var archiving: ArchiveBehavior {
        let wanted = archive ?? (storage == .permanent || isWeak ? .included : .excluded)
        return isWeak && wanted == .included ? .conditional : wanted
    }
}

extension PropertySchema {
    /// A default value: a Swift value from code, or a JSON value from a schema document.
    public enum Default: Sendable, Hashable {
        case value(any PropertyValue & Hashable & Sendable)
        case json(JSONValue)

        /// Whether the two are equal.
        public static func == (left: Default, right: Default) -> Bool {
            switch (left, right) {
            case (.json(let left), .json(let right)): left == right
            case (.value(let left), .value(let right)): AnyHashable(left) == AnyHashable(right)
            default: false
            }
        }

        /// Hashes what `==` compares.
        public func hash(into hasher: inout Hasher) {
            switch self {
            // As `==` compares: 1 and 1.0 are the same default.
            case .value(let value): hasher.combine(AnyHashable(value))
            case .json(let value): hasher.combine(value)
            }
        }
    }
}

extension PropertySchema {
    /// The ways to map a property to JSON.
    public enum JSONMapping: Sendable, Hashable {
        /// The member that the schema's key strategy makes of the property's key.
        case ownKey
        /// A key path such as `"user.login"`. `\.` is a dot inside a name, `[0]` steps into an array when reading.
        case path(String)
        /// Reads the first path that is present, writes the first in the list.
        case firstOf([String])
        /// Reads one object with the values of all paths, which the transformer converts. Its keys are the paths as
        /// written here.
        case allOf([String])
        /// Not in JSON.
        case none

        /// The key paths as written; empty if there are none.
        package var texts: [String] {
            switch self {
            case .path(let path): [path]
            case .firstOf(let paths), .allOf(let paths): paths
            case .ownKey, .none: []
            }
        }
    }
}

extension PropertySchema {
    /// Whether a property is read from JSON, written to it, or both.
    public enum Access: String, Sendable, Hashable {
        case readWrite, readOnly, writeOnly
    }
}

extension PropertySchema {
    /// A direction of documents, as a service sees them.
    ///
    /// It says what a contract says, and changes nothing by itself. An adapter with a
    /// ``JSONAdapterOptions/mode`` leaves out the properties of the other direction.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
        /// Documents that a service takes, such as the body of a request.
        case input
        /// Documents that a service gives, such as the body of a response.
        case output
    }
}

extension PropertySchema {
    /// The ways to write nil properties.
    public enum NilPolicy: String, Sendable, Hashable, CaseIterable {
        /// Unset and defaulted properties are skipped, null is written as null: encoding reproduces the document.
        case asParsed
        /// Nil properties are skipped.
        case omit
        /// Nil properties are written as null.
        case write
    }
}

extension PropertySchema {
    /// The parts a property can play in equality, descriptions, merging and archives.
    public enum Storage: String, Sendable, Hashable, CaseIterable {
        /// Part of ==, hash and description; copied, merged and archived.
        case permanent
        /// Copied and merged; not part of ==, hash and description. Archived only when included, or conditionally for a
        /// weak reference.
        case transitory
        /// Documentation only: there is no slot, and other modifiers are registration errors.
        case notStored
    }
}

extension PropertySchema {
    /// An index of a store.
    public enum Index: String, Sendable, Hashable, CaseIterable {
        /// Several models may have one value.
        case ordinary
        /// No two models have the same value. Any number may have none.
        case unique
        /// Of a text, for conditions that do not tell capital from small letters.
        case caseInsensitive
    }
}

extension PropertySchema {
    /// The rules of a store for a row that refers to a deleted one.
    public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
        /// The reference stays, and leads to no row.
        case keep
        /// The call that deletes fails, unless it deletes the row, too.
        case deny
        /// The reference becomes null; in a collection, the element is taken out.
        case nullify
        /// The row is deleted, too.
        case cascade
    }
}

extension PropertySchema {
    /// Whether a property is archived.
    public enum ArchiveBehavior: String, Sendable, Hashable, CaseIterable {
        case included, excluded
        /// Only when the object is in the archive for another reason. For properties that hold models.
        case conditional
    }
}
