/// The rule of the article *Merging* for the order of lists after a rebase, slowly: what is longest is found by trying all, and lists are searched.
struct SlowElementOrder {
    var elements: [Int] = []
    var conflicts: Set<Int> = []

    init(base: [Int], local: [Int], incoming: [Int], survives: (Int) -> Bool) {
        let movedHere = Set(local.filter(base.contains)).subtracting(Self.longestCommon(base, local))
        let movedThere = Set(incoming.filter(base.contains)).subtracting(Self.longestCommon(base, incoming))
        let movedTwice = movedHere.intersection(movedThere)
        elements = base.filter { survives($0) && !movedHere.contains($0) && !movedThere.contains($0) }
        let insertedTwice = local.filter { !base.contains($0) && incoming.contains($0) }
        place(
            incoming.filter { survives($0) && !movedTwice.contains($0) && !insertedTwice.contains($0) }, base,
            own: movedThere.subtracting(movedTwice), other: movedHere)
        place(local.filter(survives), base, own: movedHere, other: movedThere.subtracting(movedTwice))
        func left(_ side: [Int], _ element: Int) -> Int? {
            side.prefix { $0 != element }.last(where: survives)
        }
        conflicts = movedTwice.filter { survives($0) && left(local, $0) != left(incoming, $0) }
    }

    private mutating func place(_ side: [Int], _ base: [Int], own: Set<Int>, other: Set<Int>) {
        for (index, element) in side.enumerated() {
            guard own.contains(element) || !base.contains(element), !elements.contains(element) else { continue }
            let neighbour = side.prefix(index).last { neighbour in
                elements.contains(neighbour) && (own.contains(neighbour) || !other.contains(neighbour))
            }
            elements.insert(element, at: neighbour.flatMap(elements.firstIndex).map { $0 + 1 } ?? 0)
        }
    }

    /// The longest common subsequence; of several the one whose elements stand first in the base.
    private static func longestCommon(_ base: [Int], _ side: [Int]) -> [Int] {
        func longest(_ base: ArraySlice<Int>, _ side: ArraySlice<Int>) -> [Int] {
            guard let first = base.first else { return [] }
            let without = longest(base.dropFirst(), side)
            guard let index = side.firstIndex(of: first) else { return without }
            let with = [first] + longest(base.dropFirst(), side[(index + 1)...])
            return with.count >= without.count ? with : without
        }
        return longest(base[...], side[...])
    }
}
