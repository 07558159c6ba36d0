import Foundation
import Pallium
import PalliumTrials

/// Decodes blocks of lines and makes everything that is written of them, on any thread.
struct LineDecoder: Sendable {
    /// What is written of a line.
    enum Output: Sendable { case models, original, envelopes, nothing }
    /// What becomes of problems.
    enum Problems: Sendable { case reported(ErrorFormat), rejected, answered, counted }

    let adapter: JSONAdapter<DynamicModel>
    let redaction: Redaction?
    let output: Output
    let problems: Problems
    /// Whether rejected lines are written with the values of properties with labels.
    let isUnmasked: Bool
    /// Whether a line may be an array of models.
    let allowsArrays: Bool
    /// Whether lines with problems are written without what cannot be built.
    let writesParts: Bool
    /// The monitor to begin with; nil if nobody asks for drift.
    let emptyMonitor: DriftMonitor?
    let registry: SchemaRegistry
    /// Whether unknown members are found for the monitor only. Of a schema that refuses them they are problems, too.
    let ignoresUnknown: Bool
    /// The name of the file in messages.
    let file: String

    /// Decodes lines, up to the one whose problems reach the limit.
    func decode(_ block: LineBlock<DynamicModel>, maximumProblems: Int) -> DecodedLines {
        var lines = DecodedLines(block, emptyMonitor, maximumProblems: maximumProblems)
        var writer: JSONLinesWriter<DynamicModel>
        do throws(ModelError) {
            writer =
                try redaction.map { redaction throws(ModelError) in
                    try JSONLinesWriter(adapter, redacting: redaction)
                } ?? JSONLinesWriter(adapter)
        } catch {
            // The labels were checked before; nothing may be written otherwise.
            lines.summary.add(document: error.problems)
            return lines
        }
        // Most lines are written as long as they came. What is left of the memory is not touched.
        if output == .models { writer.reserveCapacity(block.bytes.count + block.bytes.count / 8) }
        var reports = block.reports.makeIterator()
        var answered = block.location.line
        while lines.mayGoOn, let line = reports.next() {
            let isRefused = !allowsArrays && line.isArray
            var problems = isRefused ? [.arrayInLine(line.location)] : line.problems
            lines.monitor?.add(line, of: block, allowsArrays: allowsArrays, source: file)
            if ignoresUnknown, !problems.isEmpty { problems.removeAll(where: isIgnored) }
            if output == .envelopes, let number = line.location?.line {
                answerBlankLines(answered..<number, &lines)
                answered = number + 1
            }
            var refused = Array(problems.prefix(maximumProblems - lines.summary.problems))
            let isLast = lines.summary.problems + refused.count == maximumProblems
            // What is no JSON has no parts.
            let hasParts = writesParts && !isLast && !isRefused && !refused.contains { $0.category == .malformedInput }
            if refused.isEmpty || hasParts {
                do throws(ModelError) { try write(line, of: block, &writer, &lines) } catch {
                    refused += error.problems
                }
            }
            lines.summary.add(document: refused)
            if !refused.isEmpty { refuse(line, of: block, refused, &lines) }
        }
        if output == .models { lines.output = writer.takeData() }
        if output == .envelopes, lines.mayGoOn {
            let isCut = block.bytes.last != UInt8(ascii: "\n")
            let count = block.bytes.count { $0 == UInt8(ascii: "\n") } + (isCut ? 1 : 0)
            answerBlankLines(answered..<max(answered, block.location.line + count), &lines)
        }
        return lines
    }

    private func isIgnored(_ problem: ModelError) -> Bool {
        guard problem.code == .unknownMember else { return false }
        return problem.schema.flatMap { try? registry.schema(named: $0) }?.refusesUnknownMembers != true
    }

    private func answerBlankLines(_ numbers: Range<Int>, _ lines: inout DecodedLines) {
        for number in numbers { answer(number, "model", Data("null".utf8), &lines) }
    }

    /// Writes the line that answers a line.
    private func answer(_ number: Int, _ member: String, _ value: Data, _ lines: inout DecodedLines) {
        lines.output += Data("{\"line\":\(number),\"\(member)\":".utf8)
        lines.output += value
        lines.output += Data("}\n".utf8)
    }

    /// Writes a line.
    ///
    /// - Throws: ``ModelError`` if it cannot be written, because of a transformer without a reverse for example.
    private func write(
        _ line: DecodingReport<DynamicModel>, of block: LineBlock<DynamicModel>,
        _ writer: inout JSONLinesWriter<DynamicModel>, _ lines: inout DecodedLines
    ) throws(ModelError) {
        if let model = line.model { lines.summary.add(model) }
        if line.isArray { for model in line.models { lines.summary.add(model) } }
        switch output {
        case .nothing: break
        case .original:
            let text = block.line(at: line.location ?? block.location)
            text.withUnsafeBytes { lines.output.append(contentsOf: $0) }
            if text.last != UInt8(ascii: "\n") { lines.output.append(UInt8(ascii: "\n")) }
        case .envelopes:
            guard let model = line.model else { return }
            let text = try adapter.data(from: model, redacting: redaction)
            answer(line.location?.line ?? 0, "model", text, &lines)
        case .models:
            if line.isArray {
                try writer.append(line.models)
            } else if let model = line.model {
                try writer.append(model)
            }
        }
    }

    private func refuse(
        _ line: DecodingReport<DynamicModel>, of block: LineBlock<DynamicModel>, _ problems: [ModelError],
        _ lines: inout DecodedLines
    ) {
        if case .counted = self.problems { return }
        let reports = problems.map {
            ProblemReport($0.namingLimit(of: adapter.options, hasDepth: true), file: file, location: line.location)
        }
        switch self.problems {
        case .counted: break
        case .reported(.text): lines.reports += reports.map(\.text)
        case .reported(.json): lines.reports += reports.map(\.json)
        case .answered:
            // Writing fails only for nesting beyond the limit, and there is none.
            let text = (try? JSONValue.array(reports.map(\.object)).text()) ?? ""
            answer(line.location?.line ?? 0, "problems", Data(text.utf8), &lines)
        case .rejected:
            let location = line.location ?? block.location
            var text = block.line(at: location)
            if text.last == UInt8(ascii: "\n") { text.removeLast() }
            lines.rejects.append(reject(text, at: location, reports))
        }
    }

    /// One JSON object with a line and its problems. The line is as it came, but for values that have a label.
    private func reject(_ text: ArraySlice<UInt8>, at location: JSONLocation, _ reports: [ProblemReport]) -> String {
        var members: JSONObject = ["file": .string(file), "line": .number(JSONNumber(location.line))]
        if text.count > adapter.options.maximumElementBytes {
            members["text"] = .null
        } else if let shown = isUnmasked ? Array(text) : adapter.masked(text) {
            if let text = String(validating: shown, as: UTF8.self) {
                members["text"] = .string(text)
            } else {
                members["bytes"] = .string(Data(shown).base64EncodedString())
            }
        } else {
            members["text"] = .null
        }
        members["problems"] = .array(reports.map(\.object))
        // Writing fails only for nesting beyond the limit, and there is none.
        return (try? JSONValue.object(members).text()) ?? ""
    }
}

extension DriftMonitor {
    /// Counts a line of a block, which may be no array unless that is allowed.
    mutating func add(
        _ line: DecodingReport<DynamicModel>, of block: LineBlock<DynamicModel>, allowsArrays: Bool = false,
        source: String
    ) {
        let isRefused = !allowsArrays && line.isArray
        add(
            block.line(at: line.location ?? block.location),
            problems: isRefused ? [.arrayInLine(line.location)] : line.problems,
            models: isRefused ? nil : line.model.map { [$0] } ?? line.models, source: source,
            location: line.location)
    }
}
