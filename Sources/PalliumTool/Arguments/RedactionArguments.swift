import Foundation
import Pallium

/// The arguments of commands that write documents without some values.
struct RedactionArguments {
    /// The rule for each label; empty to write all values.
    let rules: [String: Redaction.Rule]
    /// The file with the key of hashes; nil for a random key.
    let keyFile: String?

    /// Reads the arguments.
    ///
    /// - Throws: ``UsageError`` if a rule is malformed, or there is a key and nothing to hash.
    init(_ parsed: ParsedArguments, command: Command) throws(UsageError) {
        rules = try Self.rules(parsed, command)
        keyFile = parsed.values[.redactionKey]
        if keyFile != nil, !rules.values.contains(.hash) {
            throw UsageError(message: "--redact-key needs --redact LABEL=hash", command: command)
        }
    }

    private static func rules(
        _ parsed: ParsedArguments, _ command: Command
    ) throws(UsageError) -> [String: Redaction.Rule] {
        var rules: [String: Redaction.Rule] = [:]
        for text in parsed.values[.redact]?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts.count == 1 ? Redaction.Rule.mask.rawValue : String(parts[1])
            let rule = Redaction.Rule.allCases.first { $0.rawValue.utf8.elementsEqual(name.utf8) }
            guard let rule, !parts[0].isEmpty else {
                throw UsageError(
                    message: "--redact needs labels, each with mask, drop or hash, such as email=hash, not "
                        + "\"\(PrintableText.escape(text, limit: 64))\"",
                    suggestion: rule == nil
                        ? ModelError.nearest(to: name, among: Redaction.Rule.allCases.map(\.rawValue)) : nil,
                    command: command)
            }
            guard rules.updateValue(rule, forKey: String(parts[0])) == nil else {
                throw UsageError(
                    message: "--redact names \(PrintableText.escape(parts[0], limit: 64)) twice", command: command)
            }
        }
        return rules
    }
}

extension Diagnostics {
    /// What the arguments ask for.
    enum RequestedRedaction {
        case none, some(Redaction)
        /// The arguments cannot be followed, which was reported.
        case refused

        var redaction: Redaction? { if case .some(let redaction) = self { redaction } else { nil } }
    }

    /// Makes the redaction; reports a label that no property has, and a key that cannot be read.
    ///
    /// - Parameter labels: The labels that there are.
    func redaction(_ arguments: RedactionArguments, among labels: [String]) -> RequestedRedaction {
        if arguments.rules.isEmpty { return .none }
        for label in arguments.rules.keys.sorted(by: UTF8Text.precedes)
        where !labels.contains(where: { UTF8Text.equal($0, label) }) {
            let known = labels.isEmpty ? "there are no labels" : "the labels are \(labels.joined(separator: ", "))"
            let hint = ModelError.nearest(to: label, among: labels).map { "did you mean \($0)?" } ?? known
            say("--redact: no property has the label \"\(PrintableText.escape(label, limit: 64))\"; \(hint)")
            return .refused
        }
        guard let path = arguments.keyFile else { return .some(Redaction(arguments.rules)) }
        let name = InputFile.displayName(of: path)
        do throws(SystemError) {
            let key = try InputFile(path: path).readToEnd()
            if key.isEmpty {
                say("--redact-key: \(name) is empty")
                return .refused
            }
            return .some(Redaction(arguments.rules, key: Data(key)))
        } catch {
            report(unreadable: name, error)
            return .refused
        }
    }
}
