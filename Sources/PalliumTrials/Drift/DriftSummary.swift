import PalliumCore
import PalliumJSON

/// Makes a report of what was counted.
struct DriftSummary {
    let plans: DriftPlans
    let counts: DriftCounts
    /// The number of objects that may have a value, by the numbers of figures. For elements, the number of elements.
    private let holders: [Int]

    init(plans: DriftPlans, counts: DriftCounts) {
        self.plans = plans
        self.counts = counts
        var holders = zip(plans.values, counts.figures).map { $0.level > 0 ? $1.present + $1.nulls : 0 }
        for (plan, count) in zip(plans.plans, counts.objects) {
            for property in plan.properties { holders[property.figure] += count }
        }
        self.holders = holders
    }

    private var registry: SchemaRegistry { plans.registry }

    /// How many edits are tried: those of the most frequent findings. Each needs all schemas.
    private static let maximumTriedEdits = 200

    /// The report.
    var report: DriftReport {
        let edits = DriftEdits(plans: plans, counts: counts)
        var findings = counts.evidences.findings(areNotes: false)
        for (index, finding) in findings.enumerated() {
            let key = finding.key(isNote: false)
            findings[index].edit = counts.evidences.evidences[key].flatMap { edits.edit(for: key, $0) }
        }
        let proposals = findings.indices.filter { findings[$0].edit != nil }
        for index in proposals.prefix(Self.maximumTriedEdits) where findings[index].edit.map(edits.isValid) == false {
            findings[index].edit = nil
        }
        // The root first, then what it refers to.
        let others = plans.plans.dropFirst().map(\.layout)
        let layouts = [plans.root] + others.sorted { UTF8Text.precedes($0.schema.name, $1.schema.name) }
        let objects = objects
        let notes = counts.evidences.findings(areNotes: true) + layouts.flatMap { unseen(in: $0, objects) }
        return DriftReport(
            schema: plans.root.schema.name, documents: counts.documents, findings: findings,
            notes: notes.sorted(by: DriftReport.Finding.precedes),
            objects: layouts.compactMap { layout in
                objects[UTF8Key(layout.schema.name)].map { .init(schema: layout.schema.name, count: $0) }
            }, figures: layouts.flatMap(figures), cuts: counts.evidences.cuts)
    }

    /// The number of objects by the names of their schemas and those of the ancestors.
    private var objects: [UTF8Key: Int] {
        var objects: [UTF8Key: Int] = [:]
        for (plan, count) in zip(plans.plans, counts.objects) where count > 0 {
            for layout in plan.layout.lineage { objects[UTF8Key(layout.schema.name), default: 0] += count }
        }
        return objects
    }

    /// The properties that the schema of a layout declares, in order.
    private func declared(by layout: ModelLayout) -> [ValueDescriptor] {
        layout.properties.map(\.descriptor).filter { UTF8Text.equal($0.schema, layout.schema.name) }
    }

    // MARK: Notes

    /// Returns the notes about what no document had: the schema, or optional properties of it.
    private func unseen(in layout: ModelLayout, _ objects: [UTF8Key: Int]) -> [DriftReport.Finding] {
        func count(of layout: ModelLayout) -> Int { objects[UTF8Key(layout.schema.name)] ?? 0 }
        func note(_ place: String, _ expected: String) -> DriftReport.Finding {
            DriftReport.Finding(kind: .neverSeen, schema: layout.schema.name, place: place, expected: expected)
        }
        guard count(of: layout) > 0 else {
            // Models in properties that were never seen need no notes of their own.
            let isChoice = layout.lineage.dropFirst().contains { $0.schema.cluster != nil && count(of: $0) > 0 }
            return isChoice ? [note("", "an object of the schema")] : []
        }
        return declared(by: layout).compactMap { descriptor in
            guard let number = plans.figure(of: descriptor, level: 0), !descriptor.property.isRequired,
                counts.figures[number].present + counts.figures[number].nulls == 0, holders[number] > 0
            else { return nil }
            return note(descriptor.key, "the member in a document")
        }
    }

    // MARK: Figures

    private func figures(of layout: ModelLayout) -> [DriftReport.Figure] {
        var result: [DriftReport.Figure] = []
        for property in declared(by: layout) {
            for (level, descriptor) in sequence(first: property, next: \.element).enumerated() {
                guard let number = plans.figure(of: descriptor, level: level) else { break }
                let (holders, values) = (self.holders[number], counts.figures[number])
                if holders == 0 { break }
                result.append(
                    DriftReport.Figure(
                        schema: descriptor.schema, place: descriptor.key + String(repeating: "[]", count: level),
                        kind: descriptor.property.kind.name, holders: holders,
                        absent: max(0, holders - values.present - values.nulls), values: values))
            }
        }
        return result
    }
}
