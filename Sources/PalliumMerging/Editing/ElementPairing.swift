/// Finds which elements of an old array the elements of a new one are.
///
/// Elements that keep their order are found by a ``SequenceAlignment``; others with the same key have moved. Between the
/// elements that keep their order, those that are left changed their values in place, unless they are models with
/// identities. The new elements of a set have no order of their own: the old ones stay where they are.
struct ElementPairing {
    /// What an element is recognised by.
    struct Key {
        let number: Int
        /// Whether the number stands for the identity of a model.
        let isIdentity: Bool
    }

    private let old: [Key]
    private let new: [Key]
    private let isSet: Bool
    /// Whether elements with different keys may be the same.
    private let mayChange: Bool
    /// The old positions by the new ones.
    private var positions: [Int?]
    /// The new array: the position of each element there, and its position in the old one.
    private(set) var result: [(old: Int?, new: Int)] = []

    init(_ old: [Key], _ new: [Key], isSet: Bool, mayChange: Bool) {
        self.old = old
        self.new = new
        self.isSet = isSet
        self.mayChange = mayChange
        positions = Array(repeating: nil, count: new.count)
    }

    /// Pairs the elements. O(*n* log *n*) in their number.
    mutating func pair(_ budget: inout Int) {
        if isSet {
            pairByKeys(Array(old.indices))
            let kept = new.indices.filter { positions[$0] != nil }.sorted {
                (positions[$0] ?? 0) < (positions[$1] ?? 0)
            }
            let added = new.indices.filter { positions[$0] == nil }
            result = (kept + added).map { (positions[$0], $0) }
            return
        }
        let matches = SequenceAlignment(old.map(\.number), new.map(\.number), budget: &budget).matches
        for match in matches { positions[match.new] = match.old }
        var isLeft = Array(repeating: true, count: old.count)
        for match in matches { isLeft[match.old] = false }
        pairByKeys(old.indices.filter { isLeft[$0] })
        if mayChange { pairBetween(matches) }
        result = new.indices.map { (positions[$0], $0) }
    }

    /// Pairs old elements with new ones of the same key that are still alone.
    private mutating func pairByKeys(_ candidates: [Int]) {
        var waiting: [Int: [Int]] = [:]
        for position in candidates.reversed() { waiting[old[position].number, default: []].append(position) }
        for position in new.indices where positions[position] == nil {
            positions[position] = waiting[new[position].number]?.popLast()
        }
    }

    /// Pairs what is left between two matches, in order.
    private mutating func pairBetween(_ matches: [(old: Int, new: Int)]) {
        var isLeft = Array(repeating: true, count: old.count)
        for position in positions { if let position { isLeft[position] = false } }
        var start = (old: 0, new: 0)
        for match in matches + [(old.count, new.count)] {
            let left = (start.old..<match.old).filter { isLeft[$0] && !old[$0].isIdentity }
            let alone = (start.new..<match.new).filter { positions[$0] == nil && !new[$0].isIdentity }
            for (old, new) in zip(left, alone) { positions[new] = old }
            start = (match.old + 1, match.new + 1)
        }
    }
}
