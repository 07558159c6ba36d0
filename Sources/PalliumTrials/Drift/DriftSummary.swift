import PalliumCore
import PalliumJSON

/// Makes a report of what was counted.
struct DriftSummary {
    let root: ModelLayout
    let registry: SchemaRegistry
    let counts: DriftCounts

    /// How many edits are tried: those of the most frequent findings. Each needs all schemas.
    private static let maximumTriedEdits = 200

    /// The report.
    var report: DriftReport {
        let edits = DriftEdits(registry: registry, counts: counts)
        var findings: [DriftReport.Finding] = []
        var notes: [DriftReport.Finding] = []
        for (key, evidence) in zip(counts.evidences.keys, counts.evidences.evidences) {
            let finding = DriftReport.Finding(
                kind: key.kind, schema: key.schema.text, place: key.place.text, expected: evidence.expected,
                count: evidence.count, values: evidence.values, otherValues: evidence.otherValues,
                examples: evidence.examples, edit: key.isNote ? nil : edits.edit(for: key, evidence))
            if key.isNote { notes.append(finding) } else { findings.append(finding) }
        }
        findings.sort(by: Self.precedes)
        let proposals = findings.indices.filter { findings[$0].edit != nil }
        for index in proposals.prefix(Self.maximumTriedEdits) where findings[index].edit.map(edits.isValid) == false {
            findings[index].edit = nil
        }
        // The root first, then what it refers to.
        let others = registry.layouts(neededBy: [root]).filter { $0 !== root }
        let layouts = [root] + others.sorted { UTF8Text.precedes($0.schema.name, $1.schema.name) }
        notes += layouts.flatMap(unseen)
        return DriftReport(
            schema: root.schema.name, documents: counts.documents, findings: findings,
            notes: notes.sorted(by: Self.precedes), figures: layouts.flatMap(figures), cuts: cuts)
    }

    private static func precedes(_ left: DriftReport.Finding, _ right: DriftReport.Finding) -> Bool {
        if left.count != right.count { return left.count > right.count }
        for (left, right) in [
            (left.schema, right.schema), (left.place, right.place), (left.kind.rawValue, right.kind.rawValue),
            (left.expected, right.expected),
        ] where !UTF8Text.equal(left, right) {
            return UTF8Text.precedes(left, right)
        }
        return false
    }

    private func count(of layout: ModelLayout) -> Int { counts.objects[UTF8Key(layout.schema.name)] ?? 0 }

    /// The properties that the schema of a layout declares, in order.
    private func declared(by layout: ModelLayout) -> [ValueDescriptor] {
        layout.properties.map(\.descriptor).filter { UTF8Text.equal($0.schema, layout.schema.name) }
    }

    // MARK: Notes

    /// Returns the notes about what no document had: the schema, or optional properties of it.
    private func unseen(in layout: ModelLayout) -> [DriftReport.Finding] {
        func note(_ place: String, _ expected: String) -> DriftReport.Finding {
            DriftReport.Finding(
                kind: .neverSeen, schema: layout.schema.name, place: place, expected: expected, count: 0, values: [],
                otherValues: 0, examples: [], edit: nil)
        }
        guard count(of: layout) > 0 else {
            // Models in properties that were never seen need no notes of their own.
            let isChoice = layout.lineage.dropFirst().contains { $0.schema.cluster != nil && count(of: $0) > 0 }
            return isChoice ? [note("", "an object of the schema")] : []
        }
        return declared(by: layout).compactMap { descriptor in
            guard let figures = counts.figures[DriftCounts.Key(descriptor, level: 0)], figures.holders > 0,
                figures.absent == figures.holders, !descriptor.property.isRequired
            else { return nil }
            return note(descriptor.key, "the member in a document")
        }
    }

    // MARK: Figures

    private func figures(of layout: ModelLayout) -> [DriftReport.Figure] {
        var result: [DriftReport.Figure] = []
        for property in declared(by: layout) {
            for (level, descriptor) in sequence(first: property, next: \.element).enumerated() {
                guard let figures = counts.figures[DriftCounts.Key(descriptor, level: level)] else { break }
                result.append(Self.figure(figures, descriptor, level))
            }
        }
        return result
    }

    private static func figure(
        _ figures: ValueFigures, _ descriptor: ValueDescriptor, _ level: Int
    ) -> DriftReport.Figure {
        DriftReport.Figure(
            schema: descriptor.schema, place: descriptor.key + String(repeating: "[]", count: level),
            kind: descriptor.property.kind.name, holders: figures.holders, absent: figures.absent,
            nulls: figures.evidence.nulls,
            kinds: Dictionary(uniqueKeysWithValues: figures.kinds.map { ($0.name, $0.count) }),
            numbers: figures.values.map(range), lengths: figures.lengths.map(range), counts: figures.counts.map(range),
            distinct: figures.distinct.count, isDistinctEstimated: figures.distinct.isEstimate)
    }

    private static func range(_ range: ValueRange) -> DriftReport.Figure.Range {
        DriftReport.Figure.Range(
            minimum: range.minimum, maximum: range.maximum,
            bars: range.buckets.sorted { $0.key < $1.key }.map {
                DriftReport.Figure.Bar(start: ValueRange.start(of: $0.key), count: $0.value)
            })
    }

    // MARK: Limits

    private var cuts: [String] {
        zip(counts.evidences.keys, counts.evidences.evidences).compactMap { key, evidence in
            let title = DriftReport.title(key.schema.text, key.place.text)
            if key.kind == .unknownMember, UTF8Text.equal(key.place.text, DriftEvidences.others) {
                return "\(title): unknown members beyond the limits are counted together"
            }
            return evidence.otherValues > 0
                ? "\(title): only \(evidence.values.count.counted("value")) are listed" : nil
        }
    }
}
