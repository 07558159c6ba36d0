import Foundation
import Pallium
import TestSupport
import Testing

/// Lines that are decoded on several threads give the models and the problem of decoding them in order.
struct ConcurrentLineTests {
    @Test(arguments: 1...8) func everyLineIsDecodedInOrder(threads: Int) throws {
        for policy in JSONAdapterOptions.ElementPolicy.allCases {
            let adapter = try Items.adapter { $0.elements = policy }
            for (name, text) in Items.lineTexts {
                adapter.checkThreads(lines: Array(text.utf8), name, threads: [threads])
            }
        }
    }

    @Test(arguments: JSONAdapterOptions.ElementPolicy.allCases)
    func aProblemInAnyLine(_ policy: JSONAdapterOptions.ElementPolicy) throws {
        let adapter = try Items.adapter {
            $0.elements = policy
            $0.maximumElementBytes = 100
        }
        let long = #"{"id":1,"text":"\#(String(repeating: "x", count: 100))"}"#
        for (number, refused) in (Items.refused + [long]).enumerated() {
            for position in stride(from: number % 3, through: Items.elements.count, by: 3) {
                var lines = Items.elements
                lines.insert(refused, at: position)
                adapter.checkThreads(lines: Array(lines.joined(separator: "\n").utf8), "\(refused) at \(position)")
            }
        }
    }

    @Test func textIsDecodedLikeBytes() throws {
        let lines = (0..<20_000).map { #"{"id":\#($0),"text":"number"}"# }.joined(separator: "\n")
        let adapter = try Items.adapter()
        for models in try [
            adapter.models(fromLines: lines, concurrently: 2),
            adapter.models(fromLines: Data(lines.utf8), concurrently: 4),
        ] {
            #expect(models.map { $0.value("id") } == Array(0..<20_000))
        }
    }
}
