import ModelTestSupport
import Pallium

/// What came out of a stream or of decoding at once: what the models hold, and the problems.
struct StreamOutcome: Equatable {
    var models: [[String]] = []
    var problems: [ModelError] = []
}

extension JSONAdapter {
    /// What a stream of models gives.
    func outcome<Chunks: Sequence<[UInt8]>>(ofLines chunks: Chunks) -> StreamOutcome {
        outcome(models(fromLines: chunks))
    }

    func outcome<Chunks: Sequence<[UInt8]>>(ofArray chunks: Chunks) -> StreamOutcome {
        outcome(models(fromArray: chunks))
    }

    private func outcome<Chunks>(_ stream: ModelStream<Model, Chunks>) -> StreamOutcome {
        var stream = stream
        var outcome = StreamOutcome()
        do {
            while let model = try stream.next() { outcome.models.append(picture(of: model)) }
        } catch { outcome.problems = [error] }
        return outcome
    }

    /// What decoding an array at once gives.
    func outcome(ofWholeArray bytes: [UInt8]) -> StreamOutcome {
        do throws(ModelError) {
            return StreamOutcome(models: try models(from: bytes).map { picture(of: $0) })
        } catch { return StreamOutcome(problems: [error]) }
    }

    /// What a stream of reports tells, put together.
    func reportOutcome<Chunks: Sequence<[UInt8]>>(ofArray chunks: Chunks) -> StreamOutcome {
        outcome(models(fromArray: chunks).reports)
    }

    func reportOutcome<Chunks: Sequence<[UInt8]>>(ofLines chunks: Chunks) -> StreamOutcome {
        outcome(models(fromLines: chunks).reports)
    }

    private func outcome(_ reports: some Sequence<DecodingReport<Model>>) -> StreamOutcome {
        var outcome = StreamOutcome()
        for report in reports {
            outcome.models += report.models.map { picture(of: $0) }
            outcome.problems += report.problems
        }
        return outcome
    }

    /// What the report about a whole array tells.
    func reportOutcome(ofWholeArray bytes: [UInt8]) -> StreamOutcome {
        let report = report(from: bytes)
        return StreamOutcome(models: report.models.map { picture(of: $0) }, problems: report.problems)
    }
}

extension [UInt8] {
    /// The bytes as two chunks, for every place where they can be cut.
    var cutOnce: [[[UInt8]]] { indices.map { [[UInt8](self[..<$0]), [UInt8](self[$0...])] } }

    /// The bytes as chunks of one byte each.
    var singly: [[UInt8]] { map { [$0] } }
}
