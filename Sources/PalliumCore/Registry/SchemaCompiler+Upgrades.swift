import PalliumJSON

/// Checks upgrade steps between versions.
extension SchemaCompiler {
    /// Checks that the upgrade steps are complete, and that their results are used.
    mutating func checkUpgrades(of schema: ModelSchema) {
        if schema.version < 1 { report(schema, nil, "versions count from 1", in: ["version"]) }
        checkClaims(of: schema)
        guard !schema.upgrades.isEmpty else { return }
        let versions = schema.upgrades.map(\.from).sorted()
        if Set(versions).count != versions.count {
            report(schema, nil, "two upgrades start from the same version", in: ["upgrades"])
        }
        for (index, step) in schema.upgrades.enumerated() {
            for (key, names) in step.transformed.sorted(by: { UTF8Text.precedes($0.key, $1.key) }) {
                for name in names {
                    do { _ = try transformers.transformer(named: name) } catch {
                        report(
                            schema, nil,
                            "the upgrade of \(key) names the transformer \(name), which is not registered",
                            fix: error.registrationFix, in: ["upgrades", "\(index)"])
                    }
                }
            }
            if step.from < 1 || step.from >= schema.version {
                report(
                    schema, nil,
                    "an upgrade starts from version \(step.from), but the schema has version \(schema.version)",
                    in: ["upgrades", "\(index)"])
            }
            if !step.when.isEmpty, step.oldSchemaName == nil {
                report(
                    schema, nil, "the upgrade from version \(step.from) chooses models of no old schema name",
                    fix: "name the schema whose models they were", in: ["upgrades", "\(index)"])
            }
        }
        if let first = versions.first, first >= 1, first < schema.version, schema.version - first <= 10_000 {
            let known = Set(versions)
            for version in first..<schema.version where !known.contains(version) {
                report(
                    schema, nil, "the upgrade from version \(version) is missing",
                    fix: "declare a step, even an empty one", in: ["upgrades"])
            }
        }
        checkKeysOfSteps(of: schema)
    }

    /// Reports keys that a step makes and that neither the schema nor a later step uses.
    ///
    /// They are spelling mistakes, and their values would be lost. Code may use any key.
    private mutating func checkKeysOfSteps(of schema: ModelSchema) {
        let properties = lineage(of: schema).flatMap(\.properties)
        // A hook may use any key.
        if properties.contains(where: { $0.schema.storedValueHook != nil }) { return }
        var known: [UTF8Key: PropertySchema] = [:]
        for property in properties { known[UTF8Key(property.key)] = property.schema }
        var used = Set(known.keys)
        // From the last step to the first, with the keys that later steps use.
        for (index, step) in schema.upgrades.enumerated().sorted(by: { $0.element.from > $1.element.from }) {
            let made = step.defaults.keys.map { ($0, "gives a default to \(ModelError.quote($0))") }
            used.formUnion(step.removed.map { UTF8Key($0) })
            check(made, of: schema, step, index, used, known)
            if step.conversion != nil { return }
            check(
                step.transformed.keys.map { ($0, "transforms \(ModelError.quote($0))") }
                    + step.renamed.map { ($1, "renames \(ModelError.quote($0)) to \(ModelError.quote($1))") },
                of: schema, step, index, used, known)
            used.formUnion(step.renamed.keys.map { UTF8Key($0) })
        }
    }

    private mutating func check(
        _ made: [(key: String, sentence: String)], of schema: ModelSchema, _ step: SchemaUpgrade, _ index: Int,
        _ used: Set<UTF8Key>,
        _ known: [UTF8Key: PropertySchema]
    ) {
        for (key, sentence) in made.sorted(by: { UTF8Text.precedes($0.key, $1.key) })
        where !used.contains(UTF8Key(key)) {
            report(
                schema, nil,
                "the upgrade from version \(step.from) \(sentence), which no property and no later step has",
                fix: nearestKey(to: key, in: known) ?? "name a key of \(schema.name)",
                in: ["upgrades", "\(index)"])
        }
    }

    // MARK: Former names

    /// Checks that stored models can be assigned to a schema where several had the same name.
    ///
    /// The conditions of their steps decide, or the cluster of a common ancestor.
    private mutating func checkClaims(of schema: ModelSchema) {
        var reported: Set<UTF8Key> = []
        for claim in schema.claims {
            for name in schemasCalled(claim.name) where !UTF8Text.equal(name, schema.name) {
                // One of two new schemas is reported, and once.
                guard let other = self.schema(.named(name)), isNew(schema, after: other),
                    let version = other.claims.lazy.compactMap({ claim.overlap(with: $0) }).first,
                    !isDecided(claim, schema, other), reported.insert(UTF8Key(name)).inserted
                else { continue }
                report(
                    schema, nil,
                    "models of \(ModelError.quote(claim.name)), version \(version), may be \(schema.name) or \(other.name)",
                    fix: "say which are whose with the when of a step, or let the cluster of a common ancestor decide",
                    in: ["upgrades"])
            }
        }
    }

    private func isDecided(_ claim: SchemaClaim, _ schema: ModelSchema, _ other: ModelSchema) -> Bool {
        let others = other.claims.filter { claim.overlap(with: $0) != nil }
        if claim.when != others.first?.when, claim.isConditional || others.contains(where: \.isConditional) {
            return true
        }
        let ancestors = lineage(of: other)
        return lineage(of: schema).contains { $0.cluster != nil && ancestors.contains($0) }
    }
}

/// A name that a schema has or had, and the versions in which it had it.
struct SchemaClaim {
    let name: String
    let versions: ClosedRange<Int>
    let when: [String: JSONValue]

    var isConditional: Bool { !when.isEmpty }

    /// Returns the first version in which both claim the name.
    func overlap(with other: SchemaClaim) -> Int? {
        guard UTF8Text.equal(name, other.name), versions.overlaps(other.versions) else { return nil }
        return max(versions.lowerBound, other.versions.lowerBound)
    }
}

extension ModelSchema {
    /// The schema's names before some of its steps.
    package var formerNames: [String] { upgrades.compactMap(\.oldSchemaName) }

    /// The names the schema has and had, with their versions.
    var claims: [SchemaClaim] {
        var claims: [SchemaClaim] = []
        var first = 1
        for step in upgrades.sorted(by: { $0.from < $1.from }) {
            // Steps from other versions are reported separately.
            guard let name = step.oldSchemaName, step.from >= first, step.from < version else { continue }
            claims.append(SchemaClaim(name: name, versions: first...step.from, when: step.when))
            first = step.from + 1
        }
        if first <= version { claims.append(SchemaClaim(name: name, versions: first...version, when: [:])) }
        return claims
    }
}
