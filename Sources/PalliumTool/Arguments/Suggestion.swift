/// Finds what a misspelled word was probably meant to be.
package enum Suggestion {
    /// The known word that is nearest: at most two edits away, and fewer than the word has bytes; the first of several.
    ///
    /// - Complexity: O(1) for each known word, since only words of up to 64 bytes are compared.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let bytes = Array(word.utf8.prefix(65))
        guard bytes.count <= 64 else { return nil }
        var best: (distance: Int, word: String)?
        for candidate in known where abs(candidate.utf8.count - bytes.count) <= 2 && candidate.utf8.count <= 64 {
            let distance = editDistance(bytes, Array(candidate.utf8))
            if distance <= min(2, bytes.count - 1), distance < best?.distance ?? .max { best = (distance, candidate) }
        }
        return best?.word
    }

    /// The number of bytes to insert, delete or replace (Levenshtein 1966), by the row-wise method of Wagner and Fischer
    /// 1974.
    private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (byte == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
