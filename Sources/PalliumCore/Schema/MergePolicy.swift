import PalliumJSON

/// How a value from another model or document is merged into a property.
///
///     "watchers": .integer.merge(.max),
///     "body": .string.merge(.newest(by: "updatedAt")),
///     "labels": .array(of: .model(Label.self)).merge(.byIdentifier("id", missing: .remove)),
///
/// What is absent in the incoming model never changes anything. A property without a policy takes what comes; it differs
/// from one with the policy ``replace`` only in a rebase, where an edit of the program survives unless a policy says
/// otherwise.
public struct MergePolicy: Sendable, Hashable {
    /// What happens to models in a collection that the incoming one does not mention.
    public enum MissingElements: String, Sendable, Hashable {
        case keep, remove
    }

    /// The policy's name, for example `"replace"`, `"union"` or the name of a registered merger.
    public var name: String
    /// The property that decides, for `newest` and `byIdentifier`.
    public var by: String?
    /// What happens to elements that are not mentioned, for `byIdentifier`; they are kept unless it says otherwise.
    public var missing: MissingElements?

    /// Names a policy: one of those below, or a merger of the registry.
    public init(_ name: String, by: String? = nil, missing: MissingElements? = nil) {
        self.name = name
        self.by = by
        self.missing = missing
    }
}

extension MergePolicy {
    /// The incoming value is taken, null clears. In a rebase it is taken even over an edit of the program.
    public static let replace = MergePolicy("replace")
    /// What is there stays, a null included; only a property that is unset or has its default takes the incoming value.
    public static let keep = MergePolicy("keep")
    /// Like no policy, but null is ignored.
    public static let skipNull = MergePolicy("skipNull")
    /// The larger value stays; null is ignored. For numbers, dates and text, which is compared by its bytes.
    public static let max = MergePolicy("max")
    /// The smaller value stays; null is ignored.
    public static let min = MergePolicy("min")
    /// The elements of both, in an array or set the own ones first; of two dictionary members with one key the incoming
    /// one counts. Null is ignored.
    public static let union = MergePolicy("union")
    /// The own elements, then the incoming ones, equal or not. Null is ignored.
    public static let append = MergePolicy("append")
    /// A nested model is merged in place by the policies of its own properties. One of another identity, or of a schema
    /// that is not the own one's or an ancestor of it, replaces it instead.
    public static let recurse = MergePolicy("recurse")

    /// The value of the model whose property `key` is larger is taken, its null included; without one on the incoming side
    /// nothing changes. The deciding property itself merges by ``max`` unless it has a policy of its own.
    public static func newest(by key: String) -> MergePolicy { MergePolicy("newest", by: key) }

    /// The models of a collection are matched by a property, or by the identity of their schema: known ones are merged in
    /// place, others are added at the end.
    public static func byIdentifier(_ key: String? = nil, missing: MissingElements? = nil) -> MergePolicy {
        MergePolicy("byIdentifier", by: key, missing: missing)
    }

    /// Whether models in the property are merged rather than replaced, so that part of one is enough.
    package var mergesInPlace: Bool { name == "recurse" || name == "byIdentifier" }

    /// Whether null from outside means nothing to the property, or something else than null.
    package var ignoresNull: Bool {
        switch name {
        case "replace", "recurse", "byIdentifier", "newest": false
        default: true
        }
    }

    /// The names that mean a policy of the library.
    static let predefinedNames: Set<UTF8Key> = Set(
        [
            "replace", "keep", "skipNull", "newest", "max", "min", "union", "append", "recurse", "byIdentifier",
        ].map { UTF8Key($0) })
}
