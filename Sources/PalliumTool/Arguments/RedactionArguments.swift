import Foundation
import Pallium

/// The arguments of commands that write documents without some values.
struct RedactionArguments {
    /// The rule for each label; empty to write all values.
    let rules: [String: Redaction.Rule]
    /// The file with the key of hashes; nil for a random key.
    let keyFile: String?
    private static let maximumKeyBytes = 1 << 20

    /// Reads the arguments.
    ///
    /// - Throws: ``UsageError`` if a rule is malformed, or there is a key and nothing to hash.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        rules = try Self.rules(parsed)
        keyFile = parsed.values[.redactionKey]
        if keyFile != nil, !rules.values.contains(.hash) {
            throw parsed.error("--redact-key needs --redact LABEL=hash")
        }
    }

    private static func rules(_ parsed: ParsedArguments) throws(UsageError) -> [String: Redaction.Rule] {
        var rules: [String: Redaction.Rule] = [:]
        for text in parsed.values[.redact]?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts.count == 1 ? Redaction.Rule.mask.rawValue : String(parts[1])
            let rule = Redaction.Rule.allCases.first { $0.rawValue.utf8.elementsEqual(name.utf8) }
            guard let rule, !parts[0].isEmpty else {
                throw parsed.error(
                    "--redact needs labels, each with mask, drop or hash, such as email=hash, not "
                        + ModelError.quote(String(text)),
                    suggestion: rule == nil
                        ? ModelError.nearest(to: name, among: Redaction.Rule.allCases.map(\.rawValue)) : nil)
            }
            guard rules.updateValue(rule, forKey: String(parts[0])) == nil else {
                throw parsed.error("--redact names \(ModelError.shorten(String(parts[0]), to: 64)) twice")
            }
        }
        return rules
    }

    /// Makes the redaction; nil to write all values.
    ///
    /// - Parameter labels: The labels that there are.
    /// - Throws: ``Interruption`` for a label that no property has, and a key that cannot be read.
    func redaction(among labels: [String]) throws(Interruption) -> Redaction? {
        if rules.isEmpty { return nil }
        for label in rules.keys.sorted(by: UTF8Text.precedes)
        where !labels.contains(where: { UTF8Text.equal($0, label) }) {
            let known = labels.isEmpty ? "there are no labels" : "the labels are \(labels.joined(separator: ", "))"
            let hint = ModelError.nearest(to: label, among: labels).map { "did you mean \($0)?" } ?? known
            throw .refused("--redact: no property has the label \(ModelError.quote(label)); \(hint)")
        }
        guard let path = keyFile else { return Redaction(rules) }
        let key = try InputFile(path: path).readAll(upTo: Self.maximumKeyBytes + 1)
        if key.isEmpty { throw .refused("--redact-key: \(InputFile.displayName(of: path)) is empty") }
        if key.count > Self.maximumKeyBytes {
            let limit = Self.maximumKeyBytes >> 20
            throw .refused("--redact-key: \(InputFile.displayName(of: path)) has more than \(limit) MiB")
        }
        return Redaction(rules, key: Data(key))
    }
}
