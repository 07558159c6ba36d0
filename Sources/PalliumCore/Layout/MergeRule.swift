/// A merge policy, compiled for one property of a layout.
package enum MergeRule: Sendable {
    /// No policy was declared.
    case automatic
    case replace, keep, skipNull, maximum, minimum, union, append, recurse
    /// The slot that decides.
    case newest(by: Int)
    /// The key in the elements; nil for the identity of their schema.
    case byIdentifier(key: String?, removesMissing: Bool)
    indirect case merger(Merger)

    /// Whether models that stand in the property are merged rather than replaced, so that part of one is enough.
    package var mergesInPlace: Bool {
        switch self {
        case .recurse, .byIdentifier: true
        default: false
        }
    }

    /// Whether what comes takes the place of what is there, so that something equal changes nothing.
    var isReplacing: Bool {
        switch self {
        case .automatic, .replace: true
        default: false
        }
    }

    /// Whether the property may be given the content it has: it then stays as it is.
    package var acceptsOwnContent: Bool {
        switch self {
        case .automatic, .replace, .keep, .skipNull, .newest, .maximum, .minimum, .recurse, .byIdentifier: true
        // Lists are put together, or the program sees both sides.
        case .union, .append, .merger: false
        }
    }

    /// Whether null from outside means nothing, or what the property's own nullability does not decide.
    package var ignoresNull: Bool {
        switch self {
        case .automatic, .replace, .recurse, .byIdentifier, .newest: false
        case .keep, .skipNull, .maximum, .minimum, .union, .append, .merger: true
        }
    }

    /// The rules of some properties, by slot. Policies were checked by the compiler; what is wrong counts as none.
    static func compile(
        _ properties: [ModelLayout.Property], keys: KeyTable, mergers: MergerRegistry
    ) -> [MergeRule] {
        var rules = properties.map { property in
            property.schema.merge.map { MergeRule($0, keys: keys, mergers: mergers) } ?? .automatic
        }
        for rule in rules {
            guard case .newest(let slot) = rule, properties[slot].schema.merge == nil else { continue }
            // An old document must not turn back the clock by which the next one is judged.
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
        case "recurse": self = .recurse
        case "newest": self = policy.by.flatMap { keys.find($0) }.map { .newest(by: $0) } ?? .automatic
        case "byIdentifier": self = .byIdentifier(key: policy.by, removesMissing: policy.missing == .remove)
        default: self = mergers.merger(named: policy.name).map { .merger($0) } ?? .automatic
        }
    }
}
