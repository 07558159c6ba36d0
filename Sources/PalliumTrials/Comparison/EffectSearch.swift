import PalliumCore
import PalliumJSON

/// Finds what breaks when one version of schemas reads the data of another one, and the edits that cause it.
struct EffectSearch {
    /// Something that breaks.
    struct Effect {
        let finding: CompatibilityTrial.Finding
        /// The smallest document that was found to show it.
        let witness: JSONValue
        /// The positions of the edits that cause it: one, unless only several together do.
        let edits: [Int]
    }

    /// How many edits are undone to find the cause of an effect: each takes a new registry of what a document reaches.
    private static let maximumTrials = 64

    private let edits: [SchemaEdit]
    /// The positions of the edits that can have an effect on data.
    private let editsBySchema: [UTF8Key: [Int]]
    let writer: SchemaDocuments
    let reader: SchemaDocuments
    /// What was found, so that the next document that shows it is passed over.
    private var known: Set<Set<String>> = []

    init(edits: [SchemaEdit], writer: SchemaDocuments, reader: SchemaDocuments) {
        self.edits = edits
        editsBySchema = Dictionary(grouping: edits.indices.filter { edits[$0].concernsData }) {
            UTF8Key(edits[$0].schema)
        }
        self.writer = writer
        self.reader = reader
    }

    /// The writer's schemas whose data can be affected: edited ones, and their ancestors, whose clusters choose among
    /// them. A model that another one holds is read as if it stood alone.
    var roots: [String] {
        var affected: Set<UTF8Key> = []
        for name in Set(edits.lazy.filter(\.concernsData).map { UTF8Key($0.schema) }) {
            affected.insert(name)
            for registry in [writer.registry, reader.registry] {
                guard let layout = try? registry.layout(named: name.text) else { continue }
                affected.formUnion(layout.lineage.map { UTF8Key($0.schema.name) })
            }
        }
        return writer.names.filter { affected.contains(UTF8Key($0)) }
    }

    /// Finds what breaks with documents of a schema, and was not found before.
    ///
    /// - Parameter documents: Documents of one version or the other. What the writer would not write is left out of them.
    mutating func effects(of documents: [JSONValue], as name: String, counterpart: String?) -> [Effect] {
        guard
            let trial = try? CompatibilityTrial(
                of: name, writer: writer.registry, reader: reader.registry, counterpart: counterpart)
        else { return [] }
        var effects: [Effect] = []
        for document in documents.lazy.compactMap(trial.accepted) {
            // What a document breaks, an archive of it mostly breaks, too.
            var last = document
            for finding in trial.findings(document) where known.insert(finding.kind).inserted {
                let shows = { (candidate: JSONValue) in
                    trial.findings(candidate, as: [finding.format]).contains { $0.kind == finding.kind }
                }
                var smallest = SmallestDocument(shows(last) ? last : document, where: shows)
                let witness = smallest.reduce()
                last = witness
                guard
                    let shown = trial.findings(witness, as: [finding.format]).first(where: { $0.kind == finding.kind })
                else { continue }
                effects.append(
                    Effect(
                        finding: shown, witness: witness,
                        edits: causes(of: shown, shownBy: witness, as: name, counterpart, trial)))
            }
        }
        return effects
    }

    /// Returns the edit without which a document does not show a finding; the nearest edits if there is no such edit.
    private func causes(
        of finding: CompatibilityTrial.Finding, shownBy witness: JSONValue, as name: String, _ counterpart: String?,
        _ trial: CompatibilityTrial
    ) -> [Int] {
        // No other schema has a part in reading the document.
        let names = writer.names(neededBy: name).union(reader.names(neededBy: counterpart ?? name))
        let near = names.flatMap { editsBySchema[$0] ?? [] }
            .sorted { (distance(of: $0, from: finding), $0) < (distance(of: $1, from: finding), $1) }
        for index in near.prefix(Self.maximumTrials) {
            if let registry = reader.registry(of: names, taking: edits[index], from: writer),
                let trial = try? trial.reading(with: registry, as: counterpart ?? name),
                !trial.findings(witness, as: [finding.format]).contains(where: { $0.kind == finding.kind })
            {
                return [index]
            }
        }
        guard let nearest = near.first.map({ distance(of: $0, from: finding) }) else { return [] }
        return near.filter { distance(of: $0, from: finding) == nearest }
    }

    /// How far the place of an edit is from that of a finding: 0 for the same property.
    private func distance(of index: Int, from finding: CompatibilityTrial.Finding) -> Int {
        let edit = edits[index]
        if !UTF8Text.equal(edit.schema, finding.schema) { return 3 }
        if edit.property.map(UTF8Key.init) == finding.property.map(UTF8Key.init) { return 0 }
        return edit.property == nil ? 1 : 2
    }
}
