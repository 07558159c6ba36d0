import PalliumCore
import PalliumJSON

/// Makes Swift names of keys, texts and names of schemas.
///
/// ```
///   key           accessor                  text of a case    case
///   title         title                     open              open
///   default       `default`                 not_planned       notPlanned
///   ID            id                        FIRST_TIMER       firstTimer
///   first-name    firstName                 +1                plus1
///   2fa           _2fa                      none              noneValue
///   description   descriptionValue
///   _             property
/// ```
package enum SwiftName {
    /// Whether a text can be the name of a declaration, in backticks if it is a keyword.
    ///
    /// Swift allows more characters. Letters, digits and marks are enough for words of every language.
    static func isIdentifier(_ text: String) -> Bool {
        var scalars = text.unicodeScalars.makeIterator()
        guard let first = scalars.next(), isHead(first) else { return false }
        while let scalar = scalars.next() {
            if !isHead(scalar), !isTail(scalar) { return false }
        }
        // A lone underscore is a pattern.
        return !UTF8Text.equal(text, "_")
    }

    /// Returns the name as source code, in backticks if it is a keyword.
    static func escaped(_ name: String) -> String { keywords.contains(UTF8Key(name)) ? "`\(name)`" : name }

    /// Returns a name for the class of a schema: its own, if a class can have it, or its words with a capital each.
    ///
    /// Different schemas can have equal names.
    package static func className(for schema: String) -> String {
        func isFree(_ name: String) -> Bool { isIdentifier(name) && !types.contains(UTF8Key(name)) }
        if isFree(schema) { return schema }
        let words = upperCamelCase(schema)
        return isFree(words) ? words : "Model\(words)"
    }

    /// Returns the name of the accessor for a key.
    ///
    /// Different keys can have equal names.
    static func accessor(for key: String) -> String {
        let isCapitalized = key.unicodeScalars.first?.properties.isUppercase ?? false
        let name = isIdentifier(key) && !isCapitalized ? key : lowerCamelCase(key) ?? "property"
        return modelMembers.contains(UTF8Key(name)) ? name + "Value" : name
    }

    /// Returns the name of the case for a text; nil if it has neither letters nor digits.
    ///
    /// Different texts can have equal names.
    static func enumerationCase(for text: String) -> String? {
        guard let name = lowerCamelCase(text, limit: 64) else { return nil }
        return enumerationMembers.contains(UTF8Key(name)) ? name + "Value" : name
    }

    /// Returns the words of a text with a capital each, as in the name of a type.
    package static func upperCamelCase(_ text: String) -> String {
        words(of: text.unicodeScalars).map { String($0.prefix(1)).inUppercase + String($0.dropFirst()) }.joined()
    }

    private static func lowerCamelCase(_ text: String, limit: Int = .max) -> String? {
        var words = words(of: text.unicodeScalars.prefix(limit))
        guard !words.isEmpty else { return nil }
        if !words.contains(where: { $0.contains(where: \.properties.isLowercase) }) {
            words = words.map { String($0).inLowercase.unicodeScalars[...] }
        }
        var name = loweringFirst(words[0])
        for word in words.dropFirst() { name += String(word.prefix(1)).inUppercase + String(word.dropFirst()) }
        return name.unicodeScalars.first.map(isHead) == true ? name : "_" + name
    }

    /// Returns `urlPath` for `URLPath`, `url` for `URL` and `path` for `Path`.
    private static func loweringFirst(_ word: Substring.UnicodeScalarView) -> String {
        let capitals = word.prefix { $0.properties.isUppercase }
        let rest = word.dropFirst(capitals.count)
        let startsNextWord = capitals.count > 1 && rest.first?.properties.isLowercase == true
        let lowered = startsNextWord ? capitals.dropLast() : capitals
        return String(lowered).inLowercase + String(word.dropFirst(lowered.count))
    }

    /// Splits a text at everything that is neither a letter nor a digit.
    ///
    /// A sign before the first digit is a word.
    private static func words(of text: some Collection<Unicode.Scalar>) -> [Substring.UnicodeScalarView] {
        var words: [Substring.UnicodeScalarView] = []
        var text = String.UnicodeScalarView(text)[...]
        if let sign = text.first, let digit = text.dropFirst().first, digits.contains(digit.value) {
            if sign == "-" { words.append("minus".unicodeScalars[...]) }
            if sign == "+" { words.append("plus".unicodeScalars[...]) }
        }
        text = text.drop { !isPart($0) }
        while !text.isEmpty {
            words.append(text.prefix(while: isPart))
            text = text.dropFirst(words[words.count - 1].count).drop { !isPart($0) }
        }
        return words
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "_" && (isHead(scalar) || isTail(scalar))
    }

    private static let digits: ClosedRange<UInt32> = 0x30...0x39

    private static func isHead(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0x5F: true
        case ..<0x80: false
        // Combining marks, although a few of them count as letters.
        case 0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: false
        // The one letter that the compiler does not take for one.
        case 0x2E2F: false
        default: scalar.properties.isAlphabetic
        }
    }

    private static func isTail(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case digits: true
        case ..<0x300: false
        default:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark: true
            default: false
            }
        }
    }
}
