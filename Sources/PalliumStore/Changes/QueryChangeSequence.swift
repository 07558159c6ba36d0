public import PalliumCore

/// The changes of a query's result, as they are committed.
///
///     for try await change in try store.changes(of: query) { print(change.inserted) }
///
/// An element is the difference from the element before. That is one commit, if your loop waits when it comes, or several.
/// The sequence is for one loop; it ends when the task is cancelled, or with an error.
public struct QueryChangeSequence: AsyncSequence, Sendable {
    /// Waits for changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var signals: AsyncStream<Void>.AsyncIterator
        fileprivate var result: QueryResult
        fileprivate let find: @Sendable () throws(ModelError) -> QueryResult

        /// Waits until the result has changed, and returns how; nil when the task was cancelled.
        ///
        /// - Throws: ``ModelError`` as `ModelStore.fetch(_:)`.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ModelError) -> QueryChanges? {
            while await signals.next(isolation: actor) != nil {
                let new = try find()
                let changes = new.changes(since: result)
                result = new
                if !changes.isEmpty { return changes }
            }
            return nil
        }
    }

    private let signals: AsyncStream<Void>
    private let result: QueryResult
    private let find: @Sendable () throws(ModelError) -> QueryResult

    fileprivate init(
        _ signals: AsyncStream<Void>, _ find: @escaping @Sendable () throws(ModelError) -> QueryResult
    ) throws(ModelError) {
        self.signals = signals
        self.find = find
        result = try find()
    }

    /// Returns the iterator for a loop.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(signals: signals.makeAsyncIterator(), result: result, find: find)
    }
}

extension ModelStore {
    /// Returns a sequence with an element for each commit that changes the result of a query, whichever program commits.
    ///
    ///     for try await change in try store.changes(of: ModelQuery<Issue>(where: Key("state") == "open")) {
    ///         print(change)  // 1 inserted, 0 updated, 1 deleted
    ///     }
    ///
    /// Commits of other programs are seen within ``ModelStoreOptions/pollingInterval``. Nothing is missed that is committed after
    /// this call. A model that comes with one of the result, because the query includes it or the result needs it, counts
    /// as part of that one.
    ///
    /// - Throws: ``ModelError`` as ``StoreAccess/fetch(_:)``.
    /// - Complexity: For each commit, a fetch of the query.
    public func changes<Model>(of query: ModelQuery<Model>) throws(ModelError) -> QueryChangeSequence {
        try QueryChangeSequence(connections.commits.listen()) { () throws(ModelError) in
            try self.connections.file?.checkPath()
            return try self._read { store throws(ModelError) in
                QueryResult(try store.fetchAll(query))
            }
        }
    }
}
