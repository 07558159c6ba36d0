import Foundation
import PalliumCore
import PalliumJSON

/// Estimates the number of distinct values from the smallest of their hashes.
///
/// Up to 256 distinct values are counted exactly. Beyond that, the largest of the 256 smallest hashes tells how densely
/// hashes lie. The order of values does not matter, and every process has the same hashes, so counts of parts add up to the
/// count of the whole.
struct DistinctCount: Sendable, Hashable {
    private static let maximumHashes = 256

    /// The smallest hashes, in order.
    private var hashes: [UInt64] = []
    /// Whether there were more hashes.
    private(set) var isEstimate = false

    init() {}

    /// Returns the number of distinct values among a number of values.
    func count(among values: Int) -> Int {
        guard isEstimate, let last = hashes.last else { return hashes.count }
        let estimate = Double(Self.maximumHashes - 1) / (Double(last) / 0x1p64)
        return max(hashes.count, Int(exactly: estimate.rounded()).map { min($0, values) } ?? values)
    }

    /// Counts a value by its hash.
    mutating func record(_ hash: UInt64) {
        if hashes.count == Self.maximumHashes, hash > hashes[Self.maximumHashes - 1] {
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
        isEstimate = isEstimate || other.isEstimate
        if hashes == other.hashes { return }
        var merged: [UInt64] = []
        merged.reserveCapacity(min(hashes.count + other.hashes.count, Self.maximumHashes))
        var (own, others) = (0, 0)
        while own < hashes.count || others < other.hashes.count {
            if merged.count == Self.maximumHashes {
                isEstimate = true
                break
            }
            let left = own < hashes.count ? hashes[own] : .max
            let right = others < other.hashes.count ? other.hashes[others] : .max
            merged.append(min(left, right))
            if left <= right { own += 1 }
            if right <= left { others += 1 }
        }
        hashes = merged
    }

    // MARK: Reports

    /// The hashes as a text in a report.
    var registers: String {
        Data(hashes.flatMap { hash in (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) } })
            .base64EncodedString()
    }

    /// Reads the text in a report; nil if it is none.
    init?(registers: String, isEstimate: Bool) {
        guard let bytes = Data(base64Encoded: registers), bytes.count % 8 == 0 else { return nil }
        hashes = bytes.withBorrowedBytes { bytes in (0..<bytes.count / 8).map { bytes.word(at: 8 * $0) } }
        let areOrdered = zip(hashes, hashes.dropFirst()).allSatisfy { $0 < $1 }
        guard areOrdered, hashes.count <= Self.maximumHashes, !isEstimate || hashes.count == Self.maximumHashes else {
            return nil
        }
        self.isEstimate = isEstimate
    }

    // MARK: Hashes

    /// Hashes a text.
    ///
    /// - Returns: The hash, and the number of Unicode scalars.
    static func hash(_ text: BorrowedBytes) -> (hash: UInt64, length: Int) {
        var hash = 1 &+ UInt64(truncatingIfNeeded: text.count) &* factor
        var length = text.count
        var offset = 0
        while offset &+ 8 <= text.count {
            let word = text.word(at: offset)
            hash = mixed(hash, word)
            length &-= continuations(word)
            offset &+= 8
        }
        var rest: UInt64 = 0
        while let byte = text.byte(at: offset) {
            rest = rest << 8 | UInt64(byte)
            offset &+= 1
        }
        return (finished(mixed(hash, rest)), length &- continuations(rest))
    }

    /// The number of bytes that continue a Unicode scalar: those that begin with the bits 10.
    @inline(__always)
    private static func continuations(_ word: UInt64) -> Int {
        (word & ~(word << 1) & 0x8080_8080_8080_8080).nonzeroBitCount
    }

    /// Hashes a number. Equal ones have equal hashes, whatever their spelling.
    static func hash(_ number: JSONNumber) -> UInt64 {
        if let integer = number.int64 { return hash(integer) }
        let double = number.double
        return JSONNumber(double) == number ? hash(double) : number.text.withBorrowedBytes { hash($0).hash } &+ 2
    }

    /// Hashes an integer.
    static func hash(_ integer: Int64) -> UInt64 { finished(mixed(2, UInt64(bitPattern: integer))) }

    /// Hashes a number.
    static func hash(_ double: Double) -> UInt64 {
        if let integer = Int64(exactly: double) { return hash(integer) }
        return finished(mixed(3, double.bitPattern))
    }

    /// Hashes a value that is two words.
    static func hash(_ words: (UInt64, UInt64)) -> UInt64 { finished(mixed(mixed(4, words.0), words.1)) }

    /// Hashes a Boolean.
    static func hash(_ value: Bool) -> UInt64 { finished(mixed(5, value ? 1 : 0)) }

    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: factor)
        return product.high ^ product.low &+ word
    }

    /// Spreads the bits, as the last step of MurmurHash3 does.
    private static func finished(_ hash: UInt64) -> UInt64 {
        var hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
