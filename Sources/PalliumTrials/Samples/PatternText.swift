import PalliumJSON

/// Makes texts that match a regular expression, where a simple construction exists.
///
/// It takes the first alternative, the first member of a class, and each repetition as few times as allowed, once more, or
/// a few times. It knows no look-around, back references or word boundaries and makes no text for them. So the texts are
/// proposals: the rule decides which of them match.
struct PatternText {
    private enum Refusal: Error { case unknownConstruction }

    /// The nesting of groups and the length of texts that are made.
    private static let maximumDepth = 64
    private static let maximumLength = 10_000

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0
    /// How often repetitions that allow it repeat, beyond their minimum.
    private let additions: Int
    /// Which alternative is taken, where there are several.
    private let choice: Int

    private init(_ pattern: String, additions: Int, choice: Int) {
        scalars = Array(pattern.unicodeScalars)
        self.additions = additions
        self.choice = choice
    }

    /// Returns some texts, the shortest first; none where the construction is not known.
    static func texts(matching pattern: String) -> [String] {
        var texts: [String] = []
        for (additions, choice) in [(0, 0), (1, 0), (0, 1), (1, 1), (4, 0), (0, 2), (15, 0), (63, 0)] {
            var maker = PatternText(pattern, additions: additions, choice: choice)
            guard let text = try? maker.alternatives(), maker.position == maker.scalars.count,
                !texts.contains(where: { UTF8Text.equal($0, text) })
            else { continue }
            texts.append(text)
        }
        return texts
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    /// Recursion is bounded by `maximumDepth`.
    private mutating func alternatives() throws(Refusal) -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw .unknownConstruction }
        var texts = [try sequence()]
        while take("|") { texts.append(try sequence()) }
        return texts[choice % texts.count]
    }

    private mutating func sequence() throws(Refusal) -> String {
        var text = ""
        while let scalar = next, scalar != "|", scalar != ")" {
            let piece = try atom()
            let count = try repetitions()
            guard piece.utf8.count * count <= Self.maximumLength else { throw .unknownConstruction }
            for _ in 0..<count { text += piece }
            guard text.utf8.count <= Self.maximumLength else { throw .unknownConstruction }
        }
        return text
    }

    private mutating func atom() throws(Refusal) -> String {
        guard let scalar = next else { return "" }
        position += 1
        switch scalar {
        case "^", "$": return ""
        case ".": return "a"
        case "(":
            if take("?") {
                // Only groups without a meaning of their own: (?:…) and (?<name>…).
                if take("<") {
                    guard let first = next, first != "=", first != "!" else { throw .unknownConstruction }
                    while next != nil, next != ">" { position += 1 }
                    guard take(">") else { throw .unknownConstruction }
                } else if !take(":") {
                    throw .unknownConstruction
                }
            }
            let text = try alternatives()
            guard take(")") else { throw .unknownConstruction }
            return text
        case "[": return try characterClass()
        case "\\": return String(try escape())
        case "*", "+", "?", "{", "]", "}": throw .unknownConstruction
        default: return String(Character(scalar))
        }
    }

    private mutating func escape() throws(Refusal) -> String {
        guard let scalar = next else { throw .unknownConstruction }
        position += 1
        switch scalar {
        case "d": return "5"
        case "w": return "w"
        case "s": return " "
        case "D", "S": return "x"
        case "W": return "-"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "f": return "\u{C}"
        case "v": return "\u{B}"
        case "0": return "\u{0}"
        case "x": return try codePoint(digits: 2)
        case "u":
            if take("{") {
                var digits = ""
                while let scalar = next, scalar != "}" {
                    digits.unicodeScalars.append(scalar)
                    position += 1
                }
                guard take("}"), let value = UInt32(digits, radix: 16), let made = Unicode.Scalar(value) else {
                    throw .unknownConstruction
                }
                return String(Character(made))
            }
            return try codePoint(digits: 4)
        case let scalar where scalar.properties.isAlphabetic || ("1"..."9").contains(scalar):
            throw .unknownConstruction
        default: return String(Character(scalar))
        }
    }

    private mutating func codePoint(digits: Int) throws(Refusal) -> String {
        guard position + digits <= scalars.count else { throw .unknownConstruction }
        var text = ""
        for scalar in scalars[position..<position + digits] { text.unicodeScalars.append(scalar) }
        position += digits
        guard let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value) else {
            throw .unknownConstruction
        }
        return String(Character(scalar))
    }

    /// Returns the first member of a class, or the first common character that an inverted class leaves.
    private mutating func characterClass() throws(Refusal) -> String {
        let isInverted = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while let scalar = next, scalar != "]" {
            if scalar == "\\" {
                position += 1
                // Classes within a class have many members.
                switch next {
                case "d": ranges.append(0x35...0x35)
                case "w": ranges.append(0x77...0x77)
                case "s": ranges.append(0x20...0x20)
                case "D", "W", "S", nil: throw .unknownConstruction
                default:
                    let made = try escape().unicodeScalars
                    ranges.append(made.first!.value...made.first!.value)  // An escape makes one scalar.
                    try extendRange(&ranges)
                    continue
                }
                position += 1
                if isInverted { throw .unknownConstruction }
            } else {
                position += 1
                ranges.append(scalar.value...scalar.value)
                try extendRange(&ranges)
            }
        }
        guard take("]"), !ranges.isEmpty else { throw .unknownConstruction }
        if isInverted {
            let free = "a-0 ~Z漢".unicodeScalars.first { scalar in !ranges.contains { $0.contains(scalar.value) } }
            guard let free else { throw .unknownConstruction }
            return String(Character(free))
        }
        let range = ranges[choice % ranges.count]
        guard let scalar = Unicode.Scalar(range.lowerBound) else { throw .unknownConstruction }
        return String(Character(scalar))
    }

    /// Makes the last member of a class a range if a hyphen follows.
    private mutating func extendRange(_ ranges: inout [ClosedRange<UInt32>]) throws(Refusal) {
        guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]", let start = ranges.last else {
            return
        }
        position += 1
        let end: UInt32
        if take("\\") {
            end = try escape().unicodeScalars.first?.value ?? 0
        } else {
            end = scalars[position].value
            position += 1
        }
        guard start.lowerBound <= end else { throw .unknownConstruction }
        ranges[ranges.count - 1] = start.lowerBound...end
    }

    private mutating func repetitions() throws(Refusal) -> Int {
        var (least, most) = (1, 1)
        if take("*") {
            (least, most) = (0, .max)
        } else if take("+") {
            (least, most) = (1, .max)
        } else if take("?") {
            (least, most) = (0, 1)
        } else if take("{") {
            least = try number()
            most = least
            if take(",") { most = next == "}" ? .max : try number() }
            guard take("}") else { throw .unknownConstruction }
        } else {
            return 1
        }
        // A lazy repetition matches the same texts.
        _ = take("?")
        guard least <= Self.maximumLength else { throw .unknownConstruction }
        return min(most, least + additions)
    }

    private mutating func number() throws(Refusal) -> Int {
        var digits = ""
        while let scalar = next, ("0"..."9").contains(scalar), digits.utf8.count < 9 {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        guard let number = Int(digits) else { throw .unknownConstruction }
        return number
    }
}
