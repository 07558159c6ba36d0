import PalliumCore
import PalliumJSON

/// What was collected about one contradiction.
///
/// Whatever is cut, the smallest stays: so the evidence of parts, in any order, adds up to that of the whole.
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
        var example: DriftOccurrence?
        /// The value that is listed.
        var listed: JSONValue?
        /// The value to propose an edit from, under the name of its member.
        var sample: (name: String, value: JSONValue)?
    }

    /// The expectation of the schema; of several, the first by bytes.
    private(set) var expected: String
    private(set) var count = 0
    /// The values, in order.
    private(set) var values: [DriftReport.Finding.Value] = []
    private(set) var otherValues = 0
    /// The examples, in the order of their sources and lines.
    private(set) var examples: [DriftReport.Finding.Example] = []
    /// The kinds of the values; nil if no edit is proposed from them.
    private(set) var inference: SchemaInference?
    /// The values by kind.
    private(set) var kinds = ValueEvidence()
    /// The ranges of the values.
    private(set) var figures = ValueFigures()

    init(
        expected: String, count: Int = 0, values: [DriftReport.Finding.Value] = [], otherValues: Int = 0,
        examples: [DriftReport.Finding.Example] = []
    ) {
        self.expected = expected
        self.count = count
        self.values = values
        self.otherValues = otherValues
        self.examples = examples
    }

    /// Counts an occurrence.
    mutating func record(_ occurrence: Occurrence, schema: String) {
        count += 1
        if UTF8Text.precedes(occurrence.expected, expected) { expected = occurrence.expected }
        if let example = occurrence.example,
            examples.count < Self.maximumExamples || !(examples.last.map(example.follows) ?? false)
        {
            add(example.example)
        }
        if let listed = occurrence.listed { add(listed, count: 1) }
        guard let sample = occurrence.sample else { return }
        figures.record(sample.value)
        kinds.record(sample.value)
        inference = inference ?? SchemaInference(name: schema, maximumPlaces: Self.maximumPlaces)
        inference?.add([[sample.name: sample.value]])
    }

    private mutating func add(_ example: DriftReport.Finding.Example) {
        let position = examples.firstIndex { example.precedes($0) } ?? examples.count
        examples.insert(example, at: position)
        if examples.count > Self.maximumExamples { examples.removeLast() }
    }

    private mutating func add(_ value: JSONValue, count: Int) {
        guard Self.isShort(value) else {
            otherValues += count
            return
        }
        let position = values.firstIndex { !Self.precedes($0.value, value) } ?? values.count
        if position < values.count, values[position].value == value {
            values[position].count += count
            return
        }
        values.insert(DriftReport.Finding.Value(value: value, count: count), at: position)
        guard values.count > Self.maximumValues else { return }
        otherValues += values.removeLast().count
    }

    private static func isShort(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.utf8.count <= maximumValueBytes
        case .number(let number): number.int64 != nil
        default: false
        }
    }

    /// The order of values: numbers, then texts by their bytes.
    private static func precedes(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left.isBelow(right)
        case (.string(let left), .string(let right)): UTF8Text.precedes(left, right)
        case (.number, _): true
        default: false
        }
    }

    /// Adds the occurrences of other evidence.
    mutating func merge(_ other: DriftEvidence) {
        count += other.count
        if UTF8Text.precedes(other.expected, expected) { expected = other.expected }
        for example in other.examples { add(example) }
        for value in other.values { add(value.value, count: value.count) }
        otherValues += other.otherValues
        figures.merge(other.figures)
        kinds.join(other.kinds)
        if let inferred = other.inference {
            if inference == nil { inference = inferred } else { inference?.merge(inferred) }
        }
    }

    /// Forgets the values.
    mutating func removeValues() {
        inference = nil
        (kinds, figures) = (ValueEvidence(), ValueFigures())
    }
}

extension DriftReport.Finding.Example {
    /// Whether the example comes first: by source, line, path and value.
    func precedes(_ other: Self) -> Bool {
        if !UTF8Text.equal(source, other.source) { return UTF8Text.precedes(source, other.source) }
        if line != other.line { return line ?? .max < other.line ?? .max }
        let (own, others) = (pointer.description, other.pointer.description)
        return UTF8Text.equal(own, others) ? UTF8Text.precedes(found, other.found) : UTF8Text.precedes(own, others)
    }
}

/// The contradictions, each with its evidence.
struct DriftEvidences: Sendable {
    /// The largest number of unknown members of a schema that are told apart.
    static let maximumUnknownMembers = 100
    /// The largest number of unknown members of all schemas that are told apart.
    static let maximumUnknownMembersOfAll = 1000
    /// The place of the unknown members that are not told apart.
    static let others = "…"

    private(set) var evidences: [DriftEvidence.Key: DriftEvidence] = [:]
    /// The unknown members that are told apart: of each schema the names that come first by their bytes.
    private var unknownMembers: [UTF8Key: [UTF8Key]] = [:]

    /// Counts an occurrence.
    mutating func record(_ occurrence: DriftEvidence.Occurrence, of key: DriftEvidence.Key) {
        let key = admitted(key)
        var occurrence = occurrence
        if UTF8Text.equal(key.place.text, Self.others) { occurrence.sample = nil }
        evidences[key, default: DriftEvidence(expected: occurrence.expected)].record(
            occurrence, schema: key.schema.text)
    }

    /// Adds other evidence.
    mutating func merge(_ other: DriftEvidences) {
        for (key, evidence) in other.evidences { merge(evidence, of: key) }
    }

    /// Adds the evidence of one contradiction.
    mutating func merge(_ evidence: DriftEvidence, of key: DriftEvidence.Key) {
        let key = admitted(key)
        var evidence = evidence
        if UTF8Text.equal(key.place.text, Self.others) { evidence.removeValues() }
        if evidences[key]?.merge(evidence) == nil { evidences[key] = evidence }
    }

    /// Returns the key of a contradiction, or that of the others if there are too many; another may become one of these.
    private mutating func admitted(_ key: DriftEvidence.Key) -> DriftEvidence.Key {
        guard key.kind == .unknownMember, evidences[key] == nil, !UTF8Text.equal(key.place.text, Self.others) else {
            return key
        }
        guard (1...PlaceTree.maximumNameBytes).contains(key.place.text.utf8.count) else { return key.others }
        var names = unknownMembers[key.schema, default: []]
        let position = names.firstIndex { UTF8Text.precedes(key.place.text, $0.text) } ?? names.count
        names.insert(key.place, at: position)
        let removed = names.count > Self.maximumUnknownMembers ? names.removeLast() : nil
        unknownMembers[key.schema] = names
        var last = removed.map { key.at($0) }
        if removed == nil, unknownMembers.values.reduce(0, { $0 + $1.count }) > Self.maximumUnknownMembersOfAll,
            let schema = unknownMembers.keys.max(by: { UTF8Text.precedes($0.text, $1.text) }),
            let name = unknownMembers[schema]?.popLast()
        {
            last = DriftEvidence.Key(
                kind: key.kind, isNote: key.isNote, schema: schema, place: name, rule: key.rule)
            if unknownMembers[schema]?.isEmpty == true { unknownMembers[schema] = nil }
        }
        guard let last else { return key }
        if last == key { return key.others }
        if let evidence = evidences.removeValue(forKey: last) { merge(evidence, of: last.others) }
        return key
    }
}

extension DriftEvidence.Key {
    /// The key of the unknown members of the schema that are not told apart.
    fileprivate var others: Self { at(UTF8Key(DriftEvidences.others)) }

    fileprivate func at(_ place: UTF8Key) -> Self {
        Self(kind: kind, isNote: isNote, schema: schema, place: place, rule: rule)
    }
}
