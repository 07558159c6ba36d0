public import Foundation
import PalliumCore
import PalliumJSON

/// What is written in place of values with labels.
///
///     let shared = Redaction(["email": .hash, "pii": .mask, "secret": .drop])
///     try adapter.data(from: person, redacting: shared)
///
/// A label is one of ``PropertySchema/labels``. Of several rules for a property, the strongest holds: drop, then mask,
/// then hash. A property that holds a model or a collection is redacted as a whole. The article <doc:Sensitivity> says
/// more.
public struct Redaction: Sendable {
    /// What becomes of a value with a label.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// The text `•••` stands for the value. Null stays null.
        case mask
        /// The member is left out.
        case drop
        /// A text of 64 hexadecimal digits stands for the value, the same for equal values. Null stays null.
        case hash

        fileprivate var strength: Int {
            switch self {
            case .hash: 0
            case .mask: 1
            case .drop: 2
            }
        }
    }

    /// What is compiled into plans: all but the key, so that redactions with other keys share them.
    let rules: [UTF8Key: Rule]
    private let authentication: MessageAuthentication

    /// Makes a redaction.
    ///
    /// - Parameters:
    ///   - rules: The rule for each label. Values with other labels are written as they are.
    ///   - key: The key of hashes, best of 32 random bytes. It must stay secret: who has it can try likely values.
    ///     Without one, this redaction gets a random key, so that its hashes say nothing to anybody else, and equal
    ///     values stay equal only among the documents that it writes.
    public init(_ rules: [String: Rule], key: Data? = nil) {
        self.init(
            Dictionary(uniqueKeysWithValues: rules.map { (UTF8Key($0.key), $0.value) }),
            MessageAuthentication(key: key.map { [UInt8]($0) } ?? Self.randomKey()))
    }

    private init(_ rules: [UTF8Key: Rule], _ authentication: MessageAuthentication) {
        self.rules = rules
        self.authentication = authentication
    }

    private static func randomKey() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// The labels that have a rule, in the order of their bytes.
    package var labels: [String] { rules.keys.map(\.text).sorted(by: UTF8Text.precedes) }

    /// Returns the redaction with the rules for some labels, and the same key.
    package func limited(to labels: [String]) -> Redaction {
        let kept = Set(labels.map { UTF8Key($0) })
        return Redaction(rules.filter { kept.contains($0.key) }, authentication)
    }

    /// Returns the text that stands for a value under the rule `hash`.
    func hash(of text: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let code = authentication.code(for: text)
        return String(decoding: code.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension [UTF8Key: Redaction.Rule] {
    /// The strongest rule for a property with some labels; nil if its values are written.
    func strongest(for labels: [String]) -> Redaction.Rule? {
        labels.compactMap { self[UTF8Key($0)] }.max { $0.strength < $1.strength }
    }
}
