import ModelTestSupport
import Pallium
import PalliumJSON

/// What a block of lines holds: its text, its place, and each line of it.
struct LineBlockPicture: Equatable, Sendable {
    /// A line that is not blank.
    struct Line: Equatable, Sendable {
        var location: JSONLocation?
        /// What the block says is the text at the location.
        var text: [UInt8]
        var models: [[String]]
        var problems: [ModelError]
    }

    var bytes: [UInt8]
    var location: JSONLocation
    var lines: [Line]
    /// The models up to the first problem, and this one.
    var outcome: StreamOutcome

    init<Model>(_ block: LineBlock<Model>) {
        bytes = block.bytes
        location = block.location
        lines = block.reports.map { report in
            Line(
                location: report.location, text: report.location.map { Array(block.line(at: $0)) } ?? [],
                models: report.models.map { picture(of: $0) }, problems: report.problems)
        }
        outcome = StreamOutcome()
        var models = block.models
        do throws(ModelError) {
            while let model = try models.next() { outcome.models.append(picture(of: model)) }
        } catch { outcome.problems = [error] }
    }
}

extension JSONAdapter {
    /// The blocks of a stream in the order in which they are received.
    func blocks<Chunks: Sequence<[UInt8]> & Sendable>(
        of chunks: Chunks, concurrently threadCount: Int, inOrder isOrdered: Bool = true, blockBytes: Int
    ) -> [LineBlockPicture] {
        var blocks: [LineBlockPicture] = []
        process(lines: chunks, concurrently: threadCount, inOrder: isOrdered, blockBytes: blockBytes) { block in
            LineBlockPicture(block)
        } receive: {
            blocks.append($0)
        }
        return blocks
    }

    /// The lines of a stream, as reports in order tell them, with their texts.
    func lines(of bytes: [UInt8]) -> [LineBlockPicture.Line] {
        models(fromLines: [bytes]).reports.map { report in
            let rest = bytes.dropFirst(report.location?.byteOffset ?? bytes.count)
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            return LineBlockPicture.Line(
                location: report.location, text: Array(rest[..<end]), models: report.models.map { picture(of: $0) },
                problems: report.problems)
        }
    }
}

extension [LineBlockPicture] {
    /// The models up to the first problem of the stream, and this one.
    var outcome: StreamOutcome {
        var all = StreamOutcome()
        for block in self where all.problems.isEmpty {
            all.models += block.outcome.models
            all.problems = block.outcome.problems
        }
        return all
    }
}

extension Items {
    /// Texts of lines with every kind of end, blank lines, and lines that are long, empty or marked.
    static let lineTexts: [(name: String, text: String)] =
        documents + [
            ("lines", elements.joined(separator: "\n") + "\n"), ("line ends", "\n\n\r\n\n"),
            ("blank lines", elements.joined(separator: "\r\n\n \n") + "\r\n"), ("no line end", elements[4]),
            ("carriage returns", elements.joined(separator: "\r")),
            ("marks", elements.map { "\u{FEFF}" + $0 }.joined(separator: "\n")),
        ]

    /// Lines of which many have problems, of all kinds, between others.
    static let linesWithProblems = zip(refused + refused, elements + elements)
        .map { "\($0)\n\($1)\n\($1)\r\n" }.joined()
}
