import Foundation
import PalliumCore
import PalliumJSON

/// Decodes the lines of a stream. Each line is a document of its own, so a malformed line does not affect
/// the next.
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
            let lineEnd = buffer.withBytes { $0.offset(of: UInt8(ascii: "\n"), from: searched) }
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
            let element = buffer.withBytes { bytes -> Element? in
                let line = bytes.part(0..<end)
                if line.allSatisfy(Self.isWhitespace) { return nil }
                return settings.decode(
                    line, at: location, isLast: bytes.count == line.count, collecting: collecting)
            }
            if let element { return element }
        }
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
