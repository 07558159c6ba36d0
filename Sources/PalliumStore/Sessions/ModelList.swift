public import Observation
public import PalliumCore
import PalliumMerging

/// The live objects of a query in a session, in its order: what a list on a screen shows.
///
///     let list = try session.list(ModelQuery<Issue>(where: Key("state") == "open"))
///     for try await difference in list.differences { print(list.models.count, difference) }
///
/// Observation reports when the list has other models or another order. Each object reports its own changes if its schema
/// is observed. A list belongs to the isolation region of its session.
public final class ModelList<Model: DynamicModel>: Observable {
    private let session: ModelSession
    private let query: ModelQuery<Model>
    private let registrar = ObservationRegistrar()
    private var current: [Model]

    fileprivate init(_ session: ModelSession, _ query: ModelQuery<Model>) throws(ModelError) {
        self.session = session
        self.query = query
        current = try session.fetch(query)
    }

    /// The objects, as of the last update.
    public var models: [Model] {
        registrar.access(self, keyPath: \.models)
        return current
    }

    /// Fetches the query again, and returns what came, went and moved.
    ///
    /// - Throws: ``ModelError`` as ``ModelSession/fetch(_:)``; the list is then as it was.
    /// - Complexity: A fetch of the query.
    @discardableResult
    public func update() throws(ModelError) -> CollectionDifference<Model> {
        let new = try session.fetch(query)
        let difference = Self.difference(from: current, to: new)
        if !difference.isEmpty { registrar.withMutation(of: self, keyPath: \.models) { current = new } }
        return difference
    }

    private static func difference(from old: [Model], to new: [Model]) -> CollectionDifference<Model> {
        var numbers: [ObjectIdentifier: Int] = [:]
        for (number, model) in (old + new).enumerated() { numbers[ObjectIdentifier(model)] = number }
        func named(_ models: [Model]) -> [Int] { models.compactMap { numbers[ObjectIdentifier($0)] } }
        var budget = SequenceAlignment.budget
        let matches = SequenceAlignment(named(old), named(new), budget: &budget).matches
        let kept = (Set(matches.map(\.old)), Set(matches.map(\.new)))
        let changes: [CollectionDifference<Model>.Change] =
            old.indices.filter { !kept.0.contains($0) }.map {
                .remove(offset: $0, element: old[$0], associatedWith: nil)
            }
            + new.indices.filter { !kept.1.contains($0) }.map {
                .insert(offset: $0, element: new[$0], associatedWith: nil)
            }
        // No offset is repeated.
        return CollectionDifference(changes) ?? CollectionDifference([])!
    }

    /// Updates the list after each commit, whichever program commits, and has an element for each that changes the list.
    ///
    /// A loop begins with what changed before it, so that a screen may end one and begin another. It ends with its task, or
    /// with an error.
    public var differences: Differences { Differences(list: self) }

    /// The differences of a list, for one loop after the other.
    public struct Differences: AsyncSequence, AsyncIteratorProtocol {
        fileprivate let list: ModelList
        /// Nil before the loop.
        fileprivate var signals: AsyncStream<Void>.AsyncIterator?

        /// Returns the differences from now on.
        public func makeAsyncIterator() -> Differences { Differences(list: list) }

        /// Waits until the list has changed, and returns how; nil when the task was cancelled.
        ///
        /// - Throws: ``ModelError`` as ``ModelList/update()``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ModelError) -> CollectionDifference<Model>? {
            let connections = list.session.store.connections
            while true {
                if signals == nil {
                    signals = connections.commits.listen().makeAsyncIterator()
                } else if await signals?.next(isolation: actor) == nil {
                    return nil
                }
                try connections.file?.checkPath()
                let difference = try list.update()
                if !difference.isEmpty { return difference }
            }
        }
    }
}

extension ModelSession {
    /// Returns a list of the objects of a query, which a loop over ``ModelList/differences`` keeps up to date.
    ///
    /// - Throws: ``ModelError`` as ``fetch(_:)``.
    public func list<Model>(_ query: ModelQuery<Model>) throws(ModelError) -> ModelList<Model> {
        try ModelList(self, query)
    }
}
