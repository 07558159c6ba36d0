import ModelTestSupport
import Pallium

/// Writes documents as people and programs do: in any style, with members that no schema knows, with members that are
/// repeated, and with any spelling of names and texts.
struct SpelledText {
    private var numbers: SeededGenerator
    private var lineBreak = "\n"
    private var indentation = "  "

    init(seed: Int) {
        numbers = SeededGenerator(seed: seed)
        lineBreak = ["\n", "\r\n", "\n\n"][below(3)]
        indentation = ["  ", "\t", " "][below(3)]
    }

    /// A text with the values of a document.
    mutating func text(of document: JSONValue) -> String {
        ["", "\u{FEFF}", " ", "\n"][below(4)] + text(of: document, isDictionary: false, level: 0)
            + ["", "\n", "  ", "\r\n"][below(4)]
    }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &numbers) }

    private mutating func text(of value: JSONValue, isDictionary: Bool, level: Int) -> String {
        switch value {
        case .object(let members):
            var parts: [(name: String, value: JSONValue)] = []
            for member in members {
                // Every one of repeated members is checked.
                if below(12) == 0 { parts.insert((member.key, member.value), at: below(parts.count + 1)) }
                if !isDictionary, below(8) == 0 { parts.append(("x\(below(4))", other())) }
                parts.append((member.key, member.value))
            }
            if !isDictionary, below(4) == 0 { parts.append(("x\(below(4))", other())) }
            let colon = [":", ": ", " : "][below(3)]
            let texts = parts.map { name, value in
                let isDictionary = ["named", "table"].contains(name)
                return quoted(name) + colon + text(of: value, isDictionary: isDictionary, level: level + 1)
            }
            return joined(texts, "{", "}", level)
        case .array(let elements):
            let texts = elements.map { text(of: $0, isDictionary: false, level: level + 1) }
            return joined(texts, "[", "]", level)
        case .string(let text): return quoted(text)
        case .number where below(4) == 0: return value.description + ["e0", ".0", "E+00"][below(3)]
        default: return value.description
        }
    }

    /// A value that no property has to take.
    private mutating func other() -> JSONValue {
        [.null, 1, "x", [], [:], [1, ["y": 2]], ["x": ["y": []]]][below(7)]
    }

    private mutating func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            below(6) > 0
                ? "\(scalar)"
                : "\\u" + String(repeating: "0", count: 4 - hexadecimal(scalar).count) + hexadecimal(scalar)
        }
        return "\"" + escaped.joined() + "\""
    }

    private func hexadecimal(_ scalar: Unicode.Scalar) -> String { String(scalar.value, radix: 16) }

    private mutating func joined(_ parts: [String], _ open: String, _ close: String, _ level: Int) -> String {
        guard !parts.isEmpty else { return open + ["", " ", lineBreak][below(3)] + close }
        switch below(3) {
        case 0: return open + parts.joined(separator: ",") + close
        case 1: return open + " " + parts.joined(separator: ", ") + " " + close
        default:
            let outer = lineBreak + String(repeating: indentation, count: level)
            let inner = outer + indentation
            return open + inner + parts.joined(separator: "," + inner) + outer + close
        }
    }
}
