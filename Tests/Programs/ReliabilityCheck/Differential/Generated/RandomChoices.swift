import RunSupport

/// Choices of the generators.
extension SeededGenerator {
    /// A seed of its own for each pair of numbers.
    static func of(_ seed: UInt64, _ stream: UInt64, _ number: Int) -> SeededGenerator {
        var bits = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ stream)
        let first = bits.next()
        return SeededGenerator(seed: first &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
    }
}

/// Names of properties and members, with every byte that JSON text may hold.
enum GeneratedNames {
    private static let awkward = [
        "a\\b", "a\"b", "a\u{8}", "\u{0}", "\n", "", "é", "e\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}", "a.b", "a[0]",
        "/", "~", "~1", "\u{1F600}", "\u{7F}", "\u{2028}", "\\u0061", "$type", "@id", "\\", "\"", "htmlURL", "isUTF8",
        "MD5", "userIDs", "htmlURL2", "x_y", "ÄÖ", "a b", "0", "\u{FEFF}", "name\t", "true", "null",
    ]

    /// A name; most are plain, so that documents meet them often.
    static func next(_ bits: inout SeededGenerator) -> String {
        switch bits.below(10) {
        case 0...5:
            return bits.pick([
                "a", "b", "c", "d", "id", "name", "createdAt", "userID", "x", "kind", "longerNameOfAMember",
            ])
        case 6...8: return bits.pick(awkward)
        default:
            var text = ""
            for _ in 0..<1 + bits.below(5) {
                let scalar = Unicode.Scalar(UInt32(bits.once(in: 3) ? bits.below(0x2FF) : bits.below(0x80)))
                if let scalar { text.unicodeScalars.append(scalar) }
            }
            return text
        }
    }

    /// A key path of member names; each name is escaped.
    static func path(_ names: [String]) -> String { names.map(escaped).joined(separator: ".") }

    /// A name as a step of a key path.
    static func escaped(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            if scalar == "." || scalar == "[" || scalar == "]" || scalar == "\\" { text.unicodeScalars.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}
