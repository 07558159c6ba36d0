import PalliumJSON

/// Estimates the number of distinct values from the smallest of their hashes.
///
/// Up to 256 distinct values are counted exactly. Beyond that, the largest of the 256 smallest hashes tells how densely
/// hashes lie. The order of values does not matter. Hashes have the seed of the process, so an estimate of the same values
/// differs by a few percent from one process to the next.
struct DistinctCount: Sendable, Hashable {
    private static let maximumHashes = 256

    /// The smallest hashes, in order.
    private var hashes: [UInt64] = []
    /// Whether there were more hashes.
    private(set) var isEstimate = false

    /// The number of values, equal ones included.
    private var values = 0

    /// The number of distinct values.
    var count: Int {
        guard isEstimate, let last = hashes.last else { return hashes.count }
        let estimate = Double(Self.maximumHashes - 1) / (Double(last) / 0x1p64)
        return max(hashes.count, Int(exactly: estimate.rounded()).map { min($0, values) } ?? values)
    }

    /// Counts a text.
    mutating func record(_ text: String) { record(Self.hash(1, text)) }

    /// Counts a number.
    mutating func record(_ number: JSONNumber) { record(Self.hash(2, number.text)) }

    /// Counts a Boolean.
    mutating func record(_ value: Bool) { record(Self.hash(3, value ? "true" : "false")) }

    private mutating func record(_ hash: UInt64) {
        values += 1
        insert(hash)
    }

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
        values += other.values
    }

    /// Hashes with the seed of the process, so that nobody can prepare texts of which the hashes are near each other.
    private static func hash(_ kind: UInt64, _ text: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(UTF8Key(text))
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
