import PalliumCore
public import PalliumJSON

/// A change between two versions of schemas, and what it does to data.
public struct SchemaChange: Sendable, Hashable, CustomStringConvertible {
    /// What happens to data because of a change.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Severity: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// Nothing breaks.
        case harmless
        /// A value is lost, because the reader has no property for it.
        case lossy
        /// Nothing was found that breaks, and no proof that nothing does.
        case unproved
        /// Data is refused, or a property of both versions is read with another value.
        case breaking

        /// Whether the first severity is less than the second one.
        public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    /// Which version of the schemas reads the data of the other one.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
        /// The new schemas read old data.
        case backward
        /// The old schemas read new data.
        case forward

        /// Who reads what: `new schemas read old documents`.
        fileprivate func reading(_ data: String) -> String {
            self == .backward ? "new schemas read old \(data)" : "old schemas read new \(data)"
        }
    }

    /// The form of the data.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// A JSON document.
        case document
        /// An archive of the model that the document makes.
        case archive
    }

    /// An effect of a change, shown by a document that was read with both versions.
    public struct Effect: Sendable, Hashable, CustomStringConvertible {
        /// Which version reads the data of the other one.
        public let direction: Direction
        /// The form of the data.
        public let format: Format
        /// What happens to the data.
        public let severity: Severity
        /// The error of the reader, or the value that is read differently.
        public let problem: String
        /// The smallest document that was found to show the effect. The writer's schemas accept it.
        public let witness: JSONValue
        /// The schema that the document is decoded as.
        public let model: String

        /// Who reads what, the problem, and in a second line the document.
        public var description: String { description(of: "\(format)s") }

        fileprivate func description(of data: String) -> String {
            "\(severity): \(direction.reading(data)): \(problem)\n    a \(model): \(witness)"
        }

        /// Whether a document shows the effect of another one, too.
        fileprivate func isShown(by other: Effect) -> Bool {
            direction == other.direction && severity == other.severity && witness == other.witness
        }
    }

    /// What changed: the member of the schema document and whether it was added, removed or changed, for example
    /// `maxLength-changed`, `of.required-added` or `property-removed`.
    public let rule: String
    /// The schema that changed.
    public let schema: String
    /// The key of the property that changed; nil for a change of the schema.
    public let property: String?
    /// The old value in the schema document; nil if there was none.
    public let old: JSONValue?
    /// The new value in the schema document; nil if there is none.
    public let new: JSONValue?
    /// The effects that were found, at most one for each direction, format and severity.
    public internal(set) var effects: [Effect] = []

    /// The directions in which no document was found that breaks, and no proof that there is none.
    public internal(set) var unproved: [Direction] = []

    /// The worst effect. What is not proved is worse than a value that is lost.
    public var severity: Severity {
        max(effects.lazy.map(\.severity).max() ?? .harmless, unproved.isEmpty ? .harmless : .unproved)
    }

    /// The place, the rule and both values, and the effects and what is unproved in further lines; one line for a
    /// document and an archive that show the same.
    public var description: String {
        let place = property.map { "\(schema).\(ModelError.shorten($0, to: 64))" } ?? schema
        let values =
            switch (old.map(Self.shown), new.map(Self.shown)) {
            case (let old?, let new?): ", \(old) became \(new)"
            case (let value?, nil), (nil, let value?): ", \(value)"
            case (nil, nil): ""
            }
        let lines = effects.compactMap { effect -> String? in
            let others = effects.filter { $0.format != effect.format && $0.isShown(by: effect) }
            if others.isEmpty { return effect.description }
            return effect.format == .document ? effect.description(of: "documents and archives") : nil
        }
        let doubts = unproved.map { direction in
            "unproved: \(direction.reading("documents and archives")): no document was found that breaks, and no proof"
        }
        return (["\(place): \(rule)\(values)"] + (lines + doubts).map { "  \($0)" }).joined(separator: "\n")
    }

    private static func shown(_ value: JSONValue) -> String { ModelError.shorten(value.description, to: 80) }
}
