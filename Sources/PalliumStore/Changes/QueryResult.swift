import PalliumCore
import PalliumMerging

/// A result of a query: which models it has, and by which checksums another state of them is known.
struct QueryResult: Sendable {
    /// The models of the result, in its order.
    private let roots: [ModelIdentity]
    /// The checksums of the rows of the result and of those that it includes. A stub has none.
    private let checksums: [ModelIdentity: Int64?]
    /// The models that hold each one.
    private let holders: [ModelIdentity: [ModelIdentity]]

    /// - Complexity: O(*n*) in the number of models and of their references.
    init(_ part: _ConnectedStore.FetchedBatch) {
        roots = part.models.map { ModelIdentity(of: $0) }
        var checksums: [ModelIdentity: Int64?] = [:]
        var holders: [ModelIdentity: [ModelIdentity]] = [:]
        for fetched in part.all {
            let identity = ModelIdentity(of: fetched.model)
            checksums[identity] = .some(fetched.checksum)
            for reference in fetched.model.references {
                reference.slot.forEachModel { holders[ModelIdentity(of: $0), default: []].append(identity) }
            }
        }
        self.checksums = checksums
        self.holders = holders
    }

    /// Returns what differs from a former result.
    ///
    /// - Complexity: O(*n* log *n*) in the number of models, and O(*n*) in that of their references.
    func changes(since former: QueryResult) -> QueryChanges {
        var changed = checksums.compactMap { identity, checksum in
            former.checksums[identity].map { $0 == checksum } == true ? nil : identity
        }
        var concerned = Set(changed)
        while let identity = changed.popLast() {
            for holder in holders[identity] ?? [] where concerned.insert(holder).inserted { changed.append(holder) }
        }
        let (before, now) = (Set(former.roots), Set(roots))
        concerned.formUnion(moved(since: former))
        return QueryChanges(
            inserted: roots.filter { !before.contains($0) },
            updated: roots.filter { before.contains($0) && concerned.contains($0) },
            deleted: former.roots.filter { !now.contains($0) })
    }

    /// Returns models that stand at another place among those of both results: as few as possible.
    private func moved(since former: QueryResult) -> [ModelIdentity] {
        var positions: [ModelIdentity: Int] = [:]
        for (position, identity) in former.roots.enumerated() { positions[identity] = position }
        let new = roots.compactMap { positions[$0] }
        var budget = SequenceAlignment.budget
        let kept = Set(SequenceAlignment(new.sorted(), new, budget: &budget).matches.map { new[$0.new] })
        return new.filter { !kept.contains($0) }.map { former.roots[$0] }
    }
}
