import PalliumCore

/// The pairs of models that a merge still has to look at, each once. Depth costs no stack, and cycles end at pairs that
/// were visited.
struct PairQueue {
    private(set) var pairs: [ModelMerge.Pair] = []
    private var next = 0
    /// The sources that were visited.
    private var visited = AddressTable()
    /// The first pairs, once a source was visited again: documents, which are trees, never need them.
    private var visitedPairs: Set<ModelPair> = []
    private var visitedPairCount = 0
    /// Whether a pair is a rebase.
    private(set) var holdsRebases = false

    /// Whether no pair waits behind the present one.
    var isAtEnd: Bool { next == pairs.count }

    /// Queues a pair, unless it was queued before.
    mutating func append(_ pair: ModelMerge.Pair) {
        // The first pair is entered with the second: most merges have one.
        if pairs.count == 1 { _ = visited.insert(0, for: pairs[0].source) }
        if !pairs.isEmpty, visited.insert(pairs.count, for: pair.source) != nil {
            while visitedPairCount < pairs.count {
                visitedPairs.insert(ModelPair(pairs[visitedPairCount].target, pairs[visitedPairCount].source))
                visitedPairCount += 1
            }
            if visitedPairs.contains(ModelPair(pair.target, pair.source)) { return }
        }
        if pair.isRebase { holdsRebases = true }
        pairs.append(pair)
    }

    /// The next pair; nil at the end.
    mutating func removeFirst() -> ModelMerge.Pair? {
        if isAtEnd { return nil }
        next += 1
        return pairs[next - 1]
    }

    /// Makes room for so many more pairs.
    mutating func reserve(_ count: Int) {
        // Asked for little by little, room would be made again and again.
        if count > pairs.count { pairs.reserveCapacity(pairs.count + count) }
        visited.reserve(count)
    }
}
