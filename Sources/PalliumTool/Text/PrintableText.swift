/// Makes text from input, names and arguments safe for one line of a terminal or a log.
package enum PrintableText {
    /// Escapes line ends, other control characters and characters that reverse or hide text, and cuts after `limit`
    /// scalars.
    ///
    /// - Complexity: O(`limit`); it works on scalars, because characters are slow on hostile text.
    package static func escape(_ text: some StringProtocol, limit: Int) -> String {
        var result = String.UnicodeScalarView()
        for (index, scalar) in text.unicodeScalars.enumerated() {
            if index == limit {
                result.append("…")
                break
            }
            switch scalar.value {
            case 0x0A: result += "\\n".unicodeScalars
            case 0x0D: result += "\\r".unicodeScalars
            case 0x09: result += "\\t".unicodeScalars
            case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                result += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
