package import PalliumJSON

/// The rule by which a value from a source model or document is merged into a property.
///
///     "watchers": .integer.merge(.max),
///     "body": .string.merge(.newest(by: "updatedAt")),
///     "labels": .array(of: .model(Label.self)).merge(.byIdentifier("id", missing: .remove)),
///
/// A property that is absent from the source never changes. A property without a policy takes the value of the source;
/// it differs from one with the policy ``replace`` only in a rebase, where local edits survive unless a policy decides
/// otherwise.
public struct MergePolicy: Sendable, Hashable {
    /// The treatment of models in a collection that are missing from the source.
    public enum MissingElements: String, Sendable, Hashable {
        case keep, remove
    }

    /// Whether all models of a list need an identifier.
    public enum Identifiers: String, Sendable, Hashable {
        /// Models without an identifier are matched by their values and their position.
        case optional
        /// A list that has a model without an identifier is refused.
        case required
    }

    /// The policy's name, for example `"replace"`, `"union"` or the name of a registered merger.
    public var name: String
    /// The property that decides, for `newest` and `byIdentifier`.
    package var by: String?
    /// The treatment of elements that are missing from the source, for `byIdentifier` and `recurse`; nil keeps them.
    package var missing: MissingElements?
    /// Whether all elements need an identifier, for `byIdentifier`; nil means that they need none.
    package var identifiers: Identifiers?

    /// Names a policy: one of those below, or a merger of the registry.
    public init(
        _ name: String, by: String? = nil, missing: MissingElements? = nil, identifiers: Identifiers? = nil
    ) {
        self.name = name
        self.by = by
        self.missing = missing
        self.identifiers = identifiers
    }
}

extension MergePolicy {
    /// Takes the value of the source; null clears the property. In a rebase it replaces even a local edit.
    public static let replace = MergePolicy("replace")
    /// Keeps the target's value, including null. Only a property that is unset or has its default takes the source's
    /// value.
    public static let keep = MergePolicy("keep")
    /// Does the same as no policy, but ignores null.
    public static let skipNull = MergePolicy("skipNull")
    /// Keeps the larger value and ignores null. For numbers, dates, durations and text, which is compared by
    /// its bytes.
    public static let max = MergePolicy("max")
    /// Keeps the smaller value and ignores null.
    public static let min = MergePolicy("min")
    /// Keeps the elements of both, the target's first, and ignores null. Of two dictionary entries with one key the
    /// source's counts.
    public static let union = MergePolicy("union")
    /// Keeps the target's elements and appends the source's, equal or not. Null is ignored.
    public static let append = MergePolicy("append")
    /// Merges a nested model, or the models of a dictionary, in place by the policies of their own properties.
    ///
    /// The source's model replaces the target's instead when its identity differs, or when its schema is neither the
    /// target's nor an ancestor of it. In a dictionary, models with the same key are merged, new entries are added, and
    /// entries that the source lacks stay.
    public static let recurse = MergePolicy("recurse")

    /// Merges the models of a dictionary in place, and keeps or removes the entries that the source lacks.
    public static func recurse(missing: MissingElements) -> MergePolicy { MergePolicy("recurse", missing: missing) }

    /// Takes the value of the model whose property `key` is larger, including null.
    ///
    /// If the target has no value for `key`, the source's value is taken. Otherwise, if the source has none, the
    /// target's stays. A property of the target that is unset or has its default takes the source's value in any case.
    /// The property `key` itself merges by ``max`` unless it has a policy of its own.
    public static func newest(by key: String) -> MergePolicy { MergePolicy("newest", by: key) }

    /// Matches the models of a collection by a property, or by the identity of their schema.
    ///
    /// Existing models are merged in place, new ones are added at the end.
    public static func byIdentifier(
        _ key: String? = nil, missing: MissingElements? = nil, identifiers: Identifiers? = nil
    ) -> MergePolicy {
        MergePolicy("byIdentifier", by: key, missing: missing, identifiers: identifiers)
    }

    /// Whether models in the property are merged rather than replaced, so that a partial model is enough.
    package var mergesInPlace: Bool { name == "recurse" || name == "byIdentifier" }

    /// Whether the policy does not simply store a null from the source.
    package var ignoresNull: Bool {
        switch name {
        case "replace", "recurse", "byIdentifier", "newest": false
        default: true
        }
    }

    /// The names of the library's policies.
    package static let predefinedNames: Set<UTF8Key> = Set(
        [
            "replace", "keep", "skipNull", "newest", "max", "min", "union", "append", "recurse", "byIdentifier",
        ].map { UTF8Key($0) })
}
