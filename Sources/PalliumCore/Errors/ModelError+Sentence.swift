package import PalliumJSON

extension ModelError: CustomStringConvertible {
    /// One sentence that says what was expected, what was found, and where.
    public var description: String {
        if !content.problems.isEmpty {
            return "\(content.problems.count.counted("problem")):\n"
                + content.problems.map { "  \($0)" }.joined(separator: "\n")
        }
        return sentence(at: location)
    }

    /// The sentence in one line, without line and column.
    package var sentence: String { sentence(at: nil) }

    private func sentence(at location: JSONLocation?) -> String {
        var text = "expected \(expected) but found \(found)"
        if let pointer {
            text += " at \(pointer.tokens.isEmpty ? "the root" : ModelError.shorten(pointer.description, to: 100))"
        }
        if let location { text += " (\(location.line):\(location.column))" }
        if let suggestion { text += "; did you mean \(ModelError.quote(suggestion))?" }
        if let underlying { text += ": \(ModelError.shorten(String(describing: underlying), to: 200))" }
        return text
    }
}

/// Texts from input in sentences.
extension ModelError {
    /// Quotes text from input for an error: at most 64 characters, control characters escaped.
    package static func quote(_ text: String) -> String { "\"\(shorten(text, to: 64))\"" }

    /// Returns text without characters that hide or reverse other text, or that documents may not hold.
    package static func visible(_ text: String) -> String {
        // The limit is one that no text reaches.
        let text = shorten(text, to: .max / 4)
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar) }
        return String(result)
    }

    /// Cuts text, and escapes characters that would disturb a terminal or a log.
    ///
    /// It keeps at most `limit` scalars and twice as many bytes.
    package static func shorten(_ text: String, to limit: Int) -> String {
        var result = ""
        var count = 0
        // Scalars and bytes both bound the length: escapes and other scripts must not make an error several times as
        // long.
        for scalar in text.unicodeScalars {
            if count == limit || result.utf8.count >= limit * 2 {
                result += "…"
                break
            }
            count += 1
            switch scalar.value {
            case 0x0A: result += "\\n"
            case 0x0D: result += "\\r"
            case 0x09: result += "\\t"
            case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension JSONValue {
    /// A short description for errors: the kind of value, and the content of a scalar.
    package var summary: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let number): "the number \(ModelError.shorten(number.text, to: 64))"
        case .string(let text): ModelError.quote(text)
        case .array: "an array"
        case .object: "an object"
        }
    }
}
