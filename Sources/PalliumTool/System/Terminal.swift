import Foundation
import PalliumCore

/// What is known of terminals.
package enum Terminal {
    /// Goes to the first column and erases the line (ECMA-48 EL).
    static let lineEraser = "\r\u{1B}[K"

    /// Whether the terminal of the process erases lines: those without a name, and those called dumb, do not.
    static var erasesLines: Bool {
        guard let name = ProcessInfo.processInfo.environment["TERM"] else { return false }
        return !name.utf8.isEmpty && !name.utf8.elementsEqual("dumb".utf8)
    }

    /// The number of characters that fit into a line.
    static func columns(of descriptor: Descriptor) -> Int {
        var size = winsize()
        // The system fills the structure, or leaves zero in it.
        let isKnown = ioctl(descriptor.number, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    /// A line with escapes in place of the characters that a terminal would obey.
    ///
    /// - Parameter isJSON: Whether the escapes are those of texts in JSON.
    package static func visible(_ line: String, isJSON: Bool = false) -> String {
        // Most lines have none.
        if line.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return line }
        let text = ModelError.shorten(line, to: .max / 2)
        // JSON has no control characters outside of texts, nor has any that are left more than four digits.
        guard isJSON, !text.utf8.elementsEqual(line.utf8) else { return text }
        return line.unicodeScalars.map { scalar in
            let hidden = ModelError.shorten(String(scalar), to: 1).utf8.count > String(scalar).utf8.count
            return hidden ? "\\u" + String(0x10000 + scalar.value, radix: 16).dropFirst() : String(scalar)
        }.joined()
    }

    /// Cuts a text in its middle, so that it fits into a line with room for the cursor: a line that is broken in two cannot
    /// be erased.
    static func cut(_ text: String, columns: Int) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count >= columns else { return text }
        // The end has the figures.
        let end = scalars.suffix(max(0, min(56, columns * 3 / 4)))
        let start = scalars.prefix(max(0, columns - 2 - end.count))
        return "\(String(String.UnicodeScalarView(start)))…\(String(String.UnicodeScalarView(end)))"
    }
}
