/// The order of the elements of a list after a rebase.
///
/// Elements are numbers: those of the base by their positions there, all others by numbers from `baseCount` on. A side has
/// *moved* an element of the base if it is not in the longest common subsequence of base and side; of several, in the one
/// whose elements stand first in the base.
///
/// ```
///   base      1 2 3        3 is moved by the local side; 4 is inserted by the incoming one
///   local     3 1 2
///   incoming  1 2 3 4      1 2 ─▶ 1 2 and 4 behind its left neighbour that local did not move ─▶ 1 2 4
///   order     3 1 2 4      3 behind its left neighbour in local, which is none            ─▶ 3 1 2 4
/// ```
/// Elements that neither side moved stand in the order of the base. One that a side moved or inserted stands directly
/// behind its nearest left neighbour of that side that survives and that the other side did not move. Incoming ones are
/// placed first, so local insertions at the same spot stand in front of them. The local side places what both moved or
/// inserted.
package struct ElementOrder {
    /// The surviving elements.
    package let elements: [Int]
    /// The elements that both sides moved, behind different neighbours.
    package let conflicts: Set<Int>

    /// Finds the order.
    ///
    /// - Parameters:
    ///   - baseCount: The number of elements in the base.
    ///   - count: All numbers of elements are smaller.
    ///   - survives: Whether an element is in the list afterwards.
    /// - Complexity: O(*n* log *n*) in the number of elements.
    package init(baseCount: Int, count: Int, local: [Int], incoming: [Int], survives: (Int) -> Bool) {
        let movedHere = Self.moved(local, baseCount, count)
        let movedThere = Self.moved(incoming, baseCount, count)
        let (local, incoming) = (local.filter(survives), incoming.filter(survives))
        // Each element points at the next one; the last number is the beginning of the list.
        var next: [Int?] = Array(repeating: nil, count: count + 1)
        var isPlaced = Array(repeating: false, count: count)
        func insert(_ element: Int, behind neighbour: Int) {
            next[element] = next[neighbour]
            next[neighbour] = element
            isPlaced[element] = true
        }
        var last = count
        for element in 0..<baseCount where survives(element) && !movedHere[element] && !movedThere[element] {
            insert(element, behind: last)
            last = element
        }
        let insertedHere = Set(local.filter { $0 >= baseCount })
        func isPlacedTwice(_ element: Int) -> Bool {
            element < baseCount ? movedHere[element] && movedThere[element] : insertedHere.contains(element)
        }
        func place(_ side: [Int], _ isMoved: (Int) -> Bool, isMovedByOther: (Int) -> Bool) {
            var neighbour = count
            for element in side {
                if isMoved(element) || element >= baseCount, !isPlaced[element] {
                    insert(element, behind: neighbour)
                    neighbour = element
                } else if isPlaced[element], isMoved(element) || !isMovedByOther(element) {
                    neighbour = element
                }
            }
        }
        place(
            incoming.filter { !isPlacedTwice($0) }, { movedThere[$0] && !movedHere[$0] },
            isMovedByOther: { movedHere[$0] })
        place(local, { movedHere[$0] }, isMovedByOther: { movedThere[$0] && !movedHere[$0] })

        var elements: [Int] = []
        var current = next[count]
        while let element = current {
            elements.append(element)
            current = next[element]
        }
        self.elements = elements
        let (here, there) = (Self.leftNeighbours(local, count), Self.leftNeighbours(incoming, count))
        conflicts = Set(elements.filter { movedHere[$0] && movedThere[$0] && here[$0] != there[$0] })
    }

    /// By element, whether a side has moved it.
    private static func moved(_ side: [Int], _ baseCount: Int, _ count: Int) -> [Bool] {
        let side = side.filter { $0 < baseCount }
        // The longest ascending subsequences that begin at each element: their lengths, and for each length the greatest
        // element with which one begins.
        var lengths = Array(repeating: 0, count: side.count)
        var beginnings: [Int] = []
        for (index, element) in side.enumerated().reversed() {
            var range = 0..<beginnings.count
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                range = beginnings[middle] > element ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            let length = range.lowerBound
            if length == beginnings.count { beginnings.append(element) } else { beginnings[length] = element }
            lengths[index] = length
        }
        var ofLength: [[Int]] = Array(repeating: [], count: beginnings.count)
        for (index, length) in lengths.enumerated() { ofLength[length].append(index) }
        // Elements of one length descend, so the last that follows the former choice is the first in the base.
        var isMoved = Array(repeating: false, count: count)
        for element in side { isMoved[element] = true }
        var last = -1
        for indices in ofLength.reversed() {
            guard let index = indices.last(where: { side[$0] > last }) else { break }
            last = side[index]
            isMoved[last] = false
        }
        return isMoved
    }

    private static func leftNeighbours(_ side: [Int], _ count: Int) -> [Int] {
        var neighbours = Array(repeating: -1, count: count)
        for (left, element) in zip(side, side.dropFirst()) { neighbours[element] = left }
        return neighbours
    }
}
