public import PalliumCore
import PalliumJSON

// Adds up reports about parts of data.
//
// Counts are exact, and so is all that was cut, because the smallest is kept everywhere. Only an edit that depends on values
// which reports do not hold is dropped if the parts propose different ones.
extension DriftReport {
    /// Adds a report about another part of the data, as if one monitor had seen both.
    ///
    /// Comparisons with a baseline are forgotten. An edit of a finding is kept if both reports propose it, or if its values
    /// can be put together.
    ///
    /// - Throws: ``ModelError`` if the reports are for different schemas, or counts are too large to be added.
    /// - Complexity: O(*n*) in the size of both reports.
    public mutating func merge(_ other: DriftReport) throws(ModelError) {
        guard UTF8Text.equal(schema, other.schema) else {
            throw ModelError(
                .typeMismatch, expected: "a report for \(schema)", found: "one for \(other.schema)", schema: schema)
        }
        try Self.checkSum(of: allCounts + other.allCounts)
        var figures: [Figure] = []
        var numbers: [[UTF8Key]: Int] = [:]
        for figure in self.figures + other.figures {
            if let number = numbers[figure.key] {
                figures[number].holders += figure.holders
                figures[number].absent += figure.absent
                figures[number].values.merge(figure.values)
            } else {
                numbers[figure.key] = figures.count
                figures.append(figure)
            }
        }
        var objects: [UTF8Key: Int] = [:]
        for part in self.objects + other.objects { objects[UTF8Key(part.schema), default: 0] += part.count }
        // The schema of the roots comes first, then the others by name.
        let names = Set(figures.map { UTF8Key($0.schema) } + objects.keys)
        var ranks: [UTF8Key: Int] = [:]
        for (rank, name) in names.sorted(by: { UTF8Text.precedes($0.text, $1.text) }).enumerated() {
            ranks[name] = UTF8Text.equal(name.text, schema) ? -1 : rank
        }
        // A report has no figure of elements that it has not seen. They follow their property.
        let order = figures.enumerated().map { position, figure in
            let (property, level) = Self.property(of: figure.place)
            let name = UTF8Key(figure.schema)
            return (ranks[name] ?? 0, numbers[[name, UTF8Key(property)]] ?? position, level, position)
        }
        figures = order.sorted { $0 < $1 }.map { figures[$0.3] }
        var evidences = DriftEvidences()
        for (findings, areNotes) in [(findings + other.findings, false), (notes + other.notes, true)] {
            for finding in findings where finding.kind != .neverSeen {
                evidences.merge(DriftEvidence(finding.alone), of: finding.key(isNote: areNotes))
            }
        }
        var merged = evidences.findings(areNotes: false)
        let (own, others) = (self.findingsByKey, other.findingsByKey)
        for (index, finding) in merged.enumerated() {
            let key = finding.key(isNote: false)
            merged[index].edit = Self.edit(of: finding, own[key], others[key])
        }
        let missing = Set(figures.filter { $0.absent == $0.holders }.map(\.key))
        var noted: Set<DriftEvidence.Key> = []
        let unseen = (notes + other.notes).filter { note in
            let (schema, place) = (UTF8Key(note.schema), UTF8Key(note.place))
            return note.kind == .neverSeen
                && (note.place.utf8.isEmpty ? objects[schema] == nil : missing.contains([schema, place]))
                && noted.insert(note.key(isNote: true)).inserted
        }.map(\.alone)
        self = DriftReport(
            schema: schema, documents: documents + other.documents, findings: merged,
            notes: (evidences.findings(areNotes: true) + unseen).sorted(by: Finding.precedes),
            objects: objects.sorted { ranks[$0.key] ?? 0 < ranks[$1.key] ?? 0 }.map {
                Objects(schema: $0.key.text, count: $0.value)
            }, figures: figures, cuts: evidences.cuts)
    }

    /// Returns the place of the property that has the elements of a place, and how deep they are in it.
    private static func property(of place: String) -> (place: String, level: Int) {
        var (rest, level) = (place.utf8[...], 0)
        while rest.count > 2, rest.suffix(2).elementsEqual("[]".utf8) {
            rest.removeLast(2)
            level += 1
        }
        return (String(Substring(rest)), level)
    }

    /// Checks that the sum of all counts is an integer. Then so is the sum of any of them, whatever a report repeats.
    private static func checkSum(of counts: [Int]) throws(ModelError) {
        var sum = 0
        for count in counts {
            let (next, isTooLarge) = sum.addingReportingOverflow(count)
            if isTooLarge {
                throw ModelError(
                    .limitExceeded, expected: "counts with a sum of at most \(Int.max)", found: "a larger sum")
            }
            sum = next
        }
    }

    /// All counts of the report. Those of nulls and of absent members are among the holders.
    private var allCounts: [Int] {
        let ranges = figures.map(\.values).flatMap { [$0.numbers, $0.lengths, $0.counts].compactMap(\.self) }
        let counts = [
            [documents], objects.map(\.count), figures.map(\.holders), figures.flatMap(\.values.kinds),
            ranges.flatMap(\.bars).map(\.count), (findings + notes).flatMap { [$0.count, $0.otherValues] },
            (findings + notes).flatMap(\.values).map(\.count),
        ]
        return Array(counts.joined())
    }

    private var findingsByKey: [DriftEvidence.Key: Finding] {
        Dictionary(findings.map { ($0.key(isNote: false), $0) }) { first, _ in first }
    }

    /// Returns the edit of a finding that two reports have, or one of them.
    private static func edit(of finding: Finding, _ left: Finding?, _ right: Finding?) -> Edit? {
        guard let left, let right else { return (left ?? right)?.edit }
        guard left.edit != right.edit else { return left.edit }
        guard let own = left.edit, let others = right.edit, own.schema == others.schema, own.pointer == others.pointer,
            own.newSchemas == others.newSchemas
        else { return nil }
        let value: JSONValue? =
            switch (finding.kind, own.value, others.value) {
            case (.unlistedCase, .array(let cases)?, .array?), (.unlistedModel, .array(let cases)?, .array?):
                finding.otherValues > 0
                    ? nil
                    : .array(
                        cases.filter { value in !left.values.contains { $0.value == value } }
                            + finding.values.map(\.value))
            case (.unlistedCase, .object(let own)?, .object(let others)?),
                (.unlistedModel, .object(let own)?, .object(let others)?):
                .object(own.merging(others))
            case (.brokenRule, .number(let own)?, .number(let others)?):
                own.isBelow(others) == (finding.isAboutMinimum(left.edit)) ? .number(own) : .number(others)
            default: nil
            }
        return value.map { Edit(schema: own.schema, pointer: own.pointer, value: $0, newSchemas: own.newSchemas) }
    }
}

extension JSONObject {
    /// The members with those of another object that are missing.
    fileprivate func merging(_ other: JSONObject) -> JSONObject {
        var merged = self
        for member in other where merged[member.key] == nil { merged.updateValue(member.value, forKey: member.key) }
        return merged
    }
}

extension DriftReport.Finding {
    /// The key by which findings, or notes, are told apart.
    func key(isNote: Bool) -> DriftEvidence.Key {
        DriftEvidence.Key(
            kind: kind, isNote: isNote, schema: UTF8Key(schema), place: UTF8Key(place),
            rule: UTF8Key(kind == .brokenRule ? expected : ""))
    }

    /// The finding without an edit and the mark of a baseline.
    fileprivate var alone: Self {
        var finding = self
        (finding.edit, finding.isNew) = (nil, true)
        return finding
    }

    fileprivate func isAboutMinimum(_ edit: DriftReport.Edit?) -> Bool {
        edit?.pointer.tokens.last?.hasPrefix("min") ?? false
    }

    /// The order of a report: the most frequent first.
    static func precedes(_ left: Self, _ right: Self) -> Bool {
        if left.count != right.count { return left.count > right.count }
        for (left, right) in [
            (left.schema, right.schema), (left.place, right.place), (left.kind.rawValue, right.kind.rawValue),
            (left.expected, right.expected),
        ] where !UTF8Text.equal(left, right) {
            return UTF8Text.precedes(left, right)
        }
        return false
    }
}

extension DriftEvidences {
    /// Sentences about what the limits left out.
    var cuts: [String] {
        (findings(areNotes: false) + findings(areNotes: true)).compactMap { finding in
            if finding.kind == .unknownMember, UTF8Text.equal(finding.place, Self.others) {
                return "\(finding.title): unknown members beyond the limits are counted together"
            }
            return finding.otherValues > 0
                ? "\(finding.title): only \(finding.values.count.counted("value")) are listed" : nil
        }
    }
}

extension DriftReport.Figure {
    /// The key by which figures are told apart.
    var key: [UTF8Key] { [UTF8Key(schema), UTF8Key(place)] }
}
