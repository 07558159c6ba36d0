import PalliumJSON

/// Finds the name that was probably meant.
extension ModelError {
    /// The number of names compared for a suggestion when the document decides how often suggestions are made.
    package static let maximumCandidates = 64

    /// Returns the candidate that an unknown key probably means. It is at most two edits away, and fewer than its
    /// length.
    ///
    /// Complexity: linear in the number of candidates; each takes at most a few hundred steps.
    package static func nearest(to text: String, among candidates: [String]) -> String? {
        let bytes = Array(text.utf8.prefix(65))
        guard bytes.count <= 64, !bytes.isEmpty else { return nil }
        let letters = letters(in: text)
        var best: (distance: Int, key: String)?
        for key in candidates where abs(key.utf8.count - bytes.count) <= 2 && key.utf8.count <= 64 {
            // An edit takes away at most one letter that the other text lacks, and adds at most one.
            let others = self.letters(in: key)
            guard (letters & ~others).nonzeroBitCount <= 2, (others & ~letters).nonzeroBitCount <= 2 else { continue }
            let distance = editDistance(bytes, Array(key.utf8))
            if distance <= min(2, bytes.count - 1), distance < best?.distance ?? 3 { best = (distance, key) }
        }
        return best?.key
    }

    /// Returns a set of the letters in a text. Bytes with the same last five bits count as one,
    /// as the two cases of a letter do.
    private static func letters(in text: String) -> UInt32 {
        text.withBorrowedBytes { bytes in
            var letters: UInt32 = 0
            for byte in bytes { letters |= 1 &<< UInt32(byte & 31) }
            return letters
        }
    }

    /// Returns the Levenshtein distance, or 3 when it is larger than 2.
    ///
    /// Both texts are at most 64 bytes long, and their lengths differ by at most 2. Only columns at most 2 from the
    /// diagonal can lead to such a distance.
    private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        func folded(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte | 0x20 : byte }
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            let first = max(0, index - 2)
            let last = min(right.count - 1, index + 2)
            var diagonal = row[first]
            // Everything left of the band is too far away.
            row[first] = first == 0 ? min(index + 1, 3) : 3
            var best = row[first]
            if first <= last {
                for column in first...last {
                    let substitution = diagonal + (folded(byte) == folded(right[column]) ? 0 : 1)
                    // The column right of the band in the row above was never written.
                    diagonal = column == index + 2 ? 3 : row[column + 1]
                    row[column + 1] = min(substitution, row[column] + 1, diagonal + 1, 3)
                    best = min(best, row[column + 1])
                }
            }
            if best > 2 { return 3 }
        }
        return row[right.count]
    }
}
