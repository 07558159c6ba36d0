/// A merge policy, compiled for one property of a layout.
package enum MergeRule: Sendable {
    /// No policy was declared.
    case automatic
    case replace, keep, skipNull, maximum, minimum, union, append
    /// Merges a model, or the models of a dictionary by their keys.
    case recurse(removesMissing: Bool)
    /// The slot of the property that decides.
    case newest(by: Int)
    /// The key that identifies elements; nil means the identity of their schema.
    case byIdentifier(key: String?, removesMissing: Bool, requiresIdentifiers: Bool)
    indirect case merger(Merger)

    /// Whether models in the property are merged rather than replaced, so that a partial model is enough.
    package var mergesInPlace: Bool {
        switch self {
        case .recurse, .byIdentifier: true
        default: false
        }
    }

    /// Whether the source's value replaces the target's, so that an equal one changes nothing.
    package var isReplacing: Bool {
        switch self {
        case .automatic, .replace: true
        default: false
        }
    }

    /// Whether the rule decides by other properties of the models.
    var readsOtherProperties: Bool {
        switch self {
        case .newest, .merger: true
        case .automatic, .replace, .keep, .skipNull, .maximum, .minimum, .union, .append, .recurse, .byIdentifier: false
        }
    }

    /// Whether merging the target's own content into the property leaves it unchanged.
    package var acceptsOwnContent: Bool {
        switch self {
        case .automatic, .replace, .keep, .skipNull, .newest, .maximum, .minimum, .recurse, .byIdentifier: true
        // Lists are joined, or your merger sees both sides.
        case .union, .append, .merger: false
        }
    }

    /// Whether the rule does not simply store a null from the source.
    package var ignoresNull: Bool {
        switch self {
        case .automatic, .replace, .recurse, .byIdentifier, .newest: false
        case .keep, .skipNull, .maximum, .minimum, .union, .append, .merger: true
        }
    }

    /// Compiles the rules of properties, by slot. The schema compiler has checked the policies; a wrong one counts as
    /// none.
    static func compile(
        _ properties: [ModelLayout.Property], keys: KeyTable, mergers: MergerRegistry
    ) -> [MergeRule] {
        var rules = properties.map { property in
            property.schema.merge.map { MergeRule($0, keys: keys, mergers: mergers) } ?? .automatic
        }
        for rule in rules {
            guard case .newest(let slot) = rule, properties[slot].schema.merge == nil else { continue }
            // An old document must not lower the value by which the next document is judged.
            rules[slot] = .maximum
        }
        return rules
    }

    private init(_ policy: MergePolicy, keys: KeyTable, mergers: MergerRegistry) {
        switch policy.name {
        case "replace": self = .replace
        case "keep": self = .keep
        case "skipNull": self = .skipNull
        case "max": self = .maximum
        case "min": self = .minimum
        case "union": self = .union
        case "append": self = .append
        case "recurse": self = .recurse(removesMissing: policy.missing == .remove)
        case "newest": self = policy.by.flatMap { keys.find($0) }.map { .newest(by: $0) } ?? .automatic
        case "byIdentifier":
            self = .byIdentifier(
                key: policy.by, removesMissing: policy.missing == .remove,
                requiresIdentifiers: policy.identifiers == .required)
        default: self = mergers.merger(named: policy.name).map { .merger($0) } ?? .automatic
        }
    }
}
