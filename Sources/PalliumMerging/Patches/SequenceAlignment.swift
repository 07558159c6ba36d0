import PalliumCore

/// Finds the elements of an old sequence that a new one keeps, in order.
///
/// It matches common ends first. Then it takes the elements that occur once on each side and keeps their longest
/// increasing chain ("patience diff", Bram Cohen). Between those it computes the longest common subsequence if its
/// table is affordable. So the result is shortest for small sequences and good for long ones, and never costs more than
/// O(*n* log *n*).
package struct SequenceAlignment {
    /// How many cells all tables together may have.
    private static let maximumCells = 1 << 22

    private let old: [Int]
    private let new: [Int]
    private var cells: Int
    /// The matched pairs of positions, both increasing.
    package private(set) var matches: [(old: Int, new: Int)] = []

    /// Aligns two sequences of numbers. The cost of tables is subtracted from `budget`, which many alignments share.
    package init(_ old: [Int], _ new: [Int], budget: inout Int) {
        self.old = old
        self.new = new
        cells = budget
        align()
        budget = cells
    }

    /// The budget for all alignments of one document.
    package static var budget: Int { maximumCells }

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

    /// Matches equal ends; returns the length of the beginning and the starts of the ends.
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

    /// Returns the longest increasing chain of elements that occur once in each range.
    private func anchors(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> [(old: Int, new: Int)] {
        struct Occurrences {
            var old = 0
            var new = 0
            var oldCount = 0
            var newCount = 0
        }
        var occurrences: [Int: Occurrences] = [:]
        for position in oldRange {
            occurrences[old[position], default: Occurrences()].old = position
            occurrences[old[position]]?.oldCount += 1
        }
        for position in newRange {
            occurrences[new[position]]?.new = position
            occurrences[new[position]]?.newCount += 1
        }
        // The longest increasing subsequence by patience sorting (Schensted 1961): `tops` has, for each length, the pair
        // with the smallest end, and every pair knows the one before it.
        var pairs: [(old: Int, new: Int, previous: Int)] = []
        var tops: [Int] = []
        for position in oldRange {
            guard let found = occurrences[old[position]], found.oldCount == 1, found.newCount == 1 else { continue }
            var low = 0
            var high = tops.count
            while low < high {
                let middle = (low + high) / 2
                if pairs[tops[middle]].new < found.new { low = middle + 1 } else { high = middle }
            }
            pairs.append((position, found.new, low > 0 ? tops[low - 1] : -1))
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

    /// Matches the elements between two anchors.
    private mutating func fill(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
        let (start, oldEnd, newEnd) = trim(oldRange, newRange)
        for offset in 0..<start { matches.append((oldRange.lowerBound + offset, newRange.lowerBound + offset)) }
        addCommonSubsequence(oldRange.lowerBound + start..<oldEnd, newRange.lowerBound + start..<newEnd)
        for offset in 0..<(oldRange.upperBound - oldEnd) { matches.append((oldEnd + offset, newEnd + offset)) }
    }

    /// Adds the longest common subsequence by the table of Wagner and Fischer (1974), if that is affordable.
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
