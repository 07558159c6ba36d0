import Foundation

/// What is known of terminals.
enum Terminal {
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
