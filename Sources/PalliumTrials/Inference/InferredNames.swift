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

    /// Returns a name with its last word in the singular: `labels` gives `label`, `html_categories` gives `html_category`.
    static func singular(_ name: String) -> String {
        guard let word = words(of: name).last, name.utf8.suffix(word.utf8.count).elementsEqual(word.utf8) else {
            return name
        }
        let lower = word.inLowercase
        let singular: String
        if let known = singulars[lower] {
            singular = known
        } else if lower.utf8.count < 3 || unchangedEndings.contains(where: { lower.hasSuffix($0) }) {
            return name
        } else if lower.hasSuffix("ies"), lower.utf8.count > 4 {
            singular = lower.dropLast(3) + "y"
        } else if ["sses", "shes", "ches", "xes", "zzes", "oes"].contains(where: { lower.hasSuffix($0) }) {
            singular = String(lower.dropLast(2))
        } else {
            singular = lower.hasSuffix("s") ? String(lower.dropLast()) : lower
        }
        // The letters stay as they are, as far as the singular has them.
        let common = zip(lower.utf8, singular.utf8).prefix { $0 == $1 }.count
        return String(name.dropLast(word.utf8.count - common) + singular.dropFirst(common))
    }

    /// Endings of words that are no plurals, or the same.
    private static let unchangedEndings = ["series", "species", "news", "us", "is", "ss"]

    /// The singulars that no rule gives, and words that end with `s` already.
    private static let singulars: [String: String] = {
        let known = """
            alias aliases atlas atlases bias biases bonus bonuses bus buses campus campuses canvas canvases census censuses \
            corpus corpuses gas gases lens lenses status statuses virus viruses \
            analysis analyses axis axes basis bases crisis crises diagnosis diagnoses hypothesis hypotheses \
            parenthesis parentheses synopsis synopses thesis theses \
            appendix appendices codex codices index indices matrix matrices vertex vertices vortex vortices \
            cache caches headache headaches niche niches avalanche avalanches quiz quizzes \
            brownie brownies calorie calories cookie cookies genie genies movie movies selfie selfies zombie zombies \
            canoe canoes foe foes shoe shoes toe toes \
            calf calves half halves knife knives leaf leaves life lives loaf loaves shelf shelves self selves thief thieves \
            wife wives wolf wolves child children person people criterion criteria
            """.split(separator: " ").map { String($0) }
        var singulars = ["aws", "dns", "gps", "https", "ios", "mms", "sms", "tls"].map { ($0, $0) }
        for pair in stride(from: 0, to: known.count - 1, by: 2) {
            singulars += [(known[pair], known[pair]), (known[pair + 1], known[pair])]
        }
        return Dictionary(singulars) { first, _ in first }
    }()

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

    /// Whether a name is data: a number, a UUID, a date, a path, or text with a dot or slash inside.
    static func isData(_ name: String) -> Bool {
        let bytes = name.utf8
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        if !digits.isEmpty, digits.allSatisfy(\.isDigit) { return true }
        if bytes.count == 36 || bytes.count == 10, bytes.allSatisfy({ $0.isHexadecimal || $0 == UInt8(ascii: "-") }) {
            return PropertyKind.uuid.traits.text?.readsBack(name.inUppercase) == true
                || PropertyKind.date.traits.text?.readsBack("\(name)T00:00:00Z") == true
        }
        if bytes.first == UInt8(ascii: "/") { return true }
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
        let strategy = ModelSchema.KeyStrategy.snakeCase
        guard let plain = strategy.key(forMember: name) else { return nil }
        // Underscores at the beginning belong to the first word.
        let start = name.prefix { $0 == "_" }
        let words = name.dropFirst(start.count).split(separator: "_", omittingEmptySubsequences: false)
        let rest = words.dropFirst().map { acronym($0) ?? capitalized(String($0)) }
        let key = start + (words.first ?? "") + rest.joined()
        return strategy.memberName(for: String(key)).map { UTF8Text.equal($0, name) } == true ? String(key) : plain
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
