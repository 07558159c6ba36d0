/// How many rows a call has changed.
public struct StoreChanges: Sendable, Hashable {
    /// The number of models that were not in the store before.
    public internal(set) var inserted = 0
    /// The number of models that were in the store and differ now.
    public internal(set) var updated = 0
    /// The number of models that are no longer in the store.
    public internal(set) var deleted = 0

    mutating func add(_ outcome: RowWriter.Outcome) {
        switch outcome {
        case .inserted: inserted += 1
        case .updated: updated += 1
        case .unchanged: break
        }
    }

    /// Whether nothing was written.
    public var isEmpty: Bool { self == StoreChanges() }
}

extension StoreChanges: CustomStringConvertible {
    /// The numbers in words.
    public var description: String { "\(inserted) inserted, \(updated) updated, \(deleted) deleted" }
}
