import PalliumCore
import PalliumJSON

/// What was collected about one contradiction.
struct DriftEvidence: Sendable {
    /// The largest number of examples.
    static let maximumExamples = 3
    /// The largest number of different values.
    static let maximumValues = 32
    /// The largest number of bytes of a value that is listed.
    static let maximumValueBytes = 120
    /// The largest number of places that are distinguished in the values of one contradiction.
    private static let maximumPlaces = 64

    /// The contradictions that are told apart.
    struct Key: Sendable, Hashable {
        let kind: DriftReport.Finding.Kind
        let isNote: Bool
        let schema: UTF8Key
        let place: UTF8Key
        /// The expectation of the rule that is broken; empty for other kinds.
        let rule: UTF8Key
    }

    /// One occurrence.
    struct Occurrence {
        let expected: String
        var example: DriftReport.Finding.Example?
        /// The value that is listed.
        var listed: JSONValue?
        /// The value to propose an edit from, under the name of its member.
        var sample: (name: String, value: JSONValue)?
    }

    let expected: String
    private(set) var count = 0
    private(set) var values: [DriftReport.Finding.Value] = []
    private(set) var otherValues = 0
    private(set) var examples: [DriftReport.Finding.Example] = []
    /// The kinds of the values; nil if no edit is proposed from them.
    private(set) var inference: SchemaInference?
    /// The ranges of the values.
    private(set) var figures = ValueFigures()

    init(expected: String) { self.expected = expected }

    /// Counts an occurrence.
    mutating func record(_ occurrence: Occurrence, schema: String) {
        count += 1
        if let example = occurrence.example, examples.count < Self.maximumExamples { examples.append(example) }
        if let listed = occurrence.listed { add(listed, count: 1) }
        guard let sample = occurrence.sample else { return }
        figures.record(sample.value, isSensitive: false)
        inference = inference ?? SchemaInference(name: schema, maximumPlaces: Self.maximumPlaces)
        inference?.add([[sample.name: sample.value]])
    }

    private mutating func add(_ value: JSONValue, count: Int) {
        if let position = values.firstIndex(where: { $0.value == value }) {
            values[position].count += count
        } else if values.count < Self.maximumValues, Self.isShort(value) {
            values.append(DriftReport.Finding.Value(value: value, count: count))
        } else {
            otherValues += count
        }
    }

    private static func isShort(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.utf8.count <= maximumValueBytes
        case .number(let number): number.int64 != nil
        default: false
        }
    }

    /// Adds the occurrences of other evidence, which come after the own ones.
    mutating func merge(_ other: DriftEvidence) {
        count += other.count
        examples += other.examples.prefix(Self.maximumExamples - examples.count)
        for value in other.values { add(value.value, count: value.count) }
        otherValues += other.otherValues
        figures.merge(other.figures)
        if let inferred = other.inference {
            if inference == nil { inference = inferred } else { inference?.merge(inferred) }
        }
    }
}

/// The contradictions, each with its evidence, in the order of their first occurrence.
struct DriftEvidences: Sendable {
    /// The largest number of unknown members of a schema that are told apart.
    static let maximumUnknownMembers = 100
    /// The largest number of unknown members of all schemas that are told apart.
    static let maximumUnknownMembersOfAll = 1000
    /// The place of the unknown members that are not told apart.
    static let others = "…"

    private(set) var keys: [DriftEvidence.Key] = []
    private var positions: [DriftEvidence.Key: Int] = [:]
    private(set) var evidences: [DriftEvidence] = []
    private var unknownMembers: [UTF8Key: Int] = [:]
    private var unknownMembersOfAll = 0

    /// Counts an occurrence.
    mutating func record(_ occurrence: DriftEvidence.Occurrence, of key: DriftEvidence.Key) {
        let (position, isOwn) = position(of: key, expected: occurrence.expected)
        var occurrence = occurrence
        if !isOwn { occurrence.sample = nil }
        evidences[position].record(occurrence, schema: key.schema.text)
    }

    /// Adds other evidence, which comes after the own.
    mutating func merge(_ other: DriftEvidences) {
        for (key, evidence) in zip(other.keys, other.evidences) {
            let (position, _) = position(of: key, expected: evidence.expected)
            evidences[position].merge(evidence)
        }
    }

    /// Returns where the evidence of a contradiction is, and whether it is for that contradiction alone.
    private mutating func position(of key: DriftEvidence.Key, expected: String) -> (position: Int, isOwn: Bool) {
        if let position = positions[key] { return (position, true) }
        var key = key
        if key.kind == .unknownMember, !UTF8Text.equal(key.place.text, Self.others) {
            if unknownMembers[key.schema, default: 0] < Self.maximumUnknownMembers,
                unknownMembersOfAll < Self.maximumUnknownMembersOfAll,
                (1...PlaceTree.maximumNameBytes).contains(key.place.text.utf8.count)
            {
                unknownMembers[key.schema, default: 0] += 1
                unknownMembersOfAll += 1
            } else {
                key = DriftEvidence.Key(
                    kind: key.kind, isNote: key.isNote, schema: key.schema, place: UTF8Key(Self.others), rule: key.rule)
                if let position = positions[key] { return (position, false) }
            }
        }
        positions[key] = keys.count
        keys.append(key)
        evidences.append(DriftEvidence(expected: expected))
        return (keys.count - 1, !UTF8Text.equal(key.place.text, Self.others))
    }
}
