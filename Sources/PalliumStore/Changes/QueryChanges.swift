public import PalliumCore

/// The difference between two results of a query.
///
///     for try await change in try store.changes(of: query) { print(change) }  // 1 inserted, 2 updated, 0 deleted
public struct QueryChanges: Sendable {
    /// The identities of models that came to the result, in its order.
    public let inserted: [ModelIdentity]
    /// The identities of models that differ or stand at another place among those that stayed, in the order of the new
    /// result.
    public let updated: [ModelIdentity]
    /// The identities of models that left the result, in the order of the former one.
    public let deleted: [ModelIdentity]

    /// Whether the results are the same.
    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension QueryChanges: CustomStringConvertible {
    /// The numbers in words.
    public var description: String {
        "\(inserted.count) inserted, \(updated.count) updated, \(deleted.count) deleted"
    }
}
