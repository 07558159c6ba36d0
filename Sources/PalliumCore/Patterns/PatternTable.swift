import PalliumJSON

/// A deterministic automaton as a table: a row for each state, a column for each class of bytes and one for
/// the end of the text.
///
/// It searches: a match may begin anywhere in the text.
struct PatternTable {
    /// The column of each byte. The last column, which is for the end of the text, is not among them.
    let classes: [UInt8]
    let columns: Int
    /// For each row and column the index in `rows` at which the next row begins.
    let rows: [UInt32]
    let start: Int
    /// The second row: a match was found, whatever follows. From the first one no match is reached.
    var accepted: Int { columns }

    /// Returns whether valid UTF-8 matches.
    ///
    /// `classes` has 256 elements, so every byte is an index of it. `start` and each element of `rows` is the index of a
    /// row, from which on there are `columns` elements; a class is below `columns`. `PatternTableBuilder` makes no other
    /// tables.
    func accepts(_ bytes: BorrowedBytes) -> Bool {
        let (classes, rows) = (classes.span, rows.span)
        var row = start
        for byte in bytes {
            let next = Int(rows[row &+ Int(classes[Int(byte)])])
            // Many rows lead back to themselves. A processor that foresees this need not wait for `next`.
            if next == row { continue }
            row = next
            if row <= accepted { break }
        }
        return Int(rows[row &+ columns &- 1]) == accepted
    }
}
