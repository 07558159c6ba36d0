import PalliumCore
public import PalliumJSON

extension DriftReport {
    /// A contradiction between a schema and data, or a note.
    public struct Finding: Sendable, Hashable {
        /// The contradictions. The article *Drift* describes each.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            case unknownMember, missingMember, unexpectedNull, otherKind, invalidValue, unlistedCase, unlistedModel
            case brokenRule, malformed, refused
            /// Only a note: an optional property that no document had, or a schema of which there was no object.
            case neverSeen
        }

        /// A value that was found, and how often.
        public struct Value: Sendable, Hashable {
            /// The value: a case or the name of a kind of JSON.
            public let value: JSONValue
            /// The number of occurrences.
            public internal(set) var count: Int
        }

        /// One of the first occurrences.
        public struct Example: Sendable, Hashable {
            /// The name of the source of the document, such as a file.
            public let source: String
            /// The line, counted from 1; nil if it is unknown.
            public let line: Int?
            /// The path in the source.
            public let pointer: JSONPointer
            /// A description of the value, of at most 64 characters; values of secret properties are masked.
            public let found: String
        }

        /// The kind of contradiction.
        public let kind: Kind
        /// The name of the schema.
        public let schema: String
        /// The key of the property, with `[]` for the elements of a collection; the path of an unknown member; empty for
        /// the object as a whole.
        public internal(set) var place: String
        /// The expectation of the schema; of several, the first by its bytes.
        public internal(set) var expected: String
        /// The number of occurrences.
        public internal(set) var count = 0
        /// The different values found, if they matter for the kind; at most 32, in order.
        public internal(set) var values: [Value] = []
        /// The number of occurrences with other values.
        public internal(set) var otherValues = 0
        /// The first occurrences, at most three, by their sources and lines.
        public internal(set) var examples: [Example] = []
        /// An edit of the schema that accepts the values; nil if no single one is known.
        public internal(set) var edit: Edit?
        /// Whether the baseline lacks the finding; true without a baseline.
        public internal(set) var isNew = true
    }

    /// A change of a schema document.
    public struct Edit: Sendable, Hashable {
        /// The name of the schema whose document changes.
        public let schema: String
        /// The path in the document.
        public let pointer: JSONPointer
        /// The value that belongs at the path; nil to remove what is there.
        public let value: JSONValue?
        /// Documents of new schemas that the value names.
        public let newSchemas: [JSONValue]
    }
}

extension DriftReport.Finding: CustomStringConvertible {
    /// The schema, the place, the kind and the count in one line: `Order.carrier: unknownMember, 2 times`.
    public var description: String {
        "\(title): \(kind.rawValue), \(count == 1 ? "once" : "\(count) times")"
    }

    /// The schema and the place.
    var title: String { DriftReport.title(schema, place) }
}

extension DriftReport {
    /// Returns the schema and the place in one word, safe for one line.
    static func title(_ schema: String, _ place: String) -> String {
        ModelError.visible(place.utf8.isEmpty ? schema : "\(schema).\(place)")
    }
}
