public import PalliumCore
import PalliumDocuments
import PalliumJSON

/// The changes between two versions of schemas, and what they do to data.
///
///     let comparison = try SchemaComparison(of: old, with: new)
///     for change in comparison.changes where change.severity == .breaking { print(change) }
///
/// Documents that one version accepts, made from the schemas of both, are read with the other version, as documents and as
/// archives. For what breaks, the comparison finds the smallest document that shows it, and the change without which it
/// does not break. So a breaking change has a proof. A harmless one has another: the new rules follow from the old ones, or
/// the documents have every case that the change tells apart. What has neither proof is unproved.
public struct SchemaComparison: Sendable {
    /// All changes: of the old schemas in their order, then new schemas.
    public private(set) var changes: [SchemaChange]
    /// The properties and models that no sample contains, so that nothing is known about them.
    public private(set) var omissions: [SchemaError.Problem] = []
    /// The omissions from the data of the writer at hand.
    private var unsampled: [SchemaError.Problem] = []

    /// Compares the schemas of two registries.
    ///
    /// - Parameters:
    ///   - old: The registry with the old schemas.
    ///   - new: The registry with the new schemas. A schema without the name of an old one is its later version if one
    ///     of its upgrades names the old one.
    ///   - directions: Which version reads the data of the other one; both by default.
    ///   - seed: The beginning of the random choices.
    /// - Throws: ``SchemaError`` with the parts of schemas that no document can express, such as hooks in Swift.
    /// - Complexity: O(*n* × *m*) in the size of the schemas that a changed one reaches and the number of effects. Each
    ///   effect takes at most 64 registries of these schemas with one change undone.
    public init(
        of old: SchemaRegistry, with new: SchemaRegistry,
        directions: Set<SchemaChange.Direction> = Set(SchemaChange.Direction.allCases), seed: UInt64 = 0
    ) throws(SchemaError) {
        try self.init(of: old, with: new, directions: directions, seed: seed) { _, _ in }
    }

    /// Compares the schemas of two registries.
    ///
    /// - Parameter didCompare: Called after each schema of each direction, with the number of those that were compared and
    ///   the number of all.
    package init(
        of old: SchemaRegistry, with new: SchemaRegistry, directions: Set<SchemaChange.Direction>, seed: UInt64,
        didCompare: (Int, Int) -> Void
    ) throws(SchemaError) {
        let before = try SchemaDocuments(old)
        let after = try SchemaDocuments(new)
        let edits = SchemaEdit.edits(from: before, to: after)
        changes = edits.map {
            SchemaChange(rule: $0.rule, schema: $0.schema, property: $0.property, old: $0.old, new: $0.new)
        }
        let searches = [
            (SchemaChange.Direction.backward, EffectSearch(edits: edits, writer: before, reader: after)),
            (.forward, EffectSearch(edits: edits, writer: after, reader: before)),
        ].filter { directions.contains($0.0) }.map { ($0, $1, roots: $1.roots) }
        let total = searches.reduce(0) { $0 + $1.roots.count }
        var compared = 0
        for (direction, search, roots) in searches {
            var search = search
            let proofs = edits.map { EditProof(of: $0, writer: search.writer, reader: search.reader) }
            let variants = proofs.flatMap(\.variants)
            unsampled = []
            for name in roots {
                compare(name, direction, &search, seed, variants)
                compared += 1
                didCompare(compared, total)
            }
            for (index, proof) in proofs.enumerated() where !isProved(changes[index], proof, direction) {
                changes[index].unproved.append(direction)
            }
        }
    }

    /// Whether a change is known to break data or not to.
    private func isProved(_ change: SchemaChange, _ proof: EditProof, _ direction: SchemaChange.Direction) -> Bool {
        if change.effects.contains(where: { $0.direction == direction && $0.severity == .breaking }) { return true }
        switch proof.verdict {
        case .proved: return true
        case .open: return false
        case .sampled:
            return !unsampled.contains { problem in
                problem.schema.map { UTF8Text.equal($0, change.schema) } ?? true
                    && (problem.property == nil
                        || problem.property.map(UTF8Key.init) == change.property.map(UTF8Key.init))
            }
        }
    }

    /// Reads the data of one version of a schema with the other one.
    private mutating func compare(
        _ name: String, _ direction: SchemaChange.Direction, _ search: inout EffectSearch, _ seed: UInt64,
        _ variants: [SampleVariants]
    ) {
        let (writer, reader) = (search.writer, search.reader)
        let counterparts = CompatibilityTrial.counterparts(of: name, from: writer.registry, in: reader.registry)
        guard counterparts.count < 2 else { return omit(name, "became several schemas, and is not compared") }
        // Old programs never ask for a schema that they do not have.
        if direction == .forward, counterparts.isEmpty { return }
        var candidates = samples(of: name, in: writer.registry, seed, variants)
        if let counterpart = counterparts.first {
            candidates += samples(of: counterpart, in: reader.registry, seed)
        }
        for found in search.effects(of: candidates, as: name, counterpart: counterparts.first) {
            let effect = SchemaChange.Effect(
                direction: direction, format: found.finding.format, severity: found.finding.severity,
                problem: found.finding.problem, witness: found.witness, model: name)
            for index in found.edits where !changes[index].effects.contains(where: effect.isLike) {
                changes[index].effects.append(effect)
            }
        }
    }

    /// Makes documents of a schema.
    ///
    /// - Parameter variants: Changes of documents of the writer; nil for documents of the reader.
    private mutating func samples(
        of name: String, in registry: SchemaRegistry, _ seed: UInt64, _ variants: [SampleVariants]? = nil
    ) -> [JSONValue] {
        guard let schema = try? registry.schema(named: name) else { return [] }
        let isWriter = variants != nil
        var samples: SampleDocuments
        do { samples = try SampleDocuments(of: schema, registry: registry, seed: seed) } catch {
            omit(error.problems, isWriter)
            return []
        }
        var documents: [JSONValue] = []
        while let document = samples.next(after: documents.count, of: nil) { documents.append(document) }
        if !samples.isComplete {
            omit(
                name,
                "has more choices than \(SampleDocuments.maximumCoverage.counted("document")) cover; the rest is not compared",
                isWriter)
        }
        // A mistake by the schema of the reader that the writer does not make is what a new limit refuses.
        documents += variants.map(samples.documents) ?? samples.invalid().map(\.document)
        omit(samples.omissions, isWriter)
        if isWriter { unsampled += samples.untakenChoices }
        return documents
    }

    private mutating func omit(_ schema: String, _ message: String, _ isWriter: Bool = true) {
        omit([SchemaError.Problem(schema: schema, message: message)], isWriter)
    }

    private mutating func omit(_ problems: [SchemaError.Problem], _ isWriter: Bool) {
        for problem in problems where !omissions.contains(problem) { omissions.append(problem) }
        if isWriter { unsampled += problems }
    }
}

extension SchemaChange.Effect {
    /// Whether another effect differs in its example only.
    fileprivate func isLike(_ other: Self) -> Bool {
        direction == other.direction && format == other.format && severity == other.severity
    }
}
