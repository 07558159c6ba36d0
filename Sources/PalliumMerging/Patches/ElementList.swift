import PalliumCore

/// A list of numbers with cheap insertion and removal anywhere: a sequence of pieces of limited length.
///
/// `PatchedTree` uses it for arrays on the paths of a JSON Patch; the numbers are those of its nodes.
struct ElementList {
    private static let maximumPiece = 1024

    private var pieces: [[Int]]
    private(set) var count: Int

    init(_ numbers: Range<Int>) {
        count = numbers.count
        let half = Self.maximumPiece / 2
        pieces = stride(from: numbers.lowerBound, to: numbers.upperBound, by: half).map {
            Array($0..<min($0 + half, numbers.upperBound))
        }
    }

    /// All numbers in order.
    var joined: [Int] { Array(pieces.joined()) }

    /// The number at a position below `count`.
    subscript(position: Int) -> Int {
        let (piece, offset) = location(of: position)
        return pieces[piece][offset]
    }

    /// Inserts a number before the one at a position of at most `count`.
    mutating func insert(_ number: Int, at position: Int) {
        count += 1
        if position == count - 1, pieces.last.map({ $0.count == Self.maximumPiece }) ?? true {
            return pieces.append([number])
        }
        let (piece, offset) =
            position == count - 1 ? (pieces.count - 1, pieces[pieces.count - 1].count) : location(of: position)
        pieces[piece].insert(number, at: offset)
        if pieces[piece].count > Self.maximumPiece {
            let half = Self.maximumPiece / 2
            pieces.insert(Array(pieces[piece][half...]), at: piece + 1)
            pieces[piece].removeSubrange(half...)
        }
    }

    /// Removes the number at a position below `count`.
    mutating func remove(at position: Int) -> Int {
        count -= 1
        let (piece, offset) = location(of: position)
        let number = pieces[piece].remove(at: offset)
        if pieces[piece].isEmpty { pieces.remove(at: piece) }
        return number
    }

    /// Returns the location of the number at a position. O(`count` / 1024).
    private func location(of position: Int) -> (piece: Int, offset: Int) {
        var offset = position
        var piece = 0
        while offset >= pieces[piece].count {
            offset -= pieces[piece].count
            piece += 1
        }
        return (piece, offset)
    }
}
