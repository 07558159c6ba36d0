import PalliumCore
import PalliumDocuments
import PalliumJSON

/// The knowledge about the effect of an edit before documents are read.
struct EditProof {
    enum Verdict: Int, Comparable {
        /// The reader accepts what the writer accepts, whatever it is.
        case proved
        /// Samples have every kind of value that the edit tells apart.
        case sampled
        /// Only a document can show an effect, and none may be found.
        case open

        static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }
    }

    private(set) var verdict = Verdict.proved
    /// Changes of valid documents of the writer that may show an effect.
    private(set) var variants: [SampleVariants] = []
    private let writer: SchemaDocuments
    private let reader: SchemaDocuments

    init(of edit: SchemaEdit, writer: SchemaDocuments, reader: SchemaDocuments) {
        self.writer = writer
        self.reader = reader
        guard edit.concernsData else { return }
        if edit.places == [[]] {
            raise(to: .sampled)
            let names = CompatibilityTrial.counterparts(of: edit.schema, from: writer.registry, in: reader.registry)
            guard let old = writer[edit.schema], names.count == 1, let new = reader[names[0]] else { return }
            // A schema with a new name may have changed in every place.
            for edit in SchemaEdit.edits(of: edit.schema, from: old, to: new) { judge(edit, readAs: names[0]) }
        } else {
            judge(edit, readAs: edit.schema)
        }
    }

    private mutating func raise(to other: Verdict) {
        verdict = max(verdict, other)
    }

    private mutating func judge(_ edit: SchemaEdit, readAs name: String) {
        guard let old = try? writer.registry.layout(named: edit.schema),
            let new = try? reader.registry.layout(named: name)
        else { return raise(to: .open) }
        if let key = edit.property {
            judge(edit, key, old, new)
        } else {
            judge(edit.places[0].last ?? "", old, new)
        }
    }

    // MARK: Schemas

    /// Judges a member of a schema.
    private mutating func judge(_ member: String, _ old: ModelLayout, _ new: ModelLayout) {
        switch member {
        case "doc", "observed", "identity", "allowsStubs", "ignored": break
        case "refusesUnknownMembers": if new.schema.refusesUnknownMembers { raise(to: .open) }
        case "rules":
            let proof = ModelRuleProof(
                of: new.lineage.flatMap(\.schema.rules), given: old.lineage.flatMap(\.schema.rules)
            ) { key in old.index(of: key).map { old.properties[$0].schema.isNullable } ?? true }
            if proof.isProved { break }
            raise(to: .open)
            variants.append(SampleVariants(of: old.schema.name, proof.assignments))
        case "cluster":
            // A discriminator is sampled with every value; of rules, more than one may hold.
            for case .rules? in [old.schema.cluster, new.schema.cluster] { raise(to: .open) }
            raise(to: .sampled)
        case "version", "upgrades":
            let isPlain = new.schema.upgrades.allSatisfy { $0.transformed.isEmpty && $0.when.isEmpty }
            raise(to: isPlain ? .sampled : .open)
        case "keys": raise(to: .sampled)
        default: raise(to: .open)
        }
    }

    // MARK: Properties

    private mutating func judge(_ edit: SchemaEdit, _ key: String, _ old: ModelLayout, _ new: ModelLayout) {
        switch (old.index(of: key), new.index(of: key)) {
        case (let slot?, let other?): add(PropertyProof(of: [edit], old, slot, new, other))
        case (_, nil): raise(to: .sampled)
        case (nil, let other?):
            raise(to: .sampled)
            let before = DocumentShape(old).properties
            let after = DocumentShape(new).properties[other]
            // No sample has members that the writer skips, and few have what is inside of the value of a property.
            let ignored = old.ignoredPaths
            let outer = (ignored + before.flatMap(\.paths)).map(\.tokens)
            let isInside = after.paths.map(\.tokens).contains { path in
                outer.contains { $0 != path && path.starts(with: $0) }
            }
            if isInside || ignored.contains(where: { path in after.paths.contains { $0.steps == path.steps } }) {
                raise(to: .open)
            }
            for (slot, property) in old.properties.enumerated() {
                // The property may read what another one wrote.
                let isRenamed = new.lineage.flatMap(\.schema.upgrades).contains { $0.renamed[property.key] == key }
                guard isRenamed || !Set(before[slot].paths).isDisjoint(with: after.paths),
                    let written = object(of: property.key, in: old, writer), let read = object(of: key, in: new, reader)
                else { continue }
                let edits = SchemaEdit.edits(
                    ofProperty: edit.schema, from: written, to: read, at: ["properties", key], name: "")
                add(PropertyProof(of: edits, old, slot, new, other))
            }
        }
    }

    private mutating func add(_ proof: PropertyProof) {
        raise(to: proof.verdict)
        variants += proof.variants
    }

    /// The document of a property that a schema or an ancestor declares.
    private func object(of key: String, in layout: ModelLayout, _ documents: SchemaDocuments) -> JSONObject? {
        layout.lineage.lazy.compactMap { documents[$0.schema.name]?["properties"]?[key]?.objectValue }.first
    }
}
