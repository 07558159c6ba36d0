import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Proposes edits of schema documents that accept what was found.
struct DriftEdits {
    let plans: DriftPlans
    let counts: DriftCounts

    var registry: SchemaRegistry { plans.registry }

    /// The declared property that a finding is about.
    struct Target {
        let layout: ModelLayout
        let descriptor: ValueDescriptor
        /// How many collections of the property are entered.
        let level: Int

        /// The path to the property in its document, or to its elements.
        var pointer: [String] {
            let key = descriptor.key
            return ["properties", key] + Array(repeating: "of", count: level)
        }

        func edit(_ member: String, _ value: JSONValue?) -> DriftReport.Edit {
            DriftReport.Edit(
                schema: layout.schema.name, pointer: JSONPointer(tokens: pointer + [member]), value: value,
                newSchemas: [])
        }
    }

    /// Returns the edit for a finding; nil if none is known.
    func edit(for key: DriftEvidence.Key, _ evidence: DriftEvidence) -> DriftReport.Edit? {
        guard let layout = try? registry.layout(named: key.schema.text) else { return nil }
        let target = target(key.place.text, in: layout)
        switch key.kind {
        case .unknownMember: return newProperty(key.place.text, in: layout, evidence)
        case .missingMember: return target?.edit("required", nil)
        case .unexpectedNull: return target.map(nullable)
        case .otherKind, .invalidValue: return target.flatMap { otherKind($0, evidence) }
        case .unlistedCase: return target.flatMap { moreCases($0, evidence) }
        case .unlistedModel: return moreModels(layout, evidence)
        case .brokenRule: return target.flatMap { widerRule($0, key, evidence) } ?? noRule(in: layout, key)
        case .malformed, .refused, .neverSeen: return nil
        }
    }

    /// Whether the schemas can be loaded with an edit. Schemas that no document can express are not tried.
    func isValid(_ edit: DriftReport.Edit) -> Bool {
        var schemas = registry.schemas
        guard let position = schemas.firstIndex(where: { UTF8Text.equal($0.name, edit.schema) }),
            case .object(var document)? = try? registry.document(of: schemas[position])
        else { return true }
        document.set(edit.value, at: edit.pointer.tokens)
        for (index, document) in ([.object(document)] + edit.newSchemas).enumerated() {
            guard var schema = registry.schema(reading: document) else { return false }
            if index > 0 {
                schemas.append(schema)
            } else {
                schema.modelClass = schemas[position].modelClass
                schemas[position] = schema
            }
        }
        return (try? registry.copy(with: schemas)) != nil
    }

    /// Returns the property of a place: its key, with `[]` for each level of elements.
    private func target(_ place: String, in layout: ModelLayout) -> Target? {
        var key = Substring(place)
        var level = 0
        while true {
            if let index = layout.index(of: String(key)) {
                let parts = sequence(first: layout.properties[index].descriptor) { $0.element }
                let part = parts.dropFirst(level).first { _ in true }
                return part.map { Target(layout: layout, descriptor: $0, level: level) }
            }
            guard key.utf8.count > 2, key.hasSuffix("[]") else { return nil }
            key = key.dropLast(2)
            level += 1
        }
    }

    private func nullable(_ target: Target) -> DriftReport.Edit {
        let property = target.descriptor.property
        let isOptional = target.level == 0 && property.isRequired && property.defaultValue == nil
        return isOptional ? target.edit("required", nil) : target.edit("nullable", true)
    }

    // MARK: Kinds

    /// Proposes the kind that holds the values seen, or any JSON.
    private func otherKind(_ target: Target, _ evidence: DriftEvidence) -> DriftReport.Edit? {
        let old = target.descriptor.property
        guard let number = plans.figure(of: target.descriptor, level: target.level) else { return nil }
        var new = PropertySchema.jsonValue
        var schemas: [ModelSchema] = []
        let areAllFound = evidence.figures.present == counts.figures[number].present
        if let scalar = evidence.kinds.scalar(of: nil, isSingle: true), !old.isSensitive {
            new = areAllFound ? scalar : Self.common(old, scalar, evidence, counts.figures[number].numbers)
        } else if areAllFound, evidence.figures.kinds.count(where: { $0 > 0 }) == 1, let found = inferred(evidence) {
            (new, schemas) = found
        }
        if old.isRequired { new = new.required }
        if old.isNullableByDeclaration { new = new.nullable }
        new = new.labels(old.labels)
        if target.level == 0 {
            if old.access == .readOnly { new = new.readOnly }
            if let only = old.only { new = new.only(only) }
            new = new.json(old.json).storage(old.storage)
        }
        if !old.documentation.isEmpty { new = new.doc(old.documentation) }
        guard let (value, documents) = written(new, schemas) else { return nil }
        return DriftReport.Edit(
            schema: target.layout.schema.name, pointer: JSONPointer(tokens: target.pointer), value: value,
            newSchemas: documents)
    }

    /// Returns the property for values of a kind and for others that it cannot read.
    ///
    /// - Parameter numbers: The range of all of them.
    private static func common(
        _ old: PropertySchema, _ found: PropertySchema, _ evidence: DriftEvidence, _ numbers: ValueRange?
    ) -> PropertySchema {
        guard old.transformers.isEmpty else { return .jsonValue }
        if old.kind.traits.json == .text, found.kind.traits.json == .text { return .string }
        // A Double holds every integer up to there.
        let areExact = numbers?.hasNumbers(from: 0x1p53, besides: evidence.figures.numbers) == false
        switch (old.kind.traits.storage, found.kind.traits.storage) {
        case (.integer, .integer): return .integer
        case (.unsigned, .integer) where numbers?.maximum.int64 != nil: return .integer
        case (.double, .integer), (.double, .double): return .double
        case (.integer, .double) where areExact, (.unsigned, .double) where areExact: return .double
        case (.integer, .double), (.integer, .decimal), (.unsigned, .integer), (.unsigned, .double),
            (.unsigned, .decimal):
            return evidence.kinds.numbers.fitsDecimal ? .decimal : .jsonValue
        default: return .jsonValue
        }
    }

    /// Returns the property that the values of a finding suggest, and the schemas of models in them.
    private func inferred(_ evidence: DriftEvidence) -> (PropertySchema, [ModelSchema])? {
        let names = registry.schemas.map(\.name)
        guard let schemas = try? evidence.inference?.inferred(avoiding: names).map(\.schema),
            let property = schemas.first?.properties.first?.schema
        else { return nil }
        // Whether the member is in every object is not known here.
        var optional = PropertySchema(property.kind).transformers(property.transformers)
        if property.isNullableByDeclaration { optional = optional.nullable }
        return (optional, Array(schemas.dropFirst()))
    }

    /// Returns the documents of a property and of schemas.
    private func written(_ property: PropertySchema, _ schemas: [ModelSchema]) -> (JSONValue, [JSONValue])? {
        var holder = ModelSchema("Holder", [:])
        holder.properties = [ModelSchema.Property("value", property)]
        guard let document = try? registry.document(of: holder)["properties"]?["value"] else { return nil }
        let documents = schemas.map { schema in
            var schema = schema
            schema.documentation = ""
            return try? registry.document(of: schema)
        }
        return documents.contains { $0 == nil } ? nil : (document, documents.compactMap(\.self))
    }

    // MARK: Members

    /// Proposes a property for an unknown member.
    private func newProperty(_ path: String, in layout: ModelLayout, _ evidence: DriftEvidence) -> DriftReport.Edit? {
        guard let steps = JSONKeyPath.members(in: path), let name = steps.last, let found = inferred(evidence)
        else { return nil }
        var property = found.0
        let strategy = layout.schema.keys
        func fits(_ key: String) -> Bool {
            steps.count == 1 && strategy.memberName(for: key).map { UTF8Text.equal($0, name) } == true
                && layout.index(of: key) == nil
        }
        let usual = InferredKeys([name]).keys[0]
        var key = usual
        if !fits(key), InferredNames.isIdentifier(name), fits(name) { key = name }
        if !fits(key) {
            property = property.json(path)
            var number = 1
            while layout.index(of: key) != nil {
                number += 1
                key = "\(usual)\(number)"
            }
        }
        guard let (value, documents) = written(property, found.1) else { return nil }
        return DriftReport.Edit(
            schema: layout.schema.name, pointer: ["properties", key], value: value, newSchemas: documents)
    }
}
