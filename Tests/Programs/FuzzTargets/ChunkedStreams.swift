import Foundation
import Pallium

/// A stream gives the same models and problems however its bytes are cut into chunks, and those of the whole text.
///
/// The first byte of the input says how long the chunks are, the rest is the stream.
enum ChunkedStreams {
    static func check(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let text = Array(bytes.dropFirst())
        let length = Int(first % 16) + 1
        let chunks = stride(from: 0, to: text.count, by: length).map { Array(text[$0..<min($0 + length, text.count)]) }
        for adapter in FuzzedModels.adapters {
            let array = outcome(adapter.models(fromArray: [text]))
            try compare(array, outcome(adapter.models(fromArray: chunks)), "array")
            try compare(outcome(adapter.models(fromLines: [text])), outcome(adapter.models(fromLines: chunks)), "lines")
            let whole = outcome { () throws(ModelError) in try adapter.models(from: text) }
            try promise(
                areAlike(whole.problem, array.problem) && (whole.problem != nil || whole.models == array.models),
                "the whole text gives \(whole), the stream \(array)")
            let reports = adapter.models(fromLines: [text]).reports.map(summary)
            try promise(reports == adapter.models(fromLines: chunks).reports.map(summary), "reports about lines")
        }
    }

    private struct Outcome {
        var models: [DynamicModel] = []
        var problem: ModelError?
    }

    private static func outcome<Chunks>(_ stream: ModelStream<DynamicModel, Chunks>) -> Outcome {
        var stream = stream
        var outcome = Outcome()
        do throws(ModelError) {
            while let model = try stream.next() { outcome.models.append(model) }
        } catch { outcome.problem = error }
        return outcome
    }

    private static func outcome(_ decode: () throws(ModelError) -> [DynamicModel]) -> Outcome {
        do throws(ModelError) { return Outcome(models: try decode()) } catch { return Outcome(problem: error) }
    }

    private static func compare(_ left: Outcome, _ right: Outcome, _ name: String) throws {
        try promise(left.models == right.models && left.problem == right.problem, "\(name): \(left) but \(right)")
    }

    private static func summary(_ report: DecodingReport<DynamicModel>) -> String {
        "\(report.models.map(\.debugDescription)) \(report.problems)"
    }

    /// Whether two problems are one. What was found may differ: who has the whole text recognises lines in it.
    private static func areAlike(_ left: ModelError?, _ right: ModelError?) -> Bool {
        left?.code == right?.code && left?.pointer == right?.pointer && left?.location == right?.location
            && left?.expected == right?.expected
    }
}
