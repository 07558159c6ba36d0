/// A source with all its mutants in it, each asleep until it is named.
struct MutatedSource {
    /// What is compiled. Lines are where they were.
    private(set) var bytes: [UInt8] = []
    /// Where each mutant is in `bytes`, by its number.
    private(set) var places: [Int: Range<Int>] = [:]

    /// - Parameter header: what stands in front of the first line, in the same line.
    init(_ source: SourceText, _ mutations: [Int: Mutation], header: String) {
        struct Piece {
            let id: Int
            let place: Range<Int>
            let isEnd: Bool
            let removed: Int
            let text: String
            var offset: Int { isEnd ? place.upperBound : place.lowerBound }
        }
        var pieces: [Piece] = []
        for (id, mutation) in mutations {
            func filled(_ text: String) -> String {
                text.replacing("ID", with: "\(id)").replacing("OP", with: operatorText(of: id))
            }
            switch mutation.edit {
            case .replace(let text):
                let isInfix = mutation.operator == .range
                pieces.append(
                    Piece(
                        id: id, place: mutation.place, isEnd: false, removed: mutation.place.count,
                        text: isInfix ? " \(filled(text)) " : filled(text)))
            case .wrap(let start, let end):
                pieces.append(Piece(id: id, place: mutation.place, isEnd: false, removed: 0, text: filled(start)))
                pieces.append(Piece(id: id, place: mutation.place, isEnd: true, removed: 0, text: filled(end)))
            }
        }
        // At one offset: ends before starts, inner ends before outer ones, outer starts before inner ones.
        pieces.sort { left, right in
            if left.offset != right.offset { return left.offset < right.offset }
            if left.isEnd != right.isEnd { return left.isEnd }
            if left.place.count != right.place.count { return (left.place.count < right.place.count) == left.isEnd }
            // What is put around a place begins before what replaces it.
            if (left.removed > 0) != (right.removed > 0) { return right.removed > 0 }
            return (left.id > right.id) == left.isEnd
        }
        bytes = Array(header.utf8)
        var position = 0
        for piece in pieces {
            bytes += source.bytes[position..<piece.offset]
            if piece.isEnd, let start = places[piece.id] {
                bytes += piece.text.utf8
                places[piece.id] = start.lowerBound..<bytes.count
            } else {
                let start = bytes.count
                bytes += piece.text.utf8
                places[piece.id] = start..<bytes.count
            }
            position = piece.offset + piece.removed
        }
        bytes += source.bytes[position...]
    }

    /// The mutants that an error at a place of what was compiled is laid to: those around it, else those of its line, else
    /// the nearest.
    func suspects(line: Int, column: Int) -> [Int] {
        var starts = [0]
        for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
        guard line >= 1, line <= starts.count else { return Array(places.keys) }
        let start = starts[line - 1]
        let end = line < starts.count ? starts[line] : bytes.count
        let offset = start + column - 1
        let around = places.filter { $0.value.lowerBound <= offset && offset < $0.value.upperBound }
        if !around.isEmpty { return Array(around.keys) }
        let inLine = places.filter { $0.value.overlaps(start..<end) }
        if !inLine.isEmpty { return Array(inLine.keys) }
        func distance(_ place: Range<Int>) -> Int { max(place.lowerBound - offset, offset - place.upperBound) }
        return places.min { distance($0.value) < distance($1.value) }.map { [$0.key] } ?? []
    }
}
