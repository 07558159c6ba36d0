import Synchronization

/// The order in which members follow one another in documents, learned from the documents.
///
/// A schema lists its properties in one order, a server writes them in another, and mostly always the same. So each
/// member that did not come as expected is expected at its position in later documents. To expect the wrong one only costs
/// time: the member is then searched by its name.
///
/// Several threads decode with one plan. They read and write single words, and no word depends on another. Once a position
/// is known, most surprises change nothing, because many writes would slow down the other threads.
///
/// Safety: the words lie behind the entries of a `DecodingNode`, one more than entries, and as long as they.
@unsafe
struct MemberOrder {
    private static var isLearned: UInt32 { 1 << 31 }

    private let words: UnsafeMutablePointer<Atomic<UInt32>>

    /// The order of the members whose entries begin at an address.
    @inline(__always)
    init(behind entries: UnsafePointer<DecodingNode.Entry>, count: Int) {
        // The owner of the entries allocated the memory behind them as mutable.
        unsafe words = UnsafeMutableRawPointer(mutating: entries + count).assumingMemoryBound(
            to: Atomic<UInt32>.self)
    }

    /// The size of the words for a number of entries.
    static func byteCount(_ count: Int) -> Int { MemoryLayout<Atomic<UInt32>>.stride * (count + 1) }

    /// Expects the order of the entries.
    func initialize(count: Int) {
        for position in 0...count { unsafe (words + position).initialize(to: Atomic(UInt32(position))) }
    }

    /// The number of the entry that is expected at a position: 0 is the beginning of the object, and the position behind an
    /// entry is one more than its number.
    @inline(__always)
    func entry(at position: Int) -> Int {
        Int(truncatingIfNeeded: unsafe words[position].load(ordering: .relaxed) & ~Self.isLearned)
    }

    /// Learns which entry came at a position.
    ///
    /// - Parameter chance: A number that differs from surprise to surprise.
    func learn(_ entry: Int, at position: Int, chance: Int) {
        guard unsafe words[position].load(ordering: .relaxed) & Self.isLearned == 0 || chance & 7 == 0 else { return }
        unsafe words[position].store(UInt32(truncatingIfNeeded: entry) | Self.isLearned, ordering: .relaxed)
    }
}
