import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Makes names of schemas and keys from names of members.
enum InferredNames {
    /// Returns the name of a schema for a member: words that begin with capitals.
    ///
    /// - Parameter isElement: Whether the member holds many; then the last word becomes singular.
    static func schemaName(of member: String, isElement: Bool) -> String {
        let words = words(of: isElement ? singular(member) : member)
        let name = words.map(capitalized).joined()
        return name.utf8.first?.isLetter == true ? name : "Model\(name)"
    }

    /// Returns a word that names one of many: `labels` gives `label`, `categories` gives `category`.
    static func singular(_ name: String) -> String {
        let lower = name.inLowercase
        let isAlike = ["series", "species", "news", "status", "us", "is", "ss"].contains { lower.hasSuffix($0) }
        if isAlike || !lower.hasSuffix("s") || name.utf8.count < 3 { return name }
        if lower.hasSuffix("ies"), name.utf8.count > 4 { return String(name.dropLast(3)) + "y" }
        if ["sses", "shes", "ches", "xes", "zzes"].contains(where: { lower.hasSuffix($0) }) {
            return String(name.dropLast(2))
        }
        if lower.hasSuffix("statuses") { return String(name.dropLast(2)) }
        return String(name.dropLast())
    }

    /// Whether the name of a member says that it holds a moment.
    static func isTime(_ name: String) -> Bool {
        let last = words(of: name).last?.inLowercase
        return last == "at" && words(of: name).count > 1 || last == "time" || last == "date" || last == "timestamp"
    }

    /// Whether the name of a member says that it holds an amount of money.
    static func isMoney(_ name: String) -> Bool {
        let last = words(of: singular(name)).last?.inLowercase
        return ["amount", "balance", "cost", "fee", "price", "subtotal", "total"].contains(last)
    }

    /// Whether a name is data: a number, a UUID, a date, or text with a dot or slash inside.
    static func isData(_ name: String) -> Bool {
        let bytes = name.utf8
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        if !digits.isEmpty, digits.allSatisfy(\.isDigit) { return true }
        if bytes.count == 36 || bytes.count == 10, bytes.allSatisfy({ $0.isHexadecimal || $0 == UInt8(ascii: "-") }) {
            return PropertyKind.uuid.traits.text?.readsBack(name.inUppercase) == true
                || PropertyKind.date.traits.text?.readsBack("\(name)T00:00:00Z") == true
        }
        return bytes.dropFirst().dropLast().contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }
    }

    /// Whether a name can be written in code: letters, digits and underscores.
    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII ? UInt8(ascii: scalar).isWordByte : scalar.properties.isAlphabetic
        }
    }

    /// Returns the key of a member whose name has underscores: `html_url` gives `htmlURL`.
    ///
    /// Nil if the key strategy `snakeCase` would not make the same name of it.
    static func camelCase(_ name: String) -> String? {
        // Underscores at the beginning belong to the first word.
        let start = name.prefix { $0 == "_" }
        let words = name.dropFirst(start.count).split(separator: "_", omittingEmptySubsequences: false)
        let first = start + (words.first ?? "")
        let candidates = [
            first + words.dropFirst().map { acronym($0) ?? capitalized(String($0)) }.joined(),
            first + words.dropFirst().map { capitalized(String($0)) }.joined(),
        ]
        return candidates.map { String($0) }.first { key in
            ModelSchema.KeyStrategy.snakeCase.memberName(for: key).map { UTF8Text.equal($0, name) } ?? false
        }
    }

    /// Returns a key for a name that is no identifier: `first name` gives `firstName`, `+1` gives `plus1`.
    static func key(of name: String) -> String {
        var words = words(of: name)
        if name.hasPrefix("+") { words.insert("plus", at: 0) }
        if name.hasPrefix("-") { words.insert("minus", at: 0) }
        if words.first?.utf8.first?.isLetter != true { words.insert("member", at: 0) }
        let first = words[0]
        let isCapital = first.utf8.allSatisfy { !$0.isSmallLetter }
        let head = isCapital ? first.inLowercase : first.prefix(1).inLowercase + first.dropFirst()
        return head + words.dropFirst().map(capitalized).joined()
    }

    private static func acronym(_ word: Substring) -> String? {
        switch word {
        case "id", "url", "uuid", "html", "json", "ip", "api": word.inUppercase
        case "ids", "urls": word.dropLast().inUppercase + "s"
        default: nil
        }
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).inUppercase + word.dropFirst() }

    /// Returns the parts of a name that are ASCII letters and digits, also divided where a capital follows a small letter.
    private static func words(of name: String) -> [String] {
        var words: [[UInt8]] = [[]]
        for byte in name.utf8 {
            let last = words[words.count - 1].last
            if !byte.isLetter && !byte.isDigit {
                words.append([])
            } else if byte.isLetter, !byte.isSmallLetter, last?.isSmallLetter == true {
                words.append([byte])
            } else {
                words[words.count - 1].append(byte)
            }
        }
        return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension UInt8 {
    fileprivate var isSmallLetter: Bool { self &- 97 < 26 }
    fileprivate var isHexadecimal: Bool { isDigit || (self | 0x20) &- 97 < 6 }
}
