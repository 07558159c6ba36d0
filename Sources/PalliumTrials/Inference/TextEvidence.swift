import PalliumCore
import PalliumDocuments
import PalliumJSON

/// The texts of one place: the kinds that write every text back as it was, and the distinct words among them.
struct TextEvidence: Sendable {
    /// A word and how often it occurred.
    private struct Word: Sendable {
        let text: String
        var count: Int
    }

    /// The largest number of cases of an enumeration.
    static let maximumCases = 16
    /// The smallest number of texts that show an enumeration.
    static let minimumTexts = 20
    /// How often a case must occur on average.
    static let occurrencesOfCase = 4
    /// The largest number of bytes of a case.
    static let maximumCaseBytes = 32

    private(set) var count = 0
    /// One bit for each codec that fits every text so far.
    private var forms = UInt8((1 << TextReading.all.count) - 1)
    /// The distinct words in the order of their first occurrence; nil if the texts are no enumeration.
    private var words: [Word]? = []

    /// Counts a text.
    mutating func record(_ text: String) {
        count += 1
        if forms != 0 {
            for (position, reading) in TextReading.all.enumerated()
            where forms & 1 << position != 0 && !reading.isWrittenBack(text) {
                forms &= ~(1 << position)
            }
        }
        if words != nil { addWord(text, 1) }
    }

    private mutating func addWord(_ text: String, _ occurrences: Int) {
        if let position = words?.firstIndex(where: { UTF8Text.equal($0.text, text) }) {
            words?[position].count += occurrences
        } else if let count = words?.count, count < Self.maximumCases, Self.isWord(text) {
            words?.append(Word(text: text, count: occurrences))
        } else {
            words = nil
        }
    }

    /// Whether a text can name a case: a letter, then letters, digits, `_` and `-`.
    private static func isWord(_ text: String) -> Bool {
        guard text.utf8.count <= maximumCaseBytes, let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy { $0.isWordByte || $0 == UInt8(ascii: "-") }
    }

    /// Adds the texts of another place.
    mutating func join(_ other: TextEvidence) {
        count += other.count
        forms &= other.forms
        guard let others = other.words else {
            words = nil
            return
        }
        for word in others where words != nil { addWord(word.text, word.count) }
    }

    /// Returns the property for the texts.
    ///
    /// - Parameter isSingle: Whether the model of the member was seen once only, so that one text must do.
    func property(isSingle: Bool) -> PropertySchema {
        if count > 1 || isSingle {
            for (position, reading) in TextReading.all.enumerated() where forms & 1 << position != 0 {
                return reading.property
            }
        }
        if let words, words.count > 1, count >= Self.minimumTexts, count >= words.count * Self.occurrencesOfCase,
            words.allSatisfy({ $0.count > 1 })
        {
            return .enumeration(
                EnumerationSchema(cases: words.map { EnumerationSchema.Case(.text($0.text)) }, unknown: .keep))
        }
        return .string
    }
}

/// A way to read a text as a value of another kind. A class, because copying its property for every text is slow.
final class TextReading: Sendable {
    /// The property whose values are spelled so.
    let property: PropertySchema
    /// Whether a text has this spelling by a first, cheap look.
    private let resembles: @Sendable (String.UTF8View) -> Bool
    /// Whether the value of a text is written as the same text.
    private let readsBack: @Sendable (String) -> Bool

    private init(
        _ property: PropertySchema, _ resembles: @escaping @Sendable (String.UTF8View) -> Bool,
        readsBack: @escaping @Sendable (String) -> Bool
    ) {
        self.property = property
        self.resembles = resembles
        self.readsBack = readsBack
    }

    /// Whether the value of a text is written as the same text.
    func isWrittenBack(_ text: String) -> Bool { resembles(text.utf8) && readsBack(text) }

    /// All readings; the first one that fits every text counts. At most eight.
    static let all = [
        ofKind(.date, { isDate($0, count: 20...40) }),
        ofTransformer(LocalISO8601DateTransformerName, .date) { isDate($0, count: 19...40) },
        ofTransformer(DateOnlyTransformerName, .date) { isDate($0, count: 10...10) },
        // Plain URLs are kept as their text.
        ofKind(.url, isAbsoluteURL) { $0.isPlainURL },
        ofKind(.uuid, { $0.count == 36 }),
        ofTransformer(LowercaseUUIDTransformerName, .uuid) { $0.count == 36 },
    ]

    private static func ofKind(
        _ property: PropertySchema, _ resembles: @escaping @Sendable (String.UTF8View) -> Bool,
        isSure: @escaping @Sendable (BorrowedBytes) -> Bool = { _ in false }
    ) -> TextReading {
        let codec = property.kind.traits.text
        return TextReading(property, resembles) { text in
            text.withBorrowedBytes(isSure) || codec?.readsBack(text) ?? false
        }
    }

    private static func ofTransformer(
        _ name: TransformerName, _ property: PropertySchema,
        _ resembles: @escaping @Sendable (String.UTF8View) -> Bool
    ) -> TextReading {
        let transformer = Transformer.predefinedByName[name]
        return TextReading(property.transformer(name), resembles) { text in
            if let codec = transformer?.codec { return codec.readsBack(text) }
            guard let transformer,
                let value = try? transformer.convert(text, context: Transformer.Context()),
                let back = try? transformer.convertBack(value, context: Transformer.Context(direction: .reverse))
            else { return false }
            return (back as? String).map { UTF8Text.equal($0, text) } ?? false
        }
    }

    private static func isDate(_ bytes: String.UTF8View, count: ClosedRange<Int>) -> Bool {
        count.contains(bytes.count) && bytes.first?.isDigit == true
    }

    /// Whether a text begins with a scheme and `://`. Without them every word would be a relative URL.
    private static func isAbsoluteURL(_ bytes: String.UTF8View) -> Bool {
        guard bytes.first?.isLetter == true, let colon = bytes.prefix(32).firstIndex(of: UInt8(ascii: ":")) else {
            return false
        }
        return bytes[colon...].starts(with: "://".utf8)
    }
}
