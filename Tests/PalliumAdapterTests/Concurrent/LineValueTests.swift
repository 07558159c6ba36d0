import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What your functions make of lines on several threads: the values, their order, and the first error of the text.
struct LineValueTests {
    private struct Refusal: Error, Equatable { var number: Int }

    private static func chunks(_ lines: [String]) -> [[UInt8]] {
        // Chunks of a size that has nothing to do with lines.
        let bytes = Array(lines.joined(separator: "\n").utf8)
        return stride(from: 0, to: bytes.count, by: 70_001).map { Array(bytes[$0..<min($0 + 70_001, bytes.count)]) }
    }

    /// More than two blocks of the size that is usual.
    private static let many = (0..<20_000).map { #"{"id":\#($0),"text":"a text that is some bytes long"}"# }

    @Test(arguments: [0, 1, 2, 3, 8, .max]) func mappedValuesAreInTheOrderOfTheLines(threads: Int) throws {
        let adapter = try Items.adapter()
        let chunks = Self.chunks(Self.many)
        let numbers = try adapter.map(lines: chunks, concurrently: threads) { $0["id", as: Int.self] }
        #expect(numbers == Array(0..<20_000))
        let views = try adapter.map(lines: chunks, concurrently: threads) { $0.frozen() }
        #expect(views.count == 20_000)
        #expect(
            try adapter.data(from: views[19_999]) == Data(#"{"id":19999,"text":"a text that is some bytes long"}"#.utf8)
        )
    }

    @Test func nothingIsMappedOfNothing() throws {
        let adapter = try Items.adapter()
        for chunks: [[UInt8]] in [[], [[]], [[10, 10]], [Array(" \r\n\t\n".utf8)]] {
            #expect(try adapter.map(lines: chunks, concurrently: 3) { picture(of: $0) }.isEmpty)
        }
    }

    @Test(arguments: [1, 2, 3, 8]) func theFirstErrorOfTheTextIsThrown(threads: Int) throws {
        let adapter = try Items.adapter()
        for (refused, broken) in [(100, 19_000), (19_000, 100), (15_000, 15_001), (15_001, 15_000), (7, 7)] {
            var lines = Self.many
            lines[broken] = #"{"id":"x"}"#
            // Later problems of both kinds change nothing.
            lines[19_500] = "nope"
            let error = #expect(throws: (any Error).self) {
                try adapter.map(lines: Self.chunks(lines), concurrently: threads) { model in
                    let number = model["id", as: Int.self] ?? -1
                    if number == refused || number == 19_700 { throw Refusal(number: number) }
                    return number
                }
            }
            if refused < broken {
                #expect(error as? Refusal == Refusal(number: refused))
            } else {
                #expect(error as? ModelError == adapter.outcome(ofLines: Self.chunks(lines)).problems.first)
                #expect((error as? ModelError)?.location?.line == broken + 1)
            }
        }
    }

    @Test(arguments: JSONAdapterOptions.ElementPolicy.allCases)
    func linesWithProblemsAreLeftOutWhereTheyAreSkipped(_ policy: JSONAdapterOptions.ElementPolicy) throws {
        let adapter = try Items.adapter { $0.elements = policy }
        let bytes = Array(Items.linesWithProblems.utf8)
        let expected = adapter.outcome(ofLines: [bytes])
        for threads in 1...8 {
            for blockBytes in [1, 24, 90, 1000] {
                let blocks = adapter.blocks(of: [bytes], concurrently: threads, blockBytes: blockBytes)
                #expect(blocks.outcome == expected, "\(threads) threads, blocks of \(blockBytes)")
            }
        }
    }

    @Test func reportsTellEveryProblemOfTheStream() throws {
        let adapter = try Items.adapter()
        let bytes = Array(String(repeating: Items.linesWithProblems, count: 30).utf8)
        let expected = adapter.reportOutcome(ofLines: [bytes])
        #expect(expected.problems.count > 500)
        for threads in [1, 2, 4] {
            for blockBytes in [100, 10_000] {
                let lines = adapter.blocks(of: [bytes], concurrently: threads, blockBytes: blockBytes).flatMap(\.lines)
                #expect(lines.flatMap(\.models) == expected.models)
                #expect(lines.flatMap(\.problems) == expected.problems)
            }
        }
    }

    @Test func aTransformMayUseViewsOfOtherThreads() throws {
        let adapter = try Items.adapter()
        let shared = try adapter.model(from: Items.elements[8]).frozen()
        let expected = try adapter.data(from: shared)
        let lines = Self.chunks((0..<500).map { "{\"id\":\($0)}" })
        var views: [Frozen<DynamicModel>] = []
        var texts: Set<Data> = []
        try adapter.process(lines: lines, concurrently: 4, blockBytes: 50) { block in
            var models = block.models
            var views: [Frozen<DynamicModel>] = []
            while let model = try models.next() { views.append(model.frozen()) }
            return (views, try adapter.data(from: shared))
        } receive: { value in
            views += value.0
            texts.insert(value.1)
        }
        #expect(texts == [expected])
        #expect(try views.map { try adapter.data(from: $0) } == (0..<500).map { Data("{\"id\":\($0)}".utf8) })
    }

    @Test(.threat(.reentrancy)) func aTransformMayProcessLinesItself() throws {
        let adapter = try Items.adapter()
        let outer = Self.chunks((0..<40).map { "{\"id\":\($0)}" })
        let inner = Self.chunks((0..<30).map { "{\"id\":\($0)}" })
        var sums: [Int] = []
        try adapter.process(lines: outer, concurrently: 3, blockBytes: 1) { block in
            try adapter.map(lines: inner, concurrently: 2) { $0["id", as: Int.self] ?? 0 }.reduce(0, +)
        } receive: {
            sums.append($0)
        }
        #expect(sums == Array(repeating: 435, count: 40))
    }

    /// The bytes of a stream may change after they were passed on, as in a buffer that is used again.
    @Test func everySequenceOfBytesIsAStream() throws {
        let adapter = try Items.adapter()
        let text = Self.many.prefix(50).joined(separator: "\n")
        let data = [Data(text.utf8)]
        let pieces = [ArraySlice(Array(text.utf8)).dropFirst(0)]
        #expect(try adapter.map(lines: data, concurrently: 2) { $0["id", as: Int.self] } == Array(0..<50))
        #expect(try adapter.map(lines: pieces, concurrently: 2) { $0["id", as: Int.self] } == Array(0..<50))
    }
}
