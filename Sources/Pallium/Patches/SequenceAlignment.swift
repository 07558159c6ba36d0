/// Which elements of an old sequence stay in a new one, in their order.
///
/// Common ends first; then elements that occur once on each side, of which the longest rising chain stays ("patience
/// diff", Bram Cohen); then, between those, the longest common subsequence as long as its table is affordable. What is
/// found is therefore shortest for small sequences, good for long ones, and never costs more than O(*n* log *n*).
struct SequenceAlignment {
    /// How many cells all tables together may have.
    private static let maximumCells = 1 << 22

    private let old: [Int]
    private let new: [Int]
    private var cells: Int
    /// Pairs of positions, both rising.
    private(set) var matches: [(old: Int, new: Int)] = []

    /// Aligns two sequences of numbers. What tables cost is taken from `budget`, which is shared by many alignments.
    init(_ old: [Int], _ new: [Int], budget: inout Int) {
        self.old = old
        self.new = new
        cells = budget
        align()
        budget = cells
    }

    /// What the alignments of one document may cost together.
    static var budget: Int { maximumCells }

    private mutating func align() {
        let (start, oldEnd, newEnd) = trim(0..<old.count, 0..<new.count)
        for position in 0..<start { matches.append((position, position)) }
        var last = (old: start, new: start)
        for anchor in anchors(start..<oldEnd, start..<newEnd) + [(oldEnd, newEnd)] {
            fill(last.old..<anchor.old, last.new..<anchor.new)
            if anchor.old < oldEnd, anchor.new < newEnd { matches.append(anchor) }
            last = (anchor.old + 1, anchor.new + 1)
        }
        for position in 0..<(old.count - oldEnd) { matches.append((oldEnd + position, newEnd + position)) }
    }

    /// How much of both ends is equal: the length of the beginning, and where the ends begin.
    private func trim(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> (start: Int, oldEnd: Int, newEnd: Int) {
        var start = 0
        while start < min(oldRange.count, newRange.count),
            old[oldRange.lowerBound + start] == new[newRange.lowerBound + start]
        {
            start += 1
        }
        var (oldEnd, newEnd) = (oldRange.upperBound, newRange.upperBound)
        while oldEnd > oldRange.lowerBound + start, newEnd > newRange.lowerBound + start,
            old[oldEnd - 1] == new[newEnd - 1]
        {
            oldEnd -= 1
            newEnd -= 1
        }
        return (start, oldEnd, newEnd)
    }

    /// The longest rising chain of elements that occur once in each range.
    private func anchors(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> [(old: Int, new: Int)] {
        struct Places {
            var old = 0
            var new = 0
            var oldCount = 0
            var newCount = 0
        }
        var places: [Int: Places] = [:]
        for position in oldRange {
            places[old[position], default: Places()].old = position
            places[old[position]]?.oldCount += 1
        }
        for position in newRange {
            places[new[position]]?.new = position
            places[new[position]]?.newCount += 1
        }
        // The longest increasing subsequence by patience sorting (Schensted 1961): `tops` has, for each length, the pair
        // with the smallest end, and every pair knows the one before it.
        var pairs: [(old: Int, new: Int, previous: Int)] = []
        var tops: [Int] = []
        for position in oldRange {
            guard let place = places[old[position]], place.oldCount == 1, place.newCount == 1 else { continue }
            var low = 0
            var high = tops.count
            while low < high {
                let middle = (low + high) / 2
                if pairs[tops[middle]].new < place.new { low = middle + 1 } else { high = middle }
            }
            pairs.append((position, place.new, low > 0 ? tops[low - 1] : -1))
            if low == tops.count { tops.append(pairs.count - 1) } else { tops[low] = pairs.count - 1 }
        }
        var chain: [(old: Int, new: Int)] = []
        var pair = tops.last ?? -1
        while pair >= 0 {
            chain.append((pairs[pair].old, pairs[pair].new))
            pair = pairs[pair].previous
        }
        return chain.reversed()
    }

    /// Matches what is between two anchors.
    private mutating func fill(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
        let (start, oldEnd, newEnd) = trim(oldRange, newRange)
        for offset in 0..<start { matches.append((oldRange.lowerBound + offset, newRange.lowerBound + offset)) }
        addCommonSubsequence(oldRange.lowerBound + start..<oldEnd, newRange.lowerBound + start..<newEnd)
        for offset in 0..<(oldRange.upperBound - oldEnd) { matches.append((oldEnd + offset, newEnd + offset)) }
    }

    /// The longest common subsequence by the table of Wagner and Fischer (1974), where that is affordable.
    private mutating func addCommonSubsequence(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
        let (rows, columns) = (oldRange.count, newRange.count)
        guard rows > 0, columns > 0, rows <= cells / columns else { return }
        cells -= rows * columns
        let width = columns + 1
        var lengths = [Int32](repeating: 0, count: (rows + 1) * width)
        for row in (0..<rows).reversed() {
            for column in (0..<columns).reversed() {
                let isMatch = old[oldRange.lowerBound + row] == new[newRange.lowerBound + column]
                lengths[row * width + column] =
                    isMatch
                    ? lengths[(row + 1) * width + column + 1] + 1
                    : max(lengths[(row + 1) * width + column], lengths[row * width + column + 1])
            }
        }
        var (row, column) = (0, 0)
        while row < rows, column < columns {
            if old[oldRange.lowerBound + row] == new[newRange.lowerBound + column] {
                matches.append((oldRange.lowerBound + row, newRange.lowerBound + column))
                row += 1
                column += 1
            } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
                row += 1
            } else {
                column += 1
            }
        }
    }
}
