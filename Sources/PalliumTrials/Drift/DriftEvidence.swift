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

    /// The reported finding, without an edit.
    fileprivate(set) var finding: DriftReport.Finding
    /// The kinds of the values; nil if no edit is proposed from them.
    private(set) var inference: SchemaInference?
    /// The values by kind.
    private(set) var kinds = ValueEvidence()
    /// The ranges of the values.
    private(set) var figures = ValueFigures()

    init(_ finding: DriftReport.Finding) { self.finding = finding }

    /// Counts an occurrence of a contradiction.
    mutating func record(_ occurrence: Occurrence, of key: Key) {
        finding.count += 1
        expect(occurrence.expected)
        if let example = occurrence.example,
            finding.examples.count < Self.maximumExamples || !(finding.examples.last.map(example.follows) ?? false)
        {
            add(example.example(of: occurrence.sample?.value))
        }
        if let listed = occurrence.listed { add(listed, count: 1) }
        guard let sample = occurrence.sample, !key.isOfOthers else { return }
        figures.record(sample.value)
        kinds.record(sample.value)
        inference = inference ?? SchemaInference(name: key.schema.text, maximumPlaces: Self.maximumPlaces)
        inference?.add([[sample.name: sample.value]])
    }

    private mutating func expect(_ expected: String) {
        // Most are equal, which is seen at once.
        if !UTF8Text.equal(expected, finding.expected), UTF8Text.precedes(expected, finding.expected) {
            finding.expected = expected
        }
    }

    private mutating func add(_ example: DriftReport.Finding.Example) {
        let position = finding.examples.firstIndex { example.precedes($0) } ?? finding.examples.count
        finding.examples.insert(example, at: position)
        if finding.examples.count > Self.maximumExamples { finding.examples.removeLast() }
    }

    private mutating func add(_ value: JSONValue, count: Int) {
        guard Self.isShort(value) else {
            finding.otherValues += count
            return
        }
        let position = finding.values.firstIndex { !Self.precedes($0.value, value) } ?? finding.values.count
        if position < finding.values.count, finding.values[position].value == value {
            finding.values[position].count += count
            return
        }
        finding.values.insert(DriftReport.Finding.Value(value: value, count: count), at: position)
        guard finding.values.count > Self.maximumValues else { return }
        finding.otherValues += finding.values.removeLast().count
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
        finding.count += other.finding.count
        expect(other.finding.expected)
        for example in other.finding.examples { add(example) }
        for value in other.finding.values { add(value.value, count: value.count) }
        finding.otherValues += other.finding.otherValues
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
        if let position = evidences.index(forKey: key) {
            return evidences.values[position].record(occurrence, of: key)
        }
        let key = admitted(key)
        let finding = DriftReport.Finding(
            kind: key.kind, schema: key.schema.text, place: key.place.text, expected: occurrence.expected)
        evidences[key, default: DriftEvidence(finding)].record(occurrence, of: key)
    }

    /// Adds other evidence.
    mutating func merge(_ other: DriftEvidences) {
        for (key, evidence) in other.evidences { merge(evidence, of: key) }
    }

    /// Adds the evidence of one contradiction.
    mutating func merge(_ evidence: DriftEvidence, of key: DriftEvidence.Key) {
        let key = admitted(key)
        var evidence = evidence
        if key.isOfOthers {
            evidence.removeValues()
            evidence.finding.place = Self.others
        }
        if evidences[key]?.merge(evidence) == nil { evidences[key] = evidence }
    }

    /// Returns the key of a contradiction, or that of the others if there are too many; another may become one of these.
    private mutating func admitted(_ key: DriftEvidence.Key) -> DriftEvidence.Key {
        guard key.kind == .unknownMember, evidences[key] == nil, !key.isOfOthers else {
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

    /// The findings, or the notes, in the order of a report, without edits.
    func findings(areNotes: Bool) -> [DriftReport.Finding] {
        evidences.filter { $0.key.isNote == areNotes }.map(\.value.finding).sorted(by: DriftReport.Finding.precedes)
    }
}

extension DriftEvidence.Key {
    /// Whether the evidence is about unknown members that are not told apart.
    fileprivate var isOfOthers: Bool { UTF8Text.equal(place.text, DriftEvidences.others) }

    /// The key of the unknown members of the schema that are not told apart.
    fileprivate var others: Self { at(UTF8Key(DriftEvidences.others)) }

    fileprivate func at(_ place: UTF8Key) -> Self {
        Self(kind: kind, isNote: isNote, schema: schema, place: place, rule: rule)
    }
}
