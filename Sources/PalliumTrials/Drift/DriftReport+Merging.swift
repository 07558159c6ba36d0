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
        for report in [self, other] where report.largestCount > Self.maximumCount {
            throw ModelError(
                .limitExceeded, expected: "counts of at most \(Self.maximumCount)", found: "\(report.largestCount)")
        }
        var figures: [(Figure, holders: Int, values: ValueFigures)] = []
        var numbers: [[UTF8Key]: Int] = [:]
        for figure in self.figures + other.figures {
            let key = [UTF8Key(figure.schema), UTF8Key(figure.place)]
            if let number = numbers[key] {
                figures[number].holders += figure.holders
                figures[number].values.merge(ValueFigures(figure))
            } else {
                numbers[key] = figures.count
                figures.append((figure, figure.holders, ValueFigures(figure)))
            }
        }
        // A report has no figure of elements that it has not seen. They follow their property.
        let order = figures.enumerated().map { position, entry in
            let (property, level) = Self.property(of: entry.0.place)
            return (numbers[[UTF8Key(entry.0.schema), UTF8Key(property)]] ?? position, level, position)
        }
        figures = order.sorted { $0 < $1 }.map { figures[$0.2] }
        var objects = self.objects
        for other in other.objects {
            if let number = objects.firstIndex(where: { UTF8Text.equal($0.schema, other.schema) }) {
                objects[number].count += other.count
            } else {
                objects.append(other)
            }
        }
        var evidences = DriftEvidences()
        for (findings, areNotes) in [(findings + other.findings, false), (notes + other.notes, true)] {
            for finding in findings where finding.kind != .neverSeen {
                evidences.merge(DriftEvidence(finding), of: finding.key(isNote: areNotes))
            }
        }
        var merged = evidences.findings(areNotes: false)
        for (index, finding) in merged.enumerated() {
            merged[index].edit = Self.edit(
                of: finding, self.findings.first { $0.isSame(as: finding) },
                other.findings.first { $0.isSame(as: finding) })
        }
        let joined = figures.map { figure, holders, values in
            Figure(schema: figure.schema, place: figure.place, kind: figure.kind, holders: holders, values)
        }
        let unseen = (notes + other.notes).filter { note in
            note.kind == .neverSeen
                && (UTF8Text.equal(note.place, "")
                    ? !objects.contains { UTF8Text.equal($0.schema, note.schema) }
                    : joined.contains {
                        UTF8Text.equal($0.schema, note.schema) && UTF8Text.equal($0.place, note.place)
                            && $0.absent == $0.holders
                    })
        }
        let first = unseen.enumerated().filter { index, note in !unseen[..<index].contains { $0.isSame(as: note) } }
        self = DriftReport(
            schema: schema, documents: documents + other.documents, findings: merged,
            notes: (evidences.findings(areNotes: true) + first.map { Finding(unseen: $0.element) })
                .sorted(by: Finding.precedes),
            objects: objects.sortedForReport(of: schema), figures: joined.sortedForReport(of: schema),
            cuts: evidences.cuts)
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

    /// Sums of a few such counts are integers, too.
    private static let maximumCount = Int.max >> 4

    private var largestCount: Int {
        let ranges = figures.flatMap { [$0.numbers, $0.lengths, $0.counts].compactMap(\.self) }
        let counts = [
            [documents], objects.map(\.count), figures.map(\.holders), figures.flatMap(\.kinds.values),
            ranges.flatMap(\.bars).map(\.count), (findings + notes).flatMap { [$0.count, $0.otherValues] },
            (findings + notes).flatMap(\.values).map(\.count),
        ]
        return counts.joined().max() ?? 0
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

/// A part of a report that belongs to a schema.
private protocol SchemaPart {
    var schema: String { get }
}

extension DriftReport.Objects: SchemaPart {}
extension DriftReport.Figure: SchemaPart {}

extension Array where Element: SchemaPart {
    /// The parts in the order of a report: those of the root first, then by the names of schemas.
    fileprivate func sortedForReport(of root: String) -> Self {
        enumerated().sorted { left, right in
            let (own, others) = (left.element.schema, right.element.schema)
            if UTF8Text.equal(own, others) { return left.offset < right.offset }
            if UTF8Text.equal(own, root) || UTF8Text.equal(others, root) { return UTF8Text.equal(own, root) }
            return UTF8Text.precedes(own, others)
        }.map(\.element)
    }
}

extension DriftReport.Finding {
    /// The key by which findings, or notes, are told apart.
    func key(isNote: Bool) -> DriftEvidence.Key {
        DriftEvidence.Key(
            kind: kind, isNote: isNote, schema: UTF8Key(schema), place: UTF8Key(place),
            rule: UTF8Key(kind == .brokenRule ? expected : ""))
    }

    fileprivate func isSame(as other: Self) -> Bool { key(isNote: false) == other.key(isNote: false) }

    fileprivate func isAboutMinimum(_ edit: DriftReport.Edit?) -> Bool {
        edit?.pointer.tokens.last?.hasPrefix("min") ?? false
    }

    /// A note about what no document had, without the mark of a baseline.
    fileprivate init(unseen other: Self) {
        self.init(
            kind: other.kind, schema: other.schema, place: other.place, expected: other.expected, count: 0, values: [],
            otherValues: 0, examples: [], edit: nil)
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

extension DriftEvidence {
    /// The evidence in a report, which lacks the values that edits are proposed from.
    fileprivate init(_ finding: DriftReport.Finding) {
        self.init(
            expected: finding.expected, count: finding.count, values: finding.values, otherValues: finding.otherValues,
            examples: finding.examples)
    }
}

extension DriftEvidences {
    /// The findings, or the notes, in the order of a report, without edits.
    func findings(areNotes: Bool) -> [DriftReport.Finding] {
        evidences.filter { $0.key.isNote == areNotes }.map { key, evidence in
            DriftReport.Finding(
                kind: key.kind, schema: key.schema.text, place: key.place.text, expected: evidence.expected,
                count: evidence.count, values: evidence.values, otherValues: evidence.otherValues,
                examples: evidence.examples, edit: nil)
        }.sorted(by: DriftReport.Finding.precedes)
    }

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

extension ValueFigures {
    /// The figures in a report.
    fileprivate init(_ figure: DriftReport.Figure) {
        func range(_ range: DriftReport.Figure.Range?) -> ValueRange? {
            range.map {
                ValueRange(minimum: $0.minimum, maximum: $0.maximum, bars: $0.bars.map { ($0.start, $0.count) })
            }
        }
        self.init(
            nulls: figure.nulls, kinds: DriftReport.Figure.kindNames.map { figure.kinds[$0] ?? 0 },
            present: figure.present, distinct: figure.registers, numbers: range(figure.numbers),
            lengths: range(figure.lengths), counts: range(figure.counts))
    }
}

extension DriftReport.Figure {
    init(schema: String, place: String, kind: String, holders: Int, _ values: ValueFigures) {
        func range(_ range: ValueRange?) -> Range? {
            range.map {
                Range(
                    minimum: $0.minimum, maximum: $0.maximum,
                    bars: $0.bars.map { Bar(start: $0.start, count: $0.count) })
            }
        }
        self.init(
            schema: schema, place: place, kind: kind, holders: holders,
            absent: max(0, holders - values.present - values.nulls), nulls: values.nulls,
            kinds: Dictionary(uniqueKeysWithValues: values.kinds.map { ($0.name, $0.count) }),
            numbers: range(values.numbers), lengths: range(values.lengths), counts: range(values.counts),
            registers: values.distinct)
    }
}
