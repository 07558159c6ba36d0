import PalliumJSON

/// A set of registered mergers, which merge policies refer to by name.
///
/// An application uses ``shared``; tests and libraries make their own.
public final class MergerRegistry: Sendable {
    /// The application's registry.
    public static let shared = MergerRegistry()

    private let mergers = Lock<[UTF8Key: Merger]>([:])

    /// Makes an empty registry.
    public init() {}

    /// Adds a merger.
    ///
    /// - Throws: ``ModelError`` with the code `duplicateMember` when a policy of the library or another merger has the
    ///   name. A name never changes its meaning, because schemas keep the mergers they were registered with.
    public func register(_ merger: Merger, as name: String) throws(ModelError) {
        let isTaken = mergers.withLock { table in
            if let existing = table[UTF8Key(name)] { return existing !== merger }
            if MergePolicy.predefinedNames.contains(UTF8Key(name)) { return true }
            table[UTF8Key(name)] = merger
            return false
        }
        if isTaken {
            throw ModelError(
                .duplicateMember, expected: "a new merger name", found: "\(ModelError.quote(name)), which is taken")
        }
    }

    /// Returns the merger with a name; nil when there is none.
    package func merger(named name: String) -> Merger? { mergers.withLock { $0[UTF8Key(name)] } }

    /// The names, sorted.
    package var names: [String] {
        mergers.withLock { $0.keys.map(\.text).sorted(by: UTF8Text.precedes) }
    }
}
