import Foundation
import Pallium
import PalliumTrials

/// Everything that a block of lines gives, on its way from the thread that decoded it to the one that writes.
struct DecodedLines: Sendable {
    let block: LineBlock<DynamicModel>
    /// The number of problems at which decoding the block ends.
    let maximumProblems: Int
    var output = Data()
    /// The lines with problems, as they are kept.
    var rejects: [String] = []
    /// The problems, as they are reported.
    var reports: [String] = []
    var summary = Summary(isPart: true)
    /// The drift of the lines from their schemas; nil if nobody asks.
    var monitor: DriftMonitor?

    init(_ block: LineBlock<DynamicModel>, _ emptyMonitor: DriftMonitor?, maximumProblems: Int) {
        self.block = block
        monitor = emptyMonitor
        self.maximumProblems = maximumProblems
    }

    /// Whether more lines of the block may be decoded.
    var mayGoOn: Bool { summary.problems < maximumProblems }
}
