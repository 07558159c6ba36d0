import PalliumCore
import PalliumJSON

/// Texts for rules: of certain lengths, by formats and patterns, with characters that need care.
///
/// The lists may contain texts that a rule refuses; a trial decides which are used.
enum SampleTexts {
    /// The longest text that is made for a rule about lengths.
    private static let maximumLength = 10_000
    private static let maximumRequiredLength = 1_000_000
    /// The longest texts of which a property has several.
    private static let maximumLengthOfShortText = 100

    /// The length of a long text; nil for other values.
    static func lengthOfLong(_ value: JSONValue) -> Int? {
        guard let count = value.stringValue?.unicodeScalars.count, count > maximumLengthOfShortText else { return nil }
        return count
    }

    /// Says that no text of a sample is as long as a rule demands; nil if one can be.
    static func limit(of rule: PropertySchema.Rule) -> String? {
        switch rule {
        case .minLength(let count) where count >= maximumRequiredLength:
            "\(rule) is wanted, and texts of samples have at most "
                + (maximumRequiredLength - 1).counted("character")
        default: nil
        }
    }

    /// Texts without a rule: plain, empty, beyond ASCII, with escapes, and with a combining mark.
    static let plain = ["text", "", "Ünïcödé 漢字 👍🏽", "\"\\/\n\t\r\u{8}\u{0}\u{1F}\u{7F}\u{2028}", "e\u{301}", "3"]

    /// Returns texts for a property, typical ones first.
    static func candidates(rules: [PropertySchema.Rule]) -> [JSONValue] {
        var texts: [String] = []
        var lengths: [Int] = []
        for rule in rules {
            switch rule {
            case .format(let name): texts += formats[name] ?? formats.values.joined().sorted(by: UTF8Text.precedes)
            case .pattern(let pattern): texts += PatternText.texts(matching: pattern)
            case .minLength(let count) where count < maximumRequiredLength: lengths += [count, count + 1]
            case .maxLength(let count) where count <= maximumLength:
                lengths += count > maximumLengthOfShortText ? [count] : [count, count - 1]
            default: break
            }
        }
        for length in lengths where length >= 0 {
            texts += [text(of: length, asciiLetters), text(of: length, mixedScalars)]
            // A pattern for all characters is often one for letters, digits and hyphens.
            texts.append(text(of: length, "0"))
        }
        return (texts + plain).map { .string($0) }
    }

    private static let asciiLetters: String.UnicodeScalarView = "abcdefghijklmnopqrstuvwxyz".unicodeScalars
    private static let mixedScalars: String.UnicodeScalarView = "Ä漢\"👍\\é\n".unicodeScalars

    private static func text(of length: Int, _ scalars: String.UnicodeScalarView) -> String {
        var text = String.UnicodeScalarView()
        let cycle = Array(scalars)
        for index in 0..<length { text.append(cycle[index % cycle.count]) }
        return String(text)
    }

    private static func text(of length: Int, _ scalar: String) -> String { text(of: length, scalar.unicodeScalars) }

    /// Texts of the predefined formats.
    static let formats: [String: [String]] = [
        "email": ["ada@example.org", "first.last+tag@sub.example.org"],
        "hostname": ["example.org", "a", "xn--bcher-kva.example"],
        "ipv4": ["192.0.2.1", "0.0.0.0", "255.255.255.255"],
        "ipv6": ["2001:db8::1", "::", "1:2:3:4:5:6:7:8"],
        "uri": ["https://example.org/a?b=c#d", "mailto:ada@example.org", "urn:isbn:0451450523"],
        "uuid": ["4a275fbd-8217-4397-964b-403f4c2b8545", "4A275FBD-8217-4397-964B-403F4C2B8545"],
        "date": ["2026-01-31", "2024-02-29", "0001-01-01"],
        "date-time": ["2026-01-31T12:00:00Z", "2024-02-29T23:59:59.125+01:00"],
        "time": ["12:00:00Z", "23:59:59.125+01:00"],
    ]

    /// Texts that rules are likely to refuse: too short, too long, of no format.
    static func refusable(rules: [PropertySchema.Rule]) -> [JSONValue] {
        var texts = ["", " ", "~", "\u{1}", "no value of a format", "漢", "A", "0"]
        for rule in rules {
            switch rule {
            case .minLength(let count) where count > 0 && count <= maximumLength:
                texts += [text(of: count - 1, asciiLetters)]
            case .maxLength(let count) where count < maximumLength:
                texts += [text(of: count + 1, asciiLetters), text(of: count + 1, mixedScalars)]
            default: break
            }
        }
        // A text of the right form that is too long or too short for another rule.
        for case .pattern(let pattern) in rules { texts += PatternText.texts(matching: pattern) }
        for case .format(let name) in rules { texts += formats[name] ?? [] }
        return texts.map { .string($0) }
    }
}
