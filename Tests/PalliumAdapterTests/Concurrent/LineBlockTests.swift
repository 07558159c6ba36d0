import Pallium
import PalliumJSON
import TestSupport
import Testing

/// A stream is cut into blocks of whole lines, wherever its chunks are cut, and nothing is lost, added or moved.
struct LineBlockTests {
    private static let blockBytes = [1, 2, 7, 24, 90, 1000, 256 << 10]

    /// The lines of a stream of these bytes, decoded in order.
    private struct Expected {
        let bytes: [UInt8]
        let lines: [LineBlockPicture.Line]
        let outcome: StreamOutcome

        init(_ bytes: [UInt8], _ adapter: JSONAdapter<DynamicModel>) {
            self.bytes = bytes
            lines = adapter.lines(of: bytes)
            outcome = adapter.outcome(ofLines: [bytes])
        }
    }

    private func check(
        _ blocks: [LineBlockPicture], _ expected: Expected, _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(blocks.flatMap(\.bytes) == expected.bytes, "\(name)", sourceLocation: sourceLocation)
        for (number, block) in blocks.enumerated() {
            let isWhole = number == blocks.count - 1 || block.bytes.last == UInt8(ascii: "\n")
            #expect(isWhole && !block.bytes.isEmpty, "\(name): block \(number)", sourceLocation: sourceLocation)
        }
        checkPlaces(blocks, name, sourceLocation)
        #expect(blocks.flatMap(\.lines) == expected.lines, "\(name)", sourceLocation: sourceLocation)
        #expect(blocks.outcome == expected.outcome, "\(name)", sourceLocation: sourceLocation)
    }

    /// A line of a stream ends with a line feed.
    private func checkPlaces(_ blocks: [LineBlockPicture], _ name: String, _ sourceLocation: SourceLocation) {
        var (line, offset) = (1, 0)
        for block in blocks {
            let place = JSONLocation(line: line, column: 1, byteOffset: offset)
            #expect(block.location == place, "\(name)", sourceLocation: sourceLocation)
            line += block.bytes.count { $0 == UInt8(ascii: "\n") }
            offset += block.bytes.count
        }
    }

    @Test(arguments: 1...8) func blocksAreTheStream(threads: Int) throws {
        let adapter = try Items.adapter()
        for (name, text) in Items.lineTexts + [("problems", Items.linesWithProblems)] {
            let bytes = Array(text.utf8)
            let expected = Expected(bytes, adapter)
            for blockBytes in Self.blockBytes {
                for chunks in [[bytes], bytes.singly] where chunks.count == 1 || blockBytes < 25 {
                    check(
                        adapter.blocks(of: chunks, concurrently: threads, blockBytes: blockBytes), expected,
                        "\(name), \(chunks.count) chunks, \(threads) threads, blocks of \(blockBytes)")
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 8]) func chunksMayBeCutAnywhere(threads: Int) throws {
        let adapter = try Items.adapter()
        let text =
            "\u{FEFF}{\"id\":1}\r\n\r\n \t\n"
            + "{\"id\":\"x\",\"text\":\"é😀\"}\n\r{\"id\":2}\nnull\r\n{\"id\":\n[{\"id\":3}]"
        for text in [text, text + "\n", text + "\r\n\r"] {
            let bytes = Array(text.utf8)
            let expected = Expected(bytes, adapter)
            for chunks in bytes.cutOnce {
                for blockBytes in [1, 9, 1000] {
                    check(
                        adapter.blocks(of: chunks, concurrently: threads, blockBytes: blockBytes), expected,
                        "cut at \(chunks[0].count), \(threads) threads, blocks of \(blockBytes)")
                }
            }
        }
    }

    @Test func chunksMayBeEmpty() throws {
        let adapter = try Items.adapter()
        let chunks: [[UInt8]] = [[], Array("{\"id\"".utf8), [], [], Array(":1}\n{\"id\":2}".utf8), [], [10], []]
        let expected = Expected(chunks.flatMap { $0 }, adapter)
        for threads in 1...4 {
            for blockBytes in Self.blockBytes {
                check(
                    adapter.blocks(of: chunks, concurrently: threads, blockBytes: blockBytes), expected,
                    "\(threads) threads, blocks of \(blockBytes)")
            }
            for nothing: [[UInt8]] in [[], [[]], [[], []]] {
                #expect(adapter.blocks(of: nothing, concurrently: threads, blockBytes: 1).isEmpty)
            }
        }
    }

    @Test(arguments: 1...8) func withoutOrderTheBlocksAreTheSame(threads: Int) throws {
        let adapter = try Items.adapter()
        for text in [Items.linesWithProblems, Items.elements.joined(separator: "\n")] {
            let bytes = Array(text.utf8)
            let expected = Expected(bytes, adapter)
            for blockBytes in [1, 24, 90] {
                var blocks = adapter.blocks(
                    of: [bytes], concurrently: threads, inOrder: false, blockBytes: blockBytes)
                blocks.sort { $0.location.byteOffset < $1.location.byteOffset }
                check(blocks, expected, "\(threads) threads, blocks of \(blockBytes)")
            }
        }
    }

    @Test func aPlaceThatIsNotInTheBlockHasNoText() throws {
        let adapter = try Items.adapter()
        let chunks = [Array("{\"id\":1}\n{\"id\":2}\n".utf8)]
        let places = (0...20).map { JSONLocation(line: 1, column: 1, byteOffset: $0) }
        var texts: [[String]] = []
        adapter.process(lines: chunks, concurrently: 2, blockBytes: 1) { block in
            places.map { String(decoding: block.line(at: $0), as: UTF8.self) }
        } receive: {
            texts.append($0)
        }
        #expect(texts.count == 2)
        #expect(texts.first?[0] == "{\"id\":1}\n" && texts.last?[9] == "{\"id\":2}\n")
        #expect(texts.first?[9...].allSatisfy(\.isEmpty) == true)
        #expect(texts.last?[..<9].allSatisfy(\.isEmpty) == true && texts.last?[18...].allSatisfy(\.isEmpty) == true)
    }
}
