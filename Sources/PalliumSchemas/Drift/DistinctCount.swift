import PalliumJSON

/// Estimates the number of distinct values from the smallest of their hashes.
///
/// Up to 256 distinct values are counted exactly. Beyond that, the largest of the 256 smallest hashes tells how densely
/// hashes lie. The hash is the same in every process, and the order of values does not matter.
struct DistinctCount: Sendable, Hashable {
    private static let maximumHashes = 256

    /// The smallest hashes, in order.
    private var hashes: [UInt64] = []
    /// Whether there were more hashes.
    private(set) var isEstimate = false

    /// The number of distinct values.
    var count: Int {
        guard isEstimate, let last = hashes.last else { return hashes.count }
        let share = Double(last) / 0x1p64
        return Int((Double(Self.maximumHashes - 1) / share).rounded())
    }

    /// Counts a text.
    mutating func record(_ text: String) { insert(Self.hash(1, text)) }

    /// Counts a number.
    mutating func record(_ number: JSONNumber) { insert(Self.hash(2, number.text)) }

    /// Counts a Boolean.
    mutating func record(_ value: Bool) { insert(Self.hash(3, value ? "true" : "false")) }

    private mutating func insert(_ hash: UInt64) {
        if hashes.count == Self.maximumHashes, hash > hashes[hashes.count - 1] {
            isEstimate = true
            return
        }
        var low = 0
        var high = hashes.count
        while low < high {
            let middle = (low + high) / 2
            if hashes[middle] < hash { low = middle + 1 } else { high = middle }
        }
        if low < hashes.count, hashes[low] == hash { return }
        hashes.insert(hash, at: low)
        guard hashes.count > Self.maximumHashes else { return }
        hashes.removeLast()
        isEstimate = true
    }

    /// Adds the values of another count.
    mutating func merge(_ other: DistinctCount) {
        for hash in other.hashes { insert(hash) }
        isEstimate = isEstimate || other.isEstimate
    }

    /// FNV-1a (64 bits), and the last step of MurmurHash3, which spreads the bits that short texts leave alike.
    private static func hash(_ kind: UInt64, _ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let prime: UInt64 = 0x100_0000_01B3
        hash = (hash ^ kind) &* prime
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* prime }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
