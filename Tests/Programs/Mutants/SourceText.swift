/// A Swift source cut into tokens: as much of the grammar as finding places for mutations needs.
struct SourceText {
    /// What kind of token it is. Strings are one token with all that is interpolated; comments are none.
    enum Kind { case word, number, string, binaryOperator, prefixOperator, otherOperator, punctuation }

    struct Token {
        let kind: Kind
        let range: Range<Int>
        let text: String
        let line: Int
        let startsLine: Bool
        /// In an attribute, between `#if` and `#endif`, in what is unavailable: what does not run cannot be killed.
        var isExcluded = false
    }

    let path: String
    let bytes: [UInt8]
    private(set) var tokens: [Token] = []
    /// For each bracket the number of the other one.
    private(set) var partner: [Int: Int] = [:]

    init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        cut()
        match()
        exclude()
    }

    /// The text of the tokens in a range and of all between them.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[offsets(range)], as: UTF8.self) }

    /// From the start of the first to the end of the last token.
    func offsets(_ range: Range<Int>) -> Range<Int> {
        tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
    }

    /// The next token number, past the partner of an opening bracket.
    func next(_ index: Int) -> Int {
        if let other = partner[index], other > index { return other + 1 }
        return index + 1
    }

    private mutating func cut() {
        var position = 0
        var line = 1
        var startsLine = true
        while position < bytes.count {
            let start = position
            let byte = bytes[position]
            let kind: Kind
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                startsLine = true
                position += 1
                continue
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                position += 1
                continue
            case UInt8(ascii: "/") where has("//", at: position):
                while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
                continue
            case UInt8(ascii: "/") where has("/*", at: position):
                while position < bytes.count, !has("*/", at: position) {
                    if bytes[position] == UInt8(ascii: "\n") { line += 1 }
                    position += 1
                }
                position = min(position + 2, bytes.count)
                continue
            case _ where endOfHashes(position).map { bytes[$0] } == UInt8(ascii: "\""):
                position = endOfString(position)
                kind = .string
            case _ where isDigit(byte):
                position = endOfNumber(position)
                kind = .number
            case _ where isWord(byte), UInt8(ascii: "`"), UInt8(ascii: "$"):
                position += 1
                while position < bytes.count, isWord(bytes[position]) || bytes[position] == UInt8(ascii: "`") {
                    position += 1
                }
                kind = .word
            case _ where isOperator(byte) || has("..", at: position):
                let mayHaveDots = byte == UInt8(ascii: ".")
                while position < bytes.count,
                    isOperator(bytes[position]) || mayHaveDots && bytes[position] == UInt8(ascii: ".")
                {
                    position += 1
                }
                let before = start > 0 ? bytes[start - 1] : UInt8(ascii: " ")
                let after = position < bytes.count ? bytes[position] : UInt8(ascii: " ")
                let isRange = mayHaveDots
                switch (isSpace(before), isSpace(after)) {
                case (true, true): kind = .binaryOperator
                case (true, false) where !isRange: kind = .prefixOperator
                case (false, false) where isRange && isOperand(before) && isOperand(after): kind = .binaryOperator
                case (false, false) where "([{".utf8.contains(before): kind = .prefixOperator
                default: kind = .otherOperator
                }
            default:
                position += 1
                kind = .punctuation
            }
            tokens.append(
                Token(
                    kind: kind, range: start..<position, text: String(decoding: bytes[start..<position], as: UTF8.self),
                    line: line, startsLine: startsLine))
            startsLine = false
            line += bytes[start..<position].count { $0 == UInt8(ascii: "\n") }
        }
    }

    private func has(_ text: StaticString, at position: Int) -> Bool {
        bytes[position...].starts(with: text.description.utf8)
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }
    private func isOperator(_ byte: UInt8) -> Bool { "/=-+!*%<>&|^~?".utf8.contains(byte) }

    private func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20)
    }

    private func isOperand(_ byte: UInt8) -> Bool { isWord(byte) || "()[]\"-".utf8.contains(byte) }

    private func endOfHashes(_ start: Int) -> Int? { bytes[start...].firstIndex { $0 != UInt8(ascii: "#") } }

    private func endOfString(_ start: Int) -> Int {
        let hashes = (endOfHashes(start) ?? start) - start
        let isLong = has("\"\"\"", at: start + hashes)
        let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: isLong ? 3 : 1)
        let hashed = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        var position = start + hashes + quotes.count
        while position < bytes.count {
            if bytes[position...].starts(with: quotes + hashed) { return position + quotes.count + hashes }
            if bytes[position...].starts(with: [UInt8(ascii: "\\")] + hashed) {
                position += 1 + hashes
                if position < bytes.count, bytes[position] == UInt8(ascii: "(") {
                    position = endOfInterpolation(position)
                    continue
                }
            }
            position += 1
        }
        return bytes.count
    }

    private func endOfInterpolation(_ start: Int) -> Int {
        var depth = 0
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = endOfString(position)
                continue
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return position + 1 }
            default: break
            }
            position += 1
        }
        return bytes.count
    }

    private func endOfNumber(_ start: Int) -> Int {
        var position = start
        while position < bytes.count {
            let isPoint =
                bytes[position] == UInt8(ascii: ".") && position + 1 < bytes.count && isDigit(bytes[position + 1])
                // `pair.0.1` is no fraction.
                && !(start > 0 && bytes[start - 1] == UInt8(ascii: "."))
            let isSign =
                "+-".utf8.contains(bytes[position]) && bytes[position - 1] | 0x20 == UInt8(ascii: "e")
                && !(start + 1 < bytes.count && bytes[start + 1] | 0x20 == UInt8(ascii: "x"))
            guard isWord(bytes[position]) || isPoint || isSign else { break }
            position += 1
        }
        return position
    }

    private mutating func match() {
        var open: [Int] = []
        for (index, token) in tokens.enumerated() where token.kind == .punctuation {
            switch token.text {
            case "(", "[", "{": open.append(index)
            case ")", "]", "}":
                guard let other = open.popLast() else { continue }
                partner[other] = index
                partner[index] = other
            default: continue
            }
        }
    }

    private mutating func exclude() {
        var depth = 0
        for index in tokens.indices {
            let text = tokens[index].text
            if text == "#", index + 1 < tokens.count {
                let directive = tokens[index + 1].text
                if directive == "if" { depth += 1 }
                if directive == "endif" { depth -= 1 }
                tokens[index + 1].isExcluded = true
            }
            if depth > 0 { tokens[index].isExcluded = true }
            if text == "@", index + 2 < tokens.count {
                // An argument list belongs to the attribute when nothing stands between.
                let isList =
                    tokens[index + 2].text == "("
                    && tokens[index + 1].range.upperBound == tokens[index + 2].range.lowerBound
                let end = isList ? partner[index + 2] ?? index + 2 : index + 1
                for excluded in index...end { tokens[excluded].isExcluded = true }
                if tokens[index...end].contains(where: { $0.text == "unavailable" }) { excludeBody(after: end) }
            }
        }
    }

    /// What nobody can call is not mutated.
    private mutating func excludeBody(after attribute: Int) {
        var position = attribute + 1
        while position < tokens.count, !["@", "{", "}"].contains(tokens[position].text) { position = next(position) }
        guard position < tokens.count, tokens[position].text == "{", let end = partner[position] else { return }
        for excluded in position...end { tokens[excluded].isExcluded = true }
    }
}
