public import PalliumCore

/// A transaction of a store, which ``ModelStore/transaction(_:)`` begins and ends.
///
/// Its calls see one another's changes. After the function has returned, each call throws the code `conflict`.
public final class StoreTransaction: StoreAccess {
    private let store: ModelStore
    private var connected: _ConnectedStore?

    init(_ store: ModelStore, _ connected: _ConnectedStore) {
        self.store = store
        self.connected = connected
    }

    func end() { connected = nil }

    /// Calls a function that reads, unless the transaction has ended.
    public func _read<Result>(_ body: (_ConnectedStore) throws(ModelError) -> Result) throws(ModelError) -> Result {
        guard let connected else {
            throw ModelError(.conflict, expected: "a transaction that is open", found: "one that has ended")
        }
        return try body(connected)
    }

    /// Calls a function that may change the store. Its changes are taken back if it throws.
    public func _write<Result>(_ body: (_ConnectedStore) throws(ModelError) -> Result) throws(ModelError) -> Result {
        try _read { _ throws(ModelError) in try store._write(body) }
    }
}

extension ModelStore {
    /// Calls a function whose changes are made together, or not at all if it throws.
    ///
    ///     try store.transaction { store in
    ///         guard let account = try store.first(Account.self, identity: "ada") else { return }
    ///         account.balance -= 10
    ///         try store.save(account)
    ///     }
    ///
    /// No other writer comes between what the function reads and what it saves. Calls of the store itself on the same
    /// thread are part of the transaction if they change something; what they find is as before it.
    ///
    /// - Throws: What the function throws; ``ModelError`` as ``StoreAccess/save(_:)-([DynamicModel])``.
    public func transaction<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
        var thrown: (any Error)?
        do throws(ModelError) {
            return try _write { store throws(ModelError) in
                let transaction = StoreTransaction(self, store)
                defer { transaction.end() }
                do { return try body(transaction) } catch {
                    thrown = error
                    // Only takes the transaction back.
                    throw ModelError(.hookFailed, expected: "a function that returns", found: "an error")
                }
            }
        } catch { throw thrown ?? error }
    }
}
