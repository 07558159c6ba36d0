/// Reads escapes and classes (ECMA 262, section 22.2.1: AtomEscape, CharacterClass, ClassEscape).
extension PatternParser {
    /// A part of a class or an escape: one code point, which may bound a range, or a set of them.
    enum Member {
        case codePoint(UInt32)
        case set(CodePointSet)

        var ranges: [ClosedRange<UInt32>] {
            switch self {
            case .codePoint(let value): [value...value]
            case .set(let set): set.ranges
            }
        }
    }

    /// Reads `[…]` or `[^…]`.
    mutating func characterClass() throws(PatternError) -> CodePointSet {
        let start = index
        index += 1
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !take("]") {
            let first = index
            let member = try classMember(classStart: start)
            guard isBeforeRange else {
                ranges += member.ranges
                continue
            }
            index += 1
            let last = try classMember(classStart: start)
            guard case (.codePoint(let low), .codePoint(let high)) = (member, last) else {
                throw mistake(from: first, expected: "a single character at each end of a range")
            }
            guard low <= high else { throw mistake(from: first, expected: "a range in ascending order") }
            ranges.append(low...high)
        }
        let set = CodePointSet(ranges)
        return isNegated ? set.complement : set
    }

    private mutating func classMember(classStart: Int) throws(PatternError) -> Member {
        if next == "\\" { return try escape(inClass: true) }
        guard let codePoint = takeCodePoint() else {
            throw mistake(expected: "a \"]\" for the \"[\" at \(offset(of: classStart))")
        }
        return .codePoint(codePoint.value)
    }

    /// Reads an escape that stands for one code point or for a set of them.
    mutating func escape(inClass: Bool) throws(PatternError) -> Member {
        let start = index
        index += 1
        guard let letter = takeCodePoint() else { throw mistake(expected: "a character after the backslash") }
        switch letter {
        case "d": return .set(.digits)
        case "D": return .set(CodePointSet.digits.complement)
        case "w": return .set(.wordCharacters)
        case "W": return .set(CodePointSet.wordCharacters.complement)
        case "s": return .set(.whiteSpace)
        case "S": return .set(CodePointSet.whiteSpace.complement)
        case "t": return .codePoint(0x09)
        case "n": return .codePoint(0x0A)
        case "v": return .codePoint(0x0B)
        case "f": return .codePoint(0x0C)
        case "r": return .codePoint(0x0D)
        case "b" where inClass: return .codePoint(0x08)
        case "-" where inClass: return .codePoint(letter.value)
        case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/": return .codePoint(letter.value)
        case "x": return .codePoint(try hexadecimal(2, from: start))
        case "u": return .codePoint(try unicodeEscape(from: start))
        case "c":
            guard let letter = next, letter.isASCII, letter.properties.isAlphabetic else {
                throw mistake(from: start, expected: "a letter after \"\\c\"")
            }
            index += 1
            return .codePoint(letter.value % 32)
        case "0":
            guard let digit = next, "0"..."9" ~= digit else { return .codePoint(0) }
            index += 1
            throw mistake(from: start, expected: "no digit after \"\\0\"")
        case "1"..."9" where !inClass, "k" where !inClass:
            throw mistake(from: start, expected: "a pattern without back references")
        case "p", "P": throw mistake(from: start, expected: "a pattern without Unicode properties")
        default: throw mistake(from: start, expected: "an escape that ECMA 262 defines for the flag u")
        }
    }

    /// Reads the rest of `\uXXXX`, of a surrogate pair, or of `\u{X…}`.
    private mutating func unicodeEscape(from start: Int) throws(PatternError) -> UInt32 {
        var value: UInt32
        if take("{") {
            value = 0
            let first = index
            while let digit = next?.hexadecimalValue {
                value = min(value * 16 + digit, 0x11_0000)
                index += 1
            }
            guard index > first, take("}") else {
                throw mistake(from: start, expected: "hexadecimal digits in braces")
            }
            guard value <= 0x10_FFFF else { throw mistake(from: start, expected: "a code point of at most 10FFFF") }
        } else {
            value = try hexadecimal(4, from: start)
            let end = index
            if 0xD800...0xDBFF ~= value, take("\\u"), next != "{" {
                let second = try hexadecimal(4, from: end)
                if 0xDC00...0xDFFF ~= second { return 0x10000 + (value & 0x3FF) << 10 + second & 0x3FF }
            }
        }
        guard !(0xD800...0xDFFF ~= value) else { throw mistake(from: start, expected: "surrogates in pairs") }
        return value
    }

    private mutating func hexadecimal(_ count: Int, from start: Int) throws(PatternError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = next?.hexadecimalValue else {
                throw mistake(from: start, expected: "\(count) hexadecimal digits after the escape")
            }
            value = value * 16 + digit
            index += 1
        }
        return value
    }
}

extension Unicode.Scalar {
    fileprivate var hexadecimalValue: UInt32? {
        switch self {
        case "0"..."9": value - 0x30
        case "a"..."f": value - 0x61 + 10
        case "A"..."F": value - 0x41 + 10
        default: nil
        }
    }
}
