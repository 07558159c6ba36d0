import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Edits of lists and rules: more cases, more models, wider limits.
extension DriftEdits {
    /// Returns what stands in a schema document.
    private func present(_ pointer: [String], in layout: ModelLayout) -> JSONValue? {
        guard let document = try? registry.document(of: layout.schema) else { return nil }
        return document[JSONPointer(tokens: pointer)]
    }

    /// Proposes the cases with those that were found; or to keep unknown ones, if not all are known.
    func moreCases(_ target: Target, _ evidence: DriftEvidence) -> DriftReport.Edit? {
        let isListed = evidence.finding.otherValues == 0 && !evidence.finding.values.isEmpty
        guard isListed else { return target.edit("unknown", "keep") }
        let found = evidence.finding.values.map(\.value)
        switch present(target.pointer + ["cases"], in: target.layout) {
        case .array(let cases): return target.edit("cases", .array(cases + found))
        case .object(var cases):
            for value in found {
                guard let text = value.stringValue else { return nil }
                cases.updateValue(.array([value]), forKey: text)
            }
            return target.edit("cases", .object(cases))
        default: return nil
        }
    }

    /// Proposes a model with the members of objects that a cluster does not know, or to read them with the schema of the
    /// cluster.
    func moreModels(_ layout: ModelLayout, _ evidence: DriftEvidence) -> DriftReport.Edit? {
        func edit(_ member: String, _ value: JSONValue) -> DriftReport.Edit {
            DriftReport.Edit(schema: layout.schema.name, pointer: ["cluster", member], value: value, newSchemas: [])
        }
        let name = JSONValue.string(layout.schema.name)
        let isListed = evidence.finding.values.reduce(0) { $0 + $1.count } == evidence.finding.count
        guard isListed, case .discriminator(let path, let models, let fallback)? = layout.schema.cluster else {
            return layout.schema.cluster == nil ? nil : edit("default", name)
        }
        func more(_ name: String, _ newSchemas: [JSONValue] = []) -> DriftReport.Edit? {
            var schema = layout.schema
            let found = evidence.finding.values.map { ModelCluster.Entry($0.value, .named(name)) }
            schema.cluster = .discriminator(path: path, models: models + found, default: fallback)
            guard let value = try? registry.document(of: schema)["cluster"]?["models"] else { return nil }
            return DriftReport.Edit(
                schema: schema.name, pointer: ["cluster", "models"], value: value, newSchemas: newSchemas)
        }
        if let (name, documents) = newModel(of: layout, evidence), let edit = more(name, documents), isValid(edit) {
            return edit
        }
        return more(layout.schema.name) ?? edit("default", name)
    }

    /// Returns the name of a new model of a cluster with the members that were seen, and its document before those of the
    /// models in it.
    private func newModel(of layout: ModelLayout, _ evidence: DriftEvidence) -> (String, [JSONValue])? {
        let names = registry.schemas.map(\.name)
        guard var schemas = try? evidence.inference?.inferred(avoiding: names).map(\.schema).dropFirst(),
            let first = schemas.first
        else { return nil }
        var model = first
        model.parent = .named(layout.schema.name)
        schemas[schemas.startIndex] = model
        var documents: [JSONValue] = []
        for schema in schemas {
            var schema = schema
            schema.documentation = ""
            guard let document = try? registry.document(of: schema) else { return nil }
            documents.append(document)
        }
        // One tag is a better name than that of a member.
        guard evidence.finding.values.count == 1, let tag = evidence.finding.values[0].value.stringValue,
            case .object(var document) = documents[0]
        else { return (model.name, documents) }
        let name = SchemaInference.schemaName(ofMany: tag)
        let isTaken = (names + schemas.map(\.name)).contains { $0.inLowercase == name.inLowercase }
        if isTaken { return (model.name, documents) }
        document["name"] = .string(name)
        documents[0] = .object(document)
        return (name, documents)
    }

    /// Proposes a limit that allows the values found, or to drop the rule.
    func widerRule(_ target: Target, _ key: DriftEvidence.Key, _ evidence: DriftEvidence) -> DriftReport.Edit? {
        // A rule may be inherited.
        for layout in target.layout.lineage {
            guard let index = layout.index(of: target.descriptor.key) else { break }
            let parts = sequence(first: layout.properties[index].descriptor) { $0.element }
            for (level, part) in parts.enumerated() where level >= target.level {
                let rule = part.property.rules.first { UTF8Text.equal($0.expectation, key.rule.text) }
                guard let rule, let declaring = try? registry.layout(named: part.schema) else { continue }
                let place = Target(layout: declaring, descriptor: part, level: level)
                return place.edit(rule.name, Self.limit(of: rule, evidence.figures))
            }
        }
        return nil
    }

    private static func limit(of rule: PropertySchema.Rule, _ figures: ValueFigures) -> JSONValue? {
        let bound =
            switch rule {
            case .minimum: figures.numbers?.minimum
            case .maximum: figures.numbers?.maximum
            case .minLength: figures.lengths?.minimum
            case .maxLength: figures.lengths?.maximum
            case .minCount: figures.counts?.minimum
            case .maxCount: figures.counts?.maximum
            default: nil as JSONNumber?
            }
        return bound.map { .number($0) }
    }

    /// Proposes to drop a rule about several properties.
    func noRule(in layout: ModelLayout, _ key: DriftEvidence.Key) -> DriftReport.Edit? {
        for layout in layout.lineage {
            for (index, rule) in layout.schema.rules.enumerated() where Self.isBroken(rule, layout, key) {
                // A document has no empty list of rules.
                let tokens = layout.schema.rules.count == 1 ? ["rules"] : ["rules", "\(index)"]
                return DriftReport.Edit(
                    schema: layout.schema.name, pointer: JSONPointer(tokens: tokens), value: nil, newSchemas: [])
            }
        }
        return nil
    }

    /// Whether the expectation of a finding is that of a rule.
    private static func isBroken(_ rule: ModelSchema.Rule, _ layout: ModelLayout, _ key: DriftEvidence.Key) -> Bool {
        let text = key.rule.text
        switch rule {
        case .required(let keys, _):
            return text.hasPrefix("a value of ") && keys.contains { UTF8Text.equal($0, key.place.text) }
        case .exactlyOneOf(let keys):
            let names = keys.map { ModelError.shorten($0, to: 64) }.joined(separator: ", ")
            return UTF8Text.equal(text, "exactly one of \(names)")
        case .before(let first, let second):
            return UTF8Text.equal(first, key.place.text)
                && text.utf8.elementsEqual("\(path(first)) before \(second)".utf8)
        case .notAfter(let first, let second):
            return UTF8Text.equal(first, key.place.text)
                && text.utf8.elementsEqual("\(path(first)) not after \(second)".utf8)
        }
        func path(_ key: String) -> String {
            layout.index(of: key).map { layout.properties[$0].descriptor.path } ?? key
        }
    }
}
