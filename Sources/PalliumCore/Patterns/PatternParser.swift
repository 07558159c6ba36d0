import PalliumJSON

/// Reads a pattern into its syntax tree (ECMA 262, section 22.2.1, with the flag u).
///
/// It refuses what the grammar refuses, and what cannot be matched in linear time. Escapes and classes are in another
/// file.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    /// The position of the next code point.
    var index = 0
    private var groups = 0
    private var groupNames: Set<[Unicode.Scalar]> = []

    /// Returns the tree of a pattern.
    static func parse(_ text: String) throws(PatternError) -> PatternSyntax {
        guard text.utf8.count <= PatternLimit.bytes.count else {
            throw PatternError(
                offset: PatternLimit.bytes.count, expected: PatternLimit.bytes.expected,
                found: "\(text.utf8.count.counted("byte"))")
        }
        var parser = PatternParser(scalars: Array(text.unicodeScalars))
        let syntax = try parser.disjunction()
        // Nothing else ends the outermost disjunction before the end.
        guard parser.next == nil else { throw parser.mistake(expected: "a \"(\" for each \")\"") }
        return syntax
    }

    private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private mutating func disjunction() throws(PatternError) -> PatternSyntax {
        var alternatives = [try alternative()]
        while take("|") { alternatives.append(try alternative()) }
        return .choosing(alternatives)
    }

    private mutating func alternative() throws(PatternError) -> PatternSyntax {
        var parts: [PatternSyntax] = []
        while let next, next != "|", next != ")" {
            if let assertion = takeAssertion() {
                // The grammar has no quantifier here: one that follows finds nothing to repeat.
                parts.append(.assertion(assertion))
            } else {
                let atom = try atom()
                if let (minimum, maximum) = try quantifier() {
                    parts.append(atom.repeated(minimum, maximum))
                } else {
                    parts.append(atom)
                }
            }
        }
        return .joining(parts)
    }

    private mutating func takeAssertion() -> PatternAssertion? {
        if take("^") { return .start }
        if take("$") { return .end }
        if take("\\b") { return .wordBoundary }
        if take("\\B") { return .noWordBoundary }
        return nil
    }

    private mutating func atom() throws(PatternError) -> PatternSyntax {
        let start = index
        switch next {
        case ".":
            index += 1
            return .codePoint(CodePointSet.lineTerminators.complement)
        case "(": return try group()
        case "[": return .codePoint(try characterClass())
        case "\\": return .codePoint(CodePointSet(try escape(inClass: false).ranges))
        case "*", "+", "?", "{":
            _ = try quantifier()
            throw mistake(from: start, expected: "something to repeat before the quantifier")
        case "]": throw mistake(expected: "a \"[\" for each \"]\", or \"\\]\" for the character")
        case "}": throw mistake(expected: "a \"{\" for each \"}\", or \"\\}\" for the character")
        default:
            guard let codePoint = takeCodePoint() else { throw mistake(expected: "a code point") }
            return .codePoint(CodePointSet(codePoint.value))
        }
    }

    /// Reads a quantifier, if one is next.
    private mutating func quantifier() throws(PatternError) -> (minimum: Int, maximum: Int?)? {
        let start = index
        let counts: (minimum: Int, maximum: Int?)
        if take("*") {
            counts = (0, nil)
        } else if take("+") {
            counts = (1, nil)
        } else if take("?") {
            counts = (0, 1)
        } else if take("{") {
            let minimum = count()
            let hasMaximum = take(",")
            let maximum = hasMaximum ? count() : minimum
            guard let minimum, take("}") else {
                index = start
                throw mistake(expected: "counts in braces, or \"\\{\" for the character")
            }
            guard minimum <= maximum ?? .max else {
                throw mistake(from: start, expected: "counts in ascending order")
            }
            guard max(minimum, maximum ?? 0) <= PatternLimit.repetitions.count else {
                throw mistake(from: start, expected: PatternLimit.repetitions.expected)
            }
            counts = (minimum, maximum)
        } else {
            return nil
        }
        _ = take("?")
        return counts
    }

    /// Reads a decimal number, if one is next. All that are too large for a count may be the same.
    private mutating func count() -> Int? {
        var value: Int?
        while let digit = next?.value, 0x30...0x39 ~= digit {
            value = min((value ?? 0) * 10 + Int(digit - 0x30), 1_000_000_000)
            index += 1
        }
        return value
    }

    private mutating func group() throws(PatternError) -> PatternSyntax {
        let start = index
        index += 1
        guard groups < PatternLimit.groups.count else {
            throw mistake(from: start, expected: PatternLimit.groups.expected)
        }
        if take("?"), !take(":") {
            if take("=") || take("!") { throw mistake(from: start, expected: "a pattern without lookahead") }
            if take("<=") || take("<!") { throw mistake(from: start, expected: "a pattern without lookbehind") }
            if take("<") {
                try groupName()
            } else {
                let isFlag = next.map { "ims-".unicodeScalars.contains($0) } ?? false
                if next != nil { index += 1 }
                throw mistake(
                    from: start, expected: isFlag ? "a pattern without flags" : "\"(?:\" or \"(?<name>\" for a group")
            }
        }
        groups += 1
        let syntax = try disjunction()
        groups -= 1
        // Nothing but a parenthesis and the end of the pattern ends a disjunction.
        guard take(")") else { throw mistake(expected: "a \")\" for the \"(\" at \(offset(of: start))") }
        return syntax
    }

    /// Reads the rest of `<name>` (ECMA 262, section 12.7, IdentifierName). Escapes in names are refused.
    private mutating func groupName() throws(PatternError) {
        let start = index
        while let next, next.properties.isIDContinue || next == "$" || next == "\u{200C}" || next == "\u{200D}" {
            index += 1
        }
        let name = scalars[start..<index]
        guard let first = name.first, first.properties.isIDStart || first == "$" || first == "_", take(">") else {
            throw mistake(from: start, expected: "the name of a group and \">\"")
        }
        guard groupNames.insert(Array(name)).inserted else {
            throw mistake(from: start, expected: "a different name for each group")
        }
    }
}

// The text of the pattern, for all parts of the parser.
extension PatternParser {
    /// The next code point; nil at the end.
    var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    /// Whether a hyphen is next that stands between the ends of a range.
    var isBeforeRange: Bool {
        index + 1 < scalars.count && scalars[index] == "-" && scalars[index + 1] != "]"
    }

    /// Skips text if it is next.
    mutating func take(_ text: String) -> Bool {
        guard scalars[index...].starts(with: text.unicodeScalars) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    /// Reads any code point; nil at the end.
    mutating func takeCodePoint() -> Unicode.Scalar? {
        guard let next else { return nil }
        index += 1
        return next
    }

    /// Returns the position in bytes. Only errors need it, so that it may take linear time.
    func offset(of index: Int) -> Int { scalars[..<index].reduce(0) { $0 + UTF8.width($1) } }

    /// Returns an error about the next code point, or about the text from an index to the next code point.
    func mistake(from start: Int? = nil, expected: String) -> PatternError {
        let start = start ?? index
        let end = min(max(index, start + 1), scalars.count)
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars[start..<end])
        return PatternError(
            offset: offset(of: start), expected: expected,
            found: start < end ? ModelError.quote(text) : "the end of the pattern")
    }
}
