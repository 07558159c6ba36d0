import Foundation
import PalliumCore
import PalliumJSON

/// Decodes the lines of a stream. Each line is a document of its own, so a malformed line does not affect
/// the next.
///
/// Safety: the bytes of the buffer are borrowed for calls in which nothing is added to it or dropped from it; a line
/// ends within their count.
extension StreamDecoder {
    struct LineState {
        /// How many unread bytes contain no line end.
        var searched = 0
        /// Whether the rest of a line that is too long is being skipped.
        var isSkipping = false
    }

    mutating func nextLine(collecting: Bool) -> Element? {
        while true {
            let searched = lines.searched
            let lineEnd = unsafe buffer.withBytes { unsafe Self.lineEnd(in: $0, from: searched) }
            guard let end = lineEnd ?? (isEnded && buffer.count > 0 ? buffer.count : nil) else {
                lines.searched = buffer.count
                if lines.isSkipping {
                    discardLine(nil)
                } else if buffer.count > limit {
                    lines.isSkipping = true
                    return refusal(tooLong(at: []))
                }
                return nil
            }
            defer { discardLine(lineEnd) }
            if lines.isSkipping {
                lines.isSkipping = false
                continue
            }
            if end > limit { return refusal(tooLong(at: [])) }
            let element = unsafe buffer.withBytes { bytes -> Element? in
                let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
                if unsafe line.allSatisfy(Self.isWhitespace) { return nil }
                var element = unsafe decode(line, collecting: collecting)
                if keepsTexts { element.text = unsafe Array(line) }
                return element
            }
            if let element { return element }
        }
    }

    /// The offset of the first line feed from an offset on.
    static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        // The search stays between `start` and the end of `bytes`.
        guard let base = bytes.baseAddress, start < bytes.count,
            let found = unsafe memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
        else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }

    /// White space of JSON: RFC 8259 §2.
    static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private mutating func discardLine(_ lineEnd: Int?) {
        lines.searched = 0
        if let lineEnd { buffer.discardLine(lineEnd + 1) } else { buffer.discardPart(buffer.count) }
    }

    private func refusal(_ problem: ModelError) -> Element {
        Element(
            report: DecodingReport(models: [], problems: [problem], isArray: false), location: buffer.location,
            problem: problem)
    }

    private func decode(_ line: UnsafeRawBufferPointer, collecting: Bool) -> Element {
        let session =
            unsafe collecting
            ? strictSession(line) : adapter.session(JSONDocument(bytes: line), origin: buffer.location)
        do throws(ModelError) {
            let model = try adapter.one(of: session.read(adapter.root, as: .model).model)
            return Element(model: model, location: buffer.location)
        } catch {
            guard collecting else { return unsafe refusal(recognizingDocument(error, line)) }
            // Only a line with a problem or an array is decoded again, to collect all its problems.
            var report = unsafe adapter.report(of: JSONDocument(bytes: line), origin: buffer.location)
            report.problems = report.problems.map { unsafe recognizingDocument($0, line) }
            return Element(report: report, location: buffer.location, problem: error)
        }
    }

    /// Adds a hint if the first line shows that the text is a whole document.
    private func recognizingDocument(_ error: ModelError, _ line: UnsafeRawBufferPointer) -> ModelError {
        guard buffer.location == .start else { return error }
        return unsafe JSONLinesHint.recognizingDocument(
            error, first: line.first, isLast: buffer.count == line.count)
    }
}
