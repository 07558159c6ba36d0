public import PalliumJSON

/// What real data does against a schema: contradictions, notes and figures.
///
/// A ``DriftMonitor`` makes it. The article *Drift* describes what it holds.
public struct DriftReport: Sendable, Hashable {
    /// The name of the schema of the documents' roots.
    public let schema: String
    /// The number of documents.
    public let documents: Int
    /// The contradictions, the most frequent ones first.
    public internal(set) var findings: [Finding]
    /// What is worth knowing and no contradiction.
    public internal(set) var notes: [Finding]
    /// The number of objects of each schema, those of its descendants included: the schema of the roots first, then by name.
    let objects: [Objects]
    /// The figures of the properties: those of the schema of the roots first, then the others by the names of schemas.
    public let figures: [Figure]
    /// The clear changes since the baseline; empty without one.
    public internal(set) var shifts: [Shift] = []
    /// Sentences about what the limits left out.
    public let cuts: [String]
    /// Whether the report was compared with a baseline.
    public internal(set) var hasBaseline = false

    /// Whether there is a finding that a baseline lacks, or a shift. Without a baseline, whether there is a finding.
    public var hasNews: Bool { !shifts.isEmpty || findings.contains(where: \.isNew) }

    /// The number of objects of a schema.
    struct Objects: Sendable, Hashable {
        let schema: String
        var count: Int
    }

    /// How one property, or the elements of a collection in it, are used.
    public struct Figure: Sendable, Hashable {
        /// Some numbers of one range of magnitudes.
        public struct Bar: Sendable, Hashable {
            /// The smallest magnitude with the sign of the numbers: zero, or a power of two. The range ends before the next
            /// power.
            public let start: Double
            /// The number of values.
            public let count: Int
        }

        /// The smallest and the largest number.
        public struct Range: Sendable, Hashable {
            /// The smallest number.
            public let minimum: JSONNumber
            /// The largest number.
            public let maximum: JSONNumber
            /// The numbers by magnitude, in order.
            public let bars: [Bar]

            init(_ range: ValueRange) {
                (minimum, maximum) = (range.minimum, range.maximum)
                bars = range.bars.map { Bar(start: $0.start, count: $0.count) }
            }
        }

        /// The name of the schema that declares the property.
        public let schema: String
        /// The key of the property, with `[]` for the elements of a collection.
        public let place: String
        /// The kind that the schema declares.
        public let kind: String
        /// The number of objects, or of elements.
        public internal(set) var holders: Int
        /// The number of objects without the member.
        public internal(set) var absent: Int
        /// The values.
        var values: ValueFigures

        /// The number of nulls.
        public var nulls: Int { values.nulls }
        /// The number of values, null aside.
        public var present: Int { holders - absent - nulls }
        /// The number of values by kind of JSON, null aside: `bool`, `number`, `string`, `array`, `object`.
        public var kinds: [String: Int] {
            Dictionary(uniqueKeysWithValues: zip(Self.kindNames, values.kinds).filter { $1 > 0 })
        }
        /// The range of numbers.
        public var numbers: Range? { values.numbers.map(Range.init) }
        /// The range of the lengths of texts in Unicode scalars.
        public var lengths: Range? { values.lengths.map(Range.init) }
        /// The range of the counts of elements or members.
        public var counts: Range? { values.counts.map(Range.init) }
        /// The number of distinct scalar values.
        public var distinct: Int {
            // Those of the first kinds. Reports may hold any counts.
            let scalars = values.kinds.prefix(3).reduce(0) { $0.addingReportingOverflow($1).partialValue }
            return values.distinct.count(among: scalars)
        }
        /// Whether ``distinct`` is an estimate.
        public var isDistinctEstimated: Bool { values.distinct.isEstimate }

        /// The names of the kinds of JSON, null aside, in the order of the report.
        static let kindNames = ["bool", "number", "string", "array", "object"]
    }

    /// A clear change of data that the schema allows.
    public struct Shift: Sendable, Hashable {
        /// The changes. The article *Drift* describes each.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            case nullRate, absentRate, disappeared, range
        }

        /// The kind of change.
        public let kind: Kind
        /// The name of the schema that declares the property.
        public let schema: String
        /// The key of the property, with `[]` for the elements of a collection.
        public let place: String
        /// A description of the baseline, such as `2 % null`.
        public let before: String
        /// A description of this report.
        public let now: String
    }
}
