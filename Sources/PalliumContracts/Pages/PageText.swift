import PalliumCore
import PalliumDocuments

/// Escapes text from schemas for the notations of pages.
enum PageText {
    /// Returns the lines of a text, without spaces around them and without empty lines at its ends.
    static func lines(_ text: String) -> [String] {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            var line = line
            while let byte = line.first, byte == 0x20 || byte == 0x09 || byte == 0x0D { line.removeFirst() }
            while let byte = line.last, byte == 0x20 || byte == 0x09 || byte == 0x0D { line.removeLast() }
            return ModelError.visible(String(Substring(line)))
        }
        guard let first = lines.firstIndex(where: { !$0.isEmpty }), let last = lines.lastIndex(where: { !$0.isEmpty })
        else { return [] }
        return Array(lines[first...last])
    }

    /// Escapes text for the content and the attributes of HTML.
    static func html(_ text: String) -> String { replace(in: ModelError.visible(text), htmlEntity) }

    private static func htmlEntity(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }

    /// Escapes one line of Markdown, also for the cells of tables.
    static func markdown(_ text: String) -> String {
        let escaped = replace(in: ModelError.visible(text)) { byte in
            if "<>&".utf8.contains(byte) { return htmlEntity(byte) }
            return "\\`*_[]#|~$!".utf8.contains(byte) ? "\\\(Unicode.Scalar(byte))" : nil
        }
        // At the start of a line, these begin a list or a rule.
        let digits = escaped.utf8.prefix(while: \.isDigit).count
        guard let mark = escaped.utf8.dropFirst(digits).first,
            (digits == 0 ? "-+=" : ".)").utf8.contains(mark)
        else { return escaped }
        return "\(Substring(escaped.utf8.prefix(digits)))\\\(Substring(escaped.utf8.dropFirst(digits)))"
    }

    /// Returns code in Markdown, also for the cells of tables.
    static func markdownCode(_ text: String) -> String {
        let text = ModelError.visible(text)
        let isPlain =
            !text.isEmpty && text.utf8.first != 0x20 && text.utf8.last != 0x20
            && text.utf8.allSatisfy { !"`|\\<>&".utf8.contains($0) }
        if isPlain { return "`\(text)`" }
        let escaped = replace(in: text) { byte in
            if "<>&".utf8.contains(byte) { return htmlEntity(byte) }
            return "\\`*_[]#|~$!".utf8.contains(byte) ? "&#\(byte);" : nil
        }
        return "<code>\(escaped)</code>"
    }

    /// Quotes text for Graphviz.
    static func dot(_ text: String) -> String {
        let escaped = replace(in: ModelError.visible(text)) { byte in
            byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? "\\\(Unicode.Scalar(byte))" : nil
        }
        return "\"\(escaped)\""
    }

    /// Quotes text for Mermaid, whose entities are `#`, a number and a semicolon.
    static func mermaid(_ text: String) -> String {
        let escaped = replace(in: ModelError.visible(text)) { byte in
            byte < 0x80 && !byte.isWordByte && byte != 0x20 && byte != UInt8(ascii: ".") ? "#\(byte);" : nil
        }
        return "\"\(escaped)\""
    }

    /// Returns an identifier for the anchor of a model or a property. Different names have different identifiers.
    static func anchor(_ model: String, _ key: String? = nil) -> String {
        // Dots separate the parts, so names have none. The prefix keeps identifiers of the page apart.
        func part(_ text: String) -> String {
            replace(in: text) { byte in
                byte.isWordByte ? nil : "-" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return "model." + part(model) + (key.map { "." + part($0) } ?? "")
    }

    /// Replaces bytes. Those beyond ASCII are replaced all or not at all, so the result is text.
    private static func replace(in text: String, _ replacement: (UInt8) -> String?) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if let replacement = replacement(byte) { bytes += replacement.utf8 } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
