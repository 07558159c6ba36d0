import Foundation
import RunSupport

/// Documents with one thing wrong, which strict decoding must refuse.
///
/// Every value of a document is replaced in turn by what does not belong there: another kind, null or nothing in a
/// required place, dates, URLs and cases that do not exist, numbers out of range, and text that is no JSON (escapes,
/// UTF-8, numbers, literals). The document as a whole is cut off and lengthened. Of all those some are drawn.
struct DocumentMutations {
    /// Names of the members that may be missing and null.
    let optionalMembers: Set<String>

    /// Draws mutations, all different; the same ones for the same document.
    func mutations(of document: DocumentValue, count: Int) -> [Data] {
        var random = SeededGenerator(seed: 200)
        let bytes = document.bytes
        var all: [[UInt8]] = []
        var seen: Set<[UInt8]> = [bytes]
        func add(_ mutation: [UInt8]) {
            if seen.insert(mutation).inserted { all.append(mutation) }
        }
        for case let variant? in variants(of: document, isRequired: true, isMember: false) { add(variant.bytes) }
        for _ in 0..<60 { add(Array(bytes.prefix(random.integer(1...bytes.count - 1)))) }
        for end in Self.ends { add(bytes + end.utf8) }
        for start in Self.starts { add(start.utf8 + bytes) }
        // Small documents have too few parts: bytes that may stand nowhere make up for it.
        for stray in Self.strays where all.count < count {
            for place in bytes.indices { add(bytes[..<place] + [stray] + bytes[place...]) }
        }
        return random.shuffled(all).prefix(count).map { Data($0) }
    }

    private static let ends = ["}", "]", ",", ":", "x", "{}", "null", "\"", "\\", "//", "\u{0}"]
    private static let strays: [UInt8] = [0x00, 0x01, 0x0B, 0x1F, 0x80, 0xC0, 0xFE, 0xFF]
    private static let starts = [",", ":", "{", "]", "x", "\u{0}", "null"]

    /// What may stand in the place of a value; nil where its member is missing.
    private func variants(of value: DocumentValue, isRequired: Bool, isMember: Bool) -> [DocumentValue?] {
        var variants = replacements(of: value).map(Optional.some)
        if isRequired { variants.append(.null) }
        if isRequired, isMember { variants.append(nil) }
        switch value {
        case .object(let members):
            // Of very many members some are enough, and all would be hundreds of megabytes.
            for position in stride(from: 0, to: members.count, by: members.count / 40 + 1) {
                let member = members[position]
                let isRequired = !optionalMembers.contains(member.name)
                for variant in self.variants(of: member.value, isRequired: isRequired, isMember: true) {
                    var members = members
                    if let variant { members[position].value = variant } else { members.remove(at: position) }
                    variants.append(.object(members))
                }
            }
        case .array(let elements):
            for (position, element) in elements.enumerated() {
                for case let variant? in self.variants(of: element, isRequired: true, isMember: false) {
                    var elements = elements
                    elements[position] = variant
                    variants.append(.array(elements))
                }
            }
        default: break
        }
        return variants
    }

    private func replacements(of value: DocumentValue) -> [DocumentValue] {
        switch value {
        case .string(let text):
            return [.integer(17), .bool(true), .array([]), .object([])] + Self.brokenTexts + wrong(text)
        case .integer: return [.string("17"), .bool(true), .array([]), .object([])] + Self.brokenNumbers
        case .bool: return [.integer(1), .string("true"), .array([])] + Self.brokenLiterals
        case .array: return [.integer(17), .string("[]"), .bool(false), .object([])] + Self.brokenArrays
        case .object: return [.integer(17), .string("{}"), .bool(false), .array([])] + Self.brokenObjects
        case .null, .raw: return []
        }
    }

    /// Texts that are well-formed and wrong, by what the right text looks like.
    private func wrong(_ text: String) -> [DocumentValue] {
        if text.hasPrefix("https://") { return ["", "not a URL", "https://[", "a\nb"].map { .string($0) } }
        if text.count == 20, text.hasSuffix("Z"), text.contains("T") {
            return [
                "", "yesterday", "2024-13-01T00:00:00Z", "2024-02-30T00:00:00Z", "2024-01-01T25:00:00Z",
                "2024-01-01T00:61:00Z", "2024-01-01T00:00:00", "20x4-01-01T00:00:00Z",
            ].map { .string($0) }
        }
        if ["open", "closed", "User", "Bot"].contains(text) || text.hasSuffix("Event") {
            return ["", "OPEN", "unknown", "open "].map { .string($0) }
        }
        return []
    }

    private static let brokenTexts: [DocumentValue] =
        [
            "\"\\x\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"a\u{1}b\"", "\"a\nb\"", "'a'", "a", "\"a",
            "\"a\"\"b\"",
        ]
        .map { .raw(Array($0.utf8)) }
        + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80]]
        .map { .raw([UInt8(ascii: "\"")] + $0 + [UInt8(ascii: "\"")]) }

    private static let brokenNumbers: [DocumentValue] =
        [
            "01", "1.", ".5", "+1", "-", "--1", "1e", "1e+", "0x10", "NaN", "Infinity", "1 2", "1.5",
            "9223372036854775808",
            "-9223372036854775809", "1e400",
        ].map { .raw(Array($0.utf8)) }

    private static let brokenLiterals: [DocumentValue] = ["True", "tru", "truee", "TRUE", "yes"].map {
        .raw(Array($0.utf8))
    }

    private static let brokenArrays: [DocumentValue] = ["[,]", "[", "]", "[}", "[1,", "[null]"].map {
        .raw(Array($0.utf8))
    }

    private static let brokenObjects: [DocumentValue] =
        ["{,}", "{", "}", "{]", "{\"a\"}", "{\"a\":}", "{a:1}", "{1:1}"].map { .raw(Array($0.utf8)) }
}
