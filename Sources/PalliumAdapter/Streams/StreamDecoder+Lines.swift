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
                } else if buffer.count > settings.limit {
                    lines.isSkipping = true
                    return tooLong()
                }
                return nil
            }
            defer { discardLine(lineEnd) }
            if lines.isSkipping {
                lines.isSkipping = false
                continue
            }
            if end > settings.limit { return tooLong() }
            let (settings, location) = (settings, buffer.location)
            let element = unsafe buffer.withBytes { bytes -> Element? in
                let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
                if unsafe line.allSatisfy(Self.isWhitespace) { return nil }
                return unsafe settings.decode(
                    line, at: location, isLast: bytes.count == line.count, collecting: collecting)
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

    private func tooLong() -> Element {
        Element(refused: settings.tooLong(at: [], buffer.location), at: buffer.location)
    }
}

extension StreamDecoder.Element {
    /// Makes the element for a line that has one problem.
    fileprivate init(refused problem: ModelError, at location: JSONLocation, text: [UInt8]? = nil) {
        self.init(
            report: DecodingReport(models: [], problems: [problem], isArray: false), location: location,
            problem: problem, text: text)
    }
}
