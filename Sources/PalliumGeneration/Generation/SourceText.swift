import PalliumJSON

/// Builds the lines of a Swift file in the format of swift-format.
struct SourceText {
    /// The longest line.
    static let width = 120

    private(set) var lines: [String] = []

    /// Adds lines with an indentation of so many levels.
    mutating func append(_ more: [String], level: Int = 0) {
        let indentation = String(repeating: "    ", count: level)
        lines += more.map { $0.isEmpty ? "" : indentation + $0 }
    }

    /// The text of the file.
    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Returns groups of lines with an empty line between two, unless both are one line each.
    static func spaced(_ groups: [[String]]) -> [String] {
        var lines: [String] = []
        var previous = 0
        for group in groups where !group.isEmpty {
            if previous > 1 || previous > 0 && group.count > 1 { lines.append("") }
            lines += group
            previous = group.count
        }
        return lines
    }

    /// Whether a line is too long for a level of indentation.
    static func isTooLong(_ line: String, level: Int) -> Bool {
        line.utf8.count > width - 4 * level && line.unicodeScalars.count > width - 4 * level
    }

    /// Puts a comment before lines that are too long because of their names, so that swift-format accepts them.
    static func allowingLongNames(_ lines: [String], level: Int) -> [String] {
        lines.contains { isTooLong($0, level: level) } ? ["// swift-format-ignore"] + lines : lines
    }

    /// Returns a documentation comment; no lines for an empty text.
    ///
    /// Lines are filled with words. Characters that could end a comment, or hide text in an editor, become spaces.
    static func documentation(_ text: String, level: Int) -> [String] {
        var result: [String] = []
        for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            var line = "///"
            for word in words(of: paragraph) {
                if line.utf8.count > 3, isTooLong("\(line) \(word)", level: level) {
                    result.append(line)
                    line = "///"
                }
                line += " \(word)"
            }
            // One empty line is as good as several.
            if line.utf8.count > 3 || result.last.map({ $0.utf8.count > 3 }) == true { result.append(line) }
        }
        if let last = result.last, last.utf8.count == 3 { result.removeLast() }
        return result
    }

    private static func words(of text: Substring) -> [String] {
        text.unicodeScalars.split { $0 == " " || isHidden($0) }.map { String($0) }
    }

    /// Returns a text as a Swift literal.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where isHidden(scalar): result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Whether a character cannot be seen: a control character, or one that reverses or hides others.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }
}
