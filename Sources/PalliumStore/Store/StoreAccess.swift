public import PalliumCore

/// Finds and changes the models of a store: the store itself, or one of its transactions.
///
/// A function that takes one may be called with either:
///
///     func close(_ number: Int, in store: some StoreAccess) throws {
///         guard let issue = try store.first(Issue.self, identity: number) else { return }
///         issue.state = .closed
///         try store.save(issue)
///     }
///
/// The requirements belong to the library; do not call or implement them.
public protocol StoreAccess {
    /// Calls a function that reads.
    func _read<Result>(_ body: (_ConnectedStore) throws(ModelError) -> Result) throws(ModelError) -> Result

    /// Calls a function that may change the store, all of whose changes are taken back if it throws.
    func _write<Result>(_ body: (_ConnectedStore) throws(ModelError) -> Result) throws(ModelError) -> Result
}
