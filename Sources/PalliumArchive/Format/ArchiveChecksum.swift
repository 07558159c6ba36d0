import PalliumCore
package import PalliumJSON

/// The checksum of the parts of an archive: 64 bits, about as fast as memory can be read.
///
/// The bytes are taken as little-endian words of eight, the last one filled up with zeros. Word *i* goes into lane
/// *i* mod 4 by one step:
///
///     lane ← rotateLeft(lane + word × A, 31) × B          A, B odd
///
/// At the end the number of bytes and the four lanes go through the same step one after the other.
///
/// **Every change inside one word is found**, with certainty, so every flipped bit is. Multiplication by an odd number,
/// addition and rotation are bijections of 64-bit words. So one step is a bijection of the lane for a given word, and
/// of the word for a given lane. A changed word changes its lane; equal words afterwards keep it different; the other
/// three lanes are unchanged; and the final steps are bijections of each lane too. A change of several words goes
/// unnoticed with a probability of 2⁻⁶⁴. A checksum is no signature: everyone who can write the file can write a
/// matching checksum.
package enum ArchiveChecksum {
    // The primes of xxHash64, whose step this is.
    private static let wordFactor: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let laneFactor: UInt64 = 0x9E37_79B1_85EB_CA87

    /// Returns the checksum of some bytes.
    package static func of(_ bytes: BorrowedBytes) -> UInt64 {
        var first: UInt64 = 0x243F_6A88_85A3_08D3
        var second: UInt64 = 0x1319_8A2E_0370_7344
        var third: UInt64 = 0xA409_3822_299F_31D0
        var fourth: UInt64 = 0x082E_FA98_EC4E_6C89
        var offset = 0
        while bytes.count &- offset >= 32 {
            let words = bytes.load((UInt64, UInt64, UInt64, UInt64).self, at: offset)
            first = step(first, UInt64(littleEndian: words.0))
            second = step(second, UInt64(littleEndian: words.1))
            third = step(third, UInt64(littleEndian: words.2))
            fourth = step(fourth, UInt64(littleEndian: words.3))
            offset &+= 32
        }
        // At most 31 bytes are left: one word for each lane.
        first = step(first, restOfWord(bytes, offset))
        second = step(second, restOfWord(bytes, offset &+ 8))
        third = step(third, restOfWord(bytes, offset &+ 16))
        fourth = step(fourth, restOfWord(bytes, offset &+ 24))
        var sum = UInt64(bytes.count)
        for lane in [first, second, third, fourth] { sum = step(sum, lane) }
        return sum ^ sum >> 32
    }

    @inline(__always)
    private static func step(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        let sum = lane &+ word &* wordFactor
        return (sum << 31 | sum >> 33) &* laneFactor
    }

    /// The bytes from an offset on, at most eight, filled up with zeros.
    private static func restOfWord(_ bytes: BorrowedBytes, _ offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<8 { word |= UInt64(bytes.byte(at: offset &+ index) ?? 0) << UInt64(8 * index) }
        return word
    }
}
