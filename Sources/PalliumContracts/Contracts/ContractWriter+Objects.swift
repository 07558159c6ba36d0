import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Describes the objects of models.
extension ContractWriter {
    /// Describes the objects that are read or written as models of exactly this schema, inherited properties included.
    mutating func object(of layout: ModelLayout) -> JSONObject {
        let shape = DocumentShape(layout, profile: profile)
        let members = ContractMembers()
        let rules = layout.declaredRules
        var conditions: [JSONObject] = []
        for property in shape.properties {
            problems.property = property.descriptor.key
            describe(property, rules: rules[UTF8Key(property.descriptor.key)] ?? [], in: members, &conditions)
        }
        problems.property = nil
        limitDiscriminators(of: layout, in: members)
        var sentences: [String] = []
        for rule in layout.lineage.reversed().flatMap(\.schema.rules) {
            if let condition = condition(for: rule, of: shape) {
                conditions.append(condition)
            } else {
                sentences.append(rule.sentence)
            }
        }
        var result = heading(of: layout)
        let refusesOthers = layout.schema.refusesUnknownMembers
        if refusesOthers { for path in shape.knownPaths { members.allow(path) } }
        for (name, value) in members.object(notation, refusesOthers: refusesOthers) { result[name] = value }
        if !conditions.isEmpty { result["allOf"] = .array(conditions.map { .object($0) }) }
        Self.add(sentences, to: &result)
        return result
    }

    /// The title and the description of a schema.
    func heading(of layout: ModelLayout) -> JSONObject {
        var result = JSONObject()
        if notation != .strict { result["title"] = .string(layout.schema.name) }
        if !layout.schema.documentation.isEmpty { result["description"] = .string(layout.schema.documentation) }
        return result
    }

    /// Whether a property is in the documents of the direction.
    func isMapped(_ property: DocumentShape.Property) -> Bool {
        if direction == .input ? !property.isRead : property.writtenPaths.isEmpty { return false }
        if case .custom = property.schema.kind { return !property.schema.conversions.isEmpty }
        return true
    }

    private mutating func describe(
        _ property: DocumentShape.Property, rules: [PropertySchema.Rule], in members: ContractMembers,
        _ conditions: inout [JSONObject]
    ) {
        guard isMapped(property) else { return }
        let isDescribable = property.paths.allSatisfy { ContractMembers.canDescribe($0) }
        guard var value = value(property.descriptor, rules: rules),
            isDescribable || notation != .strict,
            notation != .strict || property.combination != .allOf && property.paths[0].members != nil
        else {
            if property.schema.isRequired {
                problems.report(
                    "is required, and its JSON has no form that every language model can be held to",
                    fix: "leave the model out, or make the property optional")
            }
            return
        }
        guard isDescribable else { return }
        let acceptsNull = acceptsNull(property)
        value = acceptsNull ? Self.nullable(value) : refusingNull(value)
        annotate(&value, property)
        let isRequired = isAlwaysThere(property)
        switch property.combination {
        case .single: members.add(value, at: property.paths[0], isRequired: isRequired, acceptsNull: acceptsNull)
        case .firstOf:
            describeFirst(property, value, isRequired: isRequired, acceptsNull: acceptsNull, in: members, &conditions)
        case .allOf: describeParts(property, isRequired: isRequired, in: members, &conditions)
        }
    }

    private func acceptsNull(_ property: DocumentShape.Property) -> Bool {
        if convertsNull(property.schema) { return true }
        if direction == .input { return property.schema.readsNull }
        return property.schema.isNullable && (property.schema.isRequired || property.schema.nilPolicy != .omit)
    }

    /// Whether the member of a property must be there (when read) or is there (when written).
    private func isAlwaysThere(_ property: DocumentShape.Property) -> Bool {
        property.schema.isRequired || (direction == .output && property.schema.nilPolicy == .write)
    }

    /// Adds what is for people.
    private mutating func annotate(_ value: inout JSONObject, _ property: DocumentShape.Property) {
        let documentation = property.schema.documentation
        if !documentation.isEmpty {
            let rest = value["description"]?.stringValue.map { [$0] } ?? []
            value["description"] = nil
            var described: JSONObject = ["description": .string(documentation)]
            for (name, member) in value { described[name] = member }
            Self.add(rest, to: &described)
            value = described
        }
        if notation == .strict {
            // Not every service allows other keywords beside a reference.
            if value.count > 1, let reference = value["$ref"] {
                value["$ref"] = nil
                value["anyOf"] = [["$ref": reference]]
            }
            return
        }
        if direction == .input {
            let text = DefaultValueText(
                schema: problems.schema ?? "", key: property.descriptor.key, transformers: registry.transformers)
            value["default"] = try? text.json(of: property.schema)
        }
        switch property.schema.access {
        case .readWrite: break
        case .readOnly: value["readOnly"] = true
        case .writeOnly: value["writeOnly"] = true
        }
        switch property.schema.only {
        case .output?: value["readOnly"] = true
        case .input?: value["writeOnly"] = true
        case nil: break
        }
    }

    /// Describes a property that is read from the first present path, and written to the first of all.
    ///
    /// The first path is always read if it is present, so its value is described as for any property. Another one counts
    /// only if those before it are absent.
    private mutating func describeFirst(
        _ property: DocumentShape.Property, _ value: JSONObject, isRequired: Bool, acceptsNull: Bool,
        in members: ContractMembers, _ conditions: inout [JSONObject]
    ) {
        let paths = property.paths.prefix(ContractMembers.maximumSteps)
        if direction == .output || notation == .strict || paths.count == 1 {
            return members.add(value, at: paths[0], isRequired: isRequired, acceptsNull: acceptsNull)
        }
        members.add(value, at: paths[0], isRequired: false, acceptsNull: acceptsNull)
        guard notation == .jsonSchema else {
            for path in paths.dropFirst() { members.add(value, at: path, isRequired: false, acceptsNull: acceptsNull) }
            return
        }
        let isCut = paths.count < property.paths.count
        var rest: JSONObject? = isRequired && !isCut ? nil : [:]
        for path in paths.dropFirst().reversed() {
            let alone = ContractMembers()
            alone.add(value, at: path, isRequired: rest == nil, acceptsNull: acceptsNull)
            var here = alone.object(notation, refusesOthers: false)
            here["type"] = nil
            if let next = rest, !next.isEmpty {
                guard let isPresent = PathCondition.isPresent(path) else { return }
                here["anyOf"] = [.object(isPresent), .object(next)]
            }
            rest = here
        }
        guard let rest, let isPresent = PathCondition.isPresent(paths[0]) else { return }
        conditions.append(["anyOf": [.object(isPresent), .object(rest)]])
    }

    /// Describes a property whose value is one object of parts. Only where the parts are is described.
    private mutating func describeParts(
        _ property: DocumentShape.Property, isRequired: Bool, in members: ContractMembers,
        _ conditions: inout [JSONObject]
    ) {
        var part = JSONObject()
        annotate(&part, property)
        part["default"] = nil
        for path in property.paths { members.add(part, at: path, isRequired: false, acceptsNull: true) }
        guard isRequired, direction == .input, notation == .jsonSchema else { return }
        conditions.append(PathCondition.any(property.paths.compactMap { PathCondition.isNotNull($0) }))
    }
}
