import Testing

@testable import PalliumTool

@Suite struct LineBufferTests {
    /// All lines of an input that arrives in pieces.
    private func lines(_ pieces: [[UInt8]], maximumBytes: Int = 100) -> [LineBuffer.Line] {
        var buffer = LineBuffer(maximumBytes: maximumBytes)
        var lines: [LineBuffer.Line] = []
        for piece in pieces + [[]] {
            buffer.append(piece)
            while let line = buffer.next() { lines.append(line) }
        }
        return lines
    }

    private func line(_ text: String, _ number: Int, _ offset: Int) -> LineBuffer.Line {
        LineBuffer.Line(bytes: Array(text.utf8), number: number, offset: offset)
    }

    @Test func linesAreTheSameHoweverTheInputIsCut() {
        let input = Array("one\n\ntwo\r\nthree is longer\n\n\nlast".utf8)
        let expected = [
            line("one", 1, 0), line("", 2, 4), line("two\r", 3, 5), line("three is longer", 4, 10), line("", 5, 26),
            line("", 6, 27), line("last", 7, 28),
        ]
        for size in 1...input.count {
            let pieces = stride(from: 0, to: input.count, by: size).map {
                Array(input[$0..<min($0 + size, input.count)])
            }
            #expect(lines(pieces) == expected, "pieces of \(size)")
        }
    }

    @Test func aLineEndAtTheEndOpensNoFurtherLine() {
        #expect(lines([Array("a\n".utf8)]) == [line("a", 1, 0)])
        #expect(lines([]) == [])
        #expect(lines([Array("\n".utf8)]) == [line("", 1, 0)])
    }

    @Test func aLineThatIsTooLongIsHandedOutOnceAndCut() {
        let input = Array("0123456789abcdef\nnext\n0123456789\nlast 67890XYZ".utf8)
        let expected = [
            line("0123456789a", 1, 0), line("next", 2, 17), line("0123456789", 3, 22), line("last 67890X", 4, 33),
        ]
        for size in 1...input.count {
            let pieces = stride(from: 0, to: input.count, by: size).map {
                Array(input[$0..<min($0 + size, input.count)])
            }
            #expect(lines(pieces, maximumBytes: 10) == expected, "pieces of \(size)")
        }
    }
}
