import Pallium
import TestSupport
import Testing

/// A line above the limit is one problem, however long it is, and the next line is decoded as usual.
struct LongLineTests {
    @Test(.threat(.hugeInput), arguments: [1, 2, 5])
    func aLineBeyondTheLimitIsOneProblemAmongOthers(threads: Int) throws {
        let adapter = try Items.adapter { $0.maximumElementBytes = 40 }
        let short = #"{"id":1,"text":"short"}"#
        for excess in [-1, 0, 1, 2, 500] {
            let frame = #"{"id":2,"text":""}"#
            let long = #"{"id":2,"text":"\#(String(repeating: "x", count: 40 + excess - frame.utf8.count))"}"#
            for lines in [[long], [short, long], [long, short], [long, long, short, "nope", long, short, long]] {
                for end in ["", "\n", "\r\n"] {
                    let bytes = Array((lines.joined(separator: "\n") + end).utf8)
                    // The rest of a line that is refused need not be kept, so only what is said of lines is compared.
                    let expected = adapter.lines(of: bytes).map { [$0.models.joined().joined(), "\($0.problems)"] }
                    for blockBytes in [1, 10, 64, 1000] {
                        for chunks in [[bytes], bytes.singly] {
                            let blocks = adapter.blocks(of: chunks, concurrently: threads, blockBytes: blockBytes)
                            let found = blocks.flatMap(\.lines).map { [$0.models.joined().joined(), "\($0.problems)"] }
                            #expect(found == expected, "\(excess) more, \(lines.count) lines, blocks of \(blockBytes)")
                            #expect(blocks.flatMap(\.lines).map(\.location) == adapter.lines(of: bytes).map(\.location))
                            #expect(blocks.outcome == adapter.outcome(ofLines: [bytes]))
                        }
                    }
                }
            }
        }
    }
}
