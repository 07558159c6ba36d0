public import PalliumCore
public import PalliumJSON

/// One property, element or dictionary member that differs.
public struct ModelChange: CustomStringConvertible {
    /// The decision of a merge about a difference.
    public enum Decision: String, Sendable, Hashable {
        /// The value of the source was taken.
        case taken
        /// A value was made of both.
        case combined
        /// The value of the target stayed, because of a policy or an edit.
        case kept
        /// A validator or hook changed the value afterwards.
        case corrected
    }

    /// The key of the property, in the model that has it.
    public let key: String
    /// The decision of the merge; nil where nothing was merged, as in ``DynamicModel/difference(to:)``.
    public let decision: Decision?
    /// Whether both sides had changed the value since they were the same.
    public let isConflict: Bool
    private let paths: GraphPaths
    private let path: Int
    let oldContent: TemporarySlot?
    let newContent: TemporarySlot?

    init(
        key: String, decision: Decision?, isConflict: Bool, paths: GraphPaths, path: Int,
        oldContent: TemporarySlot?, newContent: TemporarySlot?
    ) {
        self.key = key
        self.decision = decision
        self.isConflict = isConflict
        self.paths = paths
        self.path = path
        self.oldContent = oldContent
        self.newContent = newContent
    }

    init(
        key: String, decision: Decision?, isConflict: Bool, paths: GraphPaths, path: Int, old: PropertySlot?,
        new: PropertySlot?
    ) {
        self.init(
            key: key, decision: decision, isConflict: isConflict, paths: paths, path: path,
            oldContent: old.map { TemporarySlot(copying: $0) }, newContent: new.map { TemporarySlot(copying: $0) })
    }

    /// The path to the change: property keys, element numbers and dictionary keys, from the model that was asked. An
    /// element that was removed has its old number, any other its new one. O(depth).
    public var pointer: JSONPointer { JSONPointer(tokens: paths.tokens(to: path)) }

    /// The key of the property, in the model that was asked, that the change lies in. O(depth).
    var rootKey: String { paths.firstToken(to: path) }

    /// The value before, in its natural Swift type; nil for unset, null and what was not there.
    ///
    /// Of a change that was `kept`, the value that stayed.
    public var old: (any PropertyValue)? { oldContent?.slot.naturalValue }

    /// The value after; nil for unset, null and what was removed.
    ///
    /// Of a change that was `kept`, the value of the source that was not taken.
    public var new: (any PropertyValue)? { newContent?.slot.naturalValue }

    /// `/assignee/login: "ada" → "grace" (taken)`; values with labels are masked, and the path ends at them.
    public var description: String {
        let (tokens, isMasked) = paths.shownTokens(to: path)
        func text(_ content: TemporarySlot?) -> String {
            guard let content else { return "nothing" }
            return isMasked && content.slot.hasValue ? MaskedValue.text : ModelDescription.line(content.slot)
        }
        var notes = decision.map { [$0.rawValue] } ?? []
        if isConflict { notes.append("conflict") }
        return ModelError.shorten(JSONPointer(tokens: tokens).description, to: 256)
            + ": \(text(oldContent)) → \(text(newContent))"
            + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }
}

/// The differences between two states of a model. Merging, comparing, tracking and rebasing return them.
///
///     let changes = try issue.merge(from: fetched)
///     for change in changes { print(change) }  // /title: "Crash" → "Crash on launch" (taken)
///     print(changes.conflicts.count)
///
/// Only properties that `==` compares count: permanent ones, where unset and null are the same. Differences are
/// reported as deep as possible: those of nested models one by one; elements of lists of models that have an identity,
/// and members of dictionaries, also if they are added or removed; other collections as a whole.
///
/// The values are those of the moment, except that nested models are the same objects as in the model.
public struct ModelChanges: RandomAccessCollection, CustomStringConvertible {
    private let changes: [ModelChange]
    /// Differences in which a merge kept the value of the target.
    public let kept: [ModelChange]

    init(_ changes: [ModelChange], kept: [ModelChange] = []) {
        self.changes = changes
        self.kept = kept
    }

    /// No differences.
    init() { self.init([]) }

    /// The changes of several merges, one after the other.
    init(_ parts: [ModelChanges]) {
        self.init(parts.flatMap(\.changes), kept: parts.flatMap(\.kept))
    }

    /// The first valid position: 0.
    public var startIndex: Int { 0 }
    /// The number of changes.
    public var endIndex: Int { changes.count }
    /// The change at a position below `count`.
    public subscript(position: Int) -> ModelChange { changes[position] }

    /// The conflicts, which both sides had changed: first the changes that were made, then those that were not.
    public var conflicts: [ModelChange] { changes.filter(\.isConflict) + kept.filter(\.isConflict) }

    /// The keys of the properties of the model itself that something changed in, in order, each once. O(*n* · depth).
    public var keys: [String] {
        var seen: Set<UTF8Key> = []
        return changes.map(\.rootKey).filter { seen.insert(UTF8Key($0)).inserted }
    }

    /// One change a line, cut after 1000.
    public var description: String {
        let lines = changes.prefix(1000).map(\.description) + kept.prefix(1000).map(\.description)
        let rest = changes.count + kept.count - lines.count
        return lines.joined(separator: "\n") + (rest > 0 ? "\n… (\(rest) more)" : "")
    }
}
